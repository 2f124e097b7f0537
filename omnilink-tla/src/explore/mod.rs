//! Breadth-first exploration of all states that a specification reaches.
//!
//! ```text
//!  initial states ─► seen? ─► invariants ─► queue ─► successors ─┐
//!                      ▲                                         │
//!                      └─────────────────────────────────────────┘
//! ```
//!
//! No liveness; one thread, or several with the same result (`parallel`). Of a `PROPERTY` it checks what can be decided state by
//! state and step by step; the program lists the rest (`Property::unchecked`). It counts states as TLC does, so that the two
//! can be compared number by number. A state is known by its 128-bit fingerprint (or its `VIEW`'s); of the states behind the
//! frontier only fingerprints and parents are kept, and a counterexample is found again by running from the start.

mod checks;
mod parallel;
mod seen;
mod sharing;
mod symmetry;
#[cfg(test)]
mod tests;
mod trace;

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;

use omnilink_budget::{Exhausted, catch, poll};
pub use trace::TraceStep;

use self::checks::{Broken, Checks};
use self::parallel::{Crew, Event, Expanded, What};
use self::seen::{Index, Seen};
use self::sharing::Sharing;
use self::symmetry::Identity;
use crate::diagnostic::TlaError;
use crate::eval::{Flat, Keeping};
use crate::source::Span;
use crate::spec::{Candidate, Spec, State};
use crate::symbol::Symbol;
use crate::value::Fingerprint;

/// What to look for and when to stop.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether a state without successors is reported.
    pub check_deadlock: bool,
    /// Stop after so many distinct states.
    pub max_states: Option<u64>,
    /// How many threads explore. What they find does not depend on it.
    pub workers: usize,
}

/// How far an exploration has got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// States generated: initial ones and successors, each as often as it was found.
    pub generated: u64,
    /// Distinct states among them, inside of all constraints.
    pub distinct: u64,
    /// Distinct states whose successors were not looked at yet.
    pub queued: u64,
    /// How many states the longest of all shortest ways from an initial state has, both ends counted; 1 if there is none.
    pub depth: u64,
}

/// What was found.
#[derive(Debug)]
pub enum Verdict {
    /// Nothing wrong in all states.
    Ok,
    /// Nothing wrong so far; not all states were looked at.
    Stopped(Stop),
    /// An `ASSUME` is false.
    FalseAssumption(Symbol),
    /// An invariant does not hold in the last state.
    Violated {
        /// The invariant.
        invariant: Symbol,
        /// How the state is reached.
        trace: Vec<TraceStep>,
    },
    /// A property does not hold.
    PropertyViolated {
        /// The property.
        property: Symbol,
        /// What violates it.
        by: ViolatedBy,
        /// The conjunct of the property that is false.
        formula: Span,
        /// How the last state, or the last step, is reached.
        trace: Vec<TraceStep>,
    },
    /// The last state has no successor.
    Deadlock(Vec<TraceStep>),
    /// Something cannot be evaluated in the last state or in a step from it.
    Failed {
        /// What.
        error: Box<TlaError>,
        /// How the state is reached.
        trace: Vec<TraceStep>,
    },
}

/// What violates a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViolatedBy {
    /// The initial state, which need not satisfy it later.
    InitialState,
    /// The last state of the trace.
    State,
    /// The step to the last state of the trace.
    Step,
}

/// Why an exploration ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// There are more states than were asked for.
    MaxStates,
    /// The budget of this thread is exhausted.
    Exhausted(Exhausted),
}

/// The end of an exploration.
#[derive(Debug)]
#[non_exhaustive]
pub struct Report {
    /// How far it got.
    pub counts: Counts,
    /// What it found.
    pub verdict: Verdict,
}

/// Explores all reachable states. `progress` is called now and then. It ends when the budget of this thread is exhausted.
///
/// # Errors
/// If an `ASSUME` or `Init` cannot be evaluated. What goes wrong later is part of the report, with the way to it.
pub fn explore(spec: &Spec, options: &Options, progress: &mut dyn FnMut(&Counts)) -> Result<Report, Box<TlaError>> {
    let stopped = |exhausted| Verdict::Stopped(Stop::Exhausted(exhausted));
    match catch(|| spec.false_assumption()) {
        Ok(Ok(None)) => {}
        Ok(Ok(Some(assumption))) => {
            return Ok(Report { counts: Counts::default(), verdict: Verdict::FalseAssumption(assumption.name) });
        }
        Ok(Err(error)) => return Err(error),
        Err(exhausted) => return Ok(Report { counts: Counts::default(), verdict: stopped(exhausted) }),
    }
    let counts = Counts { depth: 1, ..Counts::default() };
    let program = spec.program();
    if program.variables.is_empty() && program.init.is_none() && program.next.is_none() {
        // It says nothing but what it assumes.
        return Ok(Report { counts, verdict: Verdict::Ok });
    }
    let mut search = Search {
        spec,
        identity: Identity::of(spec)?,
        checks: Checks::of(spec),
        keeping: Arc::new(Keeping::of(program)),
        counts,
        seen: Seen::default(),
        sharing: Sharing::new(spec.program().variables.len()),
        queue: VecDeque::new(),
        ending: None,
    };
    let found = catch(|| search.run(options, progress));
    let verdict = match found {
        Ok(verdict) => verdict?,
        // What was found before counts, though there was no time to find the way to it again.
        Err(exhausted) => search.ending.take().map_or(stopped(exhausted), |ending| ending.kind.verdict(Vec::new())),
    };
    Ok(Report { counts: search.counts, verdict })
}

