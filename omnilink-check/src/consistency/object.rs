//! What the calls of a history are asked about: a sequential object.

use std::hash::Hash;

/// A sequential object, and the calls of a history as it understands them. Calls have numbers.
///
/// A call can be replayed in two ways. In the context of another call it has its inputs and any result that the object gives. Where
/// its own result is to be explained, it has the result that was recorded.
pub(super) trait Object {
    /// A state.
    type State: Clone;
    /// Why a call could not be evaluated.
    type Failure;
    /// Equal for calls that have the same states after them if they have any result.
    type Class: Copy + Eq + Hash;

    /// The initial states.
    fn inits(&self) -> Vec<Self::State>;

    /// What distinguishes a state from others.
    fn fingerprint(&self, state: &Self::State) -> u128;

    /// The class of a call.
    fn class(&self, call: usize) -> Self::Class;

    /// Visits the states after a call with any result.
    fn any_result(
        &self,
        state: &Self::State,
        call: usize,
        visit: &mut dyn FnMut(Self::State),
    ) -> Result<(), Self::Failure>;

    /// Visits the states after a call with its recorded result.
    fn own_result(
        &self,
        state: &Self::State,
        call: usize,
        visit: &mut dyn FnMut(Self::State),
    ) -> Result<(), Self::Failure>;
}

/// One of the two ways to replay a call.
pub(super) type Step<O> =
    fn(&O, &<O as Object>::State, usize, &mut dyn FnMut(<O as Object>::State)) -> Result<(), <O as Object>::Failure>;
