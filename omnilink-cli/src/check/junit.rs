//! Verdicts as JUnit XML for continuous integration: for `omnilink check` a test case per trace.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use omnilink_check::report::note::Note;
use omnilink_check::report::{Report, Status, Verdict};

use crate::alike::cause;
use crate::failure::Failure;

/// A test case.
pub struct Case {
    /// Its name: of a trace, its path.
    pub name: String,
    /// How long it took.
    pub seconds: f64,
    /// What is wrong, if something is.
    pub wrong: Option<Wrong>,
    /// What the reader of the verdict should know, a line each.
    pub notes: String,
}

/// What is wrong in a test case.
pub struct Wrong {
    /// `failure` or `error`.
    pub element: &'static str,
    /// In one line.
    pub message: String,
    /// As people see it.
    pub text: String,
    /// The formula that is false: its file's name, line and column.
    pub place: Option<(String, u32, u32)>,
}

impl Case {
    /// The test case of a report, with its text.
    pub fn new(report: &Report, text: &str) -> Self {
        let message = match &report.verdict {
            Verdict::Error { message, .. } => message.lines().next().unwrap_or_default().to_owned(),
            Verdict::Unknown { why, .. } => format!("unknown: {why}"),
            _ if !report.crashes.is_empty() => report.crashes.join("; "),
            _ if report.violation.is_some() => "an invariant is violated".to_owned(),
            Verdict::Accepted | Verdict::Rejected => {
                "no order of the events is a behaviour of the specification".to_owned()
            }
        };
        let element = match report.status() {
            Status::Accepted => None,
            Status::Rejected => Some("failure"),
            Status::Error | Status::Unknown => Some("error"),
        };
        let place = cause::failing(report).and_then(|failing| failing.place);
        let wrong = element.map(|element| Wrong { element, message, text: text.to_owned(), place });
        let line = |note: &Note| format!("{} ({}): {}\n", note.word(), note.kind.name(), note.text);
        let notes = report.notes.iter().map(line).collect();
        Self { name: report.trace.clone(), seconds: report.statistics.seconds, wrong, notes }
    }
}

/// Writes the cases of a specification into a file.
pub fn write_file(path: &Path, verb: &str, spec: &str, cases: &[Case]) -> Result<(), Failure> {
    let write = || {
        let mut out = BufWriter::new(File::create(path)?);
        write(verb, spec, cases, &mut out)?;
        out.flush()
    };
    write().map_err(|error| Failure::file(path, &error))
}

fn write(verb: &str, spec: &str, cases: &[Case], out: &mut impl Write) -> io::Result<()> {
    let is_wrong = |case: &&Case, element| case.wrong.as_ref().is_some_and(|wrong| wrong.element == element);
    let number = |element| cases.iter().filter(|case| is_wrong(case, element)).count();
    let (tests, failures, errors) = (cases.len(), number("failure"), number("error"));
    let time: f64 = cases.iter().map(|case| case.seconds).sum();
    let spec = Escaped(spec);
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    let numbers = format!(r#"tests="{tests}" failures="{failures}" errors="{errors}" time="{time:.3}""#);
    writeln!(out, r#"<testsuite name="omnilink {verb} {spec}" {numbers}>"#)?;
    for Case { name, seconds, wrong, notes } in cases {
        let name = Escaped(name);
        write!(out, r#"  <testcase classname="{spec}" name="{name}" time="{seconds:.3}""#)?;
        if wrong.is_none() && notes.is_empty() {
            writeln!(out, "/>")?;
            continue;
        }
        writeln!(out, ">")?;
        if let Some(Wrong { element, message, text, .. }) = wrong {
            let (message, text) = (Escaped(message), Escaped(text));
            writeln!(out, "    <{element} message=\"{message}\">{text}</{element}>")?;
        }
        if !notes.is_empty() {
            writeln!(out, "    <system-out>{}</system-out>", Escaped(notes))?;
        }
        writeln!(out, "  </testcase>")?;
    }
    writeln!(out, "</testsuite>")
}

/// Escapes text for XML. Characters that XML cannot represent become question marks.
struct Escaped<'a>(&'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use std::fmt::Write;
        for c in self.0.chars() {
            match c {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                '"' => f.write_str("&quot;")?,
                '\n' | '\t' => f.write_char(c)?,
                '\0'..' ' | '\u{fffe}' | '\u{ffff}' => f.write_char('?')?,
                _ => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(Escaped("a < b & \"c\"\u{1b}\n").to_string(), "a &lt; b &amp; &quot;c&quot;?\n");
    }
}
