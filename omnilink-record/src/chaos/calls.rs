//! What happens at the system calls of [`super::filter`].

use std::io;
use std::time::{Duration, Instant};

use libc::c_long;

use super::engine::{Engine, Halt};
use super::readiness::{self, Timeout};
use super::threads::{State, Wait};
use super::time;
use super::tracee::{self, Registers, Resume, Stop, Whom};
use super::{filter, identity};

/// How long a call may take before it counts as waiting, when others could run.
const GRACE: Duration = Duration::from_millis(20);

/// How long the instruction is that makes a system call.
pub const SYSCALL_LEN: u64 = 2;

/// What to do about a system call.
#[derive(Debug)]
pub enum After {
    /// It returns this, without being made.
    Return(i64),
    /// It returns this, and somebody else may go on.
    ReturnAtPoint(i64),
    /// It returns this, and somebody else shall go on.
    ReturnAndYield(i64),
    /// It waits.
    Wait(Wait),
    /// It is made; it does not wait.
    Make,
    /// It is made, and we look again when it returns.
    MakeAndLook,
    /// It is made, and may wait for something that only the kernel knows.
    MakeAndFollow,
}

impl Engine<'_> {
    /// The current thread is about to make a system call.
    pub(super) fn system_call(&mut self) -> Result<(), Halt> {
        let index = self.current;
        let mut registers = tracee::registers(self.threads[index].tid)?;
        if identity::resolve(&mut registers, &self.threads) {
            tracee::set_registers(self.threads[index].tid, &registers)?;
        }
        let after = match self.consider(&registers) {
            Ok(after) => after,
            // A pointer that leads nowhere: the kernel knows what to say about it.
            Err(error) if matches!(error.raw_os_error(), Some(libc::EIO | libc::EFAULT)) => After::Make,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => After::Make,
            Err(error) => return Err(error.into()),
        };
        match after {
            After::Return(result) => Ok(self.return_from_call(index, result)?),
            After::ReturnAtPoint(result) => {
                self.return_from_call(index, result)?;
                self.point(registers.orig_rax)
            }
            After::ReturnAndYield(result) => {
                self.return_from_call(index, result)?;
                self.yielded()
            }
            After::Wait(wait) => {
                self.threads[index].state = State::Waiting(wait);
                self.blocked()
            }
            After::Make => Ok(()),
            After::MakeAndLook => self.make_and_look(&registers),
            After::MakeAndFollow => self.follow(),
        }
    }

    fn consider(&mut self, registers: &Registers) -> io::Result<After> {
        let Registers { rdi, rsi, rdx, r10, .. } = *registers;
        Ok(match registers.orig_rax as c_long {
            libc::SYS_futex => return self.futex(registers),
            libc::SYS_sched_yield => After::ReturnAndYield(0),
            libc::SYS_nanosleep => self.sleep(self.duration_at(rdi)?.map(|time| self.now().saturating_add(time))),
            libc::SYS_clock_nanosleep => {
                let clock = rdi as libc::clockid_t;
                let absolute = rsi as i32 & libc::TIMER_ABSTIME != 0;
                self.sleep(self.duration_at(rdx)?.map(|time| match absolute {
                    true => time::from_clock(clock, time),
                    false => self.now().saturating_add(time),
                }))
            }
            libc::SYS_clock_gettime => {
                let now = time::of_clock(rdi as libc::clockid_t, self.read_clock());
                self.write_pair(rsi, now / 1_000_000_000, now % 1_000_000_000)?
            }
            libc::SYS_gettimeofday => {
                let now = time::of_clock(libc::CLOCK_REALTIME, self.read_clock());
                self.write_pair(rdi, now / 1_000_000_000, now % 1_000_000_000 / 1000)?
            }
            libc::SYS_time => {
                let now = time::of_clock(libc::CLOCK_REALTIME, self.read_clock()) / 1_000_000_000;
                if rdi != 0 {
                    self.memory.set_u64(rdi, now)?;
                }
                After::Return(now as i64)
            }
            libc::SYS_getrandom => self.getrandom(rdi, rsi)?,
            libc::SYS_getpid => After::Return(identity::told(0)),
            libc::SYS_gettid => After::Return(identity::told(self.current)),
            libc::SYS_getcpu => {
                for at in [rdi, rsi].into_iter().filter(|&at| at != 0) {
                    self.memory.set_u32(at, 0)?;
                }
                After::Return(0)
            }
            // Restartable sequences tell which processor a thread is on. Who would wait by the newer calls for that is
            // expected to do without them, as older kernels have none of them.
            libc::SYS_rseq
            | filter::SYS_FUTEX_WAITV
            | filter::SYS_FUTEX_WAKE
            | filter::SYS_FUTEX_WAIT
            | filter::SYS_FUTEX_REQUEUE => After::Return(-i64::from(libc::ENOSYS)),
            libc::SYS_sched_getaffinity => self.affinity(rsi, rdx)?,
            libc::SYS_sched_setaffinity => After::Return(0),
            libc::SYS_set_tid_address => {
                self.threads[self.current].clear_on_exit = rdi;
                After::Make
            }
            libc::SYS_rt_sigaction => {
                self.note_action(rdi, rsi)?;
                After::Make
            }
            libc::SYS_mprotect => {
                self.code_made(rdi)?;
                After::Make
            }
            libc::SYS_mmap
            | libc::SYS_rt_sigreturn
            | libc::SYS_kill
            | libc::SYS_tkill
            | libc::SYS_tgkill
            | libc::SYS_rt_sigqueueinfo
            | libc::SYS_rt_tgsigqueueinfo => After::MakeAndLook,
            libc::SYS_alarm | libc::SYS_setitimer | libc::SYS_timer_settime | libc::SYS_timerfd_settime => {
                self.note("it uses timers of the kernel, which go by the real clock");
                After::Make
            }
            libc::SYS_wait4
            | libc::SYS_waitid
            | libc::SYS_pause
            | libc::SYS_rt_sigtimedwait
            | libc::SYS_rt_sigsuspend => After::MakeAndFollow,
            libc::SYS_flock => After::MakeAndFollow,
            libc::SYS_fcntl => match rsi as i32 {
                libc::F_SETLKW | libc::F_OFD_SETLKW => After::MakeAndFollow,
                _ => After::Make,
            },
            libc::SYS_recvfrom | libc::SYS_sendto if r10 as i32 & libc::MSG_DONTWAIT != 0 => After::Make,
            libc::SYS_recvmsg | libc::SYS_sendmsg if rdx as i32 & libc::MSG_DONTWAIT != 0 => After::Make,
            call if identity::NAMING.iter().any(|&(naming, _)| naming == call) => After::Make,
            _ => self.transfer(registers)?,
        })
    }

    /// A reading of the clock by a system call.
    fn read_clock(&mut self) -> u64 {
        self.advance_clock(time::PER_READING);
        self.now()
    }

    fn sleep(&self, deadline: Option<u64>) -> After {
        match deadline {
            Some(deadline) => After::Wait(Wait::Sleep { deadline }),
            None => After::Make,
        }
    }

    fn write_pair(&self, address: u64, first: u64, second: u64) -> io::Result<After> {
        if address != 0 {
            self.memory.set_u64(address, first)?;
            self.memory.set_u64(address + 8, second)?;
        }
        Ok(After::Return(0))
    }

    fn getrandom(&mut self, address: u64, length: u64) -> io::Result<After> {
        // The kernel, too, gives no more than this at once.
        let length = length.min(256);
        let bytes: Vec<u8> = (0..length).map(|_| self.random.number() as u8).collect();
        self.memory.write(address, &bytes)?;
        Ok(After::Return(length as i64))
    }

    /// The program is told that it may run on all processors that we may run on, though it runs on one at a time.
    fn affinity(&self, size: u64, address: u64) -> io::Result<After> {
        let cores = self.processors;
        let bytes = cores.div_ceil(64).max(1) * 8;
        if (size as usize) < bytes {
            return Ok(After::Return(-i64::from(libc::EINVAL)));
        }
        let mut set = vec![0_u8; bytes];
        for core in 0..cores {
            set[core / 8] |= 1 << (core % 8);
        }
        self.memory.write(address, &set)?;
        Ok(After::Return(bytes as i64))
    }

    /// A call that reads or writes, or asks whether one can.
    fn transfer(&mut self, registers: &Registers) -> io::Result<After> {
        let Some((readiness, timeout)) = readiness::watched(self.pid, &self.memory, registers)? else {
            return Ok(After::Make);
        };
        if timeout == Timeout::After(0) {
            return Ok(After::Make);
        }
        if readiness.is_ready(0) {
            let fills_up = readiness::may_wait_though_ready(registers) && readiness.is_channel();
            return Ok(if fills_up { After::MakeAndFollow } else { After::Make });
        }
        let deadline = match timeout {
            Timeout::Never => None,
            Timeout::After(time) => Some(self.now().saturating_add(time)),
        };
        Ok(After::Wait(Wait::Descriptors { readiness, deadline }))
    }

    /// Makes a call that returns at once, and looks at what it changed.
    fn make_and_look(&mut self, registers: &Registers) -> Result<(), Halt> {
        let tid = self.threads[self.current].tid;
        tracee::resume(tid, Resume::ToSystemCallExit, 0)?;
        let stop = self.wait_for(tid)?;
        if stop != Stop::SystemCallExit {
            self.threads[self.current].pending = Some(stop);
        } else if registers.orig_rax as c_long == libc::SYS_rt_sigreturn {
            self.resume_moved(tid)?;
        } else if registers.orig_rax as c_long == libc::SYS_mmap {
            return self.code_mapped(tid);
        }
        Ok(self.interrupt_waiters()?)
    }

    /// Makes a call that may wait in the kernel; if it does, others go on.
    fn follow(&mut self) -> Result<(), Halt> {
        let index = self.current;
        let tid = self.threads[index].tid;
        tracee::resume(tid, Resume::ToSystemCallExit, 0)?;
        if !self.somebody_else_may_run() {
            let stop = self.wait_for(tid)?;
            self.threads[index].pending = Some(stop);
            return Ok(());
        }
        self.threads[index].state = State::InKernel;
        let began = Instant::now();
        while began.elapsed() < GRACE && matches!(self.threads[index].state, State::InKernel) {
            match tracee::poll(Whom::Anyone)? {
                Some((who, stop)) => self.dispatch(who, stop)?,
                None => std::thread::sleep(Duration::from_micros(20)),
            }
        }
        if matches!(self.threads[index].state, State::Runnable) {
            return Ok(());
        }
        self.note("a thread waited in the kernel while others ran");
        self.blocked()
    }

    /// Whether anybody but the current thread can run, or will when time passes or something comes from outside.
    pub(super) fn somebody_else_may_run(&self) -> bool {
        self.threads.iter().any(|(index, thread)| {
            index != self.current
                && match &thread.state {
                    State::Runnable | State::InKernel => true,
                    State::Waiting(Wait::Descriptors { .. }) => true,
                    State::Waiting(wait) => wait.deadline().is_some(),
                    State::Ended => false,
                }
        })
    }

    /// The current thread was found waiting in the kernel, in a call that was not expected to, and interrupted. The call
    /// begins again, as after any interruption, but this time we notice when it is over.
    pub(super) fn start_over(&mut self) -> Result<(), Halt> {
        const RESTARTS: [i64; 4] = [-512, -513, -514, -516];
        let tid = self.threads[self.current].tid;
        let mut registers = tracee::registers(tid)?;
        let result = registers.rax as i64;
        if result == -i64::from(libc::EINTR) {
            // Nobody has interrupted it that the program knows of.
            registers.rip -= SYSCALL_LEN;
            registers.rax = registers.orig_rax;
            registers.orig_rax = u64::MAX;
            tracee::set_registers(tid, &registers)?;
        } else if !RESTARTS.contains(&result) || registers.orig_rax as i64 == -1 {
            // It was over just then, perhaps in part.
            return self.yielded();
        }
        tracee::resume(tid, Resume::ToSystemCallExit, 0)?;
        match self.wait_for(tid)? {
            // At the beginning, where the kernel stops, too.
            Stop::SystemCallExit => self.follow(),
            other => {
                self.threads[self.current].pending = Some(other);
                Ok(())
            }
        }
    }
}
