//! Calls against a model in Rust.

use std::collections::HashSet;
use std::sync::Arc;

use omnilink_budget::catch;
use thiserror::Error;

use super::calls::{self, Call};
use super::contexts::SetId;
use super::criterion::{Criteria, Criterion};
use super::linearization::Linearization;
use super::object::Object;
use super::parse::ParseError;
use super::search::{Because, DeadEnd, Found, Manner, Search};
use super::verdict::{Checked, Unexplained, Verdict, witness};
use crate::model::{Calls, CallsError, Model, Part, fingerprint, parts, validate};
use crate::search::{Control, Progress};

/// Why calls could not be checked.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ConsistencyError {
    /// The calls make no history.
    #[error(transparent)]
    Calls(#[from] CallsError),
    /// The criteria cannot be decided.
    #[error(transparent)]
    Criteria(#[from] ParseError),
    /// A criterion is for an operation that no call is of.
    #[error("there is a criterion for `{name}`, and no call is of that operation; the operations are {}", .known.join(", "))]
    UnknownOperation {
        /// The operation.
        name: String,
        /// Those that calls are of.
        known: Vec<String>,
    },
    /// Program order is not defined.
    #[error(
        "calls of thread {thread} overlap, so there is no program order; give calls that overlap different threads"
    )]
    Overlap {
        /// The thread.
        thread: u32,
    },
}

/// Whether calls satisfy criteria, which name operations as [`Model::operation`] does. Parts of the model ([`Model::partition`]) are
/// checked together, as one object that consists of them: these criteria, unlike linearizability, are not local.
///
/// # Errors
/// If the calls make no history, or if the criteria do not fit them.
pub fn check_model<M: Model>(
    model: &M,
    calls: &Calls<M::Input, M::Output>,
    criteria: &Criteria,
    manner: Manner,
    control: &mut Control<'_>,
) -> Result<Checked, ConsistencyError> {
    validate(calls.as_slice())?;
    criteria.validate()?;
    let all = calls.as_slice();
    let operations: Vec<&str> = all.iter().map(|call| model.operation(&call.input)).collect();
    all_are_known(criteria, &operations)?;
    let part = Part::new(model, calls, (0..all.len()).collect());
    if !criteria.are_strong() || !criteria.are_real_time() {
        do_not_overlap(calls, &part)?;
    }
    let (criteria, places) = calls::places(criteria, &operations);
    let mut numbers = Vec::new();
    let lanes = part.timeline.lanes.iter().enumerate().map(|(lane, events)| {
        let call = |(at, event): (usize, &crate::timeline::Event)| {
            let number = part.calls[event.first_choice as usize];
            numbers.push(number);
            Call {
                lane,
                at: at as u32,
                start: event.start,
                end: event.end,
                needed: event.needed,
                optional: event.optional,
                only_reads: event.read_only,
                recorded_reads: event.read_only,
                rules: places[number],
            }
        };
        events.events.iter().enumerate().map(call).collect()
    });
    let lanes: Vec<Vec<Call>> = lanes.collect();
    let parts = parts(model, calls);
    let mut part_of = vec![0; all.len()];
    for (part, of_part) in parts.iter().enumerate() {
        of_part.iter().for_each(|&call| part_of[call] = part);
    }
    let object = ModelObject { model, calls, numbers, parts: parts.len().max(1), part_of };
    Ok(object.check(lanes, &criteria, manner, control))
}

fn all_are_known(criteria: &Criteria, operations: &[&str]) -> Result<(), ConsistencyError> {
    let mut known: Vec<String> = operations.iter().map(|name| (*name).to_owned()).collect();
    known.sort_unstable();
    known.dedup();
    match criteria.special.iter().find(|(name, _)| !known.contains(name)) {
        Some((name, _)) => Err(ConsistencyError::UnknownOperation { name: name.clone(), known }),
        None => Ok(()),
    }
}

/// A thread whose calls overlap is spread over several lanes.
fn do_not_overlap<I, O>(calls: &Calls<I, O>, part: &Part) -> Result<(), ConsistencyError> {
    let mut threads = HashSet::new();
    for lane in &part.timeline.lanes {
        let first = &lane.events[0];
        let thread = calls.as_slice()[part.calls[first.first_choice as usize]].thread;
        if !threads.insert(thread) {
            return Err(ConsistencyError::Overlap { thread });
        }
    }
    Ok(())
}

