//! The settings of a recorder that the environment asks for.

mod support;

use std::path::{Path, PathBuf};

use omnilink_runtime::{Session, begin};
use support::program::{Program, report};
use support::reading::{Recorded, read};

fn run_directory(shared: &Path) -> PathBuf {
    shared.join("run")
}

/// Threads of this process.
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

/// A program that performs a few actions and has not heard of recorders.
fn unsuspecting() -> Program {
    let program = Program::new(|_| {
        for n in 0..10_000 {
            let mut outer = begin(site!(Put(n)));
            outer.set("n", &n);
            begin(site!(Inner())).end();
            outer.end();
        }
        report("threads", threads());
        0
    });
    let directory = run_directory(program.shared());
    program.env("OMNILINK_TRACE_DIR", directory)
}

/// What the program records with these settings.
fn recorded_with(program: Program) -> Recorded {
    let ended = program.run();
    ended.expect_code(0);
    assert_eq!(ended.messages(), [""; 0]);
    read(&run_directory(ended.shared()))
}

#[test]
fn the_environment_starts_a_recorder() {
    let recorded = recorded_with(unsuspecting().env("OMNILINK_SEED", "7"));
    assert_eq!(recorded.calls().len(), 10_000);
    assert!(recorded.trace.complete());
    let run = recorded.trace.run();
    assert_eq!(run.seed, Some(7));
    assert!(run.end.is_some(), "exit is noticed");
    assert_eq!(run.lanes, Some(1));
    assert_eq!(run.environment.get("OMNILINK_SEED").map(String::as_str), Some("7"));
    assert!(!run.environment.contains_key("PATH"));
}

#[test]
fn an_empty_setting_is_none() {
    let ended = unsuspecting().env("OMNILINK_TRACE_DIR", "").run();
    ended.expect_code(0);
    assert_eq!(ended.messages(), [""; 0]);
    assert!(!run_directory(ended.shared()).exists());
}

#[test]
fn helper_threads_can_be_forbidden() {
    let ended = unsuspecting().env("OMNILINK_HELPER_THREADS", "1").run();
    let with = ended.report::<usize>("threads");
    let ended = unsuspecting().env("OMNILINK_HELPER_THREADS", "0").run();
    assert_eq!(ended.report::<usize>("threads"), with - 1);
    assert_eq!(read(&run_directory(ended.shared())).calls().len(), 10_000);
}

#[test]
fn the_clock_can_be_chosen() {
    let recorded = recorded_with(unsuspecting().env("OMNILINK_CLOCK", "monotonic"));
    assert_eq!(recorded.trace.clock(), omnilink_trace::ClockKind::Monotonic);
}

#[test]
fn fences_can_be_relaxed() {
    let relaxed = unsuspecting().env("OMNILINK_RELAXED", "1").env("OMNILINK_CLOCK", "monotonic");
    let recorded = recorded_with(relaxed.env("OMNILINK_RELAXED_SLACK_NS", "123456"));
    assert_eq!(recorded.trace.run().clock.fences.as_deref(), Some("relaxed"));
    assert_eq!(recorded.trace.run().clock.slack, 123_456);
    let timebox = recorded.events()[0].timebox;
    assert!(timebox.end.unwrap() - timebox.start >= 123_456);
}

#[test]
fn nested_calls_can_be_asked_for() {
    let recorded = recorded_with(unsuspecting().env("OMNILINK_NESTED", "both"));
    assert_eq!(recorded.lanes.iter().map(|lane| lane.calls.len()).collect::<Vec<_>>(), [10_000, 10_000]);
}

#[test]
fn a_setting_that_makes_no_sense_is_named_and_the_program_goes_on() {
    let settings = [
        ("OMNILINK_SEED", "many", "an integer"),
        ("OMNILINK_SEED", "-1", "an integer"),
        ("OMNILINK_CLOCK", "sundial", "monotonic"),
        ("OMNILINK_RELAXED", "yes", "0 or 1"),
        ("OMNILINK_RELAXED_SLACK_NS", "1us", "nanoseconds"),
        ("OMNILINK_NESTED", "inner", "outermost or both"),
        ("OMNILINK_HELPER_THREADS", "2", "0 or 1"),
    ];
    let (name, value, _) = settings[0];
    let mut program = unsuspecting().env(name, value);
    for (name, value, expected) in settings {
        for (other, ..) in settings {
            program = program.env(other, "");
        }
        program = program.env(name, value);
        let output = program.command().output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let messages: Vec<_> = text.lines().filter(|line| line.starts_with("omnilink: ")).collect();
        let [message] = messages[..] else { panic!("{text}") };
        assert!(message.contains(name) && message.contains(value) && message.contains(expected), "{message}");
        assert!(message.ends_with("the program goes on unrecorded"), "{message}");
    }
}

#[test]
fn a_directory_that_cannot_be_is_named_and_the_program_goes_on() {
    let ended = unsuspecting().env("OMNILINK_TRACE_DIR", "/proc/omnilink").run();
    ended.expect_code(0);
    let messages = ended.messages();
    assert!(messages.len() == 1 && messages[0].contains("/proc/omnilink"), "{messages:?}");
}

#[test]
fn what_the_builder_says_wins() {
    let program = Program::new(|shared| {
        let builder = Session::builder().directory(shared.join("builder")).seed(1).relaxed(false);
        let session = builder.nested(omnilink_runtime::Nested::Outermost).start().unwrap();
        let outer = begin(site!(Outer()));
        begin(site!(Inner())).end();
        outer.end();
        drop(session);
        0
    });
    let environment = program.shared().join("environment");
    let program = program.env("OMNILINK_TRACE_DIR", &environment).env("OMNILINK_SEED", "2");
    let ended = program.env("OMNILINK_RELAXED", "1").env("OMNILINK_NESTED", "both").run();
    ended.expect_code(0);
    assert!(!environment.exists());
    let recorded = read(&ended.shared().join("builder"));
    assert_eq!(recorded.calls(), ["Outer()"]);
    assert_eq!(recorded.trace.run().seed, Some(1));
    assert_eq!(recorded.trace.run().clock.slack, 0);
}

#[test]
fn threads_that_make_the_first_call_together_start_one_recorder() {
    let program = Program::new(|_| {
        let barrier = std::sync::Barrier::new(8);
        std::thread::scope(|scope| {
            for n in 0..8 {
                let barrier = &barrier;
                scope.spawn(move || {
                    barrier.wait();
                    let mut op = begin(site!(Put(n)));
                    assert!(op.is_recording());
                    op.set("n", &n);
                    op.end();
                });
            }
        });
        0
    });
    let directory = run_directory(program.shared());
    let recorded = recorded_with(program.env("OMNILINK_TRACE_DIR", directory));
    let mut calls = recorded.calls();
    calls.sort_unstable();
    assert_eq!(calls, (0..8).map(|n| format!("Put(n={n})")).collect::<Vec<_>>());
}
