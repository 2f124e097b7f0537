//! Bringing gdb to a replayed run.

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

/// Which gdb, and with what.
#[derive(Debug, Clone)]
pub struct Gdb {
    /// Its file, or its name in `PATH`.
    pub binary: PathBuf,
    /// Further arguments.
    pub arguments: Vec<OsString>,
}

/// Starts gdb at the wanted moment, or says how to, or says where the program is.
#[derive(Debug)]
pub struct Guide<'a> {
    /// Who looks at the program then.
    pub visitor: Visitor,
    /// The program that is replayed.
    pub program: &'a Path,
    /// The moment that is waited for.
    pub found: &'a Found,
    /// Set when it has come.
    pub reached: &'a Cell<bool>,
    started: Option<JoinHandle<()>>,
}

/// Who looks at the program at the wanted moment.
#[derive(Debug)]
pub enum Visitor {
    /// A gdb that is started and connects to this address.
    Started(Gdb, String),
    /// A debugger that the user connects to this address.
    Awaited(String),
    /// Nobody: where the program is is told, and it goes on.
    Nobody,
}

impl<'a> Guide<'a> {
    /// Has not started anything yet.
    pub fn new(visitor: Visitor, program: &'a Path, found: &'a Found, reached: &'a Cell<bool>) -> Self {
        Self { visitor, program, found, reached, started: None }
    }

    /// What is said at the wanted moment: where it is, as gdb names threads (of process 1, which has a number of its own
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

/// Starts a process in a thread of its own, which ends with it: the thread that replays waits for all that it has started.
fn start(mut command: Command) -> io::Result<JoinHandle<()>> {
    let (tell, told) = mpsc::channel();
    let thread = thread::spawn(move || match command.spawn() {
        Ok(mut child) => {
            // Nobody listens any more if the replay is over, and how gdb ends is its own business.
            let _ = tell.send(Ok(()));
            let _ = child.wait();
        }
        Err(error) => drop(tell.send(Err(error))),
    });
    told.recv().unwrap_or_else(|_| Err(io::Error::other("its thread ended")))?;
    Ok(thread)
}

/// The user may still look at what gdb says of the program's end.
impl Drop for Guide<'_> {
    fn drop(&mut self) {
        if let Some(gdb) = self.started.take() {
            let _ = gdb.join();
        }
    }
}
