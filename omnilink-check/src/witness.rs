//! An order that was found, step by step.

use std::ops::ControlFlow;
use std::sync::Arc;

use omnilink_tla::{Failure, Spec, State};

use crate::check::Order;
use crate::prepare::Prepared;
use crate::search::{ArgumentsId, Became, Placement, Problem, SpecProblem, Stride};
use crate::timeline::EventRef;

impl Order {
    /// The state that it begins in.
    pub fn init(&self) -> &State {
        &self.init
    }

    /// How many steps it has, including events without effect that others come after.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether it has no step.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Visits its steps with the states after them, then the events that took no effect because nothing came after them. They are found again one by one, so a long order takes no memory.
    ///
    /// # Errors
    /// If the specification answers otherwise than before: that happens only if it depends on more than the state (random numbers, the time).
    pub fn walk(
        &self,
        spec: &Spec,
        prepared: &Prepared,
        visit: &mut dyn FnMut(&Stride) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let problem =
            SpecProblem::new(spec, prepared, self.honours_constraints).with_arguments(Arc::clone(&self.arguments));
        let mut placement = Placement::start(&prepared.history.timeline);
        let mut state = self.init.clone();
        for placed in &self.moves {
            let event = EventRef { lane: placed.it.lane, at: placement.at(placed.it.lane as usize) };
            let before = placement.bound(placed.it.lane as usize).map_or(ArgumentsId::AS_RECORDED, |bound| bound.args);
            let known = if placed.it.places() { before } else { placed.args };
            let args = problem.known_args(event, placed.it.kind, known);
            let again = problem.replay(placed, &mut placement, &state)?;
            state = again.ok_or_else(|| Failure::unplaced("a step that was found cannot be found again"))?;
            let stride = Stride { event, became: placed.it.kind.into(), state: state.clone(), args };
            if visit(&stride).is_break() {
                return Ok(());
            }
        }
        // The search ends once all is placed that has to be: what is left took no effect. None of it had ended before something
        // that was placed began, and what ended before another began also began before it.
        let is_left = |event: &EventRef| event.at >= placement.at(event.lane as usize);
        let mut left: Vec<_> = prepared.history.timeline.events().filter(|(place, _)| is_left(place)).collect();
        left.sort_by_key(|(_, event)| event.start);
        for (event, _) in left {
            if visit(&Stride { event, became: Became::Nothing, state: state.clone(), args: None }).is_break() {
                break;
            }
        }
        Ok(())
    }
}
