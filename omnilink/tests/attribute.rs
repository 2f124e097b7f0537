//! Everything that can stand between the parentheses of `#[omnilink::action(…)]`.

mod common;

use std::cell::Cell;
use std::collections::HashMap;

use common::{record, record_until, unrecorded};
use omnilink::{Session, ToTla};

#[test]
fn bare_takes_name_and_parameters() {
    struct Stack;
    impl Stack {
        #[omnilink::action]
        fn push(&self, elem: u64, (low, high): (u8, u8), _: bool) -> u64 {
            elem + u64::from(low) + u64::from(high)
        }

        #[omnilink::action(discard_if = *ret > 3)]
        fn pop(&self, at: u64) -> u64 {
            at
        }
    }
    let events = record(|| {
        Stack.push(3, (1, 2), true);
        Stack.pop(3);
        Stack.pop(4);
    });
    assert_eq!(events, ["push(elem = 3, low = 1, high = 2)", "pop(at = 3)"]);
}

#[test]
fn arguments_are_expressions_over_parameters_and_result() {
    #[omnilink::action(Append(key, n = values.len(), last = ret, double = ret * 2, both = (*key, *ret), fixed = "x"))]
    fn append(key: &u64, values: Vec<u64>) -> u64 {
        values.into_iter().last().unwrap_or(*key)
    }
    let events = record(|| {
        append(&7, vec![1, 2, 3]);
    });
    assert_eq!(events, [r#"Append(key = 7, n = 3, last = 3, double = 6, both = <<7, 3>>, fixed = "x")"#]);
}

#[test]
fn keywords_name_parameters() {
    #[omnilink::action(Open(r#type, r#match = 1, loop = 2))]
    fn open(r#type: u8) -> u8 {
        r#type
    }
    #[omnilink::action]
    fn r#move(r#in: u8) -> u8 {
        r#in
    }
    let events = record(|| {
        open(7);
        r#move(8);
    });
    assert_eq!(events, ["Open(type = 7, match = 1, loop = 2)", "move(in = 8)"]);
}

#[test]
fn the_result_chooses_the_action() {
    struct Queue(Vec<u64>);
    impl Queue {
        #[omnilink::action(match ret { Some(v) => Dequeue(elem = v), None => DequeueEmpty })]
        fn try_pop(&mut self) -> Option<u64> {
            self.0.pop()
        }
    }
    let events = record(|| {
        let mut queue = Queue(vec![5]);
        assert_eq!(queue.try_pop(), Some(5));
        assert_eq!(queue.try_pop(), None);
    });
    assert_eq!(events, ["Dequeue(elem = 5)", "DequeueEmpty"]);
}

#[test]
fn arms_have_guards_and_alternatives() {
    #[omnilink::action(match ret {
        Ok(n) | Err(n) if n % 2 == 0 => Even(n),
        | Ok(1..=9) => Small,
        Ok(n) => Odd(n, was_ok = true),
        Err(n) => Odd(was_ok = false, n),
    })]
    fn classify(result: Result<u8, u8>) -> Result<u8, u8> {
        result
    }
    let events = record(|| {
        for result in [Ok(2), Err(4), Ok(3), Ok(11), Err(5)] {
            assert_eq!(classify(result), result);
        }
    });
    assert_eq!(
        events,
        ["Even(n = 2)", "Even(n = 4)", "Small", "Odd(n = 11, was_ok = TRUE)", "Odd(n = 5, was_ok = FALSE)"]
    );
}

