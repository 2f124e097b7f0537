//! Where a debugger is let in: what a replay is told about that.
//!
//! ```text
//!  replay ──► the wanted moment ──► Host::reached ──► a debugger connects to the Socket ──► gdb's remote protocol
//! ```

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;

use crate::stacks::{Frame, ThreadStack};

/// The function of OmniLink's runtime that every action passes through when it begins. Its second argument is the clock
/// reading that the action's record starts with.
pub const BEGIN: &str = "omnilink_action_begins";

/// A command that makes gdb say something, whatever is in it.
pub fn echo(text: &str) -> String {
    let mut command = "echo ".to_owned();
    for character in text.chars() {
        match character {
            '\n' => command.push_str("\\n"),
            '\\' => command.push_str("\\\\"),
            // Spaces at the beginning would be taken for those that separate the command from its argument.
            ' ' => command.push_str("\\ "),
            control if control.is_control() => command.push('?'),
            other => command.push(other),
        }
    }
    command + "\\n"
}

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// When an event begins.
    Event {
        /// The clock reading that its record starts with.
        start: u64,
    },
    /// Before a signal is received that ends the program.
    Crash,
    /// When nobody can run any more.
    Deadlock,
    /// Before the program ends by itself, or is stopped because it has done as much as is allowed.
    End,
    /// Where the user's part of the program begins.
    Start,
}

/// When to stop, and how a debugger gets in then.
#[derive(Debug)]
pub struct Invitation<'a> {
    /// When to stop.
    pub when: When,
    /// Where the debugger connects; nothing if none comes, and the program goes on.
    pub socket: Option<Socket>,
    /// What is notified when the moment has come.
    pub host: Box<dyn Host + 'a>,
}

/// What was found at the wanted moment.
#[derive(Debug)]
pub struct Arrival {
    /// The number that the thread has in the debugger: from 1, in the order in which threads began.
    pub thread: usize,
    /// Where all threads are, the one of interest first.
    pub stacks: Vec<ThreadStack>,
}

impl Arrival {
    /// Commands for gdb that select the function of the user's that the thread is in.
    pub fn select(&self) -> Vec<String> {
        let Some(stack) = self.stacks.first() else { return Vec::new() };
        let Some((at, Frame { stack_address, .. })) = stack.own_frame().filter(|&(at, _)| at > 0) else {
            return Vec::new();
        };
        // gdb finds a frame by its address, which functions that are inlined there do not have: they are below.
        let inlined = stack.frames[at..].iter().take_while(|frame| frame.inlined).count();
        let mut commands = vec![format!("frame address {stack_address:#x}")];
        commands.extend((inlined > 0).then(|| format!("down {inlined}")));
        commands
    }
}

/// Who brings the debugger.
pub trait Host: fmt::Debug {
    /// The moment has come; the debugger may connect.
    fn reached(&mut self, arrival: &Arrival) -> io::Result<()>;

    /// Whether no debugger will come any more.
    fn is_gone(&mut self) -> bool;
}

/// Where a debugger connects.
#[derive(Debug)]
pub enum Socket {
    /// A file that only those who may write to it can use. It is removed in the end.
    File(UnixListener, PathBuf),
    /// A port of this machine.
    Port(TcpListener),
}

impl Socket {
    /// A new file of this name.
    pub fn file(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        let listener = UnixListener::bind(&path)?;
        listener.set_nonblocking(true)?;
        Ok(Self::File(listener, path))
    }

    /// A port of this machine; 0 for any that is free.
    pub fn port(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        Ok(Self::Port(listener))
    }

    /// What to tell gdb: `target remote ADDRESS`.
    pub fn address(&self) -> io::Result<String> {
        match self {
            Self::File(_, path) => Ok(path.display().to_string()),
            Self::Port(listener) => Ok(listener.local_addr()?.to_string()),
        }
    }

    /// The connection of a debugger; none if no debugger has connected yet.
    pub(crate) fn accept(&self) -> io::Result<Option<File>> {
        let accepted = match self {
            Self::File(listener, _) => listener.accept().and_then(|(stream, _)| {
                stream.set_nonblocking(false)?;
                Ok(OwnedFd::from(stream))
            }),
            Self::Port(listener) => listener.accept().and_then(|(stream, _)| {
                stream.set_nonblocking(false)?;
                stream.set_nodelay(true)?;
                Ok(OwnedFd::from(stream))
            }),
        };
        match accepted {
            Ok(stream) => Ok(Some(File::from(stream))),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        if let Self::File(_, path) = self {
            // Who removed it before us is welcome.
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_gdb_says_stays_on_its_line() {
        let cases = [("Add(1)", "echo Add(1)\\n"), ("a b", "echo a\\ b\\n"), ("\n\\n\u{7}", "echo \\n\\\\n?\\n")];
        for (text, expected) in cases {
            assert_eq!(echo(text), expected);
        }
    }
}
