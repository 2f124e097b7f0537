//! What operators stand between: literals, names, and everything that begins with a word.

use super::Parser;
use crate::symbol::Symbol;
use crate::syntax::ast::{Expr, ExprKind};
use crate::syntax::lexer::Reading;
use crate::syntax::token::{Keyword, TokenKind};

impl Parser<'_> {
    /// One operand, without what may follow it.
    pub(super) fn operand(&mut self) -> Reading<Expr> {
        match self.peek() {
            TokenKind::Identifier if !self.is_next_definition() => self.name_or_label(),
            TokenKind::ProofStep if self.in_proof => self.name_or_label(),
            TokenKind::Number | TokenKind::Decimal | TokenKind::String => self.literal(),
            TokenKind::OpenParen => self.parentheses(),
            TokenKind::OpenBracket => self.square_bracket(),
            TokenKind::OpenBrace => self.brace(),
            TokenKind::OpenAngle => self.angle_bracket(),
            TokenKind::At => self.old_value(),
            TokenKind::Quantifier(quantifier) => self.quantifier(quantifier),
            TokenKind::Keyword(keyword) => self.keyword_form(keyword),
            TokenKind::Operator(_) => match self.bullet(self.token()) {
                Some(conjunction) => self.junction(conjunction),
                None if self.peek_ahead(1) == TokenKind::OpenParen => self.prefix_call(),
                None => Err(self.expected("an expression")),
            },
            _ => Err(self.expected("an expression")),
        }
    }

    fn keyword_form(&mut self, keyword: Keyword) -> Reading<Expr> {
        match keyword {
            Keyword::If => self.if_then_else(),
            Keyword::Case => self.case(),
            Keyword::Let => self.let_in(),
            Keyword::Choose => self.choose(),
            Keyword::WeakFairness => self.fairness(false),
            Keyword::StrongFairness => self.fairness(true),
            Keyword::Lambda => {
                Err(self.expected("an expression").hint("`LAMBDA` can only be an argument of an operator").into())
            }
            _ => Err(self.expected("an expression")),
        }
    }

    fn literal(&mut self) -> Reading<Expr> {
        let token = self.token();
        let (text, span) = (self.text_of(token), self.bump());
        let kind = match token.kind {
            TokenKind::Number => ExprKind::Int(integer(text).ok_or_else(|| self.too_large(span))?),
            TokenKind::Decimal => ExprKind::Decimal(Symbol::new(text)),
            _ => ExprKind::Str(Symbol::new(&unescape(text))),
        };
        Ok(self.expr(kind, span))
    }

    fn parentheses(&mut self) -> Reading<Expr> {
        let opening = self.bump();
        let inner = self.expression()?;
        self.close(TokenKind::CloseParen, "`)`", opening)?;
        Ok(self.expr(ExprKind::Parens(inner), opening))
    }

    fn old_value(&mut self) -> Reading<Expr> {
        if !self.old_value {
            return Err(self.expected("an expression").hint("`@` is the old value in `[f EXCEPT ![x] = …]`").into());
        }
        let span = self.bump();
        Ok(self.expr(ExprKind::At, span))
    }

    fn if_then_else(&mut self) -> Reading<Expr> {
        let start = self.bump();
        let condition = self.expression()?;
        self.expect_keyword(Keyword::Then, "`THEN`")?;
        let then = self.expression()?;
        self.expect_keyword(Keyword::Else, "`ELSE`")?;
        let otherwise = self.expression()?;
        Ok(self.expr(ExprKind::If { condition, then, otherwise }, start))
    }

    fn case(&mut self) -> Reading<Expr> {
        let start = self.bump();
        let (mut arms, mut other) = (Vec::new(), None);
        loop {
            if !arms.is_empty() && self.eat_keyword(Keyword::Other) {
                self.expect(TokenKind::Arrow, "`->`")?;
                other = Some(self.expression()?);
                break;
            }
            let condition = self.expression()?;
            self.expect(TokenKind::Arrow, "`->`")?;
            arms.push((condition, self.expression()?));
            if !self.at_operator("[]") {
                break;
            }
            self.bump();
        }
        Ok(self.expr(ExprKind::Case { arms, other }, start))
    }

    fn let_in(&mut self) -> Reading<Expr> {
        let start = self.bump();
        let mut units = vec![self.let_unit("a definition")?];
        while !self.eat_keyword(Keyword::In) {
            if matches!(self.peek(), TokenKind::ModuleEnd | TokenKind::Separator | TokenKind::End) {
                return Err(self.let_without_in(start));
            }
            units.push(self.let_unit("an operator, a definition or `IN`")?);
        }
        let body = self.expression()?;
        Ok(self.expr(ExprKind::Let { units, body }, start))
    }
}

/// The value of a number as it is written, if it is not too large.
fn integer(text: &str) -> Option<i64> {
    let (digits, radix) = match text.get(..2) {
        Some("\\b" | "\\B") => (&text[2..], 2),
        Some("\\o" | "\\O") => (&text[2..], 8),
        Some("\\h" | "\\H") => (&text[2..], 16),
        _ => (text, 10),
    };
    i64::from_str_radix(digits, radix).ok()
}

/// The text between the quotes, escapes resolved.
fn unescape(quoted: &str) -> String {
    let mut text = String::with_capacity(quoted.len());
    let mut chars = quoted[1..quoted.len() - 1].chars();
    while let Some(c) = chars.next() {
        text.push(match c {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('f') => '\u{c}',
                Some(itself) => itself,
                None => break,
            },
            _ => c,
        });
    }
    text
}
