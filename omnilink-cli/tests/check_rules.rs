//! Rules for events in a configuration, beside those of the command line.

mod support;

use std::fs;

use support::bench::Bench;
use support::{omnilink, queue_demo, run, stdout_of};

const FIFO: &str = "tests/data/check/Fifo.tla";
const QUEUE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/queue/Queue.tla");

/// Accepted only if the aborted call took what it was to dequeue.
const LOST: &str = r#"{"thread":0,"start":10,"end":15,"op":"Enqueue","args":{"elem":1},"meta":{"length":0}}
{"thread":0,"start":20,"end":25,"op":"Dequeue","args":{"elem":1},"outcome":"aborted"}
{"thread":0,"start":30,"end":35,"op":"DequeueEmpty","args":{}}
{"thread":0,"terminated":90}
"#;

/// A specification with its configuration and the trace.
struct Files {
    bench: Bench,
    spec: String,
    trace: String,
}

impl Files {
    fn new() -> Self {
        let bench = Bench::new();
        let spec = bench.file("Fifo.tla", &fs::read_to_string(FIFO).unwrap());
        let trace = bench.file("trace.jsonl", LOST);
        Self { bench, spec, trace }
    }

    /// Has these comments say something to omnilink.
    fn configure(&self, remarks: &[&str]) {
        let remarks: Vec<_> = remarks.iter().map(|remark| format!("\\* omnilink: {remark}\n")).collect();
        self.bench.file("Fifo.cfg", &format!("INIT Init\nNEXT Next\n{}", remarks.concat()));
    }

    fn args<'a>(&'a self, options: &[&'a str]) -> Vec<&'a str> {
        [&[&*self.spec, &*self.trace], options].concat()
    }
}

/// Every case is checked with the cache of those before: what was found with other rules must not be told.
#[test]
fn the_configuration_and_the_command_line_add_up() {
    let files = Files::new();
    let cases: [(&[&str], &[&str], i32); 7] = [
        (&[], &[], 1),
        (&["ON abort=Lost"], &[], 0),
        (&["ON abort=Ends"], &[], 1),
        (&["ON abort=Lost", "ON terminate = Ends", "ALSO Enqueue=LengthFits"], &[], 0),
        (&["ON abort=Lost", "ALSO DequeueEmpty=Lost"], &[], 1),
        (&["ON terminate=Ends"], &["--on", "abort=Lost"], 0),
        (&["ON abort=Lost"], &["--also", "DequeueEmpty=Lost"], 1),
    ];
    for (remarks, options, expected) in cases {
        files.configure(remarks);
        let (code, text) = files.bench.check(&files.args(options));
        assert_eq!(code, expected, "{remarks:?} {options:?}: {text}");
    }
    let other = files.bench.file("Other.cfg", "INIT Init\nNEXT Next\n\\* omnilink: ON abort=Lost\n");
    files.configure(&["ON abort=Ends"]);
    assert_eq!(files.bench.code(&files.args(&["--cfg", &other])), 0, "the configuration that is used counts");
}

#[test]
fn what_is_wrong_with_a_rule_is_said_with_its_place() {
    let files = Files::new();
    let cases: [(&[&str], &[&str]); 7] = [
        (&["ON abort=Los"], &[]),
        (&["ON abort=Lost", "ALSO Enqueu=LengthFits"], &[]),
        (&["ON aboard=Lost"], &[]),
        (&["on abort=Lost"], &[]),
        (&["ON abort Lost"], &[]),
        (&["ON abort=Lost", "ON abort=Ends"], &[]),
        (&["ON terminate=Ends", "ALSO Enqueue=LengthFits"], &["--also", "Enqueue=LengthFits"]),
    ];
    let mut all = String::new();
    for (remarks, options) in cases {
        files.configure(remarks);
        let refusal = files.bench.refusal(&files.args(options));
        all.push_str(&refusal.replace(&files.spec.replace("Fifo.tla", ""), ""));
        all.push('\n');
    }
    insta::assert_snapshot!(all);
}

#[test]
fn tlc_is_told_of_them() {
    let files = Files::new();
    files.configure(&["ON abort=Lost"]);
    let directory = files.bench.path("question");
    stdout_of([&["export-tlc"], &*files.args(&["-o", directory.to_str().unwrap()])].concat());
    let module = fs::read_to_string(directory.join("OmniLinkChecked.tla")).unwrap();
    assert!(module.contains("Lost(omnilink_event)"), "{module}");
}

#[test]
#[ignore = "needs Java: scripts/tlc-engine.sh"]
fn tlc_follows_them() {
    let files = Files::new();
    let jar = std::env::var("OMNILINK_TLC_JAR").expect("the script names it");
    for (remarks, code) in [(&[][..], 1), (&["ON abort=Lost"], 0)] {
        files.configure(remarks);
        assert_eq!(files.bench.code(&files.args(&["--engine", "tlc", "--tlc-jar", &jar])), code, "{remarks:?}");
    }
}

#[test]
fn they_count_for_runs_that_are_made_and_for_those_of_a_store() {
    let bench = Bench::new();
    let text = fs::read_to_string(QUEUE).unwrap();
    let spec = bench.file("Queue.tla", &text.replace("TypeOK ==", "Never(event) == event.lane < 0\n\nTypeOK =="));
    let configure = |remark: &str| bench.file("Queue.cfg", &format!("INIT Init\nNEXT Next\n{remark}"));
    let store = bench.path("runs.db").display().to_string();
    let make = |amount: &[&str]| {
        let program = ["--", queue_demo(), "--threads", "2", "--ops", "5"];
        let args = ["run", &*spec, "--chaos", "--runs", "1", "--keep", "--seed", "1"];
        run([&args[..], amount, &program].concat()).status.code()
    };
    configure("");
    assert_eq!(make(&["--store", &store]), Some(0));
    let check = || {
        let args = ["check", &*spec, "--store", &*store];
        let output = omnilink(args).env("XDG_CACHE_HOME", bench.path("cache")).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap().contains("cached"))
    };
    assert_eq!(check(), (Some(0), true));
    configure("\\* omnilink: ALSO Enqueue=Never\n");
    assert_eq!([check(), check()], [(Some(1), false), (Some(1), true)]);
    assert_eq!(make(&["-o", bench.path("runs").to_str().unwrap()]), Some(1));
}
