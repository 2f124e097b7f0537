//! The few ptrace requests that the scheduler needs, each behind a safe function.
//!
//! A request fails when the thread is not stopped, which happens to us in one case only: the thread was killed. Callers
//! treat errors as that.

use std::io;
use std::ptr;
use std::time::{Duration, Instant};

use libc::{c_int, c_void, pid_t, user_regs_struct};

use super::siginfo::Siginfo;

/// Registers of a stopped thread.
pub type Registers = user_regs_struct;
/// Floating-point and vector registers of a stopped thread.
pub type FloatingPoint = libc::user_fpregs_struct;

/// What a traced program must tell us, and that it dies with us.
const OPTIONS: c_int = libc::PTRACE_O_TRACECLONE
    | libc::PTRACE_O_TRACEFORK
    | libc::PTRACE_O_TRACEVFORK
    | libc::PTRACE_O_TRACEVFORKDONE
    | libc::PTRACE_O_TRACEEXEC
    | libc::PTRACE_O_TRACEEXIT
    | libc::PTRACE_O_TRACESECCOMP
    | libc::PTRACE_O_TRACESYSGOOD
    | libc::PTRACE_O_EXITKILL;

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

fn request(request: libc::c_uint, tid: pid_t, address: usize, data: usize) -> io::Result<()> {
    // SAFETY: none of the requests made with plain numbers writes to our memory.
    match unsafe { libc::ptrace(request, tid, address as *mut c_void, data as *mut c_void) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Begins to trace a process without stopping it.
pub fn seize(pid: pid_t) -> io::Result<()> {
    request(libc::PTRACE_SEIZE, pid, 0, OPTIONS as usize)
}

/// Begins to trace a thread, and those that it starts, without stopping it: it stops only when it starts a thread,
/// before it receives a signal, and when it becomes another program.
pub fn seize_quietly(tid: pid_t) -> io::Result<()> {
    request(libc::PTRACE_SEIZE, tid, 0, (libc::PTRACE_O_TRACEEXEC | libc::PTRACE_O_TRACECLONE) as usize)
}

/// Lets the calling process be traced by the thread that started it: it stops when it executes a program.
pub fn trace_me() -> io::Result<()> {
    request(libc::PTRACE_TRACEME, 0, 0, 0)
}

/// Traces a stopped thread no longer, and lets it go, with a signal to receive or 0.
pub fn let_alone(tid: pid_t, signal: i32) -> io::Result<()> {
    request(libc::PTRACE_DETACH, tid, 0, signal as usize)
}

/// A thread has been seen to stop as all threads of its process do (`SIGSTOP`), or to go on after that: leaves it so.
pub fn stay_stopped(tid: pid_t) -> io::Result<()> {
    const SIGNAL: c_int = 0xff;
    match siginfo(tid)?.code & SIGNAL {
        libc::SIGTRAP => resume(tid, Resume::Run, 0),
        _ => request(libc::PTRACE_LISTEN, tid, 0, 0),
    }
}

/// Lets a stopped thread go, with a signal to receive or 0.
pub fn resume(tid: pid_t, how: Resume, signal: i32) -> io::Result<()> {
    let how = match how {
        Resume::Run => libc::PTRACE_CONT,
        Resume::Step => libc::PTRACE_SINGLESTEP,
        Resume::ToSystemCallExit => libc::PTRACE_SYSCALL,
    };
    request(how, tid, 0, signal as usize)
}

/// Makes a running thread stop.
pub fn interrupt(tid: pid_t) -> io::Result<()> {
    request(libc::PTRACE_INTERRUPT, tid, 0, 0)
}

/// The registers of a stopped thread.
pub fn registers(tid: pid_t) -> io::Result<Registers> {
    // SAFETY: all-zero is a value of this struct of integers; the request writes at most its size.
    unsafe {
        let mut registers: Registers = std::mem::zeroed();
        match libc::ptrace(libc::PTRACE_GETREGS, tid, ptr::null_mut::<c_void>(), &mut registers) {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(registers),
        }
    }
}

/// Changes the registers of a stopped thread.
pub fn set_registers(tid: pid_t, registers: &Registers) -> io::Result<()> {
    // SAFETY: the request only reads the struct.
    match unsafe { libc::ptrace(libc::PTRACE_SETREGS, tid, ptr::null_mut::<c_void>(), registers) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// The floating-point and vector registers of a stopped thread.
pub fn floating_point(tid: pid_t) -> io::Result<FloatingPoint> {
    // SAFETY: all-zero is a value of this struct of integers; the request writes at most its size.
    unsafe {
        let mut registers: FloatingPoint = std::mem::zeroed();
        match libc::ptrace(libc::PTRACE_GETFPREGS, tid, ptr::null_mut::<c_void>(), &mut registers) {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(registers),
        }
    }
}

/// Changes the floating-point and vector registers of a stopped thread.
pub fn set_floating_point(tid: pid_t, registers: &FloatingPoint) -> io::Result<()> {
    // SAFETY: the request only reads the struct.
    match unsafe { libc::ptrace(libc::PTRACE_SETFPREGS, tid, ptr::null_mut::<c_void>(), registers) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
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
    request(libc::PTRACE_POKEUSER, tid, DEBUG_REGISTERS + register * size_of::<u64>(), value as usize)
}

/// A word of a thread's area.
fn word(tid: pid_t, offset: usize) -> io::Result<u64> {
    // SAFETY: reads a word of the thread's area and our errno, which tells -1 from an error.
    unsafe {
        *libc::__errno_location() = 0;
        let word = libc::ptrace(libc::PTRACE_PEEKUSER, tid, offset as *mut c_void, ptr::null_mut::<c_void>());
        match *libc::__errno_location() {
            0 => Ok(word as u64),
            errno => Err(io::Error::from_raw_os_error(errno)),
        }
    }
}

/// Moves a stopped thread.
pub fn set_instruction_pointer(tid: pid_t, address: u64) -> io::Result<()> {
    request(libc::PTRACE_POKEUSER, tid, RIP, address as usize)
}

/// What an event is about: the new process's id, the exit status.
pub fn event_message(tid: pid_t) -> io::Result<u64> {
    let mut message: libc::c_ulong = 0;
    // SAFETY: the request writes one word, which outlives the call.
    match unsafe { libc::ptrace(libc::PTRACE_GETEVENTMSG, tid, ptr::null_mut::<c_void>(), &mut message) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(message),
    }
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

/// Sends a signal to a process that this thread has started and not yet waited for to its end.
pub fn signal(pid: pid_t, signal: i32) {
    // SAFETY: takes plain numbers.
    unsafe { libc::kill(pid, signal) };
}

/// Kills a process that this thread traces and has not yet waited for to its end, so that its id is still its own.
pub fn kill(pid: pid_t) {
    // SAFETY: takes plain numbers.
    unsafe { libc::kill(pid, libc::SIGKILL) };
}