/// A state to be expanded.
struct Queued {
    state: State,
    index: Index,
    /// How many states the way to it has.
    level: u64,
}

/// Why the search ends, and where: the state itself, as a step from a state that was seen.
struct Ending {
    kind: Kind,
    from: Option<Index>,
    last: Option<State>,
}

/// What is violated by which state or step, if anything is.
type Violation = Option<(Broken, ViolatedBy)>;

enum Kind {
    Violated(Broken, ViolatedBy),
    Deadlock,
    Failed(Box<TlaError>),
}

impl Kind {
    fn verdict(self, trace: Vec<TraceStep>) -> Verdict {
        match self {
            Self::Violated(Broken::Invariant(invariant), _) => Verdict::Violated { invariant, trace },
            Self::Violated(Broken::Property { property, formula }, by) => {
                Verdict::PropertyViolated { property, by, formula, trace }
            }
            Self::Deadlock => Verdict::Deadlock(trace),
            Self::Failed(error) => Verdict::Failed { error, trace },
        }
    }
}

struct Search<'s> {
    spec: &'s Spec,
    identity: Identity<'s>,
    checks: Checks<'s>,
    keeping: Arc<Keeping>,
    counts: Counts,
    seen: Seen,
    sharing: Sharing,
    queue: VecDeque<Queued>,
    ending: Option<Ending>,
}

