//! The initial stack of a program, made the same for every run.

use std::io;

use libc::pid_t;

use super::memory::Memory;
use super::tracee;
use crate::seed::Luck;

const AT_NULL: u64 = 0;
const AT_IGNORE: u64 = 1;
const AT_ENTRY: u64 = 9;
const AT_RANDOM: u64 = 25;
const AT_SYSINFO_EHDR: u64 = 33;

/// Hides the vDSO, so that the clock is read by system calls, and replaces the random bytes by those of the seed. Gives
/// the address at which the program itself begins, after its loader.
pub fn prepare(pid: pid_t, memory: &Memory, seed: u64) -> io::Result<u64> {
    let stack = tracee::registers(pid)?.rsp;
    let arguments = memory.u64(stack)?;
    let mut at = stack + 8 * (arguments + 2);
    while memory.u64(at)? != 0 {
        at += 8;
    }
    at += 8;
    let mut entry = 0;
    let mut luck = Luck::new(seed, "AT_RANDOM");
    loop {
        let (kind, value) = (memory.u64(at)?, memory.u64(at + 8)?);
        match kind {
            AT_NULL => return Ok(entry),
            AT_ENTRY => entry = value,
            AT_SYSINFO_EHDR => memory.set_u64(at, AT_IGNORE)?,
            AT_RANDOM => {
                memory.set_u64(value, luck.number())?;
                memory.set_u64(value + 8, luck.number())?;
            }
            _ => {}
        }
        at += 16;
    }
}
