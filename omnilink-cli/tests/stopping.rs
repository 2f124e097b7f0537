//! `--timeout`, `--max-memory`, SIGINT and SIGTERM end whatever is being done: inside one expression, while initial states
//! are found, while a specification or a trace is read.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use support::omnilink_within;

/// What is never reached on any machine: it ends a test that would hang.
const BACKSTOP: u32 = 120;

/// Expressions that take longer than anybody waits, each in another part of the evaluator.
const ENDLESS: &[&str] = &[
    r"\A s \in SUBSET (1..60) : s # {0}",
    r"(CHOOSE s \in SUBSET (1..60) : s = {0}) = {}",
    r"{s \in SUBSET (1..60) : s = {0}} = {}",
    r"Cardinality({s \in SUBSET (1..60) : s = {0}}) = 0",
    r"\A f \in [1..20 -> 1..20] : f[1] # 0",
    r"\A a, b, c, d, e, f, g, h \in 1..70 : a # 0",
    r"\A a, b, c, d, e, f, g, h \in {1, 2, 5, 7, 9, 11, 13, 17, 20, 50, 70, 90} : a # 0 \/ b # c",
    r"{x + y : x \in 1..1000000, y \in 1..1000000} = {}",
    r"\A r \in [a : 1..1000, b : 1..1000, c : 1..1000, d : 1..1000] : r.a # 0",
    r"\A t \in (1..10000) \X (1..10000) \X (1..10000) : t[1] # 0",
    r"\A s \in SeqOf({1, 2, 3}, 60) : Len(s) < 61",
    r"Power[60] = 0",
    r"Ackermann(4, 3) = 0",
    r"\A i \in 1..1000000000000 : PrintT(i)",
    r"Permutations(1..9) = {p \in Permutations(1..9) : \A q \in Permutations(1..9) : p # q}",
    r"SortSeq([x \in 1..1000000 |-> 1000000 - x], LAMBDA x, y : x < y) = <<>>",
    r"FoldSet(LAMBDA x, y : Cardinality({s \in SUBSET (1..60) : s = {x}}) + y, 0, 1..5) = 1",
    r"(1..1000000000000) \subseteq {x \in Nat : x # 0}",
    r"LET big == [x \in 1..3000000 |-> x] IN \A x, y \in 1..3000000 : big[x] # 0 \/ big = [big EXCEPT ![y] = 0]",
];

const DEFINITIONS: &str = r"
EXTENDS Integers, Sequences, FiniteSets, TLC, FiniteSetsExt, SequencesExt
VARIABLE v
RECURSIVE Ackermann(_, _)
Ackermann(m, n) == IF m = 0 THEN n + 1 ELSE IF n = 0 THEN Ackermann(m - 1, 1) ELSE Ackermann(m - 1, Ackermann(m, n - 1))
Power[n \in Nat] == IF n = 0 THEN 1 ELSE LET p == Power[n - 1] IN p + Cardinality({s \in SUBSET (1..n) : s # {}})
";

/// A specification with these definitions besides the usual ones.
fn specification(directory: &Path, definitions: &str) -> PathBuf {
    let path = directory.join("Endless.tla");
    fs::write(&path, format!("---- MODULE Endless ----{DEFINITIONS}{definitions}\n====\n")).unwrap();
    path
}

fn run(args: &[&str]) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = omnilink_within(BACKSTOP, args).output().unwrap();
    (status.code(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
}

/// The same with a limit of time after which `args` are given up, where something has to be found out before it is reached: limits
/// grow until they are long enough for that on this machine, now. What is endless stays endless with every limit.
fn run_until_decided(args: &[&str], limit: &str, rest: &[&str]) -> (Option<i32>, String) {
    let mut last = (None, String::new());
    for time in ["500ms", "5s", "60s"] {
        last = run(&[args, &[limit, time], rest].concat());
        if last.0 != Some(3) {
            break;
        }
    }
    last
}

#[test]
fn every_expression_ends_when_the_time_is_up() {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(expression) = ENDLESS.get(next.fetch_add(1, Relaxed)) {
                    let directory = tempfile::tempdir().unwrap();
                    let definitions = format!("Init == v = 0\nNext == UNCHANGED v\nASSUME {expression}");
                    let spec = specification(directory.path(), &definitions);
                    let (code, said) = run(&["explore", spec.to_str().unwrap(), "--timeout", "200ms"]);
                    assert_eq!(code, Some(3), "{expression}: {}", &said[..said.len().min(2000)]);
                    assert!(said.contains("--timeout 200ms stopped it\n"), "{expression}");
                }
            });
        }
    });
}

