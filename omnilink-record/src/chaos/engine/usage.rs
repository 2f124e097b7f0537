//! Emulated `times`, `getrusage` and `sysinfo`, whose real results differ in every run.
//!
//! Computing time is virtual time. Counters that depend on the machine and on other processes (context switches, page faults,
//! load) are 0, which is what the kernel reports for counters that it does not maintain. Half of the memory is free.

use std::io;
use std::mem::offset_of;

use libc::c_long;

use super::Engine;
use super::calls::After;
use crate::chaos::mechanism::tracee::Registers;
use crate::chaos::state::time;

/// What `times` counts in.
const PER_TICK: u64 = 10_000_000;

impl Engine<'_> {
    /// `times`, `getrusage` and `sysinfo`.
    pub(super) fn usage(&mut self, registers: &Registers) -> io::Result<After> {
        let Registers { rdi, rsi, .. } = *registers;
        self.advance_clock(time::PER_READING);
        let now = self.now();
        let computed = now.saturating_sub(time::START);
        match registers.orig_rax as c_long {
            libc::SYS_times => {
                if rdi != 0 {
                    self.write_words(rdi, &[computed / PER_TICK, 0, 0, 0])?;
                }
                Ok(After::Return((now / PER_TICK) as i64))
            }
            libc::SYS_getrusage => {
                // Those of other processes are known to the kernel.
                if !matches!(rdi as i32, libc::RUSAGE_SELF | libc::RUSAGE_THREAD) {
                    return Ok(After::Make);
                }
                let mut words = [0; size_of::<libc::rusage>() / 8];
                [words[0], words[1]] = [computed / 1_000_000_000, computed % 1_000_000_000 / 1000];
                self.write_words(rsi, &words)?;
                Ok(After::Return(0))
            }
            _ => self.machine(rdi, now / 1_000_000_000),
        }
    }

    fn machine(&self, at: u64, uptime: u64) -> io::Result<After> {
        // SAFETY: all-zero is a value of this struct of integers, which the call fills.
        let mut told: libc::sysinfo = unsafe { std::mem::zeroed() };
        // SAFETY: the struct outlives the call.
        if unsafe { libc::sysinfo(&mut told) } != 0 {
            return Ok(After::Make);
        }
        // The last word is what memory is counted in, and room.
        let mut words = [0; size_of::<libc::sysinfo>() / 8];
        for (offset, word) in [
            (offset_of!(libc::sysinfo, uptime), uptime),
            (offset_of!(libc::sysinfo, totalram), told.totalram),
            (offset_of!(libc::sysinfo, freeram), told.totalram / 2),
            (offset_of!(libc::sysinfo, totalswap), told.totalswap),
            (offset_of!(libc::sysinfo, freeswap), told.totalswap),
            (offset_of!(libc::sysinfo, procs), 1),
            (offset_of!(libc::sysinfo, totalhigh), told.totalhigh),
            (offset_of!(libc::sysinfo, mem_unit), u64::from(told.mem_unit)),
        ] {
            words[offset / 8] = word;
        }
        self.write_words(at, &words)?;
        Ok(After::Return(0))
    }

    fn write_words(&self, at: u64, words: &[u64]) -> io::Result<()> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.process.memory().write(at, &bytes)
    }
}
