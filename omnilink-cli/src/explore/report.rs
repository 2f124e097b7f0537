//! The result of an exploration, as numbers and TLA+.

use std::time::Duration;

use omnilink_budget::Exhausted;
use omnilink_tla::explore::{self, Counts, Stop, TraceStep, Verdict, ViolatedBy};
use omnilink_tla::source::Span;
use omnilink_tla::{Spec, State, Value};
use serde::Serialize;
use serde_json::{Map, json};

use crate::interrupt::INTERRUPTED;
use crate::limits::{LIMITED, LimitArgs};

/// The exit code if nothing wrong was found, but a property was not checked.
const NOT_ALL_CHECKED: u8 = 4;

/// The report.
#[derive(Debug, Serialize)]
pub struct Report {
    pub(super) module: String,
    #[serde(flatten)]
    pub(super) finding: Finding,
    pub(super) distinct: u64,
    pub(super) generated: u64,
    /// States whose successors were not computed.
    pub(super) queued: u64,
    pub(super) depth: u64,
    pub(super) seconds: f64,
    /// Parts of properties that were not checked.
    pub(super) unchecked: Vec<UncheckedRow>,
    /// Conditions of the next-state relation in which a prime may be missing, if there is a deadlock.
    pub(super) forgotten_primes: Vec<ConditionRow>,
    /// The path to the last state, if it is a counterexample.
    pub(super) trace: Vec<StepRow>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub(super) enum Finding {
    Ok,
    /// Nothing wrong was found, but a property was not checked, and nobody said that this is all right.
    NotAllChecked,
    MaxStates,
    Interrupted,
    Unknown {
        why: String,
    },
    FalseAssumption {
        assumption: String,
    },
    Violated {
        invariant: String,
    },
    PropertyViolated {
        property: String,
        by: &'static str,
        formula: String,
        place: String,
    },
    Deadlock,
    Failed {
        error: String,
    },
}

/// A part of a property that was not checked.
#[derive(Debug, Serialize)]
pub(super) struct UncheckedRow {
    pub property: String,
    /// What it is: `a formula with ~>`.
    pub what: &'static str,
    pub formula: String,
    /// The file and the line.
    pub place: String,
}

/// A condition, with its file and line.
#[derive(Debug, Serialize)]
pub(super) struct ConditionRow {
    pub formula: String,
    pub place: String,
}

/// A state of a counterexample, and the step that leads to it.
#[derive(Debug, Serialize)]
pub(super) struct StepRow {
    /// The action with its arguments; none for the initial state and for steps that have no name.
    pub action: Option<String>,
    /// The values of the variables, as TLA+.
    pub state: Map<String, serde_json::Value>,
    /// The variables that the step changed.
    pub changed: Vec<String>,
}

impl Report {
    /// The report of an exploration, with its duration and its limits, and whether liveness need not be checked.
    pub fn new(spec: &Spec, explored: explore::Report, time: Duration, limits: &LimitArgs, safety_only: bool) -> Self {
        let unchecked = unchecked(spec);
        let Counts { generated, distinct, queued, depth } = explored.counts;
        let (finding, trace) = match explored.verdict {
            Verdict::Ok if !unchecked.is_empty() && !safety_only => (Finding::NotAllChecked, Vec::new()),
            Verdict::Ok => (Finding::Ok, Vec::new()),
            Verdict::Stopped(Stop::MaxStates) => (Finding::MaxStates, Vec::new()),
            Verdict::Stopped(Stop::Exhausted(Exhausted::Interrupted)) => (Finding::Interrupted, Vec::new()),
            Verdict::Stopped(Stop::Exhausted(limit)) => (Finding::Unknown { why: limits.why(limit) }, Vec::new()),
            Verdict::FalseAssumption(name) => (Finding::FalseAssumption { assumption: name.to_string() }, Vec::new()),
            Verdict::Violated { invariant, trace } => (Finding::Violated { invariant: invariant.to_string() }, trace),
            Verdict::PropertyViolated { property, by, formula, trace } => {
                let property = property.to_string();
                let by = match by {
                    ViolatedBy::InitialState => "initial state",
                    ViolatedBy::State => "state",
                    ViolatedBy::Step => "step",
                };
                let (formula, place) = written(spec, formula);
                (Finding::PropertyViolated { property, by, formula, place }, trace)
            }
            Verdict::Deadlock(trace) => (Finding::Deadlock, trace),
            Verdict::Failed { error, trace } => (Finding::Failed { error: error.to_string() }, trace),
        };
        let conditions = if finding == Finding::Deadlock { spec.forgotten_primes() } else { Vec::new() };
        let conditions = conditions.into_iter().map(|condition| written(spec, condition));
        let forgotten_primes = conditions.map(|(formula, place)| ConditionRow { formula, place }).collect();
        let before = std::iter::once(None).chain(trace.iter().map(|step| Some(&step.state)));
        Self {
            module: spec.program().module.to_string(),
            finding,
            distinct,
            generated,
            queued,
            depth,
            seconds: time.as_secs_f64(),
            unchecked,
            forgotten_primes,
            trace: before.zip(&trace).map(|(before, step)| StepRow::new(spec, before, step)).collect(),
        }
    }

    /// The exit code: see the verb's help.
    pub fn exit_code(&self) -> u8 {
        match self.finding {
            Finding::Ok => 0,
            Finding::FalseAssumption { .. }
            | Finding::Violated { .. }
            | Finding::PropertyViolated { .. }
            | Finding::Deadlock => 1,
            Finding::NotAllChecked => NOT_ALL_CHECKED,
            Finding::Failed { .. } => 2,
            Finding::MaxStates | Finding::Unknown { .. } => LIMITED,
            Finding::Interrupted => INTERRUPTED,
        }
    }
}

/// What the specification's properties say that is not checked.
fn unchecked(spec: &Spec) -> Vec<UncheckedRow> {
    let parts = spec.program().properties.iter().flat_map(|property| {
        property.unchecked.iter().map(|part| {
            let (formula, place) = written(spec, part.span);
            UncheckedRow { property: property.name.to_string(), what: part.what, formula, place }
        })
    });
    parts.collect()
}

/// A formula as it is written, in one line, and its file and line.
fn written(spec: &Spec, formula: Span) -> (String, String) {
    let (path, place) = spec.sources().place(formula);
    let file = path.file_name().map(|file| file.to_string_lossy().into_owned()).unwrap_or_default();
    (spec.sources().one_line(formula), format!("{file}:{}", place.line))
}

impl StepRow {
    fn new(spec: &Spec, before: Option<&State>, step: &TraceStep) -> Self {
        let variables = || spec.program().variables.iter().map(|variable| variable.name.to_string());
        let values = step.state.values();
        let is_changed = |(at, _): &(usize, String)| before.is_some_and(|before| before.values()[*at] != values[*at]);
        Self {
            action: step.action.as_ref().map(|(id, args)| {
                let action = &spec.actions().actions[id.0];
                let argument = |(arg, param): (&Option<Value>, _)| match arg {
                    Some(value) => value.to_string(),
                    None => format!("?{param}"),
                };
                let args: Vec<_> = args.iter().zip(&action.params).map(argument).collect();
                if args.is_empty() { action.name.to_string() } else { format!("{}({})", action.name, args.join(", ")) }
            }),
            state: variables().zip(values).map(|(name, value)| (name, json!(value.to_string()))).collect(),
            changed: variables().enumerate().filter(is_changed).map(|(_, name)| name).collect(),
        }
    }
}
