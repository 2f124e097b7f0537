//! The words of a configuration.

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources, Span};

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `Inv`, `n1`, `INVARIANT`
    Word(String),
    /// `42`
    Number(i64),
    /// `"text"`, with its escapes replaced
    Text(String),
    /// `<-`
    Arrow,
    /// One of `= [ ] ( ) { } , ! -`
    Mark(char),
    /// Any other operator: `+`, `\prec`
    Operator(String),
    /// After the last one.
    End,
}

/// A token where it is written.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

/// What a file says.
pub(super) struct Words {
    /// All tokens, the last one [`Kind::End`].
    pub(super) tokens: Vec<Token>,
    /// What comments say to OmniLink.
    pub(super) remarks: Vec<Span>,
}

/// Reads a file.
pub(super) fn words(sources: &Sources, file: FileId) -> Result<Words, Diagnostic> {
    let mut lexer = Lexer { text: &sources.file(file).text, file, at: 0, remarks: Vec::new() };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank()?;
        let start = lexer.at;
        let kind = lexer.token()?;
        let ended = kind == Kind::End;
        tokens.push(Token { kind, span: lexer.since(start) });
        if ended {
            return Ok(Words { tokens, remarks: lexer.remarks });
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    file: FileId,
    at: usize,
    remarks: Vec<Span>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn since(&self, start: usize) -> Span {
        Span { file: self.file, start: start as u32, end: self.at as u32 }
    }

    /// Takes what follows as long as the characters are of one sort.
    fn take_while(&mut self, of_the_sort: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !of_the_sort(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn take(&mut self, expected: &str) -> bool {
        let found = self.rest().starts_with(expected);
        if found {
            self.at += expected.len();
        }
        found
    }

    fn skip_blank(&mut self) -> Result<(), Diagnostic> {
        loop {
            self.take_while(char::is_whitespace);
            let start = self.at;
            if self.take("\\*") {
                let comment = self.take_while(|c| c != '\n');
                self.remark(comment);
            } else if self.take("(*") {
                let opening = self.since(start);
                self.skip_comment(opening)?;
            } else {
                return Ok(());
            }
        }
    }

    /// Notes what a line comment that was just taken says after `omnilink:`, if it begins so.
    fn remark(&mut self, comment: &str) {
        let Some((addressee, words)) = comment.split_once(':') else { return };
        if addressee.trim().eq_ignore_ascii_case("omnilink") {
            let start = self.at - words.trim_start().len();
            let end = start + words.trim().len();
            self.remarks.push(Span { file: self.file, start: start as u32, end: end as u32 });
        }
    }

    /// Comments nest.
    fn skip_comment(&mut self, opening: Span) -> Result<(), Diagnostic> {
        let mut depth = 1;
        while depth > 0 {
            if self.take("(*") {
                depth += 1;
            } else if self.take("*)") {
                depth -= 1;
            } else if let Some(c) = self.rest().chars().next() {
                self.at += c.len_utf8();
            } else {
                let error = Diagnostic::error("this comment does not end").at(opening);
                return Err(error.label("expected `*)` somewhere after this"));
            }
        }
        Ok(())
    }

    fn token(&mut self) -> Result<Kind, Diagnostic> {
        let start = self.at;
        let Some(first) = self.rest().chars().next() else { return Ok(Kind::End) };
        if is_word(first) {
            let word = self.take_while(is_word);
            return self.word(word, start);
        }
        if self.take("\"") {
            return self.string(start);
        }
        if self.take("<-") {
            return Ok(Kind::Arrow);
        }
        if "=[](){},!".contains(first) {
            self.at += first.len_utf8();
            return Ok(Kind::Mark(first));
        }
        if self.take("\\") {
            let name = self.take_while(|c| c.is_ascii_alphabetic());
            return Ok(Kind::Operator(format!("\\{name}")));
        }
        match self.take_while(|c| "+-*/^%&|~<>:.@$?#'".contains(c)) {
            "" => {
                self.at += first.len_utf8();
                let error = Diagnostic::error(format!("`{}` has no meaning here", first.escape_debug()));
                Err(error.at(self.since(start)).label("expected a name, a value or a keyword"))
            }
            "-" => Ok(Kind::Mark('-')),
            operator => Ok(Kind::Operator(operator.to_owned())),
        }
    }

    /// A run of letters, digits and underscores: a number if it is all digits, a name if there is a letter in it.
    fn word(&self, word: &str, start: usize) -> Result<Kind, Diagnostic> {
        if word.contains(|c: char| c.is_ascii_alphabetic()) {
            return Ok(Kind::Word(word.to_owned()));
        }
        if word.contains('_') {
            let error = Diagnostic::error(format!("`{word}` is not a name")).at(self.since(start));
            return Err(error.label("a name has a letter in it"));
        }
        word.parse().map(Kind::Number).map_err(|_| {
            Diagnostic::error(format!("{word} is too large")).at(self.since(start)).label("integers have 64 bits")
        })
    }

    fn string(&mut self, start: usize) -> Result<Kind, Diagnostic> {
        let opening = self.since(start);
        let mut text = String::new();
        loop {
            text.push_str(self.take_while(|c| !matches!(c, '"' | '\\' | '\n')));
            if self.take("\"") {
                return Ok(Kind::Text(text));
            }
            if !self.take("\\") {
                let error = Diagnostic::error("this string does not end").at(opening);
                return Err(error.label("expected `\"` before the end of the line"));
            }
            match self.rest().chars().next() {
                Some(c @ ('"' | '\\')) => text.push(c),
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('f') => text.push('\x0c'),
                Some('r') => text.push('\r'),
                _ => {
                    let error = Diagnostic::error("`\\` begins no escape that TLA+ knows");
                    return Err(error.at(self.since(self.at - 1)).label("expected one of \\\" \\\\ \\t \\n \\f \\r"));
                }
            }
            self.at += 1;
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
