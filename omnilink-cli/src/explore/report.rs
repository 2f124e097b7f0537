//! The result of an exploration, as numbers and TLA+.

use std::time::Duration;

use omnilink_budget::Exhausted;
use omnilink_tla::explore::{self, Counts, Stop, TraceStep, Verdict};
use omnilink_tla::{Spec, State, Value};
use serde::Serialize;
use serde_json::{Map, json};

use crate::interrupt::INTERRUPTED;
use crate::limits::{LIMITED, LimitArgs};

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
    /// The path to the last state, if it is a counterexample.
    pub(super) trace: Vec<StepRow>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub(super) enum Finding {
    Ok,
    MaxStates,
    Interrupted,
    Unknown { why: String },
    FalseAssumption { assumption: String },
    Violated { invariant: String },
    Deadlock,
    Failed { error: String },
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
    /// The report of an exploration, with its duration and its limits.
    pub fn new(spec: &Spec, explored: explore::Report, time: Duration, limits: &LimitArgs) -> Self {
        let Counts { generated, distinct, queued, depth } = explored.counts;
        let (finding, trace) = match explored.verdict {
            Verdict::Ok => (Finding::Ok, Vec::new()),
            Verdict::Stopped(Stop::MaxStates) => (Finding::MaxStates, Vec::new()),
            Verdict::Stopped(Stop::Exhausted(Exhausted::Interrupted)) => (Finding::Interrupted, Vec::new()),
            Verdict::Stopped(Stop::Exhausted(limit)) => (Finding::Unknown { why: limits.why(limit) }, Vec::new()),
            Verdict::FalseAssumption(name) => (Finding::FalseAssumption { assumption: name.to_string() }, Vec::new()),
            Verdict::Violated { invariant, trace } => (Finding::Violated { invariant: invariant.to_string() }, trace),
            Verdict::Deadlock(trace) => (Finding::Deadlock, trace),
            Verdict::Failed { error, trace } => (Finding::Failed { error: error.to_string() }, trace),
        };
        let before = std::iter::once(None).chain(trace.iter().map(|step| Some(&step.state)));
        Self {
            module: spec.program().module.to_string(),
            finding,
            distinct,
            generated,
            queued,
            depth,
            seconds: time.as_secs_f64(),
            trace: before.zip(&trace).map(|(before, step)| StepRow::new(spec, before, step)).collect(),
        }
    }

    /// The exit code: see the verb's help.
    pub fn exit_code(&self) -> u8 {
        match self.finding {
            Finding::Ok => 0,
            Finding::FalseAssumption { .. } | Finding::Violated { .. } | Finding::Deadlock => 1,
            Finding::Failed { .. } => 2,
            Finding::MaxStates | Finding::Unknown { .. } => LIMITED,
            Finding::Interrupted => INTERRUPTED,
        }
    }
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
