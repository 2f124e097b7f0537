//! Declarations and definitions, of modules and of `LET`.

use super::Parser;
use crate::source::Span;
use crate::symbol::Symbol;
use crate::syntax::ast::{Body, Definition, Expr, Ident, Instance, OpDecl, Unit};
use crate::syntax::lexer::Reading;
use crate::syntax::operators::{Fixity, Operator};
use crate::syntax::token::{Keyword, TokenKind};

impl Parser<'_> {
    /// `name(params) == …`, `f[x \in S] == …`, `a \prec b == …`, `-. a == …`, `a^+ == …`
    pub(super) fn definition(&mut self, local: bool, start: Span) -> Reading<Unit> {
        let first_token = self.next;
        let (name, params) = match self.peek() {
            TokenKind::Operator(operator) if operator.fixity == Fixity::Prefix => {
                let name = self.operator_name(operator);
                (name, vec![self.parameter()?])
            }
            _ => {
                let first = self.any_ident("a definition")?;
                match self.peek() {
                    TokenKind::OpenBracket => return self.function_definition(local, first, start),
                    TokenKind::OpenParen => (first, self.parameters()?),
                    TokenKind::Operator(operator) if operator.fixity == Fixity::Infix => {
                        self.infix_head(first, operator)?
                    }
                    TokenKind::Operator(operator) if operator.fixity == Fixity::Postfix => {
                        (self.operator_name(operator), vec![OpDecl { name: first, arity: 0 }])
                    }
                    _ => (first, Vec::new()),
                }
            }
        };
        self.define_sign(first_token)?;
        let body = match self.peek() {
            TokenKind::Keyword(Keyword::Instance) => Body::Instance(self.instance()?),
            _ => Body::Operator(self.expression()?),
        };
        Ok(Unit::Definition(Definition { local, name, params, body, span: self.since(start) }))
    }

    /// `==`, behind a head that began with the token numbered `first`.
    fn define_sign(&mut self, first: usize) -> Reading<()> {
        if self.eat(TokenKind::Define) { Ok(()) } else { Err(self.expected_define(first)) }
    }

    /// `a \prec b`, of which `a` has been read.
    fn infix_head(&mut self, first: Ident, operator: &'static Operator) -> Reading<(Ident, Vec<OpDecl>)> {
        let mistaken = operator.name == "=" && self.peek_ahead(2) != TokenKind::Define;
        if mistaken {
            let error = self.expected("`==`");
            return Err(error.hint(format!("a definition is written `{} == …`", first.name)).into());
        }
        let name = self.operator_name(operator);
        let params = vec![OpDecl { name: first, arity: 0 }, self.parameter()?];
        Ok((name, params))
    }

    pub(super) fn operator_name(&mut self, operator: &Operator) -> Ident {
        Ident { name: Symbol::new(operator.name), span: self.bump() }
    }

    /// A parameter that takes no arguments.
    fn parameter(&mut self) -> Reading<OpDecl> {
        Ok(OpDecl { name: self.any_ident("the name of a parameter")?, arity: 0 })
    }

    /// `(x, F(_))`
    fn parameters(&mut self) -> Reading<Vec<OpDecl>> {
        let opening = self.bump();
        if self.peek() == TokenKind::CloseParen {
            let error = self.expected("the name of a parameter");
            return Err(error.hint("an operator without parameters is defined by its name alone: `Op == …`").into());
        }
        let params = self.separated(Self::operator_declaration)?;
        self.close(TokenKind::CloseParen, "`,` or `)`", opening)?;
        Ok(params)
    }

    fn function_definition(&mut self, local: bool, name: Ident, start: Span) -> Reading<Unit> {
        let opening = self.bump();
        let bounds = self.bounds()?;
        self.close(TokenKind::CloseBracket, "`,` or `]`", opening)?;
        self.define_sign(self.next)?;
        let body = Body::Function { bounds, value: self.expression()? };
        Ok(Unit::Definition(Definition { local, name, params: Vec::new(), body, span: self.since(start) }))
    }

    /// What is declared by `CONSTANT`, `RECURSIVE` and parameters: `x`, `F(_, _)`, `_ \prec _`, `-. _`, `_^+`.
    pub(super) fn operator_declaration(&mut self) -> Reading<OpDecl> {
        match self.peek() {
            TokenKind::Underscore => {
                self.bump();
                let TokenKind::Operator(operator) = self.peek() else { return Err(self.expected("an operator")) };
                let name = self.operator_name(operator);
                match operator.fixity {
                    Fixity::Infix => {
                        self.expect(TokenKind::Underscore, "`_`")?;
                        Ok(OpDecl { name, arity: 2 })
                    }
                    Fixity::Prefix | Fixity::Postfix => Ok(OpDecl { name, arity: 1 }),
                }
            }
            TokenKind::Operator(operator) if operator.fixity == Fixity::Prefix => {
                let name = self.operator_name(operator);
                self.expect(TokenKind::Underscore, "`_`")?;
                Ok(OpDecl { name, arity: 1 })
            }
            _ => {
                let name = self.ident("a name to declare")?;
                let arity = if self.peek() == TokenKind::OpenParen { self.places()? } else { 0 };
                Ok(OpDecl { name, arity })
            }
        }
    }

    /// How many arguments `(_, _)` stands for.
    fn places(&mut self) -> Reading<usize> {
        let opening = self.bump();
        let places = self.separated(|parser| parser.expect(TokenKind::Underscore, "`_`"))?;
        self.close(TokenKind::CloseParen, "`,` or `)`", opening)?;
        Ok(places.len())
    }

    /// `INSTANCE M WITH a <- e, …`
    pub(super) fn instance(&mut self) -> Reading<Instance> {
        let start = self.bump();
        let module = self.ident("the name of a module")?;
        let substitutions = match self.eat_keyword(Keyword::With) {
            true => self.separated(Self::substitution)?,
            false => Vec::new(),
        };
        Ok(Instance { module, substitutions, span: self.since(start) })
    }

    fn substitution(&mut self) -> Reading<(Ident, Expr)> {
        let name = match self.peek() {
            TokenKind::Operator(operator) => self.operator_name(operator),
            _ => self.ident("a constant or variable of the module")?,
        };
        self.expect(TokenKind::Gets, "`<-`")?;
        let value = match self.peek() {
            TokenKind::Operator(operator) if self.definition_follows(1) => self.bare_operator(operator),
            _ => self.argument()?,
        };
        Ok((name, value))
    }

    /// What may stand between `LET` and `IN`.
    pub(super) fn let_unit(&mut self, expected: &str) -> Reading<Unit> {
        let start = self.here();
        match self.peek() {
            TokenKind::Keyword(Keyword::Recursive) => self.recursive(),
            TokenKind::Keyword(Keyword::Local) => {
                self.bump();
                self.definition(true, start)
            }
            _ if self.begins_definition() => self.definition(false, start),
            _ => Err(self.expected(expected)),
        }
    }

    pub(super) fn recursive(&mut self) -> Reading<Unit> {
        self.bump();
        Ok(Unit::Recursive(self.separated(Self::operator_declaration)?))
    }

    /// Whether a definition can begin here: where an operand cannot stand, a name is nothing else.
    pub(super) fn begins_definition(&self) -> bool {
        match self.peek() {
            TokenKind::Identifier => true,
            TokenKind::Operator(_) => self.definition_follows(0),
            _ => false,
        }
    }

    /// Whether a definition begins `ahead` tokens after the next: the `==` behind its head is looked for, which is at
    /// most one pair of brackets away.
    pub(super) fn definition_follows(&self, ahead: usize) -> bool {
        let is_define = |at: usize| self.peek_ahead(ahead + at) == TokenKind::Define;
        match (self.peek_ahead(ahead), self.peek_ahead(ahead + 1)) {
            (TokenKind::Operator(operator), _) => operator.fixity == Fixity::Prefix && is_define(2),
            (TokenKind::Identifier, TokenKind::OpenParen | TokenKind::OpenBracket) => {
                self.define_behind_bracket(ahead + 1)
            }
            (TokenKind::Identifier, TokenKind::Operator(operator)) => match operator.fixity {
                Fixity::Postfix => is_define(2),
                Fixity::Prefix | Fixity::Infix => is_define(3),
            },
            (TokenKind::Identifier, _) => is_define(1),
            _ => false,
        }
    }

    /// Whether `==` follows the bracket that closes the one `ahead` tokens after the next.
    fn define_behind_bracket(&self, ahead: usize) -> bool {
        let mut open = 0_usize;
        for (at, token) in self.tokens.iter().enumerate().skip(self.next + ahead) {
            match token.kind {
                TokenKind::OpenParen | TokenKind::OpenBracket => open += 1,
                TokenKind::CloseParen | TokenKind::CloseBracket | TokenKind::CloseBracketSubscript => {
                    open -= 1;
                    if open == 0 {
                        return self.tokens.get(at + 1).is_some_and(|after| after.kind == TokenKind::Define);
                    }
                }
                TokenKind::Define => return false,
                _ => {}
            }
        }
        false
    }
}
