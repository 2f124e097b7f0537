//! Whether this process records, in one word.
//!
//! Every instrumented call begins with a relaxed load of it, and ends there if recording is off. Otherwise the word is the
//! generation of the active recorder. A lane belongs to one generation, so a comparison of the two also tells a call that the
//! recorder it began under has been finished or stopped, or that it now runs in a forked child, and must not write any more.

use std::sync::atomic::{AtomicU32, Ordering};

/// Nobody has asked yet: the environment decides at the first call.
pub(crate) const UNDECIDED: u32 = 0;
/// Recording is off.
pub(crate) const OFF: u32 = 1;
/// A child of a recorded process, forked without exec. Its first call says that it is not recorded.
pub(crate) const FORKED: u32 = 2;
/// The generation of the first recorder.
pub(crate) const FIRST: u32 = 3;

static STATE: AtomicU32 = AtomicU32::new(UNDECIDED);

/// The state.
#[inline]
pub(crate) fn get() -> u32 {
    // Relaxed: what a recorder consists of is reached through `session::active`, which synchronises.
    STATE.load(Ordering::Relaxed)
}

pub(crate) fn set(state: u32) {
    STATE.store(state, Ordering::SeqCst);
}

/// Changes the state if it is `from`; says whether it was.
pub(crate) fn change(from: u32, to: u32) -> bool {
    STATE.compare_exchange(from, to, Ordering::SeqCst, Ordering::SeqCst).is_ok()
}
