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
use super::model::{Violation, WitnessStep};
use crate::check::Order;
use crate::error::CheckError;
use crate::search::Stride;

impl Maker<'_> {
    /// Writes an order as one JSON document: a header, the initial state, and the steps with the states after them.
    /// Only one step is in memory at a time.
    ///
    /// # Errors
    /// If `out` does not take it, or if the order cannot be walked again.
    pub fn write_witness(&self, order: &Order, out: &mut dyn Write) -> Result<io::Result<()>, CheckError> {
        let calls = self.calls();
        let begin = |out: &mut dyn Write| {
            let head = json!({
                "format": "omnilink-witness",
                "version": 1,
                "trace": self.trace.path().display().to_string(),
                "spec": self.name,
                "time_unit": self.trace.time_unit().word(),
                "init": values(self.spec, order.init(), None),
            });
            let head = head.to_string();
            write!(out, "{},\"steps\":[", head.strip_suffix('}').unwrap_or(&head))
        };
        let mut written = begin(out);
        let mut separator = "\n";
        self.walk(order, &mut |stride| {
            let state = values(self.spec, &stride.state, None);
            let step = WitnessStep { call: calls.call(stride.event), became: stride.became.into(), state };
            written = write!(out, "{separator}").and_then(|()| Ok(serde_json::to_writer(&mut *out, &step)?));
            separator = ",\n";
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(written.and_then(|()| writeln!(out, "\n]}}")))
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
