//! Files that other programs write.
#![cfg(feature = "read")]

mod plain;

use std::fs;
use std::path::{Path, PathBuf};

use omnilink_trace::{ClockKind, Finding, LaneEnd, OpenOptions, Outcome, StopReason, Trace, Value, write_run};
use plain::{PlainRecord, plain};
use rmp::encode as mp;

fn history() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/set-history.jsonl")
}

#[test]
fn histories_of_simulated_objects_are_read_unchanged() {
    let trace = Trace::open(history()).unwrap();
    assert_eq!(trace.lanes().len(), 3);
    assert_eq!(trace.lanes().iter().map(|lane| lane.events()).sum::<u64>(), 12);
    assert_eq!(trace.run().seed, Some(5));
    assert_eq!(trace.run().other["header"]["expect"], "ok");
    assert_eq!(trace.clock(), ClockKind::Logical);
    assert!(trace.complete() && trace.notices().is_empty());
    let mut names: Vec<_> = trace.vocabulary().actions().map(|(_, action)| action.name.to_string()).collect();
    names.sort();
    assert!(names.iter().all(|name| name.starts_with("KV")), "{names:?}");
    // Two lines of the file, in words.
    let text = fs::read_to_string(history()).unwrap();
    let merged: Vec<_> = trace.records().map(|record| record.unwrap().time()).collect();
    for (line, start) in text.lines().skip(1).zip(merged) {
        assert!(line.contains(&format!("\"start\":{start},")), "{line}");
    }

    let place = tempfile::tempdir().unwrap();
    let run = place.path().join("run");
    assert!(write_run(&trace, &run).unwrap().is_empty());
    assert_eq!(plain(&Trace::open(&run).unwrap()).lanes, plain(&trace).lanes);
}

fn jsonl(text: &str) -> Result<Trace, String> {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("t.jsonl");
    fs::write(&path, text).unwrap();
    Trace::open(&path).map_err(|error| error.to_string().replace(&path.display().to_string(), "t.jsonl"))
}

#[test]
fn json_lines_say_everything_that_events_can() {
    let trace = jsonl(
        r#"{"thread":"client","start":1,"end":4,"op":"Put","key":1,"value":{"$set":[2,1]}}
{"thread":3,"start":2,"end":3,"op":"Put","value":"x","outcome":"aborted","meta":{"why":"full"}}

{"thread":"client","start":5,"end":9,"ops":["Put","Clear"],"args":{"key":7},"outcome":"indeterminate"}
{"thread":3,"start":6,"end":6,"effects":[{"variable":"log","path":["n1",2],"operation":"AddElement","args":[5]}]}
{"thread":3,"terminated":8,"meta":{"clean":true}}
{"thread":0,"start":7,"end":null,"op":"Clear"}"#,
    )
    .unwrap();
    let lanes: Vec<_> = trace.lanes().iter().map(|lane| (lane.index(), lane.name())).collect();
    assert_eq!(lanes, [(0, ""), (1, "client"), (3, "")]);
    let plain = plain(&trace);
    let client = &plain.lanes[1].records;
    let put = || ("Put".to_owned(), vec!["key".to_owned(), "value".to_owned()]);
    let PlainRecord::Event { actions, args, certain, .. } = &client[0] else { panic!() };
    assert_eq!((actions, *certain), (&vec![put()], true));
    assert_eq!(args[1], ("value".into(), Some(Value::set([Value::Int(1), Value::Int(2)]))));
    let PlainRecord::Event { actions, args, outcome, .. } = &client[1] else { panic!() };
    assert_eq!(actions, &vec![put(), ("Clear".into(), vec![])]);
    assert_eq!(args, &vec![("key".into(), Some(Value::Int(7))), ("value".into(), None)]);
    assert_eq!(*outcome, Outcome::Indeterminate);
    let PlainRecord::Event { args, outcome, meta, .. } = &plain.lanes[2].records[0] else { panic!() };
    assert_eq!(args[0], ("key".into(), None), "an argument that a line does not have is unknown");
    assert_eq!((*outcome, &*meta[0].0), (Outcome::Aborted, "why"));
    let PlainRecord::Event { actions, effects, .. } = &plain.lanes[2].records[1] else { panic!() };
    assert!(actions.is_empty());
    assert_eq!((effects[0].0.as_str(), effects[0].2.as_str()), ("log", "AddElement"));
    let PlainRecord::Event { outcome, .. } = &plain.lanes[0].records[0] else { panic!() };
    assert_eq!(*outcome, Outcome::Pending);
    assert!(trace.notices().iter().any(|notice| matches!(notice.finding, Finding::UnknownArguments { events: 1 })));
}

