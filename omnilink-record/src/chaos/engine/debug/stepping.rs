//! A step of a thread, as a program without trampolines would make it.
//!
//! An instruction that has been displaced is a jump, the counting of the point, the instruction itself and a jump back.
//! All of that is one step.

use std::ops::Range;

use crate::chaos::mechanism::install::Code;
use crate::chaos::state::threads::ThreadIndex;

/// What the debugger wants a thread to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Which thread.
    pub thread: ThreadIndex,
    /// Until it is outside of this.
    pub range: Range<u64>,
    /// Nobody else may go on meanwhile.
    pub alone: bool,
    /// The instruction that is being executed, once the thread has been seen.
    from: Option<u64>,
}

impl Step {
    /// One instruction, or as many as there are in `range`.
    pub fn new(thread: ThreadIndex, range: Range<u64>) -> Self {
        Self { thread, range, alone: false, from: None }
    }

    /// Whether the step is over: the thread executed something at `before` and is now at `now`.
    pub fn is_over(&mut self, code: &Code, before: u64, now: u64) -> bool {
        let from = *self.from.get_or_insert_with(|| shown(code, before));
        let Some(place) = visible(code, now) else { return false };
        // Still on the way to the same instruction, unless that is one that repeats itself.
        if code.in_trampolines(now) && place == from && before != now {
            return false;
        }
        self.from = Some(place);
        !self.range.contains(&place)
    }
}

/// Where a thread is, as the debugger shall see it; nothing if it is in the middle of a trampoline.
pub fn visible(code: &Code, address: u64) -> Option<u64> {
    match code.place(address) {
        Some((place, _)) => Some(place.original),
        None if code.in_trampolines(address) => None,
        None => Some(address),
    }
}

/// As [`visible`]; the address itself if there is no better one.
pub fn shown(code: &Code, address: u64) -> u64 {
    visible(code, address).unwrap_or(address)
}