struct ModelObject<'a, M: Model> {
    model: &'a M,
    calls: &'a Calls<M::Input, M::Output>,
    /// By number in the search: the call's own number.
    numbers: Vec<usize>,
    /// How many parts the object has.
    parts: usize,
    /// By own number: the part that the call is about.
    part_of: Vec<usize>,
}

/// The states of all parts, and what distinguishes each.
type Parts<S> = Vec<(Arc<S>, u128)>;

impl<M: Model> ModelObject<'_, M> {
    fn check(
        &self,
        lanes: Vec<Vec<Call>>,
        criteria: &[&Criterion],
        manner: Manner,
        control: &mut Control<'_>,
    ) -> Checked {
        let calls = calls::Calls::new(lanes, criteria);
        let mut progress = Progress::default();
        let found = catch(|| {
            let mut search = Search::new(&calls, self, manner, control);
            let found = search.run();
            progress = search.progress;
            match (found, search.contexts.failure.take()) {
                (Found::Linearization(order), _) => Verdict::Satisfied(witness(&order, |call| self.numbers[call])),
                (Found::Stopped(stopped), _) => Verdict::Unknown(stopped),
                (Found::Nothing, Some((call, _))) => Verdict::Contradiction { call: self.numbers[call] },
                (Found::Nothing, None) => {
                    Verdict::Violated(search.dead_ends.iter().map(|it| self.unexplained(&calls, it)).collect())
                }
            }
        });
        Checked { verdict: found.unwrap_or_else(|exhausted| Verdict::Unknown(exhausted.into())), progress }
    }

    fn unexplained(&self, calls: &calls::Calls, dead_end: &DeadEnd) -> Unexplained {
        let DeadEnd { order, call, because } = dead_end;
        let lin = Linearization::of(calls, order, SetId::EMPTY);
        let must_see = (!calls.rules(*call).is_strong).then(|| {
            let required = lin.required(*call);
            lin.order.iter().filter(|call| required.contains(**call)).map(|call| self.numbers[*call]).collect()
        });
        Unexplained {
            order: lin.order.iter().map(|call| self.numbers[*call]).collect(),
            call: self.numbers[*call],
            must_see,
            impossible: matches!(because, Because::Impossible(_)),
        }
    }

    fn step(
        &self,
        state: &Parts<M::State>,
        call: usize,
        output: Option<&M::Output>,
        visit: &mut dyn FnMut(Parts<M::State>),
    ) -> Result<(), Changed> {
        let number = self.numbers[call];
        let (input, part) = (&self.calls.as_slice()[number].input, self.part_of[number]);
        let is_read_only = self.model.is_read_only(input);
        let (before, mark) = &state[part];
        for next in self.model.step(before, input, output) {
            let next = self.marked(next);
            if is_read_only && next.1 != *mark {
                return Err(Changed);
            }
            let mut after = state.clone();
            after[part] = next;
            visit(after);
        }
        Ok(())
    }

    fn marked(&self, state: M::State) -> (Arc<M::State>, u128) {
        let mark = self.model.fingerprint(&state);
        (Arc::new(state), mark)
    }
}

/// A call changes the state, though the model says that it never does.
struct Changed;

impl<M: Model> Object for ModelObject<'_, M> {
    type State = Parts<M::State>;
    type Failure = Changed;
    type Class = usize;

    fn inits(&self) -> Vec<Parts<M::State>> {
        vec![vec![self.marked(self.model.init()); self.parts]]
    }

    fn fingerprint(&self, state: &Parts<M::State>) -> u128 {
        match state.as_slice() {
            [(_, mark)] => *mark,
            parts => fingerprint(&parts.iter().map(|(_, mark)| *mark).collect::<Vec<_>>()),
        }
    }

    fn class(&self, call: usize) -> usize {
        call
    }

    fn any_result(
        &self,
        state: &Parts<M::State>,
        call: usize,
        visit: &mut dyn FnMut(Parts<M::State>),
    ) -> Result<(), Changed> {
        self.step(state, call, None, visit)
    }

    fn own_result(
        &self,
        state: &Parts<M::State>,
        call: usize,
        visit: &mut dyn FnMut(Parts<M::State>),
    ) -> Result<(), Changed> {
        self.step(state, call, self.calls.as_slice()[self.numbers[call]].output.as_ref(), visit)
    }
}
