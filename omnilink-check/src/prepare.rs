//! From a trace to a history: names to actions, recorded values to arguments, outcomes to what an order has to account for.
//!
//! | recorded | in the history |
//! | --- | --- |
//! | done | has to happen |
//! | indeterminate | may happen, until it ended |
//! | pending, or open where an incomplete trace is cut | may happen at any time after it began |
//! | aborted | nothing, or what the user's rule says |
//! | the end of a thread | nothing, or what the user's rule says |

use omnilink_tla::spec::ActionId;
use omnilink_tla::{Spec, Value};
use omnilink_trace::{Event as Recorded, Lane, Outcome, Record, Termination, Timebox, Trace, layout};

use crate::conditions::Conditions;
use crate::error::{CheckError, EventPlace, Misfit};
use crate::history::{Act, History, NewChoice, NewEvent};
use crate::recorded::Recorded as RecordedCalls;
use crate::rules::{Rules, event_record, termination_record};
use crate::subject::{ON_ABORT, ON_TERMINATE};
use crate::timeline::{NEVER, Timeline};
use crate::value::Translation;
use crate::vocabulary::Vocabulary;

/// A trace made ready.
#[derive(Debug, Default)]
pub struct Prepared {
    /// Its events that an order consists of.
    pub history: History,
    /// The others: they may not have happened, and could only have read. Nobody can see whether they did.
    pub unseen: History,
    /// When its events happened, if only the order of each lane counts.
    pub timed: Option<Timeline>,
    /// The conditions on them.
    pub conditions: Conditions,
    /// What the reader of a verdict should know.
    pub notes: Notes,
}

impl Prepared {
    /// The same for sequential consistency: of the order of calls, only that of each lane counts.
    #[must_use]
    pub fn without_time(mut self) -> Self {
        let timed = std::mem::take(&mut self.history);
        self.history = timed.merged(&History::default());
        self.history.timeline.forget_time();
        self.timed = Some(timed.timeline);
        self
    }
}

/// What was done to a trace on the way.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Notes {
    /// The trace is incomplete, and was cut at this time.
    pub cut: Option<u64>,
    /// Events that were dropped because they began at the cut or later.
    pub dropped: u64,
    /// Events that were open at the cut.
    pub open_at_cut: u64,
    /// Aborted events that were left out.
    pub aborted: u64,
    /// Calls that were open when recording ended.
    pub pending: u64,
    /// Calls that ended, and of which it is not known whether they took effect.
    pub indeterminate: u64,
    /// Model values that recorded strings were taken for.
    pub model_values: Vec<String>,
    /// Threads that a signal killed, with the signal.
    pub signals: Vec<(u32, String)>,
    /// All calls of the trace, whatever became of them.
    pub recorded: RecordedCalls,
    /// Lanes with events after the end of their thread, with how many of them.
    pub after_end: Vec<(u32, u64)>,
}

/// Makes a trace ready to be checked against a specification.
///
/// # Errors
/// If an event does not fit the specification, or cannot be read.
pub fn prepare(spec: &Spec, trace: &Trace, rules: &Rules) -> Result<Prepared, CheckError> {
    let models = crate::constants::model_values(spec);
    let mut maker = Maker {
        spec,
        trace,
        rules,
        translation: Translation::new(models),
        vocabulary: Vocabulary::new(trace.vocabulary()),
        cut: trace.earliest_stop(),
        prepared: Prepared::default(),
    };
    maker.prepared.notes.cut = maker.cut;
    for lane in trace.lanes() {
        let (mut last, mut has_ended, mut after_end) = (None, false, 0);
        for record in lane.records() {
            match record? {
                Record::Event(event) => {
                    last = Some(event.timebox);
                    after_end += u64::from(has_ended);
                    maker.event(lane, &event)?;
                }
                Record::Terminated(termination) => {
                    has_ended = true;
                    maker.termination(lane, &termination, last)?;
                }
            }
        }
        if after_end > 0 {
            maker.prepared.notes.after_end.push((lane.index(), after_end));
        }
    }
    maker.prepared.notes.model_values = maker.translation.taken();
    maker.prepared.history.order_by_need();
    Ok(maker.prepared)
}

struct Maker<'a> {
    spec: &'a Spec,
    trace: &'a Trace,
    rules: &'a Rules,
    translation: Translation,
    vocabulary: Vocabulary,
    cut: Option<u64>,
    prepared: Prepared,
}

