//! Source files and places in them.
//!
//! A [`Span`] is twelve bytes and means nothing alone; [`Sources`] turns it into file, line and column. Columns are what
//! a person sees in an editor: characters, counted from 1. (The parser's own columns, for junction lists, expand tabs to
//! multiples of 8, as TLC's do; they never leave the lexer.)

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Which file of [`Sources`] a span lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A range of bytes in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that encloses both. They must be of one file.
    #[must_use]
    pub fn to(self, last: Self) -> Self {
        debug_assert_eq!(self.file, last.file, "a span lies in one file");
        Self { file: self.file, start: self.start.min(last.start), end: self.end.max(last.end) }
    }
}

/// A line and a column, both from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// Texts that come with the program have paths that begin with this.
pub(crate) const BUILT_IN: &str = "built-in module ";

/// One file that was read, or text that was given in its stead.
#[derive(Debug)]
pub struct SourceFile {
    /// Where it came from, as errors show it: a path, or something like `--const`.
    pub path: PathBuf,
    /// What it says.
    pub text: String,
    /// Where lines begin.
    line_starts: Vec<u32>,
}

impl SourceFile {
    fn new(path: PathBuf, text: String) -> Self {
        let after_newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
        let line_starts = std::iter::once(0).chain(after_newlines).collect();
        Self { path, text, line_starts }
    }

    /// Whether it is a file, rather than a text that comes with the program or from the command line.
    pub fn is_file(&self) -> bool {
        let path = self.path.to_string_lossy();
        !path.starts_with(BUILT_IN) && !path.starts_with("--const ")
    }

    /// Line and column of a byte.
    pub fn place(&self, offset: u32) -> Place {
        let line = self.line_starts.partition_point(|start| *start <= offset) - 1;
        let before = self.text.get(self.line_starts[line] as usize..offset as usize).unwrap_or_default();
        Place { line: line as u32 + 1, column: before.chars().count() as u32 + 1 }
    }

    /// A line's text without its end, by number from 1.
    pub fn line(&self, number: u32) -> &str {
        let start = self.line_starts[number as usize - 1] as usize;
        let end = self.line_starts.get(number as usize).map_or(self.text.len(), |next| *next as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }
}

/// All files that a specification was read from.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Arc<SourceFile>>,
}

impl Sources {
    /// Adds a file.
    pub fn add(&mut self, path: impl Into<PathBuf>, text: impl Into<String>) -> FileId {
        self.files.push(Arc::new(SourceFile::new(path.into(), text.into())));
        FileId(self.files.len() as u32 - 1)
    }

    /// A file that was added.
    pub fn file(&self, id: FileId) -> &Arc<SourceFile> {
        &self.files[id.0 as usize]
    }

    /// All files, in the order they were added.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter().map(|file| &**file)
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        &self.file(span.file).text[span.start as usize..span.end as usize]
    }

    /// The text of a span in the columns in which it stands: lists by bullets depend on them.
    pub fn in_place(&self, span: Span) -> String {
        let column = self.place(span).1.column as usize;
        format!("{}{}", " ".repeat(column - 1), self.text(span))
    }

    /// The text of a span on one line, without comments.
    pub fn one_line(&self, span: Span) -> String {
        without_comments(self.text(span)).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// File, and place of the first byte.
    pub fn place(&self, span: Span) -> (&Path, Place) {
        let file = self.file(span.file);
        (&file.path, file.place(span.start))
    }
}

/// TLA+ with a space for each comment.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let (mut rest, mut nested, mut quoted) = (text, 0usize, false);
    while let Some(next) = rest.chars().next() {
        let mut taken = next.len_utf8();
        match rest.as_bytes() {
            [b'\\', escaped, ..] if quoted && escaped.is_ascii() => {
                taken = 2;
                kept.push_str(&rest[..2]);
            }
            [b'"', ..] if nested == 0 => {
                quoted = !quoted;
                kept.push('"');
            }
            [b'(', b'*', ..] if !quoted => (taken, nested) = (2, nested + 1),
            [b'*', b')', ..] if nested > 0 => {
                (taken, nested) = (2, nested - 1);
                kept.push(' ');
            }
            [b'\\', b'*', ..] if !quoted && nested == 0 => {
                taken = rest.find('\n').unwrap_or(rest.len());
                kept.push(' ');
            }
            _ if nested == 0 => kept.push(next),
            _ => {}
        }
        rest = &rest[taken..];
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_has_no_comments() {
        let cases = [
            ("/\\ a\n   /\\ b", "/\\ a /\\ b"),
            ("a \\* why\n = b", "a = b"),
            ("a (* x (* y *) z *) = b(*c*)", "a = b"),
            (r#"s = "(* \" \* " \* end"#, r#"s = "(* \" \* ""#),
            ("a (* open", "a"),
            ("x \\cup \u{2208} y", "x \\cup \u{2208} y"),
            (r#""\"#, r#""\"#),
        ];
        for (text, expected) in cases {
            let mut sources = Sources::default();
            let file = sources.add("T.tla", text);
            assert_eq!(sources.one_line(Span { file, start: 0, end: text.len() as u32 }), expected, "{text}");
        }
    }
}
