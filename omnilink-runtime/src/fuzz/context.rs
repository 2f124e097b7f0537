//! What the user's closures are given.

use crate::{ActionDef, Meta, Op, ToTla};

use super::random::Random;
use super::sequel::Sequel;

/// The action cannot be performed now, or is not bound to the system yet. Nothing happened: nothing is recorded, and
/// the loop tries another action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unsupported;

/// What an attempt to perform an action comes to.
pub type Attempt = Result<(), Unsupported>;

/// For making a thread's state.
#[derive(Debug)]
pub struct Start<'a, S> {
    /// The system under test, shared by all threads.
    pub system: &'a S,
    /// Index of the thread, from 0.
    pub thread: usize,
    /// The number of threads.
    pub threads: usize,
    /// The thread's random choices, the same generator that its actions go on with.
    pub random: &'a mut Random,
}

/// For performing an action.
///
/// The operation has begun when the closure is called and ends when it returns, so its timebox encloses everything
/// that the closure does. [`Context::call`] narrows the box to the call itself.
#[derive(Debug)]
pub struct Context<'a, S, T> {
    /// The system under test, shared by all threads.
    pub system: &'a S,
    /// What this thread keeps to itself.
    pub state: &'a mut T,
    /// The thread's random choices.
    pub random: &'a mut Random,
    /// The operation that is being recorded: arguments, meta values, abort.
    pub op: &'a mut Op,
    pub(super) thread: usize,
    pub(super) actions: &'static [ActionDef],
    pub(super) called: bool,
    pub(crate) sequel: Sequel<'a>,
}

impl<S, T> Context<'_, S, T> {
    /// Index of the thread, from 0.
    pub fn thread(&self) -> usize {
        self.thread
    }

    /// Sets the argument `param` of the action; short for `self.op.set(param, value)`.
    #[inline]
    pub fn set<V: ToTla + ?Sized>(&mut self, param: &str, value: &V) {
        self.op.set(param, value);
    }

    /// Calls the system, and narrows the timebox to what lies between the beginning of the first such call and the end
    /// of the last. All effects of the action must be inside.
    ///
    /// A narrow box makes checking faster and finds more: drawing inputs and encoding results stay outside. Set inputs
    /// before, so that a call that never returns is recorded with them, and results after.
    #[inline]
    pub fn call<R>(&mut self, body: impl FnOnce(&S, &mut T) -> R) -> R {
        if !self.called {
            self.called = true;
            self.op.refine_start();
        }
        let call = CallInProgress(self.op);
        let result = body(self.system, self.state);
        drop(call);
        result
    }

    /// The action happens at this very moment: its timebox is empty, even if the thread loses its processor meanwhile.
    /// For actions that call nothing and only say where the thread is.
    pub fn moment(&mut self) {
        self.called = true;
        // A start behind the end moves the end.
        self.op.refine_end();
        self.op.refine_start();
    }

    /// Says which action of a [choice](super::Fuzz::choice) it was.
    ///
    /// # Panics
    /// If there is no such action among them.
    pub fn choose(&mut self, action: &str) {
        let Some(index) = self.actions.iter().position(|candidate| candidate.name == action) else {
            let names: Vec<_> = self.actions.iter().map(|candidate| candidate.name).collect();
            panic!("`{action}` was chosen, but the choice is between {}", names.join(", "));
        };
        self.op.choose(index as u16);
    }

    /// The thread tries the action `name` next, whatever its weight, if this one is performed: nothing is drawn in
    /// between. So a specification can have an action for the beginning of a call, which is recorded right before it.
    ///
    /// # Panics
    /// If the fuzzer has no such action.
    pub fn then(&mut self, name: &str) {
        if !self.sequel.settle(name) {
            panic!("`{name}` was to come next, but the actions are {}", self.sequel.steps().join(", "));
        }
    }
}

/// Ends the timebox when the call ends, also by a panic: the end of an earlier call of the same action no longer holds.
struct CallInProgress<'a>(&'a mut Op);

impl Drop for CallInProgress<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.refine_end();
    }
}

/// For cleaning up at the end of a thread.
#[derive(Debug)]
pub struct Cleanup<'a, S, T> {
    /// The system under test, shared by all threads.
    pub system: &'a S,
    /// What this thread kept to itself.
    pub state: &'a mut T,
    /// The thread's random choices.
    pub random: &'a mut Random,
    /// What to note in the trace about the thread's end.
    pub meta: &'a mut Meta,
    /// Index of the thread, from 0.
    pub thread: usize,
}
