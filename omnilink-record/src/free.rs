//! Running a program without control, its threads spread over all cores.
//!
//! The chaos scheduler shows threads taking turns; what happens only when cores really run at once (stores that wait in
//! a buffer) shows up here or nowhere. The kernel likes to keep the threads of a short program on few cores, so each
//! new thread is pinned to the next core.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::process::{Child, Command};
use std::sync::atomic::AtomicBool;
use std::thread;

use libc::pid_t;
use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;

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
    spread.pin_new();
    let stacks = spread.witness.map(|witness| witness.stacks_of(&ending)).unwrap_or_default();
    Ok(Observed { threads: spread.pinned, stacks, ..Observed::unscheduled(ending) })
}

/// Threads of a process, each pinned to a core.
struct Spread<'a> {
    plan: &'a Plan,
    cores: usize,
    /// How many threads were pinned.
    pinned: usize,
    /// Those that were found without a witness.
    seen: HashSet<pid_t>,
    /// The program will be traced from its first instruction.
    is_prepared: bool,
    /// Who tells where threads are when the program goes wrong.
    witness: Option<Witness>,
}

impl<'a> Spread<'a> {
    fn over_all_cores(plan: &'a Plan) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self { plan, cores, pinned: 0, seen: HashSet::new(), is_prepared: false, witness: None }
    }

    /// Pins the threads that a witness has found. A witness is told of every thread when it begins; without one, threads
    /// are looked for now and then.
    fn pin_new(&mut self) {
        let new = self.witness.as_mut().map(Witness::take_new).unwrap_or_default();
        new.into_iter().for_each(|tid| self.pin(tid));
    }

    fn pin(&mut self, tid: pid_t) {
        pin(tid, self.pinned % self.cores);
        self.pinned += 1;
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
        if self.witness.is_some() {
            return self.pin_new();
        }
        let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return };
        for tid in tasks.flatten().filter_map(|task| task.file_name().to_str()?.parse().ok()) {
            if self.seen.insert(tid) {
                self.pin(tid);
            }
        }
    }
}

/// Keeps a thread on one core. If that is not allowed the kernel spreads them as it likes.
fn pin(tid: pid_t, core: usize) {
    let mut set = CpuSet::new();
    let _ = set.set(core).and_then(|()| sched_setaffinity(Pid::from_raw(tid), &set));
}
