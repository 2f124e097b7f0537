//! What the tests share: the real TLC, the corpus of specifications and their states, the generator of expressions.
#![allow(dead_code, reason = "each test uses its part of this")]

pub mod corpus;
pub mod expressions;
pub mod random;
pub mod reach;
pub mod tlc;
