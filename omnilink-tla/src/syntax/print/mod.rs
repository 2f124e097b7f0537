//! From a tree back to text that reads as the same tree.
//!
//! The tree must be one that the parser built: parentheses are in it where they are needed, and none are added. Lists
//! by bullets keep their columns, which takes the `Layout`; nearly all else goes on one line. Comments and the text
//! of theorems are not in the tree.

mod expression;
mod layout;
mod unit;

use std::fmt;

use self::layout::Layout;
use super::ast::{Expr, Module};

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut layout = Layout::default();
        layout.module(self);
        f.write_str(&layout.finish())
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut layout = Layout::default();
        layout.expr(self);
        f.write_str(&layout.finish())
    }
}
