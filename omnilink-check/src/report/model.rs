//! What a report consists of.

use std::collections::BTreeMap;
use std::fmt;

use omnilink_tla::Reading;
use serde::{Deserialize, Serialize};
use serde_json::Map;

use super::consistency::Consistency;
use super::note::Notes;
use super::partition::Partition;
use crate::boxes::Boxes;
use crate::coverage::Coverage;

/// Variables and their values as TLA+, in the order the variables are declared.
pub type Values = Map<String, serde_json::Value>;

/// What checking one trace has shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The trace, as it was named.
    pub trace: String,
    /// The specification's module; empty if it could not be loaded.
    pub spec: String,
    /// The answer.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Signals that killed the program or its threads. Whatever the verdict, such a run has failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crashes: Vec<String>,
    /// An invariant that the order found violates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violation: Option<Violation>,
    /// A smaller reason for a rejection, if one was asked for and found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub core: Option<Core>,
    /// What it took.
    pub statistics: Statistics,
    /// The independent parts that were checked one by one, if they gave the verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<Partition>,
    /// What the reader of the verdict should know.
    #[serde(flatten)]
    pub notes: Notes,
    /// How far the search got, if it found no order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stuck: Option<Stuck>,
    /// What came from outside of the specification's files: a verdict is as good as these are still so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Reading>,
    /// What was measured, if asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measures: Option<Measures>,
    /// The criteria, if others than linearizability were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consistency: Option<Consistency>,
}

/// What is measured of a trace besides its verdict, for those who look at many.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measures {
    /// Its timeboxes.
    pub boxes: Boxes,
    /// What it has exercised of the specification.
    pub coverage: Coverage,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Some order of the events is a behaviour of the specification.
    Accepted,
    /// None is.
    Rejected,
    /// It could not be found out: something is wrong with the trace or the specification.
    Error {
        /// What is wrong, with its place.
        message: String,
        /// What to do about it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hint: Option<String>,
    },
    /// The search was stopped, or the answer depends on what was inferred.
    Unknown {
        /// Why.
        why: String,
        /// What to try.
        advice: Vec<String>,
    },
}

/// The result of checking a trace, from best to worst: the result of several traces is the worst of theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Accepted, and nothing else is wrong.
    Accepted,
    /// Unknown.
    Unknown,
    /// An error.
    Error,
    /// Rejected; or the program crashed, or an invariant is violated.
    Rejected,
}

impl Status {
    /// The exit code that says it.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Accepted => 0,
            Self::Rejected => 1,
            Self::Error => 2,
            Self::Unknown => 3,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Accepted => "accepted",
            Self::Unknown => "unknown",
            Self::Error => "in error",
            Self::Rejected => "failed",
        })
    }
}

impl Report {
    /// Whether all that the verdict depends on besides the trace and the specification's files is still as it was.
    pub fn still_holds(&self) -> bool {
        self.reads.iter().all(Reading::is_still_so)
    }

    /// The result of the check.
    pub fn status(&self) -> Status {
        match self.verdict {
            _ if !self.crashes.is_empty() || self.violation.is_some() => Status::Rejected,
            Verdict::Accepted => Status::Accepted,
            Verdict::Rejected => Status::Rejected,
            Verdict::Error { .. } => Status::Error,
            Verdict::Unknown { .. } => Status::Unknown,
        }
    }
}

/// What a check took.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// Lanes that have events.
    pub lanes: u64,
    /// Events that the search looked at.
    pub events: u64,
    /// Configurations visited.
    pub configurations: u64,
    /// Seconds, reading included.
    pub seconds: f64,
    /// How many of the events are each action; those that may be one of several count for none.
    #[serde(default)]
    pub actions: BTreeMap<String, u64>,
}

/// An invariant that is false in a state of the order found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Violation {
    /// Its name.
    pub invariant: String,
    /// After how many steps of the order.
    pub step: u64,
    /// The event after which it is false; none for the initial state.
    pub after: Option<Call>,
    /// The state.
    pub state: Values,
}

