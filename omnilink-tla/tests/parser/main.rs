//! The parser as its users see it: real text in, a tree or a message out.

mod acceptance;
mod corpus;
mod differential;
mod edits;
mod errors;
mod limits;
mod mutation;
mod promises;
mod round_trip;
