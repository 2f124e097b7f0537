//! The cause of a failed run.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use omnilink_check::report::model::{Call, DeadEnd, Next, Obstacle, Place, Reason};
use omnilink_check::report::{Report, Verdict};
use omnilink_record::cause;
use omnilink_record::directory::{Record, RunDirectory};
use omnilink_record::store::Failing;
use serde::Serialize;

/// The cause of a failed run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The program ended in a failure.
    Ending {
        /// The kind of ending: `crashed`, `deadlocked`, …
        kind: String,
        /// The details: see [`omnilink_record::cause`].
        text: String,
    },
    /// The trace is rejected.
    Rejected {
        /// The specification's name.
        spec: String,
        /// The false formula; none if the engine gives no reasons.
        failing: Option<Failing>,
    },
    /// An invariant is violated.
    Violated {
        /// The specification's name.
        spec: String,
        /// The invariant.
        invariant: String,
    },
}

impl Cause {
    /// The failure of the program, if it failed.
    pub fn of_ending(record: &Record, directory: &RunDirectory) -> Option<Self> {
        let ending = &record.observed.ending;
        let kind = ending.kind().to_owned();
        ending.is_failure().then(|| Self::Ending { kind, text: cause::of_run(record, directory) })
    }

    /// The cause according to the report of the check, if the run is rejected or violates an invariant.
    pub fn of_report(report: &Report) -> Option<Self> {
        let spec = report.spec.clone();
        match (&report.verdict, &report.violation) {
            (Verdict::Rejected, _) => Some(Self::Rejected { spec, failing: failing(report) }),
            (_, Some(violation)) => Some(Self::Violated { spec, invariant: violation.invariant.clone() }),
            _ => None,
        }
    }

    /// A crash according to the trace, if no recorder observed the end of the program.
    pub fn of_crashes(report: &Report) -> Option<Self> {
        let (kind, text) = ("crashed".to_owned(), report.crashes.join("; "));
        (!report.crashes.is_empty()).then_some(Self::Ending { kind, text })
    }

    /// The action that could not happen, if that is the cause.
    pub fn action(&self) -> Option<&str> {
        match self {
            Self::Rejected { failing: Some(failing), .. } => Some(&failing.action),
            _ => None,
        }
    }

    /// The false formula's file name, line and column, if it has them.
    pub fn place(&self) -> Option<(String, u32, u32)> {
        match self {
            Self::Rejected { failing: Some(failing), .. } => failing.place.clone(),
            _ => None,
        }
    }

    /// The specification that the run violates, if it does.
    pub fn spec(&self) -> Option<&str> {
        match self {
            Self::Ending { .. } => None,
            Self::Rejected { spec, .. } | Self::Violated { spec, .. } => Some(spec),
        }
    }
}

/// The cause in one line.
impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ending { kind, text } => write!(f, "{kind}: {text}"),
            Self::Rejected { spec, failing: None } => write!(f, "rejected by {spec}; the engine gives no reason"),
            Self::Rejected { spec, failing: Some(failing) } if failing.conjunct.is_empty() => {
                write!(f, "{} is not possible in {spec}", failing.action)
            }
            Self::Rejected { spec, failing: Some(failing) } => {
                write!(f, "{} of {spec}: {} is FALSE", failing.action, failing.conjunct)
            }
            Self::Violated { spec, invariant } => write!(f, "the invariant {invariant} of {spec} is violated"),
        }
    }
}

/// A cause, with the evidence of a smaller reason on the bug.
#[derive(Debug, Clone)]
pub struct Way {
    /// The cause.
    pub cause: Cause,
    /// The actions of the smaller reason; empty if there is none.
    pub needed: BTreeSet<String>,
    /// The origin of the values of the impossible call; `None` if there is no smaller reason, or the call has no values.
    pub origin: Option<Origin>,
}

/// The origin of the values of a call.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Origin {
    /// No earlier call has any of them.
    Nowhere,
    /// A call of this action shares the most values with it; the number.
    Call(String, u64),
}

impl Way {
    /// A cause without further evidence.
    pub fn of(cause: Cause) -> Self {
        Self { cause, needed: BTreeSet::new(), origin: None }
    }

    /// A cause with the evidence of the check that found it.
    pub fn explained(cause: Cause, report: Option<&Report>) -> Self {
        let core = report.and_then(|report| report.core.as_ref());
        let needed = core.map(|core| core.needed.iter().map(action_of).collect()).unwrap_or_default();
        let blocked = core.and_then(|core| core.blocked.as_ref());
        let origin =
            blocked.filter(|blocked| blocked.call.args.values().any(|arg| !arg.is_null())).map(
                |blocked| match &blocked.predecessor {
                    Some(before) => Origin::Call(action_of(&before.call), before.shared),
                    None => Origin::Nowhere,
                },
            );
        Self { cause, needed, origin }
    }
}

/// The false formula: of the last call of the smaller reason, if there is one. Otherwise, of the call with the earliest end
/// among those that could have come next, because that call had to come next.
pub fn failing(report: &Report) -> Option<Failing> {
    if let Some(violation) = &report.violation {
        let (action, conjunct) = (violation.invariant.clone(), violation.invariant.clone());
        return Some(Failing { action, conjunct, place: None });
    }
    if let Some(blocked) = report.core.as_ref().and_then(|core| core.blocked.as_ref()) {
        return Some(failing_call(&blocked.call, blocked.reasons.first()));
    }
    let DeadEnd { lanes, .. } = &report.stuck.as_ref()?.groups.first()?.example;
    let blocked = lanes.iter().filter_map(|lane| lane.next.as_ref()).filter_map(|next| match next {
        Next { call, obstacle: Obstacle::Blocked(reasons) } => Some((call, reasons.first())),
        _ => None,
    });
    let (call, reason) = blocked.min_by_key(|(call, _)| (call.end.is_none(), call.end))?;
    Some(failing_call(call, reason))
}

fn failing_call(call: &Call, reason: Option<&Reason>) -> Failing {
    let action = action_of(call);
    let Some(reason) = reason else { return Failing { action, conjunct: String::new(), place: None } };
    let (conjunct, place) = match &reason.within {
        Some(within) => (within.formula.clone(), Some(&within.place)),
        None => (formula(&reason.says).to_owned(), reason.place.as_ref()),
    };
    Failing { action, conjunct, place: place.map(place_in_file) }
}

fn action_of(call: &Call) -> String {
    call.action.clone().unwrap_or_else(|| call.call.clone())
}

/// The formula of a reason: `` `elem = Head(queue)` is FALSE ``.
fn formula(says: &str) -> &str {
    says.strip_prefix('`').and_then(|rest| rest.split_once('`')).map_or(says, |(formula, _)| formula)
}

/// A position by the file's name: its directory differs between machines.
fn place_in_file(place: &Place) -> (String, u32, u32) {
    let name = Path::new(&place.file).file_name().map(|name| name.to_string_lossy().into_owned());
    (name.unwrap_or_else(|| place.file.clone()), place.line, place.column)
}
