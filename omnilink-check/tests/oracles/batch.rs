//! Many histories in one module for TLC, chosen in the initial state: starting TLC takes longer than checking hundreds.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use omnilink_tla::Spec;

use crate::brute::{Seen, seen};
use crate::family::{Family, specs};
use crate::plan::Plan;
use crate::tlc::{self, Tlc};

/// Later than everything.
const NEVER: u64 = 1_000_000;

/// For each history, whether TLC finds an order.
pub fn accepted(tlc: &Tlc, family: &'static Family, spec: &Spec, plans: &[Plan]) -> Vec<bool> {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    for directory in [specs(), specs().join("events")] {
        copy_modules(&directory, scratch.path());
    }
    let (module, config) = (scratch.path().join("Batch.tla"), scratch.path().join("Batch.cfg"));
    fs::write(&module, batch_module(family, spec, plans)).expect("the module can be written");
    let constants = if family.name == "Store" { "CONSTANTS Keys = {k1, k2} k1 = k1 k2 = k2" } else { "" };
    let text = format!("INIT BatchInit NEXT BatchNext CONSTRAINT Report {constants}\n");
    fs::write(&config, text).expect("the configuration can be written");
    let report = tlc.check(&module, &config, false);
    assert_eq!(report.verdict, tlc::Verdict::Ok, "{}: {:?}", family.name, report.printed);
    let mut accepted = vec![false; plans.len()];
    for line in &report.printed {
        let number: usize = line.trim().parse().unwrap_or_else(|_| panic!("TLC printed {line}"));
        accepted[number - 1] = true;
    }
    accepted
}

fn copy_modules(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("the specifications are there") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "tla") {
            fs::copy(&path, to.join(path.file_name().expect("it has a name"))).expect("it can be copied");
        }
    }
}

fn batch_module(family: &'static Family, spec: &Spec, plans: &[Plan]) -> String {
    let histories: Vec<_> = plans.iter().map(|plan| history(spec, plan)).collect();
    include_str!("batch.txt").replace("FAMILY", family.name).replace("HISTORIES", &histories.join(",\n"))
}

/// A history as TLA+: a sequence of lanes.
fn history(spec: &Spec, plan: &Plan) -> String {
    let events = seen(plan);
    let lane = |lane: usize| {
        let events: Vec<_> = events.iter().filter(|event| event.lane == lane).map(|it| event(spec, it)).collect();
        format!("<<{}>>", events.join(", "))
    };
    format!("<<{}>>", (0..plan.lanes.len()).map(lane).collect::<Vec<_>>().join(", "))
}

fn event(spec: &Spec, event: &Seen<'_>) -> String {
    let call = event.call;
    let quoted = |name: &str| format!("\"{name}\"");
    let names: Vec<_> = match call.names.as_slice() {
        [] => spec.actions().actions.iter().map(|action| quoted(action.name.as_str())).collect(),
        names => names.iter().map(|name| quoted(name)).collect(),
    };
    let known = call.args.iter().filter_map(|(name, value)| Some(format!("{name} |-> {}", value.as_ref()?)));
    let args: Vec<_> = known.collect();
    let args = if args.is_empty() { "<<>>".to_owned() } else { format!("[{}]", args.join(", ")) };
    let mut text = format!("[names |-> {{{}}}, args |-> {args}", names.join(", "));
    let (start, end) = (call.start, event.end.unwrap_or(NEVER));
    let optional = if event.is_optional { "TRUE" } else { "FALSE" };
    let _ = write!(text, ", start |-> {start}, end |-> {end}, optional |-> {optional}]");
    text
}
