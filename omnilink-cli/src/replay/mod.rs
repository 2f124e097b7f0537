//! What is said of a run that was made again.

mod comparison;

pub use comparison::Difference;
