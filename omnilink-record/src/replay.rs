//! Running a recorded run once more, and comparing.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crate::chaos::CodeCache;
use crate::chaos::strategy::Replay;
use crate::debugger::Invitation;
use crate::directory::{Record, RunDirectory};
use crate::error::RecordError;
use crate::observed::Observed;
use crate::plan::Mode;
use crate::program::ProgramIdentity;
use crate::rr;
use crate::run::{self, Workshop};

/// What came of a replay.
#[derive(Debug)]
pub struct Replayed {
    /// The recorded run.
    pub before: Record,
    /// The new one.
    pub now: Observed,
    /// Where the new one's output and trace are.
    pub directory: RunDirectory,
    /// How the two differ; nothing if they are the same.
    pub differences: Vec<String>,
    /// Whether the traces are among that.
    pub trace_differs: bool,
}

/// Runs the run in `recorded` again, in a new directory.
pub fn replay(recorded: &Path, directory: &Path, interrupt: &AtomicBool) -> Result<Replayed, RecordError> {
    debug(recorded, directory, interrupt, None)
}

/// As [`replay`], and lets a debugger in on the way.
pub fn debug(
    recorded: &Path,
    directory: &Path,
    interrupt: &AtomicBool,
    invitation: Option<Invitation<'_>>,
) -> Result<Replayed, RecordError> {
    let recorded = RunDirectory::open(recorded);
    let before = recorded.read()?;
    let program = repeatable(&recorded, &before)?;
    let directory = RunDirectory::create(directory)?;
    let cache = CodeCache::default();
    let workshop = Workshop { cache: &cache, program: &program, interrupt };
    let strategy = Box::new(Replay::new(recorded.schedule()?));
    let (now, schedule) = run::scheduled(&before.plan, &workshop, &directory, strategy, invitation)?;
    directory.write(&Record::new(before.plan.clone(), program.clone(), now.clone()), &schedule)?;
    let mut differences = differences(&before.observed, &now, &recorded, &directory)?;
    let of_trace = lane_differences(&recorded.trace(), &directory.trace())?;
    let trace_differs = !of_trace.is_empty();
    differences.extend(of_trace);
    Ok(Replayed { before, now, directory, differences, trace_differs })
}

/// Whether a run can be made again here by our scheduler; gives the identity of its program.
pub fn repeatable(recorded: &RunDirectory, before: &Record) -> Result<ProgramIdentity, RecordError> {
    match before.plan.mode {
        Mode::Chaos(_) => {}
        Mode::Free => {
            return Err(RecordError::Usage(format!(
                "{}: is a free run, which cannot be replayed; only runs of --chaos and --rr can",
                recorded.path().display()
            )));
        }
        Mode::Rr | Mode::RrChaos => {
            let command = rr::replay::command(recorded, before, None, None)?;
            let mut words = vec![command.get_program().to_string_lossy()];
            words.extend(command.get_args().map(|word| word.to_string_lossy()));
            return Err(RecordError::Usage(format!(
                "{}: was recorded by rr; run `{}`",
                recorded.path().display(),
                words.join(" ")
            )));
        }
    }
    let program = ProgramIdentity::of(&before.plan.program)?;
    if !program.is(&before.program) {
        return Err(RecordError::Usage(format!(
            "{}: is not the program that was recorded; build it again as it was",
            before.plan.program.display()
        )));
    }
    Ok(program)
}

fn differences(
    before: &Observed,
    now: &Observed,
    recorded: &RunDirectory,
    directory: &RunDirectory,
) -> Result<Vec<String>, RecordError> {
    let mut differences = Vec::new();
    // Versions describe differently where threads wait.
    if before.ending.to_string() != now.ending.to_string() {
        differences.push(format!("it ended with {} instead of {}", now.ending, before.ending));
    }
    if before.schedule_hash != now.schedule_hash {
        let text = format!("the schedule has hash {:016x} instead of {:016x}", now.schedule_hash, before.schedule_hash);
        differences.push(text);
    }
    for (name, old, new) in [
        ("standard output", recorded.stdout(), directory.stdout()),
        ("standard error", recorded.stderr(), directory.stderr()),
    ] {
        if read(&old)? != read(&new)? {
            differences.push(format!("{name} differs"));
        }
    }
    Ok(differences)
}

/// Lane files are the same byte for byte. (`run.json` holds what differs by nature: process id and times.)
fn lane_differences(before: &Path, now: &Path) -> Result<Vec<String>, RecordError> {
    let root = before;
    let (before, now) = (lanes(before)?, lanes(now)?);
    let mut differences = Vec::new();
    if before.len() != now.len() {
        differences.push(format!("the trace has {} files instead of {}", now.len(), before.len()));
    }
    for (old, new) in before.iter().zip(&now) {
        if read(old)? != read(new)? {
            let name = old.strip_prefix(root).unwrap_or(old).display();
            differences.push(format!("{name} of the trace differs"));
        }
    }
    Ok(differences)
}

/// The lane files of a trace, and of those in directories below it: a test may make several recordings.
fn lanes(trace: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let Ok(entries) = fs::read_dir(trace) else { return Ok(Vec::new()) };
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>();
    let mut lanes = Vec::new();
    for path in paths.map_err(RecordError::file(trace))? {
        if path.is_dir() {
            lanes.extend(self::lanes(&path)?);
        } else if path.extension().is_none_or(|extension| extension != "json") {
            lanes.push(path);
        }
    }
    lanes.sort();
    Ok(lanes)
}

fn read(path: &Path) -> Result<Vec<u8>, RecordError> {
    fs::read(path).map_err(RecordError::file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_of_tests_are_compared_too() {
        let scratch = tempfile::tempdir().unwrap();
        let trace = |name: &str, lane: &str| {
            let trace = scratch.path().join(name);
            let recording = trace.join("recording-1");
            fs::create_dir_all(&recording).unwrap();
            fs::write(recording.join("00000.lane"), lane).unwrap();
            fs::write(recording.join("run.json"), name).unwrap();
            trace
        };
        let (before, same, other) = (trace("before", "a"), trace("same", "a"), trace("other", "b"));
        assert!(lane_differences(&before, &same).unwrap().is_empty());
        let differences = lane_differences(&before, &other).unwrap();
        assert_eq!(differences, ["recording-1/00000.lane of the trace differs"]);
        assert_eq!(lane_differences(&before, scratch.path()).unwrap(), ["the trace has 3 files instead of 1"]);
    }
}
