//! When a run that does not end is stopped: however slow the machine is, at the same amount of work.
//!
//! Counted are the time that processors have spent on the run, and the time in which it waited though no part of it could
//! have used a processor. Time in which it had to wait for a processor is not.

use std::fs;
use std::time::{Duration, Instant};

use libc::pid_t;
use nix::time::{ClockId, clock_gettime};

/// A pause of the machine counts as no more than this.
const LONGEST_LOOK: Duration = Duration::from_secs(1);

/// What a run may still take.
#[derive(Debug)]
pub struct Backstop {
    limit: Duration,
    /// The processor time of the thread that looks after the run, when it began; none if that is not counted.
    own: Option<Duration>,
    /// The processor time that each process had used when it was last looked at, of those that have ended, too.
    used: Vec<(pid_t, Duration)>,
    idle: Duration,
    looked: Instant,
}

impl Backstop {
    /// Of a run that begins now; whether the calling thread works for it, and not only waits.
    pub fn new(limit: Duration, works: bool) -> Self {
        let own = works.then(|| clock(libc::CLOCK_THREAD_CPUTIME_ID).unwrap_or_default());
        Self { limit, own, used: Vec::new(), idle: Duration::ZERO, looked: Instant::now() }
    }

    /// Whether the run, which consists of these processes and threads, has taken all that it may. Since this was last asked
    /// the caller has waited for them.
    pub fn is_reached(&mut self, tasks: &[pid_t]) -> bool {
        let passed = self.looked.elapsed().min(LONGEST_LOOK);
        if !tasks.iter().copied().any(is_active) {
            self.idle += passed;
        }
        self.has_worked(tasks) || self.idle > self.limit
    }

    /// The same if the caller has not waited.
    pub fn has_worked(&mut self, tasks: &[pid_t]) -> bool {
        self.looked = Instant::now();
        for &task in tasks {
            // The clock of a process is named by its first thread's id alone.
            let Some(now) = clock(((!task) << 3) | CPUCLOCK_SCHED) else { continue };
            match self.used.iter_mut().find(|(known, _)| *known == task) {
                Some((_, before)) => *before = now.max(*before),
                None => self.used.push((task, now)),
            }
        }
        self.worked() > self.limit
    }

    /// The processor time that is known.
    fn worked(&self) -> Duration {
        let own = self.own.and_then(|began| Some(clock(libc::CLOCK_THREAD_CPUTIME_ID)?.saturating_sub(began)));
        self.used.iter().map(|(_, used)| *used).sum::<Duration>() + own.unwrap_or_default()
    }
}

const CPUCLOCK_SCHED: libc::clockid_t = 2;

fn clock(clock: libc::clockid_t) -> Option<Duration> {
    clock_gettime(ClockId::from_raw(clock)).ok().map(Duration::from)
}

/// Whether a thread of a process uses a processor or a disk, or would if it got one.
fn is_active(pid: pid_t) -> bool {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return false };
    threads.flatten().any(|thread| {
        let stat = fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        // The name, in parentheses, may contain anything.
        matches!(stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next()), Some('R' | 'D'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_and_idleness_are_counted() {
        let own = std::process::id() as pid_t;
        let mut generous = Backstop::new(Duration::from_secs(3600), true);
        assert!(!generous.is_reached(&[own]));
        let mut working = Backstop::new(Duration::from_millis(20), true);
        let mut sum = 0_u64;
        while !working.has_worked(&[]) {
            sum = (0..10_000).fold(sum, |sum, number| std::hint::black_box(sum ^ number));
        }
        // Nobody is active whom we look at.
        let mut idle = Backstop::new(Duration::from_millis(20), false);
        while !idle.is_reached(&[]) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(working.worked() > Duration::ZERO && idle.worked() == Duration::ZERO);
    }
}
