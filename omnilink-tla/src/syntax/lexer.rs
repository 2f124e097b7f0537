//! From text to tokens.
//!
//! A symbol is always as long as it can be, as in TLC's parser: `x<-1` holds the arrow `<-`, `(+)` is one operator.
//! Comments are dropped here; a PlusCal algorithm is one of them.

use super::operators::by_spelling;
use super::token::{Keyword, Quantifier, Token, TokenKind};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

/// A failure to read, boxed so that success stays small.
pub type Reading<T> = Result<T, Box<Diagnostic>>;

/// The longest symbols, `-+->` and `(\X)`, have so many bytes.
const LONGEST_SYMBOL: usize = 4;

const TAB_WIDTH: u32 = 8;

/// The tokens of the first module in a text, from its first dashes to the equals signs that end it.
pub fn module_tokens(file: FileId, text: &str) -> Reading<Vec<Token>> {
    let Some(start) = module_start(text) else {
        return Err(Diagnostic::error("there is no module in this file")
            .at(Span { file, start: 0, end: 0 })
            .hint("a module begins with `---- MODULE Name ----`")
            .into());
    };
    Lexer::new(file, text, start, true).run()
}

/// The tokens of a module of that name, if its header stands behind a byte of the text.
pub fn later_module_tokens(file: FileId, text: &str, from: usize, name: &str) -> Option<Reading<Vec<Token>>> {
    let mut from = from;
    loop {
        let start = from + module_start(&text[from..])?;
        let header = text[start..].trim_start_matches('-').trim_start().strip_prefix("MODULE")?.trim_start();
        let rest = header.strip_prefix(name);
        if rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_whitespace() || c == '-')) {
            return Some(Lexer::new(file, text, start, true).run());
        }
        from = text.len() - header.len();
    }
}

/// The tokens of a whole text.
pub fn all_tokens(file: FileId, text: &str) -> Reading<Vec<Token>> {
    Lexer::new(file, text, 0, false).run()
}

/// Where the dashes before the first `MODULE` begin.
fn module_start(text: &str) -> Option<usize> {
    text.match_indices("MODULE").find_map(|(at, _)| {
        let before = text[..at].trim_end_matches([' ', '\t']);
        let dashes = before.len() - before.trim_end_matches('-').len();
        (dashes >= 4).then(|| before.len() - dashes)
    })
}

struct Lexer<'t> {
    file: FileId,
    text: &'t str,
    /// The next byte to read.
    at: usize,
    /// The column of the next byte, from 1.
    column: u32,
    tokens: Vec<Token>,
    /// Whether to end where the first module does.
    within_module: bool,
    /// Modules that have begun and not ended.
    open_modules: u32,
}

impl<'t> Lexer<'t> {
    fn new(file: FileId, text: &'t str, start: usize, within_module: bool) -> Self {
        let mut lexer = Self { file, text, at: start, column: 1, tokens: Vec::new(), within_module, open_modules: 0 };
        lexer.at = text[..start].rfind(['\n', '\r']).map_or(0, |newline| newline + 1);
        lexer.skip(start - lexer.at);
        lexer
    }

