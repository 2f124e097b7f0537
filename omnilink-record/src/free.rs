//! Running a program without control, its threads spread over all cores.
//!
//! The chaos scheduler shows threads taking turns; what happens only when cores really run at once (stores that wait in
//! a buffer) shows up here or nowhere. The kernel likes to keep the threads of a short program on few cores, so each
//! new thread is pinned to the next core.

use std::fs;
use std::io;
use std::process::{Child, Command};
use std::sync::atomic::AtomicBool;
use std::thread;

use libc::pid_t;

use crate::chaos::Witness;
use crate::directory::Streams;
use crate::ending::Ending;
use crate::error::RecordError;
use crate::observed::Observed;
use crate::plan::Plan;
use crate::process::{self, INTERVAL, Nobody, Watcher};

/// Runs a program from start to end.
pub fn run(plan: &Plan, streams: &Streams, interrupt: &AtomicBool) -> Result<Observed, RecordError> {
    let mut spread = Spread::over_all_cores(plan);
    let ending = process::run(process::command(plan), plan, streams, interrupt, &mut spread)?;
    let stacks = spread.witness.map(|witness| witness.stacks_of(&ending)).unwrap_or_default();
    Ok(Observed { threads: spread.seen.len(), stacks, ..Observed::unscheduled(ending) })
}

/// Threads of a process, each pinned to a core.
struct Spread<'a> {
    plan: &'a Plan,
    cores: usize,
    seen: Vec<pid_t>,
    /// The program will be traced from its first instruction.
    is_prepared: bool,
    /// Who tells where threads are when the program goes wrong.
    witness: Option<Witness>,
}

impl<'a> Spread<'a> {
    fn over_all_cores(plan: &'a Plan) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self { plan, cores, seen: Vec::new(), is_prepared: false, witness: None }
    }
}

impl Watcher for Spread<'_> {
    fn prepare(&mut self, command: &mut Command) {
        self.is_prepared = Witness::prepare(command, &self.plan.program, &self.plan.environment);
    }

    fn begin(&mut self, pid: pid_t) {
        if self.is_prepared {
            self.witness = Witness::begin(pid, INTERVAL);
        }
    }

    fn wait(&mut self, child: &mut Child) -> io::Result<Option<Ending>> {
        match &mut self.witness {
            Some(witness) => witness.wait(),
            None => Nobody.wait(child),
        }
    }

    fn stopping(&mut self) {
        if let Some(witness) = &mut self.witness {
            witness.stopping();
        }
    }

    fn look(&mut self, pid: pid_t) {
        let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return };
        for tid in tasks.flatten().filter_map(|task| task.file_name().to_str()?.parse().ok()) {
            if !self.seen.contains(&tid) {
                pin(tid, self.seen.len() % self.cores);
                self.seen.push(tid);
            }
        }
    }
}

/// Keeps a thread on one core. If that is not allowed the kernel spreads them as it likes.
fn pin(tid: pid_t, core: usize) {
    // SAFETY: an all-zero set is empty; `core` is below the number of cores; the call reads the set.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(core, &mut set);
        libc::sched_setaffinity(tid, size_of::<libc::cpu_set_t>(), &set);
    }
}
