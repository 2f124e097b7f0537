//! What is said when the text is not TLA+.
//!
//! An error names what was found and what could have stood there instead, and points at what was found. A bracket that
//! is never closed is pointed at itself, because where its absence is noticed says little.

use super::expression::Pending;
use super::{MAX_DEPTH, Parser};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::operators::{Fixity, NEGATION, Operator};
use crate::syntax::token::{Keyword, TokenKind};

impl Parser<'_> {
    /// The next token is not what could stand here.
    pub(super) fn expected(&self, what: &str) -> Box<Diagnostic> {
        let mut error = Diagnostic::error(format!("expected {what}, found {}", self.found())).at(self.here());
        error.hint = self.hint_about_found();
        error.into()
    }

    /// The next token is not the name that could stand here.
    pub(super) fn expected_name(&self, what: &str) -> Box<Diagnostic> {
        let text = self.text_of(self.token());
        match self.peek() {
            TokenKind::Keyword(_) | TokenKind::Operator(_) if text.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                self.expected(what).hint(format!("`{text}` is a reserved word and cannot be a name")).into()
            }
            _ => self.expected(what),
        }
    }

    /// The next token neither goes on with the unit before it nor begins one.
    pub(super) fn expected_unit(&self) -> Box<Diagnostic> {
        let what = match self.goes_on_line(self.next) {
            true => "an operator or the next definition",
            false => "a declaration, a definition or `====`",
        };
        match self.peek_ahead(1) {
            TokenKind::Define => self.expected_name(what),
            _ => self.expected(what),
        }
    }

    /// What began with the token numbered `first` and looked like a definition has no `==`.
    pub(super) fn expected_define(&mut self, first: usize) -> Box<Diagnostic> {
        if self.goes_on_line(first) {
            self.next = first;
            return self.expected_unit();
        }
        let mut error = self.expected("`==`");
        error.hint.get_or_insert_with(|| "a definition is written `name == expression`".to_owned());
        error
    }

    /// The next token does not close the bracket at `opening`.
    pub(super) fn unclosed(&self, what: &str, opening: Span) -> Box<Diagnostic> {
        let bracket = self.text_at(opening);
        if self.is_beyond_bracket() {
            let line = self.source.place(self.here().start).line;
            return Diagnostic::error(format!("this `{bracket}` is never closed"))
                .at(opening)
                .label("opened here")
                .hint(format!("expected {what} before {} on line {line}", self.found()))
                .into();
        }
        let error = self.expected(what);
        if error.hint.is_some() {
            return error;
        }
        let (opened, noticed) = (self.source.place(opening.start), self.source.place(self.here().start));
        if opened.line == noticed.line {
            return error;
        }
        error.hint(format!("the `{bracket}` at {}:{} is open", opened.line, opened.column)).into()
    }

    /// Whether the next token cannot stand inside brackets at all.
    fn is_beyond_bracket(&self) -> bool {
        match self.noticed() {
            TokenKind::End | TokenKind::ModuleEnd | TokenKind::Separator => true,
            TokenKind::Identifier => self.definition_follows(0),
            TokenKind::Keyword(keyword) => matches!(
                keyword,
                Keyword::Constant
                    | Keyword::Variable
                    | Keyword::Assume
                    | Keyword::Assumption
                    | Keyword::Theorem
                    | Keyword::Proposition
                    | Keyword::Recursive
                    | Keyword::Instance
                    | Keyword::Local
            ),
            _ => false,
        }
    }

    /// Two operators around one operand, of which neither binds tighter.
    pub(super) fn conflict(&self, left: &Pending, right: &Operator, span: Span) -> Box<Diagnostic> {
        let (first, second) = (self.text_at(left.span), self.text_at(span));
        let message = match *left.operator == *right {
            true => format!("`{first}` twice in a row needs parentheses"),
            false => format!("`{first}` beside `{second}` needs parentheses: their precedences conflict"),
        };
        let before = if left.is_prefix() { "" } else { "a " };
        let hint = if self.reads_like_another_language(left.span, span) {
            "in TLA+ `and` is `/\\`, `or` is `\\/`".to_owned()
        } else if *right == NEGATION {
            format!("write `{before}{first} (-b)`")
        } else if right.fixity == Fixity::Postfix {
            format!("write `({before}{first} b){second}` or `{before}{first} (b{second})`")
        } else {
            format!("write `({before}{first} b) {second} c` or `{before}{first} (b {second} c)`")
        };
        Diagnostic::error(message).at(span).label("neither binds tighter").hint(hint).into()
    }

    /// Whether `&&` or `||` stands between two places, or at one of them.
    fn reads_like_another_language(&self, first: Span, last: Span) -> bool {
        let mut between = self.tokens.iter().filter(|token| token.start >= first.start && token.end <= last.end);
        between.any(|token| matches!(self.text_of(*token), "&&" | "||"))
    }

    pub(super) fn too_deep(&self, span: Span) -> Box<Diagnostic> {
        Diagnostic::error(format!("this is nested more than {MAX_DEPTH} levels deep"))
            .at(span)
            .hint("give a part of it a name, in a definition of its own")
            .into()
    }

    pub(super) fn too_large(&self, span: Span) -> Box<Diagnostic> {
        Diagnostic::error("this number is too large").at(span).label("integers have 64 bits").into()
    }

    pub(super) fn module_without_end(&self, header: Span) -> Box<Diagnostic> {
        Diagnostic::error("this module is never closed")
            .at(header)
            .label("begun here")
            .hint("a module ends with `====`, on a line of its own")
            .into()
    }

    pub(super) fn let_without_in(&self, start: Span) -> Box<Diagnostic> {
        Diagnostic::error("this `LET` has no `IN`").at(start).hint("write `LET definitions IN expression`").into()
    }

    /// The next token as a person sees it: that an item of a list has ended does not matter where all has.
    fn noticed(&self) -> TokenKind {
        match self.token().kind {
            kind @ (TokenKind::End | TokenKind::ModuleEnd | TokenKind::Separator) => kind,
            kind if self.is_next_definition() => kind,
            _ => self.peek(),
        }
    }

    /// The next token, as a message names it.
    fn found(&self) -> String {
        match self.noticed() {
            TokenKind::Outdent => {
                let bullet = self.bullets.last().map_or("", |bullet| self.text_at(bullet.span));
                format!("the end of the item of `{bullet}`")
            }
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::ModuleEnd => "the end of the module".to_owned(),
            TokenKind::Separator => "`----`".to_owned(),
            _ if self.is_next_definition() => format!("the definition of `{}`", self.text_of(self.token())),
            _ => format!("`{}`", self.text_of(self.token())),
        }
    }

    fn hint_about_found(&self) -> Option<String> {
        if let Some(word) = self.broken_word() {
            return Some(word);
        }
        let before = self.next.checked_sub(1).map(|before| self.tokens[before]);
        let glued = before.is_some_and(|before| before.end == self.token().start);
        Some(match self.noticed() {
            TokenKind::Outdent => {
                let place = self.source.place(self.bullets.last()?.span.start);
                format!("all of an item stands right of its bullet, which is at {}:{}", place.line, place.column)
            }
            TokenKind::Define => "`==` defines; values are compared with `=`".to_owned(),
            TokenKind::Gets => "`<-` is one symbol: write `a < -b`".to_owned(),
            TokenKind::ProofStep => "this is read as a step of a proof: write spaces around `<` and `>`".to_owned(),
            TokenKind::Operator(operator) if operator.name == "[]" && !glued => {
                "nothing can follow the `OTHER` of a `CASE`".to_owned()
            }
            TokenKind::Underscore if glued => "digits are not grouped by `_`".to_owned(),
            _ => return None,
        })
    }

    fn text_at(&self, span: Span) -> &str {
        &self.source.text[span.start as usize..span.end as usize]
    }

    /// `x \inn S` is read as `x \in n S`: noticed at `S`, but reported at `\inn`.
    fn broken_word(&self) -> Option<String> {
        let [.., operator, rest] = self.tokens.get(..self.next)? else { return None };
        let (command, tail) = (self.text_of(*operator), self.text_of(*rest));
        let glued = operator.end == rest.start && rest.kind == TokenKind::Identifier;
        (glued && command.starts_with('\\')).then(|| format!("`{command}{tail}` is read as `{command} {tail}`"))
    }

    /// Whether the token numbered `at` stands on one line with the token before it.
    pub(super) fn goes_on_line(&self, at: usize) -> bool {
        let Some([before, token]) = at.checked_sub(1).and_then(|before| self.tokens.get(before..=at)) else {
            return false;
        };
        !self.source.text[before.end as usize..token.start as usize].contains('\n')
    }
}
