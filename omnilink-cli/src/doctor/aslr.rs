//! Address space layout randomisation: schedules repeat exactly only when addresses do.

use std::io;

use super::Finding;

const CHECK: &str = "address layout";
/// Asks for the present personality without changing it.
const QUERY: libc::c_ulong = 0xffff_ffff;

/// Turns randomisation off for programs that this process would start, and back on.
pub fn control() -> Finding {
    match switch_off_and_back() {
        Ok(()) => Finding::ok(CHECK, "randomisation can be switched off for a program (ADDR_NO_RANDOMIZE)"),
        Err(error) => Finding::limited(
            CHECK,
            format!("personality(ADDR_NO_RANDOMIZE): {error}"),
            "runs that depend on addresses will not repeat exactly; in a container allow `personality` \
             (--security-opt seccomp=unconfined)",
        ),
    }
}

fn switch_off_and_back() -> io::Result<()> {
    let before = personality(QUERY)? as libc::c_ulong;
    personality(before | libc::ADDR_NO_RANDOMIZE as libc::c_ulong)?;
    personality(before).map(drop)
}

fn personality(persona: libc::c_ulong) -> io::Result<i32> {
    // SAFETY: takes and returns plain numbers.
    match unsafe { libc::personality(persona) } {
        -1 => Err(io::Error::last_os_error()),
        previous => Ok(previous),
    }
}
