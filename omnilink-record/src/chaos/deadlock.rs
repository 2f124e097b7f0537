//! What everybody waits for when nobody can run any more, and nothing is left that could change it: see [`super::outside`].

use std::fmt::Write as _;

use super::engine::Engine;
use super::open_calls::{OpenCall, open_calls};
use super::stack::Modules;
use super::threads::{State, Wait};
use super::tracee;

/// Describes every thread that is left: what it waits for, in which traced call, and where.
pub fn describe(engine: &Engine<'_>) -> String {
    let modules = Modules::of(engine.pid);
    let calls = open_calls(engine.setting.streams, &engine.turns);
    let mut report = String::new();
    for (index, thread) in engine.threads.iter() {
        let waits = match &thread.state {
            State::Waiting(Wait::Futex { address, .. }) => format!("waits at {address:#x}"),
            State::Waiting(Wait::Sleep { .. }) => "sleeps".to_owned(),
            State::Waiting(Wait::Signals { .. }) => "waits for a signal".to_owned(),
            State::Waiting(Wait::Descriptors { .. }) => "waits for input or output".to_owned(),
            State::InKernel => "waits in the kernel".to_owned(),
            State::Runnable => "can run".to_owned(),
            State::Ended => continue,
        };
        // Writing to a string does not fail.
        let _ = write!(report, "thread {index} {waits}");
        write_calls(&mut report, ", in ", calls.iter().filter(|call| call.thread == Some(index)));
        report.push('\n');
        let Ok(registers) = tracee::registers(thread.tid) else { continue };
        let moved = |address| engine.code.place(address).map(|(place, _)| place);
        for function in modules.backtrace(&registers, &engine.memory, moved) {
            let _ = writeln!(report, "    {function}");
        }
    }
    let is_left = |call: &&OpenCall| match call.thread {
        None => true,
        Some(thread) => matches!(engine.threads[thread].state, State::Ended),
    };
    write_calls(&mut report, "open, begun long ago or by threads that have ended: ", calls.iter().filter(is_left));
    report
}

/// Writes calls after a text, or nothing if there are none.
fn write_calls<'a>(report: &mut String, before: &str, calls: impl Iterator<Item = &'a OpenCall>) {
    let texts: Vec<&str> = calls.map(|call| call.text.as_str()).collect();
    if !texts.is_empty() {
        *report += before;
        *report += &texts.join(", ");
    }
}
