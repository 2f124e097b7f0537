//! The parser: recursive descent, with operator precedence for expressions and a column for lists by bullets.
//!
//! One method per construct, spread over the files of this module; this one holds what they share. Nothing is read
//! twice: where the first tokens do not decide what a bracket holds, an expression is read and then taken for what it
//! turns out to be.

mod binder;
mod bracket;
mod definition;
mod error;
mod expression;
mod junction;
mod module;
mod name;
mod operand;
mod proof;

use self::junction::Bullet;
use super::ast::{Expr, ExprKind, Ident, Module};
use super::lexer::{Reading, all_tokens, later_module_tokens, module_tokens};
use super::token::{Keyword, Token, TokenKind};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, SourceFile, Sources, Span};
use crate::symbol::Symbol;

/// How high a tree may grow: brackets in brackets, operators in a row. More is an error, so that neither the parser nor
/// what walks the tree runs out of stack.
pub const MAX_DEPTH: u32 = 200;

/// The first module of a file. Text before and after it is prose.
pub fn parse_module(sources: &Sources, file: FileId) -> Result<Module, Diagnostic> {
    let source = sources.file(file);
    let read = || Parser::new(file, source, module_tokens(file, &source.text)?).module();
    read().map_err(|error| *error)
}

/// A module of that name which stands in a file behind another one that ends at a byte.
pub fn parse_later_module(sources: &Sources, file: FileId, end: u32, name: &str) -> Option<Result<Module, Diagnostic>> {
    let source = sources.file(file);
    let tokens = later_module_tokens(file, &source.text, end as usize, name)?;
    Some(tokens.and_then(|tokens| Parser::new(file, source, tokens).module()).map_err(|error| *error))
}

/// A whole text that is one expression.
pub fn parse_expression(sources: &Sources, file: FileId) -> Result<Expr, Diagnostic> {
    let source = sources.file(file);
    let read = || {
        let mut parser = Parser::new(file, source, all_tokens(file, &source.text)?);
        let expression = parser.expression()?;
        match parser.peek() {
            TokenKind::End => Ok(expression),
            _ => Err(parser.expected("an operator or the end of the expression")),
        }
    };
    read().map_err(|error| *error)
}

struct Parser<'s> {
    file: FileId,
    source: &'s SourceFile,
    /// Ends with [`TokenKind::End`].
    tokens: Vec<Token>,
    /// The token to read next.
    next: usize,
    /// The lists being read, outermost first; each stands further right than the one before.
    bullets: Vec<Bullet>,
    /// How many expressions and modules are being read, each inside the one before.
    depth: u32,
    /// The height of the highest expression completed since the innermost operand began.
    height: u32,
    /// Whether `@` means something: in the new values of `EXCEPT`, and in proofs.
    old_value: bool,
    /// Whether steps of a proof may be named in expressions.
    in_proof: bool,
}

impl<'s> Parser<'s> {
    fn new(file: FileId, source: &'s SourceFile, tokens: Vec<Token>) -> Self {
        let (bullets, next, depth, height) = (Vec::new(), 0, 0, 0);
        Self { file, source, tokens, next, bullets, depth, height, old_value: false, in_proof: false }
    }

    /// What comes next, as far as the innermost list of bullets reaches.
    fn peek(&self) -> TokenKind {
        let token = self.tokens[self.next];
        match self.bullets.last() {
            Some(bullet) if token.column <= bullet.column => TokenKind::Outdent,
            _ => token.kind,
        }
    }

    /// What comes `ahead` tokens after the next, wherever it stands.
    fn peek_ahead(&self, ahead: usize) -> TokenKind {
        self.tokens.get(self.next + ahead).map_or(TokenKind::End, |token| token.kind)
    }

    fn token(&self) -> Token {
        self.tokens[self.next]
    }

    fn span_of(&self, token: Token) -> Span {
        Span { file: self.file, start: token.start, end: token.end }
    }

