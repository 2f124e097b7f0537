//! Emulated instructions: `rdtsc`, `rdtscp`, `cpuid`, `rdrand`, `rdseed` and `rdpid`. How they trap: see
//! `mechanism::processor`.

use std::arch::x86_64::CpuidResult;
use std::io;

use iced_x86::{Decoder, DecoderOptions, Mnemonic};
use libc::pid_t;

use super::Engine;
use crate::chaos::mechanism::control::CLOCK_STEP;
use crate::chaos::mechanism::processor::{described, general_register};
use crate::chaos::mechanism::tracee::{self, Registers};

impl Engine<'_> {
    /// Answers the current thread if it faults at a question that is forbidden; false if it does not.
    pub(super) fn answer_processor(&mut self, tid: pid_t) -> io::Result<bool> {
        let mut registers = tracee::registers(tid)?;
        let mut code = [0; 3];
        // The last instruction of a mapping may be shorter.
        if self.process.memory().read(registers.rip, &mut code).is_err()
            && self.process.memory().read(registers.rip, &mut code[..2]).is_err()
        {
            return Ok(false);
        }
        let length = match code {
            [0x0f, 0x31, _] => {
                self.answer_clock(&mut registers);
                2
            }
            [0x0f, 0x01, 0xf9] => {
                self.answer_clock(&mut registers);
                registers.rcx = 0;
                3
            }
            [0x0f, 0xa2, _] => {
                let CpuidResult { eax, ebx, ecx, edx } = described(registers.rax as u32, registers.rcx as u32);
                [registers.rax, registers.rbx, registers.rcx, registers.rdx] = [eax, ebx, ecx, edx].map(u64::from);
                2
            }
            _ => return Ok(false),
        };
        registers.rip += length;
        tracee::set_registers(tid, &registers)?;
        Ok(true)
    }

    fn answer_clock(&mut self, registers: &mut Registers) {
        self.advance_clock(u64::from(CLOCK_STEP));
        let now = self.now();
        (registers.rax, registers.rdx) = (now & 0xffff_ffff, now >> 32);
    }

    /// Answers `rdrand` and `rdseed` from the seed, and `rdpid` as if there were one core.
    pub(super) fn answer_random(&mut self, tid: pid_t, address: u64) -> io::Result<()> {
        const MAX_LEN: usize = 15;
        const CARRY: u64 = 1;
        const OTHERS: u64 = 1 << 2 | 1 << 4 | 1 << 6 | 1 << 7 | 1 << 11;
        let mut registers = tracee::registers(tid)?;
        let mut code = [0; MAX_LEN];
        self.process.memory().read(address, &mut code)?;
        // The first byte is the trap.
        if let Some(hit) = self.process.code().trap_at(address) {
            code[0] = hit.trap.original;
        }
        let instruction = Decoder::with_ip(64, &code, address, DecoderOptions::NONE).decode();
        let is_random = matches!(instruction.mnemonic(), Mnemonic::Rdrand | Mnemonic::Rdseed);
        debug_assert!(is_random || instruction.mnemonic() == Mnemonic::Rdpid);
        let value = if is_random { self.random.number() } else { 0 };
        let register = instruction.op0_register();
        if let Some(slot) = general_register(&mut registers, register.full_register()) {
            *slot = match register.size() {
                8 => value,
                4 => value & 0xffff_ffff,
                _ => *slot & !0xffff | value & 0xffff,
            };
        }
        if is_random {
            registers.eflags = registers.eflags & !OTHERS | CARRY;
        }
        registers.rip = instruction.next_ip();
        tracee::set_registers(tid, &registers)
    }
}
