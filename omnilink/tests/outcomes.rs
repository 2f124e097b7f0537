//! How calls can end, and calls inside each other.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};

use common::{lanes, record};
use omnilink::{Nested, current};

#[omnilink::action(match ret { Some(n) => Half(of, n), None => Odd(of) })]
fn half(of: u64) -> Option<u64> {
    assert_ne!(of, 0, "nothing to halve");
    of.is_multiple_of(2).then_some(of / 2)
}

#[test]
fn a_panic_is_indeterminate_and_goes_on() {
    let events = record(|| {
        let payload = catch_unwind(|| half(0)).expect_err("panics");
        let message = payload.downcast_ref::<String>().expect("a message");
        assert!(message.contains("nothing to halve"));
        assert_eq!(half(4), Some(2));
        assert_eq!(half(5), None);
    });
    assert_eq!(events.len(), 3);
    assert!(events[0].starts_with("Half|Odd(of = 0, n = ?) indeterminate {omnilink.panic: "), "{}", events[0]);
    assert!(events[0].contains("nothing to halve"), "{}", events[0]);
    assert_eq!(events[1..], ["Half(of = 4, n = 2)", "Odd(of = 5)"]);
}

#[test]
fn a_panic_in_an_expression_is_indeterminate_and_goes_on() {
    #[omnilink::action(Get(key, value = ret.expect("there is a value")))]
    fn get(key: u8) -> Option<u8> {
        key.checked_sub(1)
    }
    let events = record(|| {
        assert!(catch_unwind(|| get(0)).is_err());
        assert_eq!(get(1), Some(0));
    });
    assert_eq!(
        events,
        [r#"Get(key = 0, value = ?) indeterminate {omnilink.panic: "left by a panic"}"#, "Get(key = 1, value = 0)"]
    );
}

#[test]
fn of_nested_calls_the_outermost_is_recorded_or_both() {
    #[omnilink::action(Quarter(of))]
    fn quarter(of: u64) -> Option<u64> {
        half(half(of)?)
    }
    assert_eq!(record(|| assert_eq!(quarter(12), Some(3))), ["Quarter(of = 12)"]);
    let lanes = lanes(Nested::Both, |_session| assert_eq!(quarter(12), Some(3)));
    assert_eq!(lanes, [vec!["Quarter(of = 12)"], vec!["Half(of = 12, n = 6)", "Half(of = 6, n = 3)"]]);
}

#[test]
fn a_panic_inside_nested_calls_leaves_the_lane_usable() {
    #[omnilink::action(Outer(of))]
    fn outer(of: u64) -> Option<u64> {
        catch_unwind(AssertUnwindSafe(|| half(of))).unwrap_or(Some(9))
    }
    let lanes = lanes(Nested::Both, |_session| {
        assert_eq!(outer(0), Some(9));
        assert_eq!(outer(2), Some(1));
    });
    assert_eq!(lanes[0], ["Outer(of = 0)", "Outer(of = 2)"]);
    assert!(lanes[1][0].starts_with("Half|Odd(of = 0, n = ?) indeterminate"));
    assert_eq!(lanes[1][1], "Half(of = 2, n = 1)");
}

#[test]
fn the_body_can_say_more() {
    #[omnilink::action(Try(n))]
    fn attempt(n: u8) -> u8 {
        current::refine_start();
        current::meta("attempts", &3);
        if n == 0 {
            current::abort("nothing to do");
        }
        current::refine_end();
        n
    }
    let events = record(|| {
        attempt(0);
        attempt(1);
    });
    assert_eq!(
        events,
        [r#"Try(n = 0) aborted {attempts: 3, omnilink.abort: "nothing to do"}"#, "Try(n = 1) {attempts: 3}"]
    );
}
