//! TLC as the engine: what is written for it, and what it answers.

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use support::bench::Bench;
use support::{omnilink, run};

const FIFO: &str = "tests/data/check/Fifo.tla";
const ACCEPTED: &str = "tests/data/check/accepted.jsonl";
const REJECTED: &str = "tests/data/check/rejected.jsonl";

#[test]
fn the_question_can_be_written_without_asking_it() {
    let bench = Bench::new();
    let directory = bench.path("question");
    let output = run(["export-tlc", FIFO, REJECTED, "-o", directory.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("tlc2.TLC -deadlock -config OmniLinkCheck.cfg OmniLinkCheck.tla"), "{said}");
    let mut names: Vec<_> =
        fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let expected = [
        "Fifo.tla",
        "OmniLinkCheck.cfg",
        "OmniLinkCheck.tla",
        "OmniLinkHistory.tla",
        "OmniLinkPositions.tla",
        "OmniLinkRecorded.tla",
    ];
    assert_eq!(names, expected);
    assert_eq!(fs::read(directory.join("Fifo.tla")).unwrap(), fs::read(FIFO).unwrap());
    let again = run(["export-tlc", FIFO, "no-such-run", "-o", directory.to_str().unwrap()]);
    assert_eq!(again.status.code(), Some(2), "{again:?}");
}

#[test]
fn what_tlc_does_not_do_is_refused() {
    let bench = Bench::new();
    for option in [&["--shrink"][..], &["--max-configs", "9"], &["--counterexample", "why.omni"]] {
        let jar = bench.file("tla2tools.jar", "");
        let refusal = bench.refusal(&[&[FIFO, REJECTED, "--engine", "tlc", "--tlc-jar", &jar], option].concat());
        assert!(refusal.contains(&format!("{}: not supported with --engine tlc", option[0])), "{refusal}");
    }
    let refusal = bench.refusal(&[FIFO, REJECTED, "--engine", "tlc", "--tlc-jar", "no-such.jar"]);
    assert!(refusal.contains("no-such.jar"), "{refusal}");
}

const BOUNDED: &str = "---- MODULE Bounded ----
EXTENDS Naturals
VARIABLE count
Capacity == 2
Init == count = 0
Add == count < Capacity /\\ count' = count + 1
Next == Add
====
";
const ADDED: &str =
    "{\"thread\":0,\"start\":1,\"end\":2,\"op\":\"Add\"}\n{\"thread\":0,\"start\":3,\"end\":4,\"op\":\"Add\"}\n";

#[test]
fn definitions_can_be_given_other_values() {
    let bench = Bench::new();
    let (spec, trace) = (bench.file("Bounded.tla", BOUNDED), bench.file("added.jsonl", ADDED));
    let directory = bench.path("question");
    let output = run(["export-tlc", &spec, &trace, "--const", "Capacity = 1", "-o", directory.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let configuration = fs::read_to_string(directory.join("OmniLinkCheck.cfg")).unwrap();
    assert!(configuration.contains("Capacity <- OmniLinkConstant_Capacity"), "{configuration}");
    let history = fs::read_to_string(directory.join("OmniLinkHistory.tla")).unwrap();
    assert!(history.contains("OmniLinkConstant_Capacity == 1"), "{history}");
}

/// What TLC says when its memory is used up, from a program `tlc` in the PATH: it has not counted its states then.
#[test]
fn what_tlc_told_while_it_ran_is_known_when_it_gives_up() {
    let bench = Bench::new();
    let said = "#!/bin/sh
cat <<'END'
@!@!@STARTMSG 2200:0 @!@!@
Progress(7) at 2024-01-31 10:00:03: 58,323 states generated (58,323 s/min), 41,300 distinct states found (41,300 \
ds/min), 9,814 states left on queue.
@!@!@ENDMSG 2200 @!@!@
@!@!@STARTMSG 1001:1 @!@!@
Java ran out of memory.
@!@!@ENDMSG 1001 @!@!@
END
";
    let program = bench.file("bin/tlc", said);
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bench.path("bin").display(), std::env::var("PATH").unwrap());
    let args = ["check", FIFO, REJECTED, "--no-cache", "--engine", "tlc", "--max-memory", "1G"];
    let output = omnilink(args).env("PATH", path).env_remove("CLASSPATH").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("--max-memory 1000M stopped it (41300 configurations, "), "{text}");
}

/// After three seconds TLC says for the first time how far it is; all orders of nine calls take it longer.
#[test]
#[ignore = "needs Java: scripts/tlc-engine.sh"]
fn tlc_tells_how_far_it_is() {
    let bench = Bench::new();
    let line =
        |thread| format!("{{\"thread\":{thread},\"start\":10,\"end\":90,\"op\":\"Enqueue\",\"elem\":{thread}}}\n");
    let lost = "{\"thread\":0,\"start\":100,\"end\":110,\"op\":\"Dequeue\",\"elem\":77}\n";
    let trace = bench.file("wide.jsonl", &((0..9).map(line).collect::<String>() + lost));
    let jar = std::env::var("OMNILINK_TLC_JAR").expect("the script names it");
    let program = env!("CARGO_BIN_EXE_omnilink");
    let on_terminal = |option: &str| {
        let command = format!("{program} check {FIFO} {trace} --no-cache --engine tlc --tlc-jar {jar} {option}");
        let output =
            Command::new("script").args(["-qec", &command, "/dev/null"]).stdin(Stdio::null()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let said = on_terminal("");
    assert!(said.contains(" of 10 events, ") && said.contains(" open"), "{said}");
    assert!(!said.contains(" left"), "how long it takes cannot be told: {said}");
    let said = on_terminal("--json");
    assert!(said.starts_with('{') && !said.contains(" of 10 events, "), "{said}");
}

#[test]
#[ignore = "needs Java: scripts/tlc-engine.sh"]
fn tlc_answers() {
    let bench = Bench::new();
    let (spec, trace) = (bench.file("Bounded.tla", BOUNDED), bench.file("added.jsonl", ADDED));
    for (capacity, code) in [(1, 1), (2, 0)] {
        for engine in ["native", "tlc"] {
            let capacity = format!("Capacity = {capacity}");
            let jar = std::env::var("OMNILINK_TLC_JAR").expect("the script names it");
            let args = [&*spec, &*trace, "--const", &capacity, "--engine", engine, "--tlc-jar", &jar];
            assert_eq!(bench.code(&args), code, "{capacity}, {engine}");
        }
    }
    let jar = std::env::var("OMNILINK_TLC_JAR").expect("the script names it");
    for (trace, code, expected) in [
        (ACCEPTED, 0, ": accepted: an order of its"),
        (REJECTED, 1, ": rejected: no order of its 8 events in 3 lanes is a behaviour of Fifo"),
    ] {
        let (found, text) = bench.check(&[FIFO, trace, "--engine", "tlc", "--tlc-jar", &jar, "--no-cache"]);
        assert_eq!(found, code, "{text}");
        assert!(text.contains(expected), "{text}");
    }
}

/// Nobody sees what TLC reads, so a verdict is kept only where its specification has no word for reading.
#[test]
#[ignore = "needs Java: scripts/tlc-engine.sh"]
fn tlc_verdicts_are_kept_where_nothing_is_read() {
    let bench = Bench::new();
    let jar = std::env::var("OMNILINK_TLC_JAR").expect("the script names it");
    let trace = bench.file("added.jsonl", ADDED);
    let plain = bench.file("plain/Bounded.tla", BOUNDED);
    let reading = BOUNDED
        .replace("EXTENDS Naturals", "EXTENDS Naturals, TLC")
        .replace("count = 0", "count = 0 /\\ JavaTime \\in Nat");
    let reading = bench.file("reading/Bounded.tla", &reading);
    for (spec, is_kept) in [(plain, true), (reading, false)] {
        let check = || bench.check(&[&spec, &trace, "--engine", "tlc", "--tlc-jar", &jar]);
        let (code, text) = check();
        assert_eq!((code, text.contains("cached")), (0, false), "{text}");
        let (code, text) = check();
        assert_eq!((code, text.contains("cached")), (0, is_kept), "{text}");
    }
}
