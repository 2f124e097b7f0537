//! The fuzz loop from C++: it is the loop of Rust, so what is proved here is that everything arrives there and comes
//! back.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use omnilink_runtime::ActionDef;
use omnilink_runtime::fuzz::{Attempt, Context, Fuzz, Unsupported};
use omnilink_trace::Trace;
use support::recorded::{all_lines, open, signatures};
use support::{Library, compile_cpp, succeed};
use tempfile::TempDir;

/// `fuzz.cpp`, compiled once.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, program) = PROGRAM.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let program = compile_cpp("fuzz.cpp", directory.path(), &["-std=c++17"], Library::Static);
        (directory, program)
    });
    program
}

/// A run of `fuzz.cpp` that records to a directory of its own.
struct Run {
    directory: TempDir,
    output: Output,
}

impl Run {
    fn with(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let mut command = Command::new(program());
        command.args(arguments).arg("--trace-dir").arg(directory.path().join("run"));
        let output = command.envs(variables.iter().copied()).output().unwrap();
        Self { directory, output }
    }

    fn code(&self) -> Option<i32> {
        self.output.status.code()
    }

    fn said(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned() + &String::from_utf8_lossy(&self.output.stderr)
    }

    fn trace_directory(&self) -> PathBuf {
        self.directory.path().join("run")
    }

    #[track_caller]
    fn trace(&self) -> Trace {
        open(&self.trace_directory())
    }
}

/// How many operations each thread performed.
fn lengths(trace: &Trace) -> Vec<usize> {
    all_lines(trace).iter().map(|lines| lines.iter().filter(|line| !line.starts_with("terminated")).count()).collect()
}

struct System {
    total: AtomicU64,
}

type Cx<'a> = Context<'a, System, u64>;

fn items(cx: &mut Cx<'_>) -> Attempt {
    let item = *cx.random.pick(&["a", "b", "c"]);
    cx.set("item", item);
    let bytes = cx.random.bytes::<3>();
    let unsigned_range = cx.random.range(1..=u64::MAX);
    cx.set("bytes", &bytes);
    let number = cx.random.number() ^ unsigned_range;
    cx.set("number", &number);
    Ok(())
}

fn add(cx: &mut Cx<'_>) -> Attempt {
    let by = cx.random.below(10);
    if by == 0 {
        cx.choose("AddNothing");
        cx.op.abort("nothing to add");
        return Ok(());
    }
    cx.set("by", &by);
    cx.call(|system, _| system.total.fetch_add(by, Ordering::SeqCst));
    cx.choose("Add");
    cx.op.meta("added", &true);
    Ok(())
}

/// What `fuzz.cpp` is, in Rust.
fn same_in_rust() -> Fuzz<'static, System, u64> {
    Fuzz::with_state("Choices", |start| start.random.below(1000))
        .action("Numbers", &["below", "range", "state"], |cx| {
            let (below, range) = (cx.random.below(1_000_000), cx.random.range(-5_i32..=5));
            cx.set("below", &below);
            cx.set("range", &range);
            cx.op.arg(2, &*cx.state);
            Ok(())
        })
        .action("Items", &["item", "bytes", "number"], items)
        .action("Sometimes", &[], |cx| {
            cx.then("Items");
            if cx.random.chance(1, 3) { Ok(()) } else { Err(Unsupported) }
        })
        .choice(
            "Adding",
            &[ActionDef { name: "Add", params: &["by"] }, ActionDef { name: "AddNothing", params: &[] }],
            add,
        )
        .results(&[("Items", "number"), ("Items", "bytes"), ("Add", "by")])
        .action("Crash", &["thread"], |_| Err(Unsupported))
        .weight("Crash", 0)
        .operations(50)
        .cleanup(|end| end.meta.set("thread", &end.thread))
}

