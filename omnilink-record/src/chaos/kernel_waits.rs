//! Calls that wait in the kernel, and processes that run beside the program.
//!
//! When they come back is up to the kernel. So that it is the same in every run as far as possible, the program's other
//! threads hold still until all of them are *at rest*: each has come back, has ended, or sleeps, and none has run since
//! it was last seen sleeping. That is seen, not measured: on a slow machine it takes longer and comes to the same.

use std::fs;
use std::time::Duration;

use libc::pid_t;

use super::calls::SYSCALL_LEN;
use super::engine::{Engine, Halt};
use super::threads::State;
use super::tracee::{self, Resume, Stop, Whom};

/// How long other processes may compute before the program goes on without waiting for them.
const PATIENCE_TICKS: u64 = 100;
/// How long to look away.
const PAUSE: Duration = Duration::from_micros(50);
/// How often to look before limits are checked.
const LOOKS: u32 = 200;

/// What a sleeping thread looks like: it has not run if it looks the same later.
#[derive(Debug, PartialEq, Eq)]
struct Sleeper {
    tid: pid_t,
    switches: Vec<String>,
}

impl Engine<'_> {
    /// Makes a call that may wait in the kernel; if it does, others go on.
    pub(super) fn follow(&mut self) -> Result<(), Halt> {
        let index = self.current;
        let tid = self.threads[index].tid;
        tracee::resume(tid, Resume::ToSystemCallExit, 0)?;
        if !self.somebody_else_may_run() {
            let stop = self.wait_interruptibly(tid)?;
            // Whatever a thread stops for, the kernel takes back an interruption that it has not stopped for yet.
            let is_interrupted = self.interruptions.caused_stop(tid);
            if is_interrupted && matches!(stop, Stop::SystemCallExit | Stop::Event(libc::PTRACE_EVENT_STOP)) {
                self.show_signal(libc::SIGINT)?;
                return self.start_over();
            }
            self.threads[index].pending = Some(stop);
            return Ok(());
        }
        self.threads[index].state = State::InKernel;
        self.rest()?;
        if matches!(self.threads[index].state, State::Runnable) {
            return Ok(());
        }
        self.note("a thread waited in the kernel while others ran");
        self.blocked()
    }

    /// Makes a call that does not wait, and lets come to rest whomever it has woken.
    pub(super) fn make_and_rest(&mut self) -> Result<(), Halt> {
        let index = self.current;
        let tid = self.threads[index].tid;
        tracee::resume(tid, Resume::ToSystemCallExit, 0)?;
        let stop = self.wait_for(tid)?;
        if stop != Stop::SystemCallExit {
            self.threads[index].pending = Some(stop);
        }
        self.rest()
    }

    /// Whether anybody is in the kernel, or beside the program, who could come to rest.
    pub(super) fn has_company(&self) -> bool {
        let in_kernel = self.threads.any(|thread| matches!(thread.state, State::InKernel));
        in_kernel || !self.passive.is_empty() && !self.passive.is_busy
    }

    /// Waits until everybody in the kernel and beside the program is at rest.
    pub(super) fn rest(&mut self) -> Result<(), Halt> {
        let mut looks = 0;
        let mut before: Option<Vec<Sleeper>> = None;
        let began = self.computed_beside();
        while self.has_company() {
            while let Some((who, stop)) = tracee::poll(Whom::Anyone)? {
                self.dispatch(who, stop)?;
                before = None;
            }
            let sleepers = self.sleepers();
            if sleepers.is_some() && sleepers == before {
                return Ok(());
            }
            before = sleepers;
            looks += 1;
            if looks % LOOKS == 0 {
                self.tick(None)?;
                if self.computed_beside().saturating_sub(began) > PATIENCE_TICKS {
                    self.passive.is_busy = true;
                    self.note("a process that it started computed for long, and the program did not wait for it");
                }
            }
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// All who are in the kernel or beside the program, if all of them sleep.
    fn sleepers(&self) -> Option<Vec<Sleeper>> {
        let in_kernel = self.threads.indexes(|thread| matches!(thread.state, State::InKernel));
        let in_kernel = in_kernel.into_iter().map(|index| self.threads[index].tid);
        let beside = if self.passive.is_busy { &[] } else { self.passive.threads() };
        in_kernel.chain(beside.iter().copied()).map(sleeper).collect()
    }

    /// How long those beside the program have been computing, in ticks of the kernel.
    fn computed_beside(&self) -> u64 {
        let ticks = |&tid: &pid_t| {
            let stat = fs::read_to_string(format!("/proc/{tid}/stat")).unwrap_or_default();
            // After the name, in parentheses: the state, and as the 12th and 13th number the ticks in user and kernel mode.
            let rest = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
            rest.split(' ').skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum::<u64>()
        };
        self.passive.threads().iter().map(ticks).sum()
    }

    /// The current thread was found waiting in the kernel, in a call that was not expected to, and interrupted. The call
    /// begins again, as after any interruption, but this time we notice when it is over.
    pub(super) fn start_over(&mut self) -> Result<(), Halt> {
        const RESTARTS: [i64; 4] = [-512, -513, -514, -516];
        let tid = self.threads[self.current].tid;
        let mut registers = tracee::registers(tid)?;
        let result = registers.rax as i64;
        if result == -i64::from(libc::EINTR) {
            // Nobody has interrupted it that the program knows of.
            registers.rip -= SYSCALL_LEN;
            registers.rax = registers.orig_rax;
            registers.orig_rax = u64::MAX;
            tracee::set_registers(tid, &registers)?;
        } else if !RESTARTS.contains(&result) || registers.orig_rax as i64 == -1 {
            // It was over just then, perhaps in part.
            return self.yielded();
        }
        self.threads[self.current].found_waiting = true;
        tracee::resume(tid, Resume::ToSystemCallExit, 0)?;
        match self.wait_for(tid)? {
            // At the beginning, where the kernel stops, too.
            Stop::SystemCallExit => self.follow(),
            other => {
                self.threads[self.current].pending = Some(other);
                Ok(())
            }
        }
    }
}

/// What a thread looks like, if it sleeps; one that has ended sleeps for good.
fn sleeper(tid: pid_t) -> Option<Sleeper> {
    let Ok(status) = fs::read_to_string(format!("/proc/{tid}/status")) else {
        return Some(Sleeper { tid, switches: Vec::new() });
    };
    let state = status.lines().find_map(|line| line.strip_prefix("State:"))?.trim_start().chars().next()?;
    let switches = status.lines().filter(|line| line.contains("ctxt_switches")).map(str::to_owned).collect();
    matches!(state, 'S' | 'T' | 'Z' | 'X').then_some(Sleeper { tid, switches })
}
