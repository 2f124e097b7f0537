//! Connecting gdb to a replayed run.

use std::cell::Cell;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use omnilink_record::debugger::{self, Arrival, Host, When};
use omnilink_record::stacks;

use super::selector::Found;
use crate::failure::complain;

/// The gdb to start, with its arguments.
#[derive(Debug, Clone)]
pub struct Gdb {
    /// Its file, or its name in `PATH`.
    pub binary: PathBuf,
    /// Further arguments.
    pub arguments: Vec<OsString>,
}

/// At the selected moment, starts gdb, prints how to connect, or prints the stacks.
#[derive(Debug)]
pub struct Guide<'a> {
    /// What to do at the selected moment.
    pub visitor: Visitor,
    /// The program that is replayed.
    pub program: &'a Path,
    /// The selected moment.
    pub found: &'a Found,
    /// Set when it is reached.
    pub reached: &'a Cell<bool>,
    started: Option<JoinHandle<()>>,
}

/// What to do at the selected moment.
#[derive(Debug)]
pub enum Visitor {
    /// A gdb that is started and connects to this address.
    Started(Gdb, String),
    /// A debugger that the user connects to this address.
    Awaited(String),
    /// No debugger: the stacks are printed, and the program continues.
    Nobody,
}

impl<'a> Guide<'a> {
    /// Makes a guide that has not started gdb yet.
    pub fn new(visitor: Visitor, program: &'a Path, found: &'a Found, reached: &'a Cell<bool>) -> Self {
        Self { visitor, program, found, reached, started: None }
    }

    /// The message at the selected moment: the position, with gdb's names of threads (of process 1, which has its own number
    /// there).
    fn greeting(&self, arrival: &Arrival) -> String {
        let Found { when, what, .. } = self.found;
        let thread = arrival.thread;
        match (when, arrival.stacks.first()) {
            (When::Crash, Some(stack)) => format!("{what}: Thread 1.{thread} {}", stack.does),
            (When::Deadlock, _) => what.clone(),
            _ => format!("{what} in Thread 1.{thread}"),
        }
    }
}

impl Host for Guide<'_> {
    fn reached(&mut self, arrival: &Arrival) -> io::Result<()> {
        self.reached.set(true);
        let greeting = self.greeting(arrival);
        let program = self.program.display();
        match &self.visitor {
            Visitor::Nobody => {
                let mut out = anstream::stdout();
                writeln!(out, "{}", self.found.what)?;
                write!(out, "{}", stacks::text(&arrival.stacks))?;
                out.flush()
            }
            Visitor::Awaited(address) => {
                complain(format_args!("{greeting}; now run"));
                complain(format_args!("  gdb {program} -ex 'set sysroot /' -ex 'target remote {address}'"));
                let select = arrival.select();
                if !select.is_empty() {
                    complain(format_args!("and, for the caller in your code: {}", select.join(", then ")));
                }
                Ok(())
            }
            Visitor::Started(gdb, address) => {
                let mut command = Command::new(&gdb.binary);
                command.arg("-q").arg("-ex").arg("set sysroot /");
                command.arg("-ex").arg(format!("target remote {address}"));
                for select in arrival.select() {
                    command.arg("-ex").arg(select);
                }
                command.arg("-ex").arg(debugger::echo(&greeting)).args(&gdb.arguments).arg(self.program);
                self.started = Some(start(command).map_err(|error| {
                    let remedy = "install gdb (apt install gdb), or name it with --gdb=FILE";
                    io::Error::new(error.kind(), format!("{}: {error}; {remedy}", gdb.binary.display()))
                })?);
                Ok(())
            }
        }
    }

    fn is_gone(&mut self) -> bool {
        self.started.as_ref().is_some_and(JoinHandle::is_finished)
    }
}

/// Starts a process from a separate thread, because the replaying thread waits for all of its own children.
fn start(mut command: Command) -> io::Result<JoinHandle<()>> {
    let (tell, told) = mpsc::channel();
    let thread = thread::spawn(move || match command.spawn() {
        Ok(mut child) => {
            // The receiver is gone if the replay is over; gdb's exit status is ignored.
            let _ = tell.send(Ok(()));
            let _ = child.wait();
        }
        Err(error) => drop(tell.send(Err(error))),
    });
    told.recv().unwrap_or_else(|_| Err(io::Error::other("its thread ended")))?;
    Ok(thread)
}

/// gdb may still show the end of the program.
impl Drop for Guide<'_> {
    fn drop(&mut self) {
        if let Some(gdb) = self.started.take() {
            let _ = gdb.join();
        }
    }
}
