//! The commands that are printed after a failed run.

use omnilink_check::report::Report;
use omnilink_record::Mode;
use omnilink_record::directory::Record;

use crate::check::args::CheckArgs;
use crate::record::Kept;
use crate::replay::moment;
use crate::shell::own_command;
use crate::specification::SpecificationArgs;

/// The options of the check.
pub struct Commands<'a> {
    /// The specification.
    pub specification: &'a SpecificationArgs,
    /// The other options.
    pub checking: &'a CheckArgs,
}

impl Commands<'_> {
    /// The command that checks a run again.
    pub fn check(&self, kept: &Kept) -> String {
        let mut words = vec!["check".to_owned()];
        words.extend(self.specification.words());
        words.extend(self.checking.words());
        on_run(kept, words)
    }
}

/// The command that replays a run; `None` if it is not repeatable.
pub fn replay(kept: &Kept, mode: Mode) -> Option<String> {
    (mode != Mode::Free).then(|| on_run(kept, vec!["replay".to_owned()]))
}

/// The command that starts gdb at the failure; `None` if the run is not repeatable.
pub fn debug(kept: &Kept, record: &Record, report: Option<&Report>) -> Option<String> {
    let moment = moment(record.plan.mode, &record.observed.ending, report)?;
    Some(on_run(kept, ["replay", "--until", &moment, "--gdb"].map(str::to_owned).to_vec()))
}

/// A command for a run in a directory or a store.
fn on_run(kept: &Kept, mut words: Vec<String>) -> String {
    match kept {
        Kept::Directory(path) => words.push(path.display().to_string()),
        Kept::Store { store, name } => {
            words.extend(["--store".to_owned(), store.display().to_string(), name.clone()]);
        }
    }
    own_command(words)
}
