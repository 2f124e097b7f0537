//! What the scheduler does at the system calls of [`super::traced_calls`].

use std::io;

use libc::c_long;

use super::{Engine, Halt, traced_calls};
use crate::chaos::mechanism::signals;
use crate::chaos::mechanism::tracee::{self, Registers, Resume, Stop};
use crate::chaos::state::readiness::{self, Timeout};
use crate::chaos::state::threads::{State, Wait};
use crate::chaos::state::time;
use crate::chaos::state::{devices, file_times, identity, ports, senders};

const F_SETOWN_EX: i32 = 15;

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
    /// It is made, and what it returns is greater by this; somebody else may go on.
    MakeAndAdd(i64),
    /// It is made, and may wait for something that only the kernel knows.
    MakeAndFollow,
}

impl Engine<'_> {
    /// The current thread is about to make a system call.
    pub(super) fn system_call(&mut self) -> Result<(), Halt> {
        let index = self.threads.current_index();
        self.budget.spend(1);
        let mut registers = tracee::registers(self.threads[index].tid())?;
        if registers.orig_rax as c_long == libc::SYS_exit_group {
            return self.show_exit();
        }
        if identity::resolve(&mut registers, &self.threads) {
            tracee::set_registers(self.threads[index].tid(), &registers)?;
        }
        let after = match self.consider(&registers) {
            Ok(after) => after,
            // An invalid pointer: the kernel returns the error.
            Err(error) if matches!(error.raw_os_error(), Some(libc::EIO | libc::EFAULT)) => After::Make,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => After::Make,
            Err(error) => return Err(error.into()),
        };
        let after = match after {
            After::Make if self.threads[index].take_expected_wait() => After::MakeAndFollow,
            after => after,
        };
        match after {
            After::Return(result) => {
                tracee::return_from_call(self.threads[index].tid(), result)?;
                self.check_limits()
            }
            After::ReturnAtPoint(result) => {
                tracee::return_from_call(self.threads[index].tid(), result)?;
                self.point(registers.orig_rax)
            }
            After::ReturnAndYield(result) => {
                tracee::return_from_call(self.threads[index].tid(), result)?;
                self.yielded()
            }
            After::Wait(wait) => {
                let work = self.work();
                self.threads[index].begin_wait(wait, work);
                self.blocked()
            }
            After::Make if self.has_company() => self.make_and_rest(),
            After::Make => Ok(()),
            After::MakeAndLook => self.make_and_look(&registers),
            After::MakeAndAdd(more) => {
                let tid = self.threads[index].tid();
                self.make_and_rest()?;
                if !self.threads[index].has_deferred() {
                    tracee::add_to_result(tid, more)?;
                }
                self.point(registers.orig_rax)
            }
            After::MakeAndFollow => self.follow(),
        }
    }

    fn consider(&mut self, registers: &Registers) -> io::Result<After> {
        let Registers { rdi, rsi, rdx, r10, .. } = *registers;
        if file_times::changes(registers.orig_rax as c_long) {
            let now = self.now();
            self.file_times.change(self.living_thread(), rdi, now);
        }
        if self.ports.reveals_chosen_port(self.living_thread(), self.process.memory(), registers) {
            self.notes.add(ports::NOTE);
        }
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
                    self.process.memory().set_u64(rdi, now)?;
                }
                After::Return(now as i64)
            }
            libc::SYS_getrandom => self.getrandom(rdi, rsi)?,
            libc::SYS_getpid => After::Return(identity::of_thread(0)),
            libc::SYS_getppid => After::Return(identity::PARENT),
            libc::SYS_gettid => After::Return(identity::of_thread(self.threads.current_index())),
            libc::SYS_getcpu => {
                for at in [rdi, rsi].into_iter().filter(|&at| at != 0) {
                    self.process.memory().set_u32(at, 0)?;
                }
                After::Return(0)
            }
            // Restartable sequences would reveal the processor that a thread is on. Programs do without these and without the
            // newer futex calls, as older kernels have neither.
            libc::SYS_rseq
            | traced_calls::SYS_FUTEX_WAITV
            | traced_calls::SYS_FUTEX_WAKE
            | traced_calls::SYS_FUTEX_WAIT
            | traced_calls::SYS_FUTEX_REQUEUE => After::Return(-i64::from(libc::ENOSYS)),
            libc::SYS_sched_getaffinity => self.affinity(rsi, rdx)?,
            libc::SYS_sched_setaffinity => After::Return(0),
            libc::SYS_set_tid_address => {
                self.threads.current_mut().set_clear_on_exit(rdi);
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
            | libc::SYS_rt_tgsigqueueinfo
            | libc::SYS_pidfd_send_signal => After::MakeAndLook,
            libc::SYS_pause | libc::SYS_rt_sigtimedwait | libc::SYS_rt_sigsuspend => {
                return self.wait_for_signals(registers);
            }
            libc::SYS_wait4
            | libc::SYS_waitid
            | libc::SYS_flock
            | libc::SYS_connect
            | libc::SYS_semop
            | libc::SYS_semtimedop
            | libc::SYS_msgsnd
            | libc::SYS_msgrcv
            | libc::SYS_mq_timedsend
            | libc::SYS_mq_timedreceive => After::MakeAndFollow,
            libc::SYS_fcntl => match rsi as i32 {
                libc::F_SETLKW | libc::F_OFD_SETLKW => After::MakeAndFollow,
                libc::F_SETOWN | F_SETOWN_EX | libc::F_NOTIFY | libc::F_SETLEASE => {
                    self.asynchronous("notices by signal")
                }
                _ => After::Make,
            },
            libc::SYS_io_uring_setup => self.asynchronous("io_uring"),
            libc::SYS_io_setup => self.asynchronous("asynchronous input and output of the kernel"),
            libc::SYS_mq_notify => self.asynchronous("notices of message queues"),
            libc::SYS_open => {
                self.note_opened(libc::AT_FDCWD as u64, rdi);
                opening(rsi)
            }
            libc::SYS_openat => {
                self.note_opened(rdi, rsi);
                opening(rdx)
            }
            libc::SYS_openat2 => {
                self.note_opened(rdi, rsi);
                After::Make
            }
            call if file_times::TELLING.contains(&call) => After::MakeAndLook,
            call if file_times::CHANGING.contains(&call) => After::Make,
            call if ports::TELLING.contains(&call) => After::Make,
            libc::SYS_bind => {
                self.note_port(rsi)?;
                After::Make
            }
            libc::SYS_times | libc::SYS_getrusage | libc::SYS_sysinfo => self.usage(registers)?,
            libc::SYS_clone => self.keep_traced(registers)?,
            libc::SYS_read | libc::SYS_pread64 if devices::is_random(self.living_thread(), rdi) => {
                self.getrandom(rsi, rdx)?
            }
            libc::SYS_readv | libc::SYS_preadv | libc::SYS_preadv2 if devices::is_random(self.living_thread(), rdi) => {
                self.random_parts(rsi, rdx)?
            }
            // Where it goes to is known to the kernel alone.
            call @ (libc::SYS_splice | libc::SYS_sendfile) => {
                let source = if call == libc::SYS_splice { rdi } else { rsi };
                if devices::is_random(self.living_thread(), source) {
                    self.notes.add("it has the kernel copy random numbers, which the seed does not decide");
                }
                After::Make
            }
            libc::SYS_pread64 | libc::SYS_preadv | libc::SYS_preadv2 => After::Make,
            libc::SYS_read
                if rdx >= 8
                    && let Some(expired) = self.read_timer(rdi) =>
            {
                self.process.memory().set_u64(rsi, expired)?;
                After::Return(8)
            }
            libc::SYS_recvfrom | libc::SYS_sendto if r10 as i32 & libc::MSG_DONTWAIT != 0 => After::Make,
            libc::SYS_recvmsg | libc::SYS_sendmsg if rdx as i32 & libc::MSG_DONTWAIT != 0 => After::Make,
            call if identity::TELLING.contains(&call) => After::MakeAndLook,
            call if identity::NAMING.iter().any(|&(naming, _)| naming == call) => After::Make,
            _ => match self.timer_call(registers)? {
                Some(after) => after,
                None => self.transfer(registers)?,
            },
        })
    }

    /// The kernel will do something on its own.
    fn asynchronous(&mut self, what: &'static str) -> After {
        self.asynchronous = Some(what);
        self.notes.add(&format!("it uses {what}, which come when the kernel pleases"));
        After::Make
    }

    /// A file is opened whose name is at this address, and begins at a directory.
    fn note_opened(&mut self, directory: u64, name: u64) {
        let Some(name) = self.process.memory().text(name) else { return };
        if let Some(warning) = devices::warning(&devices::absolute(self.living_thread(), directory as i32, &name)) {
            self.notes.add(&warning);
        }
    }

    /// A socket gets the address that is written here.
    fn note_port(&mut self, address: u64) -> io::Result<()> {
        let start = self.process.memory().u32(address)?;
        let (family, port) = (start as u16, u16::from_be((start >> 16) as u16));
        if matches!(i32::from(family), libc::AF_INET | libc::AF_INET6) {
            match port {
                0 => self.notes.add("it lets the kernel choose a port, which the seed does not decide"),
                port => self.ports.bound(port),
            }
        }
        Ok(())
    }

    /// Nobody may begin a process that we do not see: its system calls would fail.
    fn keep_traced(&self, registers: &Registers) -> io::Result<After> {
        let mut seen = *registers;
        seen.rdi &= !(libc::CLONE_UNTRACED as u64);
        if seen.rdi != registers.rdi {
            tracee::set_registers(self.threads.current().tid(), &seen)?;
        }
        Ok(After::Make)
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
            self.process.memory().set_u64(address, first)?;
            self.process.memory().set_u64(address + 8, second)?;
        }
        Ok(After::Return(0))
    }

    fn getrandom(&mut self, address: u64, length: u64) -> io::Result<After> {
        // The kernel, too, gives no more than so much at once.
        let length = length.min(1 << 25);
        let bytes: Vec<u8> = (0..length).map(|_| self.random.number() as u8).collect();
        self.process.memory().write(address, &bytes)?;
        Ok(After::Return(length as i64))
    }

    /// The same for several pieces of memory.
    fn random_parts(&mut self, parts: u64, count: u64) -> io::Result<After> {
        const MAX_PARTS: u64 = 1024;
        let mut total = 0;
        for part in 0..count.min(MAX_PARTS) {
            let at = parts + part * 16;
            let (address, length) = (self.process.memory().u64(at)?, self.process.memory().u64(at + 8)?);
            if let After::Return(given) = self.getrandom(address, length)? {
                total += given;
            }
        }
        Ok(After::Return(total))
    }

    /// `sched_getaffinity` returns the processors that the plan says, though threads run one at a time.
    fn affinity(&self, size: u64, address: u64) -> io::Result<After> {
        let cores = self.plan.processors;
        let bytes = cores.div_ceil(64).max(1) * 8;
        if (size as usize) < bytes {
            return Ok(After::Return(-i64::from(libc::EINVAL)));
        }
        let mut set = vec![0_u8; bytes];
        for core in 0..cores {
            set[core / 8] |= 1 << (core % 8);
        }
        self.process.memory().write(address, &set)?;
        Ok(After::Return(bytes as i64))
    }

    /// A call that reads or writes, or asks whether one can.
    fn transfer(&mut self, registers: &Registers) -> io::Result<After> {
        let Some((readiness, timeout)) = readiness::watched(self.living_thread(), self.process.memory(), registers)?
        else {
            return Ok(After::Make);
        };
        if timeout == Timeout::After(0) {
            return Ok(After::Make);
        }
        let pending = match readiness.signals() {
            0 => 0,
            _ => signals::pending(self.process.id(), self.threads.current().tid())?.signals,
        };
        if readiness.is_ready(pending, 0) {
            let fills_up = readiness::may_wait_though_ready(registers) && readiness.is_channel();
            return Ok(match readiness.signals() {
                _ if fills_up => After::MakeAndFollow,
                0 => After::Make,
                _ => After::MakeAndLook,
            });
        }
        let deadline = match timeout.or(|| readiness.timeout_of_socket(registers)) {
            Timeout::Never => None,
            Timeout::After(time) => Some(self.now().saturating_add(time)),
        };
        let mask = readiness::mask(self.process.memory(), registers)?;
        Ok(After::Wait(Wait::Descriptors { readiness, mask, deadline }))
    }

    /// Makes a call that returns at once, and looks at what it changed.
    pub(super) fn make_and_look(&mut self, registers: &Registers) -> Result<(), Halt> {
        let tid = self.threads.current().tid();
        tracee::resume(tid, Resume::ToSystemCallExit, 0)?;
        let stop = self.wait_for(tid)?;
        if stop != Stop::SystemCallExit {
            self.threads.current_mut().defer(stop);
            return Ok(self.call_signalled()?);
        }
        match registers.orig_rax as c_long {
            libc::SYS_rt_sigreturn => self.resume_moved(tid)?,
            libc::SYS_mmap => return self.code_mapped(tid),
            call if identity::TELLING.contains(&call) => {
                let mut registers = tracee::registers(tid)?;
                if registers.rax == self.process.id() as u64 {
                    registers.rax = identity::of_thread(0) as u64;
                    tracee::set_registers(tid, &registers)?;
                }
            }
            call @ (libc::SYS_timer_create | libc::SYS_rt_sigtimedwait | libc::SYS_read) => {
                let result = tracee::registers(tid)?.rax as i64;
                match call {
                    libc::SYS_timer_create => self.timer_created(registers, result)?,
                    libc::SYS_rt_sigtimedwait => self.name_returned_sender(registers, result)?,
                    _ => senders::name_senders_read(
                        self.process.memory(),
                        registers.rsi,
                        result.max(0) as u64,
                        self.process.id(),
                    )?,
                }
            }
            libc::SYS_open | libc::SYS_openat => {
                let opened = tracee::registers(tid)?.rax;
                let flags = if registers.orig_rax as c_long == libc::SYS_open { registers.rsi } else { registers.rdx };
                if opened as i64 >= 0 {
                    let now = self.now();
                    self.file_times.opened(self.living_thread(), opened, flags as i32, now);
                }
            }
            call if file_times::TELLING.contains(&call) && tracee::registers(tid)?.rax == 0 => {
                self.file_times.tell(self.process.memory(), registers)?;
            }
            _ => {}
        }
        self.rest()?;
        Ok(self.call_signalled()?)
    }

    /// Whether anybody but the current thread can run, or will when time passes or something comes from outside.
    pub(super) fn somebody_else_may_run(&self) -> bool {
        self.threads.iter().any(|(index, thread)| {
            index != self.threads.current_index()
                && match thread.state() {
                    State::Runnable | State::InKernel => true,
                    State::Waiting(Wait::Descriptors { .. } | Wait::Signals { .. }) => true,
                    State::Waiting(wait) => thread.is_called() || wait.deadline().is_some(),
                    State::Ended => false,
                }
        }) || self.timers.earliest().is_some()
    }
}

/// What to do about a call that opens a file with these flags.
fn opening(flags: u64) -> After {
    let may_change = flags as i32 & (libc::O_CREAT | libc::O_TRUNC) != 0;
    if may_change { After::MakeAndLook } else { After::Make }
}
