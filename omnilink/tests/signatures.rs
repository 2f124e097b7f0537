//! What the attribute declares: which parameters are results, and which actions are outcomes of one call.

mod common;

use common::signatures;

enum Command {
    Get(u64),
    Put(u64, u64),
}

#[test]
fn arguments_that_wait_for_the_call_are_results() {
    #[omnilink::action(One(key, size = values.len(), last = ret, both = (key, *ret), after out))]
    fn one(key: u64, values: &[u64], out: &mut u64) -> u64 {
        *out = key;
        values[0]
    }
    #[omnilink::action]
    fn bare(key: u64) {
        let _ = key;
    }
    #[omnilink::action(Nothing)]
    fn nothing() {}
    let declared = signatures(|| {
        one(1, &[2], &mut 3);
        bare(1);
        nothing();
    });
    assert_eq!(declared, ["Nothing() ->", "One(key, size, last, both, out) -> last, both, out", "bare(key) ->"]);
}

#[test]
fn arms_of_a_match_on_the_result_are_outcomes_of_one_operation() {
    #[omnilink::action(match ret { Some(v) => Pop(limit, elem = v), None => PopEmpty(limit) })]
    fn pop(limit: u64) -> Option<u64> {
        Some(limit)
    }
    // Which constant it is depends on the arm, so on the result.
    #[omnilink::action(match ret { true => Insert(key, is_new = true), false => Insert(key, is_new = false) })]
    fn insert(key: u64) -> bool {
        key > 0
    }
    #[omnilink::action(match ret { Some(v) if *v > 3 => Large(key, v), Some(_) => Small(key), None => Missing(key) })]
    fn get(key: u64) -> Option<u64> {
        Some(key)
    }
    let declared = signatures(|| {
        pop(3);
        insert(1);
        get(1);
    });
    assert_eq!(
        declared,
        [
            "Insert(key, is_new) -> is_new",
            "Large(key, v) -> v of Large",
            "Missing(key) -> of Large",
            "Pop(limit, elem) -> elem of Pop",
            "PopEmpty(limit) -> of Pop",
            "Small(key) -> of Large",
        ]
    );
}

#[test]
fn arms_of_a_match_on_parameters_are_different_calls() {
    #[omnilink::action(match command { Command::Get(k) => Get(key = k, value = ret), Command::Put(k, v) => Put(key = k, value = v) })]
    fn late(command: &Command) -> u64 {
        match command {
            Command::Get(key) | Command::Put(_, key) => *key,
        }
    }
    #[omnilink::action(match command { Command::Get(k) => Read(key = k), Command::Put(k, v) => Write(key = k, value = v) })]
    fn early(command: &Command) {
        let _ = command;
    }
    let declared = signatures(|| {
        late(&Command::Get(1));
        late(&Command::Put(1, 2));
        early(&Command::Get(1));
    });
    assert_eq!(
        declared,
        ["Get(key, value) -> value", "Put(key, value) ->", "Read(key) ->", "Write(key, value) ->"],
        "`value` is a result of Get and an argument of Put"
    );
}

#[test]
fn what_is_not_known_is_not_declared_unless_it_is_given() {
    #[omnilink::action(match (command, ret) {
        (Command::Get(k), Some(v)) => Got(key = k, value = v),
        (Command::Get(k), None) => GotNone(key = k),
        (Command::Put(k, v), _) => Stored(key = k, value = v),
    })]
    fn unknown(command: &Command) -> Option<u64> {
        match command {
            Command::Get(key) | Command::Put(_, key) => Some(*key),
        }
    }
    #[omnilink::action(
        match (key, ret) { (0, _) => Root(value = ret), (_, Some(v)) => Find(key, value = v), _ => Lost(key) },
        results(value),
        operation = Lookup
    )]
    fn given(key: u64) -> Option<u64> {
        Some(key)
    }
    #[omnilink::action(Named(key, value = ret), results(), operation = "Some name")]
    fn named(key: u64) -> u64 {
        key
    }
    // An action of this name is still possible.
    #[omnilink::action(results(key))]
    fn odd(key: u64) {
        let _ = key;
    }
    let declared = signatures(|| {
        unknown(&Command::Get(1));
        given(1);
        named(1);
        odd(1);
    });
    assert_eq!(
        declared,
        [
            "Find(key, value) -> value of Lookup",
            "Got(key, value) ?",
            "GotNone(key) ?",
            "Lost(key) -> of Lookup",
            "Named(key, value) -> of Some name",
            "Root(value) -> value of Lookup",
            "Stored(key, value) ?",
            "results(key) ->",
        ]
    );
}

#[test]
fn functions_that_contradict_each_other_leave_that_in_the_trace() {
    #[omnilink::action(Take(elem = ret))]
    fn take(of: u64) -> u64 {
        of
    }
    #[omnilink::action(Take(elem))]
    fn take_this(elem: u64) {
        let _ = elem;
    }
    let declared = signatures(|| {
        take(1);
    });
    assert_eq!(declared, ["Take(elem) -> elem"], "by one of them");
    let declared = signatures(|| {
        take(1);
        take_this(1);
    });
    assert_eq!(declared, ["Take(elem) contradictory"]);
}

#[test]
fn async_functions_declare_the_same() {
    #[omnilink::action(match ret { Ok(v) => Load(key, value = v), Err(_) => LoadFailed(key) })]
    async fn load(key: u64) -> Result<u64, String> {
        Ok(key)
    }
    let declared = signatures(|| {
        let future = std::pin::pin!(load(1));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(std::future::Future::poll(future, &mut context).is_ready());
    });
    assert_eq!(declared, ["Load(key, value) -> value of Load", "LoadFailed(key) -> of Load"]);
}
