//! What binds names: quantifiers, `CHOOSE`, `LAMBDA`, and the bounds that functions and sets share with them.

use super::Parser;
use super::name::plain_name;
use crate::symbol::Symbol;
use crate::syntax::ast::{Bound, Expr, ExprKind, Ident, OpDecl, Pattern};
use crate::syntax::lexer::Reading;
use crate::syntax::token::{Quantifier, TokenKind};

impl Parser<'_> {
    /// `\A x \in S : body`, `\E x : body`, …
    pub(super) fn quantifier(&mut self, quantifier: Quantifier) -> Reading<Expr> {
        let start = self.bump();
        let temporal = matches!(quantifier, Quantifier::TemporalForAll | Quantifier::TemporalExists);
        let bounds = if self.peek() == TokenKind::OpenAngle && !temporal {
            self.bounds()?
        } else {
            let names = self.separated(|parser| parser.ident("a name to bind"))?;
            if temporal || self.peek() == TokenKind::Colon {
                let body = self.body()?;
                let quantifier = Symbol::new(quantifier.as_str());
                return Ok(self.expr(ExprKind::UnboundedQuantifier { quantifier, names, body }, start));
            }
            let first = self.bound_of(Pattern::Names(names), "`\\in` or `:`")?;
            self.further_bounds(first)?
        };
        let body = self.body()?;
        Ok(self.expr(ExprKind::Quantifier { universal: quantifier == Quantifier::ForAll, bounds, body }, start))
    }

    /// `: body`
    fn body(&mut self) -> Reading<Expr> {
        self.expect(TokenKind::Colon, "`:`")?;
        self.expression()
    }

    pub(super) fn choose(&mut self) -> Reading<Expr> {
        let start = self.bump();
        let pattern = match self.peek() {
            TokenKind::OpenAngle => self.tuple_pattern()?,
            _ => Pattern::Names(vec![self.ident("a name to bind")?]),
        };
        let set = match self.peek() {
            TokenKind::Colon => None,
            TokenKind::Comma => {
                let error = self.expected("`\\in` or `:`");
                return Err(error.hint("choose several values as a tuple: `CHOOSE <<x, y>> \\in S \\X T : …`").into());
            }
            _ => Some(self.membership("`\\in` or `:`")?),
        };
        let body = self.body()?;
        Ok(self.expr(ExprKind::Choose { pattern, set, body }, start))
    }

    /// `LAMBDA x, y : body`
    pub(super) fn lambda(&mut self) -> Reading<Expr> {
        let start = self.bump();
        let params = self.separated(|parser| {
            let name = parser.ident("the name of a parameter")?;
            Ok(OpDecl { name, arity: 0 })
        })?;
        let body = self.body()?;
        Ok(self.expr(ExprKind::Lambda { params, body }, start))
    }

    /// `x, y \in S, <<a, b>> \in T`
    pub(super) fn bounds(&mut self) -> Reading<Vec<Bound>> {
        let first = self.bound()?;
        self.further_bounds(first)
    }

    /// The bounds that follow a first one, with it.
    pub(super) fn further_bounds(&mut self, first: Bound) -> Reading<Vec<Bound>> {
        let mut bounds = vec![first];
        while self.eat(TokenKind::Comma) {
            bounds.push(self.bound()?);
        }
        Ok(bounds)
    }

    fn bound(&mut self) -> Reading<Bound> {
        let pattern = match self.peek() {
            TokenKind::OpenAngle => self.tuple_pattern()?,
            _ => Pattern::Names(self.separated(|parser| parser.ident("a name to bind"))?),
        };
        self.bound_of(pattern, "`\\in`")
    }

    fn bound_of(&mut self, pattern: Pattern, expected: &str) -> Reading<Bound> {
        Ok(Bound { pattern, set: self.membership(expected)? })
    }

    /// `\in S`
    fn membership(&mut self, expected: &str) -> Reading<Expr> {
        if !self.at_operator("\\in") {
            return Err(self.expected(expected));
        }
        self.bump();
        self.expression()
    }

    /// `<<x, y>>`
    fn tuple_pattern(&mut self) -> Reading<Pattern> {
        let opening = self.bump();
        let names = self.separated(|parser| parser.ident("a name to bind"))?;
        self.close(TokenKind::CloseAngle, "`,` or `>>`", opening)?;
        Ok(Pattern::Tuple(names))
    }
}

/// Takes an expression for the bound that it looks like; gives it back if it does not.
pub(super) fn as_bound(expr: Expr) -> Result<Bound, Expr> {
    match *expr.kind {
        ExprKind::Apply { path, op, mut args } if op.name.as_str() == "\\in" && args.len() == 2 && path.is_empty() => {
            match as_pattern(&args[0]) {
                Some(pattern) => Ok(Bound { pattern, set: args.remove(1) }),
                None => Err(Expr { kind: Box::new(ExprKind::Apply { path, op, args }), span: expr.span }),
            }
        }
        kind => Err(Expr { kind: Box::new(kind), span: expr.span }),
    }
}

fn as_pattern(expr: &Expr) -> Option<Pattern> {
    match &*expr.kind {
        ExprKind::Tuple(items) if !items.is_empty() => {
            Some(Pattern::Tuple(items.iter().map(plain_name).collect::<Option<Vec<Ident>>>()?))
        }
        _ => Some(Pattern::Names(vec![plain_name(expr)?])),
    }
}