/// Where in a specification something endless can stand.
#[test]
fn wherever_it_stands_the_verdict_is_unknown() {
    let endless = r"\E s \in SUBSET (1..60) : s = {0}";
    let cases = [
        ("the initial predicate", format!("Init == v = 0 /\\ {endless}\nStep(x) == v' = x")),
        ("initial states", "Init == v \\in SUBSET (1..60)\nStep(x) == v' = x".to_owned()),
        ("an action", format!("Init == v = 0\nStep(x) == v' = x /\\ {endless}")),
        ("next states", "Init == v = 0\nStep(x) == v' \\in SUBSET (1..60)".to_owned()),
        ("a read", format!("Init == v = 0\nStep(x) == UNCHANGED v /\\ {endless}")),
        ("a constant", format!("C == {endless}\nInit == v = 0\nStep(x) == v' = x /\\ C")),
    ];
    for (place, definitions) in &cases {
        let directory = tempfile::tempdir().unwrap();
        let spec = specification(directory.path(), &format!("{definitions}\nNext == \\E x \\in 0..9 : Step(x)"));
        let trace = directory.path().join("run.jsonl");
        fs::write(&trace, "{\"thread\":0,\"start\":1,\"end\":2,\"op\":\"Step\",\"args\":{\"x\":1}}\n").unwrap();
        let args = ["check", spec.to_str().unwrap(), trace.to_str().unwrap(), "--no-cache", "--timeout", "300ms"];
        let (code, said) = run(&args);
        assert_eq!(code, Some(3), "{place}: {said}");
        assert!(said.contains("--timeout 300ms stopped it"), "{place}: {said}");
        let (code, said) = run(&[&args[..], &["--json"]].concat());
        assert!(code == Some(3) && said.contains("\"verdict\":\"unknown\""), "{place}: {said}");
    }
}

/// What was found before the limit was reached is told.
#[test]
fn how_far_the_search_got_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let definitions = "Init == v = 0\nStep(x) == v' = x /\\ (x < 3 \\/ \\E s \\in SUBSET (1..60) : s = {0})";
    let spec = specification(directory.path(), &format!("{definitions}\nNext == \\E x \\in 0..9 : Step(x)"));
    let trace = directory.path().join("run.jsonl");
    let line = |x| format!("{{\"thread\":0,\"start\":{x},\"end\":{x},\"op\":\"Step\",\"args\":{{\"x\":{x}}}}}\n");
    fs::write(&trace, (1..6).map(line).collect::<String>()).unwrap();
    let args = ["check", spec.to_str().unwrap(), trace.to_str().unwrap(), "--no-cache", "--timeout", "300ms"];
    let (code, said) = run(&args);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("--timeout 300ms stopped it"), "{said}");
    assert!(!said.contains("FALSE"), "nothing was found to be false: {said}");
}

#[test]
#[cfg(target_os = "linux")]
fn what_takes_too_much_memory_is_stopped() {
    for expression in [
        r"{<<x, y>> : x \in 1..3000, y \in 1..3000} = {}",
        r"Cardinality({[a |-> s, b |-> s \cup {0}] : s \in SUBSET (1..30)}) = 0",
        r"[x \in 1..100000000 |-> <<x, x>>] = <<>>",
    ] {
        let directory = tempfile::tempdir().unwrap();
        let definitions = format!("Init == v = 0\nNext == UNCHANGED v\nASSUME {expression}");
        let spec = specification(directory.path(), &definitions);
        let (code, said) = run(&["explore", spec.to_str().unwrap(), "--max-memory", "100M"]);
        assert_eq!(code, Some(3), "{expression}: {said}");
        assert!(said.contains("no error found so far, --max-memory 100M stopped it\n"), "{expression}: {said}");
    }
}

