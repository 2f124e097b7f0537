//! When a thread that does not stop is interrupted.
//!
//! No limit depends on how fast the machine is: a thread is interrupted after so much time on a processor, and one that
//! waits in the kernel is one that sleeps there.

use std::time::Duration;

use crate::chaos::mechanism::proc_files::Stat;

/// How often a thread that does not stop is looked at.
pub const TICK: Duration = Duration::from_millis(100);
/// How long a thread may compute in code without points while others wait.
pub const PATIENCE: Duration = Duration::from_secs(1);
/// How many ticks a thread may wait in the kernel, in a call that we did not expect to wait, while others could run.
const KERNEL_PATIENCE: u32 = 3;

/// What is found about a thread that has not stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// It may go on.
    Fine,
    /// It has computed for long.
    Computes,
    /// It waits in the kernel though others could run.
    Waits,
}

/// Looks after the thread that is being waited for.
#[derive(Debug, Default)]
pub struct Watchdog {
    idle_ticks: u32,
    /// How long the thread had been computing when it was first looked at.
    computed: Option<Duration>,
    /// The thread was found waiting, and is being interrupted for that.
    found_waiting: bool,
}

impl Watchdog {
    /// Begins to look after a thread.
    pub fn begin(&mut self) {
        self.idle_ticks = 0;
        self.computed = None;
    }

    /// Looks at the thread, once per tick.
    pub fn look(&mut self, stat: &Stat, others_may_run: bool) -> Finding {
        // Time on the wall would tell as much about the machine's load as about the thread.
        let computed = stat.computed();
        let before = *self.computed.get_or_insert(computed);
        // Not `D`: a thread that waits for a disk does not wait for other threads.
        self.idle_ticks = if stat.state == 'S' { self.idle_ticks + 1 } else { 0 };
        if computed.saturating_sub(before) > PATIENCE {
            self.computed = None;
            return Finding::Computes;
        }
        if self.idle_ticks > KERNEL_PATIENCE && others_may_run {
            self.idle_ticks = 0;
            self.found_waiting = true;
            return Finding::Waits;
        }
        Finding::Fine
    }

    /// Whether the thread that has stopped was interrupted because it was found waiting.
    pub fn take_found_waiting(&mut self) -> bool {
        std::mem::take(&mut self.found_waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_waits_is_found_and_one_that_works_is_not() {
        let sleeping = Stat { state: 'S', parent: 1, ticks: 0 };
        let running = Stat { state: 'R', ..sleeping };
        let mut watchdog = Watchdog::default();
        watchdog.begin();
        for stat in [sleeping, sleeping, sleeping, running, sleeping, sleeping, sleeping] {
            assert_eq!(watchdog.look(&stat, true), Finding::Fine);
        }
        assert_eq!(watchdog.look(&sleeping, false), Finding::Fine, "nobody else could run");
        assert!(!watchdog.take_found_waiting());
        assert_eq!(watchdog.look(&sleeping, true), Finding::Waits);
        assert!(watchdog.take_found_waiting() && !watchdog.take_found_waiting());
    }

    #[test]
    fn a_thread_that_computes_is_found_again_and_again() {
        let after = |seconds: u64| Stat { state: 'R', parent: 1, ticks: seconds * 1000 };
        let mut watchdog = Watchdog::default();
        watchdog.begin();
        let found: Vec<Finding> = (0..4).map(|seconds| watchdog.look(&after(seconds), false)).collect();
        assert_eq!(found, [Finding::Fine, Finding::Computes, Finding::Fine, Finding::Computes]);
    }
}
