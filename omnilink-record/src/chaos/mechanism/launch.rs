//! Starting a program under control, stopped right after it has been loaded.
//!
//! Everything is allocated before the fork: between fork and exec only system calls are allowed, because other threads
//! of ours may hold locks.

use std::ffi::{CString, OsStr};
use std::io::{self, PipeReader, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::ptr;

use libc::{c_char, c_int, c_long, pid_t, sock_filter};

use super::filter;
use super::tracee::{self, Stop, Whom};
use crate::directory::{Streams, TRACE_DESCRIPTOR};
use crate::environment::Environment;
use crate::error::RecordError;
use crate::plan::Plan;

/// The descriptor of the control page in the program, until it is mapped.
pub const CONTROL_DESCRIPTOR: RawFd = 201;
/// Where the memory areas of a program begin depends on this, so it is the same everywhere.
const STACK_LIMIT: libc::rlim_t = 8 << 20;

/// What the child does on the way to the program, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Step {
    Streams,
    WorkingDirectory,
    Privileges,
    Counter,
    Filter,
    Exec,
}

impl Step {
    fn from_number(number: u8) -> Option<Self> {
        [Self::Streams, Self::WorkingDirectory, Self::Privileges, Self::Counter, Self::Filter, Self::Exec]
            .into_iter()
            .find(|step| *step as u8 == number)
    }
}

/// A program that has been loaded and has not yet executed an instruction.
#[derive(Debug)]
pub struct Launched {
    /// Its process, traced by the calling thread.
    pub pid: pid_t,
    /// Whether its addresses are the same in every run.
    pub fixed_addresses: bool,
}

/// Starts the program of a plan, with this environment. The kernel asks the tracer about the system calls in `traced`.
pub fn launch(
    plan: &Plan,
    environment: &Environment,
    streams: &Streams,
    control: RawFd,
    traced: &[c_long],
) -> Result<Launched, RecordError> {
    refuse_setuid(&plan.program)?;
    let child = Child::prepare(plan, environment, streams, control, filter::program(traced))?;
    let (go, mut when_seized) = io::pipe().map_err(RecordError::system("pipe"))?;
    let (failure, report) = io::pipe().map_err(RecordError::system("pipe"))?;
    let fixed_addresses = can_fix_addresses();
    // SAFETY: the child only makes system calls, with memory prepared above, and then executes or ends.
    let pid = unsafe {
        match libc::fork() {
            -1 => return Err(RecordError::system("fork")(io::Error::last_os_error())),
            0 => child.run(go.as_raw_fd(), report.as_raw_fd()),
            pid => pid,
        }
    };
    drop((go, report));
    if let Err(source) = tracee::seize(pid) {
        tracee::kill(pid);
        let _ = tracee::wait(Whom::Thread(pid));
        return Err(RecordError::Forbidden {
            what: "tracing the program (PTRACE_SEIZE)",
            source,
            remedy: "allow ptrace (kernel.yama.ptrace_scope below 3; in a container --cap-add SYS_PTRACE), or use --free",
        });
    }
    // Fails only if the child has been killed, which is noticed next.
    let _ = when_seized.write_all(&[1]);
    wait_for_exec(pid).map_err(|()| explain(plan, failure))?;
    Ok(Launched { pid, fixed_addresses })
}

