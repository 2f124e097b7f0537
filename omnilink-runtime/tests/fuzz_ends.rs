//! How threads end, and what the trace says about it.

mod fuzz_support;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fuzz_support::{alone, lengths, record};
use omnilink_runtime::ActionDef;
use omnilink_runtime::fuzz::{EXIT_EMPTY, EXIT_OK, EXIT_PANIC, EXIT_USAGE, Fuzz, FuzzError, ThreadEnd, Unsupported};

/// A fuzzer with an action that always works.
fn ticking() -> Fuzz<'static, ()> {
    Fuzz::new("Clock").action("Tick", &[], |_| Ok(())).threads(3)
}

#[test]
fn operations_per_thread() {
    let (report, recorded) = record(ticking().operations(7), &());
    assert_eq!(lengths(&recorded), [7, 7, 7]);
    assert_eq!((report.operations(), report.events, report.exit_code()), (21, 21, EXIT_OK));
    assert_eq!(recorded.ends, [r#"omnilink.ended="limit""#; 3]);
    assert_eq!(recorded.exit, None, "a library call does not know how the process will exit");
}

#[test]
fn operations_in_all() {
    let (_, recorded) = record(ticking().total_operations(11), &());
    assert_eq!(lengths(&recorded), [4, 4, 3]);
    let (_, recorded) = record(ticking().total_operations(11).operations(2), &());
    assert_eq!(lengths(&recorded), [2, 2, 2]);
    let (_, recorded) = record(ticking().total_operations(2), &());
    assert_eq!(lengths(&recorded), [1, 1, 0]);
}

#[test]
fn time() {
    let (report, recorded) = record(ticking().duration(Duration::from_millis(20)), &());
    assert!(report.threads.iter().all(|thread| thread.end == ThreadEnd::Limit));
    assert_eq!(lengths(&recorded).iter().sum::<usize>() as u64, report.operations());
}

#[test]
fn a_thread_that_finds_nothing_to_do_ends() {
    let fuzz = Fuzz::<()>::new("Mixed")
        .action("Works", &[], |cx| if cx.thread() == 0 { Ok(()) } else { Err(Unsupported) })
        .action("Never", &[], |_| Err(Unsupported))
        .threads(2)
        .operations(50)
        .consecutive_failures(100)
        .seed(1);
    let (report, recorded) = record(fuzz, &());
    assert_eq!(lengths(&recorded), [50, 0]);
    assert_eq!(report.threads[0].end, ThreadEnd::Limit);
    assert_eq!(report.threads[1].end, ThreadEnd::Exhausted { failures: 100 });
    assert_eq!(recorded.ends[1], r#"omnilink.ended="unsupported""#);
    assert_eq!(report.exit_code(), EXIT_OK);
    assert_eq!(report.never_supported(), ["Never"]);
    let [works, never] = report.threads[1].actions[..] else { panic!() };
    assert_eq!(works.unsupported + never.unsupported, 100);
    let message = format!(
        "fuzz: thread 1 ended after 0 operations: 100 attempts in a row were not supported (in all, unsupported were \
         Works {} times, Never {} times)\nfuzz: never supported: Never\n",
        works.unsupported, never.unsupported
    );
    assert!(report.to_string().starts_with(&message), "{report}");
}

#[test]
fn a_success_forgives_the_failures_before_it() {
    let fuzz = Fuzz::<(), u64>::with_state("Retry", |_| 0)
        .action("EveryFifth", &[], |cx| {
            *cx.state += 1;
            if *cx.state % 5 == 0 { Ok(()) } else { Err(Unsupported) }
        })
        .consecutive_failures(5)
        .threads(1)
        .operations(30);
    let (report, recorded) = record(fuzz, &());
    assert_eq!(report.threads[0].end, ThreadEnd::Limit);
    assert_eq!(lengths(&recorded), [30]);
}

#[test]
fn nothing_supported_is_an_empty_trace() {
    let fuzz = Fuzz::<()>::new("Stubs")
        .action("Enqueue", &["elem"], |_| Err(Unsupported))
        .action("Dequeue", &["elem"], |_| Err(Unsupported))
        .threads(2);
    let (report, recorded) = record(fuzz, &());
    assert_eq!(lengths(&recorded), [0, 0]);
    assert_eq!(report.threads[0].end, ThreadEnd::Exhausted { failures: 10_000 });
    assert_eq!(report.exit_code(), EXIT_EMPTY);
    let text = report.to_string();
    assert_eq!(text, "fuzz: never supported: Enqueue, Dequeue\nfuzz: no operation was performed, the trace is empty");
}

#[test]
fn what_another_call_turns_out_to_be_is_supported() {
    let empty = ActionDef { name: "DequeueEmpty", params: &[] };
    let fuzz = |performed: bool| {
        Fuzz::<()>::new("Queue")
            .choice("Dequeue", &[ActionDef { name: "Dequeue", params: &["elem"] }, empty], move |cx| {
                cx.choose("DequeueEmpty");
                if performed { Ok(()) } else { Err(Unsupported) }
            })
            .action("DequeueEmpty", &[], |_| Err(Unsupported))
            .threads(1)
            .operations(20)
            .seed(1)
    };
    let report = record(fuzz(true), &()).0;
    assert_eq!(report.never_supported(), [""; 0]);
    assert!(report.to_string().starts_with("fuzz: 20 operations (Dequeue or DequeueEmpty 20) by"), "{report}");
    assert_eq!(record(fuzz(false), &()).0.never_supported(), ["Dequeue", "DequeueEmpty"]);
}

#[test]
fn the_clean_up_notes_what_it_likes() {
    let system = AtomicU64::new(0);
    let fuzz = Fuzz::<AtomicU64, u64>::with_state("Count", |start| start.thread as u64 * 100)
        .action("Add", &[], |cx| {
            *cx.state += 1;
            Ok(())
        })
        .cleanup(|end| {
            end.system.fetch_add(*end.state, Ordering::Relaxed);
            end.meta.set("sum", end.state);
            end.meta.set("thread", &end.thread);
        })
        .threads(2)
        .operations(5);
    let (_, recorded) = record(fuzz, &system);
    assert_eq!(
        recorded.ends,
        [r#"sum=5 thread=0 omnilink.ended="limit""#, r#"sum=105 thread=1 omnilink.ended="limit""#]
    );
    assert_eq!(system.load(Ordering::Relaxed), 110);
}

#[test]
fn a_panic_ends_its_thread_and_is_recorded() {
    let cleaned_up = AtomicU64::new(0);
    let fuzz = Fuzz::<AtomicU64, u64>::with_state("Trap", |_| 0)
        .action("Step", &["n"], |cx| {
            *cx.state += 1;
            cx.op.set("n", &*cx.state);
            assert!(cx.thread() == 0 || *cx.state < 3, "stepped on number {}", cx.state);
            Ok(())
        })
        .cleanup(|end| {
            end.system.fetch_add(1, Ordering::Relaxed);
        })
        .threads(2)
        .operations(10);
    let (report, recorded) = record(fuzz, &cleaned_up);
    assert_eq!(lengths(&recorded), [10, 3]);
    assert_eq!(
        recorded.calls[1],
        ["Step(n=1)", "Step(n=2)", r#"Step(n=3) Indeterminate omnilink.panic="stepped on number 3""#]
    );
    assert_eq!(recorded.ends[1], r#"omnilink.ended="panic""#);
    let message = "stepped on number 3".to_owned();
    assert_eq!(report.threads[1].end, ThreadEnd::ActionPanicked { action: "Step", message });
    assert_eq!(report.exit_code(), EXIT_PANIC);
    assert!(report.to_string().starts_with("fuzz: thread 1 ended by a panic in Step: stepped on number 3\n"));
    assert_eq!(cleaned_up.load(Ordering::Relaxed), 1, "only the thread that did not panic cleans up");
}

#[test]
fn a_panic_in_the_clean_up_is_reported() {
    let fuzz = ticking().operations(2).cleanup(|end| assert_ne!(end.thread, 1, "no way to clean up"));
    let (report, recorded) = record(fuzz, &());
    assert_eq!(lengths(&recorded), [2, 2, 2]);
    assert_eq!(report.exit_code(), EXIT_PANIC);
    assert!(matches!(&report.threads[1].end, ThreadEnd::CleanupPanicked { message } if message.contains("no way")));
    assert!(recorded.ends[1].starts_with(r#"omnilink.ended="limit" omnilink.panic=""#), "{}", recorded.ends[1]);
}

#[test]
fn a_panic_while_states_are_made_calls_the_run_off() {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    let fuzz = Fuzz::<(), ()>::with_state("States", |start| assert!(start.thread < 2, "no third state"))
        .action("Tick", &[], |_| Ok(()))
        .trace_directory(directory.path());
    let error = fuzz.run(&()).unwrap_err();
    assert!(matches!(&error, FuzzError::StatePanicked { thread: 2, message } if message == "no third state"));
    assert_eq!(error.exit_code(), EXIT_PANIC);
    assert_eq!(lengths(&fuzz_support::read(directory.path())), [0, 0, 0]);
}

#[test]
fn the_result_chooses_the_action_and_may_abort_it() {
    const OUTCOMES: [ActionDef; 2] = [
        ActionDef { name: "Commit", params: &["key", "value"] },
        ActionDef { name: "Conflict", params: &["other", "key"] },
    ];
    let fuzz = Fuzz::<(), u64>::with_state("Store", |_| 0)
        .choice("Write", &OUTCOMES, |cx| {
            *cx.state += 1;
            let number = *cx.state;
            cx.set("key", &number);
            match number {
                1 => {
                    cx.choose("Commit");
                    cx.set("value", "x");
                }
                2 => {
                    cx.choose("Conflict");
                    cx.set("other", &9);
                }
                _ => {
                    cx.choose("Commit");
                    cx.set("value", "y");
                    cx.op.abort("rolled back");
                    cx.op.meta("retries", &3);
                }
            }
            Ok(())
        })
        .threads(1)
        .operations(3);
    let (report, recorded) = record(fuzz, &());
    assert_eq!(
        recorded.calls[0],
        [
            r#"Commit(key=1, value="x")"#,
            "Conflict(other=9, key=2)",
            r#"Commit(key=3, value="y") Aborted omnilink.abort="rolled back" retries=3"#
        ]
    );
    assert_eq!((report.actions.as_slice(), report.count(0).performed), (["Write"].as_slice(), 3));
}

#[test]
fn choosing_an_action_that_is_not_there_is_a_panic_that_says_so() {
    let fuzz = Fuzz::<()>::new("Choice").action("A", &[], |cx| {
        cx.choose("B");
        Ok(())
    });
    let (report, _) = record(fuzz.threads(1), &());
    let ThreadEnd::ActionPanicked { message, .. } = &report.threads[0].end else { panic!() };
    assert_eq!(message, "`B` was chosen, but the choice is between A");
}

#[test]
fn a_fuzzer_that_is_put_together_wrongly_records_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let trace = directory.path().join("trace");
    let refused = |fuzz: Fuzz<'static, ()>| {
        let error = fuzz.trace_directory(&trace).run(&()).unwrap_err();
        assert_eq!(error.exit_code(), EXIT_USAGE);
        assert!(!trace.exists());
        error.to_string()
    };
    assert_eq!(refused(Fuzz::new("S")), "there is nothing to do: no action has a weight above 0");
    assert_eq!(refused(ticking().weight("Tick", 0)), "there is nothing to do: no action has a weight above 0");
    assert_eq!(refused(ticking().action("Tick", &[], |_| Ok(()))), "the action `Tick` is declared twice");
    assert_eq!(refused(ticking().weight("Tock", 2)), "a weight is given for `Tock`, but the actions are Tick");
    assert_eq!(refused(ticking().threads(0)), "`threads` is 0, but must be at least 1");
    assert_eq!(
        refused(ticking().results(&[("Tick", "count")])),
        "`count` is declared to be a result of `Tick`, but no such action has this parameter"
    );
}

#[test]
fn a_directory_with_another_trace_is_left_alone() {
    let _alone = alone();
    let directory = tempfile::tempdir().unwrap();
    ticking().operations(3).trace_directory(directory.path()).run(&()).unwrap();
    let error = ticking().operations(5).trace_directory(directory.path()).run(&()).unwrap_err();
    assert!(matches!(error, FuzzError::Record(_)));
    assert_eq!(error.exit_code(), EXIT_USAGE);
    assert_eq!(lengths(&fuzz_support::read(directory.path())), [3, 3, 3]);
}
