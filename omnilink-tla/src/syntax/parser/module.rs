//! Modules and the units they are made of.

use super::Parser;
use crate::source::Span;
use crate::syntax::ast::{Ident, Module, Unit};
use crate::syntax::lexer::Reading;
use crate::syntax::token::{Keyword, TokenKind};

impl Parser<'_> {
    /// `---- MODULE name ---- … ====`
    pub(super) fn module(&mut self) -> Reading<Module> {
        self.descend(Self::module_inside)
    }

    fn module_inside(&mut self) -> Reading<Module> {
        let start = self.expect(TokenKind::Separator, "`----`")?;
        self.expect_keyword(Keyword::Module, "`MODULE`")?;
        let name = self.ident("the name of the module")?;
        self.expect(TokenKind::Separator, "`----`")?;
        let header = self.since(start);
        let extends = match self.eat_keyword(Keyword::Extends) {
            true => self.declared(|parser| parser.ident("the name of a module"))?,
            false => Vec::new(),
        };
        let mut units = Vec::new();
        loop {
            match self.peek() {
                TokenKind::ModuleEnd => {
                    self.bump();
                    return Ok(Module { name, extends, units, span: self.since(start) });
                }
                TokenKind::End => return Err(self.module_without_end(header)),
                TokenKind::Separator if self.peek_ahead(1) != TokenKind::Keyword(Keyword::Module) => {
                    self.bump();
                }
                _ => units.extend(self.unit()?),
            }
        }
    }

    /// A list with commas between, which a name on the same line would go on with.
    fn declared<T>(&mut self, one: impl FnMut(&mut Self) -> Reading<T>) -> Reading<Vec<T>> {
        let declared = self.separated(one)?;
        let comma_missing = self.peek() == TokenKind::Identifier && !self.definition_follows(0);
        if comma_missing { Err(self.expected("`,` or the next definition")) } else { Ok(declared) }
    }

    /// One unit; nothing for what only proofs use.
    fn unit(&mut self) -> Reading<Option<Unit>> {
        let start = self.here();
        let TokenKind::Keyword(keyword) = self.peek() else {
            return match self.peek() {
                TokenKind::Separator => self.module().map(|module| Some(Unit::Module(module))),
                _ if self.begins_definition() => self.definition(false, start).map(Some),
                _ => Err(self.expected_unit()),
            };
        };
        let unit = match keyword {
            Keyword::Constant => {
                self.bump();
                Unit::Constants(self.declared(Self::operator_declaration)?)
            }
            Keyword::Variable => {
                self.bump();
                Unit::Variables(self.declared(|parser| parser.ident("the name of a variable"))?)
            }
            Keyword::Recursive => self.recursive()?,
            Keyword::Local => self.local_unit(start)?,
            Keyword::Instance => Unit::Instance { local: false, instance: self.instance()? },
            Keyword::Assume | Keyword::Assumption => self.assumption(start)?,
            Keyword::Theorem | Keyword::Proposition => self.theorem(start)?,
            Keyword::Use | Keyword::Hide => {
                self.bump();
                self.facts_used()?;
                return Ok(None);
            }
            _ => return Err(self.expected_unit()),
        };
        Ok(Some(unit))
    }

    fn local_unit(&mut self, start: Span) -> Reading<Unit> {
        self.bump();
        match self.peek() {
            TokenKind::Keyword(Keyword::Instance) => Ok(Unit::Instance { local: true, instance: self.instance()? }),
            _ if self.begins_definition() => self.definition(true, start),
            _ => Err(self.expected("a definition or `INSTANCE`")),
        }
    }

    fn assumption(&mut self, start: Span) -> Reading<Unit> {
        self.bump();
        let name = self.unit_name()?;
        let expr = self.expression()?;
        Ok(Unit::Assume { name, expr, span: self.since(start) })
    }

    /// A theorem with its proof, which is read past.
    fn theorem(&mut self, start: Span) -> Reading<Unit> {
        self.bump();
        let name = self.unit_name()?;
        let statement = self.statement()?;
        self.proof()?;
        Ok(Unit::Theorem { name, statement, span: self.since(start) })
    }

    /// `name ==`, if it is there.
    fn unit_name(&mut self) -> Reading<Option<Ident>> {
        if self.peek_ahead(1) != TokenKind::Define {
            return Ok(None);
        }
        let name = self.any_ident("a name")?;
        self.bump();
        Ok(Some(name))
    }
}
