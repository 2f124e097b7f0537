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
//! - `code`: every access to memory that others may see becomes a *point*: a jump to a trampoline that counts down in
//!   a shared page (`control`) and traps at zero. That costs some ten nanoseconds a point; only decisions cost a
//!   trap.
//! - `engine` lets the chosen thread go on and waits until it stops: its slice has ended, it makes a system call of
//!   interest (`filter`, `calls`), it begins a thread (`lives`), receives a signal (`signals`).
//!   `schedule` then asks the [`strategy`] who is next; `watch` looks after programs that do not stop.
//! - Waiting is emulated: `futex`, sleeping, input (`readiness`). So who can run is known at every moment, whoever
//!   is woken is drawn from the seed, and when nobody can run that is a `deadlock`, unless something `outside` could change it.
//! - Signals are sent as the program sends them; who waits in our hands looks for them (`signal_waits`). Timers go by virtual
//!   time (`timers`). Random numbers and questions to the processor are answered from here (`processor`, `devices`).
//! - Time is virtual: the clock advances with what the program does, and jumps when everybody waits for it. A sleeper
//!   may be woken early, by letting the clock jump, so nobody ever sees a timeout before its time.
//! - Where everybody is when the program crashes, deadlocks or is stopped is told (`whereabouts`, `stack`, `crash`).
//! - A debugger can be let in (`debug`), which sees a program that was not rewritten and does not disturb the schedule.
//! - Processes that the program starts are followed passively (`passive`): they run unchanged, and may wake the program's
//!   threads (`children`). Whoever waits in the kernel is left to it (`kernel_waits`).
//!
//! What is not drawn from the seed: what the program reads from outside (files, sockets, other processes), the ids of its
//! children, and addresses where the kernel does not let us fix them. A run that is
//! seen to meet such things has a note, and the hash of its schedule tells whether they mattered.
//!
//! Serialised threads see each other's writes in order: what only happens when two cores run at once (store buffers) is
//! not seen here. [`crate::free`] is for that.

mod calls;
mod children;
mod code;
mod control;
mod coverage;
mod crash;
mod deadlock;
mod debug;
mod details;
mod devices;
mod engine;
mod file_times;
mod filter;
mod futex;
mod identity;
mod inject;
mod install;
mod interruptions;
mod kernel_waits;
mod launch;
mod libraries;
mod lives;
mod loading;
mod maps;
mod memory;
mod open_calls;
mod outside;
mod passive;
mod ports;
mod processor;
mod readiness;
mod sanitizers;
mod schedule;
mod shared_memory;
mod signal_waits;
mod signals;
mod stack;
mod startup;
pub mod strategy;
mod stuck;
mod threads;
mod ticker;
mod time;
mod timer_calls;
mod timers;
mod tracee;
mod turns;
mod usage;
mod watch;
mod whereabouts;
mod witness;

use std::sync::atomic::AtomicBool;

pub use install::CodeCache;
pub use libraries::Libraries;
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
    engine.invite(debug::Debugger::new(invitation));
    engine.run()
}
