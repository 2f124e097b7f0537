//! A fuzzer that follows the suggestions in its comments: every action is performed with values drawn as suggested.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use omnilink_gen::model::Model;
use omnilink_trace::{Record, Trace};

use crate::support::{build, succeed};

/// Binds all actions, runs, and looks for every action with all of its arguments in the trace.
pub fn records_what_is_drawn(model: &Model, directory: &Path) {
    let stubs = std::fs::read_to_string(directory.join("fuzzer.cpp")).unwrap();
    std::fs::write(directory.join("bound.cpp"), bound(&stubs)).unwrap();
    let program = build(directory, "bound.cpp");
    let trace = directory.join("trace");
    let operations = (model.actions.len() * 40).to_string();
    let mut run = Command::new(program);
    succeed(run.args(["--threads", "2", "--seed", "1", "--ops", &operations, "--trace-dir"]).arg(&trace));

    let trace = Trace::open(&trace).unwrap();
    assert_eq!((trace.spec(), trace.next()), (&*model.spec, &*model.next));
    let words = trace.vocabulary();
    let mut seen = HashSet::new();
    for record in trace.lanes().iter().flat_map(|lane| lane.records()) {
        let Record::Event(event) = record.unwrap() else { continue };
        let [action] = event.candidates.as_slice() else { panic!("{event:?}") };
        let name = &*words.action(*action).name;
        let action = model.actions.iter().find(|action| action.name == name).unwrap();
        let args: Vec<_> = event.args.iter().map(|arg| words.name(arg.param).to_owned()).collect();
        assert_eq!(args, action.params.iter().map(|param| &*param.name).collect::<Vec<_>>());
        assert!(event.args.iter().all(|arg| arg.value.is_some()), "{name}: {:?}", event.args);
        seen.insert(name.to_owned());
    }
    assert_eq!(seen, model.actions.iter().map(|action| action.name.clone()).collect());
}

/// The program with every stub replaced by a function that does as its comment says.
fn bound(stubs: &str) -> String {
    let mut bound = String::new();
    let mut values: Vec<String> = Vec::new();
    let mut is_value = false;
    for line in stubs.lines() {
        if let Some(parameter) = line.strip_prefix("    // - ") {
            values.push(parameter.to_owned());
            is_value = true;
        } else if let (Some(rest), Some(value)) =
            (line.strip_prefix("    //   ").filter(|_| is_value), values.last_mut())
        {
            write!(value, " {rest}").unwrap();
        } else {
            is_value = false;
        }
        let stub = line.strip_prefix("    static Unsupported perform(Kind<").and_then(|line| line.split_once('>'));
        let Some((action, _)) = stub else {
            writeln!(bound, "{line}").unwrap();
            continue;
        };
        let values: Vec<_> = values.drain(..).map(|parameter| drawn(&parameter)).collect();
        let perform = format!("static Performed<{action}> perform(Kind<{action}>, [[maybe_unused]] Context &cx)");
        writeln!(bound, "    {perform} {{ return {action}{{{}}}; }}", values.join(", ")).unwrap();
    }
    bound
}

/// The expression that is suggested for a parameter.
fn drawn(parameter: &str) -> String {
    match parameter.split_once("; such as ") {
        Some((_, expression)) => expression.to_owned(),
        None if parameter.contains("omnilink::Value") => "\"anything\"".to_owned(),
        None => panic!("nothing is suggested for {parameter}"),
    }
}
