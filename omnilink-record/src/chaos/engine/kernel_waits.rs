//! System calls that wait in the kernel, and processes that the program has started.
//!
//! The kernel decides when such a call returns. To make that as repeatable as possible, the program's other threads stay
//! stopped until everything that runs beside them is *at rest*: each call has returned, and each thread in a call and each
//! process has ended or sleeps, and has not run since it was last seen sleeping. This needs no time limit, so a slow machine
//! gives the same result.

use std::time::Duration;

use super::{Engine, Halt};
use crate::chaos::mechanism::proc_files::{Sleeper, Stat};
use crate::chaos::mechanism::tracee::{self, Resume, Stop, Whom};
use crate::chaos::state::threads::State;

/// How long other processes may compute before the program goes on without waiting for them.
const PATIENCE_TICKS: u64 = 100;
/// How long to look away.
const PAUSE: Duration = Duration::from_micros(50);
/// How often to look before limits are checked.
const LOOKS: u32 = 200;

impl Engine<'_> {
    /// Makes a call that may wait in the kernel; if it does, others go on.
    pub(super) fn follow(&mut self) -> Result<(), Halt> {
        let index = self.threads.current_index();
        let tid = self.threads[index].tid();
        tracee::resume(tid, Resume::ToSystemCallExit, 0)?;
        if !self.somebody_else_may_run() {
            let stop = self.wait_interruptibly(tid)?;
            let is_interrupted = match stop {
                Stop::Event(libc::PTRACE_EVENT_STOP) => self.interruptions.caused_stop(tid),
                Stop::SystemCallExit => self.interruptions.are_owed(tid),
                _ => false,
            };
            if is_interrupted {
                if stop == Stop::SystemCallExit {
                    self.take_interruption(tid, stop)?;
                }
                self.show_signal(libc::SIGINT)?;
                return self.start_over();
            }
            self.threads[index].defer(stop);
            return Ok(());
        }
        self.threads[index].enter_kernel();
        self.rest()?;
        if matches!(self.threads[index].state(), State::Runnable) {
            return Ok(());
        }
        self.notes.add("a thread waited in the kernel while others ran");
        self.blocked()
    }

    /// Makes a call that does not wait, and lets come to rest whomever it has woken.
    pub(super) fn make_and_rest(&mut self) -> Result<(), Halt> {
        let index = self.threads.current_index();
        let tid = self.threads[index].tid();
        tracee::resume(tid, Resume::ToSystemCallExit, 0)?;
        let stop = self.wait_for(tid)?;
        if stop != Stop::SystemCallExit {
            self.threads[index].defer(stop);
        }
        self.rest()
    }

    /// Whether anybody is in the kernel, or beside the program, who could come to rest.
    pub(super) fn has_company(&self) -> bool {
        let in_kernel = self.threads.any(|thread| thread.is_in_kernel());
        in_kernel || !self.passive.resting_threads().is_empty()
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
                    self.passive.give_up_resting();
                    self.notes.add("a process that it started computed for long, and the program did not wait for it");
                }
            }
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// All who are in the kernel or beside the program, if all of them sleep.
    fn sleepers(&self) -> Option<Vec<Sleeper>> {
        let in_kernel = self.threads.indexes(|thread| thread.is_in_kernel());
        let in_kernel = in_kernel.into_iter().map(|index| self.threads[index].tid());
        in_kernel.chain(self.passive.resting_threads().iter().copied()).map(Sleeper::of).collect()
    }

    /// How long those beside the program have been computing, in ticks of the kernel.
    fn computed_beside(&self) -> u64 {
        self.passive.threads().iter().filter_map(|&tid| Stat::of_process(tid)).map(|stat| stat.ticks).sum()
    }

    /// The current thread was found waiting in the kernel, in a call that was not expected to, and interrupted. The call
    /// begins again, as after any interruption, but this time we notice when it is over.
    pub(super) fn start_over(&mut self) -> Result<(), Halt> {
        const RESTARTS: [i64; 4] = [-512, -513, -514, -516];
        let tid = self.threads.current().tid();
        let registers = tracee::registers(tid)?;
        let result = registers.rax as i64;
        if result == -i64::from(libc::EINTR) {
            // The program must not see that it was interrupted.
            tracee::set_registers(tid, &tracee::before_call(&registers))?;
        } else if !RESTARTS.contains(&result) || registers.orig_rax == tracee::NO_CALL {
            // It was over just then, perhaps in part.
            return self.yielded();
        }
        self.threads.current_mut().expect_wait();
        tracee::resume(tid, Resume::ToSystemCallExit, 0)?;
        match self.wait_for(tid)? {
            // At the beginning, where the kernel stops, too.
            Stop::SystemCallExit => self.follow(),
            other => {
                self.threads.current_mut().defer(other);
                Ok(())
            }
        }
    }
}
