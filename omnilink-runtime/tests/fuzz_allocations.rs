//! The loop allocates nothing per step.

mod counting;

use counting::ALLOCATIONS;
use omnilink_runtime::fuzz::{Fuzz, Unsupported};

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
