//! The chaos scheduler on real programs: it finds what is wrong, finds nothing wrong where nothing is, and repeats
//! itself.

mod debugging;
mod detection;
mod endings;
mod forms;
mod freely;
mod matrix;
mod points;
mod processes;
mod refusals;
mod repetition;
mod subjects;
mod surroundings;