#[test]
fn a_parameter_chooses_the_action() {
    enum Command {
        Put { key: u8, value: String },
        Delete(u8),
    }
    #[omnilink::action(match &command {
        Command::Put { key, value } => Put(key, value),
        Command::Delete(key) => Delete(key),
    })]
    fn apply(command: Command) -> Option<String> {
        match command {
            Command::Put { value, .. } => Some(value),
            Command::Delete(_) => None,
        }
    }
    let events = record(|| {
        apply(Command::Put { key: 1, value: "a".into() });
        apply(Command::Delete(1));
    });
    assert_eq!(events, [r#"Put(key = 1, value = "a")"#, "Delete(key = 1)"]);
}

#[test]
fn several_things_choose_the_action() {
    #[omnilink::action(match (key, ret.len()) { (0, _) => Zero, (_, 0) => Missing(key), (k, n) => Found(key = k, n) })]
    fn get(map: &HashMap<u8, String>, key: u8) -> String {
        map.get(&key).cloned().unwrap_or_default()
    }
    let events = record(|| {
        let map = HashMap::from([(1, "one".to_owned())]);
        for key in 0..3 {
            get(&map, key);
        }
    });
    assert_eq!(events, ["Zero", "Found(key = 1, n = 3)", "Missing(key = 2)"]);
}

#[test]
fn aborting_by_the_result() {
    #[derive(Debug)]
    struct Full;
    #[omnilink::action(Put(key, value), abort_if = ret.is_err())]
    fn put<K: ToTla, V: ToTla>(key: K, value: V, room: bool) -> Result<(), Full> {
        drop((key, value));
        if room { Ok(()) } else { Err(Full) }
    }
    #[omnilink::action(Take, abort_if = ret.is_err(), abort_reason = format!("{:?}", ret.as_ref().err()))]
    fn take() -> Result<u8, Full> {
        Err(Full)
    }
    #[omnilink::action(Take, abort_if = matches!(ret, Err(Full)) && *blocked, abort_reason = "blocked")]
    fn take_unless(blocked: &bool) -> Result<u8, Full> {
        Err(Full)
    }
    let events = record(|| {
        assert!(put("k", 3, true).is_ok());
        assert!(put(String::from("k"), 'c', false).is_err());
        assert!(take().is_err());
        assert!(take_unless(&true).is_err());
        assert!(take_unless(&false).is_err());
    });
    assert_eq!(
        events,
        [
            r#"Put(key = "k", value = 3)"#,
            r#"Put(key = "k", value = "c") aborted {omnilink.abort: "ret.is_err()"}"#,
            r#"Take aborted {omnilink.abort: "Some(Full)"}"#,
            r#"Take aborted {omnilink.abort: "blocked"}"#,
            "Take",
        ]
    );
}

#[test]
fn discarding_by_the_result() {
    #[omnilink::action(
        Get(key, value = ret),
        discard_if = ret.is_none(),
        abort_if = *ret == Some(0),
        abort_reason = "zero",
    )]
    fn get(key: u8) -> Option<u8> {
        key.checked_sub(1)
    }
    let events = record(|| assert_eq!([0, 1, 2].map(get), [None, Some(0), Some(1)]));
    assert_eq!(
        events,
        [r#"Get(key = 1, value = <<0>>) aborted {omnilink.abort: "zero"}"#, "Get(key = 2, value = <<1>>)"]
    );
}

#[test]
fn meta() {
    #[omnilink::action(Get(key), meta(key, before = *calls, after count = *calls), meta("ret.len" = ret.len()))]
    fn get(key: u8, calls: &mut u8) -> String {
        *calls += 1;
        key.to_string()
    }
    let events = record(|| drop(get(42, &mut 7)));
    assert_eq!(events, ["Get(key = 42) {key: 42, before: 7, count: 8, ret.len: 2}"]);
}

#[test]
fn what_the_function_writes_to_is_recorded_after() {
    #[omnilink::action(Drain(before = items, after items, after first = items.first()))]
    fn drain(items: &mut Vec<u8>) {
        items.remove(0);
    }
    let events = record(|| drain(&mut vec![1, 2, 3]));
    assert_eq!(events, ["Drain(before = <<1, 2, 3>>, items = <<2, 3>>, first = <<2>>)"]);
}

