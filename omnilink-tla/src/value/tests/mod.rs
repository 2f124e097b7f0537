//! Properties of values, against plain data structures and against what TLC says.

mod algebra;
mod limits;
mod plain;
mod points;
mod printing;
mod representation;
mod symbolic;
mod tlc;
