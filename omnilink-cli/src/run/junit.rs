//! What a loop of runs came to as JUnit XML: a test case for all runs, and one for each failure, named by its cause. The names are
//! the same whenever the same goes wrong, however many runs there are.

use std::io;

use omnilink_check::report::text::Style;

use super::examine::Judgement;
use super::journal::Findings;
use crate::alike::cause::Cause;
use crate::check::junit::{Case, Wrong};
use crate::failure::Failure;
use crate::palette::Palette;

/// The cases. `error` is what ended the loop, if that was no failure of the program.
pub fn cases(findings: &Findings, allow_unknown: bool, error: Option<&Failure>) -> io::Result<Vec<Case>> {
    let mut cases = vec![all_runs(findings, allow_unknown, error)];
    let style = Style { palette: Palette::default(), full_state: false };
    for (at, failure) in findings.failures.iter().enumerate() {
        let mut text = Vec::new();
        failure.write(at + 1, style, &mut text)?;
        cases.push(case("failure", failure.title(), text, failure.cause().place()));
    }
    // One that failed is told with those like it.
    if let Some(failing) = findings.failing.as_ref().filter(|_| findings.failures.is_empty()) {
        let element = if failing.judgement == Judgement::Error { "error" } else { "failure" };
        let mut text = Vec::new();
        failing.write(style, &mut text)?;
        failing.write_commands(&mut text)?;
        let (title, place) = match failing.report().and_then(Cause::of_report) {
            Some(cause) => (cause.to_string(), cause.place()),
            None => (failing.ending().to_owned(), None),
        };
        cases.push(case(element, &title, text, place));
    }
    Ok(cases)
}

fn case(element: &'static str, title: &str, text: Vec<u8>, place: Option<(String, u32, u32)>) -> Case {
    let text = String::from_utf8_lossy(&text).into_owned();
    let wrong = Wrong { element, message: title.to_owned(), text, place };
    Case { name: title.to_owned(), seconds: 0.0, wrong: Some(wrong), notes: String::new() }
}

/// The case that there always is: it is in error if the runs show less than was asked for.
fn all_runs(findings: &Findings, allow_unknown: bool, error: Option<&Failure>) -> Case {
    let summary = &findings.summary;
    let has_failed = findings.failing.is_some() || !findings.failures.is_empty();
    let message = match error {
        Some(error) => Some(error.to_string()),
        None if has_failed => None,
        None if summary.proves_nothing() => {
            Some("nothing was checked: no run recorded a call that must have happened".to_owned())
        }
        None if summary.unknown > 0 && !allow_unknown => Some(summary.undecided_lines().collect::<Vec<_>>().join("; ")),
        None if summary.accepted == 0 => Some("no run was checked".to_owned()),
        None => None,
    };
    let mut notes = summary.line() + "\n";
    for common in &summary.notes {
        notes.push_str(&format!("{} ({}): {}\n", common.note.word(), common.note.kind.name(), common.sentence("run")));
    }
    let wrong = message.map(|message| Wrong { element: "error", message, text: summary.line(), place: None });
    Case { name: "all runs".to_owned(), seconds: summary.seconds, wrong, notes }
}
