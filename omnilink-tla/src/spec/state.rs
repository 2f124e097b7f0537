//! States.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::ir::{Variable, VariableId};
use crate::value::{Fingerprint, Value};

/// One value per variable, in the order the variables are declared. Cloning copies a pointer.
#[derive(Clone)]
pub struct State(Values);

#[derive(Clone)]
enum Values {
    /// Of the only variable, as in many a specification of an interface.
    One(Value),
    Any(Arc<[Value]>),
}

impl State {
    #[inline]
    pub(crate) fn new(values: impl ExactSizeIterator<Item = Value>) -> Self {
        let mut values = values;
        Self(match values.len() {
            1 => Values::One(values.next().expect("there is one")),
            _ => Values::Any(values.collect()),
        })
    }

    /// The values, in the order the variables are declared.
    #[inline]
    pub fn values(&self) -> &[Value] {
        match &self.0 {
            Values::One(value) => std::slice::from_ref(value),
            Values::Any(values) => values,
        }
    }

    /// Whether a variable is a sequence with something in it.
    #[doc(hidden)]
    pub fn has_front(&self, variable: VariableId) -> bool {
        matches!(self.values().get(variable.0 as usize), Some(Value::Tuple(tuple)) if !tuple.is_empty())
    }

    /// Equal states have equal fingerprints, however their values came about.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_sequence(self.values().iter().map(Value::fingerprint))
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.values() == other.values()
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.values().hash(state);
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.values().iter().map(ToString::to_string)).finish()
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
