//! The report of a deadlock: no thread can run, and nothing outside of the program could change that (see
//! [`super::outside`]).

use super::Engine;
use super::open_calls::{OpenCall, open_calls};
use crate::stacks::{self, ThreadStack};

/// Describes every thread that is left: what it waits for, in which traced call, and where.
pub fn describe(engine: &Engine<'_>) -> (String, Vec<ThreadStack>) {
    let calls = open_calls(engine.setting.streams, engine.threads.turns());
    let threads = engine.thread_stacks(&calls, None);
    let is_left = |call: &&OpenCall| match call.thread {
        None => true,
        Some(thread) => engine.threads[thread].has_ended(),
    };
    let left: Vec<&str> = calls.iter().filter(is_left).map(|call| call.text.as_str()).collect();
    let mut report = stacks::text(&threads);
    if !left.is_empty() {
        report += "open, begun long ago or by threads that have ended: ";
        report += &left.join(", ");
    }
    (report, threads)
}