impl Search<'_> {
    fn run(&mut self, options: &Options, progress: &mut dyn FnMut(&Counts)) -> Result<Verdict, Box<TlaError>> {
        const EXPANSIONS_BETWEEN_REPORTS: u64 = 1024;
        self.begin()?;
        if options.workers > 1 && self.ending.is_none() {
            if let Some(stopped) = self.run_in_parallel(options, progress)? {
                return Ok(stopped);
            }
            return self.ended();
        }
        let mut next = self.spec.flat_next();
        let mut expansions = 0u64;
        while self.ending.is_none() {
            let Some(from) = self.queue.pop_front() else { return Ok(Verdict::Ok) };
            self.expand(&from, &mut next, options);
            self.counts.queued = self.queue.len() as u64;
            expansions += 1;
            if expansions.is_multiple_of(EXPANSIONS_BETWEEN_REPORTS) {
                progress(&self.counts);
            }
            if self.ending.is_some() {
                break;
            }
            poll();
            if options.max_states.is_some_and(|most| self.counts.distinct >= most) && !self.queue.is_empty() {
                return Ok(Verdict::Stopped(Stop::MaxStates));
            }
        }
        self.ended()
    }

    /// The verdict at the end, with the way to what was found.
    fn ended(&mut self) -> Result<Verdict, Box<TlaError>> {
        let Some(Ending { from, last, .. }) = &self.ending else { return Ok(Verdict::Ok) };
        let trace = trace::find(self.spec, &mut self.identity, &self.seen, *from, last.clone())?;
        Ok(self.ending.take().map_or(Verdict::Ok, |ending| ending.kind.verdict(trace)))
    }

    /// Expands the queue with several threads until it is empty or something is found; gives why it stopped before.
    fn run_in_parallel(
        &mut self,
        options: &Options,
        progress: &mut dyn FnMut(&Counts),
    ) -> Result<Option<Verdict>, Box<TlaError>> {
        thread::scope(|scope| {
            let crew = Crew::start(scope, self.spec, options.workers)?;
            Ok(self.run_with(crew, options, progress))
        })
    }

    fn run_with(
        &mut self,
        mut crew: Crew<'_, '_>,
        options: &Options,
        progress: &mut dyn FnMut(&Counts),
    ) -> Option<Verdict> {
        while let Some(level) = self.queue.front().map(|first| first.level) {
            let turn = self.queue.iter().take(crew.turn()).take_while(|next| next.level == level);
            let states: Vec<Queued> = self.queue.drain(..turn.count()).collect();
            self.spec.enter_level(level);
            let (states, expanded) = crew.expand(states, &mut self.seen);
            let mut left = states.len();
            for (from, expanded) in states.iter().zip(expanded) {
                self.merge(from, expanded, options);
                left -= 1;
                self.counts.queued = (left + self.queue.len()) as u64;
                if self.ending.is_some() {
                    return None;
                }
                if options.max_states.is_some_and(|most| self.counts.distinct >= most) && self.counts.queued > 0 {
                    return Some(Verdict::Stopped(Stop::MaxStates));
                }
            }
            progress(&self.counts);
            poll();
        }
        None
    }

    /// Takes up what a thread found about a state's successors.
    fn merge(&mut self, from: &Queued, expanded: Expanded, options: &Options) {
        let before = self.counts.generated;
        for Event { generated, state, what } in expanded.events {
            self.counts.generated = before + generated;
            let kind = match what {
                What::New(fingerprint, _) if !self.enter_as(Some(from), &state, fingerprint) => continue,
                What::New(_, Ok(None)) => continue,
                What::New(_, Ok(Some(broken))) => Kind::Violated(broken, ViolatedBy::State),
                What::Violated(broken, by) => Kind::Violated(broken, by),
                What::New(_, Err(error)) | What::Failed(error) => Kind::Failed(error),
            };
            return self.end(kind, Some(from.index), Some(state));
        }
        self.counts.generated = before + expanded.generated;
        if let Some(error) = expanded.failed {
            self.end(Kind::Failed(error), Some(from.index), None);
        } else if options.check_deadlock && expanded.generated == 0 {
            self.end(Kind::Deadlock, Some(from.index), None);
        }
    }

    /// Takes up the initial states.
    fn begin(&mut self) -> Result<(), Box<TlaError>> {
        let spec = self.spec;
        spec.enter_level(1);
        spec.init_candidates(&mut |candidate| self.visit(None, &candidate))
    }

    /// Takes up a state's successors.
    fn expand(&mut self, from: &Queued, next: &mut Option<Flat<'_>>, options: &Options) {
        let before = self.counts.generated;
        let spec = self.spec;
        spec.enter_level(from.level);
        let keeping = Arc::clone(&self.keeping);
        let visit = &mut |candidate: Candidate<'_>| self.visit(Some(from), &candidate);
        let result = spec.flat_candidates(next.as_mut(), &keeping, &from.state, visit);
        if let Err(error) = result {
            self.end(Kind::Failed(error), Some(from.index), None);
        } else if options.check_deadlock && self.counts.generated == before {
            self.end(Kind::Deadlock, Some(from.index), None);
        }
    }

    /// Takes up one state: counts it, and if it is new, checks and queues it.
    fn visit(&mut self, from: Option<&Queued>, candidate: &Candidate<'_>) -> ControlFlow<()> {
        self.counts.generated += 1;
        let parent = from.map(|from| from.index);
        match self.take_up(from, candidate) {
            Ok(None) => ControlFlow::Continue(()),
            Ok(Some((broken, by))) => {
                self.end(Kind::Violated(broken, by), parent, Some(candidate.state()));
                ControlFlow::Break(())
            }
            Err(error) => {
                self.end(Kind::Failed(error), parent, Some(candidate.state()));
                ControlFlow::Break(())
            }
        }
    }

    /// Gives what a state or the step to it violates. As in TLC, invariants are checked in new states and in those outside of the
    /// constraints, and what properties say of steps for all steps, also to states that are known.
    fn take_up(&mut self, from: Option<&Queued>, candidate: &Candidate<'_>) -> Result<Violation, Box<TlaError>> {
        let spec = self.spec;
        // With neither a view or symmetry nor a look at steps, a fingerprint that was seen tells all: no state needs to be made.
        let by_state_alone = self.identity.is_plain() && spec.program().action_constraints.is_empty();
        let plain = by_state_alone && !self.checks.look_at_steps();
        if plain && self.seen.contains(candidate.fingerprint()) {
            return Ok(None);
        }
        let state = self.sharing.state(candidate);
        let inside = spec.satisfies_constraints(&state)?
            && match from {
                Some(from) => spec.satisfies_action_constraints(&from.state, &state)?,
                None => true,
            };
        let is_new = !inside || self.enter(from, &state)?;
        if is_new {
            if let Some(broken) = self.checks.broken_in(&state)? {
                return Ok(Some((broken, ViolatedBy::State)));
            }
            if from.is_none() {
                let broken = self.checks.broken_initially(&state)?;
                return Ok(broken.map(|broken| (broken, ViolatedBy::InitialState)));
            }
        }
        let Some(from) = from else { return Ok(None) };
        let broken = self.checks.broken_by_step(&from.state, &state)?;
        Ok(broken.map(|broken| (broken, ViolatedBy::Step)))
    }

    /// Queues a state unless it was seen. Gives whether it is new.
    fn enter(&mut self, from: Option<&Queued>, state: &State) -> Result<bool, Box<TlaError>> {
        let fingerprint = self.identity.fingerprint(state)?;
        Ok(self.enter_as(from, state, fingerprint))
    }

    fn enter_as(&mut self, from: Option<&Queued>, state: &State, fingerprint: Fingerprint) -> bool {
        let Some(index) = self.seen.insert(fingerprint, from.map(|from| from.index)) else { return false };
        self.counts.distinct += 1;
        let level = from.map_or(1, |from| from.level + 1);
        self.counts.depth = self.counts.depth.max(level);
        self.queue.push_back(Queued { state: state.clone(), index, level });
        true
    }

    fn end(&mut self, kind: Kind, from: Option<Index>, last: Option<State>) {
        self.ending.get_or_insert(Ending { kind, from, last });
    }
}
