//! Threads that waited for most of a run.
//!
//! If some threads are deadlocked and others go on, in a loop that sleeps, say, the scheduler sees no deadlock, because the
//! others could release them. Such a run ends at its limit, and its note names the threads that waited for most of it.

use super::Engine;
use crate::chaos::state::threads::{Thread, Wait};

impl Engine<'_> {
    /// What to say of a run that was stopped while threads had been waiting, without a timeout, for most of it.
    pub(super) fn stuck(&self) -> Option<String> {
        let all = self.work();
        let waited = |thread: &Thread| match thread.wait() {
            Some(Wait::Futex { deadline: None, .. }) => all.saturating_sub(thread.waits_since()),
            _ => 0,
        };
        // More than half of the run.
        let is_stuck = |waited: u64| waited > 0 && waited >= all.div_ceil(2);
        let stuck: Vec<(usize, u64)> =
            self.threads.iter().map(|(index, thread)| (index, waited(thread))).filter(|&(_, w)| is_stuck(w)).collect();
        let shortest = stuck.iter().map(|&(_, waited)| waited).min()?;
        let (threads, have) = match &stuck[..] {
            [(only, _)] => (format!("thread {only}"), "has"),
            [others @ .., (last, _)] => {
                let others: Vec<String> = others.iter().map(|(index, _)| index.to_string()).collect();
                (format!("threads {} and {last}", others.join(", ")), "have")
            }
            [] => return None,
        };
        let share = (u128::from(shortest) * 100 / u128::from(all.max(1))) as u64;
        Some(format!(
            "{threads} {have} waited for a lock, a condition or the end of a thread during the last {share} % of the run \
             or longer, and nobody woke them: that may be a deadlock beside threads that go on"
        ))
    }
}
