//! The call that is open on this thread, from inside it.
//!
//! For code below an instrumented function that knows more than its caller: where exactly the call takes effect, or that it
//! did not. Without an open call, nothing happens.

use crate::lane::Lane;
use crate::to_tla::ToTla;
use crate::{state, thread};

fn lane<'a>() -> Option<&'a mut Lane> {
    if state::get() < state::FIRST {
        return None;
    }
    // SAFETY: the lane of the open call is alive, and used by this thread only. `Op` holds no reference to it while it runs code that
    // could come here.
    let lane = unsafe { thread::with(|thread| thread.innermost()).as_mut() }?;
    (lane.session.generation == state::get()).then_some(lane)
}

/// As [`Op::refine_start`](crate::Op::refine_start).
pub fn refine_start() {
    if let Some(lane) = lane() {
        lane.refine_start();
    }
}

/// As [`Op::refine_end`](crate::Op::refine_end).
pub fn refine_end() {
    if let Some(lane) = lane() {
        lane.refine_end();
    }
}

/// As [`Op::abort`](crate::Op::abort).
pub fn abort(reason: &str) {
    if let Some(lane) = lane() {
        lane.abort(reason);
    }
}

/// As [`Op::meta`](crate::Op::meta).
pub fn meta<T: ToTla + ?Sized>(key: &str, value: &T) {
    let Some(mut pair) = lane().map(|lane| lane.meta().take_scratch()) else { return };
    pair.encode(key, value);
    if let Some(lane) = lane() {
        lane.meta().insert(pair);
    }
}