    fn text_of(&self, token: Token) -> &'s str {
        &self.source.text[token.start as usize..token.end as usize]
    }

    /// Where the next token is.
    fn here(&self) -> Span {
        self.span_of(self.token())
    }

    /// From `start` to the end of the last token read.
    fn since(&self, start: Span) -> Span {
        start.to(self.span_of(self.tokens[self.next.saturating_sub(1)]))
    }

    /// Reads the next token, whatever it is, and says where it was.
    fn bump(&mut self) -> Span {
        let span = self.here();
        if self.token().kind != TokenKind::End {
            self.next += 1;
        }
        span
    }

    /// Reads the next token if it is of this kind.
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.peek() == kind;
        if found {
            self.bump();
        }
        found
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        self.eat(TokenKind::Keyword(keyword))
    }

    fn at_keyword(&self, keyword: Keyword) -> bool {
        self.peek() == TokenKind::Keyword(keyword)
    }

    fn at_operator(&self, name: &str) -> bool {
        matches!(self.peek(), TokenKind::Operator(operator) if operator.name == name)
    }

    fn expect(&mut self, kind: TokenKind, what: &str) -> Reading<Span> {
        if self.peek() == kind { Ok(self.bump()) } else { Err(self.expected(what)) }
    }

    fn expect_keyword(&mut self, keyword: Keyword, what: &str) -> Reading<Span> {
        self.expect(TokenKind::Keyword(keyword), what)
    }

    /// Reads the bracket that closes the one at `opening`.
    fn close(&mut self, kind: TokenKind, what: &str, opening: Span) -> Reading<()> {
        if self.eat(kind) { Ok(()) } else { Err(self.unclosed(what, opening)) }
    }

    /// One or more of something, with commas between.
    fn separated<T>(&mut self, mut one: impl FnMut(&mut Self) -> Reading<T>) -> Reading<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.eat(TokenKind::Comma) {
            all.push(one(self)?);
        }
        Ok(all)
    }

    /// Reads the next token, whatever it is, as a name.
    fn next_ident(&mut self) -> Ident {
        let name = match self.text_of(self.token()) {
            "ℕ" => "Nat",
            "ℤ" => "Int",
            "ℝ" => "Real",
            name => name,
        };
        Ident { name: Symbol::new(name), span: self.bump() }
    }

    /// Reads a name that is not the beginning of the next definition.
    fn ident(&mut self, what: &str) -> Reading<Ident> {
        if self.is_next_definition() { Err(self.expected(what)) } else { self.any_ident(what) }
    }

    /// Reads a name.
    fn any_ident(&mut self, what: &str) -> Reading<Ident> {
        match self.peek() {
            TokenKind::Identifier => Ok(self.next_ident()),
            _ => Err(self.expected_name(what)),
        }
    }

    /// Whether a line begins here that defines a name, so that what was being read has ended too soon.
    fn is_next_definition(&self) -> bool {
        self.token().kind == TokenKind::Identifier
            && self.peek_ahead(1) == TokenKind::Define
            && !self.goes_on_line(self.next)
    }

    /// Reads the name of a record's field, which may be a reserved word.
    fn field_name(&mut self) -> Reading<Ident> {
        let word = self.text_of(self.token()).starts_with(|c: char| c.is_ascii_alphabetic());
        match self.peek() {
            TokenKind::Keyword(_) | TokenKind::Operator(_) if word => Ok(self.next_ident()),
            _ => self.ident("the name of a field"),
        }
    }

    /// Counts one more construct around what is read next.
    fn descend<T>(&mut self, read: impl FnOnce(&mut Self) -> Reading<T>) -> Reading<T> {
        if self.depth == MAX_DEPTH {
            return Err(self.too_deep(self.here()));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn expr(&self, kind: ExprKind, start: Span) -> Expr {
        Expr { kind: Box::new(kind), span: self.since(start) }
    }
}
