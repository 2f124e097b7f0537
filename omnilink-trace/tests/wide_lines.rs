//! A JSON line may have any number of keys: reading it takes time in proportion to its length.
//!
//! There is no clock here. With a million keys, anything that compares each with every other one takes hours.

use std::fmt::Write as _;

use omnilink_trace::{Record, Trace, Value};

const KEYS: usize = 1_000_000;

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
fn an_argument_with_a_million_keys() {
    let line =
        format!("{{\"thread\":0,\"start\":1,\"end\":2,\"op\":\"Put\",\"args\":{{\"map\":{{{}}}}}}}\n", members());
    let args = arguments(&line);
    assert_eq!(args.len(), 1);
    assert!(args[0].is_some());
}

#[test]
fn a_million_arguments() {
    for line in [
        format!("{{\"thread\":0,\"start\":1,\"end\":2,\"op\":\"Put\",\"args\":{{{}}}}}\n", members()),
        format!("{{\"thread\":0,\"start\":1,\"end\":2,\"op\":\"Put\",{}}}\n", members()),
    ] {
        assert_eq!(arguments(&line).len(), KEYS);
    }
}

#[test]
fn the_same_key_twice_among_a_million() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("twice.jsonl");
    let line = format!("{{\"thread\":0,\"start\":1,\"end\":2,\"op\":\"Put\",\"args\":{{{},\"key7\":0}}}}\n", members());
    std::fs::write(&path, line).expect("it can be written");
    let error = Trace::open(&path).expect_err("a key is there twice").to_string();
    assert!(error.contains("the key `key7` is there twice"), "{error}");
}
