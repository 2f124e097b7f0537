//! Traces against a specification.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use omnilink_budget::catch;
use omnilink_tla::spec::ActionId;
use omnilink_tla::{Spec, State, TlaError, Value};
use omnilink_trace::Trace;

use super::calls::{self, Calls};
use super::criterion::{Criteria, Criterion};
use super::explain::{Explainer, Rejection};
use super::search::{Found, Manner, Search};
use super::signatures::{Operations, Signatures};
use super::spec_object::SpecObject;
use super::strongest::{Decided, Strongest, strongest};
use super::verdict::{Seeing, Witness, witness};
use crate::check::{self, initial_states};
use crate::constants::Inferred;
use crate::dependence::{self, Dependence, NamelessPart};
use crate::error::CheckError;
use crate::history::{Act, Choice, History};
use crate::prepare::Prepared;
use crate::rules::Rules;
use crate::search::{Became, Control, Limits, Progress, Stopped};
use crate::timeline::EventRef;

/// What criteria are asked about: a trace that was made ready for a specification.
pub struct Question<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// Constants that were inferred for it.
    pub inferred: &'a [Inferred],
    /// The trace.
    pub trace: &'a Trace,
    /// The trace made ready.
    pub prepared: &'a Prepared,
    /// Users' rules for events, which are refused here.
    pub rules: &'a Rules,
    /// What is a result, and what is an operation.
    pub signatures: &'a Signatures,
    /// How to search.
    pub manner: Manner,
}

/// The calls of a trace as operations of a specification.
pub struct Subject<'a> {
    question: Question<'a>,
    /// All events, also those that only read and may not have happened.
    pub(crate) history: History,
    pub(super) operations: Operations,
    /// By event, in the order of [`crate::timeline::Timeline::events`].
    pub(super) recorded: Vec<RecordedCall>,
    pub(super) inits: Vec<State>,
}

/// An action with arguments.
pub(super) type Outcome = (ActionId, Vec<Option<Value>>);

/// An event of the trace as a call of an operation.
pub(super) struct RecordedCall {
    pub place: EventRef,
    pub operation: usize,
    /// What it may have been.
    pub own: Vec<Outcome>,
}

/// What came of a check.
#[derive(Debug)]
pub struct CheckedTrace {
    /// The answer.
    pub answer: Answer,
    /// What it took.
    pub progress: Progress,
}

/// Whether a trace satisfies criteria.
#[derive(Debug)]
pub enum Answer {
    /// It does. Calls are places in [`Subject::places`].
    Satisfied(Witness),
    /// It does not.
    Violated(Rejection),
    /// It does not, as far as calls could be evaluated.
    Failed {
        /// What could not be evaluated.
        error: Box<TlaError>,
        /// For which event.
        event: EventRef,
    },
    /// The search was stopped.
    Unknown(Stopped),
    /// It does not, but that may depend on what was inferred, or on a part of the next-state relation without a name.
    Dependent {
        /// On what.
        why: String,
        /// What to do.
        advice: Vec<String>,
    },
}

/// Linearizability is tried first, as far as this many configurations: a trace that is linearizable satisfies all criteria.
const SHORTCUT: u64 = 20_000;

