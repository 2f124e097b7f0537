//! `omnilink check` on small histories: every verdict, how it is told and which exit code says it.

mod support;

use omnilink_check::report::counterexample::Counterexample;
use serde_json::{Value, json};
use support::bench::Bench;
use support::{assert_quiet_when_nobody_reads, interrupted};

const FIFO: &str = "tests/data/check/Fifo.tla";
const BOUNDED: &str = "tests/data/check/Bounded.tla";
const STORE: &str = "tests/data/check/Store.tla";
const ACCEPTED: &str = "tests/data/check/accepted.jsonl";
const REJECTED: &str = "tests/data/check/rejected.jsonl";

/// A history of calls that all take one tick, one after the other, in a lane of their own.
fn history(calls: &[&str]) -> String {
    let line = |(at, call): (usize, &&str)| format!(r#"{{"thread":0,"start":{at}0,"end":{at}5,{call}}}"#);
    calls.iter().enumerate().map(|(at, call)| (at + 1, call)).map(line).collect::<Vec<_>>().join("\n") + "\n"
}

const ENQUEUE: &str = r#""op":"Enqueue","args":{"elem":1},"meta":{"length":0}"#;
const LOSE: &str = r#""op":"Dequeue","args":{"elem":1},"outcome":"aborted""#;
const FIND_EMPTY: &str = r#""op":"DequeueEmpty","args":{}"#;

#[test]
fn accepted_in_one_line() {
    let (code, text) = Bench::new().check(&[FIFO, ACCEPTED]);
    assert_eq!(code, 0, "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn rejected_with_reasons() {
    let (code, text) = Bench::new().check(&[FIFO, REJECTED]);
    assert_eq!(code, 1, "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn rejected_with_notes_and_several_reasons() {
    let (code, text) = Bench::new().check(&[STORE, "tests/data/check/store-rejected.jsonl"]);
    assert_eq!(code, 1, "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn the_full_state_has_every_variable() {
    let (_, text) = Bench::new().check(&[STORE, "tests/data/check/store-rejected.jsonl", "--full-state"]);
    assert!(text.contains("\n    /\\ sessions = {}\n"), "{text}");
    assert!(!text.contains("did not change lately"), "{text}");
}

#[test]
fn a_smaller_reason_is_found() {
    let (code, text) = Bench::new().check(&[FIFO, REJECTED, "--shrink"]);
    assert_eq!(code, 1, "{text}");
    let (_, reason) = text.split_once("  a smaller reason: this call cannot have happened").unwrap();
    let (reason, rest) = reason.split_once("  The furthest orders").expect("the long explanation comes after it");
    let calls = reason.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>();
    let named = calls.iter().position(|line| line == "85 100 1:2 consumer Dequeue(4)").unwrap();
    assert!(calls[named + 1].starts_with("✗ `elem = Head(queue)` is FALSE: elem = 4"), "{reason}");
    assert!(!reason.contains("Enqueue(5)"), "what came later does not matter: {reason}");
    assert!(rest.contains("the furthest order, its last"), "{rest}");
}

/// The calls that a smaller reason for a rejection names, once all that it claims has been checked: they are rejected
/// whatever the others did, and without any one of them they are not.
fn smaller_reason(spec: &str, events: &[Value]) -> Vec<String> {
    let bench = Bench::new();
    let trace = |name: &str, optional: &dyn Fn(usize) -> bool| {
        let lines = events.iter().enumerate().map(|(at, event)| {
            let mut event = event.clone();
            if optional(at) && !event["end"].is_null() {
                event["outcome"] = "indeterminate".into();
            }
            event.to_string() + "\n"
        });
        bench.file(name, &lines.collect::<String>())
    };
    let (code, text) = bench.check(&[spec, &trace("all.jsonl", &|_| false), "--shrink", "--json"]);
    assert_eq!(code, 1, "{text}");
    let report: Value = serde_json::from_str(&text).unwrap();
    let core = &report["core"];
    assert_eq!(core["minimal"], true, "{core}");
    let needed = core["needed"].as_array().unwrap();
    let is_needed = |at: usize| {
        let event = &events[at];
        let index = events[..at].iter().filter(|other| other["thread"] == event["thread"]).count();
        needed.iter().any(|call| call["lane"] == event["thread"] && call["index"] == index)
    };
    // What comes before is told by states, so it stays as it is.
    let begin = needed.iter().map(|call| call["start"].as_u64().unwrap()).min().unwrap();
    let is_before = |event: &Value| event["end"].as_u64().is_some_and(|end| end < begin);
    let is_left_open = |at: usize| !is_before(&events[at]) && !is_needed(at);
    assert_eq!(bench.check(&[spec, &trace("needed.jsonl", &is_left_open)]).0, 1, "{core}");
    for without in (0..events.len()).filter(|at| is_needed(*at)) {
        let fewer = trace("fewer.jsonl", &|at| is_left_open(at) || at == without);
        assert_eq!(bench.check(&[spec, &fewer]).0, 0, "{without} of {core}");
    }
    needed.iter().map(|call| call["call"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_a_pending_call_excuses_is_named_with_what_it_contradicts() {
    let event = |thread: u32, start: u64, end: u64, op: &str, elem: u32| json!({"thread": thread, "start": start, "end": end, "op": op, "elem": elem});
    // The queue was not full: only Enqueue(9), which never returned, explains that, and Dequeue(3) shows that it had no effect.
    let mut events = vec![
        event(0, 0, 5, "Enqueue", 1),
        event(0, 10, 0, "Enqueue", 9),
        event(1, 12, 15, "EnqueueFull", 2),
        event(1, 20, 25, "Dequeue", 1),
        event(1, 30, 35, "Enqueue", 3),
        event(1, 40, 45, "Dequeue", 3),
        event(1, 50, 55, "Enqueue", 4),
    ];
    events[1]["end"] = Value::Null;
    assert_eq!(smaller_reason(BOUNDED, &events), ["EnqueueFull(2)", "Dequeue(3)"]);
    // An enqueue that returned much later excuses it as well, however many calls came in between.
    events[1]["end"] = 9000.into();
    let cycle = (0..60).flat_map(|at| {
        let (start, elem) = (100 + 100 * at, 100 + at as u32);
        [event(1, start, start + 5, "Dequeue", elem - 1), event(1, start + 10, start + 15, "Enqueue", elem)]
    });
    let mut long: Vec<_> = events[..5].to_vec();
    long.extend([event(1, 50, 55, "Dequeue", 3), event(1, 60, 65, "Enqueue", 99)]);
    long.extend(cycle);
    assert_eq!(smaller_reason(BOUNDED, &long), ["EnqueueFull(2)", "Dequeue(3)"]);
    // Without such an excuse it is the false answer itself.
    events.remove(1);
    assert_eq!(smaller_reason(BOUNDED, &events), ["EnqueueFull(2)"]);
}

#[test]
fn configurations_that_fail_otherwise_are_told_apart() {
    let bench = Bench::new();
    // Two threads dequeue the same element: whichever is believed, the other is left over.
    let trace = bench.file(
        "ways.jsonl",
        r#"{"thread":0,"start":10,"end":20,"op":"Enqueue","elem":1}
{"thread":0,"start":30,"end":40,"op":"Enqueue","elem":2}
{"thread":1,"start":50,"end":90,"op":"Dequeue","elem":1}
{"thread":2,"start":55,"end":80,"op":"Dequeue","elem":1}
{"thread":3,"start":60,"end":70,"op":"Dequeue","elem":2}
"#,
    );
    let (code, text) = bench.check(&[FIFO, &trace]);
    assert_eq!(code, 1, "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn unknown_when_a_limit_is_reached() {
    let bench = Bench::new();
    let (code, text) = bench.check(&[FIFO, REJECTED, "--max-configs", "3"]);
    assert_eq!(code, 3, "{text}");
    insta::assert_snapshot!(text);
    let (code, text) = bench.check(&[FIFO, REJECTED]);
    assert_eq!((code, text.contains("cached")), (1, false), "what is unknown is not kept: {text}");
}

#[test]
fn what_cannot_be_checked_is_an_error_with_its_place() {
    let bench = Bench::new();
    let no_limit = bench.file("NoLimit.cfg", "INIT Init\nNEXT Next\nCONSTANT Nil = Nil\n");
    let typo = bench.file("typo.jsonl", &history(&[ENQUEUE, r#""op":"Enque","args":{"elem":1}"#]));
    let stranger = bench.file("stranger.jsonl", &history(&[r#""op":"Frobnicate","args":{}"#]));
    let parameter = bench.file("parameter.jsonl", &history(&[r#""op":"Enqueue","args":{"value":1}"#]));
    let cases: [(&str, &[&str]); 5] = [
        ("a mistyped action", &[FIFO, &typo]),
        ("an action that the specification does not have", &[FIFO, &stranger]),
        ("other parameters", &[FIFO, &parameter]),
        ("a trace that is not there", &[FIFO, "no-such-run"]),
        (
            "a constant that has no value and cannot be inferred",
            &[STORE, "tests/data/check/store-accepted.jsonl", "--cfg", &no_limit],
        ),
    ];
    let mut all = String::new();
    for (what, args) in cases {
        let (code, text) = bench.check(args);
        assert_eq!(code, 2, "{text}");
        all.push_str(&format!("== {what}\n{text}\n\n"));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_is_wrong_with_the_command_line_is_said_before_anything_is_checked() {
    let bench = Bench::new();
    let cases: [(&[&str], &str); 8] = [
        (&["tests/data/check/None.tla", ACCEPTED], "cannot read tests/data/check/None.tla"),
        (&[FIFO, ACCEPTED, REJECTED, "--witness", "w.json"], "--witness is for one trace, and there are 2"),
        (&[FIFO, "tests/data/check/none-*.jsonl"], "matches no file"),
        (&[FIFO, ACCEPTED, "--on", "aboard=Lost"], "--on aboard=Lost: there is no rule for `aboard`"),
        (&[FIFO, ACCEPTED, "--on", "abort=Los"], "did you mean `Lost`?"),
        (&[FIFO, ACCEPTED, "--also", "Enqueu=LengthFits"], "did you mean `Enqueue`?"),
        (&[FIFO, ACCEPTED, "--also", "Enqueue"], "has not the form NAME=OPERATOR"),
        (&[FIFO, ACCEPTED, "--timeout", "soon"], "`soon` is not a time"),
    ];
    for (args, expected) in cases {
        let text = bench.refusal(args);
        assert!(text.contains(expected), "{args:?}: {text}");
    }
}

#[test]
fn of_several_traces_the_worst_counts() {
    let bench = Bench::new();
    let (error, unknown) = ("no-such-run", bench.file("wide.jsonl", &wide_history(9)));
    let cases: [(&[&str], i32); 6] = [
        (&[ACCEPTED, ACCEPTED], 0),
        (&[ACCEPTED, &unknown], 3),
        (&[error, &unknown, ACCEPTED], 2),
        (&[&unknown, ACCEPTED, error], 2),
        (&[REJECTED, error, &unknown, ACCEPTED], 1),
        (&[ACCEPTED, &unknown, error, REJECTED], 1),
    ];
    for (traces, expected) in cases {
        for workers in ["1", "3"] {
            let args = [&[FIFO, "--max-configs", "50", "-j", workers], traces].concat();
            assert_eq!(bench.code(&args), expected, "{args:?}");
        }
    }
}

#[test]
fn reports_come_in_the_order_of_the_command_line() {
    let bench = Bench::new();
    let (_, text) = bench.check(&[FIFO, "--json", "-j", "4", REJECTED, ACCEPTED, "no-such-run", ACCEPTED]);
    let verdict = |line: &str| serde_json::from_str::<Value>(line).unwrap()["verdict"].clone();
    let verdicts: Vec<_> = text.lines().map(verdict).collect();
    assert_eq!(json!(verdicts), json!(["rejected", "accepted", "error", "accepted"]));
}

#[test]
fn of_several_traces_those_that_are_not_accepted_are_told_about() {
    let bench = Bench::new();
    let (_, text) = bench.check(&[FIFO, ACCEPTED, REJECTED, ACCEPTED]);
    assert!(!text.contains("accepted: an order") && text.contains("rejected: no order"), "{text}");
    assert!(text.trim_end().ends_with("\n3 traces: 1 failed, 2 accepted"), "{text}");
    let (_, text) = bench.check(&[FIFO, ACCEPTED, ACCEPTED, "--verbose"]);
    assert!(text.contains("accepted: an order") && text.trim_end().ends_with("\n2 traces: 2 accepted"), "{text}");
}

#[test]
fn a_crash_is_a_failure_whatever_the_verdict() {
    let bench = Bench::new();
    let header = |exit: &str| {
        let run = format!(r#"{{"format":"omnilink-run","version":1,"clock":{{"kind":"monotonic"}},"exit":{exit}}}"#);
        format!(r#"{{"header":true,"format":"omnilink-jsonl","version":1,"spec":"Fifo","next":"Next","run":{run}}}"#)
    };
    let killed = "\n{\"thread\":0,\"terminated\":60,\"meta\":{\"signal\":6}}\n";
    let calls = history(&[ENQUEUE]);
    let cases = [
        ("clean", format!("{}\n{calls}", header(r#"{"code":0}"#)), 0, None),
        ("program", format!("{}\n{calls}", header(r#"{"signal":11}"#)), 1, Some("signal 11 killed the program")),
        ("thread", format!("{}{killed}", calls.trim_end()), 1, Some("signal 6 killed the thread of lane 0")),
    ];
    for (name, text, expected, crash) in cases {
        let trace = bench.file(&format!("{name}.jsonl"), &text);
        let (code, text) = bench.check(&[FIFO, &trace]);
        assert_eq!(code, expected, "{text}");
        assert!(text.contains(": accepted: "), "{text}");
        assert_eq!(text.lines().find(|line| line.contains("crash:")).is_some(), crash.is_some(), "{text}");
        assert!(text.contains(crash.unwrap_or_default()), "{text}");
    }
}

#[test]
fn what_was_done_to_the_trace_is_said() {
    let bench = Bench::new();
    let trace = bench.file(
        "notes.jsonl",
        r#"{"header":true,"format":"omnilink-jsonl","version":1,"spec":"Fifo","next":"Next","lanes":[{"thread":0,"name":"main","stopped":{"at":2000,"reason":"no-space"}}]}
{"thread":0,"start":1000,"end":1500,"op":"Enqueue","args":{"elem":1}}
{"thread":1,"start":1000,"end":1500,"op":"Enqueue","args":{"elem":2},"outcome":"indeterminate"}
{"thread":1,"start":1600,"end":1700,"op":"Enqueue","args":{"elem":2},"outcome":"aborted"}
{"thread":1,"start":1900,"end":2500,"op":"Enqueue","args":{"elem":3}}
{"thread":1,"start":2600,"end":2700,"op":"Enqueue","args":{"elem":7}}
{"thread":2,"start":1900,"end":null,"op":"Dequeue","args":{"elem":null}}
"#,
    );
    let (code, text) = bench.check(&[FIFO, &trace]);
    assert_eq!(code, 0, "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn rules_say_what_aborted_calls_and_ends_of_threads_are() {
    let bench = Bench::new();
    let ended = "{\"thread\":0,\"terminated\":90}\n";
    let trace = bench.file("rules.jsonl", &(history(&[ENQUEUE, LOSE, FIND_EMPTY]) + ended));
    let lied = bench.file("lied.jsonl", &(history(&[&ENQUEUE.replace("\"length\":0", "\"length\":3")]) + ended));
    let cases: [(&str, &[&str], i32); 6] = [
        (&trace, &[], 1),
        (&trace, &["--on", "abort=Lost"], 0),
        (&trace, &["--on", "abort=Lost", "--on", "terminate=Ends", "--also", "Enqueue=LengthFits"], 0),
        (&lied, &[], 0),
        (&lied, &["--also", "Enqueue=LengthFits"], 1),
        (&lied, &["--on", "terminate=Ends"], 1),
    ];
    for (trace, rules, expected) in cases {
        let (code, text) = bench.check(&[&[FIFO, trace], rules].concat());
        assert_eq!(code, expected, "{rules:?}: {text}");
    }
    let (_, text) = bench.check(&[FIFO, &lied, "--also", "Enqueue=LengthFits"]);
    assert!(text.contains("the action can happen, but the condition `LengthFits` is not true of it"), "{text}");
    assert!(
        text.contains("✗ `event.meta.length = Len(queue)` is FALSE: event.meta.length = 3, Len(queue) = 0"),
        "{text}"
    );
}

#[test]
fn bounds_of_next_count_unless_only_actions_do() {
    let bench = Bench::new();
    let args = [STORE, "tests/data/check/store-accepted.jsonl", "--const", r#"Keys = {"b"}"#];
    let (code, text) = bench.check(&args);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains(r#"key = "a" is not in `Keys`: Keys = {"b"} (Store.tla:"#), "{text}");
    assert_eq!(bench.code(&[&args[..], &["--actions-only"]].concat()), 0);
}

#[test]
fn constraints_count_if_they_are_to() {
    let bench = Bench::new();
    let config = bench.file("short.cfg", "INIT Init\nNEXT Next\nCONSTRAINT Short\n");
    let args = [FIFO, ACCEPTED, "--cfg", &config];
    let (code, text) = bench.check(&args);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("note: CONSTRAINT Short is ignored"), "{text}");
    let (code, text) = bench.check(&[&args[..], &["--honour-constraints"]].concat());
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("the configuration's constraints leave its step out"), "{text}");
}

#[test]
fn invariants_are_checked_along_the_order_found() {
    let bench = Bench::new();
    let config = bench.file("short.cfg", "INIT Init\nNEXT Next\nINVARIANT Short\n");
    let args = [FIFO, ACCEPTED, "--cfg", &config];
    assert_eq!(bench.code(&args), 0);
    let (code, text) = bench.check(&[&args[..], &["--invariants"]].concat());
    assert_eq!(code, 1, "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn a_closed_pipe_does_not_hide_the_verdict() {
    for (trace, code) in [(ACCEPTED, 0), (REJECTED, 1)] {
        assert_quiet_when_nobody_reads(&["check", FIFO, trace, "--no-cache"], code);
        assert_quiet_when_nobody_reads(&["check", FIFO, trace, "--no-cache", "--json"], code);
    }
}

/// Calls that all overlap, and a last one that nothing explains: every order has to be tried.
fn wide_history(threads: usize) -> String {
    let line = |thread| format!(r#"{{"thread":{thread},"start":10,"end":90,"op":"Enqueue","elem":{thread}}}"#);
    let lines: Vec<_> = (0..threads).map(line).collect();
    lines.join("\n") + "\n{\"thread\":0,\"start\":100,\"end\":110,\"op\":\"Dequeue\",\"elem\":77}\n"
}

#[test]
fn ctrl_c_ends_it_with_what_was_found_so_far() {
    let bench = Bench::new();
    let (trace, file) = (bench.file("wide.jsonl", &wide_history(14)), bench.path("why.omni"));
    // The specification prints a line per call that it tries, so we know when the search has begun.
    let file_name = file.to_str().unwrap();
    let args = ["check", "tests/data/check/Loud.tla", &trace, "--no-cache", "--counterexample", file_name];
    let (code, text) = interrupted(&args, "\"enqueuing\"\n");
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains(": unknown: it was interrupted ("), "{text}");
    assert!(
        text.contains("The furthest of the orders that were followed place ") && text.contains("what to try"),
        "{text}"
    );
    assert!(Counterexample::read(&file).unwrap().report.stuck.is_some());
}
