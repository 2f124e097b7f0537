//! From text to a tree: lexer, operator precedence, parser, and back to text.
//!
//! ```text
//! text ──► lexer ──► tokens ──► parser ──► ast ──► print ──► text
//!                                 │ operators: canonical names, precedence ranges
//! ```
//!
//! What TLC's parser accepts is accepted and grouped alike; what it rejects is an error here, but for a few forms that
//! its lookahead alone forbids (`[x \in S]_v`). No input makes the parser panic, run out of stack, or take more than
//! linear time.

pub mod ast;
pub mod operators;
pub mod print;

mod lexer;
mod parser;
mod token;

pub use lexer::Reading;
pub use parser::{MAX_DEPTH, parse_expression, parse_later_module, parse_module};
