//! Facts that the recorder of a run knows and that are not in the trace.

use std::path::Path;

use omnilink_check::report::Report;
use omnilink_check::report::note::{Kind, Note};
use omnilink_record::directory::{Record, RunDirectory};
use omnilink_record::observed::{BECAME_ANOTHER, WITHOUT_POINTS};
use omnilink_record::{Ending, archive};

use crate::shell;

/// Adds the recorder's observations to a report: a crash of the program, and the recorder's notes.
pub fn complete(report: &mut Report, trace: &Path) {
    let Some(record) = record_of(trace) else { return };
    if report.crashes.is_empty() {
        report.crashes.extend(crash(&record.observed.ending));
    }
    report.notes.extend(notes(&record));
}

/// The notes of the recorder.
fn notes(record: &Record) -> impl Iterator<Item = Note> {
    let noted = record.observed.notes.iter().map(|text| match text.as_str() {
        BECAME_ANOTHER => Note::weakening(Kind::NotScheduled, text.as_str()),
        text if text.contains(WITHOUT_POINTS) => Note::weakening(Kind::Recorder, text),
        _ => Note::new(Kind::Recorder, text.as_str()),
    });
    let outsider = record.outsider.as_ref().map(|command| {
        let text = format!("what recorded was not scheduled: {}", shell::line(command));
        Note::weakening(Kind::NotScheduled, text)
    });
    noted.chain(outsider)
}

/// The record of a run, given the run's directory, the directory of its trace, or a packed run.
fn record_of(trace: &Path) -> Option<Record> {
    if trace.is_file() {
        return archive::record(trace).ok().flatten();
    }
    let run = [Some(trace), trace.parent()].into_iter().flatten().map(RunDirectory::open);
    run.filter(|run| [run.path(), &run.trace()].contains(&trace)).find_map(|run| run.read().ok())
}

/// The crash of the program: a killed program cannot record it in its trace.
fn crash(ending: &Ending) -> Option<String> {
    match ending {
        Ending::Deadlocked(_) => Some("the program's threads waited for each other: a deadlock".to_owned()),
        Ending::Killed(_) => Some(format!("the program was {ending}")),
        Ending::Exited(_) | Ending::Stopped(_) => None,
    }
}
