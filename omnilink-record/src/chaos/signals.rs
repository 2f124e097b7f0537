//! Signals, and instructions that stand for questions to the processor.

use std::fs;
use std::io;

use iced_x86::{Decoder, DecoderOptions, Mnemonic, Register};
use libc::pid_t;

use super::calls::SYSCALL_LEN;
use super::code::STACK_LOWERED_BY;
use super::control::CLOCK_STEP;
use super::engine::{Engine, Halt};
use super::strategy::ThreadIndex;
use super::threads::{State, Wait};
use super::tracee::{self, Registers};

impl Engine<'_> {
    /// The current thread is about to receive a signal.
    pub(super) fn signalled(&mut self, signal: i32) -> Result<(), Halt> {
        let tid = self.threads[self.current].tid;
        if signal == libc::SIGSEGV && self.answer_clock(tid)? {
            return Ok(());
        }
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

    /// The counter is hidden from the program, so code without trampolines faults when it reads it.
    fn answer_clock(&mut self, tid: pid_t) -> io::Result<bool> {
        let mut registers = tracee::registers(tid)?;
        let mut code = [0; 3];
        if self.memory.read(registers.rip, &mut code).is_err() {
            return Ok(false);
        }
        let length = match code {
            [0x0f, 0x31, _] => 2,
            [0x0f, 0x01, 0xf9] => 3,
            _ => return Ok(false),
        };
        self.advance_clock(u64::from(CLOCK_STEP));
        let now = self.now();
        registers.rip += length;
        registers.rax = now & 0xffff_ffff;
        registers.rdx = now >> 32;
        if length == 3 {
            registers.rcx = 0;
        }
        tracee::set_registers(tid, &registers)?;
        Ok(true)
    }

    /// Answers `rdrand` and `rdseed` from the seed.
    pub(super) fn answer_random(&mut self, tid: pid_t, address: u64) -> io::Result<()> {
        const MAX_LEN: usize = 15;
        const CARRY: u64 = 1;
        const OTHERS: u64 = 1 << 2 | 1 << 4 | 1 << 6 | 1 << 7 | 1 << 11;
        let mut registers = tracee::registers(tid)?;
        let mut code = [0; MAX_LEN];
        self.memory.read(address, &mut code)?;
        // The first byte is the trap.
        if let Some(hit) = self.code.trap_at(address) {
            code[0] = hit.trap.original;
        }
        let instruction = Decoder::with_ip(64, &code, address, DecoderOptions::NONE).decode();
        debug_assert!(matches!(instruction.mnemonic(), Mnemonic::Rdrand | Mnemonic::Rdseed));
        let register = instruction.op0_register();
        if let Some(slot) = general_register(&mut registers, register.full_register()) {
            let value = self.random.number();
            *slot = match register.size() {
                8 => value,
                4 => value & 0xffff_ffff,
                _ => *slot & !0xffff | value & 0xffff,
            };
        }
        registers.eflags = registers.eflags & !OTHERS | CARRY;
        registers.rip = instruction.next_ip();
        tracee::set_registers(tid, &registers)
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

    /// Threads that wait in our hands do not notice signals by themselves.
    pub(super) fn interrupt_waiters(&mut self) -> io::Result<()> {
        let mut shared_is_taken = false;
        for index in self.threads.indexes(|thread| matches!(thread.state, State::Waiting(_))) {
            let Pending { own, shared, blocked } = pending(self.pid, self.threads[index].tid)?;
            let mut signals = own & !blocked;
            if !shared_is_taken && shared & !blocked != 0 {
                shared_is_taken = true;
                signals |= shared & !blocked;
            }
            if signals != 0 {
                self.interrupt_waiter(index, signals)?;
            }
        }
        Ok(())
    }

    fn interrupt_waiter(&mut self, index: ThreadIndex, signals: u64) -> io::Result<()> {
        let mut received = (1..=64).filter(|&signal| signals & bit(signal) != 0);
        let restarts = received.all(|signal| self.handlers.restarts(signal));
        let again = matches!(self.threads[index].state, State::Waiting(Wait::Futex { deadline: None, .. })) && restarts;
        if !again {
            return self.wake(index, -i64::from(libc::EINTR));
        }
        let tid = self.threads[index].tid;
        let mut registers = tracee::registers(tid)?;
        registers.rip -= SYSCALL_LEN;
        registers.rax = registers.orig_rax;
        registers.orig_rax = u64::MAX;
        self.threads[index].state = State::Runnable;
        tracee::set_registers(tid, &registers)
    }
}

/// The bit of a signal in masks, as the kernel writes them; none if there is no such signal.
fn bit(signal: i32) -> u64 {
    u32::try_from(signal - 1).ok().and_then(|shift| 1_u64.checked_shl(shift)).unwrap_or_default()
}

/// What the program does about signals.
#[derive(Debug, Default)]
pub struct Handlers {
    handled: u64,
    restarting: u64,
}

impl Handlers {
    fn set(&mut self, signal: u64, handler: libc::sighandler_t, flags: u64) {
        let bit = bit(i32::try_from(signal).unwrap_or_default());
        let set = |bits: u64, on: bool| if on { bits | bit } else { bits & !bit };
        self.handled = set(self.handled, handler != libc::SIG_DFL && handler != libc::SIG_IGN);
        self.restarting = set(self.restarting, flags & libc::SA_RESTART as u64 != 0);
    }

    /// Whether a function of the program is called.
    fn handles(&self, signal: i32) -> bool {
        self.handled & bit(signal) != 0
    }

    /// Whether waiting goes on by itself afterwards.
    fn restarts(&self, signal: i32) -> bool {
        self.restarting & bit(signal) != 0
    }
}

/// Signals that have not been received.
struct Pending {
    own: u64,
    shared: u64,
    blocked: u64,
}

fn pending(pid: pid_t, tid: pid_t) -> io::Result<Pending> {
    let status = fs::read_to_string(format!("/proc/{pid}/task/{tid}/status"))?;
    let mask = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| u64::from_str_radix(line.trim_start_matches(':').trim(), 16).ok()).unwrap_or_default()
    };
    Ok(Pending { own: mask("SigPnd"), shared: mask("ShdPnd"), blocked: mask("SigBlk") })
}

fn general_register(registers: &mut Registers, register: Register) -> Option<&mut u64> {
    Some(match register {
        Register::RAX => &mut registers.rax,
        Register::RBX => &mut registers.rbx,
        Register::RCX => &mut registers.rcx,
        Register::RDX => &mut registers.rdx,
        Register::RSI => &mut registers.rsi,
        Register::RDI => &mut registers.rdi,
        Register::RBP => &mut registers.rbp,
        Register::R8 => &mut registers.r8,
        Register::R9 => &mut registers.r9,
        Register::R10 => &mut registers.r10,
        Register::R11 => &mut registers.r11,
        Register::R12 => &mut registers.r12,
        Register::R13 => &mut registers.r13,
        Register::R14 => &mut registers.r14,
        Register::R15 => &mut registers.r15,
        _ => return None,
    })
}
