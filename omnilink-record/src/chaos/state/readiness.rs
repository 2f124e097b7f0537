//! Whether a system call for input or output would have to wait.
//!
//! A thread that waits in the kernel returns at a time that the kernel decides. Instead the scheduler watches the descriptors
//! of the call, and makes the call when it returns at once.
//!
//! A `signalfd` cannot be watched from another process, because reading it returns the signals of the process that reads. Worse,
//! polling an `epoll` that contains one would reset its readiness. So the members of such an `epoll` are watched one by one.

use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use libc::{c_long, c_short, pid_t};
use nix::fcntl::{FcntlArg, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::stat::fstat;

use super::time;
use crate::chaos::mechanism::descriptors::{self, Kind, Owner};
use crate::chaos::mechanism::memory::Memory;
use crate::chaos::mechanism::tracee::Registers;

/// Descriptors of the program that one of its threads waits for.
#[derive(Debug)]
pub struct Readiness {
    watched: Vec<(OwnedFd, c_short)>,
    /// Signals that it waits for, by descriptors of signals.
    signals: u64,
}

/// How a call tells when it gives up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timeout {
    /// Never.
    Never,
    /// After these nanoseconds.
    After(u64),
}

impl Timeout {
    /// This one, or another if it never ends.
    pub fn or(self, other: impl FnOnce() -> Self) -> Self {
        if self == Self::Never { other() } else { self }
    }
}

/// What a call for input or output waits for, or nothing if it does not wait or cannot be watched.
pub fn watched(pid: pid_t, memory: &Memory, registers: &Registers) -> io::Result<Option<(Readiness, Timeout)>> {
    let call = registers.orig_rax as c_long;
    let (watched, timeout) = match call {
        libc::SYS_poll | libc::SYS_ppoll => {
            let timeout = match call {
                libc::SYS_poll => milliseconds(registers.rdx as i32),
                _ => timespec(memory, registers.rdx)?,
            };
            (polled(memory, registers)?, timeout)
        }
        libc::SYS_select | libc::SYS_pselect6 => {
            let unit = if call == libc::SYS_select { 1000 } else { 1 };
            let timeout = match registers.r8 {
                0 => Timeout::Never,
                at => {
                    let (seconds, parts) = (memory.u64(at)?, memory.u64(at + 8)?);
                    Timeout::After(time::sum(seconds, parts.saturating_mul(unit))?)
                }
            };
            (selected(memory, registers)?, timeout)
        }
        libc::SYS_epoll_wait | libc::SYS_epoll_pwait => {
            (vec![(registers.rdi, libc::POLLIN)], milliseconds(registers.r10 as i32))
        }
        libc::SYS_epoll_pwait2 => (vec![(registers.rdi, libc::POLLIN)], timespec(memory, registers.r10)?),
        libc::SYS_write | libc::SYS_writev | libc::SYS_sendto | libc::SYS_sendmsg | libc::SYS_sendmmsg => {
            (vec![(registers.rdi, libc::POLLOUT)], Timeout::Never)
        }
        _ => (vec![(registers.rdi, libc::POLLIN)], Timeout::Never),
    };
    // The kernel may not tell, if the first thread has ended.
    let Ok(process) = Owner::open(pid) else { return Ok(None) };
    let mut readiness = Readiness { watched: Vec::new(), signals: 0 };
    for (descriptor, events) in watched {
        // The kernel returns the error for a descriptor that is not open.
        let Some(own) = process.copy(descriptor) else { return Ok(None) };
        if !only_asks(registers) && is_nonblocking(&own) {
            return Ok(None);
        }
        readiness.add(pid, &process, descriptor, (own, events));
    }
    Ok(Some((readiness, timeout)))
}

/// The signals that do not interrupt a call for input or output, if it tells.
pub fn mask(memory: &Memory, registers: &Registers) -> io::Result<Option<u64>> {
    let at = match registers.orig_rax as c_long {
        libc::SYS_ppoll => registers.r10,
        libc::SYS_epoll_pwait | libc::SYS_epoll_pwait2 => registers.r8,
        libc::SYS_pselect6 if registers.r9 != 0 => memory.u64(registers.r9)?,
        _ => 0,
    };
    if at == 0 { Ok(None) } else { memory.u64(at).map(Some) }
}

