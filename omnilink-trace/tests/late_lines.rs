//! A line may change what earlier lines mean: it has an argument that the action did not have so far, declares the action's
//! parameters, or is of a thread whose number a named thread would have got. Random files, against a reader that
//! goes through all lines first.

use std::collections::{BTreeMap, BTreeSet};

use omnilink_trace::{Candidates, OpenOptions, Outcome, Record, Trace, TraceError, jsonl};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// A line: its thread, how it names its action, and its arguments.
#[derive(Debug, Clone)]
struct Line {
    thread: Json,
    action: Action,
    args: BTreeMap<&'static str, Option<i64>>,
    pending: bool,
}

#[derive(Debug, Clone)]
enum Action {
    Named(&'static str),
    Declared(&'static str, Vec<&'static str>),
    OneOf(Vec<&'static str>),
}

const PARAMS: [&str; 3] = ["key", "value", "old"];

fn line() -> impl Strategy<Value = Line> {
    let thread = prop_oneof![
        3 => (0..3_u32).prop_map(|number| json!(number)),
        2 => prop::sample::select(vec!["main", "worker", "\u{e9}\"x"]).prop_map(|name| json!(name)),
    ];
    let name = || prop::sample::select(vec!["Put", "Get", "Size"]);
    let action = prop_oneof![
        12 => name().prop_map(Action::Named),
        1 => (name(), prop::sample::subsequence(PARAMS.to_vec(), 0..=3)).prop_map(|(name, params)| Action::Declared(name, params)),
        1 => prop::sample::subsequence(vec!["Put", "Get", "Size"], 0..=3).prop_map(Action::OneOf),
    ];
    let arg = || prop_oneof![1 => Just(None), 5 => any::<i64>().prop_map(Some)];
    let args = prop::sample::subsequence(PARAMS.to_vec(), 0..=2).prop_flat_map(move |params| {
        prop::collection::vec(arg(), params.len()).prop_map(move |args| params.iter().copied().zip(args).collect())
    });
    (thread, action, args, prop::bool::weighted(0.02)).prop_map(|(thread, action, args, pending)| Line {
        thread,
        action,
        args,
        pending,
    })
}

fn text(lines: &[Line]) -> String {
    let mut text = String::new();
    for (at, line) in (1_u64..).zip(lines) {
        let end = if line.pending { Json::Null } else { json!(10 * at + 5) };
        let mut object = json!({"thread": line.thread, "start": 10 * at, "end": end, "args": line.args});
        match &line.action {
            Action::Named(name) => object["op"] = json!(name),
            Action::Declared(name, params) => object["op"] = json!({"name": name, "params": params}),
            Action::OneOf(names) => object["ops"] = json!(names),
        }
        text += &format!("{object}\n");
    }
    text
}

/// What a reader knows that went through all lines.
#[derive(Default)]
struct Known {
    /// By name: all declared lists of parameters, or the only one that is not declared.
    actions: BTreeMap<&'static str, Vec<Vec<&'static str>>>,
    lanes: BTreeMap<String, u32>,
}

impl Known {
    fn of(lines: &[Line]) -> Self {
        let mut known = Self::default();
        for line in lines {
            if let Action::Declared(name, params) = &line.action {
                let variants = known.actions.entry(name).or_default();
                if !variants.contains(params) {
                    variants.push(params.clone());
                }
            }
        }
        let declared: BTreeSet<_> = known.actions.keys().copied().collect();
        for line in lines {
            match &line.action {
                Action::Named(name) if !declared.contains(name) => {
                    let variants = known.actions.entry(name).or_insert_with(|| vec![Vec::new()]);
                    for param in line.args.keys() {
                        if !variants[0].contains(param) {
                            variants[0].push(param);
                        }
                    }
                }
                Action::OneOf(names) => {
                    for name in names {
                        known.actions.entry(name).or_insert_with(|| vec![Vec::new()]);
                    }
                }
                _ => {}
            }
        }
        let numbers: BTreeSet<_> = lines.iter().filter_map(|line| line.thread.as_u64()).collect();
        let mut free = (0..).filter(|number| !numbers.contains(&u64::from(*number)));
        for line in lines {
            if line.thread.is_string() && !known.lanes.contains_key(&line.thread.to_string()) {
                known.lanes.extend(free.next().map(|number| (line.thread.to_string(), number)));
            }
        }
        known
    }

    /// The parameters of the actions that a line may stand for, or none if the line is wrong.
    fn params(&self, line: &Line) -> Option<Vec<&'static str>> {
        let mut params: Vec<&str> = Vec::new();
        let variants = match &line.action {
            Action::Declared(_, params) => vec![params.clone()],
            Action::Named(name) => vec![self.only(name)?],
            Action::OneOf(names) => names.iter().map(|name| self.only(name)).collect::<Option<_>>()?,
        };
        for param in variants.into_iter().flatten() {
            if !params.contains(&param) {
                params.push(param);
            }
        }
        line.args.keys().all(|arg| params.contains(arg)).then_some(params)
    }

    fn only(&self, name: &str) -> Option<Vec<&'static str>> {
        match self.actions.get(name).map(Vec::as_slice) {
            Some([only]) => Some(only.clone()),
            _ => None,
        }
    }
}

