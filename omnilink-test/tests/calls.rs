//! Calls without instrumentation against a model.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI64, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use omnilink_test::ready::{Counter, CounterCall};
use omnilink_test::{Model, Words, model};

#[test]
fn a_counter_that_is_one_passes() {
    model(Counter).runs(20).check_calls(|calls, _| {
        let counter = AtomicI64::new(0);
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..10 {
                        calls.call(CounterCall::Add(1), || counter.fetch_add(1, SeqCst));
                        calls.call(CounterCall::Read, || counter.load(SeqCst));
                    }
                });
            }
        });
    });
}

#[test]
fn a_lost_update_fails_with_the_explanation_in_the_words_of_the_model() {
    let checked = model(Counter).runs(2).try_check_calls(|calls, _| {
        let counter = AtomicI64::new(0);
        calls.call(CounterCall::Add(1), || counter.fetch_add(1, SeqCst));
        // Another thread comes between the load and the store.
        calls.call(CounterCall::Add(1), || {
            let value = counter.load(SeqCst);
            thread::scope(|scope| {
                scope.spawn(|| calls.call(CounterCall::Add(1), || counter.fetch_add(1, SeqCst))).join().unwrap()
            });
            counter.store(value + 1, SeqCst);
            value
        });
    });
    let text = checked.expect_err("both returned 1").to_string();
    assert!(text.starts_with("run 1 of 2 (seed 0): no order of these 3 calls is allowed"), "{text}");
    assert!(text.contains("Add(1) → 1"), "{text}");
}

#[test]
fn nothing_checked_is_a_failure() {
    let no_call = model(Counter).try_check_calls(|_, _| {});
    assert!(no_call.unwrap_err().to_string().contains("no call was made"));
    let no_answer = model(Counter).try_check_calls(|calls, _| {
        let call = || calls.call(CounterCall::Read, || panic!("no answer"));
        catch_unwind(AssertUnwindSafe(call)).unwrap_err();
    });
    assert!(no_answer.unwrap_err().to_string().contains("none of the calls returned"));
}

#[test]
fn a_call_that_panicked_may_have_taken_effect_or_not() {
    for took_effect in [true, false] {
        model(Counter).check_calls(|calls, _| {
            let counter = AtomicI64::new(0);
            let call = || {
                calls.call(CounterCall::Add(5), || {
                    counter.fetch_add(if took_effect { 5 } else { 0 }, SeqCst);
                    panic!("on purpose");
                })
            };
            catch_unwind(AssertUnwindSafe(call)).unwrap_err();
            calls.call(CounterCall::Read, || counter.load(SeqCst));
        });
    }
    let wrong = model(Counter).try_check_calls(|calls, _| {
        let call = || calls.call(CounterCall::Add(5), || panic!("on purpose"));
        catch_unwind(AssertUnwindSafe(call)).unwrap_err();
        calls.call(CounterCall::Read, || 3);
    });
    assert!(wrong.is_err());
}

/// A model whose `is_read_only` is wrong, and whose search takes forever if it has to.
struct Wrong;

impl Model for Wrong {
    type State = u64;
    type Input = ();
    type Output = u64;
    type Key = ();

    fn init(&self) -> u64 {
        0
    }

    fn step(&self, state: &u64, (): &(), output: Option<&u64>) -> impl IntoIterator<Item = u64> {
        (output != Some(&u64::MAX)).then_some(state + 1)
    }

    fn is_read_only(&self, (): &()) -> bool {
        true
    }
}

impl Words for Wrong {
    fn describe_call(&self, (): &(), _: Option<&u64>) -> String {
        "count".to_owned()
    }

    fn describe_state(&self, state: &u64) -> String {
        state.to_string()
    }
}

#[test]
fn a_model_that_contradicts_itself_is_told() {
    let text = model(Wrong).try_check_calls(|calls, _| _ = calls.call((), || 1)).unwrap_err().to_string();
    assert!(text.contains("the model contradicts itself") && text.ends_with("count"), "{text}");
}

#[test]
fn a_search_that_takes_too_long_fails() {
    let text = model(Counter)
        .timeout(Duration::ZERO)
        .try_check_calls(|calls, _| {
            thread::scope(|scope| {
                for thread in 0..12 {
                    // No sum of these is what is read at the end, and there are 2^12 sums to try.
                    scope.spawn(move || {
                        let call = || calls.call(CounterCall::Add(1 << thread), || panic!("no answer"));
                        catch_unwind(AssertUnwindSafe(call)).unwrap_err();
                    });
                }
            });
            calls.call(CounterCall::Read, || -1);
        })
        .unwrap_err()
        .to_string();
    assert!(text.contains("unknown: the search was stopped after 0ns"), "{text}");
}

#[test]
#[should_panic(expected = "the closure's own words")]
fn a_panic_of_the_closure_goes_on() {
    omnilink_test::check_calls(Counter, |_| panic!("the closure's own words"));
}
