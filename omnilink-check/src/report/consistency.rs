//! What is told about criteria other than linearizability.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::advice::why;
use super::calls::{self, Calls};
use super::model::{Call, Report, Values, Verdict};
use super::note::{Kind, Note};
use crate::consistency::{self, Answer, CheckedTrace, Criteria, Subject, Witness};
use crate::search::{Progress, Stopped};
use crate::timeline::EventRef;

/// The criteria, and what was found.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Consistency {
    /// What was asked for: `linearizable, Size: weak`, or `strongest`.
    pub criterion: String,
    /// The linearization, if the criteria are satisfied and not decided by one order of the calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub linearization: Vec<Seeing>,
    /// Why the criteria are not satisfied: the linearizations that got furthest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unexplained: Option<Unexplained>,
    /// The strongest criteria that are satisfied, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strongest: Option<Strongest>,
}

/// A call of a linearization.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seeing {
    /// The call.
    #[serde(flatten)]
    pub call: Call,
    /// The calls before it that it does not see, as places in the linearization from 0; none if its criterion makes it see all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub misses: Option<Vec<usize>>,
}

/// Linearizations that cannot go on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Unexplained {
    /// How many calls they have.
    pub placed: u64,
    /// Of how many.
    pub events: u64,
    /// `ns` or `ticks`.
    pub time_unit: String,
    /// Some of them.
    pub examples: Vec<Example>,
    /// No linearization explains the call of the first example, whatever the other calls returned. Then not all linearizations were
    /// tried, and others may have more calls.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hopeless: bool,
}

/// A linearization that cannot go on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Example {
    /// The call whose result nothing explains.
    #[serde(flatten)]
    pub call: Call,
    /// Its criterion makes it see all calls before it.
    pub sees_all: bool,
    /// It is not possible after all calls before it, whatever its result, and calls to come have to see all of them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub impossible: bool,
    /// The calls before it, in the order of the linearization: the last of them.
    pub before: Vec<Call>,
    /// How many calls come before these.
    pub earlier: u64,
    /// Sets of calls that it may see, the largest first.
    pub contexts: Vec<Context>,
    /// What the call could have been instead, by the sets that were looked at.
    pub possible: Vec<String>,
    /// How many sets that is.
    pub sets: u64,
    /// There are more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more_sets: bool,
}

/// Calls that another one may see.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Context {
    /// The calls before it that it does not see, in the order of the linearization.
    pub misses: Vec<Call>,
    /// How many it sees.
    pub sees: u64,
    /// A state after those that it sees; empty if they are not possible one after the other.
    #[serde(default, skip_serializing_if = "Values::is_empty")]
    pub state: Values,
    /// What the call could be there.
    pub possible: Vec<String>,
}

/// The strongest criteria that are satisfied.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Strongest {
    /// By all calls.
    pub general: Vec<String>,
    /// By the calls of one operation, while all others are linearizable.
    pub by_operation: Vec<OperationCriteria>,
    /// Criteria of which it is not known, because a limit was reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
}

/// The strongest criteria of one operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OperationCriteria {
    /// The operation.
    pub operation: String,
    /// The criteria.
    pub criteria: Vec<String>,
}

/// How many of the calls before an unexplained one are shown.
const SHOWN: usize = 12;

