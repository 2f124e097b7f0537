//! Child processes: their limits, how they ended and what they took.

use std::fs::{self, File};
use std::io::Read;
use std::mem::MaybeUninit;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::Outcome;

/// What a contestant may take.
pub const CPU_SECONDS: u64 = 120;
pub const GIGABYTES: u64 = 12;

/// A child that has ended.
pub struct Ended {
    pub output: String,
    /// CPU seconds, user and system, of all its threads.
    pub cpu: f64,
    pub peak_megabytes: f64,
    pub end: End,
}

/// How a child ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    Finished,
    OutOfTime,
    OutOfMemory,
    /// With the last lines that it wrote.
    Failed(String),
}

/// Runs a command to its end or to the limits. What it writes to standard error goes through a file, so that nobody has
/// to read two pipes at once.
pub fn run(command: &mut Command, errors: &Path) -> Outcome<Ended> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(File::create(errors)?);
    // SAFETY: between fork and exec nothing is called but setrlimit, which is safe to call there.
    unsafe {
        command.pre_exec(|| {
            limit(libc::RLIMIT_CPU, CPU_SECONDS)?;
            // Data rather than address space, of which Go and Java reserve more than they use.
            limit(libc::RLIMIT_DATA, GIGABYTES << 30)
        });
    }
    let mut child = command.spawn()?;
    let mut bytes = Vec::new();
    child.stdout.take().ok_or("no output")?.read_to_end(&mut bytes)?;
    let (status, usage) = wait(child.id())?;
    let output = String::from_utf8_lossy(&bytes).into_owned();
    let cpu = cpu(&usage);
    let end = if libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0 {
        End::Finished
    } else if libc::WIFSIGNALED(status) && cpu > CPU_SECONDS as f64 - 1.0 {
        End::OutOfTime
    } else {
        let said = output.clone() + &String::from_utf8_lossy(&fs::read(errors)?);
        if is_about_memory(&said) { End::OutOfMemory } else { End::Failed(last_lines(&said)) }
    };
    Ok(Ended { output, cpu, peak_megabytes: peak_megabytes(&usage), end })
}

/// CPU seconds, user and system.
pub fn cpu(usage: &libc::rusage) -> f64 {
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// The most memory that was resident.
pub fn peak_megabytes(usage: &libc::rusage) -> f64 {
    usage.ru_maxrss as f64 / 1024.0
}

fn limit(resource: libc::__rlimit_resource_t, most: u64) -> std::io::Result<()> {
    let limits = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: the pointer is to a valid value.
    match unsafe { libc::setrlimit(resource, &raw const limits) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}

/// Waits for one child, whose usage the standard library does not tell.
fn wait(child: u32) -> Outcome<(libc::c_int, libc::rusage)> {
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both pointers are to memory of the right size; all-zero bytes are a valid rusage.
        let waited = unsafe { libc::wait4(child as libc::pid_t, &raw mut status, 0, usage.as_mut_ptr()) };
        if waited >= 0 {
            // SAFETY: it was valid from the start.
            return Ok((status, unsafe { usage.assume_init() }));
        }
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(error.into());
        }
    }
}

/// Go, Rust and Java each have their words for it.
fn is_about_memory(said: &str) -> bool {
    ["cannot allocate memory", "out of memory", "memory allocation of", "OutOfMemoryError", "insufficient memory"]
        .iter()
        .any(|words| said.contains(words))
}

fn last_lines(said: &str) -> String {
    let lines: Vec<_> = said.lines().rev().take(5).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join("; ")
}
