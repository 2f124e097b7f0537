//! A connection with gdb, by its remote protocol.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;

use gdbstub::conn::Connection;
use gdbstub::stub::state_machine::GdbStubStateMachine as Machine;
use gdbstub::stub::{DisconnectReason, GdbStub, MultiThreadStopReason};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::target::Program;

/// Why the program stops, or that it ends.
pub type Reason = MultiThreadStopReason<u64>;

/// What the debugger requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// The program goes on.
    Continue,
    /// It goes on, and the debugger has left.
    Detach,
    /// It is killed.
    Kill,
}

/// A debugger that is there.
pub struct Session {
    /// What it looks at.
    pub program: Program,
    /// Nothing once it has left.
    machine: Option<Machine<'static, Program, Wire>>,
    left: Request,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("program", &self.program).finish_non_exhaustive()
    }
}

impl Session {
    /// Begins to talk; the debugger will ask why the program has stopped.
    pub fn begin(stream: File, mut program: Program) -> io::Result<Self> {
        let wire = Wire { stream, unsent: Vec::new() };
        let stub = GdbStub::new(wire);
        let machine = stub.run_state_machine(&mut program).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Self { program, machine: Some(machine), left: Request::Detach })
    }

    /// Says why the program has stopped, if the debugger waits for that, and answers until it wants something done.
    pub fn stopped(&mut self, reason: Reason) -> Request {
        self.report(reason);
        loop {
            match self.machine.take() {
                None => return self.left,
                Some(Machine::Running(running)) => {
                    self.machine = Some(Machine::Running(running));
                    return Request::Continue;
                }
                Some(Machine::Idle(mut idle)) => {
                    let Some(byte) = idle.borrow_conn().next_byte() else { return self.lose() };
                    let next = idle.incoming_data(&mut self.program, byte);
                    self.become_next(next);
                }
                Some(Machine::CtrlCInterrupt(interrupt)) => {
                    let next = interrupt.interrupt_handled(&mut self.program, None::<Reason>);
                    self.become_next(next);
                }
                Some(Machine::Disconnected(end)) => self.leave(end.get_reason()),
            }
        }
    }

    /// Tells a debugger that waits.
    pub fn report(&mut self, reason: Reason) {
        match self.machine.take() {
            Some(Machine::Running(running)) => {
                let next = running.report_stop(&mut self.program, reason);
                self.become_next(next);
            }
            other => self.machine = other,
        }
    }

    /// Whether the debugger has said, while the program runs, that it shall stop.
    pub fn interrupts(&mut self) -> bool {
        loop {
            match self.machine.take() {
                Some(Machine::Running(mut running)) => {
                    if !running.borrow_conn().has_bytes() {
                        self.machine = Some(Machine::Running(running));
                        return false;
                    }
                    let Some(byte) = running.borrow_conn().next_byte() else {
                        self.lose();
                        // It stops in order to notice that nobody is there any more.
                        return true;
                    };
                    let next = running.incoming_data(&mut self.program, byte);
                    self.become_next(next);
                }
                Some(Machine::CtrlCInterrupt(interrupt)) => {
                    let next = interrupt.interrupt_handled(&mut self.program, None::<Reason>);
                    self.become_next(next);
                    return true;
                }
                Some(Machine::Disconnected(end)) => {
                    self.leave(end.get_reason());
                    return true;
                }
                other => {
                    self.machine = other;
                    return false;
                }
            }
        }
    }

    fn become_next<E>(&mut self, next: Result<Machine<'static, Program, Wire>, E>) {
        match next {
            Ok(machine) => self.machine = Some(machine),
            // The connection is broken, or the other side speaks another language.
            Err(_) => {
                self.lose();
            }
        }
    }

    /// The connection is gone; the program goes on as if the debugger had taken leave.
    fn lose(&mut self) -> Request {
        self.machine = None;
        self.left = Request::Detach;
        self.left
    }

    fn leave(&mut self, reason: DisconnectReason) {
        self.machine = None;
        self.left = match reason {
            DisconnectReason::Kill => Request::Kill,
            _ => Request::Detach,
        };
    }
}

/// The connection; answers are sent whole.
#[derive(Debug)]
struct Wire {
    stream: File,
    unsent: Vec<u8>,
}

impl Wire {
    /// Waits for a byte; nothing if the other side has gone.
    fn next_byte(&mut self) -> Option<u8> {
        let mut byte = [0];
        loop {
            match self.stream.read(&mut byte) {
                Ok(0) => return None,
                Ok(_) => return Some(byte[0]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
    }

    /// Whether there is a byte, or the end.
    fn has_bytes(&self) -> bool {
        let mut list = [PollFd::new(self.stream.as_fd(), PollFlags::POLLIN)];
        poll(&mut list, PollTimeout::ZERO).is_ok_and(|ready| ready > 0)
    }
}

impl Connection for Wire {
    type Error = io::Error;

    fn write(&mut self, byte: u8) -> Result<(), Self::Error> {
        self.unsent.push(byte);
        Ok(())
    }

    fn write_all(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        self.unsent.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Self::Error> {
        self.stream.write_all(&self.unsent)?;
        self.unsent.clear();
        Ok(())
    }
}