    fn run(mut self) -> Reading<Vec<Token>> {
        loop {
            self.skip_blanks_and_comments()?;
            let Some(first) = self.rest().chars().next() else { break };
            let (kind, length) = self.token(first)?;
            self.push(kind, length);
            match kind {
                TokenKind::Keyword(Keyword::Module) if self.follows_separator() => self.open_modules += 1,
                TokenKind::ModuleEnd => {
                    self.open_modules = self.open_modules.saturating_sub(1);
                    if self.within_module && self.open_modules == 0 {
                        break;
                    }
                }
                _ => {}
            }
        }
        self.push(TokenKind::End, 0);
        Ok(self.tokens)
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn follows_separator(&self) -> bool {
        self.tokens.iter().rev().nth(1).is_some_and(|before| before.kind == TokenKind::Separator)
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let (start, column) = (self.at as u32, self.column);
        self.skip(length);
        self.tokens.push(Token { kind, start, end: self.at as u32, column });
    }

    /// Moves on, keeping count of the column.
    fn skip(&mut self, length: usize) {
        for c in self.text[self.at..self.at + length].chars() {
            self.column = match c {
                '\n' | '\r' => 1,
                '\t' => (self.column - 1) / TAB_WIDTH * TAB_WIDTH + TAB_WIDTH + 1,
                _ => self.column.saturating_add(1),
            };
        }
        self.at += length;
    }

    fn error(&self, message: impl Into<String>, length: usize) -> Diagnostic {
        let span = Span { file: self.file, start: self.at as u32, end: (self.at + length) as u32 };
        Diagnostic::error(message).at(span)
    }

    fn skip_blanks_and_comments(&mut self) -> Reading<()> {
        loop {
            let rest = self.rest();
            let length = if rest.starts_with("\\*") {
                rest.find(['\n', '\r']).unwrap_or(rest.len())
            } else if rest.starts_with("(*") {
                self.block_comment_length()?
            } else {
                rest.len() - rest.trim_start().len()
            };
            if length == 0 {
                return Ok(());
            }
            self.skip(length);
        }
    }

    /// The length of the comment that begins here, with those nested in it.
    fn block_comment_length(&self) -> Reading<usize> {
        let bytes = self.rest().as_bytes();
        let (mut depth, mut at) = (0_usize, 0);
        while at < bytes.len() {
            match bytes[at..] {
                [b'(', b'*', ..] => {
                    depth += 1;
                    at += 2;
                }
                [b'*', b')', ..] => {
                    depth -= 1;
                    at += 2;
                    if depth == 0 {
                        return Ok(at);
                    }
                }
                _ => at += 1,
            }
        }
        Err(self.error("this comment is never closed", 2).label("opened here").hint("close it with `*)`").into())
    }

    fn token(&self, first: char) -> Reading<(TokenKind, usize)> {
        match first {
            '0'..='9' | 'a'..='z' | 'A'..='Z' | '_' => Ok(self.word()),
            '"' => self.string(),
            '-' | '=' if self.run_length(first) >= 4 => {
                let kind = if first == '-' { TokenKind::Separator } else { TokenKind::ModuleEnd };
                Ok((kind, self.run_length(first)))
            }
            'ℕ' | 'ℤ' | 'ℝ' => Ok((TokenKind::Identifier, first.len_utf8())),
            '\\' => Ok(self.backslash()),
            _ => {
                let proof_step = self.proof_step_length().map(|length| (TokenKind::ProofStep, length));
                proof_step.or_else(|| self.symbol()).ok_or_else(|| self.stray_character(first).into())
            }
        }
    }

    fn run_length(&self, of: char) -> usize {
        self.rest().len() - self.rest().trim_start_matches(of).len()
    }

    /// A name, a reserved word, a number, or `_`.
    fn word(&self) -> (TokenKind, usize) {
        let rest = self.rest();
        let word = prefix(rest, |c| c.is_ascii_alphanumeric() || c == '_');
        let first_three = word.get(..3).and_then(Keyword::from_word);
        if let Some(fairness @ (Keyword::WeakFairness | Keyword::StrongFairness)) = first_three {
            return (TokenKind::Keyword(fairness), 3);
        }
        if word.contains(|c: char| c.is_ascii_alphabetic()) {
            let keyword = Keyword::from_word(word).map(TokenKind::Keyword);
            let operator = || by_spelling(word).map(TokenKind::Operator);
            return (keyword.or_else(operator).unwrap_or(TokenKind::Identifier), word.len());
        }
        let digits = prefix(rest, |c| c.is_ascii_digit()).len();
        if digits == 0 {
            return (TokenKind::Underscore, 1);
        }
        let fraction = rest[digits..].strip_prefix('.').map_or("", |after| prefix(after, |c| c.is_ascii_digit()));
        if fraction.is_empty() {
            (TokenKind::Number, digits)
        } else {
            (TokenKind::Decimal, digits + 1 + fraction.len())
        }
    }

    fn string(&self) -> Reading<(TokenKind, usize)> {
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => return Ok((TokenKind::String, at + 1)),
                '\\' if !matches!(chars.next(), Some((_, 'n' | 't' | 'r' | 'f' | '\\' | '"'))) => {
                    let error = self.error("a backslash in a string is written `\\\\`", at + 1);
                    return Err(error.hint("or it begins one of `\\\"` `\\n` `\\t` `\\r` `\\f`").into());
                }
                '\n' | '\r' => break,
                _ => {}
            }
        }
        let line = self.rest().lines().next().unwrap_or_default().trim_end();
        let error = self.error("this string is never closed", line.len());
        Err(error.label("opened here").hint("a string ends with `\"` on the line where it begins").into())
    }

    /// `\/`, `\in`, `\hFF`, or the backslash that takes one set from another.
    ///
    /// Of letters the longest run that is an operator counts, whatever follows: `S\T` is a difference.
    fn backslash(&self) -> (TokenKind, usize) {
        let after = &self.rest()[1..];
        let digits = match after.chars().next() {
            Some('b' | 'B') => prefix(&after[1..], |c| matches!(c, '0' | '1')),
            Some('o' | 'O') => prefix(&after[1..], |c| matches!(c, '0'..='7')),
            Some('h' | 'H') => prefix(&after[1..], |c| c.is_ascii_hexdigit()),
            _ => "",
        };
        if !digits.is_empty() {
            return (TokenKind::Number, 2 + digits.len());
        }
        let letters = prefix(after, |c| c.is_ascii_alphabetic()).len();
        let named = (2..=1 + letters).rev().find_map(|length| Some((backslash_word(&self.rest()[..length])?, length)));
        named.or_else(|| self.symbol()).expect("a backslash alone is an operator")
    }

    /// `<1>2.`, `<*>`, `<+>x`: a level in angle brackets, a name, dots.
    fn proof_step_length(&self) -> Option<usize> {
        let level = self.rest().strip_prefix('<')?;
        let digits = prefix(level, |c| c.is_ascii_digit());
        let level_length = if digits.is_empty() && level.starts_with(['*', '+']) { 1 } else { digits.len() };
        let after = level[level_length..].strip_prefix('>').filter(|_| level_length > 0)?;
        let name = prefix(after, |c| c.is_ascii_alphanumeric() || c == '_').len();
        let name = if name == 0 && after.starts_with(['*', '-']) { 1 } else { name };
        Some(level_length + 2 + name + prefix(&after[name..], |c| c == '.').len())
    }

    /// The longest symbol that begins here.
    fn symbol(&self) -> Option<(TokenKind, usize)> {
        (1..=LONGEST_SYMBOL).rev().find_map(|length| {
            let spelling = self.rest().get(..length)?;
            Some((punctuation(spelling).or_else(|| by_spelling(spelling).map(TokenKind::Operator))?, length))
        })
    }

    fn stray_character(&self, c: char) -> Diagnostic {
        let error = self.error(format!("`{}` is no symbol of TLA+", c.escape_debug()), c.len_utf8());
        match c {
            ';' => error.hint("definitions need nothing between them"),
            '“' | '”' => error.hint("write strings with straight quotes: `\"`"),
            '‘' | '’' => error.hint("the next value of a variable is written with a straight quote: `x'`"),
            _ => error,
        }
    }
}