#[test]
fn the_result_of_a_function_that_returns_nothing() {
    #[omnilink::action(Nop(result = ret))]
    fn nop() {}
    assert_eq!(record(nop), ["Nop(result = <<>>)"]);
}

#[test]
fn inputs_are_known_of_a_call_that_never_ended() {
    #[omnilink::action(match ret {
        Ok(old) => Replace(key, old, same = text.len()),
        Err(text) => Fail(key, why = text, same = text.len()),
    }, meta(text))]
    fn replace(key: u8, text: &str, session: Session) -> Result<u8, String> {
        drop(session);
        text.parse().map_err(|_| text.to_owned())
    }
    let events = record_until(|session| drop(replace(7, "3", session)));
    // `same` is another expression in the second arm, where `text` is the error.
    assert_eq!(events, ["Replace|Fail(key = 7, old = ?, same = ?, why = ?) pending"]);

    #[omnilink::action(match ret { Some(_) => Hit(key = key.len(), n = 1), None => Miss(key = key.len(), n = 2) })]
    fn find(key: String, session: Session) -> Option<usize> {
        drop(session);
        key.find('x')
    }
    let events = record_until(|session| assert_eq!(find("abc".into(), session), None));
    assert_eq!(events, ["Hit|Miss(key = 3, n = ?) pending"]);
}

#[test]
fn nothing_is_evaluated_unless_it_is_recorded() {
    thread_local!(static EVALUATED: Cell<u32> = const { Cell::new(0) });
    fn count<T>(value: T) -> T {
        EVALUATED.set(EVALUATED.get() + 1);
        value
    }
    #[omnilink::action(
        match count(ret) { Some(v) if count(true) => A(v = count(v), key = count(key)), _ => B(key = count(key)) },
        meta(early = count(1), late = count(ret)),
        abort_if = count(ret.is_none()), abort_reason = count("none"), discard_if = count(false)
    )]
    fn get(key: u8) -> Option<u8> {
        Some(key)
    }
    #[omnilink::action(A(key = count(key), value = count(*ret)))]
    async fn get_async(key: u8) -> u8 {
        key
    }
    unrecorded(|| {
        assert_eq!(get(3), Some(3));
        assert_eq!(futures::executor::block_on(get_async(3)), 3);
        // Inside another recorded call it is not recorded either.
        assert_eq!(EVALUATED.get(), 0);
    });
    #[omnilink::action(Outer)]
    fn outer() {
        get(3);
        futures::executor::block_on(get_async(3));
    }
    assert_eq!(record(outer), ["Outer"]);
    assert_eq!(EVALUATED.get(), 0);
    let events = record(|| {
        get(3);
        futures::executor::block_on(get_async(4));
    });
    assert_eq!(events, ["A(v = 3, key = 3) {early: 1, late: <<3>>}", "A(key = 4, value = 4)"]);
    assert_eq!(EVALUATED.get(), 10);
}

#[test]
fn names_of_the_expansion_do_not_clash_with_the_users() {
    const SITE: u8 = 1;
    static OP: u8 = 2;
    #[omnilink::action(Sum(op, result, site = SITE, ret = ret))]
    fn sum(op: u8, result: u8) -> u8 {
        let ret = op + result;
        ret + SITE + OP
    }
    assert_eq!(record(|| assert_eq!(sum(3, 4), 10)), ["Sum(op = 3, result = 4, site = 1, ret = 10)"]);
}

#[test]
fn written_by_a_macro() {
    macro_rules! getter {
        ($name:ident, $action:ident, $value:expr) => {
            #[omnilink::action($action(key, value = ret, doubled = format!("{ret}{ret}")), abort_if = *ret == 0)]
            fn $name(key: u8) -> u8 {
                key + $value
            }
        };
    }
    getter!(get, Get, 1);
    assert_eq!(record(|| assert_eq!(get(3), 4)), [r#"Get(key = 3, value = 4, doubled = "44")"#]);
}
