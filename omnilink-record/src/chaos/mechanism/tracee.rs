//! The few ptrace requests that the scheduler needs, each behind a safe function.
//!
//! They are made by `nix`, except those that it lacks or that would lose something: its signals are an enumeration without
//! real-time signals, which programs receive like others, so waiting, and letting a thread go with a signal, is done by
//! `libc`; and `siginfo_t` is changed here (see [`super::siginfo`]).
//!
//! A request fails when the thread is not stopped, which happens to us in one case only: the thread was killed. Callers
//! treat errors as that.

use std::io;
use std::ptr;
use std::time::{Duration, Instant};

use libc::{c_int, c_void, pid_t, user_regs_struct};
use nix::sys::ptrace::{self, AddressType, Options, regset};
use nix::sys::signal::{self, Signal};
use nix::unistd::Pid;

use super::siginfo::Siginfo;

/// Registers of a stopped thread.
pub type Registers = user_regs_struct;
/// Floating-point and vector registers of a stopped thread.
pub type FloatingPoint = libc::user_fpregs_struct;

/// What a traced program must tell us, and that it dies with us.
const OPTIONS: Options = Options::PTRACE_O_TRACECLONE
    .union(Options::PTRACE_O_TRACEFORK)
    .union(Options::PTRACE_O_TRACEVFORK)
    .union(Options::PTRACE_O_TRACEVFORKDONE)
    .union(Options::PTRACE_O_TRACEEXEC)
    .union(Options::PTRACE_O_TRACEEXIT)
    .union(Options::PTRACE_O_TRACESECCOMP)
    .union(Options::PTRACE_O_TRACESYSGOOD)
    .union(Options::PTRACE_O_EXITKILL);

/// Where `rip` is in the area that `PTRACE_PEEKUSER` reads.
const RIP: usize = std::mem::offset_of!(libc::user, regs) + std::mem::offset_of!(user_regs_struct, rip);

/// Where the debug registers are there.
const DEBUG_REGISTERS: usize = std::mem::offset_of!(libc::user, u_debugreg);

/// How long the instruction is that makes a system call.
const SYSCALL_LEN: u64 = 2;
/// `orig_rax` of a thread that is in no system call: there is nothing to restart.
pub const NO_CALL: u64 = u64::MAX;

/// How far a thread is let go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resume {
    /// Until something happens.
    Run,
    /// For one instruction.
    Step,
    /// Until it leaves the system call that it is in.
    ToSystemCallExit,
}

/// Why a thread stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// It ended with this code.
    Exited(i32),
    /// It was killed by this signal.
    Killed(i32),
    /// It is about to receive this signal.
    Signal(i32),
    /// It leaves a system call.
    SystemCallExit,
    /// One of the `PTRACE_EVENT_` stops.
    Event(c_int),
}

impl Stop {
    fn from_status(status: c_int) -> Self {
        if libc::WIFEXITED(status) {
            return Self::Exited(libc::WEXITSTATUS(status));
        }
        if libc::WIFSIGNALED(status) {
            return Self::Killed(libc::WTERMSIG(status));
        }
        match (status >> 16, libc::WSTOPSIG(status)) {
            (0, signal) if signal == libc::SIGTRAP | 0x80 => Self::SystemCallExit,
            (0, signal) => Self::Signal(signal),
            (event, _) => Self::Event(event),
        }
    }
}