#[test]
fn wrong_json_lines_are_told_with_line_and_column() {
    let good = r#"{"thread":0,"start":1,"end":4,"op":"A","x":1}"#;
    let cases = [
        (r#"{"thread":0,"start":5,"end":4,"op":"A"}"#, "2:21: ends at 4, before its start at 5"),
        (
            r#"{"thread":0,"start":3,"end":4,"op":"A"}"#,
            "2:21: starts at 3, before the end of the record before it in the same lane, 4",
        ),
        (r#"{"start":5,"end":6,"op":"A"}"#, "2:1: `thread` is missing"),
        (r#"{"thread":-1,"start":5,"end":6}"#, "2:11: `thread` is a number from 0 to 4294967295 or a name"),
        (r#"{"thread":0,"end":6}"#, "2:1: `start` is missing"),
        (
            r#"{"thread":0,"start":"é","end":6}"#,
            "2:21: `start` is a point in time, an integer from 0 to 18446744073709551615, not a string",
        ),
        (r#"{"thread":0,"start":5,"op":"A"}"#, "2:1: `end` is missing; for a call that never ended write \"end\":null"),
        (
            r#"{"thread":0,"start":5,"end":6,"op":"A","outcome":"pending"}"#,
            "2:50: exactly the pending calls have no end",
        ),
        (
            r#"{"thread":0,"start":5,"end":6,"op":"A","outcome":"lost"}"#,
            "2:50: unknown outcome `lost`; known are done, aborted, indeterminate and pending",
        ),
        (r#"{"thread":0,"start":5,"end":6,"op":"A","ops":[]}"#, "2:46: a line has `op` or `ops`, not both"),
        (r#"{"thread":0,"start":5,"end":6,"x":1}"#, "2:31: argument `x` without `op`"),
        (r#"{"thread":0,"start":5,"end":6,"ops":["A"],"y":1}"#, "2:43: `y` is not a parameter of A"),
        (
            r#"{"thread":0,"start":5,"end":6,"op":"A","args":{},"y":1}"#,
            "2:50: `y` does not belong here: a line with `args` has all its arguments there",
        ),
        (
            r#"{"thread":0,"start":5,"end":6,"op":"A","x":1.5}"#,
            "2:44: TLA+ has no floating-point numbers; write an integer or a string",
        ),
        (
            r#"{"thread":0,"start":5,"end":6,"op":"A","x":[null]}"#,
            "2:45: null stands for an unknown argument and cannot be inside a value",
        ),
        (r#"{"header":true}"#, "2:11: only the first line can be a header"),
        (
            r#"{"thread":0,"start":5,"end":6,"op":{"name":"A","params":["p","p"]}}"#,
            "2:36: action `A` has two parameters `p`",
        ),
        ("[]", "2:1: a line is an object, not a list"),
    ];
    for (line, text) in cases {
        assert_eq!(jsonl(&format!("{good}\n{line}\n")).unwrap_err(), format!("t.jsonl:{text}"), "{line}");
    }
    let pending = r#"{"thread":0,"start":5,"end":null,"op":"A"}"#;
    let after = r#"{"thread":0,"start":7,"end":8,"op":"A"}"#;
    assert_eq!(
        jsonl(&format!("{pending}\n{after}\n")).unwrap_err(),
        "t.jsonl:2:21: follows a call of the same lane that never ended"
    );
    let header = r#"{"header":true,"format":"omnilink-jsonl","version":2}"#;
    assert!(
        jsonl(header)
            .unwrap_err()
            .starts_with("t.jsonl: byte 0: format version 2, but this reader knows only version 1")
    );
}

#[test]
fn json_lines_that_are_cut_off_keep_their_whole_lines() {
    let text = "{\"thread\":0,\"start\":1,\"end\":4,\"op\":\"A\"}\n{\"thread\":1,\"start\":2,\"end\":9,\"op\":\"A\"}\n{\"thread\":0,\"sta";
    let trace = jsonl(text).unwrap();
    assert_eq!(trace.lanes()[0].end(), LaneEnd::Stopped { at: 4, reason: StopReason::Torn });
    assert_eq!(trace.lanes()[1].end(), LaneEnd::Stopped { at: 9, reason: StopReason::Torn });
    assert_eq!(trace.lanes()[0].events(), 1);

    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("t.jsonl");
    fs::write(&path, format!("{text}\n")).unwrap();
    assert!(Trace::open(&path).is_err(), "a line that is ended was not cut off");
    let trace = Trace::open_with(&path, &OpenOptions::recover(true)).unwrap();
    assert_eq!(trace.lanes()[0].end(), LaneEnd::Stopped { at: 4, reason: StopReason::Corrupt });
}

/// One item of an upstream log, in upstream's order of keys or in another.
fn upstream(name: &str, fields: &[(&str, &[u8])], name_first: bool) -> Vec<u8> {
    let mut operation = Vec::new();
    mp::write_map_len(&mut operation, fields.len() as u32).unwrap();
    for (key, value) in fields {
        mp::write_str(&mut operation, key).unwrap();
        operation.extend_from_slice(value);
    }
    let mut item = vec![0x82];
    let mut write = |key: &str| {
        mp::write_str(&mut item, key).unwrap();
        match key {
            "operation_name" => mp::write_str(&mut item, name).unwrap(),
            _ => item.extend_from_slice(&operation),
        }
    };
    let keys = ["operation_name", "operation"];
    if name_first {
        keys.map(&mut write)
    } else {
        [keys[1], keys[0]].map(&mut write)
    };
    item
}

#[test]
fn upstream_logs_are_read() {
    let place = tempfile::tempdir().unwrap();
    let put = upstream(
        "Put",
        &[
            ("key", &[5]),
            ("value", &[0xc0]),
            ("_did_abort", &[0xc2]),
            ("_op_start", &[10]),
            ("_op_end", &[12]),
            ("_meta", b"\x81\xa1n\x01"),
        ],
        true,
    );
    let get = upstream("Get", &[("_op_end", &[20]), ("_op_start", &[14]), ("_did_abort", &[0xc3])], false);
    let terminate = upstream(
        "__TerminateThread",
        &[("_did_abort", &[0xc2]), ("_op_start", &[21]), ("_op_end", &[30]), ("_meta", &[0xc0])],
        true,
    );
    let abort =
        upstream("__AbortThread", &[("_op_start", &[15]), ("_op_end", &[33]), ("signal", b"\xa7SIGSEGV")], true);
    fs::write(place.path().join("tracing-1.log"), [&put[..], &get, &terminate].concat()).unwrap();
    fs::write(place.path().join("tracing-2.log"), [&put[..], &abort].concat()).unwrap();
    fs::write(place.path().join("tracing-3.log"), &put).unwrap();
    let trace = Trace::open(place.path()).unwrap();
    assert_eq!(
        trace.lanes().iter().map(|lane| lane.name()).collect::<Vec<_>>(),
        ["tracing-1", "tracing-2", "tracing-3"]
    );
    let ends: Vec<_> = trace.lanes().iter().map(|lane| lane.end()).collect();
    assert_eq!(ends[0], LaneEnd::Complete);
    assert_eq!(ends[1], LaneEnd::Stopped { at: 15, reason: StopReason::Signal });
    assert_eq!(ends[2], LaneEnd::Stopped { at: 12, reason: StopReason::Torn });
    let lanes = plain(&trace).lanes;
    let PlainRecord::Event { args, meta, timebox, .. } = &lanes[0].records[0] else { panic!() };
    assert_eq!(args, &vec![("key".into(), Some(Value::Int(5))), ("value".into(), Some(Value::from("null")))]);
    assert_eq!((timebox.start, timebox.end, &meta[0]), (10, Some(12), &("n".into(), Value::Int(1))));
    assert!(matches!(&lanes[0].records[1], PlainRecord::Event { outcome: Outcome::Aborted, .. }));
    assert_eq!(lanes[0].records[2], PlainRecord::Terminated { time: 30, meta: vec![] });
    let killed = PlainRecord::Terminated { time: 33, meta: vec![("signal".into(), Value::from("SIGSEGV"))] };
    assert_eq!(lanes[1].records[1], killed);

    // A program that was instrumented by hand writes no end.
    let alone = Trace::open(place.path().join("tracing-3.log")).unwrap();
    assert!(alone.complete());
    assert_eq!(alone.notices()[0].finding, Finding::NoTermination);
}

#[test]
fn damaged_upstream_logs_are_told_with_their_place() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("t.log");
    let put = upstream("Put", &[("_op_start", &[10]), ("_op_end", &[12])], true);
    let cases: [(Vec<u8>, &str); 5] = [
        (upstream("Put", &[("_op_start", &[10])], true), "the operation has no `_op_end`"),
        (vec![0x80], "the record has no `operation`"),
        (
            upstream("Put", &[("_op_start", &[9]), ("_op_end", &[12])], true),
            "starts at 9, before the end of the record before it in the same lane, 12",
        ),
        (upstream("Put", &[("_op_start", &[20]), ("_op_end", &[19])], true), "ends at 19, before its start at 20"),
        (
            upstream("Put", &[("x", &[0xca, 0, 0, 0, 0]), ("_op_start", &[20]), ("_op_end", &[29])], true),
            "found a float where a value belongs",
        ),
    ];
    for (item, problem) in cases {
        fs::write(&path, [&put[..], &item].concat()).unwrap();
        let text = Trace::open(&path).unwrap_err().to_string();
        let rest = text.strip_prefix(&format!("{}: byte ", path.display())).unwrap();
        let (offset, rest) = rest.split_once(": ").unwrap();
        assert!(offset.parse::<usize>().unwrap() >= put.len());
        assert_eq!(rest, format!("{problem}; the file is damaged here: `--recover` keeps what is before"));
        let recovered = Trace::open_with(&path, &OpenOptions::recover(true)).unwrap();
        assert_eq!(recovered.lanes()[0].events(), 1);
        assert_eq!(recovered.earliest_stop(), Some(12));
    }
    fs::write(&path, [&put[..], &put[..9]].concat()).unwrap();
    let torn = Trace::open(&path).unwrap();
    assert_eq!(torn.lanes()[0].end(), LaneEnd::Stopped { at: 12, reason: StopReason::Torn });
}
