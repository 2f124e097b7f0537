//! The problem of a model: calls in memory, each one step.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::Model;
use super::calls::{Call, Part};
use crate::search::{Placement, Problem, Reached, Step};
use crate::timeline::{ChoiceId, Timeline};

/// A model, and some calls.
pub(super) struct ModelProblem<'a, M: Model> {
    pub model: &'a M,
    pub calls: &'a [Call<M::Input, M::Output>],
    pub part: &'a Part,
}

/// A call that changes the state, though the model says that it never does: its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Changed(pub usize);

impl<M: Model> Problem for ModelProblem<'_, M> {
    type State = M::State;
    type Reached<'r> = ModelState<'r, M::State>;
    type Failure = Changed;
    type Arguments = Infallible;

    #[inline]
    fn timeline(&self) -> &Timeline {
        &self.part.timeline
    }

    #[inline]
    fn has_inner_steps(&self, _choice: ChoiceId) -> bool {
        false
    }

    #[inline]
    fn steps(
        &self,
        placement: &Placement,
        state: &M::State,
        Step { lane, choice, .. }: Step,
        mut visit: impl FnMut(ModelState<'_, M::State>) -> ControlFlow<()>,
    ) -> Result<(), Changed> {
        let nth = self.part.calls[choice.0 as usize];
        let Call { input, output, .. } = &self.calls[nth];
        let is_read_only = self.next(placement, lane as usize).is_some_and(|event| event.read_only);
        if is_read_only {
            // All states are looked at, not only those up to the first that a visitor is content with.
            let before = self.model.fingerprint(state);
            let mut is_possible = false;
            for next in self.model.step(state, input, output.as_ref()) {
                if self.model.fingerprint(&next) != before {
                    return Err(Changed(nth));
                }
                is_possible = true;
            }
            if is_possible {
                let _ = visit(ModelState::Same(state));
            }
            return Ok(());
        }
        for next in self.model.step(state, input, output.as_ref()) {
            if visit(ModelState::New(next)).is_break() {
                break;
            }
        }
        Ok(())
    }

    #[inline]
    fn fingerprint(&self, reached: &ModelState<'_, M::State>) -> u128 {
        match reached {
            ModelState::Same(state) => self.model.fingerprint(state),
            ModelState::New(state) => self.model.fingerprint(state),
        }
    }
}

/// A state that a call leads to.
pub(super) enum ModelState<'r, S> {
    Same(&'r S),
    New(S),
}

impl<'r, S: Clone> Reached<'r> for ModelState<'r, S> {
    type State = S;

    fn same(state: &'r S) -> Self {
        Self::Same(state)
    }

    #[inline]
    fn into_state(self) -> S {
        match self {
            Self::Same(state) => state.clone(),
            Self::New(state) => state,
        }
    }
}
