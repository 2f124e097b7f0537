//! What a run was seen to do.

use serde::{Deserialize, Serialize};

use crate::ending::Ending;
use crate::stacks::ThreadStack;

/// A note: the program starts other processes.
pub const STARTS_PROCESSES: &str = "it starts other processes, which run as they please";
/// A note: the program has replaced itself.
pub const BECAME_ANOTHER: &str = "it became another program by exec, which ran as it pleased";
/// What every note contains that is about code in which races are not found. A run with such a note proves less.
pub const WITHOUT_POINTS: &str = "has no points";

/// What a run was seen to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    /// How it ended.
    pub ending: Ending,
    /// What the schedule was: equal in equal runs.
    pub schedule_hash: u64,
    /// How many points passed while there was a choice.
    pub points: u64,
    /// How often somebody was chosen.
    pub decisions: u64,
    /// How often that was another thread than before.
    pub switches: u64,
    /// How many threads there were.
    pub threads: usize,
    /// What may keep the run from being repeated, and what was left out.
    pub notes: Vec<String>,
    /// Where its threads were when it crashed, deadlocked or was stopped, as far as that could be seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stacks: Vec<ThreadStack>,
}

impl Observed {
    /// What can be seen of a program that the kernel schedules.
    pub(crate) fn unscheduled(ending: Ending) -> Self {
        let (notes, stacks) = (Vec::new(), Vec::new());
        Self { ending, schedule_hash: 0, points: 0, decisions: 0, switches: 0, threads: 0, notes, stacks }
    }
}
