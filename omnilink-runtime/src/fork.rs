//! Children that are forked without exec.
//!
//! A child shares the mappings of its parent, and would write into its parent's lanes. So it is not recorded: right after the
//! fork its state changes, and no call writes any more, not even one that was open when the fork happened. The child's
//! first instrumented call says so on standard error, and counts itself for the parent's `run.json`. A child that wants to be
//! recorded can start a recorder of its own, in another directory.

use std::ptr::NonNull;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::state;

/// From now on, every fork leaves its child unrecorded.
pub(crate) fn watch() {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(|| {
        // SAFETY: the handler only touches an atomic.
        unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    });
}

unsafe extern "C" fn in_child() {
    if state::get() >= state::FIRST {
        state::set(state::FORKED);
    }
}

/// A number that a process and its forked children count together.
#[derive(Debug)]
pub(crate) struct SharedCount(Option<NonNull<AtomicU32>>);

// SAFETY: atomic, and mapped for ever.
unsafe impl Send for SharedCount {}
// SAFETY: as above.
unsafe impl Sync for SharedCount {}

impl SharedCount {
    pub fn new() -> Self {
        // SAFETY: a new anonymous mapping at an address of the kernel's choice.
        let page = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                size_of::<AtomicU32>(),
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        Self(NonNull::new(page.cast()).filter(|_| page != libc::MAP_FAILED))
    }

    fn counter(&self) -> Option<&AtomicU32> {
        // SAFETY: a page of zeros is an atomic 0, and the page is never unmapped.
        self.0.map(|page| unsafe { page.as_ref() })
    }

    pub fn increment(&self) {
        if let Some(counter) = self.counter() {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub fn get(&self) -> u32 {
        self.counter().map_or(0, |counter| counter.load(Ordering::Relaxed))
    }
}
