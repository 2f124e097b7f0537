//! Resuming a thread while a debugger is attached.
//!
//! Stops that concern only the debugger are handled here; all others are returned to the scheduler.

use std::io;

use libc::pid_t;

use super::super::{Engine, Halt};
use super::Turn;
use super::stepping::visible;
use crate::chaos::mechanism::memory::Memory;
use crate::chaos::mechanism::tracee::{self, Cause, Resume, Stop};

/// What a stop is about.
#[derive(Debug, PartialEq, Eq)]
enum About {
    /// The scheduler.
    Schedule,
    /// Nothing: the thread may go on.
    Nothing,
    /// A breakpoint at this place.
    Breakpoint(u64),
    /// The end of a step.
    Stepped,
}

impl Engine<'_> {
    /// Lets the current thread go on until something happens that is the scheduler's business.
    pub(in super::super) fn go_on(&mut self, mut signal: i32) -> Result<Stop, Halt> {
        let tid = self.threads.current().tid();
        loop {
            self.watchpoints.apply(tid)?;
            let Some(debugger) = &mut self.debugger else {
                tracee::resume(tid, Resume::Run, signal)?;
                return self.wait_for(tid);
            };
            // The clock may tick for long only while nobody waits for a thread, so listening then is not enough.
            debugger.listen(None, &mut self.interruptions);
            let at = tracee::instruction_pointer(tid)?;
            match debugger.turn(self.threads.current_index(), at, self.process.code()) {
                Turn::Interrupted => self.show_signal(libc::SIGINT)?,
                Turn::Touched(watched) => self.show_touched(watched)?,
                Turn::Breakpoint => self.meet_breakpoint(at)?,
                Turn::Unstepped(thread) => self.show_signal_of(thread, libc::SIGTRAP)?,
                Turn::GoOn(how) => {
                    let stop = self.go_on_watched(tid, how, std::mem::take(&mut signal), at)?;
                    if let Some(stop) = stop {
                        return Ok(stop);
                    }
                }
            }
        }
    }

    /// Lets a thread at `at` go on once. Gives a stop that is the scheduler's business.
    fn go_on_watched(&mut self, tid: pid_t, how: Resume, signal: i32, at: u64) -> Result<Option<Stop>, Halt> {
        let pushes_flags = how == Resume::Step && self.pushes_flags(at)?;
        let (stop, places) = self.resume_among_breakpoints(tid, how, signal)?;
        if matches!(stop, Stop::Exited(_) | Stop::Killed(_)) {
            return Ok(Some(stop));
        }
        let now = tracee::instruction_pointer(tid)?;
        if how == Resume::Step {
            self.hide_stepping(tid, pushes_flags && now != at)?;
        }
        let about = self.about(stop, tid, &places, at, now)?;
        self.take_interruption(tid, stop)?;
        match about {
            About::Schedule => return Ok(Some(stop)),
            About::Nothing => {}
            About::Breakpoint(place) => {
                tracee::set_instruction_pointer(tid, place)?;
                self.meet_breakpoint(place)?;
            }
            About::Stepped => self.show_signal(libc::SIGTRAP)?,
        }
        Ok(None)
    }

    /// Breakpoints are in the code only while a thread runs, and not while it steps: it is at one then. Gives where they
    /// were.
    fn resume_among_breakpoints(
        &mut self,
        tid: pid_t,
        how: Resume,
        signal: i32,
    ) -> Result<(Stop, Vec<(u64, u8)>), Halt> {
        let Some(debugger) = &mut self.debugger else { return Err(Halt::Leaving) };
        let replaced = if how == Resume::Run { debugger.breakpoints.insert(self.process.memory()) } else { Vec::new() };
        debugger.interruptible = true;
        tracee::resume(tid, how, signal)?;
        let stop = self.wait_for(tid);
        if let Some(debugger) = &mut self.debugger {
            debugger.interruptible = false;
        }
        withdraw(self.process.memory(), &replaced);
        let stop = stop?;
        if let Stop::Event(libc::PTRACE_EVENT_FORK | libc::PTRACE_EVENT_CLONE) = stop {
            // A copy of the program has copies of the breakpoints, which must not stop it.
            let child = tracee::event_message(tid)? as pid_t;
            Memory::of(child).iter().for_each(|memory| withdraw(memory, &replaced));
        }
        Ok((stop, replaced))
    }

    /// Waits until a thread stops that is alone and waits in the kernel. A debugger may want to see it meanwhile.
    pub(in super::super) fn wait_interruptibly(&mut self, tid: pid_t) -> Result<Stop, Halt> {
        if let Some(debugger) = &mut self.debugger {
            debugger.interruptible = true;
            if debugger.interrupted {
                self.interruptions.interrupt(tid);
            }
        }
        let stop = self.wait_for(tid);
        if let Some(debugger) = &mut self.debugger {
            debugger.interruptible = false;
        }
        stop
    }

    /// Sorts out why a thread has stopped that went on from `at` and is `now` there.
    fn about(&mut self, stop: Stop, tid: pid_t, places: &[(u64, u8)], at: u64, now: u64) -> io::Result<About> {
        let Some(debugger) = &mut self.debugger else { return Ok(About::Schedule) };
        if stop == Stop::Signal(libc::SIGTRAP) {
            debugger.touched = self.watchpoints.touched(tid)?.or(debugger.touched);
        }
        let status = debugger.statuses.entry(self.threads.current_index()).or_default();
        status.in_call = stop == Stop::Event(libc::PTRACE_EVENT_SECCOMP);
        if visible(self.process.code(), now).is_some_and(|place| status.met != Some(place)) {
            status.met = None;
        }
        Ok(match stop {
            Stop::Event(libc::PTRACE_EVENT_STOP) if self.interruptions.caused_stop(tid) => About::Nothing,
            Stop::Signal(libc::SIGTRAP) => match tracee::cause_of_trap(tid)? {
                Cause::Instruction if places.iter().any(|&(place, _)| place + 1 == now) => About::Breakpoint(now - 1),
                Cause::Watchpoint => About::Nothing,
                Cause::Step if debugger.touched.is_some() => About::Nothing,
                Cause::Step => {
                    let step = debugger.step.as_mut().filter(|step| step.thread == self.threads.current_index());
                    let is_over = step.is_some_and(|step| step.is_over(self.process.code(), at, now));
                    if is_over { About::Stepped } else { About::Nothing }
                }
                _ => About::Schedule,
            },
            _ => About::Schedule,
        })
    }

    fn pushes_flags(&self, at: u64) -> io::Result<bool> {
        const PUSH_FLAGS: u8 = 0x9c;
        let mut byte = [0];
        self.process.memory().read(at, &mut byte)?;
        Ok(byte[0] == PUSH_FLAGS)
    }

    /// A thread that steps has a flag set for that. It must not be found among flags that were pushed, nor be set again when
    /// they are popped; nor does every kernel take it back itself after flags were popped.
    fn hide_stepping(&self, tid: pid_t, is_pushed: bool) -> io::Result<()> {
        const TRAP_FLAG: u64 = 1 << 8;
        let mut registers = tracee::registers(tid)?;
        if is_pushed {
            self.process.memory().set_u64(registers.rsp, self.process.memory().u64(registers.rsp)? & !TRAP_FLAG)?;
        }
        if registers.eflags & TRAP_FLAG != 0 {
            registers.eflags &= !TRAP_FLAG;
            tracee::set_registers(tid, &registers)?;
        }
        Ok(())
    }
}

/// Puts back what breakpoints replaced; memory that is gone needs nothing put back.
fn withdraw(memory: &Memory, replaced: &[(u64, u8)]) {
    for &(place, byte) in replaced {
        let _ = memory.write(place, &[byte]);
    }
}
