//! The chaos scheduler: one thread of the program runs at a time, and a seed decides which.
//!
//! It works on unmodified x86-64 programs, without privileges and without performance counters:
//!
//! ```text
//!  launch ────────► startup ────► (the loader runs) ─► install ───────► engine ◄──► strategy
//!  fork, seize,     the same      until the trap at    code rewritten:              who runs next,
//!  seccomp, exec    stack         the entry point      points, traps                for how many points
//! ```
//!
//! It has four layers, of which each uses only those below it:
//!
//! - `engine` joins the others: it lets the chosen thread go on and waits until it stops, because its slice has ended, it
//!   makes a system call of interest (`calls`), it begins a thread (`lives`) or receives a signal (`signals`). Then
//!   somebody is chosen (`schedule`).
//! - `policy` decides: the [`strategy`] who is next, `scheduler` for how many points, and who is woken; `budget` when a run
//!   has done enough, and `watchdog` when a thread that does not stop is interrupted.
//! - `state` is what is known of the program: its `threads` and what they wait for, virtual `time`, `timers`, and other results
//!   of emulated system calls.
//! - `mechanism` controls one process: `tracee`, `memory`, `launch`, rewritten `code`, `stack`.
//!
//! How it works:
//!
//! - Every access to memory that others may see becomes a *point*: a jump to a trampoline that counts down in a shared
//!   page (`mechanism::control`) and traps at zero. That costs some ten nanoseconds a point; only decisions cost a trap.
//! - Waiting is emulated: `futex`, sleeping, input (`readiness`). So who can run is known at every moment, the thread that
//!   is woken is drawn from the seed, and when no thread can run that is a `deadlock`, unless something `outside` could
//!   change it.
//! - Signals are sent as the program sends them; a thread whose waiting is emulated looks for them (`signal_waits`). Timers
//!   go by virtual time. Random numbers and questions to the processor are answered by the scheduler.
//! - Time is virtual: the clock advances with what the program does, and jumps when every thread waits for it. A sleeper
//!   may be woken early, by letting the clock jump, so no thread ever sees a timeout before its time.
//! - When the program crashes, deadlocks or is stopped, the run keeps the stacks of all threads (`thread_stacks`).
//! - A debugger can be let in (`debug`), which sees a program that was not rewritten and does not disturb the schedule.
//! - Processes that the program starts are followed passively (`passive`): they run unchanged, and may wake the program's
//!   threads (`children`). A call that waits for something only the kernel knows is left to it (`kernel_waits`).
//!
//! What is not drawn from the seed: what the program reads from outside (files, sockets, other processes), the ids of its
//! children, and addresses where the kernel does not let us fix them. A run that is
//! seen to meet such things has a note, and the hash of its schedule tells whether they mattered.
//!
//! Serialised threads see each other's writes in order: what only happens when two cores run at once (store buffers) is
//! not seen here. [`crate::free`] is for that.

mod engine;
mod mechanism;
mod policy;
mod state;
mod witness;

use std::sync::atomic::AtomicBool;

pub use mechanism::install::CodeCache;
pub use mechanism::libraries::Libraries;
pub use policy::strategy;
pub(crate) use witness::Witness;

use crate::debugger::Invitation;
use crate::directory::Streams;
use crate::error::RecordError;
use crate::observed::Observed;
use crate::plan::Plan;
use strategy::Strategy;

/// What a run of the scheduler needs besides the plan.
#[derive(Debug)]
pub struct Setting<'a> {
    /// What the program reads from and writes to.
    pub streams: &'a Streams,
    /// Code that has been looked at before.
    pub cache: &'a CodeCache,
    /// Which libraries have points.
    pub libraries: &'a Libraries,
    /// Set when the run shall end.
    pub interrupt: &'a AtomicBool,
}

/// Runs a program from start to end.
pub fn run(plan: &Plan, setting: &Setting<'_>, strategy: &mut dyn Strategy) -> Result<Observed, RecordError> {
    engine::Engine::launch(plan, setting, strategy)?.run()
}

/// As [`run`], and lets a debugger in on the way.
pub fn debug(
    plan: &Plan,
    setting: &Setting<'_>,
    strategy: &mut dyn Strategy,
    invitation: Invitation<'_>,
) -> Result<Observed, RecordError> {
    let mut engine = engine::Engine::launch(plan, setting, strategy)?;
    engine.invite(engine::debug::Debugger::new(invitation));
    engine.run()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// From the lowest to the highest.
    const LAYERS: [&str; 4] = ["mechanism", "state", "policy", "engine"];

    fn sources(directory: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
    }

    #[test]
    fn no_layer_uses_one_above_it() {
        let chaos = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/chaos");
        for (height, layer) in LAYERS.iter().enumerate() {
            let files = sources(&chaos.join(layer));
            assert!(!files.is_empty(), "{layer}");
            for file in files {
                let text = fs::read_to_string(&file).unwrap();
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
                for (line, above) in code.flat_map(|line| LAYERS[height + 1..].iter().map(move |above| (line, above))) {
                    let uses = [format!("chaos::{above}"), format!("super::{above}::")];
                    assert!(!uses.iter().any(|used| line.contains(used)), "{}: {line}", file.display());
                }
            }
        }
    }
}
