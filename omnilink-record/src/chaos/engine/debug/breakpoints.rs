//! Breakpoints. They are in the code only while the current thread runs, so that only this thread can hit them.

use std::collections::BTreeMap;

use crate::chaos::mechanism::memory::Memory;

const INT3: u8 = 0xcc;

/// Addresses of the program at which threads stop, and where their instructions are executed.
///
/// A displaced instruction is executed in a trampoline. One that is replaced by a trap of the scheduler is executed in
/// either place: in its own while traps are off.
#[derive(Debug, Default)]
pub struct Breakpoints {
    /// By where the instruction is executed: what address of the program it has, and how many want to stop there.
    places: BTreeMap<u64, (u64, u32)>,
}

impl Breakpoints {
    /// Stops threads at `address`, which is executed at `places`.
    pub fn add(&mut self, address: u64, places: &[u64]) {
        for &place in places {
            self.places.entry(place).or_insert((address, 0)).1 += 1;
        }
    }

    /// Takes back what [`add`](Self::add) did once.
    pub fn remove(&mut self, address: u64) {
        for (_, wanted) in self.places.values_mut().filter(|(of, _)| *of == address) {
            *wanted -= 1;
        }
        self.places.retain(|_, (_, wanted)| *wanted > 0);
    }

    /// The address of the program whose breakpoint is at this place.
    pub fn at(&self, place: u64) -> Option<u64> {
        self.places.get(&place).map(|(address, _)| *address)
    }

    /// Writes them into the code, and gives what they replaced. Where the scheduler has a trap, that one will do; memory
    /// that is gone has no breakpoints.
    pub fn insert(&self, memory: &Memory) -> Vec<(u64, u8)> {
        let mut replaced = Vec::new();
        for &place in self.places.keys() {
            let mut byte = [0];
            if memory.read(place, &mut byte).is_ok() && byte[0] != INT3 && memory.write(place, &[INT3]).is_ok() {
                replaced.push((place, byte[0]));
            }
        }
        replaced
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_breakpoint_stays_until_all_who_want_it_have_taken_it_back() {
        let mut breakpoints = Breakpoints::default();
        breakpoints.add(10, &[10, 500]);
        breakpoints.add(10, &[10, 500]);
        breakpoints.remove(10);
        assert_eq!((breakpoints.at(10), breakpoints.at(500)), (Some(10), Some(10)));
        breakpoints.remove(10);
        breakpoints.remove(10);
        assert_eq!((breakpoints.at(10), breakpoints.at(500)), (None, None));
    }

    #[test]
    fn breakpoints_replace_what_is_not_a_trap_already() {
        let code = Box::leak(Box::new([0x90_u8, INT3, 0x90]));
        let start = code.as_ptr() as u64;
        let memory = Memory::of(std::process::id() as libc::pid_t).unwrap();
        let mut breakpoints = Breakpoints::default();
        breakpoints.add(start, &[start]);
        breakpoints.add(start + 1, &[start + 1]);
        breakpoints.add(8, &[8]);
        assert_eq!(breakpoints.insert(&memory), [(start, 0x90)]);
        let mut now = [0; 3];
        memory.read(start, &mut now).unwrap();
        assert_eq!(now, [INT3, INT3, 0x90]);
    }
}