/// Events that cannot be ordered, whatever state comes before them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Core {
    /// How many events of the trace come before them; at least so many, if there are events that only read.
    pub placed: u64,
    /// If there are: how many of those before them can change the state, which is the same number in every order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changing: Option<u64>,
    /// The states that these, the first of any order, can lead to, or some of them.
    pub states: Vec<Values>,
    /// How many further states there are.
    pub more_states: u64,
    /// The events that cannot all have happened.
    pub needed: Vec<Call>,
    /// Further events at that time, which may have happened or not.
    pub others: Vec<Call>,
    /// Each of the needed events is: if it may not have happened, there is an order.
    #[serde(default)]
    pub minimal: bool,
    /// Why the last of the needed events cannot happen, in one of the furthest orders of these events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocked: Option<Blocked>,
    /// `ns` or `ticks`.
    pub time_unit: String,
}

/// An event that cannot happen in a state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Blocked {
    /// The event.
    #[serde(flatten)]
    pub call: Call,
    /// The state.
    pub state: Values,
    /// The formulas that keep it from happening.
    pub reasons: Vec<Reason>,
    /// Which other call had its values before, if one had: of those that can change the state and began before it ended the
    /// one that shares the most values with it, of these the one that began last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predecessor: Option<Predecessor>,
}

/// A call that shares values with a later one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Predecessor {
    /// The call.
    #[serde(flatten)]
    pub call: Call,
    /// How many of its arguments are arguments of the other call, too.
    pub shared: u64,
}

/// A call as it was recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The lane.
    pub lane: u32,
    /// The lane's name, which may be empty.
    pub thread: String,
    /// The event's number in its lane, from 0.
    pub index: u64,
    /// The call as the specification writes it: `Dequeue(3)`.
    pub call: String,
    /// The action; none if it is not known which it was.
    pub action: Option<String>,
    /// Its arguments as TLA+; null for one that was not recorded.
    pub args: Values,
    /// When it began, in the report's unit of time from the trace's first event.
    pub start: u64,
    /// When it had ended; none if it never did.
    pub end: Option<u64>,
    /// It may have taken effect or not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
}

/// How far every interpretation of a trace got.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stuck {
    /// The most events that an order could place.
    pub placed: u64,
    /// Not all orders were followed to their end: others may place as many events or more.
    #[serde(default)]
    pub followed_only: bool,
    /// Of how many.
    pub events: u64,
    /// `ns` or `ticks`.
    pub time_unit: String,
    /// How many distinct configurations got that far.
    pub configurations: u64,
    /// How many of them were looked at to group them by how they fail.
    pub examined: u64,
    /// Those that fail alike, the largest group first.
    pub groups: Vec<Group>,
    /// How many further groups there are.
    pub more_groups: u64,
}

/// Configurations that fail alike.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// How many.
    pub count: u64,
    /// One of them.
    pub example: DeadEnd,
}

/// A configuration from which no event could be placed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeadEnd {
    /// Per lane: how many events are placed, and what would come next.
    pub lanes: Vec<LaneAt>,
    /// The state before the path; empty if it is not known.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub before: Values,
    /// The last steps of the order that leads here, the last of them last.
    pub path: Vec<Step>,
    /// The state.
    pub state: Values,
    /// The variables that the last steps changed.
    pub changed: Vec<String>,
    /// When the first of the calls that are not placed had ended: by then one of those below must have happened.
    pub deadline: Option<u64>,
}

/// Where a lane stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LaneAt {
    /// The lane.
    pub lane: u32,
    /// Its name, which may be empty.
    pub thread: String,
    /// How many of its events are placed.
    pub placed: u64,
    /// How many it has.
    pub events: u64,
    /// Its next event; none if all are placed.
    pub next: Option<Next>,
    /// Calls before that one, and after those that are placed, which can only have read and need not have happened: whether they
    /// did makes no difference.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<Call>,
}

/// The next event of a lane.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Next {
    /// The call.
    #[serde(flatten)]
    pub call: Call,
    /// Why it cannot be placed.
    #[serde(flatten)]
    pub obstacle: Obstacle,
}

