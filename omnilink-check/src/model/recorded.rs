//! The calls of a model, from a trace.

use omnilink_trace::{ActionId, Event, Lane, Outcome as Ended, Record, Trace, TraceError};
use thiserror::Error;

use super::calls::{Call, Calls, Outcome};
use super::from_tla::{FromTla, Mismatch, NamedCall};
use crate::error::EventPlace;

/// Why the calls of a trace are none of a model.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordedError {
    /// The trace cannot be read.
    #[error("{0}")]
    Trace(#[from] TraceError),
    /// An event is no call of the model.
    #[error("{place}: {call}: {problem}")]
    Event {
        /// Which event.
        place: EventPlace,
        /// The call, in TLA+ notation.
        call: String,
        /// What is wrong with it.
        problem: Mismatch,
    },
}

impl<I: FromTla + PartialEq, O: FromTla> Calls<I, O> {
    /// The calls of a trace: the input of each takes its arguments by name, the output takes those that are left.
    ///
    /// Times are ticks of the trace's clock since its first event.
    ///
    /// | recorded | as a call |
    /// | --- | --- |
    /// | done | has to happen; if a result was not recorded, its output is unknown |
    /// | indeterminate, pending | may have happened; its output is unknown |
    /// | aborted | none |
    /// | done after calls began to be missing | may have happened |
    ///
    /// # Errors
    /// If the trace cannot be read, or if an event is no call of the model: an argument that neither the input nor the output
    /// takes is an error, too, because nothing would check it.
    pub fn from_trace(trace: &Trace) -> Result<Self, RecordedError> {
        let mut calls = Self::of_lanes();
        let cut = trace.earliest_stop();
        for lane in trace.lanes() {
            for record in lane.records() {
                let Record::Event(event) = record? else { continue };
                let is_missing = cut.is_some_and(|cut| event.timebox.start >= cut);
                if event.outcome == Ended::Aborted || is_missing {
                    continue;
                }
                let call = read(trace, &event).map_err(|problem| RecordedError::Event {
                    place: place(lane, &event),
                    call: omnilink_trace::Call::new(trace.vocabulary(), &event).to_string(),
                    problem,
                })?;
                let end = event.timebox.end.filter(|end| cut.is_none_or(|cut| *end < cut));
                let is_done = event.outcome == Ended::Done && end.is_some();
                let outcome = if is_done { Outcome::Done } else { Outcome::Indeterminate };
                let (input, output) = call;
                let (start, end) = (event.timebox.start - trace.origin(), end.map(|end| end - trace.origin()));
                calls.push(Call { thread: lane.index(), start, end, input, output, outcome });
            }
        }
        Ok(calls)
    }
}

/// The input and the output of a call.
fn read<I: FromTla + PartialEq, O: FromTla>(trace: &Trace, event: &Event) -> Result<(I, Option<O>), Mismatch> {
    if !event.effects.is_empty() {
        return Err(Mismatch::new("it records updates of variables, which a model does not have"));
    }
    let mut inputs = event.candidates.as_slice().iter().map(|&action| {
        let mut call = named(trace, event, action);
        I::from_call(&mut call).map(|input| (input, call))
    });
    let (input, mut call) =
        inputs.next().unwrap_or_else(|| Err(Mismatch::new("it is not known which action it was")))?;
    for other in inputs {
        if other?.0 != input {
            return Err(Mismatch::new(
                "it is not known which of these actions it was, and they are different inputs of the model",
            ));
        }
    }
    if event.outcome != Ended::Done || event.candidates.as_slice().len() != 1 {
        return Ok((input, None));
    }
    let output = match O::from_call(&mut call) {
        Ok(output) => Some(output),
        Err(problem) if problem.is_unknown() => None,
        Err(problem) => return Err(problem),
    };
    match call.left().next().filter(|_| output.is_some()) {
        Some(name) => Err(Mismatch::new(format!(
            "neither the input nor the output of the model takes `{name}`, so nothing would check it"
        ))),
        None => Ok((input, output)),
    }
}

fn named<'a>(trace: &'a Trace, event: &'a Event, action: ActionId) -> NamedCall<'a> {
    let vocabulary = trace.vocabulary();
    let declared = vocabulary.action(action);
    let argument = |param| event.args.iter().find(|arg| arg.param == param).and_then(|arg| arg.value.as_ref());
    let args = declared.params.iter().map(|&param| (vocabulary.name(param), argument(param)));
    NamedCall::new(&declared.name, args).of_operation(trace.signature(action).operation.as_deref())
}

fn place(lane: &Lane, event: &Event) -> EventPlace {
    EventPlace { path: lane.path().to_owned(), offset: event.offset, lane: event.lane, index: event.index }
}