impl<'a> Subject<'a> {
    /// Makes a trace ready to be asked about.
    ///
    /// # Errors
    /// If it has something that only linearizability is defined for, or if what was given does not fit.
    pub fn new(question: Question<'a>) -> Result<Self, CheckError> {
        let Question { spec, trace, prepared, rules, signatures, .. } = question;
        if rules.on_abort.is_some() || rules.on_terminate.is_some() || !rules.also.is_empty() {
            return Err(CheckError::Rule(
                "consistency criteria are not defined for rules for events (ON, ALSO): a rule is about one event where it \
                 happened, and here calls are replayed elsewhere; check linearizability with them, or leave the rules out"
                    .to_owned(),
            ));
        }
        let operations = Operations::new(spec, trace, signatures)?;
        let history = prepared.history.merged(&prepared.unseen);
        let mut recorded = Vec::with_capacity(history.timeline.len());
        for (place, event) in history.timeline.events() {
            let choices = history.choices(event);
            let own = choices.iter().map(|choice| outcome(spec, &history, choice)).collect::<Result<Vec<_>, _>>()?;
            let of: BTreeSet<usize> = own.iter().map(|(action, _)| operations.of(*action)).collect();
            if of.len() != 1 {
                return Err(CheckError::Rule(several(&history, place, &operations, &of)));
            }
            recorded.extend(of.first().map(|&operation| RecordedCall { place, operation, own }));
        }
        let inits = initial_states(spec)?;
        Ok(Self { question, history, operations, recorded, inits })
    }

    /// The events that calls of a [`Witness`] are.
    pub fn places(&self) -> Vec<EventRef> {
        self.recorded.iter().map(|call| call.place).collect()
    }

    /// The names of the operations that calls of the trace are of.
    pub fn operations(&self) -> Vec<&str> {
        let used: BTreeSet<usize> = self.recorded.iter().map(|call| call.operation).collect();
        used.into_iter().map(|operation| self.operations.all[operation].name.as_str()).collect()
    }

    /// Where options contradict the trace.
    pub fn contradictions(&self) -> &[String] {
        &self.operations.contradictions
    }

