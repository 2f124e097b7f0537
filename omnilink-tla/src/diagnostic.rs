//! What is wrong, where, and what to do: one form for every error and warning about a specification.
//!
//! ```text
//! error: unknown operator `Enque`
//!   --> Queue.tla:12:8
//!    |
//! 12 |     \/ Enque(x)
//!    |        ^^^^^ no definition, constant or variable has this name
//!    = while evaluating `Next` (Queue.tla:20:1)
//!    = hint: did you mean `Enqueue`?
//! ```

use std::error::Error;
use std::fmt::{self, Write as _};

use crate::source::{Place, Sources, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The specification cannot be used as asked.
    Error,
    /// It can, but probably does not mean what its author thinks.
    Warning,
}

/// One definition whose evaluation or reading had begun and not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The definition's name.
    pub name: String,
    /// Where it was used.
    pub span: Span,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line, with the names and values involved.
    pub message: String,
    /// Where, if it is anywhere.
    pub span: Option<Span>,
    /// What to write under the source line, beside the caret.
    pub label: Option<String>,
    /// The definitions being evaluated, innermost first.
    pub stack: Vec<Frame>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error without a place.
    pub fn error(message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            span: None,
            label: None,
            stack: Vec::new(),
            hint: None,
        }
    }

    /// A warning without a place.
    pub fn warning(message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(message) }
    }

    /// Says where.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// Says what the caret points at.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The text a person reads.
    pub fn render(&self, sources: &Sources) -> String {
        let mut text = String::new();
        self.write(sources, &mut text).expect("writing to a string does not fail");
        text
    }

    fn write(&self, sources: &Sources, out: &mut String) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(out, "{severity}: {}", self.message)?;
        let gutter = self.span.map_or(1, |span| sources.place(span).1.line.to_string().len());
        if let Some(span) = self.span {
            write_excerpt(sources, span, self.label.as_deref().unwrap_or_default(), gutter, out)?;
        }
        for frame in &self.stack {
            let (path, place) = sources.place(frame.span);
            let (path, name) = (path.display(), &frame.name);
            write!(out, "\n{:gutter$} = while evaluating `{name}` ({path}:{}:{})", "", place.line, place.column)?;
        }
        if let Some(hint) = &self.hint {
            write!(out, "\n{:gutter$} = hint: {hint}", "")?;
        }
        Ok(())
    }
}

/// The line of source with carets under the span; a span of several lines is underlined to the end of its first.
fn write_excerpt(sources: &Sources, span: Span, label: &str, gutter: usize, out: &mut String) -> fmt::Result {
    let file = sources.file(span.file);
    let place = file.place(span.start);
    let line = file.line(place.line);
    let before: String =
        line.chars().take(place.column as usize - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let covered = file.text[span.start as usize..span.end as usize].lines().next().unwrap_or_default();
    let carets = "^".repeat(covered.trim_end().chars().count().max(1));
    let (path, Place { line: number, column }) = (file.path.display(), place);
    write!(out, "\n{:gutter$}--> {path}:{number}:{column}\n{:gutter$} |\n{number} | {line}", "", "")?;
    write!(out, "\n{:gutter$} | {before}{carets}", "")?;
    if !label.is_empty() {
        write!(out, " {label}")?;
    }
    Ok(())
}

/// Why a specification could not be loaded or evaluated: one or more diagnostics with the files they point into.
#[derive(Clone, Debug)]
pub struct TlaError {
    /// What is wrong; never empty.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that the diagnostics' spans point into.
    pub sources: Sources,
}

impl TlaError {
    /// An error of one diagnostic.
    pub fn new(diagnostic: Diagnostic, sources: &Sources) -> Box<Self> {
        Box::new(Self { diagnostics: vec![diagnostic], sources: sources.clone() })
    }
}

impl fmt::Display for TlaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rendered: Vec<_> = self.diagnostics.iter().map(|diagnostic| diagnostic.render(&self.sources)).collect();
        f.write_str(&rendered.join("\n\n"))
    }
}

impl Error for TlaError {}
