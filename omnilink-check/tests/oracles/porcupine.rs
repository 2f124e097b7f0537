//! The checker against Porcupine: `porcupine-rs` in process, and the Go original by `bench/porcupine`.
//!
//! Porcupine knows no lanes, so histories in which calls of one lane touch are left out: they overlap for it.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use omnilink_tla::{Spec, with_stack};
use omnilink_trace::Outcome;

use crate::datum::Datum;
use crate::generate::{Kind, history};
use crate::objects::{OBJECTS, Object};
use crate::plan::{Call, Plan};
use crate::random::Random;
use crate::verdict::{Verdict, verdict};

/// Histories of each object by default; `OMNILINK_HISTORIES` asks for another number in all.
const EACH: usize = 150;

fn each() -> usize {
    let asked = std::env::var("OMNILINK_HISTORIES").ok().map(|count| count.parse::<usize>().expect("a number"));
    asked.map_or(EACH, |count| count.div_ceil(OBJECTS.len()))
}

/// The first histories of an object without calls of a lane that touch.
fn plans<'a>(object: &'static Object, spec: &'a Spec) -> impl Iterator<Item = Plan> + 'a {
    let touch = |calls: &Vec<Call>| calls.windows(2).any(|two| two[0].end == Some(two[1].start));
    (0..).map(|seed| history(&object.family, spec, Kind::Plain, seed)).filter(move |plan| !plan.lanes.iter().any(touch))
}

fn compare(object: &'static Object, spec: &Spec, plan: &Plan, is_linearizable: bool) -> Option<String> {
    let expected = if is_linearizable { Verdict::Accepted } else { Verdict::Rejected };
    let verdict = verdict(&object.family, spec, plan);
    (verdict != Ok(expected)).then(|| format!("{}: {verdict:?}, Porcupine: {expected:?}\n{plan}", object.name))
}

fn agree(disagreements: impl FnOnce() -> Vec<String> + Send) {
    let disagreements = with_stack(1 << 26, disagreements).expect("a thread");
    assert!(disagreements.is_empty(), "{} disagreements:\n{}", disagreements.len(), disagreements.join("\n"));
}

#[test]
fn porcupine_rs_agrees() {
    agree(|| {
        let mut disagreements = Vec::new();
        for object in &OBJECTS {
            let spec = object.family.load();
            let plans: Vec<_> = plans(object, &spec).take(each()).collect();
            let linearizable: Vec<_> = plans.iter().map(object.is_linearizable).collect();
            let accepted = linearizable.iter().filter(|is| **is).count();
            println!("{:9} {accepted} of {} are linearizable", object.name, plans.len());
            assert!(accepted * 10 > plans.len() && accepted * 10 < plans.len() * 9, "both verdicts occur");
            let pairs = plans.iter().zip(linearizable);
            disagreements.extend(pairs.filter_map(|(plan, is)| compare(object, &spec, plan, is)));
        }
        disagreements
    });
}

#[test]
#[ignore = "needs Go: scripts/check-oracles.sh"]
fn porcupine_agrees() {
    agree(|| {
        let mut disagreements = Vec::new();
        for object in &OBJECTS {
            let spec = object.family.load();
            let killed = |(seed, plan): (u64, Plan)| kill(plan, &mut Random::new(seed));
            let plans: Vec<_> = (0..).zip(plans(object, &spec)).map(killed).take(each()).collect();
            let linearizable = ask_go(object, &plans);
            let accepted = linearizable.iter().filter(|is| **is).count();
            println!("{:9} {accepted} of {} are linearizable", object.name, plans.len());
            let pairs = plans.iter().zip(linearizable);
            disagreements.extend(pairs.filter_map(|(plan, is)| compare(object, &spec, plan, is)));
        }
        disagreements
    });
}

/// Lets some calls end without a result, or not at all.
fn kill(mut plan: Plan, random: &mut Random) -> Plan {
    for calls in &mut plan.lanes {
        let last = calls.len().wrapping_sub(1);
        for (at, call) in calls.iter_mut().enumerate() {
            if !random.chance(15) {
                continue;
            }
            let ended = (Outcome::Indeterminate, call.end);
            (call.outcome, call.end) = if at == last { (Outcome::Pending, None) } else { ended };
            for (name, value) in &mut call.args {
                if ["result", "count"].contains(name) {
                    *value = None;
                }
            }
        }
    }
    plan
}

/// What the Go original says.
fn ask_go(object: &Object, plans: &[Plan]) -> Vec<bool> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench/porcupine");
    let mut go = Command::new("go");
    go.args(["run", "."]).current_dir(directory).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = go.spawn().expect("go runs");
    let lines: String = plans.iter().map(|plan| line(object, plan)).collect();
    child.stdin.take().expect("it is piped").write_all(lines.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "bench/porcupine failed");
    let answers: Vec<_> = String::from_utf8_lossy(&output.stdout).lines().map(|line| line == "ok").collect();
    assert_eq!(answers.len(), plans.len(), "an answer for every history");
    answers
}

/// A history as `bench/porcupine` reads it.
fn line(object: &Object, plan: &Plan) -> String {
    let number = |value: &Datum| match value {
        Datum::Flag(value) => value.to_string(),
        other => other.to_string(),
    };
    let op = |(lane, _, call): (usize, usize, &Call)| {
        let mut fields = vec![format!(r#""thread": {lane}"#), format!(r#""start": {}"#, call.start)];
        fields.push(format!(r#""op": "{}""#, call.names[0]));
        fields.extend(call.end.map(|end| format!(r#""end": {end}"#)));
        let known = call.args.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        fields.extend(known.map(|(name, value)| format!(r#""{name}": {}"#, number(value))));
        fields.push(format!(r#""indeterminate": {}"#, call.outcome == Outcome::Indeterminate));
        format!("{{{}}}", fields.join(", "))
    };
    let ops: Vec<_> = plan.calls().map(op).collect();
    format!("{{\"model\": \"{}\", \"ops\": [{}]}}\n", object.name, ops.join(", "))
}