    pub(super) fn spec(&self) -> &'a Spec {
        self.question.spec
    }

    /// Whether the trace satisfies criteria.
    ///
    /// # Errors
    /// If the criteria do not fit the specification, or if what is a result is not known and has to be.
    pub fn check(&self, criteria: &Criteria, control: &mut Control<'_>) -> Result<CheckedTrace, CheckError> {
        criteria.validate().map_err(|error| CheckError::Rule(error.to_string()))?;
        self.all_are_known(criteria)?;
        if !criteria.are_strong() {
            let used = self.recorded.iter().map(|call| call.operation).collect();
            self.operations.validate(self.question.spec, &used)?;
        }
        let mut progress = Progress::default();
        let answer = catch(|| self.answer(criteria, control, &mut progress));
        let answer = answer.unwrap_or_else(|exhausted| Ok(Answer::Unknown(exhausted.into())))?;
        Ok(CheckedTrace { answer, progress })
    }

    /// The strongest criteria that the trace satisfies. Each may take a quarter of the time that is left.
    ///
    /// # Errors
    /// Those of [`Subject::check`], and if something could not be evaluated.
    pub fn strongest(&self, control: &mut Control<'_>) -> Result<Strongest, CheckError> {
        let operations = self.operations();
        let mut configurations = 0;
        let mut found = strongest(&operations, |criteria| {
            let limits = Limits { timeout: share(control), ..control.limits.clone() };
            let mut limited = Control {
                interrupt: control.interrupt,
                progress: &mut *control.progress,
                limits,
                began: control.began,
            };
            let checked = self.check(criteria, &mut limited)?;
            configurations += checked.progress.configurations;
            match checked.answer {
                Answer::Satisfied(_) => Ok(Decided::Yes),
                Answer::Violated(_) => Ok(Decided::No),
                Answer::Unknown(_) | Answer::Dependent { .. } => Ok(Decided::Unknown),
                Answer::Failed { error, .. } => Err(CheckError::from(error)),
            }
        })?;
        found.configurations = configurations;
        Ok(found)
    }

    fn answer(
        &self,
        criteria: &Criteria,
        control: &mut Control<'_>,
        progress: &mut Progress,
    ) -> Result<Answer, CheckError> {
        if criteria.are_strong() && criteria.are_real_time() {
            return self.one_order(true, control, progress);
        }
        // A linearizable history satisfies every criterion, and the timeboxes leave far fewer orders than the lanes alone.
        if let Some(witness) = self.if_linearizable(control)? {
            *progress = Progress { placed: witness.order.len() as u64, ..Progress::default() };
            return Ok(Answer::Satisfied(witness));
        }
        if criteria.are_strong() && !criteria.all().any(Criterion::is_real_time) {
            return self.one_order(false, control, progress);
        }
        let object = SpecObject::new(self, !criteria.are_strong());
        let names: Vec<&str> =
            self.recorded.iter().map(|call| self.operations.all[call.operation].name.as_str()).collect();
        let (criteria, places) = calls::places(criteria, &names);
        let calls = object.calls(&places);
        let calls = Calls::new(calls, &criteria);
        let mut search = Search::new(&calls, &object, self.question.manner, control);
        // A limit may stop it inside of an expression; how far it got is told all the same.
        let found = catch(|| search.run()).unwrap_or_else(|exhausted| Found::Stopped(exhausted.into()));
        *progress = search.progress;
        Ok(match (found, search.contexts.failure.take()) {
            (Found::Linearization(order), _) => Answer::Satisfied(witness(&order, |call| object.numbers[call])),
            (Found::Stopped(stopped), _) => Answer::Unknown(stopped),
            (Found::Nothing, Some((call, failure))) => Answer::Failed {
                error: self.question.spec.failed(failure),
                event: self.recorded[object.numbers[call]].place,
            },
            (Found::Nothing, None) => match self.may_depend(&object) {
                Some(dependent) => dependent,
                None => Answer::Violated(Explainer { object: &object, calls: &calls, search: &mut search }.rejection()),
            },
        })
    }

    /// The search for an order decides if all calls see all calls before them, and either all are in real time or none is.
    fn one_order(&self, timed: bool, control: &mut Control<'_>, progress: &mut Progress) -> Result<Answer, CheckError> {
        let Question { spec, prepared, inferred, .. } = self.question;
        let copy = |history: &History| history.merged(&History::default());
        let mut prepared = Prepared { history: copy(&prepared.history), ..Prepared::default() };
        if !timed {
            prepared = prepared.without_time();
        }
        let checked = check::check(spec, &prepared, &check::Options::default(), control)?;
        let checked = checked.depending_on(inferred, spec, &prepared.history, false);
        *progress = checked.progress;
        Ok(match checked.verdict {
            check::Verdict::Accepted(order) => match self.witness(&order, &prepared) {
                Some(witness) => Answer::Satisfied(witness),
                None => Answer::Unknown(Stopped::Interrupted),
            },
            check::Verdict::Rejected(deepest) => {
                Answer::Violated(Rejection { placed: deepest.placed as usize, stuck: Vec::new(), hopeless: false })
            }
            check::Verdict::Failed { error, event, .. } => {
                let lane = &prepared.history.timeline.lanes[event.lane as usize];
                let event = (lane.id, lane.events[event.at as usize].index);
                Answer::Failed { error, event: self.recorded[self.number()[&event]].place }
            }
            check::Verdict::Unknown { stopped, .. } => Answer::Unknown(stopped),
        })
    }

    /// A witness, if the trace is found to be linearizable soon.
    fn if_linearizable(&self, control: &mut Control<'_>) -> Result<Option<Witness>, CheckError> {
        let Question { spec, prepared, .. } = self.question;
        let most = control.limits.configurations.map_or(SHORTCUT, |limit| limit.min(SHORTCUT));
        let limits = Limits { configurations: Some(most), threads: 1, ..control.limits.clone() };
        let mut limited = Control { interrupt: control.interrupt, progress: &mut |_| {}, limits, began: control.began };
        let checked = check::check(spec, prepared, &check::Options::default(), &mut limited)?;
        match checked.verdict {
            check::Verdict::Accepted(order) => Ok(self.witness(&order, prepared)),
            _ => Ok(None),
        }
    }

    /// An order as a linearization in which all calls see all calls before them.
    fn witness(&self, order: &check::Order, prepared: &Prepared) -> Option<Witness> {
        let number = self.number();
        let mut witness = Witness { order: Vec::new() };
        let lanes = &prepared.history.timeline.lanes;
        let walked = order.walk(self.question.spec, prepared, &mut |stride| {
            if stride.became != Became::Nothing {
                let lane = &lanes[stride.event.lane as usize];
                let event = (lane.id, lane.events[stride.event.at as usize].index);
                witness.order.push(Seeing { call: number[&event], sees: None });
            }
            std::ops::ControlFlow::Continue(())
        });
        walked.is_ok().then_some(witness)
    }

    /// The calls by lane and number of the event.
    fn number(&self) -> HashMap<(u32, u32), usize> {
        self.recorded.iter().enumerate().map(|(at, call)| (self.event(call.place), at)).collect()
    }

    fn event(&self, place: EventRef) -> (u32, u32) {
        (self.history.timeline.lanes[place.lane as usize].id, self.history.timeline.event(place).index)
    }

    /// Criteria are for operations.
    fn all_are_known(&self, criteria: &Criteria) -> Result<(), CheckError> {
        for (name, _) in &criteria.special {
            if self.operations.all.iter().any(|operation| operation.name == *name) {
                continue;
            }
            let of =
                self.question.spec.action(name).map(|action| &self.operations.all[self.operations.of(action)].name);
            let text = match of {
                Some(operation) => {
                    format!("`{name}` is an outcome of the operation `{operation}`; give that one a criterion")
                }
                None => {
                    let known: Vec<_> = self.operations.all.iter().map(|operation| operation.name.as_str()).collect();
                    format!("--consistency: there is no operation `{name}`; the operations are {}", known.join(", "))
                }
            };
            return Err(CheckError::Rule(text));
        }
        Ok(())
    }

    /// Why a violation may be none: calls are replayed with results that were not recorded.
    fn may_depend(&self, object: &SpecObject<'_>) -> Option<Answer> {
        let Question { spec, inferred, .. } = self.question;
        let replayed = object.replayed();
        let dependences = dependence::of_rejection(inferred, spec, &replayed, false);
        if !dependences.is_empty() {
            let why = Dependence::why(&dependences, "the criteria are not satisfied");
            return Some(Answer::Dependent { why, advice: dependences.iter().map(Dependence::advice).collect() });
        }
        let nameless = NamelessPart::of_rejection(spec, &replayed)?;
        Some(Answer::Dependent { why: nameless.why(), advice: vec![nameless.advice()] })
    }
}