impl Maker<'_> {
    fn event(&mut self, lane: &Lane, event: &Recorded) -> Result<(), CheckError> {
        let misfit = |problem| CheckError::Event { place: place(lane, event), problem: Box::new(problem) };
        let is_ruled = event.outcome == Outcome::Aborted && self.rules.on_abort.is_some();
        if !is_ruled {
            // Whatever becomes of it, what the specification does not have is a mistake.
            self.vocabulary.meaning(self.spec, self.trace.vocabulary(), &event.candidates).map_err(misfit)?;
        }
        let calls = self.prepared.notes.recorded.calls(&event.candidates);
        calls.all += 1;
        if self.cut.is_some_and(|cut| event.timebox.start >= cut) {
            self.prepared.notes.dropped += 1;
            return Ok(());
        }
        if !event.effects.is_empty() {
            return Err(misfit(Misfit::Effects));
        }
        let choices = match (event.outcome, &self.rules.on_abort) {
            (Outcome::Aborted, None) => {
                self.prepared.notes.aborted += 1;
                return Ok(());
            }
            (Outcome::Aborted, Some(_)) => {
                let record = event_record(self.trace, event, &self.translation).map_err(misfit)?;
                vec![self.ruled(ON_ABORT, record)?]
            }
            _ => self.choices(event).map_err(misfit)?,
        };
        let is_open = |end: &u64| self.cut.is_none_or(|cut| *end < cut);
        let end = event.timebox.end.filter(is_open);
        let optional = match event.outcome {
            Outcome::Pending => {
                self.prepared.notes.pending += 1;
                true
            }
            Outcome::Indeterminate => {
                self.prepared.notes.indeterminate += 1;
                self.prepared.notes.recorded.calls(&event.candidates).unended += u64::from(was_left(event));
                true
            }
            Outcome::Done | Outcome::Aborted => {
                self.prepared.notes.open_at_cut += u64::from(end.is_none());
                end.is_none()
            }
        };
        if !optional {
            let calls = self.prepared.notes.recorded.calls(&event.candidates);
            calls.counting += 1;
            calls.unknown += u64::from(event.args.iter().any(|arg| arg.value.is_none()));
        }
        self.push(lane, (event.timebox.start, end), event.index, optional, &choices);
        Ok(())
    }

    fn termination(&mut self, lane: &Lane, it: &Termination, last: Option<Timebox>) -> Result<(), CheckError> {
        if let Some((_, signal)) = it.meta.iter().find(|(name, _)| &**name == "signal") {
            self.prepared.notes.signals.push((it.lane, signal.to_string()));
        }
        if self.rules.on_terminate.is_none() {
            return Ok(());
        }
        // What a thread does as it ends, it does after its last call, and before the clock was read. Only the end of that box
        // is widened, as that of a call is: the last call may have ended when the clock was read for it.
        let recorded = |end: u64| end.saturating_sub(self.trace.run().clock.widening());
        let after = last.map(|last| last.end.map_or(last.start, |end| recorded(end).max(last.start)));
        let start = after.unwrap_or_else(|| recorded(it.time)).min(it.time);
        if self.cut.is_some_and(|cut| start >= cut) {
            return Ok(());
        }
        let end = Some(it.time).filter(|end| self.cut.is_none_or(|cut| *end < cut));
        let record =
            termination_record(it, &self.translation).map_err(|problem| CheckError::Rule(problem.to_string()))?;
        let choices = [self.ruled(ON_TERMINATE, record)?];
        self.push(lane, (start, end), lane.events(), end.is_none(), &choices);
        Ok(())
    }

    fn push(
        &mut self,
        lane: &Lane,
        (start, end): (u64, Option<u64>),
        index: u64,
        optional: bool,
        choices: &[NewChoice],
    ) {
        let read_only = choices.iter().all(|choice| self.is_read_only(choice));
        let end = end.unwrap_or(NEVER);
        let event = NewEvent { start, end, index: index as u32, optional, read_only, choices };
        // Whether it happened or not, nothing changed.
        let history = if read_only && optional { &mut self.prepared.unseen } else { &mut self.prepared.history };
        history.push(lane.index(), &event);
    }

    /// What an event may stand for.
    fn choices(&mut self, event: &Recorded) -> Result<Vec<NewChoice>, Misfit> {
        let named = self.vocabulary.meaning(self.spec, self.trace.vocabulary(), &event.candidates)?;
        let mut choices = Vec::with_capacity(named.len());
        for meaning in named.iter() {
            let mut args = Vec::with_capacity(meaning.params.len());
            for param in &meaning.params {
                let recorded =
                    event.args.iter().find(|arg| Some(arg.param) == *param).and_then(|arg| arg.value.as_ref());
                let value = recorded.map(|value| self.translation.value(value)).transpose();
                args.push(value.map_err(|problem| Misfit::Value {
                    param: param.map_or_else(String::new, |param| self.trace.vocabulary().name(param).to_owned()),
                    problem: problem.to_string(),
                })?);
            }
            let condition = match self.rules.also.get(&meaning.name) {
                Some(operator) => {
                    let record = event_record(self.trace, event, &self.translation)?;
                    Some(self.prepared.conditions.attach(operator, record))
                }
                None => None,
            };
            let unconditional = meaning.is_unconditional(&args);
            choices.push(NewChoice { act: meaning.act, args, unconditional, condition });
        }
        Ok(choices)
    }

    /// The choice that a user's rule makes of something.
    fn ruled(&self, rule: &str, record: Value) -> Result<NewChoice, CheckError> {
        let Some(action) = self.spec.action(rule) else {
            return Err(CheckError::Rule("the specification was loaded without the rules for events".to_owned()));
        };
        Ok(NewChoice { act: Act::Whole(action), args: vec![Some(record)], unconditional: false, condition: None })
    }

    fn is_read_only(&self, choice: &NewChoice) -> bool {
        let never_changes = |action: ActionId| self.spec.is_read_only(action, &choice.args);
        match choice.act {
            Act::Whole(action) => never_changes(action),
            Act::Steps { step, done } => never_changes(step) && never_changes(done),
        }
    }
}

/// Whether the recorder saw that a call was left without being ended.
fn was_left(event: &Recorded) -> bool {
    event.meta.iter().any(|(name, _)| &**name == layout::META_DROPPED)
}

fn place(lane: &Lane, event: &Recorded) -> EventPlace {
    EventPlace { path: lane.path().to_owned(), offset: event.offset, lane: event.lane, index: event.index }
}
