//! Operators between operands, by their precedence ranges.
//!
//! Operators that wait for their right operand stand on a stack. When an infix operator comes, those on the stack that
//! bind tighter take the operand before it; if the topmost neither binds tighter nor yields, the two are in conflict.

use super::{MAX_DEPTH, Parser};
use crate::source::Span;
use crate::symbol::Symbol;
use crate::syntax::ast::{Expr, ExprKind, Ident, Selector};
use crate::syntax::lexer::Reading;
use crate::syntax::operators::{Fixity, NEGATION, Operator};
use crate::syntax::token::TokenKind;

/// An operand with the height of its tree.
pub(super) struct Operand {
    pub(super) expr: Expr,
    pub(super) height: u32,
}

/// An operator that waits for its right operand.
pub(super) struct Pending {
    /// None before a prefix operator.
    left: Option<Operand>,
    pub(super) operator: &'static Operator,
    pub(super) span: Span,
}

impl Pending {
    pub(super) fn is_prefix(&self) -> bool {
        self.left.is_none()
    }
}

impl Parser<'_> {
    /// An expression, as long as it can be.
    pub(super) fn expression(&mut self) -> Reading<Expr> {
        let outer = std::mem::take(&mut self.height);
        let Operand { expr, height } = self.descend(Self::operators_and_operands)?;
        self.height = outer.max(height);
        Ok(expr)
    }

    fn operators_and_operands(&mut self) -> Reading<Operand> {
        let mut pending = Vec::new();
        loop {
            self.prefix_operators(&mut pending)?;
            let expr = self.operand()?;
            let operand = Operand { expr, height: std::mem::take(&mut self.height) + 1 };
            let mut operand = self.postfix_operators(operand, pending.last())?;
            let Some(operator) = self.infix_operator() else {
                while let Some(last) = pending.pop() {
                    operand = self.apply(last, operand)?;
                }
                return Ok(operand);
            };
            let span = self.here();
            while let Some(last) = pending.pop_if(|last| last.operator.binds_tighter_than(operator)) {
                operand = self.apply(last, operand)?;
            }
            if let Some(last) = pending.last().filter(|last| !last.operator.yields_to(operator)) {
                return Err(self.conflict(last, operator, span));
            }
            self.bump();
            pending.push(Pending { left: Some(operand), operator, span });
        }
    }

    fn infix_operator(&self) -> Option<&'static Operator> {
        match self.peek() {
            TokenKind::Operator(operator) if operator.fixity == Fixity::Infix => Some(operator),
            _ => None,
        }
    }

    fn prefix_operators(&mut self, pending: &mut Vec<Pending>) -> Reading<()> {
        while let TokenKind::Operator(operator) = self.peek() {
            let span = self.here();
            let operator = match operator.fixity {
                Fixity::Prefix if *operator != NEGATION => operator,
                Fixity::Infix if operator.name == "-" => {
                    // A minus sign that stands behind an operator of higher precedence is an error, unlike other
                    // prefix operators there: `a * -b`.
                    if let Some(last) = pending.last().filter(|last| last.operator.low > NEGATION.high) {
                        return Err(self.conflict(last, &NEGATION, span));
                    }
                    &NEGATION
                }
                _ => break,
            };
            self.bump();
            pending.push(Pending { left: None, operator, span });
        }
        Ok(())
    }

    /// `'`, `[…]` and `.field` behind an operand.
    fn postfix_operators(&mut self, mut operand: Operand, before: Option<&Pending>) -> Reading<Operand> {
        loop {
            let start = operand.expr.span;
            let kind = match self.peek() {
                TokenKind::OpenBracket => {
                    let opening = self.bump();
                    let args = self.separated(Self::expression)?;
                    self.close(TokenKind::CloseBracket, "`]`", opening)?;
                    ExprKind::Index { function: operand.expr, args }
                }
                TokenKind::Dot => {
                    self.bump();
                    ExprKind::Field { record: operand.expr, field: self.field_name()? }
                }
                TokenKind::Operator(operator) if operator.fixity == Fixity::Postfix => {
                    let span = self.here();
                    if let Some(before) = before.filter(|before| !before.operator.yields_to(operator)) {
                        return Err(self.conflict(before, operator, span));
                    }
                    self.bump();
                    application(operator, span, vec![operand.expr])
                }
                _ => return Ok(operand),
            };
            let height = operand.height.max(std::mem::take(&mut self.height)) + 1;
            operand = self.grown(Operand { expr: self.expr(kind, start), height })?;
        }
    }

    /// Gives an operator its right operand.
    fn apply(&self, Pending { left, operator, span }: Pending, right: Operand) -> Reading<Operand> {
        let Some(mut left) = left else {
            let whole = span.to(right.expr.span);
            let kind = Box::new(application(operator, span, vec![right.expr]));
            return self.grown(Operand { expr: Expr { kind, span: whole }, height: right.height + 1 });
        };
        let height = right.height.max(left.height) + 1;
        let whole = left.expr.span.to(right.expr.span);
        // A product of many sets is a set of tuples, not of nested pairs.
        let kind = match left.expr.kind.as_mut() {
            ExprKind::Apply { path, op, args } if is_product(operator.name, path, *op) => {
                args.push(right.expr);
                left.expr.kind
            }
            _ => Box::new(application(operator, span, vec![left.expr, right.expr])),
        };
        self.grown(Operand { expr: Expr { kind, span: whole }, height })
    }

    /// The operand, unless its tree has grown too high.
    fn grown(&self, operand: Operand) -> Reading<Operand> {
        if operand.height > MAX_DEPTH { Err(self.too_deep(operand.expr.span)) } else { Ok(operand) }
    }
}

fn is_product(operator: &str, path: &[Selector], op: Ident) -> bool {
    operator == "\\X" && path.is_empty() && op.name.as_str() == "\\X"
}

fn application(operator: &'static Operator, span: Span, args: Vec<Expr>) -> ExprKind {
    ExprKind::Apply { path: Vec::new(), op: Ident { name: Symbol::new(operator.name), span }, args }
}