/// Functions that call themselves without end fail, and do not try everything else as deep again.
#[test]
fn recursion_without_end_is_an_error() {
    for definition in [
        "F(n) == F(n + 1)",
        "F(n) == [x \\in 0..3 |-> F(n + 1)]",
        "F(n) == {x \\in 0..3 : F(n + 1) = {}}",
        "F(n) == {F(n + 1)}",
        "F(n) == LET f[x \\in Nat] == 1 + f[x + 1] IN f[n]",
        "F(n) == CHOOSE x \\in {n} : F(x + 1) = x",
    ] {
        let directory = tempfile::tempdir().unwrap();
        let definitions = format!("Init == v = 0\nNext == UNCHANGED v\nRECURSIVE F(_)\n{definition}\nASSUME F(0) = 1");
        let spec = specification(directory.path(), &definitions);
        let (code, said) = run(&["explore", spec.to_str().unwrap(), "--max-memory", "900M"]);
        assert_eq!(code, Some(2), "{definition}: {}", &said[..said.len().min(2000)]);
        assert!(said.starts_with("error: this goes too deep for the stack\n"), "{definition}");
    }
}

/// Wherever it stands: nothing takes a formula that could not be evaluated for one that is false.
#[test]
fn recursion_without_end_is_an_error_wherever_it_stands() {
    let usual = "Init == v = 0\nNext == v' = v\n";
    let cases = [
        ("A(n) == v' = 0 /\\ A(n + 1)\nInit == v = 0\nNext == A(0)", ""),
        ("A(n) == A(n + 1) /\\ v' = n\nInit == v = 0\nNext == A(0)", ""),
        ("A(n) == v' = n \\/ A(n + 1)\nInit == v = 0\nNext == A(0)", ""),
        ("A(n) == A(n + 1) \\/ v' = n\nInit == v = 0\nNext == v' = v \\/ A(0)", ""),
        ("A(n) == \\E x \\in {n} : A(x + 1)\nInit == v = 0\nNext == A(0)", ""),
        ("A(n) == IF n < 0 THEN v' = n ELSE A(n + 1)\nInit == v = 0\nNext == A(0)", ""),
        ("A(n) == v = 0 /\\ A(n + 1)\nInit == A(0)\nNext == v' = v", ""),
        ("A(n) == v = n \\/ A(n + 1)\nInit == A(0)\nNext == v' = v", ""),
        ("A(n) == n >= 0 /\\ A(n + 1)\nInit == v \\in {x \\in 0..3 : A(x)}\nNext == v' = v", ""),
        ("A(n) == n >= 0 /\\ A(n + 1)\nInit == v = 0\nNext == v' = 0 /\\ A(v')", ""),
        ("A(n) == n >= 0 /\\ A((n + n) % 7)\nInit == v = 0\nNext == v' = 1 /\\ A(v')", ""),
        ("A(n) == LET m == n + 1 IN m >= 0 /\\ A(m)\nInit == v = 0\nNext == v' = 0 /\\ A(v')", ""),
        ("A(n) == n >= 0 /\\ A(n + 1)\nInit == v = 0 /\\ A(v)\nNext == v' = v", ""),
        ("A(n) == n >= 0 /\\ A(n + 1)\nInit == v = 0\nNext == v' = 0 /\\ ENABLED (v' = 1 /\\ A(v'))", ""),
        ("A(n) == v' = 0 /\\ A(n + 1)\nInit == v = 0\nNext == v' = v /\\ ~ENABLED A(0)", ""),
        ("A(n) == v' = 0 /\\ A(n + 1)\nUSUAL Here == ENABLED A(0)", "INVARIANT Here"),
        ("A(n) == n >= 0 /\\ A(n + 1)\nUSUAL Here == A(v)", "INVARIANT Here"),
        ("A(n) == n >= 0 /\\ A(n + 1)\nUSUAL Here == ~A(v)", "INVARIANT Here"),
        ("A(n) == n >= 0 /\\ A(n + 1)\nUSUAL Here == A(v)", "CONSTRAINT Here"),
        ("A(n) == n >= 0 /\\ A(n + 1)\nUSUAL Here == A(v')", "ACTION_CONSTRAINT Here"),
    ];
    for (definitions, section) in cases {
        let directory = tempfile::tempdir().unwrap();
        let definitions = format!("RECURSIVE A(_)\n{}", definitions.replace("USUAL ", usual));
        let spec = specification(directory.path(), &definitions);
        fs::write(spec.with_extension("cfg"), format!("INIT Init\nNEXT Next\n{section}\n")).unwrap();
        let (code, said) = run(&["explore", spec.to_str().unwrap(), "--no-deadlock", "--max-memory", "900M"]);
        assert_eq!(code, Some(2), "{definitions}: {}", &said[..said.len().min(2000)]);
        assert!(said.contains("error: this goes too deep for the stack\n"), "{definitions}: {said}");
    }
}

