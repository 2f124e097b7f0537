//! TLC as the engine: what is written for it, and what it answers.

mod support;

use std::fs;

use support::bench::Bench;
use support::run;

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
    let expected =
        ["Fifo.tla", "OmniLinkCheck.cfg", "OmniLinkCheck.tla", "OmniLinkHistory.tla", "OmniLinkPositions.tla"];
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
        assert!(refusal.contains(&format!("{}: TLC does not do that", option[0])), "{refusal}");
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