/// The characters that a text begins with and that are all of one kind.
fn prefix(text: &str, of: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|c| !of(c)).unwrap_or(text.len())]
}

fn backslash_word(word: &str) -> Option<TokenKind> {
    Some(match word {
        "\\A" | "\\forall" => TokenKind::Quantifier(Quantifier::ForAll),
        "\\E" | "\\exists" => TokenKind::Quantifier(Quantifier::Exists),
        "\\AA" => TokenKind::Quantifier(Quantifier::TemporalForAll),
        "\\EE" => TokenKind::Quantifier(Quantifier::TemporalExists),
        _ => TokenKind::Operator(by_spelling(word)?),
    })
}

fn punctuation(spelling: &str) -> Option<TokenKind> {
    Some(match spelling {
        "(" => TokenKind::OpenParen,
        ")" => TokenKind::CloseParen,
        "[" => TokenKind::OpenBracket,
        "]" => TokenKind::CloseBracket,
        "]_" => TokenKind::CloseBracketSubscript,
        "{" => TokenKind::OpenBrace,
        "}" => TokenKind::CloseBrace,
        "<<" | "⟨" | "〈" => TokenKind::OpenAngle,
        ">>" | "⟩" | "〉" => TokenKind::CloseAngle,
        ">>_" | "⟩_" | "〉_" => TokenKind::CloseAngleSubscript,
        "," => TokenKind::Comma,
        ":" => TokenKind::Colon,
        "::" | "∷" => TokenKind::DoubleColon,
        "." => TokenKind::Dot,
        "!" => TokenKind::Bang,
        "@" => TokenKind::At,
        "==" | "≜" => TokenKind::Define,
        "|->" | "↦" | "⟼" => TokenKind::MapsTo,
        "->" | "→" | "⟶" => TokenKind::Arrow,
        "<-" | "←" | "⟵" => TokenKind::Gets,
        "∀" => TokenKind::Quantifier(Quantifier::ForAll),
        "∃" => TokenKind::Quantifier(Quantifier::Exists),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lex(text: &str) -> Vec<(&str, u32)> {
        let tokens = all_tokens(FileId(0), text).expect("these are tokens");
        tokens.iter().map(|token| (&text[token.start as usize..token.end as usize], token.column)).collect()
    }

    #[test]
    fn symbols_are_as_long_as_they_can_be() {
        let cases: &[(&str, &[&str])] = &[
            ("a<-1", &["a", "<-", "1"]),
            ("a<=>b", &["a", "<=>", "b"]),
            ("1..3", &["1", "..", "3"]),
            ("1.5", &["1.5"]),
            ("1...3", &["1", "...", "3"]),
            ("a.b", &["a", ".", "b"]),
            ("F(+)", &["F", "(+)"]),
            ("F(+, 1)", &["F", "(", "+", ",", "1", ")"]),
            ("[A]_v", &["[", "A", "]_", "v"]),
            ("<<A>>_v", &["<<", "A", ">>_", "v"]),
            ("f[1]", &["f", "[", "1", "]"]),
            ("[][A]_v", &["[]", "[", "A", "]_", "v"]),
            ("WF_vars(A)", &["WF_", "vars", "(", "A", ")"]),
            ("WFx SF", &["WFx", "SF"]),
            ("2pc_x 12 _x _", &["2pc_x", "12", "_x", "_"]),
            ("S\\T", &["S", "\\", "T"]),
            ("S\\{x}", &["S", "\\", "{", "x", "}"]),
            ("\\o17 \\o \\hFF \\b101 \\bullet", &["\\o17", "\\o", "\\hFF", "\\b101", "\\bullet"]),
            ("\\AA \\A \\Ax", &["\\AA", "\\A", "\\A", "x"]),
            ("<1>2. <*>a <+> x<1", &["<1>2.", "<*>a", "<+>", "x", "<", "1"]),
            ("---- --- ==== === ==", &["----", "--", "-", "====", "==", "=", "=="]),
            ("a\\* b (*\nc", &["a", "c"]),
            ("a(* b (* c *) \\* d *)e", &["a", "e"]),
            ("\"a\\\"b\" \"(*\"", &["\"a\\\"b\"", "\"(*\""]),
            ("x' x'' x^+ x^y", &["x", "'", "x", "'", "'", "x", "^+", "x", "^", "y"]),
            ("⟨x⟩_y ≜ ∀ℕ", &["⟨", "x", "⟩_", "y", "≜", "∀", "ℕ"]),
        ];
        for (text, expected) in cases {
            let words: Vec<_> = lex(text).into_iter().map(|(word, _)| word).filter(|word| !word.is_empty()).collect();
            assert_eq!(&words, expected, "{text}");
        }
    }

    #[test]
    fn columns_count_characters_and_expand_tabs() {
        let columns = |text| lex(text).into_iter().map(|(_, column)| column).collect::<Vec<_>>();
        assert_eq!(columns("a\tb\t\tc"), [1, 9, 25, 26]);
        assert_eq!(columns("1234567\ta\n       \tb"), [1, 9, 9, 10]);
        assert_eq!(columns("∀∀ a (* é\n*)b\r\nc"), [1, 2, 4, 3, 1, 2]);
    }

    #[test]
    fn a_module_is_found_in_prose_and_ends_with_itself() {
        let text = "MODULE --- MODULE x\n ----- MODULE A ---- ---- MODULE B ---- ==== a ==== b ====";
        let tokens = module_tokens(FileId(0), text).expect("a module");
        assert_eq!(&text[tokens[0].start as usize..], &text[text.find("-----").expect("there")..]);
        assert_eq!(tokens[0].column, 2);
        assert_eq!(&text[tokens[tokens.len() - 1].start as usize..], " b ====");
    }
}