/// Something endless that only a smaller reason or an explanation comes to: the rejection stands, and what was not found out is
/// said to be left out.
#[test]
fn a_rejection_stands_where_what_is_told_about_it_has_no_end() {
    let endless = "(PrintT(\"endless\") /\\ \\E s \\in SUBSET (1..60) : s = {0})";
    // Without B, C is tried in a state in which it never was.
    let smaller = format!(
        "Init == v = 0\nA == v = 0 /\\ v' = 1\nB == v = 1 /\\ v' = 2\nC == (v = 7 \\/ (v = 1 /\\ {endless})) /\\ v' = 8\nNext \
         == A \\/ B \\/ C"
    );
    // Whether a set has an element is known without listing it; to show the set, it is listed.
    let shown = "Init == v = 0\nA == v = 0 /\\ v' = 1\nB == v = 1 /\\ v' = 2\n\
                 C == {v} \\in {s \\in SUBSET (3..60) : 7 \\notin s \\/ PrintT(\"endless\")} /\\ v' = 8\nNext == A \\/ B \\/ C";
    let cases = [
        (smaller.as_str(), "--shrink", "Perhaps not all of them are needed: that was not found out within the limits."),
        (shown, "--no-cache", "why no order gets further is left out: it took more than the limits allow"),
    ];
    for (definitions, option, expected) in cases {
        let directory = tempfile::tempdir().unwrap();
        let (spec, trace) = (specification(directory.path(), definitions), directory.path().join("run.jsonl"));
        let call = |(at, op)| format!("{{\"thread\":0,\"start\":{at},\"end\":{at},\"op\":\"{op}\"}}\n");
        fs::write(&trace, [(1, "A"), (2, "B"), (3, "C")].map(call).concat()).unwrap();
        let args = ["check", spec.to_str().unwrap(), trace.to_str().unwrap(), "--no-cache", option];
        let args = if option == "--no-cache" { &args[..4] } else { &args[..] };
        let (code, said) = run_until_decided(args, "--timeout", &[]);
        let said = said.replace("\"endless\"\n", "");
        assert_eq!(code, Some(1), "{definitions}: {said}");
        assert!(said.contains(": rejected: ") && said.contains(expected), "{definitions}: {said}");
        for signal in [libc::SIGINT, libc::SIGTERM] {
            let (code, said) = support::signalled(args, "\"endless\"\n", signal);
            assert_eq!(code, Some(1), "{definitions}: {said}");
            assert!(said.contains(": rejected: ") && said.contains(expected), "{definitions}: {said}");
        }
    }
}

/// Something endless that only the measures for a store come to: the run is accepted.
#[test]
fn a_run_is_accepted_where_its_coverage_has_no_end() {
    let directory = tempfile::tempdir().unwrap();
    let endless = "\\A s \\in SUBSET (1..60) : s # {0}";
    let definitions = format!(
        "Init == v = 0\nEnqueue(elem) == v' = elem\nDequeue(elem) == v' = elem\n\
         DequeueEmpty == UNCHANGED v \\/ ({endless} /\\ UNCHANGED v)"
    );
    let next = "Next == DequeueEmpty \\/ \\E x \\in Nat : Enqueue(x) \\/ Dequeue(x)";
    let spec = specification(directory.path(), &format!("{definitions}\n{next}"));
    let store = directory.path().join("runs.db");
    let program = [support::queue_demo(), "--threads", "2", "--ops", "40"];
    let limits = ["--runs", "1", "--store", store.to_str().unwrap(), "--"];
    let (code, said) =
        run_until_decided(&["run", spec.to_str().unwrap()], "--check-timeout", &[&limits[..], &program].concat());
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("1 accepted"), "{said}");
}

