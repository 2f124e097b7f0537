//! What stands in brackets: sets, functions, records, tuples, stuttering.
//!
//! `[x \in S |-> e]`, `[x \in S]_v`, `[S -> T]` and `[f EXCEPT …]` begin alike: each is read as an expression, and what
//! follows decides whether that expression was a bound.

use super::Parser;
use super::binder::as_bound;
use crate::source::Span;
use crate::syntax::ast::{Bound, Expr, ExprKind, Ident, Step, Update};
use crate::syntax::lexer::Reading;
use crate::syntax::token::{Keyword, TokenKind};

impl Parser<'_> {
    /// Everything that begins with `[`.
    pub(super) fn square_bracket(&mut self) -> Reading<Expr> {
        let opening = self.bump();
        let kind = match self.peek_ahead(1) {
            TokenKind::MapsTo => ExprKind::Record(self.fields(TokenKind::MapsTo, "`|->`", opening)?),
            TokenKind::Colon => ExprKind::RecordSet(self.fields(TokenKind::Colon, "`:`", opening)?),
            TokenKind::Comma if self.peek() == TokenKind::Identifier => {
                let bounds = self.bounds()?;
                self.function(bounds, opening)?
            }
            _ => self.square_bracket_by_content(opening)?,
        };
        Ok(self.expr(kind, opening))
    }

    fn square_bracket_by_content(&mut self, opening: Span) -> Reading<ExprKind> {
        let first = self.expression()?;
        match self.peek() {
            TokenKind::Keyword(Keyword::Except) => self.except(first, opening),
            TokenKind::Arrow => {
                self.bump();
                let range = self.expression()?;
                self.close(TokenKind::CloseBracket, "`]`", opening)?;
                Ok(ExprKind::FunctionSet { domain: first, range })
            }
            TokenKind::CloseBracketSubscript => {
                self.bump();
                let subscript = self.subscript()?;
                Ok(ExprKind::Stuttering { stutters: true, action: first, subscript })
            }
            TokenKind::MapsTo | TokenKind::Comma => match as_bound(first) {
                Ok(bound) => {
                    let bounds = self.further_bounds(bound)?;
                    self.function(bounds, opening)
                }
                Err(_) => Err(self.expected("`]_`, `->` or `EXCEPT`")),
            },
            _ => match as_bound(first) {
                Ok(_) => Err(self.unclosed("`,`, `|->` or `]_`", opening)),
                Err(_) => Err(self.unclosed("`]_`, `->` or `EXCEPT`", opening)),
            },
        }
    }

    /// `|-> e]`
    fn function(&mut self, bounds: Vec<Bound>, opening: Span) -> Reading<ExprKind> {
        self.expect(TokenKind::MapsTo, "`,` or `|->`")?;
        let value = self.expression()?;
        self.close(TokenKind::CloseBracket, "`]`", opening)?;
        Ok(ExprKind::Function { bounds, value })
    }

    /// `a |-> 1, b |-> 2]`, or with another sign between the names and what they have.
    fn fields(&mut self, sign: TokenKind, expected: &str, opening: Span) -> Reading<Vec<(Ident, Expr)>> {
        let fields = self.separated(|parser| {
            let name = parser.field_name()?;
            parser.expect(sign, expected)?;
            Ok((name, parser.expression()?))
        })?;
        self.close(TokenKind::CloseBracket, "`,` or `]`", opening)?;
        Ok(fields)
    }

    /// `EXCEPT !.a[1] = e, …]`
    fn except(&mut self, function: Expr, opening: Span) -> Reading<ExprKind> {
        self.bump();
        let updates = self.separated(Self::update)?;
        self.close(TokenKind::CloseBracket, "`,` or `]`", opening)?;
        Ok(ExprKind::Except { function, updates })
    }

    fn update(&mut self) -> Reading<Update> {
        let start = self.expect(TokenKind::Bang, "`!`")?;
        let mut path = Vec::new();
        loop {
            match self.peek() {
                TokenKind::Dot => {
                    self.bump();
                    path.push(Step::Field(self.field_name()?));
                }
                TokenKind::OpenBracket => {
                    let opening = self.bump();
                    path.push(Step::Index(self.separated(Self::expression)?));
                    self.close(TokenKind::CloseBracket, "`,` or `]`", opening)?;
                }
                _ if path.is_empty() => return Err(self.expected("`[` or `.`")),
                _ => break,
            }
        }
        if !self.at_operator("=") {
            return Err(self.expected("`=`, `[` or `.`"));
        }
        self.bump();
        let outer = std::mem::replace(&mut self.old_value, true);
        let value = self.expression();
        self.old_value = outer;
        Ok(Update { path, value: value?, span: self.since(start) })
    }

    /// `{a, b}`, `{x \in S : p}`, `{e : x \in S}`
    pub(super) fn brace(&mut self) -> Reading<Expr> {
        let opening = self.bump();
        if self.eat(TokenKind::CloseBrace) {
            return Ok(self.expr(ExprKind::SetEnum(Vec::new()), opening));
        }
        let first = self.expression()?;
        let kind = if self.eat(TokenKind::Colon) {
            match as_bound(first) {
                Ok(bound) => ExprKind::SetFilter { bound, condition: self.expression()? },
                Err(value) => ExprKind::SetMap { value, bounds: self.bounds()? },
            }
        } else {
            let mut items = vec![first];
            while self.eat(TokenKind::Comma) {
                items.push(self.expression()?);
            }
            ExprKind::SetEnum(items)
        };
        if matches!(&kind, ExprKind::SetEnum(items) if items.len() > 1) && self.peek() == TokenKind::Colon {
            let error = self.expected("`,` or `}`");
            return Err(error
                .hint("a set's condition is about one name or tuple: `{<<x, y>> \\in S \\X T : …}`")
                .into());
        }
        self.close(TokenKind::CloseBrace, "`,` or `}`", opening)?;
        Ok(self.expr(kind, opening))
    }

    /// `<<a, b>>`, `<<A>>_v`
    pub(super) fn angle_bracket(&mut self) -> Reading<Expr> {
        let opening = self.bump();
        if self.eat(TokenKind::CloseAngle) {
            return Ok(self.expr(ExprKind::Tuple(Vec::new()), opening));
        }
        let mut items = self.separated(Self::expression)?;
        if self.peek() == TokenKind::CloseAngleSubscript && items.len() == 1 {
            self.bump();
            let subscript = self.subscript()?;
            let kind = ExprKind::Stuttering { stutters: false, action: items.remove(0), subscript };
            return Ok(self.expr(kind, opening));
        }
        self.close(TokenKind::CloseAngle, "`,` or `>>`", opening)?;
        Ok(self.expr(ExprKind::Tuple(items), opening))
    }
}
