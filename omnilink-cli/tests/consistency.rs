//! `omnilink check --consistency`, driven as a user would.

mod support;

use std::process::Output;

use serde_json::Value;
use support::bench::Bench;

const QUEUE: &str = r"---- MODULE Queue ----
EXTENDS Naturals, Sequences
VARIABLE queue
Init == queue = <<>>
Enqueue(elem) == queue' = Append(queue, elem)
Dequeue(elem) == queue /= <<>> /\ elem = Head(queue) /\ queue' = Tail(queue)
DequeueEmpty == queue = <<>> /\ UNCHANGED queue
Size(n) == n = Len(queue) /\ UNCHANGED queue
Next == \/ \E elem \in Nat : Enqueue(elem) \/ Dequeue(elem)
        \/ DequeueEmpty
        \/ \E n \in Nat : Size(n)
====
";

/// `Size(0)` sees the Dequeue of thread 0 and not the Enqueue before it.
const WEAK: &str = r#"{"thread":1,"start":10,"end":20,"op":"Enqueue","elem":1}
{"thread":0,"start":30,"end":60,"op":"Enqueue","elem":2}
{"thread":0,"start":70,"end":90,"op":"Dequeue","elem":1}
{"thread":1,"start":25,"end":100,"op":"Size","n":0}
{"thread":1,"start":110,"end":120,"op":"Size","n":1}
"#;

/// The first dequeue of thread 1 comes after an enqueue that had ended, and does not see it.
const STALE: &str = r#"{"thread":0,"start":10,"end":20,"op":"Enqueue","elem":1}
{"thread":1,"start":30,"end":40,"op":"DequeueEmpty"}
{"thread":1,"start":50,"end":60,"op":"Dequeue","elem":1}
"#;

const SIGNATURES: [&str; 8] = [
    "--results",
    "Enqueue=",
    "--results",
    "Dequeue=elem",
    "--results",
    "Size=n",
    "--operation",
    "Dequeue,DequeueEmpty",
];

struct Files {
    bench: Bench,
    spec: String,
}

impl Files {
    fn new() -> Self {
        let bench = Bench::new();
        let spec = bench.file("Queue.tla", QUEUE);
        Self { bench, spec }
    }

    fn check(&self, trace: &str, options: &[&str]) -> Output {
        let trace = self.bench.file("trace.jsonl", trace);
        self.bench.run(&[&[&*self.spec, &*trace], options].concat())
    }

    /// With what the results and operations are.
    fn ask(&self, trace: &str, options: &[&str]) -> Output {
        self.check(trace, &[options, &SIGNATURES].concat())
    }

    fn code(&self, trace: &str, criterion: &str) -> i32 {
        self.ask(trace, &["--consistency", criterion]).status.code().expect("it exits")
    }

    fn json(&self, trace: &str, options: &[&str]) -> Value {
        let output = self.ask(trace, &[options, &["--json"]].concat());
        serde_json::from_slice(&output.stdout).expect("JSON")
    }
}

