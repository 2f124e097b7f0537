//! Threads that were interrupted for a debugger and have not stopped for that yet.

use libc::pid_t;

use super::tracee;

/// Threads that have been interrupted and have not stopped for that yet.
#[derive(Debug, Default)]
pub struct Interruptions(Vec<pid_t>);

impl Interruptions {
    /// Interrupts a thread that runs. A thread that is gone needs no interruption.
    pub fn interrupt(&mut self, tid: pid_t) {
        if !self.0.contains(&tid) && tracee::interrupt(tid).is_ok() {
            self.0.push(tid);
        }
    }

    /// Whether a thread that stops by `PTRACE_EVENT_STOP` stops because of us: once for each interruption.
    pub fn caused_stop(&mut self, tid: pid_t) -> bool {
        let owed = self.0.iter().position(|&other| other == tid);
        owed.map(|at| self.0.swap_remove(at)).is_some()
    }

    /// A thread has ended.
    pub fn forget(&mut self, tid: pid_t) {
        self.0.retain(|&other| other != tid);
    }

    /// Whether a thread has been interrupted and has not stopped for that yet.
    pub fn are_owed(&self, tid: pid_t) -> bool {
        self.0.contains(&tid)
    }
}
