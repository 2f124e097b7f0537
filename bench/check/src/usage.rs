//! What this process has taken so far.

use std::mem::MaybeUninit;

use crate::process::{cpu, peak_megabytes};

/// CPU seconds, user and system, of all threads; and peak memory in megabytes.
pub fn so_far() -> (f64, f64) {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is to memory of the right size, which all-zero bytes already are a valid value of.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    (cpu(&usage), peak_megabytes(&usage))
}

/// Checks, and prints what the tournament reads: the verdict, CPU seconds, megabytes; and a remark for people.
pub fn measure(check: impl FnOnce() -> crate::Outcome<(&'static str, String)>) -> crate::Outcome<()> {
    let (before, _) = so_far();
    let (verdict, remark) = check()?;
    let (after, peak) = so_far();
    println!("{verdict} {:.6} {peak:.1} {remark}", after - before);
    Ok(())
}
