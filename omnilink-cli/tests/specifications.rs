//! The specifications of docs/specifications.md: each accepts a history with all of its actions, and rejects one that is
//! wrong.

mod support;

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};
use support::omnilink;

/// A module, values of its constants, a history that it allows and the last call of one that it does not.
struct Case {
    module: &'static str,
    constants: &'static [&'static str],
    allowed: &'static [&'static str],
    forbidden: &'static [&'static str],
}

/// A call is `Action name=value …`, one after the other; or `@thread start end` before that.
const CASES: [Case; 10] = [
    Case {
        module: "Queue",
        constants: &[],
        allowed: &["Enqueue elem=1", "Enqueue elem=2", "Dequeue elem=1", "Dequeue elem=2", "DequeueEmpty"],
        forbidden: &["Enqueue elem=1", "Enqueue elem=2", "Dequeue elem=2"],
    },
    Case {
        module: "Map",
        constants: &[],
        allowed: &[
            "GetMissing key=1",
            "Put key=1 value=5",
            "Put key=1 value=6",
            "Get key=1 value=6",
            "Remove key=1",
            "RemoveMissing key=1",
        ],
        forbidden: &["Put key=1 value=5", "Put key=2 value=6", "Get key=1 value=6"],
    },
    Case {
        module: "Lock",
        constants: &[],
        allowed: &["Acquire thread=1", "Busy", "Release thread=1", "Acquire thread=2"],
        forbidden: &["Acquire thread=1", "Acquire thread=2"],
    },
    Case {
        module: "Register",
        constants: &[],
        allowed: &["Write new=3", "Read result=3", "Swap expected=3 new=4", "SwapFailed expected=3 seen=4"],
        forbidden: &["Write new=3", "SwapFailed expected=4 seen=5"],
    },
    Case {
        module: "Bounded",
        constants: &["Capacity = 1"],
        allowed: &["PopEmpty", "Push elem=1", "PushFull elem=2", "Pop elem=1"],
        forbidden: &["Push elem=1", "Pop elem=1", "PushFull elem=2"],
    },
    Case {
        module: "Channel",
        constants: &["Capacity = 1"],
        // The second send waits for the receive.
        allowed: &[
            "@0 0 1 Send elem=1",
            "@0 2 9 Send elem=2",
            "@1 3 4 Receive elem=1",
            "@1 10 11 Receive elem=2",
            "@1 12 13 Close",
            "@1 14 15 SendClosed elem=3",
            "@1 16 17 ReceiveClosed",
        ],
        forbidden: &["@0 0 1 Send elem=1", "@0 2 3 Send elem=2"],
    },
    Case {
        module: "MayFail",
        constants: &[],
        allowed: &["Push elem=1", "TryPopFailed", "Pop elem=1", "PopEmpty"],
        forbidden: &["Push elem=1", "PopEmpty"],
    },
    Case {
        module: "RelaxedSize",
        constants: &[],
        // Neither push nor pop has to be counted.
        allowed: &[
            "Push elem=1",
            "SizeBegins call=7",
            "Push elem=2",
            "Pop elem=1",
            "Size call=7 size=2",
            "SizeBegins call=8",
            "Push elem=3",
            "Pop elem=2",
            "Size call=8 size=0",
        ],
        forbidden: &["Push elem=1", "Pop elem=1", "SizeBegins call=7", "Push elem=2", "Size call=7 size=2"],
    },
    Case {
        module: "Bulk",
        constants: &[],
        // The batches overlap, and so their elements alternate.
        allowed: &[
            "@0 0 9 PushAll elems=[1,2]",
            "@1 0 9 PushAll elems=[3,4]",
            "@0 10 11 Pop elem=1",
            "@0 12 13 Pop elem=3",
            "@0 14 15 Pop elem=2",
            "@0 16 17 Pop elem=4",
        ],
        forbidden: &[
            "@0 0 9 PushAll elems=[1,2]",
            "@1 10 19 PushAll elems=[3,4]",
            "@0 20 21 Pop elem=1",
            "@0 22 23 Pop elem=3",
        ],
    },
    Case {
        module: "Transactions",
        constants: &[],
        allowed: &[
            "Begin tx=1",
            "Begin tx=2",
            "Write tx=1 key=5 value=1",
            "Read tx=1 key=5 value=1",
            "Write tx=2 key=5 value=2",
            "Commit tx=1",
            "Read tx=2 key=5 value=2",
            "CommitConflict tx=2",
            "Begin tx=3",
            "Read tx=3 key=5 value=1",
        ],
        forbidden: &["Begin tx=1", "Begin tx=2", "Write tx=1 key=5 value=1", "Commit tx=1", "Read tx=2 key=5 value=1"],
    },
];

/// The modules of the page, by name.
fn modules() -> BTreeMap<String, String> {
    let page = include_str!("../../docs/specifications.md");
    let blocks = page.split("```tla\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let name = |text: &str| text.split("MODULE ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    blocks.map(|text| (name(text), text.to_owned())).collect()
}

/// A history as JSON lines.
fn lines(calls: &[&str]) -> String {
    let line = |(at, call): (usize, &&str)| {
        let mut words = call.split_whitespace().peekable();
        let number = |text: &str| text.trim_start_matches('@').parse::<u64>().unwrap();
        let (thread, start, end) = match words.next_if(|word| word.starts_with('@')) {
            Some(thread) => (number(thread), number(words.next().unwrap()), number(words.next().unwrap())),
            None => (0, 10 * at as u64, 10 * at as u64 + 5),
        };
        let op = words.next().unwrap();
        let args: BTreeMap<&str, Value> = words
            .map(|word| word.split_once('=').map(|(name, value)| (name, serde_json::from_str(value).unwrap())).unwrap())
            .collect();
        json!({ "thread": thread, "start": start, "end": end, "op": op, "args": args }).to_string() + "\n"
    };
    calls.iter().enumerate().map(line).collect()
}

#[test]
fn every_pattern_allows_what_is_right_and_nothing_else() {
    let (modules, place) = (modules(), tempfile::tempdir().unwrap());
    let names: Vec<_> = CASES.iter().map(|case| case.module.to_owned()).collect();
    assert_eq!(modules.len(), names.len(), "a module has no case: {:?}", modules.keys());
    for case in &CASES {
        let Case { module, constants, allowed, forbidden } = case;
        let spec = place.path().join(format!("{module}.tla"));
        fs::write(&spec, &modules[*module]).unwrap();
        let check = |history: &[&str]| {
            let trace = place.path().join("history.jsonl");
            fs::write(&trace, lines(history)).unwrap();
            let mut command = omnilink(["check", "--no-cache", "--json"]);
            command.args(constants.iter().flat_map(|constant| ["--const", constant]));
            let output = command.arg(&spec).arg(&trace).output().unwrap();
            (output.status.code(), String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr))
        };
        let (code, said) = check(allowed);
        assert_eq!(code, Some(0), "{module}: {said}");
        assert!(!said.contains("actions_never_recorded"), "{module}: {said}");
        let (code, said) = check(forbidden);
        assert_eq!(code, Some(1), "{module}: {said}");
        // It is the last call that is wrong.
        let (code, said) = check(&forbidden[..forbidden.len() - 1]);
        assert_eq!(code, Some(0), "{module}: {said}");
    }
}
