//! States.

use std::fmt;
use std::sync::Arc;

use crate::ir::Variable;
use crate::value::{Fingerprint, Value};

/// One value per variable, in the order the variables are declared. Cloning copies a pointer.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct State(Arc<[Value]>);

impl State {
    pub(crate) fn new(values: impl IntoIterator<Item = Value>) -> Self {
        Self(values.into_iter().collect())
    }

    /// The values, in the order the variables are declared.
    pub fn values(&self) -> &[Value] {
        &self.0
    }

    /// Equal states have equal fingerprints, however their values came about.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_sequence(self.0.iter().map(Value::fingerprint))
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(ToString::to_string)).finish()
    }
}

/// A state as TLA+: a conjunct per variable.
pub struct StateText<'a> {
    pub(super) variables: &'a [Variable],
    pub(super) state: &'a State,
}

impl fmt::Display for StateText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (variable, value)) in self.variables.iter().zip(self.state.values()).enumerate() {
            let newline = if at == 0 { "" } else { "\n" };
            write!(f, "{newline}/\\ {} = {value}", variable.name)?;
        }
        Ok(())
    }
}
