//! Exploring with several threads, with the result of one.
//!
//! ```text
//!  a level's states ─► chunks ─► threads: successors, constraints, fingerprints, checks ─► merged in the order of the states
//! ```
//!
//! The threads only read what was seen before; new states are entered between their turns, in the order in which one thread
//! would have found them. So numbers, verdict and counterexample are the same for every number of threads. What
//! is done for nothing: a new state that several chunks of one turn find is checked in each of them.

use std::collections::HashSet;
use std::ops::{ControlFlow, Range};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};

use omnilink_budget::{Budget, on_behalf};

use super::checks::{Broken, Checks};
use super::seen::Seen;
use super::sharing::Sharing;
use super::symmetry::Identity;
use super::{Queued, ViolatedBy};
use crate::diagnostic::TlaError;
use crate::eval::{Flat, Keeping, STACK, with_stack};
use crate::spec::{Candidate, Spec, State};
use crate::value::{Fingerprint, FingerprintHasher};

/// How many states a thread takes at once.
const CHUNK: usize = 512;

/// Fewer states than that are not worth a thread.
const FEWEST: usize = 32;

/// What expanding a state found.
pub(super) struct Expanded {
    /// How many successors it has, each as often as it was found.
    pub generated: u64,
    /// What is of interest, in the order in which it was found.
    pub events: Vec<Event>,
    /// Why not all successors could be found.
    pub failed: Option<Box<TlaError>>,
}

/// Something of interest on the way to a state's successors.
pub(super) struct Event {
    /// How many successors had been found then.
    pub generated: u64,
    pub state: State,
    pub what: What,
}

pub(super) enum What {
    /// A state that was not seen before, and what it violates if it is new.
    New(Fingerprint, Result<Option<Broken>, Box<TlaError>>),
    /// The search ends here.
    Violated(Broken, ViolatedBy),
    Failed(Box<TlaError>),
}

/// What one thread needs.
pub(super) struct Worker<'s> {
    spec: &'s Spec,
    next: Option<Flat<'s>>,
    keeping: Keeping,
    identity: Identity<'s>,
    checks: Checks<'s>,
    sharing: Sharing,
    /// The new states that were found in this turn.
    found: HashSet<Fingerprint, FingerprintHasher>,
}

impl<'s> Worker<'s> {
    fn new(spec: &'s Spec, identity: Identity<'s>) -> Self {
        Self {
            spec,
            next: spec.flat_next(),
            keeping: Keeping::of(spec.program()),
            identity,
            checks: Checks::of(spec),
            sharing: Sharing::new(spec.program().variables.len()),
            found: HashSet::default(),
        }
    }

    fn expand_all(&mut self, states: &[Queued], seen: &Seen) -> Vec<Expanded> {
        self.found.clear();
        states.iter().map(|from| self.expand(from, seen)).collect()
    }

    fn expand(&mut self, from: &Queued, seen: &Seen) -> Expanded {
        let mut expanded = Expanded { generated: 0, events: Vec::new(), failed: None };
        let Self { spec, next, keeping, identity, checks, sharing, found } = self;
        let mut looker = Looker { spec, identity, checks, sharing, found, seen, from };
        let result = spec.flat_candidates(next.as_mut(), keeping, &from.state, &mut |candidate| {
            expanded.generated += 1;
            let (generated, events) = (expanded.generated, &mut expanded.events);
            looker.look(&candidate, &mut |state, what| events.push(Event { generated, state, what }));
            // What a new state violates counts only if it is still new when it is entered.
            match events.last() {
                Some(Event { what: What::Violated(..) | What::Failed(_), .. }) => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        });
        expanded.failed = result.err();
        expanded
    }
}

/// A thread that looks at the successors of one state.
struct Looker<'w, 's> {
    spec: &'w Spec,
    identity: &'w mut Identity<'s>,
    checks: &'w mut Checks<'s>,
    sharing: &'w mut Sharing,
    found: &'w mut HashSet<Fingerprint, FingerprintHasher>,
    seen: &'w Seen,
    from: &'w Queued,
}

impl Looker<'_, '_> {
    /// Tells what is of interest about a successor.
    fn look(&mut self, candidate: &Candidate<'_>, tell: &mut dyn FnMut(State, What)) {
        let by_state_alone = self.identity.is_plain() && self.spec.program().action_constraints.is_empty();
        if by_state_alone && !self.checks.look_at_steps() && self.is_known(candidate.fingerprint()) {
            return;
        }
        let state = self.sharing.state(candidate);
        if let Err(error) = self.judge(&state, tell) {
            tell(state, What::Failed(error));
        }
    }