/// Calls that only ask. How long they wait depends on their arguments, and not on whether a descriptor is non-blocking.
const ASKING: [c_long; 7] = [
    libc::SYS_poll,
    libc::SYS_ppoll,
    libc::SYS_select,
    libc::SYS_pselect6,
    libc::SYS_epoll_wait,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
];

/// Whether a call only asks.
pub fn only_asks(registers: &Registers) -> bool {
    ASKING.contains(&(registers.orig_rax as c_long))
}

/// Whether a call may have to wait though there is room: only so much is written at once, however little room there is.
/// So it is with one that reads if it wants all that it asks for.
pub fn may_wait_though_ready(registers: &Registers) -> bool {
    match registers.orig_rax as c_long {
        libc::SYS_recvfrom => registers.r10 as i32 & libc::MSG_WAITALL != 0,
        libc::SYS_recvmsg => registers.rdx as i32 & libc::MSG_WAITALL != 0,
        libc::SYS_recvmmsg => registers.r10 as i32 & libc::MSG_WAITFORONE == 0,
        libc::SYS_write | libc::SYS_sendto => registers.rdx > libc::PIPE_BUF as u64,
        libc::SYS_writev | libc::SYS_sendmsg | libc::SYS_sendmmsg => true,
        _ => false,
    }
}

impl Readiness {
    /// Adds a descriptor that the process calls so, and that is also ours.
    fn add(&mut self, pid: pid_t, process: &Owner, descriptor: u64, watched: (OwnedFd, c_short)) {
        match Kind::of(pid, descriptor) {
            Kind::Signals => self.signals |= signals_of(pid, descriptor),
            Kind::Epoll => {
                let members = members_of(pid, descriptor);
                match members.iter().any(|&(member, _)| Kind::of(pid, member) == Kind::Signals) {
                    false => self.watched.push(watched),
                    true => {
                        for (member, events) in members {
                            if let Some(own) = process.copy(member) {
                                self.add(pid, process, member, (own, events));
                            }
                        }
                    }
                }
            }
            Kind::Timer | Kind::Other => self.watched.push(watched),
        }
    }

    /// Signals that it waits for, by descriptors of signals.
    pub fn signals(&self) -> u64 {
        self.signals
    }

    /// Whether it is about pipes or sockets, which somebody has to empty.
    pub fn is_channel(&self) -> bool {
        self.watched.iter().any(|(descriptor, _)| {
            fstat(descriptor).is_ok_and(|stat| matches!(stat.st_mode & libc::S_IFMT, libc::S_IFIFO | libc::S_IFSOCK))
        })
    }

    /// How long a call without a timeout waits: the timeout of its socket (`SO_RCVTIMEO`, `SO_SNDTIMEO`).
    pub fn timeout_of_socket(&self, registers: &Registers) -> Timeout {
        let option = match registers.orig_rax as c_long {
            _ if only_asks(registers) => return Timeout::Never,
            libc::SYS_write | libc::SYS_writev | libc::SYS_sendto | libc::SYS_sendmsg | libc::SYS_sendmmsg => {
                libc::SO_SNDTIMEO
            }
            _ => libc::SO_RCVTIMEO,
        };
        let [(descriptor, _)] = &self.watched[..] else { return Timeout::Never };
        let mut timeout = libc::timeval { tv_sec: 0, tv_usec: 0 };
        let mut length = size_of::<libc::timeval>() as libc::socklen_t;
        // SAFETY: the kernel writes as much as there is room for, or nothing if it is no socket.
        let answer = unsafe {
            let at = std::ptr::from_mut(&mut timeout).cast();
            libc::getsockopt(descriptor.as_raw_fd(), libc::SOL_SOCKET, option, at, &mut length)
        };
        let time = (timeout.tv_sec as u64).saturating_mul(1_000_000_000).saturating_add(timeout.tv_usec as u64 * 1000);
        if answer == 0 && time != 0 { Timeout::After(time) } else { Timeout::Never }
    }