/// A request that passes a signal to a thread, or 0.
fn request(request: libc::c_uint, tid: pid_t, signal: i32) -> io::Result<()> {
    // SAFETY: none of the requests made with plain numbers writes to our memory.
    match unsafe { libc::ptrace(request, tid, ptr::null_mut::<c_void>(), signal as usize as *mut c_void) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Begins to trace a process without stopping it.
pub fn seize(pid: pid_t) -> io::Result<()> {
    Ok(ptrace::seize(Pid::from_raw(pid), OPTIONS)?)
}

/// Begins to trace a thread, and those that it starts, without stopping it: it stops only when it starts a thread,
/// before it receives a signal, and when it becomes another program.
pub fn seize_quietly(tid: pid_t) -> io::Result<()> {
    Ok(ptrace::seize(Pid::from_raw(tid), Options::PTRACE_O_TRACEEXEC | Options::PTRACE_O_TRACECLONE)?)
}

/// Lets the calling process be traced by the thread that started it: it stops when it executes a program.
pub fn trace_me() -> io::Result<()> {
    Ok(ptrace::traceme()?)
}

/// Traces a stopped thread no longer, and lets it go, with a signal to receive or 0.
pub fn let_alone(tid: pid_t, signal: i32) -> io::Result<()> {
    request(libc::PTRACE_DETACH, tid, signal)
}

/// A thread has been seen to stop as all threads of its process do (`SIGSTOP`), or to go on after that: leaves it so.
pub fn stay_stopped(tid: pid_t) -> io::Result<()> {
    const SIGNAL: c_int = 0xff;
    match siginfo(tid)?.code & SIGNAL {
        libc::SIGTRAP => resume(tid, Resume::Run, 0),
        _ => request(libc::PTRACE_LISTEN, tid, 0),
    }
}

/// Lets a stopped thread go, with a signal to receive or 0.
pub fn resume(tid: pid_t, how: Resume, signal: i32) -> io::Result<()> {
    let how = match how {
        Resume::Run => libc::PTRACE_CONT,
        Resume::Step => libc::PTRACE_SINGLESTEP,
        Resume::ToSystemCallExit => libc::PTRACE_SYSCALL,
    };
    request(how, tid, signal)
}

/// Makes a running thread stop.
pub fn interrupt(tid: pid_t) -> io::Result<()> {
    Ok(ptrace::interrupt(Pid::from_raw(tid))?)
}

/// The registers of a stopped thread.
pub fn registers(tid: pid_t) -> io::Result<Registers> {
    Ok(ptrace::getregs(Pid::from_raw(tid))?)
}

/// Changes the registers of a stopped thread.
pub fn set_registers(tid: pid_t, registers: &Registers) -> io::Result<()> {
    Ok(ptrace::setregs(Pid::from_raw(tid), *registers)?)
}

/// The floating-point and vector registers of a stopped thread.
pub fn floating_point(tid: pid_t) -> io::Result<FloatingPoint> {
    Ok(ptrace::getregset::<regset::NT_PRFPREG>(Pid::from_raw(tid))?)
}

/// Changes the floating-point and vector registers of a stopped thread.
pub fn set_floating_point(tid: pid_t, registers: &FloatingPoint) -> io::Result<()> {
    Ok(ptrace::setregset::<regset::NT_PRFPREG>(Pid::from_raw(tid), *registers)?)
}

/// Why the kernel sends a thread `SIGTRAP`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// It has executed a trap.
    Instruction,
    /// It has executed the one instruction that it was let go for.
    Step,
    /// It has touched what its debug registers watch.
    Watchpoint,
    /// Something else, such as another process that sends it.
    Other,
}

/// What the signal that a thread is about to receive says about itself.
pub fn siginfo(tid: pid_t) -> io::Result<Siginfo> {
    // SAFETY: all-zero is a value of this struct of integers; the request writes at most its size.
    unsafe {
        let mut siginfo: Siginfo = std::mem::zeroed();
        match libc::ptrace(libc::PTRACE_GETSIGINFO, tid, ptr::null_mut::<c_void>(), &mut siginfo) {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(siginfo),
        }
    }
}

/// Changes what the signal that a thread is about to receive says about itself.
pub fn set_siginfo(tid: pid_t, siginfo: &Siginfo) -> io::Result<()> {
    // SAFETY: the request only reads the struct.
    match unsafe { libc::ptrace(libc::PTRACE_SETSIGINFO, tid, ptr::null_mut::<c_void>(), siginfo) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Why a thread is about to receive `SIGTRAP`.
pub fn cause_of_trap(tid: pid_t) -> io::Result<Cause> {
    Ok(match siginfo(tid)?.code {
        libc::SI_KERNEL | libc::TRAP_BRKPT => Cause::Instruction,
        libc::TRAP_TRACE => Cause::Step,
        libc::TRAP_HWBKPT => Cause::Watchpoint,
        _ => Cause::Other,
    })
}

/// Where a stopped thread is: cheaper than all its registers.
pub fn instruction_pointer(tid: pid_t) -> io::Result<u64> {
    word(tid, RIP)
}

/// One of the registers by which a thread is watched.
pub fn debug_register(tid: pid_t, register: usize) -> io::Result<u64> {
    word(tid, DEBUG_REGISTERS + register * size_of::<u64>())
}

/// Changes one of the registers by which a stopped thread is watched.
pub fn set_debug_register(tid: pid_t, register: usize, value: u64) -> io::Result<()> {
    set_word(tid, DEBUG_REGISTERS + register * size_of::<u64>(), value)
}

/// Moves a stopped thread.
pub fn set_instruction_pointer(tid: pid_t, address: u64) -> io::Result<()> {
    set_word(tid, RIP, address)
}

/// A word of a thread's area.
fn word(tid: pid_t, offset: usize) -> io::Result<u64> {
    Ok(ptrace::read_user(Pid::from_raw(tid), offset as AddressType)? as u64)
}

/// Changes a word of a thread's area.
fn set_word(tid: pid_t, offset: usize, value: u64) -> io::Result<()> {
    Ok(ptrace::write_user(Pid::from_raw(tid), offset as AddressType, value as i64)?)
}

/// What an event is about: the new process's id, the exit status.
pub fn event_message(tid: pid_t) -> io::Result<u64> {
    Ok(ptrace::getevent(Pid::from_raw(tid))? as u64)
}

/// Whom to wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whom {
    /// This thread.
    Thread(pid_t),
    /// Any that this thread of ours traces.
    Anyone,
}

/// Waits until a thread stops or ends. Fails with `Interrupted` when a signal comes first.
pub fn wait(whom: Whom) -> io::Result<(pid_t, Stop)> {
    match wait_with(whom, 0)? {
        Some(stopped) => Ok(stopped),
        None => Err(io::ErrorKind::WouldBlock.into()),
    }
}

/// What has stopped or ended already.
pub fn poll(whom: Whom) -> io::Result<Option<(pid_t, Stop)>> {
    wait_with(whom, libc::WNOHANG)
}

fn wait_with(whom: Whom, options: c_int) -> io::Result<Option<(pid_t, Stop)>> {
    let tid = match whom {
        Whom::Thread(tid) => tid,
        Whom::Anyone => -1,
    };
    let mut status = 0;
    // Several threads of ours may each trace a program: only those of the calling thread are waited for.
    // SAFETY: `status` is writable and outlives the call.
    match unsafe { libc::waitpid(tid, &mut status, options | libc::__WALL | libc::__WNOTHREAD) } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(None),
        tid => Ok(Some((tid, Stop::from_status(status)))),
    }
}

/// Waits until a thread stops that must do so soon.
pub fn await_stop(tid: pid_t) -> io::Result<()> {
    /// The kernel does not let go of a thread that has not stopped after this time.
    const LONGEST: Duration = Duration::from_secs(2);
    let began = Instant::now();
    while began.elapsed() < LONGEST {
        match poll(Whom::Thread(tid))? {
            Some((_, Stop::Exited(_) | Stop::Killed(_))) => return Err(io::Error::from_raw_os_error(libc::ESRCH)),
            Some(_) => return Ok(()),
            None => std::thread::sleep(Duration::from_micros(100)),
        }
    }
    Err(io::ErrorKind::TimedOut.into())
}

/// Makes the system call that a thread is stopped at return `result` without being made.
pub fn return_from_call(tid: pid_t, result: i64) -> io::Result<()> {
    let mut registers = registers(tid)?;
    registers.orig_rax = NO_CALL;
    registers.rax = result as u64;
    set_registers(tid, &registers)
}

/// Adds to what a system call returns that was made successfully.
pub fn add_to_result(tid: pid_t, more: i64) -> io::Result<()> {
    let mut registers = registers(tid)?;
    if registers.rax as i64 >= 0 {
        registers.rax = registers.rax.wrapping_add(more as u64);
        set_registers(tid, &registers)?;
    }
    Ok(())
}

/// The registers of a thread in a system call, changed so that it makes the call again.
pub fn before_call(registers: &Registers) -> Registers {
    let (rip, rax) = (registers.rip - SYSCALL_LEN, registers.orig_rax);
    Registers { rip, rax, orig_rax: NO_CALL, ..*registers }
}

/// Lets a process that this thread has started, and that was stopped by a signal, go on. Fails only if it has ended.
pub fn let_continue(pid: pid_t) {
    let _ = signal::kill(Pid::from_raw(pid), Signal::SIGCONT);
}

/// Kills a process that this thread traces and has not yet waited for to its end, so that its id is still its own.
pub fn kill(pid: pid_t) {
    let _ = signal::kill(Pid::from_raw(pid), Signal::SIGKILL);
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    const INTERRUPTION: Stop = Stop::Event(libc::PTRACE_EVENT_STOP);

    /// Traces a process until it waits for input in the kernel; it will stop when that returns.
    fn trace_until_it_reads(pid: pid_t) {
        seize(pid).unwrap();
        interrupt(pid).unwrap();
        // Its program may have begun meanwhile: a stop that takes the interruption back.
        while next_stop(pid) != INTERRUPTION {
            interrupt(pid).unwrap();
            resume(pid, Resume::ToSystemCallExit, 0).unwrap();
        }
        resume(pid, Resume::ToSystemCallExit, 0).unwrap();
        loop {
            assert_eq!(next_stop(pid), Stop::SystemCallExit);
            let Registers { rax, orig_rax, rdi, .. } = registers(pid).unwrap();
            let is_entry = rax as i64 == -i64::from(libc::ENOSYS);
            let reads_input = orig_rax == libc::SYS_read as u64 && rdi == 0;
            resume(pid, Resume::ToSystemCallExit, 0).unwrap();
            if is_entry && reads_input {
                return;
            }
        }
    }

    fn next_stop(pid: pid_t) -> Stop {
        loop {
            match wait(Whom::Thread(pid)) {
                Ok((_, stop)) => return stop,
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::Interrupted),
            }
        }
    }

    /// What `engine::interruptions` relies on.
    #[test]
    fn a_stop_takes_an_interruption_back_unless_it_comes_later() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let pid = child.id() as pid_t;
        trace_until_it_reads(pid);
        // The call ends because of the interruption, and that the call ends is a stop.
        interrupt(pid).unwrap();
        assert_eq!(next_stop(pid), Stop::SystemCallExit);
        // There is no stop for the interruption: the next one is the call that begins again.
        resume(pid, Resume::ToSystemCallExit, 0).unwrap();
        assert_eq!(next_stop(pid), Stop::SystemCallExit);
        resume(pid, Resume::ToSystemCallExit, 0).unwrap();
        interrupt(pid).unwrap();
        assert_eq!(next_stop(pid), Stop::SystemCallExit);
        // Interrupted while it is stopped, even twice, it stops for that once.
        interrupt(pid).unwrap();
        interrupt(pid).unwrap();
        resume(pid, Resume::Run, 0).unwrap();
        assert_eq!(next_stop(pid), INTERRUPTION);
        resume(pid, Resume::ToSystemCallExit, 0).unwrap();
        assert_eq!(next_stop(pid), Stop::SystemCallExit, "the call begins again");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
