//! Signals.

use std::fs;
use std::io;

use libc::pid_t;

use super::code::STACK_LOWERED_BY;
use super::details;
use super::engine::{Engine, Halt};
use super::tracee;

impl Engine<'_> {
    /// The current thread is about to receive a signal.
    pub(super) fn signalled(&mut self, signal: i32) -> Result<(), Halt> {
        let tid = self.threads[self.current].tid;
        if signal == libc::SIGSEGV && self.answer_processor(tid)? {
            return Ok(());
        }
        details::name_sender(tid, self.pid)?;
        self.crashing(signal)?;
        self.show_signal(signal)?;
        self.leave_trampoline(tid, self.handlers.handles(signal))?;
        self.threads[self.current].signal = signal;
        Ok(())
    }

    /// A handler sees where the thread was, and may unwind from there: so it is never in a trampoline. Without a
    /// handler the thread goes on as if nothing had happened, so it must be where it can.
    fn leave_trampoline(&self, tid: pid_t, is_handled: bool) -> io::Result<()> {
        let mut registers = tracee::registers(tid)?;
        let Some((place, _)) = self.code.place(registers.rip) else { return Ok(()) };
        if place.after_trap {
            registers.eflags = self.memory.u64(registers.rsp)?;
            registers.rsp += STACK_LOWERED_BY;
        }
        registers.rip = if is_handled { place.original } else { place.resume };
        tracee::set_registers(tid, &registers)
    }

    /// After a handler, a thread may continue in the middle of a rewritten stretch.
    pub(super) fn resume_moved(&self, tid: pid_t) -> io::Result<()> {
        let address = tracee::instruction_pointer(tid)?;
        match self.code.moved_to(address) {
            Some(trampoline) => tracee::set_instruction_pointer(tid, trampoline),
            None => Ok(()),
        }
    }

    /// Remembers what the program does about a signal.
    pub(super) fn note_action(&mut self, signal: u64, action: u64) -> io::Result<()> {
        const FLAGS: u64 = 8;
        if action != 0 {
            let handler = self.memory.u64(action)? as libc::sighandler_t;
            let flags = self.memory.u64(action + FLAGS)?;
            self.handlers.set(signal, handler, flags);
        }
        Ok(())
    }
}

/// The bit of a signal in masks, as the kernel writes them; none if there is no such signal.
pub fn bit(signal: i32) -> u64 {
    u32::try_from(signal - 1).ok().and_then(|shift| 1_u64.checked_shl(shift)).unwrap_or_default()
}

/// What the program does about signals.
#[derive(Debug, Default)]
pub struct Handlers {
    handled: u64,
    ignored: u64,
    restarting: u64,
}

/// Signals that nothing is done about unless the program says so.
const IGNORED: [i32; 4] = [libc::SIGCHLD, libc::SIGCONT, libc::SIGURG, libc::SIGWINCH];

impl Handlers {
    fn set(&mut self, signal: u64, handler: libc::sighandler_t, flags: u64) {
        let bit = bit(i32::try_from(signal).unwrap_or_default());
        let set = |bits: u64, on: bool| if on { bits | bit } else { bits & !bit };
        self.handled = set(self.handled, handler != libc::SIG_DFL && handler != libc::SIG_IGN);
        self.ignored = set(self.ignored, handler == libc::SIG_IGN);
        self.restarting = set(self.restarting, flags & libc::SA_RESTART as u64 != 0);
    }

    /// Whether a function of the program is called.
    fn handles(&self, signal: i32) -> bool {
        self.handled & bit(signal) != 0
    }

    /// Of these signals, those that somebody notices.
    pub fn noticed(&self, signals: u64) -> u64 {
        let by_default = IGNORED.iter().fold(0, |bits, &signal| bits | bit(signal));
        signals & !self.ignored & (self.handled | !by_default)
    }

    /// Whether waiting that these signals interrupt goes on by itself afterwards.
    pub fn restart(&self, signals: u64) -> bool {
        signals & !self.restarting == 0
    }
}

/// Signals that have not been received.
pub struct Pending {
    /// By the thread, sent to it or to the process.
    pub signals: u64,
    /// Those that the thread does not receive for now.
    pub blocked: u64,
}

/// What a thread has not received.
pub fn pending(pid: pid_t, tid: pid_t) -> io::Result<Pending> {
    let status = fs::read_to_string(format!("/proc/{pid}/task/{tid}/status"))?;
    let mask = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| u64::from_str_radix(line.trim_start_matches(':').trim(), 16).ok()).unwrap_or_default()
    };
    Ok(Pending { signals: mask("SigPnd") | mask("ShdPnd"), blocked: mask("SigBlk") })
}