fn wait_for_exec(pid: pid_t) -> Result<(), ()> {
    loop {
        match tracee::wait(Whom::Thread(pid)) {
            Ok((_, Stop::Event(libc::PTRACE_EVENT_EXEC))) => return Ok(()),
            Ok((_, Stop::Exited(_) | Stop::Killed(_))) => return Err(()),
            Ok((_, Stop::Signal(signal))) => tracee::resume(pid, tracee::Resume::Run, signal).map_err(drop)?,
            Ok((_, Stop::SystemCallExit | Stop::Event(_))) => {
                tracee::resume(pid, tracee::Resume::Run, 0).map_err(drop)?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Err(()),
        }
    }
}

/// Why the child did not get to the program.
fn explain(plan: &Plan, mut failure: PipeReader) -> RecordError {
    let mut report = [0_u8; 5];
    let is_complete = failure.read_exact(&mut report).is_ok();
    let [step, errno @ ..] = report;
    let source = io::Error::from_raw_os_error(i32::from_le_bytes(errno));
    let step = Step::from_number(step).filter(|_| is_complete);
    let forbidden = |what, remedy| RecordError::Forbidden { what, source: copy(&source), remedy };
    match step {
        Some(Step::WorkingDirectory) => RecordError::File { path: plan.working_directory.clone(), source },
        Some(Step::Privileges | Step::Filter) => forbidden(
            "asking the kernel to report system calls (seccomp)",
            "in a container allow seccomp filters (--security-opt seccomp=unconfined), or use --free",
        ),
        Some(Step::Counter) => forbidden(
            "hiding the cycle counter (PR_SET_TSC)",
            "in a container allow prctl (--security-opt seccomp=unconfined), or use --free",
        ),
        Some(Step::Streams) => RecordError::System { what: "redirecting standard streams", source },
        Some(Step::Exec) | None => RecordError::File { path: plan.program.clone(), source },
    }
}

fn copy(error: &io::Error) -> io::Error {
    io::Error::from_raw_os_error(error.raw_os_error().unwrap_or_default())
}

fn refuse_setuid(program: &Path) -> Result<(), RecordError> {
    let mode = program.metadata().map_err(RecordError::file(program))?.permissions().mode();
    if mode & (libc::S_ISUID | libc::S_ISGID) == 0 {
        return Ok(());
    }
    Err(RecordError::Unsupported {
        program: program.to_owned(),
        reason: "changes its user or group when started (setuid), which traced programs may not".to_owned(),
        remedy: "copy the file, which drops that, or use --free".to_owned(),
    })
}

/// Whether the kernel lets us switch off address space randomisation.
fn can_fix_addresses() -> bool {
    const QUERY: libc::c_ulong = 0xffff_ffff;
    // SAFETY: takes and returns plain numbers; setting what is set already changes nothing.
    unsafe {
        match libc::personality(QUERY) {
            -1 => false,
            present => {
                libc::personality(present as libc::c_ulong | libc::ADDR_NO_RANDOMIZE as libc::c_ulong) != -1
                    && libc::personality(present as libc::c_ulong) != -1
            }
        }
    }
}

/// A copy of a descriptor above all those that the program gets, so that giving it one does not take away another.
fn out_of_the_way(descriptor: RawFd) -> Result<OwnedFd, RecordError> {
    // SAFETY: takes plain numbers; the descriptor returned is ours.
    unsafe {
        match libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, CONTROL_DESCRIPTOR + 1) {
            -1 => Err(RecordError::system("fcntl(F_DUPFD_CLOEXEC)")(io::Error::last_os_error())),
            copy => Ok(OwnedFd::from_raw_fd(copy)),
        }
    }
}

/// All that the child needs.
struct Child {
    program: CString,
    working_directory: CString,
    _strings: Vec<CString>,
    arguments: Vec<*const c_char>,
    environment: Vec<*const c_char>,
    descriptors: Vec<(OwnedFd, RawFd)>,
    filter: Vec<sock_filter>,
}

impl Child {
    fn prepare(
        plan: &Plan,
        environment: &Environment,
        streams: &Streams,
        control: RawFd,
        filter: Vec<sock_filter>,
    ) -> Result<Self, RecordError> {
        let program = terminated(plan.program.as_os_str())?;
        let name = std::iter::once(plan.program.as_os_str());
        let arguments = name.chain(plan.arguments.iter().map(OsStr::new)).map(terminated);
        let arguments: Vec<CString> = arguments.collect::<Result<_, _>>()?;
        let environment = environment.iter().map(|(name, value)| terminated(OsStr::new(&format!("{name}={value}"))));
        let environment: Vec<CString> = environment.collect::<Result<_, _>>()?;
        let Streams { stdin, stdout, stderr, trace } = streams;
        let descriptors = vec![
            (out_of_the_way(stdin.as_raw_fd())?, 0),
            (out_of_the_way(stdout.as_raw_fd())?, 1),
            (out_of_the_way(stderr.as_raw_fd())?, 2),
            (out_of_the_way(control)?, CONTROL_DESCRIPTOR),
            (out_of_the_way(trace.as_raw_fd())?, TRACE_DESCRIPTOR),
        ];
        Ok(Self {
            program,
            working_directory: terminated(plan.working_directory.as_os_str())?,
            arguments: pointers(&arguments),
            environment: pointers(&environment),
            _strings: arguments.into_iter().chain(environment).collect(),
            descriptors,
            filter,
        })
    }

