//! Work that has no end is stopped, and whoever asked for it learns why.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use omnilink_budget::{Budget, Exhausted, catch, on_behalf, poll};

const MOMENT: Duration = Duration::from_millis(20);

fn endless() -> u8 {
    loop {
        poll();
    }
}

fn flag() -> Arc<AtomicBool> {
    Arc::new(AtomicBool::new(false))
}

#[test]
fn time_is_up() {
    let budget = Budget::new(Some(MOMENT), None, flag());
    assert_eq!(budget.spend(endless), Err(Exhausted::Timeout));
    assert_eq!(budget.exhausted(), Some(Exhausted::Timeout));
}

#[test]
fn somebody_interrupts() {
    let interrupt = flag();
    let budget = Budget::new(None, None, Arc::clone(&interrupt));
    let stopped = thread::scope(|scope| {
        let worker = scope.spawn(|| budget.spend(endless));
        interrupt.store(true, Relaxed);
        worker.join().unwrap()
    });
    assert_eq!(stopped, Err(Exhausted::Interrupted));
}

#[test]
#[cfg(target_os = "linux")]
fn it_takes_too_much_memory() {
    let budget = Budget::new(None, Some(32 << 20), flag());
    let stopped = budget.spend(|| {
        let mut hoard = Vec::new();
        loop {
            hoard.push(vec![1u8; 1 << 16]);
            poll();
        }
    });
    assert_eq!(stopped.map(|never: u8| never), Err(Exhausted::Memory));
}

#[test]
fn what_ends_in_time_has_its_result() {
    let budget = Budget::new(Some(Duration::MAX), None, flag());
    assert_eq!(budget.spend(|| 7), Ok(7));
    assert_eq!(budget.exhausted(), None);
}

#[test]
fn a_budget_stops_nobody_elses_work() {
    let exhausted = Budget::new(Some(Duration::ZERO), None, flag());
    assert_eq!(exhausted.spend(endless), Err(Exhausted::Timeout));
    // It is still there, so every poll looks.
    poll();
    assert_eq!(Budget::new(None, None, flag()).spend(|| (0..1000).for_each(|_| poll())), Ok(()));
}

#[test]
fn a_budget_inside_of_another_takes_its_place() {
    let (outer, inner) =
        (Budget::new(Some(Duration::ZERO), None, flag()), Budget::new(Some(Duration::MAX), None, flag()));
    let result = outer.spend(|| {
        let result = inner.spend(|| {
            poll();
            1
        });
        assert_eq!(result, Ok(1));
        endless()
    });
    assert_eq!(result, Err(Exhausted::Timeout));
}

#[test]
fn a_thread_works_on_behalf_of_another() {
    let budget = Budget::new(Some(MOMENT), None, flag());
    let result = budget.spend(|| {
        let current = Budget::current();
        thread::scope(|scope| {
            let worker = scope.spawn(|| on_behalf(current, || catch(endless)));
            worker.join().unwrap()
        })
    });
    assert_eq!(result, Ok(Err(Exhausted::Timeout)));
}

#[test]
fn destructors_come_to_their_end() {
    struct Polls(Arc<AtomicBool>);
    impl Drop for Polls {
        fn drop(&mut self) {
            (0..1000).for_each(|_| poll());
            self.0.store(true, Relaxed);
        }
    }
    let dropped = flag();
    let polls = Polls(Arc::clone(&dropped));
    let stopped = Budget::new(Some(Duration::ZERO), None, flag()).spend(|| {
        let _polls = polls;
        endless()
    });
    assert_eq!((stopped, dropped.load(Relaxed)), (Err(Exhausted::Timeout), true));
}

#[test]
fn a_panic_stays_one() {
    let budget = Budget::new(None, None, flag());
    let panic = catch_unwind(AssertUnwindSafe(|| budget.spend(|| panic!("a mistake")))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"a mistake"));
}
