//! Ports that the kernel chooses.
//!
//! A socket that connects, sends or listens without having been bound gets a port from the kernel, as does one that is bound
//! to port 0. No seed decides which. A run in which the program asks for such a port has a note.

use std::collections::HashSet;
use std::os::fd::AsRawFd;

use libc::{c_int, c_long, pid_t, socklen_t};

use crate::chaos::mechanism::descriptors;
use crate::chaos::mechanism::memory::Memory;
use crate::chaos::mechanism::tracee::Registers;

/// The note of a run in which the program asks for such a port.
pub const NOTE: &str = "it asks for a port that the kernel chose, which the seed does not decide";

/// Calls that do nothing but tell an address.
pub const TELLING: &[c_long] = &[libc::SYS_getsockname, libc::SYS_getpeername];

/// The ports that the program has bound sockets to.
#[derive(Debug, Default)]
pub struct Ports(HashSet<u16>);

impl Ports {
    /// The program binds a socket to a port that it names.
    pub fn bound(&mut self, port: u16) {
        self.0.insert(port);
    }

    /// Whether a call is about to tell the program a port that the kernel has chosen.
    pub fn reveals_chosen_port(&self, pid: pid_t, memory: &Memory, registers: &Registers) -> bool {
        let Registers { rdi, rsi, r8, .. } = *registers;
        let call = registers.orig_rax as c_long;
        let asks = match call {
            libc::SYS_getsockname | libc::SYS_getpeername => true,
            libc::SYS_accept | libc::SYS_accept4 => rsi != 0,
            libc::SYS_recvfrom => r8 != 0,
            // A message begins with the place for its sender's address.
            libc::SYS_recvmsg | libc::SYS_recvmmsg => memory.u64(rsi).is_ok_and(|name| name != 0),
            _ => false,
        };
        if !asks {
            return false;
        }
        let Some(socket) = descriptors::copy(pid, rdi) else { return false };
        let (of_itself, of_peer) =
            (address(socket.as_raw_fd(), libc::getsockname), address(socket.as_raw_fd(), libc::getpeername));
        match call {
            libc::SYS_getsockname => of_itself.is_some_and(|port| self.is_chosen(port)),
            libc::SYS_getpeername => of_peer.is_some_and(|port| self.is_chosen(port)),
            // Of a datagram, the sender; a connected socket has only one.
            libc::SYS_recvfrom | libc::SYS_recvmsg | libc::SYS_recvmmsg => {
                of_itself.is_some() && of_peer.is_none_or(|port| self.is_chosen(port))
            }
            // Who will have connected is not known yet: clients are rarely bound.
            _ => of_itself.is_some(),
        }
    }

    /// Whether the kernel has chosen this port: 0 is none, yet.
    fn is_chosen(&self, port: u16) -> bool {
        port != 0 && !self.0.contains(&port)
    }
}

type Asking = unsafe extern "C" fn(c_int, *mut libc::sockaddr, *mut socklen_t) -> c_int;

/// The port of an internet socket, or of the one that it is connected with.
fn address(socket: c_int, ask: Asking) -> Option<u16> {
    // SAFETY: all-zero is a value of this struct, which the call fills as far as there is room.
    let storage = unsafe {
        let mut storage: libc::sockaddr_storage = std::mem::zeroed();
        let mut length = size_of::<libc::sockaddr_storage>() as socklen_t;
        if ask(socket, std::ptr::from_mut(&mut storage).cast(), &mut length) != 0 {
            return None;
        }
        storage
    };
    if !matches!(i32::from(storage.ss_family), libc::AF_INET | libc::AF_INET6) {
        return None;
    }
    // SAFETY: both kinds of addresses have the port in the same place, and the storage has room for either.
    let port = unsafe { (*std::ptr::from_ref(&storage).cast::<libc::sockaddr_in>()).sin_port };
    Some(u16::from_be(port))
}
