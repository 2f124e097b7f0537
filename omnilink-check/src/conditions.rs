//! Conditions that users attach to events: operators of the specification over the event as a record.

use omnilink_tla::{Failure, Spec, State, Value};

/// The conditions of a history's events.
#[derive(Debug, Default)]
pub struct Conditions {
    /// Operator and event, by place.
    attached: Vec<(String, Value)>,
}

impl Conditions {
    /// Attaches an operator to an event; its place.
    pub fn attach(&mut self, operator: &str, event: Value) -> u32 {
        self.attached.push((operator.to_owned(), event));
        (self.attached.len() - 1) as u32
    }

    /// The operator of a condition, and the event that it is applied to.
    pub(crate) fn get(&self, at: u32) -> (&str, &Value) {
        let (operator, event) = &self.attached[at as usize];
        (operator, event)
    }

    /// Whether a condition is true of a step.
    pub(crate) fn holds(&self, spec: &Spec, at: u32, from: &State, to: &State) -> Result<bool, Failure> {
        let (operator, event) = &self.attached[at as usize];
        spec.holds_of(operator, event, from, to)
    }
}