    fn is_known(&self, fingerprint: Fingerprint) -> bool {
        self.seen.contains(fingerprint) || self.found.contains(&fingerprint)
    }

    fn judge(&mut self, state: &State, tell: &mut dyn FnMut(State, What)) -> Result<(), Box<TlaError>> {
        let inside = self.spec.satisfies_constraints(state)?
            && self.spec.satisfies_action_constraints(&self.from.state, state)?;
        if inside {
            let fingerprint = self.identity.fingerprint(state)?;
            if !self.is_known(fingerprint) {
                self.found.insert(fingerprint);
                tell(state.clone(), What::New(fingerprint, self.checks.broken_in(state)));
            }
        } else if let Some(broken) = self.checks.broken_in(state)? {
            tell(state.clone(), What::Violated(broken, ViolatedBy::State));
            return Ok(());
        }
        if let Some(broken) = self.checks.broken_by_step(&self.from.state, state)? {
            tell(state.clone(), What::Violated(broken, ViolatedBy::Step));
        }
        Ok(())
    }
}

/// A part of a turn.
struct Task {
    states: Arc<Vec<Queued>>,
    part: Range<usize>,
    seen: Arc<Seen>,
}

/// A thread that expands states.
struct Helper<'scope> {
    tasks: Sender<Task>,
    results: Receiver<Vec<Expanded>>,
    thread: ScopedJoinHandle<'scope, ()>,
}

impl<'scope> Helper<'scope> {
    fn start<'s: 'scope>(scope: &'scope Scope<'scope, '_>, spec: &'s Spec, identity: Identity<'s>) -> Self {
        let (tasks, task) = channel::<Task>();
        let (result, results) = channel();
        let budget = Budget::current();
        let work = move || {
            let mut worker = Worker::new(spec, identity);
            while let Ok(Task { states, part, seen }) = task.recv() {
                let expanded = worker.expand_all(&states[part], &seen);
                // They are given back before the answer, so that who gets it has them for itself.
                drop((states, seen));
                if result.send(expanded).is_err() {
                    return;
                }
            }
        };
        let thread = scope.spawn(move || {
            let ended = on_behalf(budget, || with_stack(STACK, work));
            ended.expect("there is room for a stack");
        });
        Self { tasks, results, thread }
    }
}

/// The threads of an exploration; the first worker is this thread's own.
pub(super) struct Crew<'scope, 's> {
    first: Worker<'s>,
    helpers: Vec<Helper<'scope>>,
}

impl<'scope, 's: 'scope> Crew<'scope, 's> {
    /// So many threads.
    pub fn start(scope: &'scope Scope<'scope, '_>, spec: &'s Spec, workers: usize) -> Result<Self, Box<TlaError>> {
        let first = Worker::new(spec, Identity::of(spec)?);
        let mut helpers = Vec::new();
        for _ in 1..workers {
            helpers.push(Helper::start(scope, spec, Identity::of(spec)?));
        }
        Ok(Self { first, helpers })
    }
}

impl Crew<'_, '_> {
    /// How many states are expanded in one turn.
    pub fn turn(&self) -> usize {
        CHUNK * (self.helpers.len() + 1)
    }

    /// Expands states of one level. The result is in their order; the states are given back.
    pub fn expand(&mut self, states: Vec<Queued>, seen: &mut Seen) -> (Vec<Queued>, Vec<Expanded>) {
        let (states, shared) = (Arc::new(states), Arc::new(std::mem::take(seen)));
        let share = states.len().div_ceil(self.helpers.len() + 1).max(FEWEST);
        let parts = (1..).map(|at| (at * share).min(states.len())..((at + 1) * share).min(states.len()));
        let busy = self.helpers.iter().zip(parts).take_while(|(_, part)| !part.is_empty());
        let mut asked = 0;
        for (helper, part) in busy {
            // A helper that is gone has failed, which is told below.
            let _ = helper.tasks.send(Task { states: Arc::clone(&states), part, seen: Arc::clone(&shared) });
            asked += 1;
        }
        let mut expanded = self.first.expand_all(&states[..share.min(states.len())], &shared);
        for at in 0..asked {
            match self.helpers[at].results.recv() {
                Ok(found) => expanded.extend(found),
                Err(_) => {
                    let failed = self.helpers.swap_remove(at).thread.join();
                    resume_unwind(failed.err().unwrap_or_else(|| Box::new("a thread ended before its work")));
                }
            }
        }
        *seen = Arc::into_inner(shared).expect("all threads have given it back");
        (Arc::into_inner(states).expect("all threads have given them back"), expanded)
    }
}
