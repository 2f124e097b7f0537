//! What everybody waits for when nobody can run any more.

use std::fmt::Write as _;

use super::engine::Engine;
use super::stack::Modules;
use super::threads::{State, Wait};
use super::tracee;

/// Describes every thread that is left: what it waits for, and where.
pub fn describe(engine: &Engine<'_>) -> String {
    let modules = Modules::of(engine.pid);
    let mut report = String::new();
    for (index, thread) in engine.threads.iter() {
        let waits = match &thread.state {
            State::Waiting(Wait::Futex { address, .. }) => format!("waits at {address:#x}"),
            State::Waiting(Wait::Sleep { .. }) => "sleeps".to_owned(),
            State::Waiting(Wait::Descriptors { .. }) => "waits for input".to_owned(),
            State::InKernel => "waits in the kernel".to_owned(),
            State::Runnable => "can run".to_owned(),
            State::Ended => continue,
        };
        // Writing to a string does not fail.
        let _ = writeln!(report, "thread {index} {waits}");
        let Ok(registers) = tracee::registers(thread.tid) else { continue };
        let moved = |address| engine.code.place(address).map(|(place, _)| place);
        for function in modules.backtrace(&registers, &engine.memory, moved) {
            let _ = writeln!(report, "    {function}");
        }
    }
    report
}
