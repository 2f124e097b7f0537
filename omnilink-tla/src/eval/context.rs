//! The state that variables are read from, and the next one as far as it was found.

use std::ops::Deref;

use super::env::Held;
use crate::ir::VariableId;
use crate::value::Value;

/// Where variables are read: two words, passed along everywhere.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// What they are read from.
    pub moment: &'a Moment<'a>,
    /// Whether we are inside a prime, where a variable means that of the next state.
    pub primed: bool,
}

/// A state, and the next one as far as it was found.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// The state; empty where there is none.
    pub state: &'a [Value],
    /// The next state.
    pub next: Next<'a>,
}

/// The next state.
#[derive(Clone, Copy)]
pub enum Next<'a> {
    /// As far as an action has assigned it: the latest assignment, or none yet.
    Partly(Option<&'a Assigned<'a>>),
    /// As far as an action had assigned it when an environment was kept for later.
    Found(&'a [Option<Value>]),
    /// All of it.
    State(&'a [Value]),
}

/// One variable that an action assigned, and those before it.
pub struct Assigned<'a> {
    pub variable: VariableId,
    pub value: Held<'a>,
    pub before: Option<&'a Assigned<'a>>,
}

impl<'a> Context<'a> {
    /// No state: for constants.
    pub const CONSTANT: Context<'static> = Context { moment: &Moment::state(&[]), primed: false };

    /// Variables are those of this state.
    pub fn of(moment: &'a Moment<'a>) -> Self {
        Context { moment, primed: false }
    }

    /// The same, inside a prime.
    pub fn prime(self) -> Self {
        Context { primed: true, ..self }
    }
}

impl<'a> Deref for Context<'a> {
    type Target = Moment<'a>;

    fn deref(&self) -> &Moment<'a> {
        self.moment
    }
}

impl<'a> Moment<'a> {
    /// A state alone.
    pub const fn state(state: &'a [Value]) -> Self {
        Moment { state, next: Next::Partly(None) }
    }

    /// A state and its successor.
    pub fn step(state: &'a [Value], next: &'a [Value]) -> Self {
        Moment { state, next: Next::State(next) }
    }

    /// A variable of the next state, if it was assigned.
    pub fn next(&self, variable: VariableId) -> Option<&'a Value> {
        match self.next {
            Next::State(state) => state.get(variable.0 as usize),
            Next::Found(found) => found.get(variable.0 as usize)?.as_ref(),
            Next::Partly(latest) => {
                let mut assigned = latest;
                while let Some(this) = assigned {
                    if this.variable == variable {
                        return Some(&this.value);
                    }
                    assigned = this.before;
                }
                None
            }
        }
    }

    /// Whether another moment is this one or a later one of the same run: the same state, and all that is assigned here is
    /// assigned there by the same assignments. Both exist, so what has the same address is the same.
    pub fn leads_to(&self, other: &Moment<'_>) -> bool {
        std::ptr::eq(self.state, other.state)
            && match (self.next, other.next) {
                (Next::Partly(None), Next::Partly(_)) => true,
                (Next::Partly(Some(latest)), Next::Partly(later)) => {
                    std::iter::successors(later, |assigned| assigned.before)
                        .any(|assigned| std::ptr::addr_eq(assigned, latest))
                }
                (Next::Found(found), Next::Found(other)) => std::ptr::eq(found, other),
                (Next::State(state), Next::State(other)) => std::ptr::eq(state, other),
                _ => false,
            }
    }

    /// What actions have assigned so far.
    pub fn assigned(&self) -> Option<&'a Assigned<'a>> {
        match self.next {
            Next::Partly(latest) => latest,
            Next::State(_) | Next::Found(_) => None,
        }
    }
}
