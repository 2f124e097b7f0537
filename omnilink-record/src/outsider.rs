//! Whether what recorded a trace is the program that the scheduler controlled.
//!
//! The scheduler controls the threads of one program. If that only starts another one (`env`, `cargo run`, `sh -c`), the
//! other one finds the trace directory in its environment and records, and the kernel schedules it: the run looks like any
//! other, and is worth no more than a free one.

use omnilink_trace::Run;

use crate::directory::Record;
use crate::observed::{BECAME_ANOTHER, STARTS_PROCESSES};
use crate::plan::Mode;

/// The command of another program that recorded in place of the one that was scheduled.
///
/// A program is told by the name that it was called by: its arguments it may sort. And it was another one only if the
/// scheduler has seen it come to life: a program may change its own name, too.
pub fn of(record: &Record, run: &Run) -> Option<Vec<String>> {
    let Record { plan, observed, .. } = record;
    let others_ran = observed.notes.iter().any(|note| [STARTS_PROCESSES, BECAME_ANOTHER].contains(&note.as_str()));
    let is_another = run.command.first().is_some_and(|name| *name != plan.program.to_string_lossy());
    (matches!(plan.mode, Mode::Chaos(_)) && others_ran && is_another).then(|| run.command.clone())
}
