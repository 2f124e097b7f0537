//! What theorems say, and their proofs. These are read, so that what follows them is found and typing errors are seen, but not
//! kept: nothing evaluates them.
//!
//! A proof is a sequence of steps, each with a level (`<2>`) that says whose sub-proof it belongs to. The levels do not
//! matter for finding its end: it goes on as long as steps come.

use super::Parser;
use crate::syntax::ast::Expr;
use crate::syntax::lexer::Reading;
use crate::syntax::token::{Keyword, TokenKind};

impl Parser<'_> {
    /// What a theorem or step says: an expression, or `ASSUME … PROVE …`, which is not kept.
    pub(super) fn statement(&mut self) -> Reading<Option<Expr>> {
        let boxed = self.at_operator("[]") && self.peek_ahead(1) == TokenKind::Keyword(Keyword::Assume);
        if boxed {
            self.bump();
        }
        if self.at_keyword(Keyword::Assume) {
            return self.descend(Self::assume_prove).map(|()| None);
        }
        self.expression().map(Some)
    }

    fn assume_prove(&mut self) -> Reading<()> {
        self.bump();
        self.separated(Self::assumed)?;
        if self.at_operator("[]") && self.peek_ahead(1) == TokenKind::Keyword(Keyword::Prove) {
            self.bump();
        }
        self.expect_keyword(Keyword::Prove, "`,` or `PROVE`")?;
        self.expression().map(drop)
    }

    /// `NEW x \in S`, `CONSTANT F(_)`, or a statement, which may have a label.
    fn assumed(&mut self) -> Reading<()> {
        let labelled =
            self.peek_ahead(1) == TokenKind::DoubleColon && self.peek_ahead(2) == TokenKind::Keyword(Keyword::Assume);
        if labelled {
            self.ident("a label")?;
            self.bump();
        }
        let mut declared = self.eat_keyword(Keyword::New);
        if let TokenKind::Keyword(
            Keyword::Constant | Keyword::Variable | Keyword::State | Keyword::Action | Keyword::Temporal,
        ) = self.peek()
        {
            self.bump();
            declared = true;
        }
        if !declared {
            return self.statement().map(drop);
        }
        self.operator_declaration()?;
        if self.at_operator("\\in") {
            self.bump();
            self.expression()?;
        }
        Ok(())
    }

    /// A proof, if one comes.
    pub(super) fn proof(&mut self) -> Reading<()> {
        let outer = (self.in_proof, self.old_value);
        (self.in_proof, self.old_value) = (true, true);
        let result = self.proof_inside();
        (self.in_proof, self.old_value) = outer;
        result
    }

    fn proof_inside(&mut self) -> Reading<()> {
        self.justification()?;
        while self.peek() == TokenKind::ProofStep {
            self.bump();
            self.step()?;
            self.justification()?;
        }
        Ok(())
    }

    /// `PROOF`, `BY …`, `OBVIOUS`, `OMITTED`, or nothing.
    fn justification(&mut self) -> Reading<()> {
        let announced = self.eat_keyword(Keyword::Proof);
        match self.peek() {
            TokenKind::Keyword(Keyword::Obvious | Keyword::Omitted) => {
                self.bump();
                Ok(())
            }
            TokenKind::Keyword(Keyword::By) => {
                self.bump();
                self.eat_keyword(Keyword::Only);
                self.facts_used()
            }
            TokenKind::ProofStep => Ok(()),
            _ if announced => Err(self.expected("`BY`, `OBVIOUS`, `OMITTED` or a step")),
            _ => Ok(()),
        }
    }

    /// `a, b DEF c`, behind `BY`, `USE` and `HIDE`. Each part may be missing.
    pub(super) fn facts_used(&mut self) -> Reading<()> {
        let outer = std::mem::replace(&mut self.in_proof, true);
        let result = self.facts_used_inside();
        self.in_proof = outer;
        result
    }

    fn facts_used_inside(&mut self) -> Reading<()> {
        if self.at_keyword(Keyword::Module) || self.begins_operand(0) {
            self.separated(|parser| match parser.eat_keyword(Keyword::Module) {
                true => parser.ident("the name of a module").map(drop),
                false => parser.expression().map(drop),
            })?;
        }
        if self.eat_keyword(Keyword::Def) {
            self.separated(Self::definition_used)?;
        }
        Ok(())
    }

    /// An operator by its name or symbol, a step's definitions, or `MODULE M`.
    fn definition_used(&mut self) -> Reading<()> {
        match self.peek() {
            TokenKind::Operator(_) => {
                self.bump();
                Ok(())
            }
            TokenKind::Identifier | TokenKind::ProofStep if !self.is_next_definition() => self.name().map(drop),
            TokenKind::Keyword(Keyword::Module) => {
                self.bump();
                self.ident("the name of a module").map(drop)
            }
            _ => Err(self.expected("the name of a definition")),
        }
    }

    fn step(&mut self) -> Reading<()> {
        let TokenKind::Keyword(keyword) = self.peek() else {
            return if self.definition_follows(0) { self.definitions() } else { self.statement().map(drop) };
        };
        match keyword {
            Keyword::Qed => {
                self.bump();
                Ok(())
            }
            Keyword::Use | Keyword::Hide => {
                self.bump();
                self.facts_used()
            }
            Keyword::DefineStep => {
                self.bump();
                self.definitions()
            }
            Keyword::Instance => self.instance().map(drop),
            Keyword::Case | Keyword::Have => {
                self.bump();
                self.expression().map(drop)
            }
            Keyword::Suffices => {
                self.bump();
                self.statement().map(drop)
            }
            Keyword::Witness => {
                self.bump();
                self.separated(Self::expression).map(drop)
            }
            Keyword::Take => {
                self.bump();
                self.introduced()
            }
            Keyword::Pick => {
                self.bump();
                self.introduced()?;
                self.expect(TokenKind::Colon, "`:`")?;
                self.expression().map(drop)
            }
            _ => self.statement().map(drop),
        }
    }

    /// `x, y` or `x \in S, y \in T`
    fn introduced(&mut self) -> Reading<()> {
        if self.peek() == TokenKind::OpenAngle {
            return self.bounds().map(drop);
        }
        // Without a set the list may go on to the end of the step, so names and bounds are told apart as they come.
        self.separated(|parser| {
            if parser.peek() == TokenKind::OpenAngle {
                return parser.bounds().map(drop);
            }
            parser.ident("a name to bind")?;
            if parser.at_operator("\\in") {
                parser.bump();
                parser.expression()?;
            }
            Ok(())
        })
        .map(drop)
    }

    fn definitions(&mut self) -> Reading<()> {
        while self.begins_definition() {
            self.definition(false, self.here())?;
        }
        Ok(())
    }
}
