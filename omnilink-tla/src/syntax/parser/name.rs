//! Names: alone, with arguments, and inside instances.

use super::Parser;
use crate::source::Span;
use crate::symbol::Symbol;
use crate::syntax::ast::{Expr, ExprKind, Ident, Selector};
use crate::syntax::lexer::Reading;
use crate::syntax::operators::{Fixity, NEGATION, Operator};
use crate::syntax::token::{Keyword, TokenKind};

impl Parser<'_> {
    /// `x`, `Op(a, b)`, `I!J(x)!Op(a)`, or `label(x) :: expr`.
    pub(super) fn name_or_label(&mut self) -> Reading<Expr> {
        let start = self.here();
        let name = self.name()?;
        if self.peek() != TokenKind::DoubleColon {
            return Ok(name);
        }
        let Some((label, params)) = as_label(&name) else {
            return Err(self.expected("an operator: a label is a name, or a name of bound names"));
        };
        self.bump();
        let expr = self.expression()?;
        Ok(self.expr(ExprKind::Label { name: label, params, expr }, start))
    }

    /// A name with what stands before it in instances, and its arguments.
    pub(super) fn name(&mut self) -> Reading<Expr> {
        let start = self.here();
        let mut path = Vec::new();
        let mut name = self.next_ident();
        loop {
            let args = if self.peek() == TokenKind::OpenParen { self.arguments()? } else { Vec::new() };
            if self.eat(TokenKind::Bang) {
                path.push(Selector { name, args });
                name = self.selected()?;
                continue;
            }
            let kind = match args.is_empty() {
                true => ExprKind::Name { path, name },
                false => ExprKind::Apply { path, op: name, args },
            };
            return Ok(self.expr(kind, start));
        }
    }

    /// What may follow `!`: a name or operator of an instance, or a part of a definition by its place (`!1`, `!:`,
    /// `!<<`, `!(x)`).
    fn selected(&mut self) -> Reading<Ident> {
        match self.peek() {
            TokenKind::OpenParen => Ok(Ident { name: Symbol::new("()"), span: self.here() }),
            TokenKind::Operator(operator) if operator.name == "=" && self.peek_ahead(1) != TokenKind::OpenParen => {
                Err(self.expected("a name").hint("`a # b` says that two values differ, as does `a /= b`").into())
            }
            TokenKind::Operator(operator) => Ok(Ident { name: Symbol::new(operator.name), span: self.bump() }),
            TokenKind::Identifier
            | TokenKind::Number
            | TokenKind::OpenAngle
            | TokenKind::CloseAngle
            | TokenKind::Colon
            | TokenKind::At => Ok(self.next_ident()),
            _ => Err(self.expected("a name")),
        }
    }

    /// `+(a, b)`: an operator before its arguments.
    pub(super) fn prefix_call(&mut self) -> Reading<Expr> {
        let start = self.here();
        let TokenKind::Operator(operator) = self.peek() else { return Err(self.expected("an operator")) };
        let op = self.operator_name(operator);
        let args = self.arguments()?;
        Ok(self.expr(ExprKind::Apply { path: Vec::new(), op, args }, start))
    }

    /// `(a, b)`
    fn arguments(&mut self) -> Reading<Vec<Expr>> {
        let opening = self.bump();
        if self.peek() == TokenKind::CloseParen {
            let error = self.expected("an argument");
            return Err(error.hint("an operator without arguments is used by its name alone").into());
        }
        let args = self.separated(Self::argument)?;
        self.close(TokenKind::CloseParen, "`,` or `)`", opening)?;
        Ok(args)
    }

    /// An expression, `LAMBDA`, or the bare symbol of an operator.
    pub(super) fn argument(&mut self) -> Reading<Expr> {
        match self.peek() {
            TokenKind::Keyword(Keyword::Lambda) => self.descend(Self::lambda),
            TokenKind::Operator(operator) if self.is_bare_operator() => Ok(self.bare_operator(operator)),
            _ => self.expression(),
        }
    }

    pub(super) fn bare_operator(&mut self, operator: &Operator) -> Expr {
        let name = self.operator_name(operator);
        self.expr(ExprKind::Name { path: Vec::new(), name }, name.span)
    }

    /// Whether the operator that comes next has no operands, so that the operator itself is meant.
    fn is_bare_operator(&self) -> bool {
        let TokenKind::Operator(operator) = self.peek() else { return false };
        if self.peek_ahead(1) == TokenKind::OpenParen && operator.fixity != Fixity::Prefix {
            return false;
        }
        *operator == NEGATION || !self.begins_operand(0) || !self.begins_operand(1)
    }

    /// Whether an operand, or a prefix operator before one, can begin `ahead` tokens after the next.
    pub(super) fn begins_operand(&self, ahead: usize) -> bool {
        match self.peek_ahead(ahead) {
            TokenKind::Operator(operator) => {
                let token = self.tokens[self.next + ahead];
                operator.fixity == Fixity::Prefix || operator.name == "-" || self.bullet(token).is_some()
            }
            TokenKind::Keyword(keyword) => matches!(
                keyword,
                Keyword::If
                    | Keyword::Case
                    | Keyword::Let
                    | Keyword::Choose
                    | Keyword::WeakFairness
                    | Keyword::StrongFairness
            ),
            TokenKind::Identifier
            | TokenKind::ProofStep
            | TokenKind::Number
            | TokenKind::Decimal
            | TokenKind::String
            | TokenKind::OpenParen
            | TokenKind::OpenBracket
            | TokenKind::OpenBrace
            | TokenKind::OpenAngle
            | TokenKind::At
            | TokenKind::Quantifier(_) => true,
            _ => false,
        }
    }

    /// What may follow `]_`, `>>_`, `WF_`: a name or something in brackets.
    pub(super) fn subscript(&mut self) -> Reading<Expr> {
        match self.peek() {
            TokenKind::Identifier => self.name(),
            TokenKind::OpenParen | TokenKind::OpenBracket | TokenKind::OpenBrace | TokenKind::OpenAngle => {
                self.operand()
            }
            _ => Err(self.expected("the variables that the subscript is about")),
        }
    }

    /// `WF_v(A)`, `SF_<<x, y>>(A)`. Of `WF_F(x)(A)` the subscript is `F(x)`.
    pub(super) fn fairness(&mut self, strong: bool) -> Reading<Expr> {
        let start = self.bump();
        let subscript = self.subscript()?;
        let (subscript, action) = if self.peek() == TokenKind::OpenParen {
            let opening = self.bump();
            let action = self.expression()?;
            self.close(TokenKind::CloseParen, "`)`", opening)?;
            (subscript, action)
        } else {
            self.application_as_fairness(subscript)?
        };
        Ok(self.expr(ExprKind::Fairness { strong, subscript, action }, start))
    }

    /// Takes `v(A)` apart.
    fn application_as_fairness(&self, subscript: Expr) -> Reading<(Expr, Expr)> {
        match *subscript.kind {
            ExprKind::Apply { path, op, mut args } if args.len() == 1 => {
                let span = Span { end: op.span.end, ..subscript.span };
                let name = Expr { kind: Box::new(ExprKind::Name { path, name: op }), span };
                Ok((name, args.remove(0)))
            }
            _ => Err(self.expected("`(` and an action")),
        }
    }
}

fn as_label(expr: &Expr) -> Option<(Ident, Vec<Ident>)> {
    match &*expr.kind {
        ExprKind::Name { path, name } if path.is_empty() => Some((*name, Vec::new())),
        ExprKind::Apply { path, op, args } if path.is_empty() => {
            Some((*op, args.iter().map(plain_name).collect::<Option<_>>()?))
        }
        _ => None,
    }
}

/// The name that an expression is, if it is no more than that.
pub(super) fn plain_name(expr: &Expr) -> Option<Ident> {
    match &*expr.kind {
        ExprKind::Name { path, name } if path.is_empty() => Some(*name),
        _ => None,
    }
}
