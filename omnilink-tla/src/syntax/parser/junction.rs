//! Lists of conjuncts or disjuncts, aligned by column.
//!
//! ```text
//! /\ x = 1
//! /\ \/ y = 2
//!    \/ y = 3
//! ```
//!
//! A bullet opens a list where an operand may stand. An item ends at the first token that does not stand right of the
//! bullet, whatever it is; if that token is the same bullet in the same column, it begins the next item. Everywhere
//! else `/\` and `\/` are infix operators.

use super::Parser;
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind};
use crate::syntax::lexer::Reading;
use crate::syntax::token::{Token, TokenKind};

/// The bullet that a list is aligned by.
#[derive(Clone, Copy)]
pub(super) struct Bullet {
    pub(super) column: u32,
    /// The bullet of the item being read.
    pub(super) span: Span,
}

impl Parser<'_> {
    /// Whether a token can begin an item, and of which list. The words `\land` and `\lor` cannot.
    pub(super) fn bullet(&self, token: Token) -> Option<bool> {
        match self.text_of(token) {
            "/\\" | "∧" => Some(true),
            "\\/" | "∨" => Some(false),
            _ => None,
        }
    }

    /// A list whose first bullet is next.
    pub(super) fn junction(&mut self, conjunction: bool) -> Reading<Expr> {
        let start = self.here();
        let column = self.token().column;
        let mut items = Vec::new();
        loop {
            self.bullets.push(Bullet { column, span: self.here() });
            self.next += 1;
            let item = self.expression();
            self.bullets.pop();
            items.push(item?);
            let another = self.token().column == column && self.bullet(self.token()) == Some(conjunction);
            if !another || self.peek() == TokenKind::Outdent {
                return Ok(self.expr(ExprKind::Junction { conjunction, items }, start));
            }
        }
    }
}
