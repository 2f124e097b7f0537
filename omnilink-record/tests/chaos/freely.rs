//! Programs that run without control are left alone, and where they went wrong is told.

use std::fs::{self, File, OpenOptions};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use omnilink_record::chaos::strategy::StrategyKind;
use omnilink_record::directory::Streams;
use omnilink_record::{Ending, Limits, Mode, Observed, Plan, Stopped, free, stacks};

use crate::subjects::{compile, plan, subject};

fn run(program: &Path, arguments: &[&str], limit: Duration) -> Observed {
    let null = OpenOptions::new().read(true).write(true).open("/dev/null").unwrap();
    run_saying(program, arguments, limit, null)
}

/// Runs a program that says to a file what goes wrong.
fn run_saying(program: &Path, arguments: &[&str], limit: Duration, stderr: File) -> Observed {
    let null = || OpenOptions::new().read(true).write(true).open("/dev/null").unwrap();
    let streams = Streams { stdin: null(), stdout: null(), stderr, trace: File::open("/").unwrap() };
    let plan = Plan {
        arguments: arguments.iter().map(ToString::to_string).collect(),
        mode: Mode::Free,
        limits: Limits { decisions: 0, wall_clock: limit },
        ..plan(program, StrategyKind::RandomWalk, 1)
    };
    free::run(&plan, &streams, &AtomicBool::new(false)).unwrap()
}

const MINUTE: Duration = Duration::from_secs(60);

#[test]
fn crashes_are_told_with_stacks() {
    let program = subject("crashes");
    for (how, signal, function) in [("fault", libc::SIGSEGV, "fall"), ("abort", libc::SIGABRT, "abort")] {
        let observed = run(&program, &[how], MINUTE);
        assert_eq!(observed.ending, Ending::Killed(signal), "{how}");
        let text = stacks::text(&observed.stacks);
        let crashed = observed.stacks.first().unwrap_or_else(|| panic!("{how}: no stacks"));
        assert!(crashed.crashed && crashed.thread == 2 && crashed.does.starts_with("received "), "{how}: {text}");
        assert!(crashed.frames.iter().any(|frame| frame.function.contains(function)), "{how}: {text}");
        // The others, too: who waits, and who waits for that.
        assert_eq!(observed.stacks.len(), 3, "{text}");
        assert!(text.contains("    wait_forever\n") && text.contains("    main\n"), "{text}");
    }
}

/// However early a crash is: otherwise one bug would be several groups of failures.
#[test]
fn early_crashes_have_stacks() {
    let shell = Path::new("/bin/sh");
    let crashes: [(&Path, &[&str], i32); 2] =
        [(shell, &["-c", "kill -SEGV $$"], libc::SIGSEGV), (&subject("crashes"), &["at-once"], libc::SIGSEGV)];
    for (program, arguments, signal) in crashes {
        for run_number in 0..4 {
            let observed = run(program, arguments, MINUTE);
            assert_eq!(observed.ending, Ending::Killed(signal), "{program:?}");
            assert!(stacks::crash_frame(&observed.stacks).is_some(), "{program:?}, run {run_number}");
        }
    }
}

/// Also those that end before anybody could have looked for them.
#[test]
fn all_threads_are_counted() {
    let observed = run(&subject("many_threads"), &[], MINUTE);
    assert_eq!((observed.ending, observed.threads), (Ending::Exited(0), 101));
}

#[test]
fn programs_that_take_too_long_are_told_with_stacks() {
    let observed = run(&subject("crashes"), &["neither"], Duration::from_secs(2));
    assert_eq!(observed.ending, Ending::Stopped(Stopped::WallClock));
    let text = stacks::text(&observed.stacks);
    assert!(observed.stacks.iter().all(|stack| !stack.crashed) && text.contains("    wait_forever\n"), "{text}");
}

/// Signals, job control, `exec`, new processes and sanitizers work as in a program that is not traced.
#[test]
fn looking_on_changes_nothing() {
    let program = subject("crashes");
    for how in ["handler", "stopped"] {
        assert_eq!(run(&program, &[how], MINUTE).ending, Ending::Exited(0), "{how}");
    }
    assert_eq!(run(&program, &["becomes"], MINUTE).ending, Ending::Killed(libc::SIGUSR1));
    for name in ["signals", "spawns"] {
        assert_eq!(run(&subject(name), &[], MINUTE).ending, Ending::Exited(0), "{name}");
    }
    // LeakSanitizer finds what there is. It would say something else if it were traced.
    let scratch = tempfile::tempdir().unwrap();
    for flags in [&["-fsanitize=address"][..], &["-fsanitize=leak"], &["-fsanitize=address", "-static-libasan"]] {
        let said = scratch.path().join("stderr");
        run_saying(&compile("leaks", flags), &[], MINUTE, File::create(&said).unwrap());
        let said = fs::read_to_string(&said).unwrap();
        assert!(said.contains("100 byte(s) leaked in 1 allocation(s)"), "{flags:?}: {said}");
    }
}