/// Why an event cannot be placed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Obstacle {
    /// Its timebox allows it to come next, the specification does not.
    Blocked(Vec<Reason>),
    /// It began after this one had ended, which is not placed.
    WaitsFor(Box<Call>),
    /// It can happen; the search was stopped before it was tried.
    Untried {},
}

/// A formula that keeps an event from happening.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    /// What is so, in words: `` `elem = Head(queue)` is FALSE ``.
    pub says: String,
    /// The values that decide it.
    pub values: Vec<Valued>,
    /// What was chosen on the way to it, such as an element for a quantifier.
    pub given: Vec<Valued>,
    /// Where the formula is.
    pub place: Option<Place>,
    /// The conjunct of the action that it is part of, if it is not that itself.
    pub within: Option<Within>,
}

/// An expression and its value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Valued {
    /// The expression, as in the specification.
    pub expression: String,
    /// Its value as TLA+, cut if it is long.
    pub value: String,
}

/// A place in the specification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A conjunct of an action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Within {
    /// Its text.
    pub formula: String,
    /// Where it is.
    pub place: Place,
}

/// A step of an order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The event.
    #[serde(flatten)]
    pub call: Call,
    /// What became of it.
    pub became: Became,
    /// The variables that it changed, with their new values; all of them for the first step of a path.
    pub changes: Values,
}

/// A step of a witness.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WitnessStep {
    /// The event.
    #[serde(flatten)]
    pub call: Call,
    /// What became of it.
    pub became: Became,
    /// The state after it.
    pub state: Values,
}

/// What became of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Became {
    /// It happened.
    Happened,
    /// One of its inner steps happened.
    InnerStep,
    /// It took no effect.
    Nothing,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call() -> Call {
        Call {
            lane: 1,
            thread: String::new(),
            index: 3,
            call: "Get(?key)".into(),
            action: Some("Get".into()),
            args: [("key".to_owned(), serde_json::Value::Null)].into_iter().collect(),
            start: 5,
            end: None,
            optional: true,
        }
    }

    #[test]
    fn every_obstacle_is_read_as_it_was_written() {
        let reason = Reason {
            says: "`x` is FALSE".into(),
            values: vec![Valued { expression: "x".into(), value: "FALSE".into() }],
            given: Vec::new(),
            place: Some(Place { file: "A.tla".into(), line: 1, column: 2 }),
            within: None,
        };
        for obstacle in [Obstacle::Blocked(vec![reason]), Obstacle::WaitsFor(Box::new(call())), Obstacle::Untried {}] {
            let next = Next { call: call(), obstacle };
            let text = serde_json::to_string(&next).unwrap();
            assert_eq!(serde_json::from_str::<Next>(&text).unwrap(), next, "{text}");
        }
    }

    #[test]
    fn the_worst_of_several_counts() {
        let report = |verdict, crashes: &[&str]| Report {
            trace: String::new(),
            spec: String::new(),
            verdict,
            crashes: crashes.iter().map(ToString::to_string).collect(),
            violation: None,
            core: None,
            statistics: Statistics::default(),
            partition: None,
            notes: Notes::default(),
            stuck: None,
            reads: Vec::new(),
            measures: None,
            consistency: None,
        };
        let unknown = || Verdict::Unknown { why: String::new(), advice: Vec::new() };
        let cases = [
            (report(Verdict::Accepted, &[]), 0),
            (report(unknown(), &[]), 3),
            (report(Verdict::Error { message: String::new(), hint: None }, &[]), 2),
            (report(Verdict::Rejected, &[]), 1),
        ];
        let statuses: Vec<_> = cases.iter().map(|(report, _)| report.status()).collect();
        assert!(statuses.is_sorted());
        for (report, code) in &cases {
            assert_eq!(report.status().exit_code(), *code);
        }
        assert_eq!(report(Verdict::Accepted, &["signal 11"]).status(), Status::Rejected);
        assert_eq!(report(unknown(), &["signal 11"]).status(), Status::Rejected);
    }
}
