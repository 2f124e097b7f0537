//! Which traced calls a stopped program has open.
//!
//! They are in the trace that OmniLink's runtime inside the program is writing, each with the time at which it began.

use std::os::fd::AsRawFd;

use omnilink_trace::{Call, Trace};

use crate::chaos::state::threads::ThreadIndex;
use crate::chaos::state::turns::Turns;
use crate::directory::Streams;

/// A call that has begun and not ended.
#[derive(Debug)]
pub struct OpenCall {
    /// As the specification writes it.
    pub text: String,
    /// Who began it, if that is known.
    pub thread: Option<ThreadIndex>,
}

/// The open calls of a program that writes its trace to these streams; none if it writes none that can be read.
pub fn open_calls(streams: &Streams, turns: &Turns) -> Vec<OpenCall> {
    let Ok(trace) = Trace::open(format!("/proc/self/fd/{}", streams.trace.as_raw_fd())) else { return Vec::new() };
    let pending = trace.lanes().iter().filter_map(|lane| lane.pending());
    pending
        .map(|event| OpenCall {
            text: Call::new(trace.vocabulary(), event).to_string(),
            thread: turns.reader(event.timebox.start),
        })
        .collect()
}