    /// Whether the call would return at once, if these signals have not been received, waiting for it at most so many
    /// milliseconds.
    pub fn is_ready(&self, pending: u64, longest: u8) -> bool {
        if self.signals & pending != 0 {
            return true;
        }
        let mut list: Vec<PollFd<'_>> = self
            .watched
            .iter()
            .map(|(descriptor, events)| PollFd::new(descriptor.as_fd(), PollFlags::from_bits_retain(*events)))
            .collect();
        poll(&mut list, PollTimeout::from(longest)).is_ok_and(|ready| ready > 0)
    }
}

/// Makes a call that gave up look as if nothing became ready.
pub fn report_none(memory: &Memory, registers: &Registers) -> io::Result<()> {
    match registers.orig_rax as c_long {
        libc::SYS_poll | libc::SYS_ppoll => {
            for index in 0..registers.rsi {
                memory.write(registers.rdi + index * 8 + 6, &[0, 0])?;
            }
        }
        libc::SYS_select | libc::SYS_pselect6 => {
            let bytes = vec![0; (registers.rdi as usize).min(MAX_SELECT).div_ceil(64) * 8];
            for set in [registers.rsi, registers.rdx, registers.r10].into_iter().filter(|&set| set != 0) {
                memory.write(set, &bytes)?;
            }
        }
        _ => {}
    }
    Ok(())
}

const MAX_SELECT: usize = 1024;
/// More than any program waits for at once.
const MAX_POLL: u64 = 1 << 16;

fn polled(memory: &Memory, registers: &Registers) -> io::Result<Vec<(u64, c_short)>> {
    let entries = (0..registers.rsi.min(MAX_POLL)).map(|index| {
        let entry = memory.u64(registers.rdi + index * 8)?;
        Ok((entry & 0xffff_ffff, (entry >> 32) as c_short))
    });
    let entries: io::Result<Vec<_>> = entries.collect();
    // Negative descriptors are to be ignored.
    Ok(entries?.into_iter().filter(|&(descriptor, _)| descriptor as i32 >= 0).collect())
}

fn selected(memory: &Memory, registers: &Registers) -> io::Result<Vec<(u64, c_short)>> {
    let mut selected = Vec::new();
    let sets = [(registers.rsi, libc::POLLIN), (registers.rdx, libc::POLLOUT), (registers.r10, libc::POLLPRI)];
    for (set, events) in sets.into_iter().filter(|&(set, _)| set != 0) {
        for descriptor in 0..registers.rdi.min(MAX_SELECT as u64) {
            if memory.u64(set + descriptor / 64 * 8)? >> (descriptor % 64) & 1 == 1 {
                selected.push((descriptor, events));
            }
        }
    }
    Ok(selected)
}

/// The signals that a descriptor of signals is for.
fn signals_of(pid: pid_t, descriptor: u64) -> u64 {
    let masks = descriptors::fdinfo(pid, descriptor, "sigmask:");
    masks.iter().filter_map(|mask| u64::from_str_radix(mask, 16).ok()).fold(0, |all, mask| all | mask)
}

/// The descriptors in an `epoll`, and what they are watched for.
fn members_of(pid: pid_t, descriptor: u64) -> Vec<(u64, c_short)> {
    // tfd:        5 events:       19 data: …
    let lines = descriptors::fdinfo(pid, descriptor, "tfd:");
    let members = lines.iter().filter_map(|line| {
        let (member, rest) = line.split_once(" events:")?;
        let events = u32::from_str_radix(rest.split_ascii_whitespace().next()?, 16).ok()?;
        Some((member.trim().parse().ok()?, events as c_short))
    });
    members.collect()
}

fn milliseconds(timeout: i32) -> Timeout {
    u64::try_from(timeout).map_or(Timeout::Never, |timeout| Timeout::After(timeout * 1_000_000))
}

fn timespec(memory: &Memory, at: u64) -> io::Result<Timeout> {
    match at {
        0 => Ok(Timeout::Never),
        _ => Ok(Timeout::After(time::valid(memory.u64(at)?, memory.u64(at + 8)?)?)),
    }
}

/// Whether reading and writing never wait, by the user's wish.
fn is_nonblocking(descriptor: &OwnedFd) -> bool {
    fcntl(descriptor, FcntlArg::F_GETFL).is_ok_and(|flags| flags & libc::O_NONBLOCK != 0)
}
