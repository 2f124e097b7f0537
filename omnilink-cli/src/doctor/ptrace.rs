//! Tracing a child process, which rr, debuggers and other ways to steer a program are built on.

use std::io;
use std::ptr;

use super::{Finding, probe};

const SCOPE: &str = "/proc/sys/kernel/yama/ptrace_scope";

/// Forks a child that asks to be traced, and waits for it to stop for us.
pub fn tracing() -> Finding {
    let check = "ptrace";
    match trace_a_child() {
        Ok(()) => Finding::ok(check, "a child process can be traced"),
        Err(error) => Finding::missing(
            check,
            error.to_string(),
            "rr needs ptrace; in a container start it with --cap-add=SYS_PTRACE",
        ),
    }
}

/// Yama's restriction: children can be traced up to scope 1.
pub fn yama() -> Finding {
    let check = "Yama";
    match probe::setting(SCOPE).as_deref() {
        None => Finding::ok(check, "not active: no restriction of ptrace"),
        Some(scope @ ("0" | "1")) => Finding::ok(check, format!("ptrace_scope = {scope}: children can be traced")),
        Some("2") => Finding::limited(
            check,
            "ptrace_scope = 2: only processes with CAP_SYS_PTRACE can trace",
            "sysctl kernel.yama.ptrace_scope=1, or run as root",
        ),
        Some("3") => Finding::missing(
            check,
            "ptrace_scope = 3: nothing can be traced until the next boot",
            "set kernel.yama.ptrace_scope=1 in /etc/sysctl.d and reboot",
        ),
        Some(other) => Finding::limited(
            check,
            format!("ptrace_scope = {other}, which is unknown"),
            "sysctl kernel.yama.ptrace_scope=1",
        ),
    }
}

fn trace_a_child() -> io::Result<()> {
    // SAFETY: the child, whatever threads its parent had, calls only async-signal-safe functions before it ends.
    match unsafe { libc::fork() } {
        -1 => Err(context("fork", io::Error::last_os_error())),
        0 => ask_to_be_traced(),
        child => watch(child),
    }
}

/// The child: stops if it may be traced, ends with the error's number else.
fn ask_to_be_traced() -> ! {
    let nothing = ptr::null_mut::<libc::c_void>();
    // SAFETY: PTRACE_TRACEME ignores its pointers; `_exit` runs no destructors of the forked parent.
    unsafe {
        if libc::ptrace(libc::PTRACE_TRACEME, 0, nothing, nothing) == -1 {
            libc::_exit(io::Error::last_os_error().raw_os_error().unwrap_or(libc::EPERM));
        }
        libc::raise(libc::SIGSTOP);
        libc::_exit(0)
    }
}

fn watch(child: libc::pid_t) -> io::Result<()> {
    let status = wait(child)?;
    if libc::WIFEXITED(status) {
        return Err(context("PTRACE_TRACEME", io::Error::from_raw_os_error(libc::WEXITSTATUS(status))));
    }
    let options = libc::PTRACE_O_EXITKILL | libc::PTRACE_O_TRACESECCOMP;
    // SAFETY: the child is our stopped tracee; this request takes its options by value and no address.
    let answer = unsafe {
        libc::ptrace(libc::PTRACE_SETOPTIONS, child, ptr::null_mut::<libc::c_void>(), options as libc::c_long)
    };
    let result = match answer {
        -1 => Err(context("PTRACE_SETOPTIONS", io::Error::last_os_error())),
        _ => Ok(()),
    };
    // SAFETY: sends a signal to our own child, which has not been waited for to its end.
    unsafe { libc::kill(child, libc::SIGKILL) };
    wait(child)?;
    result
}

fn wait(child: libc::pid_t) -> io::Result<i32> {
    let mut status = 0;
    // SAFETY: `status` is writable and outlives the call.
    match unsafe { libc::waitpid(child, &mut status, 0) } {
        -1 => Err(context("waitpid", io::Error::last_os_error())),
        _ => Ok(status),
    }
}

fn context(what: &str, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what}: {error}"))
}