fn stdout_of(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

#[test]
fn criteria_differ_by_what_calls_see() {
    let files = Files::new();
    let cases = [
        (WEAK, "linearizable", 1),
        (WEAK, "sequential", 1),
        (WEAK, "weak", 0),
        (WEAK, "causal", 1),
        (WEAK, "linearizable, Size: weak", 0),
        (WEAK, "linearizable, Enqueue: weak", 1),
        (WEAK, "linearizable, Dequeue: weak", 1),
        (WEAK, "read-my-writes", 0),
        (WEAK, "return-value", 0),
        (STALE, "linearizable", 1),
        (STALE, "sequential", 0),
        (STALE, "causal", 0),
        (STALE, "weak", 1),
        (STALE, "linearizable, Dequeue: sequential", 0),
        (STALE, "linearizable, Dequeue: weak", 1),
        (r#"{"header":true,"format":"omnilink-jsonl","version":1}"#, "causal", 0),
    ];
    for (trace, criterion, expected) in cases {
        assert_eq!(files.code(trace, criterion), expected, "{criterion}: {trace}");
    }
    let axioms = files.ask(STALE, &["--axioms", "vis >= po, vis >= vis.vis"]);
    assert_eq!(axioms.status.code(), Some(0));
    let in_real_time = files.ask(STALE, &["--consistency", "sequential", "--real-time"]);
    assert_eq!(in_real_time.status.code(), Some(1));
}

#[test]
fn an_acceptance_has_a_witness() {
    let files = Files::new();
    let text = stdout_of(&files.ask(WEAK, &["--consistency", "linearizable, Size: weak"]));
    assert!(text.contains("satisfy the criterion `linearizable, Size: weak` by Queue"), "{text}");
    assert!(text.contains("Size(0) (event 1 of lane 1) did not see Enqueue(2)"), "{text}");
    let json = files.json(WEAK, &["--consistency", "linearizable, Size: weak"]);
    let linearization = json["consistency"]["linearization"].as_array().expect("a linearization");
    let calls: Vec<_> = linearization.iter().map(|call| call["call"].as_str().expect("a call")).collect();
    assert_eq!(calls.len(), 5);
    let size = calls.iter().position(|call| *call == "Size(0)").expect("it is there");
    let enqueue = calls.iter().position(|call| *call == "Enqueue(2)").expect("it is there");
    assert_eq!(linearization[size]["misses"], serde_json::json!([enqueue]));
    assert!(linearization[enqueue].get("misses").is_none());
    let file = files.bench.path("witness.txt");
    let path = file.to_str().expect("text");
    files.ask(WEAK, &["--consistency", "linearizable, Size: weak", "--witness", path]);
    let written = std::fs::read_to_string(&file).expect("a witness");
    assert!(written.contains("Size(0)  (does not see Enqueue(2))"), "{written}");
}

#[test]
fn a_rejection_says_what_would_have_been_explained() {
    let files = Files::new();
    let trace = WEAK.replace(r#""n":0"#, r#""n":3"#);
    let output = files.ask(&trace, &["--consistency", "linearizable, Size: weak"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout_of(&output);
    assert!(text.contains("no set of calls that it may see explains its result"), "{text}");
    assert!(text.contains("instead of Size(3), they explain "), "{text}");
    let json = files.json(&trace, &["--consistency", "linearizable, Size: weak"]);
    let example = &json["consistency"]["unexplained"]["examples"][0];
    assert_eq!(example["call"], "Size(3)");
    let mut possible: Vec<_> =
        example["possible"].as_array().expect("a list").iter().map(|it| it.as_str().expect("text")).collect();
    possible.sort_unstable();
    assert_eq!(possible, ["Size(0)", "Size(1)", "Size(2)"]);
}

/// Without time, no call has to come by a time.
#[test]
fn a_rejection_of_an_order_of_lanes_has_no_deadline() {
    let files = Files::new();
    let text = stdout_of(&files.ask(WEAK, &["--consistency", "sequential"]));
    assert!(text.contains("one of these calls has to come next, and none can"), "{text}");
    let timed = stdout_of(&files.ask(WEAK, &["--consistency", "linearizable"]));
    assert!(timed.contains("one of these calls has to come next, by "), "{timed}");
}

#[test]
fn the_strongest_criteria_are_named() {
    let files = Files::new();
    let text = stdout_of(&files.ask(WEAK, &["--consistency", "strongest"]));
    let all = "weak, monotonic-reads, monotonic-writes";
    assert!(text.contains(&format!("the strongest criteria that its 5 events satisfy by Queue are {all} (")), "{text}");
    assert!(text.contains(&format!("if all others are linearizable, Size is {all}\n")), "{text}");
    let json = files.json(STALE, &["--consistency", "strongest"]);
    let strongest = &json["consistency"]["strongest"];
    assert_eq!(strongest["general"], serde_json::json!(["sequential"]));
    assert_eq!(strongest["by_operation"][0]["operation"], "Dequeue");
    let linearizable = STALE.lines().take(1).collect::<String>();
    let text = stdout_of(&files.ask(&linearizable, &["--consistency", "strongest"]));
    assert!(text.contains("that its 1 event satisfies by Queue are linearizable ("), "{text}");
}

#[test]
fn what_is_a_result_is_not_guessed() {
    let files = Files::new();
    let output = files.check(WEAK, &["--consistency", "weak", "--results", "Size=n"]);
    assert_eq!(output.status.code(), Some(2));
    let text = stdout_of(&output);
    assert!(text.contains("which parameters are results is not known of Enqueue(elem), Dequeue(elem)"), "{text}");
    assert!(text.contains("--results Enqueue=… --results Dequeue=…"), "{text}");
    // Not needed where all calls keep their results.
    assert_eq!(files.check(STALE, &["--consistency", "sequential"]).status.code(), Some(0));
}

#[test]
fn a_trace_may_declare_results_and_operations() {
    let files = Files::new();
    let header = r#"{"header":true,"format":"omnilink-jsonl","version":1,"actions":[
        {"name":"Enqueue","params":["elem"],"results":[]},
        {"name":"Dequeue","params":["elem"],"results":["elem"]},
        {"name":"DequeueEmpty","params":[],"results":[],"operation":"Dequeue"},
        {"name":"Size","params":["n"],"results":["n"]}]}"#;
    let header: String = header.lines().map(str::trim).collect();
    let trace = format!("{header}\n{STALE}");
    let output = files.check(&trace, &["--consistency", "causal"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout_of(&output));
    let output = files.check(&trace, &["--consistency", "causal", "--results", "Size="]);
    let text = stdout_of(&output);
    assert!(text.contains("--results gives `Size` other results than the trace declares"), "{text}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let files = Files::new();
    let cases: [(&[&str], &str); 14] = [
        (&["--consistency", "serial"], "`serial` is no criterion, at character 1"),
        (&["--consistency", "linearizable, Size"], "at character 15"),
        (&["--axioms", "vis > po"], "at character 1 of `vis > po`"),
        (&["--axioms", "vis >= vis.hb"], "add --real-time"),
        (&["--axioms", "vis >= po", "--consistency", "weak"], "cannot be used with"),
        (&["--consistency", "weak", "--engine", "tlc"], "--engine tlc"),
        (&["--consistency", "weak", "--shrink"], "--shrink"),
        (&["--consistency", "weak", "--invariants"], "--invariants"),
        (&["--consistency", "strongest", "--real-time"], "--real-time"),
        (&["--real-time"], "none is given"),
        (&["--results", "Size=n"], "none is given"),
        (&["--consistency", "weak", "--results", "Size"], "no `=`"),
        (&["--consistency", "weak", "--operation", "A,A"], "name it once"),
        (&["--consistency", "sequential", "--shrink"], "--shrink"),
    ];
    for (options, expected) in cases {
        let output = files.check(WEAK, options);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {text}");
        assert!(text.contains(expected), "{options:?}: {text}");
    }
    let in_report: [(&[&str], &str); 5] = [
        (&["--consistency", "linearizable, Sise: weak"], "there is no operation `Sise`"),
        (&["--consistency", "linearizable, DequeueEmpty: weak"], "an outcome of the operation `Dequeue`"),
        (&["--consistency", "weak", "--results", "Sise=n"], "no action `Sise`"),
        (&["--consistency", "weak", "--operation", "Size,Sise"], "no action `Sise`"),
        (&["--consistency", "weak", "--on", "abort=Enqueue"], "rules for events"),
    ];
    for (options, expected) in in_report {
        let output = files.ask(WEAK, options);
        let text = stdout_of(&output);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {text}");
        assert!(text.contains(expected), "{options:?}: {text}");
    }
}

/// What was found for another criterion is not told again.
#[test]
fn verdicts_of_other_criteria_are_not_taken_from_the_cache() {
    let files = Files::new();
    let cases =
        [("weak", 0), ("linearizable", 1), ("weak", 0), ("sequential", 1), ("causal", 1), ("read-my-writes", 0)];
    for (criterion, expected) in cases {
        assert_eq!(files.code(WEAK, criterion), expected, "{criterion}");
    }
}

#[test]
fn what_a_trace_leaves_open_is_asked_for() {
    let files = Files::new();
    let header = |declared: &str| {
        format!(r#"{{"header":true,"format":"omnilink-jsonl","version":1,"actions":[{declared}]}}"#) + "\n"
    };
    let stderr = |output: &Output| String::from_utf8(output.stderr.clone()).expect("text") + &stdout_of(output);
    // Nobody can tell which calls of DequeueEmpty were calls of which operation.
    let contradictory = header(r#"{"name":"DequeueEmpty","params":[],"contradictory":true}"#)
        + r#"{"thread":0,"start":10,"end":20,"op":"Enqueue","args":{"elem":1},"results":[]}
{"thread":1,"start":10,"end":40,"op":"DequeueEmpty","args":{}}
"#;
    let asked = files.check(&contradictory, &["--consistency", "weak"]);
    assert_eq!(asked.status.code(), Some(2), "{}", stderr(&asked));
    let text = stderr(&asked);
    assert!(text.contains("places of the recorded program declare `DequeueEmpty` differently"), "{text}");
    let told = files.ask(&contradictory, &["--consistency", "weak"]);
    assert_eq!(told.status.code(), Some(0), "{}", stderr(&told));
    let not_needed = files.check(&contradictory, &["--consistency", "sequential"]);
    assert_eq!(not_needed.status.code(), Some(0), "{}", stderr(&not_needed));
}

#[test]
fn a_linearizable_history_is_sequential_without_a_search_of_lanes() {
    let files = Files::new();
    // Enqueues and sizes of eight threads, one after the other: the lanes alone leave very many orders.
    let events = (0..160_u32).map(|i| {
        let (thread, start) = (i % 8, 10 * i);
        let call = if i % 2 == 0 {
            format!(r#""op":"Enqueue","elem":{i}"#)
        } else {
            format!(r#""op":"Size","n":{}"#, i.div_ceil(2))
        };
        format!(r#"{{"thread":{thread},"start":{start},"end":{},{call}}}"#, start + 5) + "\n"
    });
    let trace: String = events.collect();
    let output = files.ask(&trace, &["--consistency", "sequential", "--max-configs", "2000"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout_of(&output));
}
