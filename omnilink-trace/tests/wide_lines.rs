//! A JSON line may have any number of keys: reading it takes time in proportion to its length.
//!
//! There is no clock here. With so many keys, anything that compares each with every other one makes 20 billion comparisons.

use std::fmt::Write as _;

use omnilink_trace::{Record, Trace, Value};

const KEYS: usize = 200_000;

/// Members of an object, each with another key.
fn members() -> String {
    let mut text = String::with_capacity(KEYS * 16);
    for at in 0..KEYS {
        let separator = if at == 0 { "" } else { "," };
        write!(text, "{separator}\"key{at}\":{at}").expect("a string takes everything");
    }
    text
}

/// The arguments of the only event of a trace that is this line.
fn arguments(line: &str) -> Vec<Option<Value>> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("wide.jsonl");
    std::fs::write(&path, line).expect("it can be written");
    let trace = Trace::open(&path).unwrap_or_else(|error| panic!("{error}"));
    let events = trace.records().filter_map(|record| match record {
        Ok(Record::Event(event)) => Some(event),
        Ok(_) => None,
        Err(error) => panic!("{error}"),
    });
    let mut events: Vec<_> = events.collect();
    assert_eq!(events.len(), 1);
    events.remove(0).args.into_iter().map(|arg| arg.value).collect()
}

#[test]
fn an_argument_with_many_keys() {
    let line =
        format!("{{\"thread\":0,\"start\":1,\"end\":2,\"op\":\"Put\",\"args\":{{\"map\":{{{}}}}}}}\n", members());
    let args = arguments(&line);
    assert_eq!(args.len(), 1);
    assert!(args[0].is_some());
}

/// A call has few parameters. That a line has more is an error, which is found as fast.
#[test]
fn many_arguments_are_refused() {
    for line in [
        format!("{{\"thread\":0,\"start\":1,\"end\":2,\"op\":\"Put\",\"args\":{{{}}}}}\n", members()),
        format!("{{\"thread\":0,\"start\":1,\"end\":2,\"op\":\"Put\",{}}}\n", members()),
    ] {
        let error = refusal(&line);
        assert!(error.contains(&format!("{KEYS} parameters, at most 64 are allowed")), "{error}");
    }
}

#[test]
fn the_same_key_twice_among_many() {
    let line = format!("{{\"thread\":0,\"start\":1,\"end\":2,\"op\":\"Put\",\"args\":{{{},\"key7\":0}}}}\n", members());
    let error = refusal(&line);
    assert!(error.contains("duplicate key `key7`"), "{error}");
}

/// Why a trace that is this line cannot be read.
fn refusal(line: &str) -> String {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("wide.jsonl");
    std::fs::write(&path, line).expect("it can be written");
    Trace::open(&path).expect_err("it is refused").to_string()
}
