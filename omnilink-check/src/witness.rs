//! An order that was found, step by step.

use std::ops::ControlFlow;

use omnilink_tla::{Failure, Spec, State};

use crate::check::{Options, Order};
use crate::history::EventRef;
use crate::prepare::Prepared;
use crate::search::{Placement, Problem, Stride};

impl Order {
    /// The state that it begins in.
    pub fn init(&self) -> &State {
        &self.init
    }

    /// How many steps it has, events without effect included.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether it has no step.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Visits its steps with the states after them. They are found again one by one, so a long order takes no memory.
    ///
    /// # Errors
    /// If the specification answers otherwise than it did before, which it does only if it asks for what no state tells.
    pub fn walk(
        &self,
        spec: &Spec,
        prepared: &Prepared,
        visit: &mut dyn FnMut(&Stride) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let options = Options { honour_constraints: self.honours_constraints };
        let problem = Problem::new(spec, prepared, &options);
        let mut placement = Placement::start(&prepared.history);
        let mut state = self.init.clone();
        for placed in &self.moves {
            let event = EventRef { lane: placed.it.lane, at: placement.at(placed.it.lane as usize) };
            state = placed.again(&problem, &mut placement, &state)?;
            let stride = Stride { event, became: placed.it.kind.into(), state: state.clone() };
            if visit(&stride).is_break() {
                break;
            }
        }
        Ok(())
    }
}
