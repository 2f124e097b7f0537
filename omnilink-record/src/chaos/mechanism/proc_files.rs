//! What `/proc` says about a process or thread: its state, its parent, how long it has been computing.

use std::fs;
use std::time::Duration;

use libc::pid_t;
use nix::unistd::{SysconfVar, sysconf};

/// A line of `/proc/PID/stat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// `R` if it runs, `S` if it sleeps, `Z` if it has ended, and others.
    pub state: char,
    /// The process that started it.
    pub parent: pid_t,
    /// How long it has been computing, in user and kernel mode, in ticks of the kernel.
    pub ticks: u64,
}

impl Stat {
    /// Of a process; none if there is no such process.
    pub fn of_process(pid: pid_t) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    /// Of a thread of a process; none if there is no such thread.
    pub fn of_thread(pid: pid_t, tid: pid_t) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{pid}/task/{tid}/stat")).ok()?)
    }

    fn parse(line: &str) -> Option<Self> {
        // The name, in parentheses, may contain anything. After it: the state, the parent, and as the 12th and 13th field
        // the ticks in user and kernel mode.
        let fields: Vec<&str> = line.rsplit_once(") ")?.1.split(' ').collect();
        let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<u64>().ok()).unwrap_or_default();
        Some(Self {
            state: fields.first()?.chars().next()?,
            parent: fields.get(1)?.parse().ok()?,
            ticks: ticks(11) + ticks(12),
        })
    }

    /// Whether it has ended, though it is still listed.
    pub fn has_ended(&self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }

    /// How long it has been computing.
    pub fn computed(&self) -> Duration {
        let per_second = sysconf(SysconfVar::CLK_TCK).ok().flatten().unwrap_or(1).max(1) as u64;
        Duration::from_millis(self.ticks * 1000 / per_second)
    }
}

/// A sleeping thread: it has not run since if it is equal later.
#[derive(Debug, PartialEq, Eq)]
pub struct Sleeper {
    tid: pid_t,
    switches: Vec<String>,
}

impl Sleeper {
    /// Of a thread, if it sleeps; one that has ended sleeps for good.
    pub fn of(tid: pid_t) -> Option<Self> {
        let Ok(status) = fs::read_to_string(format!("/proc/{tid}/status")) else {
            return Some(Self { tid, switches: Vec::new() });
        };
        let state = status.lines().find_map(|line| line.strip_prefix("State:"))?.trim_start().chars().next()?;
        let switches = status.lines().filter(|line| line.contains("ctxt_switches")).map(str::to_owned).collect();
        matches!(state, 'S' | 'T' | 'Z' | 'X').then_some(Self { tid, switches })
    }
}

/// The name of a thread; empty if there is no such thread.
pub fn name(tid: pid_t) -> String {
    fs::read_to_string(format!("/proc/{tid}/comm")).unwrap_or_default().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_contain_anything() {
        let line = "17 (a) R 1 (b) S 4 17 17 0 -1 4194560 9 0 0 0 30 12 0 0 20 0 2 0 1 2";
        assert_eq!(Stat::parse(line), Some(Stat { state: 'S', parent: 4, ticks: 42 }));
        assert_eq!(Stat::parse("17 (unfinished"), None);
    }
}