/// Until when one of several questions may take.
fn share(control: &Control<'_>) -> Option<Duration> {
    let elapsed = control.began.elapsed();
    control.limits.timeout.map(|timeout| elapsed + timeout.saturating_sub(elapsed) / 4)
}

fn outcome(spec: &Spec, history: &History, choice: &Choice) -> Result<Outcome, CheckError> {
    match choice.act {
        Act::Whole(action) => Ok((action, history.args(choice).to_vec())),
        Act::Steps { .. } => {
            let name = choice.act.name(spec);
            Err(CheckError::Rule(format!(
                "consistency criteria are not defined for {name}, which takes inner steps ({name}_Step, {name}_Done): a call that is \
                 replayed among those that another one sees takes one step; define an action {name}, or check linearizability"
            )))
        }
    }
}

fn several(history: &History, place: EventRef, operations: &Operations, of: &BTreeSet<usize>) -> String {
    let lane = &history.timeline.lanes[place.lane as usize];
    let names: Vec<_> = of.iter().map(|operation| operations.all[*operation].name.as_str()).collect();
    format!(
        "event {} of lane {} may be one of {}, which are different operations; if they are outcomes of one, give \
         --operation {}",
        lane.events[place.at as usize].index,
        lane.id,
        names.join(", "),
        names.join(",")
    )
}
