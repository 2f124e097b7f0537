//! An order that was found: written step by step, and looked at for invariants.
//!
//! # What a violated invariant means
//! The order is a behaviour of the specification, so a state along it in which an invariant is false shows that the
//! *specification* reaches that state, by a way that the program has taken or could have: either the invariant or an
//! action is wrong. If no state of the order violates an invariant, that says nothing about other orders of the same trace.

use std::io::{self, Write};
use std::ops::ControlFlow;

use omnilink_tla::State;
use serde_json::json;

use super::Maker;
use super::calls::values;
use super::model::{Became, Call, Values, Violation, WitnessStep};
use crate::check::Order;
use crate::error::CheckError;
use crate::history::History;
use crate::search::Stride;
use crate::timeline::EventRef;

impl Maker<'_> {
    /// Writes an order as one JSON document: a header, the initial state, and the steps with the states after them.
    /// Only one step is in memory at a time.
    ///
    /// # Errors
    /// If `out` does not take it, or if the order cannot be walked again.
    pub fn write_witness(&self, order: &Order, out: &mut dyn Write) -> Result<io::Result<()>, CheckError> {
        let head = json!({
            "format": "omnilink-witness",
            "version": 1,
            "trace": self.trace.path().display().to_string(),
            "spec": self.name,
            "time_unit": self.trace.time_unit().word(),
            "init": self.first_state(order),
        });
        let head = head.to_string();
        if let Err(error) = write!(out, "{},\"steps\":[", head.strip_suffix('}').unwrap_or(&head)) {
            return Ok(Err(error));
        }
        let mut separator = "\n";
        let written = self.witness(order, &mut |step| {
            write!(out, "{separator}")?;
            separator = ",\n";
            write!(out, "{}", serde_json::to_value(&step)?)
        })?;
        Ok(written.and_then(|()| writeln!(out, "\n]}}")))
    }

    /// The state that an order begins in.
    pub fn first_state(&self, order: &Order) -> Values {
        values(self.spec, order.init(), None)
    }

    /// Visits the steps of an order, one at a time, and the events of which nobody can see whether they happened.
    ///
    /// # Errors
    /// If the order cannot be walked again. An error of `visit` ends the visit and is passed on.
    pub fn witness(
        &self,
        order: &Order,
        visit: &mut dyn FnMut(WitnessStep) -> io::Result<()>,
    ) -> Result<io::Result<()>, CheckError> {
        let calls = self.calls();
        let mut unseen = Unseen::of(&self.prepared.unseen);
        let unseen_calls = calls.of(&self.prepared.unseen);
        let mut visit = |call: Call, became: Became, state: &State| {
            visit(WitnessStep { call, became, state: values(self.spec, state, None) })
        };
        let mut visited = Ok(());
        let mut before = order.init().clone();
        self.walk(order, &mut |stride| {
            let mut earlier = unseen.before(&self.prepared.history, stride.event);
            visited = earlier
                .try_for_each(|event| visit(unseen_calls.call(event), Became::Nothing, &before))
                .and_then(|()| visit(calls.call(stride.event), stride.became.into(), &stride.state));
            before = stride.state.clone();
            if visited.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        let mut rest = unseen.rest();
        Ok(visited.and_then(|()| rest.try_for_each(|event| visit(unseen_calls.call(event), Became::Nothing, &before))))
    }

    /// The first state of an order that violates an invariant.
    ///
    /// # Errors
    /// If an invariant cannot be evaluated, or if the order cannot be walked again.
    pub fn violation(&self, order: &Order) -> Result<Option<Violation>, CheckError> {
        let calls = self.calls();
        let violated = |state: &State| self.spec.violated_invariant(state).map_err(CheckError::from);
        let violation = |invariant: String, step, after, state: &State| Violation {
            invariant,
            step,
            after,
            state: values(self.spec, state, None),
        };
        if let Some(invariant) = violated(order.init())? {
            return Ok(Some(violation(invariant.to_string(), 0, None, order.init())));
        }
        let (mut step, mut found) = (0, Ok(None));
        let mut before = order.init().clone();
        self.walk(order, &mut |stride| {
            step += 1;
            if stride.state == before {
                return ControlFlow::Continue(());
            }
            before = stride.state.clone();
            found = violated(&stride.state).map(|violated| {
                let after = |invariant| violation(invariant, step, Some(calls.call(stride.event)), &stride.state);
                violated.map(|invariant| after(invariant.to_string()))
            });
            if matches!(found, Ok(None)) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        found
    }

    fn walk(&self, order: &Order, visit: &mut dyn FnMut(&Stride) -> ControlFlow<()>) -> Result<(), CheckError> {
        order.walk(self.spec, self.prepared, visit).map_err(|failure| self.spec.failed(failure).into())
    }
}

/// The events that may or may not have happened, each before the first step that it came before.
///
/// That makes an order of all events: what is between them and the step did not end before they began, or it would have ended
/// before the step began.
struct Unseen<'h> {
    history: &'h History,
    /// In the order in which they began.
    events: Vec<EventRef>,
    next: usize,
}

impl<'h> Unseen<'h> {
    fn of(history: &'h History) -> Self {
        let mut events: Vec<EventRef> = history.timeline.events().map(|(place, _)| place).collect();
        events.sort_by_key(|place| (history.timeline.event(*place).start, *place));
        Self { history, events, next: 0 }
    }

    /// Those that came before an event and were not written yet, with those that began before them.
    fn before(&mut self, order: &History, step: EventRef) -> impl Iterator<Item = EventRef> + use<'_, 'h> {
        let (lane, event) = (order.timeline.lanes[step.lane as usize].id, order.timeline.event(step));
        let precedes = |place: &EventRef| {
            let it = self.history.timeline.event(*place);
            it.end < event.start
                || self.history.timeline.lanes[place.lane as usize].id == lane && it.index < event.index
        };
        let count = self.events[self.next..].iter().rposition(precedes).map_or(0, |last| last + 1);
        self.take(count)
    }

    fn rest(&mut self) -> impl Iterator<Item = EventRef> + use<'_, 'h> {
        self.take(self.events.len() - self.next)
    }

    fn take(&mut self, count: usize) -> impl Iterator<Item = EventRef> + use<'_, 'h> {
        let from = self.next;
        self.next += count;
        self.events[from..self.next].iter().copied()
    }
}
