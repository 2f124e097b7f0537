//! What natives compute: tables in `tests/cases/builtin`, one per module.
//!
//! A line is `expression ==> value` or `expression ==> error: message`. The tables of the standard modules have the
//! values that TLC has, and errors where TLC has errors, in our words; integers beyond 32 bits are ours alone.

mod apply;

use std::collections::HashMap;
use std::sync::Mutex;

use super::{Run, core, modules};
use crate::eval::{Host, World};
use crate::syntax::operators::by_spelling;
use crate::value::Value;

/// Keeps what is printed and set; takes the last element for a random one.
#[derive(Default)]
struct Notes {
    printed: Mutex<Vec<String>>,
    registers: Mutex<HashMap<Value, Value>>,
    world: World,
}

impl Host for Notes {
    fn print(&self, line: &str) {
        self.printed.lock().unwrap().push(line.to_owned());
    }

    fn set_register(&self, register: &Value, value: Value) {
        self.registers.lock().unwrap().insert(register.clone(), value);
    }

    fn register(&self, register: &Value) -> Option<Value> {
        self.registers.lock().unwrap().get(register).cloned()
    }

    fn random(&self, bound: u64) -> u64 {
        bound - 1
    }

    fn enter_level(&self, _level: u64) {}

    fn world(&self) -> &World {
        &self.world
    }
}

fn outcome(expression: &str) -> String {
    match apply::evaluate(expression, &Notes::default()) {
        Ok(value) => value.normalize().map_or_else(|error| error.to_string(), |value| value.to_string()),
        Err(failure) => format!("error: {failure}"),
    }
}

