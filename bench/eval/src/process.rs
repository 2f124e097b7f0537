//! Child processes and the CPU time they took.

use std::io::Read;
use std::mem::MaybeUninit;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::Outcome;

/// A child that has ended.
pub struct Ended {
    pub output: String,
    pub cpu: Duration,
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Outcome<Ended> {
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut output = String::new();
    child.stdout.take().ok_or("no output")?.read_to_string(&mut output)?;
    let before = children_cpu();
    child.wait()?;
    Ok(Ended { output, cpu: children_cpu() - before })
}

/// CPU time, user and system, of all children that were waited for.
fn children_cpu() -> Duration {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is to memory of the right size, which all-zero bytes already are a valid value of.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    };
    let duration = |time: libc::timeval| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000);
    duration(usage.ru_utime) + duration(usage.ru_stime)
}