impl super::Maker<'_> {
    /// The report of an answer. `time` is what all of it took.
    pub fn consistency_report(
        &self,
        subject: &Subject<'_>,
        criteria: &Criteria,
        checked: &CheckedTrace,
        time: Duration,
    ) -> Report {
        let verdict = match &checked.answer {
            Answer::Satisfied(_) => Verdict::Accepted,
            Answer::Violated(_) => Verdict::Rejected,
            Answer::Failed { error, event } => {
                let call = Calls::new(self.spec, self.trace, &subject.history).call(*event);
                let place = format!("{}: event {} of lane {}", self.trace.path().display(), call.index, call.lane);
                let hint = "it may be replayed among calls that another one sees, with any result; mend the specification, then \
                            check again";
                Verdict::Error {
                    message: format!("{place}: {} cannot be evaluated where it is needed:\n{error}", call.call),
                    hint: Some(hint.to_owned()),
                }
            }
            Answer::Unknown(stopped @ (Stopped::Inferred | Stopped::Nameless | Stopped::InnerSteps)) => {
                self.unknown(*stopped, &self.calls())
            }
            Answer::Unknown(stopped) => {
                let advice =
                    "raise the limit, record shorter runs, or weaken single actions: `linearizable, Size: weak`";
                Verdict::Unknown { why: why(*stopped, self.limits, &[], None), advice: vec![advice.to_owned()] }
            }
            Answer::Dependent { why, advice } => Verdict::Unknown { why: why.clone(), advice: advice.clone() },
        };
        let mut report = self.with_verdict(verdict, checked.progress, time);
        let contradictions = subject.contradictions().iter();
        report.notes.extend(contradictions.map(|text| Note::new(Kind::OtherSignatures, text)));
        report.consistency = Some(self.consistency(subject, criteria, &checked.answer));
        report
    }

    /// The report of the strongest criteria that are satisfied.
    pub fn strongest_report(&self, subject: &Subject<'_>, found: consistency::Strongest, time: Duration) -> Report {
        let verdict = match (found.general.is_empty(), found.unknown.is_empty()) {
            (false, _) => Verdict::Accepted,
            (true, true) => Verdict::Rejected,
            (true, false) => Verdict::Unknown {
                why: format!("no criterion was found to be satisfied, and {} were not decided", found.unknown.len()),
                advice: vec!["raise the limits, record shorter runs, or give inferred constants by --const".to_owned()],
            },
        };
        let progress = Progress { configurations: found.configurations, ..Progress::default() };
        let mut report = self.with_verdict(verdict, progress, time);
        let contradictions = subject.contradictions().iter();
        report.notes.extend(contradictions.map(|text| Note::new(Kind::OtherSignatures, text)));
        if !found.unknown.is_empty() {
            let text = format!(
                "it was not found out whether these criteria are satisfied, within the limits or for the inferred constants: {}",
                found.unknown.join("; ")
            );
            report.notes.add(Note::new(Kind::UnknownCriteria, text));
        }
        let criterion = "strongest".to_owned();
        report.consistency = Some(Consistency { criterion, strongest: Some(found.into()), ..Consistency::default() });
        report
    }

    /// What is told about an answer.
    fn consistency(&self, subject: &Subject<'_>, criteria: &Criteria, answer: &Answer) -> Consistency {
        let teller = Teller { calls: Calls::new(self.spec, self.trace, &subject.history), places: subject.places() };
        let (linearization, unexplained) = match answer {
            Answer::Satisfied(witness) => (teller.linearization(witness), None),
            Answer::Violated(rejection) => {
                let examples = rejection.stuck.iter().map(|stuck| teller.example(self.spec, stuck));
                let unexplained = Unexplained {
                    placed: rejection.placed as u64,
                    events: teller.places.len() as u64,
                    time_unit: self.trace.time_unit().word().to_owned(),
                    examples: examples.collect(),
                    hopeless: rejection.hopeless,
                };
                (Vec::new(), Some(unexplained))
            }
            Answer::Failed { .. } | Answer::Unknown(_) | Answer::Dependent { .. } => (Vec::new(), None),
        };
        Consistency { criterion: criteria.to_string(), linearization, unexplained, strongest: None }
    }
}

struct Teller<'a> {
    calls: Calls<'a>,
    places: Vec<EventRef>,
}

impl Teller<'_> {
    fn call(&self, number: usize) -> Call {
        self.calls.call(self.places[number])
    }

    fn linearization(&self, witness: &Witness) -> Vec<Seeing> {
        let seeing = |(place, seeing): (usize, &consistency::Seeing)| {
            let misses = seeing.sees.as_ref().map(|sees| {
                let is_missed = |before: &usize| !sees.contains(&witness.order[*before].call);
                (0..place).filter(is_missed).collect()
            });
            Seeing { call: self.call(seeing.call), misses }
        };
        witness.order.iter().enumerate().map(seeing).collect()
    }

    fn example(&self, spec: &omnilink_tla::Spec, stuck: &consistency::Stuck) -> Example {
        let from = stuck.order.len().saturating_sub(SHOWN);
        let context = |context: &consistency::Context| {
            let missed = stuck.order.iter().filter(|call| !context.sees.contains(call));
            Context {
                misses: missed.map(|call| self.call(*call)).collect(),
                sees: context.sees.len() as u64,
                state: context.state.as_ref().map(|state| calls::values(spec, state, None)).unwrap_or_default(),
                possible: context.possible.clone(),
            }
        };
        Example {
            call: self.call(stuck.call),
            sees_all: stuck.sees_all,
            impossible: stuck.impossible,
            before: stuck.order[from..].iter().map(|call| self.call(*call)).collect(),
            earlier: from as u64,
            contexts: stuck.contexts.iter().map(context).collect(),
            possible: stuck.possible.clone(),
            sets: stuck.sets as u64,
            more_sets: stuck.more_sets,
        }
    }
}

impl From<consistency::Strongest> for Strongest {
    fn from(found: consistency::Strongest) -> Self {
        let by_operation = found.by_operation.into_iter();
        Self {
            general: found.general,
            by_operation: by_operation.map(|(operation, criteria)| OperationCriteria { operation, criteria }).collect(),
            unknown: found.unknown,
        }
    }
}