#[test]
fn the_same_seed_gives_the_same_choices_as_in_rust() {
    let rust = tempfile::tempdir().unwrap();
    let fuzz = same_in_rust().seed(11).threads(3).operations(300).weight("Items", 4).trace_directory(rust.path());
    fuzz.run(&System { total: AtomicU64::new(0) }).unwrap();
    let rust = open(rust.path());

    let cpp = Run::with(&["--seed", "11", "--threads=3", "--ops", "300", "--weights", "Items=4"], &[]);
    assert_eq!(cpp.code(), Some(0), "{}", cpp.said());
    let cpp = cpp.trace();
    assert_eq!(all_lines(&cpp), all_lines(&rust));
    assert_eq!(signatures(&cpp), signatures(&rust));
    assert_eq!(
        signatures(&cpp),
        [
            "Add(by) results by operation Add",
            "AddNothing() results  operation Add",
            "Crash(thread) results  operation unknown",
            "Items(item, bytes, number) results bytes, number operation unknown",
            "Numbers(below, range, state) results  operation unknown",
            "Sometimes() results  operation unknown",
        ]
    );
    let names = |trace: &Trace| trace.lanes().iter().map(|lane| lane.name().to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&cpp), names(&rust));
    assert_eq!((cpp.spec(), cpp.next(), cpp.run().seed), ("Choices", "Next", Some(11)));
}

#[test]
fn command_line_over_environment_over_program() {
    let variables = [("OMNILINK_THREADS", "2"), ("OMNILINK_SEED", "2"), ("OMNILINK_OPERATIONS", "")];
    let run = Run::with(&["--threads", "3", "--total-ops", "9", "--start", "500"], &variables);
    assert_eq!(run.code(), Some(0), "{}", run.said());
    assert_eq!((lengths(&run.trace()), run.trace().run().seed), (vec![3, 3, 3], Some(2)));
}

#[test]
fn settings_of_the_program() {
    let directory = tempfile::tempdir().unwrap();
    let trace = directory.path().join("run");
    let output = succeed(Command::new(program()).arg("run").arg(&trace).env("OMNILINK_SEED", "6"));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "20 operations, 20 events, seed 5, exit code 0\n`threads` is 0, but must be at least 1\n"
    );
    let trace = open(&trace);
    assert_eq!((trace.next(), lengths(&trace)), ("Step", vec![20]));
}

#[test]
fn an_exception_in_an_action_is_recorded_as_indeterminate_and_ends_the_thread() {
    let only_crash = "Numbers=0,Items=0,Sometimes=0,Adding=0,Crash=1";
    let run = Run::with(&["--threads", "2", "--weights", only_crash], &[]);
    assert_eq!(run.code(), Some(101));
    assert!(run.said().contains("fuzz: thread 0 ended by a panic in Crash: crashed"), "{}", run.said());
    let crash = |thread| {
        let call = format!(r#"Crash(thread = {thread}) Indeterminate omnilink.panic: "crashed""#);
        vec![call, r#"terminated ["omnilink.ended: \"panic\""]"#.to_owned()]
    };
    assert_eq!(all_lines(&run.trace()), [crash(0), crash(1)]);
    assert_eq!(run.trace().run().exit.as_ref().and_then(|exit| exit.code), Some(101));
}

/// How a run ends that is not as usual: arguments, exit code, what it says.
#[test]
fn other_ends() {
    let never = "Numbers=0,Items=0,Adding=0,Sometimes=0";
    let cases: [(&[&str], i32, &str); 9] = [
        (&["--start", "13"], 101, "fuzz: making the state of thread 0 panicked: no state today"),
        (&["--start", "14", "--weights", "Adding=0"], 101, "panicked while cleaning up: no clean-up today"),
        (&["--start", "seven"], 2, "fuzz: --start: `seven` is not a number"),
        (&["--threads", "0"], 2, "fuzz: --threads: `0` must be at least 1"),
        (&["--weights", "Push=1"], 2, "names the action `Push`, but the actions are Numbers, Items"),
        (&["--weights", never], 2, "there is nothing to do: no action has a weight above 0"),
        (&["--duration", "soon"], 2, "is not a time above 0"),
        (&["--list-actions"], 0, "Adding: Add(by) | AddNothing weight 1"),
        (&["--help"], 0, "--start N                 what the total starts with"),
    ];
    for (arguments, code, message) in cases {
        let run = Run::with(arguments, &[]);
        assert_eq!(run.code(), Some(code), "{arguments:?}: {}", run.said());
        assert!(run.said().contains(message), "{arguments:?}: {}", run.said());
        assert_eq!(run.trace_directory().exists(), code == 101, "{arguments:?}");
    }
}
