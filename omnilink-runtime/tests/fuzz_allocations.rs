//! The loop allocates nothing per step.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use omnilink_runtime::fuzz::{Fuzz, Unsupported};

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Counts the allocations of every thread.
struct Counting;

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: passed on from the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: passed on from the caller; the block came from there.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Steps after which everything that is made once has been made.
const WARM_UP: u64 = 1000;

struct State {
    steps: u64,
    allocations_before: u64,
}

#[test]
fn steps_do_not_allocate() {
    let directory = tempfile::tempdir().unwrap();
    let fuzz = Fuzz::<(), State>::with_state("Steps", |_| State { steps: 0, allocations_before: 0 })
        .action("Step", &["n", "name"], |cx| {
            cx.state.steps += 1;
            if cx.state.steps == WARM_UP {
                cx.state.allocations_before = ALLOCATIONS.get();
            }
            let n = cx.random.below(1000);
            cx.set("n", &n);
            cx.set("name", "somebody");
            cx.call(|(), _| ());
            Ok(())
        })
        .action("Skip", &[], |_| Err(Unsupported))
        .cleanup(|end| {
            assert!(end.state.steps > WARM_UP);
            assert_eq!(ALLOCATIONS.get(), end.state.allocations_before);
        })
        .threads(2)
        .operations(20 * WARM_UP)
        .trace_directory(directory.path());
    let report = fuzz.run(&()).unwrap();
    assert_eq!(report.exit_code(), 0, "{report}");
}