    /// What the child does.
    ///
    /// # Safety
    /// To be called in a child of fork only: it changes the whole process and never returns.
    unsafe fn run(&self, go: RawFd, report: RawFd) -> ! {
        // SAFETY: by the caller's promise these are calls about a process of its own; all pointers are to memory that
        // `self` keeps alive.
        unsafe {
            let step = self.become_program(go);
            let errno = *libc::__errno_location();
            let [a, b, c, d] = errno.to_le_bytes();
            libc::write(report, [step as u8, a, b, c, d].as_ptr().cast(), 5);
            libc::_exit(127)
        }
    }

    /// Goes through all steps; returns the one that failed.
    ///
    /// # Safety
    /// As [`Child::run`].
    unsafe fn become_program(&self, go: RawFd) -> Step {
        // SAFETY: as in `run`.
        unsafe {
            for signal in 1..=64 {
                libc::signal(signal, libc::SIG_DFL);
            }
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut none);
            libc::sigprocmask(libc::SIG_SETMASK, &none, ptr::null_mut());
            // Ctrl-C is for us: we end the program in an orderly way.
            libc::setpgid(0, 0);
            let mut byte = 0_u8;
            while libc::read(go, (&raw mut byte).cast(), 1) == -1 && *libc::__errno_location() == libc::EINTR {}

            const CLOSE_RANGE_CLOEXEC: c_int = 4;
            libc::syscall(libc::SYS_close_range, 3, u32::MAX, CLOSE_RANGE_CLOEXEC);
            for (from, to) in &self.descriptors {
                if libc::dup2(from.as_raw_fd(), *to) == -1 {
                    return Step::Streams;
                }
            }
            if libc::chdir(self.working_directory.as_ptr()) == -1 {
                return Step::WorkingDirectory;
            }
            limit(libc::RLIMIT_CORE, 0);
            limit(libc::RLIMIT_STACK, STACK_LIMIT);
            // If that is forbidden, addresses differ from run to run; the caller has noticed it.
            libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1 {
                return Step::Privileges;
            }
            if libc::prctl(libc::PR_SET_TSC, libc::PR_TSC_SIGSEGV, 0, 0, 0) == -1 {
                return Step::Counter;
            }
            let filter = libc::sock_fprog { len: self.filter.len() as u16, filter: self.filter.as_ptr().cast_mut() };
            if libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const filter) == -1 {
                return Step::Filter;
            }
            libc::execve(self.program.as_ptr(), self.arguments.as_ptr(), self.environment.as_ptr());
            Step::Exec
        }
    }
}

/// Lowers a soft limit as far as the hard limit allows.
///
/// # Safety
/// Changes the whole process.
unsafe fn limit(resource: libc::__rlimit_resource_t, value: libc::rlim_t) {
    // SAFETY: the struct is initialised by the first call and outlives both.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        if libc::getrlimit(resource, &mut limit) == 0 {
            limit.rlim_cur = value.min(limit.rlim_max);
            libc::setrlimit(resource, &limit);
        }
    }
}

fn terminated(text: &OsStr) -> Result<CString, RecordError> {
    CString::new(text.as_bytes())
        .map_err(|_| RecordError::Usage(format!("{}: contains a zero byte", text.to_string_lossy())))
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain(std::iter::once(ptr::null())).collect()
}
