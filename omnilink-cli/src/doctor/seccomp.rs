//! Seccomp filters that hand system calls to a tracer.

use std::io;

use super::Finding;

const CHECK: &str = "seccomp";

/// Asks the kernel whether a filter may answer "ask the tracer".
pub fn trace_filter() -> Finding {
    let action: u32 = libc::SECCOMP_RET_TRACE;
    // SAFETY: this operation only reads the action, which outlives the call.
    let answer = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &action) };
    if answer == 0 {
        return Finding::ok(CHECK, "filters can hand system calls to a tracer (SECCOMP_RET_TRACE)");
    }
    let error = io::Error::last_os_error();
    Finding::missing(
        CHECK,
        format!("seccomp(SECCOMP_GET_ACTION_AVAIL): {error}"),
        "steering schedules needs a kernel with CONFIG_SECCOMP_FILTER (4.14 or later) and a container that allows \
         seccomp (--security-opt seccomp=unconfined)",
    )
}
