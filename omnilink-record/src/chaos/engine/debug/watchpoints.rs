//! Watchpoints: the processor stops a thread after an instruction that touches what is watched.
//!
//! Every thread has registers for that of its own (the debug registers of x86-64: four addresses, aligned, of up to
//! eight bytes each). They are set before a thread goes on, whoever's turn it is, so that all threads are watched; and
//! they are cleared in the same way when the debugger has left. Nothing else about the thread changes: it executes what
//! it would have executed. What the kernel or the scheduler writes for the program is not seen.

use std::collections::HashMap;
use std::io;

use gdbstub::target::ext::breakpoints::WatchKind;
use libc::pid_t;

use crate::chaos::mechanism::tracee;

/// How many addresses a thread has registers for.
const REGISTERS: usize = 4;
const STATUS: usize = 6;
const CONTROL: usize = 7;

/// Memory that a debugger wants watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Watched {
    /// Where it begins.
    pub address: u64,
    /// How many bytes.
    pub length: u64,
    /// What is of interest.
    pub kind: WatchKind,
}

/// Part of that, which a register can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    address: u64,
    length: u64,
    of: Watched,
}

impl Watched {
    fn parts(self) -> Vec<Part> {
        let end = self.address.saturating_add(self.length);
        let mut parts = Vec::new();
        let mut address = self.address;
        while address < end {
            let fits = |length: &u64| address.is_multiple_of(*length) && address.saturating_add(*length) <= end;
            let length = [8, 4, 2].into_iter().find(fits).unwrap_or(1);
            parts.push(Part { address, length, of: self });
            address += length;
            // More than this cannot be watched, whatever comes.
            if parts.len() > REGISTERS {
                break;
            }
        }
        parts
    }
}

/// Whether a thread has registers for all of this.
pub fn can_be_set(watched: &[Watched]) -> bool {
    watched.iter().flat_map(|watched| watched.parts()).count() <= REGISTERS
}

/// What is watched, and what each thread's registers hold.
#[derive(Debug, Default)]
pub struct Watchpoints {
    wanted: Vec<Part>,
    set: HashMap<pid_t, Vec<Part>>,
}

impl Watchpoints {
    /// Watches this from now on, and nothing else.
    pub fn watch(&mut self, watched: &[Watched]) {
        self.wanted = watched.iter().flat_map(|watched| watched.parts()).take(REGISTERS).collect();
    }

    /// A stopped thread goes on: sets its registers.
    pub fn apply(&mut self, tid: pid_t) -> io::Result<()> {
        if self.set.get(&tid).map_or(&[][..], Vec::as_slice) == self.wanted {
            return Ok(());
        }
        set(tid, &self.wanted)?;
        self.set.insert(tid, self.wanted.clone());
        Ok(())
    }

    /// What a thread that has stopped has touched.
    pub fn touched(&self, tid: pid_t) -> io::Result<Option<Watched>> {
        let Some(parts) = self.set.get(&tid).filter(|parts| !parts.is_empty()) else { return Ok(None) };
        let status = tracee::debug_register(tid, STATUS)?;
        let touched = (0..parts.len()).find(|register| status & (1 << register) != 0);
        if touched.is_some() {
            tracee::set_debug_register(tid, STATUS, 0)?;
        }
        Ok(touched.map(|register| parts[register].of))
    }
}

/// Whether the machine lets a stopped thread watch this.
pub fn is_possible(tid: pid_t, watched: &[Watched]) -> bool {
    let before: io::Result<Vec<u64>> =
        [0, 1, 2, 3, CONTROL].into_iter().map(|register| tracee::debug_register(tid, register)).collect();
    let Ok(before) = before else { return false };
    let parts: Vec<Part> = watched.iter().flat_map(|watched| watched.parts()).collect();
    let possible = set(tid, &parts).is_ok();
    // As it was, so that what is known of the thread's registers stays true.
    let _ = tracee::set_debug_register(tid, CONTROL, 0);
    for (register, value) in [0, 1, 2, 3, CONTROL].into_iter().zip(before) {
        let _ = tracee::set_debug_register(tid, register, value);
    }
    possible
}

fn set(tid: pid_t, parts: &[Part]) -> io::Result<()> {
    tracee::set_debug_register(tid, CONTROL, 0)?;
    for (register, part) in parts.iter().enumerate() {
        tracee::set_debug_register(tid, register, part.address)?;
    }
    tracee::set_debug_register(tid, STATUS, 0)?;
    tracee::set_debug_register(tid, CONTROL, control(parts))
}

/// What the control register says: which of the others count, for how many bytes, and what is of interest.
fn control(parts: &[Part]) -> u64 {
    let one = |(register, part): (usize, &Part)| {
        // The processor cannot watch for reading alone; debuggers see by the value that it was written.
        let access: u64 = if part.of.kind == WatchKind::Write { 0b01 } else { 0b11 };
        let length: u64 = match part.length {
            1 => 0b00,
            2 => 0b01,
            4 => 0b11,
            _ => 0b10,
        };
        1 << (2 * register) | access << (16 + 4 * register) | length << (18 + 4 * register)
    };
    parts.iter().enumerate().map(one).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watched(address: u64, length: u64) -> Watched {
        Watched { address, length, kind: WatchKind::Write }
    }

    #[test]
    fn registers_hold_aligned_parts() {
        let parts = |address, length| -> Vec<(u64, u64)> {
            watched(address, length).parts().iter().map(|part| (part.address, part.length)).collect()
        };
        assert_eq!(parts(16, 8), [(16, 8)]);
        assert_eq!(parts(13, 7), [(13, 1), (14, 2), (16, 4)]);
        assert_eq!(parts(16, 24), [(16, 8), (24, 8), (32, 8)]);
        assert!(can_be_set(&[watched(16, 24), watched(3, 1)]));
        assert!(!can_be_set(&[watched(16, 24), watched(3, 2)]));
        assert!(!can_be_set(&[watched(0, u64::MAX)]));
    }

    #[test]
    fn the_control_register_tells_lengths_and_accesses() {
        let read = Watched { kind: WatchKind::Read, ..watched(4, 4) };
        let parts: Vec<Part> = [watched(8, 8), read].into_iter().flat_map(Watched::parts).collect();
        assert_eq!(control(&parts), 0b1111_1001_0000_0000_0000_0101);
    }
}