/// Events as text: what this test compares.
fn expected(lines: &[Line], known: &Known) -> Vec<String> {
    let mut events = Vec::new();
    for (at, line) in (1_u64..).zip(lines) {
        let Some(params) = known.params(line) else { break };
        let lane = line.thread.as_u64().unwrap_or_else(|| known.lanes[&line.thread.to_string()].into());
        let args = params.iter().map(|param| format!("{param}={:?}", line.args.get(param).copied().flatten()));
        let args: Vec<_> = args.collect();
        events.push(format!("{lane} {} {:?} {}", 10 * at, line.pending, args.join(" ")));
    }
    events
}

fn found(trace: &Trace) -> Vec<String> {
    let vocabulary = trace.vocabulary();
    let events = trace.records().map(|record| match record.expect("it was read") {
        Record::Event(event) => {
            let args = event.args.iter().map(|arg| {
                let value = arg.value.as_ref().map(|value| value.to_string().parse::<i64>().expect("an integer"));
                format!("{}={value:?}", vocabulary.name(arg.param))
            });
            let args: Vec<_> = args.collect();
            if let Candidates::One(action) = event.candidates {
                assert_eq!(vocabulary.action(action).params.len(), args.len());
            }
            let pending = event.outcome == Outcome::Pending;
            format!("{} {} {pending:?} {}", event.lane, event.timebox.start, args.join(" "))
        }
        Record::Terminated(termination) => panic!("nothing terminates: {termination:?}"),
    });
    events.collect()
}

/// The first line that comes after a pending call of its thread.
fn after_pending(lines: &[Line]) -> Option<usize> {
    let is_late = |at: usize| lines[..at].iter().any(|earlier| earlier.pending && earlier.thread == lines[at].thread);
    (0..lines.len()).find(|&at| is_late(at))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn all_lines_decide_what_each_means(lines in prop::collection::vec(line(), 1..12)) {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("late.jsonl");
        std::fs::write(&path, text(&lines)).expect("it can be written");
        let known = Known::of(&lines);
        let first_wrong = lines.iter().position(|line| known.params(line).is_none());
        let first_wrong = first_wrong.into_iter().chain(after_pending(&lines)).min();
        match (first_wrong, jsonl::read(&path)) {
            (None, Ok(trace)) => prop_assert_eq!(found(&trace), expected(&lines, &known)),
            (Some(wrong), Err(TraceError::JsonLine { line, .. })) => {
                prop_assert_eq!(line, wrong as u64 + 1);
                let recovered = jsonl::read_with(&path, &OpenOptions::recover(true)).expect("it is cut there");
                prop_assert_eq!(found(&recovered), expected(&lines[..wrong], &known));
            }
            (wrong, other) => prop_assert!(false, "{wrong:?} {other:?}"),
        }
    }
}
