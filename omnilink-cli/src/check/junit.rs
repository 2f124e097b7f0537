//! Verdicts as JUnit XML for continuous integration: a test case per trace.

use std::io::{self, Write};

use omnilink_check::report::note::Note;
use omnilink_check::report::{Report, Status, Verdict};

/// A test case.
pub struct Case {
    trace: String,
    seconds: f64,
    /// The element for a failure or an error, with its message and text; `None` if the trace is accepted.
    wrong: Option<(&'static str, String, String)>,
    /// The notes, one per line.
    notes: String,
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
        let wrong = element.map(|element| (element, message, text.to_owned()));
        let line = |note: &Note| format!("{} ({}): {}\n", note.word(), note.kind.name(), note.text);
        let notes = report.notes.iter().map(line).collect();
        Self { trace: report.trace.clone(), seconds: report.statistics.seconds, wrong, notes }
    }
}

/// Writes the test cases of a specification.
pub fn write(spec: &str, cases: &[Case], out: &mut impl Write) -> io::Result<()> {
    let number =
        |element| cases.iter().filter(|case| case.wrong.as_ref().is_some_and(|(it, ..)| *it == element)).count();
    let (tests, failures, errors) = (cases.len(), number("failure"), number("error"));
    let time: f64 = cases.iter().map(|case| case.seconds).sum();
    let spec = Escaped(spec);
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    let numbers = format!(r#"tests="{tests}" failures="{failures}" errors="{errors}" time="{time:.3}""#);
    writeln!(out, r#"<testsuite name="omnilink check {spec}" {numbers}>"#)?;
    for Case { trace, seconds, wrong, notes } in cases {
        let trace = Escaped(trace);
        write!(out, r#"  <testcase classname="{spec}" name="{trace}" time="{seconds:.3}""#)?;
        if wrong.is_none() && notes.is_empty() {
            writeln!(out, "/>")?;
            continue;
        }
        writeln!(out, ">")?;
        if let Some((element, message, text)) = wrong {
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
