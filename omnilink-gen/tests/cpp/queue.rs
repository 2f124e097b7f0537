//! A fuzzer that somebody has filled in: it records what the system did, and chooses as the one in Rust does.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, OnceLock};

use omnilink_gen::Language;
use omnilink_runtime::ActionDef;
use omnilink_runtime::fuzz::{Fuzz, Unsupported};
use omnilink_trace::run::Fuzzed;
use omnilink_trace::{Outcome, Record, Trace, Value};
use tempfile::TempDir;

use crate::support::{build, queue, said, write};

/// The project with the text of `fuzzer.cpp` replaced, built.
fn filled_in(text: &str) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    write(&queue().files(Language::Cpp, None), directory.path());
    std::fs::write(directory.path().join("fuzzer.cpp"), text).unwrap();
    let program = build(directory.path(), "fuzzer.cpp");
    (directory, program)
}

/// The project with `programs/queue.cpp` in it, built once.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, program) = PROGRAM.get_or_init(|| filled_in(include_str!("programs/queue.cpp")));
    program
}

#[test]
fn the_guide_shows_a_program_that_works() {
    let guide = include_str!("../../../docs/fuzzers.md");
    let shown = guide.split("```cpp\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let (directory, program) = filled_in(shown);
    let trace = directory.path().join("t");
    let output = Command::new(program).args(["--threads=2", "--ops=50", "--trace-dir"]).arg(&trace).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(calls(&trace, 0).len() + calls(&trace, 1).len(), 100);
}

fn run(trace: &Path, arguments: &[&str]) -> Output {
    Command::new(program()).args(arguments).arg("--trace-dir").arg(trace).output().unwrap()
}

/// A call as it was recorded.
#[derive(Debug, PartialEq)]
struct Call {
    actions: String,
    args: Vec<(String, Option<Value>)>,
    outcome: Outcome,
}

/// The calls of a thread.
fn calls(trace: &Path, lane: usize) -> Vec<Call> {
    let trace = Trace::open(trace).unwrap();
    let words = trace.vocabulary();
    let mut calls = Vec::new();
    for record in trace.lanes()[lane].records() {
        let Record::Event(event) = record.unwrap() else { continue };
        let names: Vec<_> = event.candidates.as_slice().iter().map(|&action| &*words.action(action).name).collect();
        let args = event.args.iter().map(|arg| (words.name(arg.param).to_string(), arg.value.clone())).collect();
        calls.push(Call { actions: names.join("|"), args, outcome: event.outcome });
    }
    calls
}

#[test]
fn records_what_the_queue_did() {
    let directory = tempfile::tempdir().unwrap();
    let trace = directory.path().join("trace");
    let output = run(&trace, &["--threads", "1", "--ops", "300", "--seed", "3"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    // The function for DequeueEmpty calls nothing, but the one for Dequeue records it.
    for wrong in ["not bound", "never supported"] {
        assert!(!said(&output).contains(wrong), "{}", said(&output));
    }

    let mut queue = VecDeque::new();
    let mut seen_empty = false;
    let calls = calls(&trace, 0);
    for Call { actions, args, .. } in &calls {
        match (&**actions, &**args) {
            ("Enqueue", [(name, Some(elem))]) if name == "elem" => queue.push_back(elem),
            ("Dequeue", [(name, Some(elem))]) if name == "elem" => assert_eq!(queue.pop_front(), Some(elem)),
            ("DequeueEmpty", []) => {
                seen_empty = true;
                assert_eq!(queue.pop_front(), None);
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(seen_empty && calls.len() == 300);
}

/// What `omnilink run` does where nobody gives sizes.
#[test]
fn sizes_that_nobody_gives_are_those_of_the_environment() {
    let directory = tempfile::tempdir().unwrap();
    let sizes = |number: usize, vary: &str, arguments: &[&str]| {
        let trace = directory.path().join(number.to_string());
        let mut command = Command::new(program());
        command.args(arguments).arg("--trace-dir").arg(&trace).env("OMNILINK_VARY", vary);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", said(&output));
        let lanes = Trace::open(&trace).unwrap().lanes().len();
        let fuzz = Trace::open(&trace).unwrap().run().fuzz.clone().unwrap();
        assert!((0..lanes).all(|lane| Some(calls(&trace, lane).len() as u64) == fuzz.operations), "{fuzz:?}");
        (lanes as u64, fuzz)
    };
    let of = |threads, operations, varied| Fuzzed { threads, operations: Some(operations), varied };
    let cases: [(&str, &[&str], Fuzzed); 4] = [
        ("3x20", &[], of(3, 20, true)),
        ("5x2", &["--threads", "2"], of(2, 2, true)),
        ("5x2", &["--ops", "7"], of(5, 7, true)),
        ("5x2", &["--threads", "2", "--ops", "7"], of(2, 7, false)),
    ];
    for (number, (vary, arguments, expected)) in cases.into_iter().enumerate() {
        assert_eq!(sizes(number, vary, arguments), (expected.threads, expected), "{vary} {arguments:?}");
    }
    let refused = Command::new(program()).env("OMNILINK_VARY", "many").output().unwrap();
    assert!(refused.status.code() == Some(2) && said(&refused).contains("OMNILINK_VARY: `many`"), "{}", said(&refused));
}

#[test]
fn a_call_that_fails_may_have_been_each_of_its_actions() {
    let directory = tempfile::tempdir().unwrap();
    let trace = directory.path().join("trace");
    let output = run(&trace, &["--threads", "1", "--seed", "1", "--fail", "now"]);
    assert_eq!(output.status.code(), Some(101), "{}", said(&output));
    let calls = calls(&trace, 0);
    let Call { actions, args, outcome } = calls.last().unwrap();
    assert_eq!((&**actions, outcome), ("Dequeue|DequeueEmpty", &Outcome::Indeterminate));
    assert!(args.iter().all(|(_, value)| value.is_none()), "{args:?}");
}

#[test]
fn says_what_it_does() {
    let directory = tempfile::tempdir().unwrap();
    let output = run(directory.path(), &["--list-actions"]);
    let expected = "Enqueue(elem) weight 1\nDequeue: Dequeue(elem) | DequeueEmpty weight 1\nDequeueEmpty weight 1\n";
    assert_eq!(said(&output), expected);
}

/// What the fuzzer is in Rust: every action is tried, and what nothing is called for is not supported.
fn same_in_rust() -> Fuzz<'static, Mutex<VecDeque<i64>>, i64> {
    let dequeue = [ActionDef { name: "Dequeue", params: &["elem"] }, ActionDef { name: "DequeueEmpty", params: &[] }];
    Fuzz::<Mutex<VecDeque<i64>>, i64>::with_state("Queue", |start| start.thread as i64 * 1_000_000)
        .action("Enqueue", &["elem"], |cx| {
            if cx.random.chance(1, 10) {
                return Err(Unsupported);
            }
            *cx.state += 1;
            let elem = *cx.state;
            cx.set("elem", &elem);
            cx.call(|queue, _| queue.lock().unwrap().push_back(elem));
            Ok(())
        })
        .choice("Dequeue", &dequeue, |cx| {
            match cx.call(|queue, _| queue.lock().unwrap().pop_front()) {
                Some(elem) => {
                    cx.choose("Dequeue");
                    cx.set("elem", &elem);
                }
                None => cx.choose("DequeueEmpty"),
            }
            Ok(())
        })
        .action("DequeueEmpty", &[], |_| Err(Unsupported))
}

#[test]
fn the_same_seed_gives_the_same_choices_as_in_rust() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    same_in_rust().seed(9).threads(1).operations(500).trace_directory(path("rust")).run(&Mutex::default()).unwrap();
    let output = run(&path("cpp"), &["--threads", "1", "--ops", "500", "--seed", "9"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(calls(&path("cpp"), 0), calls(&path("rust"), 0));
}
