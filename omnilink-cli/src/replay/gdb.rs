//! Bringing gdb to a replayed run.

use std::cell::Cell;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use omnilink_record::debugger::{self, Host};

use super::wanted::Found;
use crate::failure::complain;

/// Which gdb, and with what.
#[derive(Debug, Clone)]
pub struct Gdb {
    /// Its file, or its name in `PATH`.
    pub binary: PathBuf,
    /// Further arguments.
    pub arguments: Vec<OsString>,
}

/// Starts gdb when the event begins, or says how to.
#[derive(Debug)]
pub struct Guide<'a> {
    /// What to start; nothing if the user does.
    pub gdb: Option<Gdb>,
    /// The program that is replayed.
    pub program: &'a Path,
    /// Where it can be debugged.
    pub address: String,
    /// The event that is waited for.
    pub found: &'a Found,
    /// Set when it begins.
    pub reached: &'a Cell<bool>,
    started: Option<JoinHandle<()>>,
}

impl<'a> Guide<'a> {
    /// Has not started anything yet.
    pub fn new(
        gdb: Option<Gdb>,
        program: &'a Path,
        address: String,
        found: &'a Found,
        reached: &'a Cell<bool>,
    ) -> Self {
        Self { gdb, program, address, found, reached, started: None }
    }
}

impl Host for Guide<'_> {
    fn reached(&mut self, thread: usize) -> io::Result<()> {
        self.reached.set(true);
        let Found { name, call, .. } = self.found;
        // As gdb names it: of process 1, which has a number of its own there.
        let greeting = format!("event {name}, {call}, begins in Thread 1.{thread}");
        let Some(gdb) = &self.gdb else {
            let (program, address) = (self.program.display(), &self.address);
            complain(format_args!("{greeting}; now run"));
            complain(format_args!("  gdb {program} -ex 'set sysroot /' -ex 'target remote {address}'"));
            return Ok(());
        };
        let mut command = Command::new(&gdb.binary);
        command.arg("-q").arg("-ex").arg("set sysroot /");
        command.arg("-ex").arg(format!("target remote {}", self.address));
        command.arg("-ex").arg(debugger::echo(&greeting)).args(&gdb.arguments).arg(self.program);
        self.started = Some(start(command).map_err(|error| {
            let remedy = "install gdb (apt install gdb), or name it with --gdb=FILE";
            io::Error::new(error.kind(), format!("{}: {error}; {remedy}", gdb.binary.display()))
        })?);
        Ok(())
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