fn check(table: &str) {
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let cases: Vec<_> = lines.map(|line| line.split_once(" ==> ").expect("a line has an arrow")).collect();
    assert!(!cases.is_empty());
    let wrong = cases.iter().filter_map(|(expression, expected)| {
        let found = outcome(expression.trim());
        (found != expected.trim()).then(|| format!("{} ==> {found}, not {}", expression.trim(), expected.trim()))
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

macro_rules! tables {
    ($($test:ident: $module:literal,)*) => {
        const TABLES: &[&str] = &[$(include_str!(concat!("../../../tests/cases/builtin/", $module, ".txt"))),*];

        $(
            #[test]
            fn $test() {
                check(include_str!(concat!("../../../tests/cases/builtin/", $module, ".txt")));
            }
        )*
    };
}

tables! {
    core_operators: "core",
    integers: "Integers",
    finite_sets: "FiniteSets",
    sequences: "Sequences",
    tlc: "TLC",
    bags: "Bags",
    tlc_ext: "TLCExt",
    finite_sets_ext: "FiniteSetsExt",
    functions: "Functions",
    sequences_ext: "SequencesExt",
    bags_ext: "BagsExt",
    relation: "Relation",
    bitwise: "Bitwise",
    io: "IO",
    graphs: "Graphs",
    random_sets: "Randomization",
    svg: "SVG",
    vector_clocks: "VectorClocks",
    unavailable: "unavailable",
}

#[test]
fn every_native_is_in_a_table() {
    let tables = TABLES.concat();
    // Negation is written with the sign of subtraction.
    let missing = modules().flat_map(|module| module.operators).map(|native| native.name);
    let missing: Vec<_> = missing.filter(|name| *name != "-." && !tables.contains(name)).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn tables_are_consistent() {
    for module in modules() {
        for extended in module.extends {
            assert!(modules().any(|other| other.name == *extended), "{} extends {extended}", module.name);
        }
        for (index, native) in module.operators.iter().enumerate() {
            let (name, params) = (native.name, native.params);
            assert!(module.operators[..index].iter().all(|other| other.name != name), "{name} is there twice");
            assert!(core(name).is_none(), "{name} is in {} and in the core", module.name);
            let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
            let canonical = by_spelling(name).map(|operator| operator.name);
            assert!(is_word || canonical == Some(name), "{name} is known as {canonical:?}");
            let takes_operators = params.iter().any(|arity| *arity > 0);
            match native.run {
                Run::Constant(_) => assert!(params.is_empty(), "{name}"),
                Run::One(_) | Run::Part(..) => assert_eq!(params, [0], "{name}"),
                Run::Two(_) | Run::Compare(..) => assert_eq!(params, [0, 0], "{name}"),
                Run::Higher(_) => assert!(takes_operators, "{name}"),
                Run::Reads(_) | Run::Shows(_) | Run::Hosted(_) => assert!(!takes_operators, "{name}"),
                Run::Many(_) | Run::Refused(_) => {}
            }
        }
    }
}

#[test]
fn printing_prints_and_registers_register() {
    let host = Notes::default();
    let evaluate = |text: &str| apply::evaluate(text, &host).map(|value| value.to_string());
    assert_eq!(evaluate("Print(\"x\", <<Int, SUBSET {1}>>)[1]").unwrap(), "Int");
    assert_eq!(evaluate("PrintT(Nat)").unwrap(), "TRUE");
    assert_eq!(evaluate("AssertEq({1, 2}, 1..2)").unwrap(), "TRUE");
    assert_eq!(evaluate("AssertEq(1, 2)").unwrap(), "FALSE");
    assert_eq!(*host.printed.lock().unwrap(), ["\"x\"  <<Int, {{}, {1}}>>", "Nat", "\"Assertion failed\"", "1", "2"]);
    assert_eq!(evaluate("TLCSet(7, {1})").unwrap(), "TRUE");
    assert_eq!(evaluate("TLCGet(7)").unwrap(), "{1}");
    assert_eq!(evaluate("TLCGetOrDefault(7, 0)").unwrap(), "{1}");
}

#[test]
fn json_files_round_trip() {
    let directory = tempfile::tempdir().expect("a directory for temporary files");
    let path = directory.path().join("made/trace.ndjson");
    let path = path.to_str().expect("a Unicode path");
    let text = outcome(&format!("ndJsonSerialize(\"{path}\", <<[op |-> \"put\", k |-> -1], <<TRUE, {{2, 1}}>>>>)"));
    assert_eq!(text, "TRUE");
    assert_eq!(std::fs::read_to_string(path).unwrap(), "{\"k\":-1,\"op\":\"put\"}\n[true,[1,2]]\n");
    assert_eq!(
        outcome(&format!("ndJsonDeserialize(\"{path}\")")),
        "<<[k |-> -1, op |-> \"put\"], <<TRUE, <<1, 2>>>>>>"
    );
    assert_eq!(outcome(&format!("JsonSerialize(\"{path}\", <<1, \"a\">>)")), "TRUE");
    assert_eq!(std::fs::read_to_string(path).unwrap(), "[\n1,\n\"a\"\n]\n");
    assert_eq!(outcome(&format!("JsonDeserialize(\"{path}\")")), "<<1, \"a\">>");
    for (written, problem) in [
        ("[1,\n2.5]", "1: 2.5 is not a 64-bit integer"),
        ("{\"a\": null}", "1: null is no TLA+ value"),
        ("[1,\n 2", "2: EOF while parsing a list at line 2 column 2"),
    ] {
        std::fs::write(path, written).unwrap();
        assert_eq!(outcome(&format!("JsonDeserialize(\"{path}\")")), format!("error: {path}:{problem}"));
    }
    std::fs::write(path, "{}\n\n{\"a\":\n").unwrap();
    let broken = outcome(&format!("ndJsonDeserialize(\"{path}\")"));
    assert!(broken.starts_with(&format!("error: {path}:3: ")), "{broken}");
}

/// A native that gets at files, the environment or the clock by itself leaves no note of it, and then verdicts are kept that
/// are not true any more.
#[test]
fn the_world_outside_is_reached_only_through_the_host() {
    let mut open = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/builtin")];
    let mut seen = 0;
    while let Some(path) = open.pop() {
        if path.ends_with("tests") {
            continue;
        }
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        seen += 1;
        let text = std::fs::read_to_string(&path).unwrap();
        for outside in ["fs", "env", "process", "time", "net", "io", "os", "thread", "hash::RandomState"] {
            assert!(!text.contains(&format!("std::{outside}")), "{} uses std::{outside}", path.display());
        }
    }
    assert!(seen > 10, "only {seen} files");
}