/// `v'` cannot be 0 and 1: the second level is false before it comes to the third.
#[test]
fn recursion_that_a_false_conjunct_ends_is_no_error() {
    let directory = tempfile::tempdir().unwrap();
    let definitions = "RECURSIVE A(_)\nA(n) == v' = n /\\ A(n + 1)\nInit == v = 0\nNext == A(0)";
    let spec = specification(directory.path(), definitions);
    let (code, said) = run(&["explore", spec.to_str().unwrap()]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.starts_with("Endless: deadlock: "), "{said}");
}

/// A run whose check has no end is not decided.
#[test]
fn run_goes_on_after_a_check_without_end() {
    let directory = tempfile::tempdir().unwrap();
    let endless = "\\A s \\in SUBSET (1..60) : s # {0}";
    let definitions =
        format!("Init == v = 0\nEnqueue(elem) == v' = elem /\\ {endless}\nDequeue(elem) == Enqueue(elem)");
    let definitions = format!("{definitions}\nDequeueEmpty == UNCHANGED v /\\ {endless}");
    let next = "Next == DequeueEmpty \\/ \\E x \\in 1..99 : Enqueue(x) \\/ Dequeue(x)";
    let spec = specification(directory.path(), &format!("{definitions}\n{next}"));
    let spec = spec.to_str().unwrap();
    let program = [support::queue_demo(), "--threads", "2", "--ops", "5"];
    let kept = directory.path().join("kept");
    let limits = ["--check-timeout", "1s", "--runs", "2", "-o", kept.to_str().unwrap(), "--"];
    let (code, said) = run(&[&["run", spec][..], &limits, &program].concat());
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("0 accepted, 2 unknown\n"), "{said}");
}

/// Values that no memory could hold are errors of the specification.
#[test]
fn what_is_too_large_to_be_listed_is_an_error() {
    for expression in [
        r"[x \in 1..1000000000000 |-> x] = <<>>",
        r"\A s \in SUBSET (1..1000000000000) : s # {0}",
        r"\A f \in [1..1000000000000 -> {1, 2}] : f # <<>>",
        r"SetToSeq(1..1000000000000) = <<>>",
        r"kSubset(2, 1..1000000000000) = {}",
        r"RandomElement([1..1000000000000 -> 1..3]) = <<>>",
    ] {
        let directory = tempfile::tempdir().unwrap();
        let definitions = format!("Init == v = 0\nNext == UNCHANGED v\nASSUME {expression}");
        let spec = specification(directory.path(), &definitions);
        let (code, said) = run(&["explore", spec.to_str().unwrap()]);
        assert_eq!(code, Some(2), "{expression}: {said}");
        assert!(said.contains("has more than 4194304 elements"), "{expression}: {said}");
    }
}

/// The first signal ends an expression; what is known is told, and the exit code is the documented one.
#[test]
fn the_first_signal_ends_an_expression() {
    let directory = tempfile::tempdir().unwrap();
    let endless = "PrintT(\"endless\") /\\ \\E s \\in SUBSET (1..60) : s = {0}";
    let definitions = format!("Init == v = 0\nStep(x) == v' = x /\\ {endless}\nNext == \\E x \\in 0..9 : Step(x)");
    let spec = specification(directory.path(), &definitions);
    let trace = directory.path().join("run.jsonl");
    fs::write(&trace, "{\"thread\":0,\"start\":1,\"end\":2,\"op\":\"Step\",\"args\":{\"x\":1}}\n").unwrap();
    let (spec, trace) = (spec.to_str().unwrap(), trace.to_str().unwrap());
    for signal in [libc::SIGINT, libc::SIGTERM] {
        let (code, said) = support::signalled(&["check", spec, trace, "--no-cache"], "\"endless\"\n", signal);
        assert_eq!(code, Some(3), "{said}");
        assert!(said.contains(": unknown: it was interrupted ("), "{said}");
        let (code, said) = support::signalled(&["explore", spec], "\"endless\"\n", signal);
        assert_eq!(code, Some(130), "{said}");
        assert!(said.starts_with("Endless: no error found so far, interrupted\n"), "{said}");
    }
}
