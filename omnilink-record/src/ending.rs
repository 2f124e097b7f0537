//! How a run ended.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The program ended with this code.
    Exited(i32),
    /// The program was killed by this signal.
    Killed(i32),
    /// No thread could ever run again. The text describes each thread.
    Deadlocked(String),
    /// We stopped it; the calls of its threads are pending.
    Stopped(Stopped),
}

/// Why a run was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    /// It did more than is allowed, counted in decisions: it may be a livelock. Points and system calls count, too, so
    /// there may have been few decisions.
    DecisionLimit,
    /// It took longer than allowed.
    WallClock,
    /// The user wanted to end.
    Interrupted,
}

impl Ending {
    /// True if the program went wrong by itself.
    pub fn is_failure(&self) -> bool {
        match self {
            Self::Exited(code) => *code != 0,
            Self::Killed(_) | Self::Deadlocked(_) => true,
            Self::Stopped(why) => *why != Stopped::Interrupted,
        }
    }

    /// Which kind of ending it is, in one word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Exited(0) => "passed",
            Self::Exited(_) => "failed",
            Self::Killed(_) => "crashed",
            Self::Deadlocked(_) => "deadlocked",
            Self::Stopped(Stopped::Interrupted) => "interrupted",
            Self::Stopped(_) => "stopped",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "exit code {code}"),
            Self::Killed(signal) => write!(f, "killed by {}", signal_name(*signal)),
            Self::Deadlocked(_) => f.write_str("deadlock"),
            Self::Stopped(Stopped::DecisionLimit) => {
                f.write_str("stopped: it did all the work that --max-decisions allows")
            }
            Self::Stopped(Stopped::WallClock) => f.write_str("stopped: took too long"),
            Self::Stopped(Stopped::Interrupted) => f.write_str("stopped: interrupted"),
        }
    }
}

/// The usual name of a signal.
pub(crate) fn signal_name(signal: i32) -> String {
    let name = match signal {
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGILL => "SIGILL",
        libc::SIGINT => "SIGINT",
        libc::SIGKILL => "SIGKILL",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGTERM => "SIGTERM",
        libc::SIGTRAP => "SIGTRAP",
        _ => return format!("signal {signal}"),
    };
    name.to_owned()
}
