//! Why a trace violates criteria: the call whose result nothing explains, and what the calls that it may see would have explained.

use super::bits::Bits;
use super::calls::Calls;
use super::linearization::Linearization;
use super::search::{Because, DeadEnd, Search};
use super::spec_object::SpecObject;
use super::visibility::Choice;
use omnilink_tla::State;

/// The linearizations that got furthest. Calls are places in [`super::Subject::places`].
#[derive(Debug, Clone)]
pub struct Rejection {
    /// How many calls they have.
    pub placed: usize,
    /// Some of them.
    pub stuck: Vec<Stuck>,
    /// No linearization at all explains the call of the first of them, whatever the other calls returned: so not all were tried, and others
    /// may have more calls.
    pub hopeless: bool,
}

/// A linearization that could not go on.
#[derive(Debug, Clone)]
pub struct Stuck {
    /// Its calls, in order.
    pub order: Vec<usize>,
    /// The call that could not come next.
    pub call: usize,
    /// Whether the criterion of the call makes it see all calls before it.
    pub sees_all: bool,
    /// The call is not possible after all calls before it, whatever its result, and calls to come see all of them.
    pub impossible: bool,
    /// Sets of calls that it may see: the largest first, then the smallest. If it sees all, that one.
    pub contexts: Vec<Context>,
    /// What the call could have been, by all sets that were looked at.
    pub possible: Vec<String>,
    /// How many sets of visible calls that is.
    pub sets: usize,
    /// Whether there are more.
    pub more_sets: bool,
}

/// Calls that another one may see.
#[derive(Debug, Clone)]
pub struct Context {
    /// The calls.
    pub sees: Vec<usize>,
    /// A state after them; none if they are not possible one after the other.
    pub state: Option<State>,
    /// What the specification allows the call to be there.
    pub possible: Vec<String>,
}

/// So many sets are looked at.
const SETS: usize = 256;
/// So many different outcomes are told.
const OUTCOMES: usize = 12;

pub(super) struct Explainer<'e, 'o, 'k, 'p> {
    pub object: &'o SpecObject<'o>,
    pub calls: &'o Calls,
    pub search: &'e mut Search<'o, 'k, 'p, SpecObject<'o>>,
}

impl Explainer<'_, '_, '_, '_> {
    /// What is told about a violation.
    pub fn rejection(&mut self) -> Rejection {
        let dead_ends = std::mem::take(&mut self.search.dead_ends);
        let stuck: Vec<_> = dead_ends.iter().map(|dead_end| self.stuck(dead_end)).collect();
        let hopeless = self.search.is_hopeless;
        Rejection { placed: stuck.first().map_or(0, |stuck| stuck.order.len()), stuck, hopeless }
    }

    fn stuck(&mut self, dead_end: &DeadEnd) -> Stuck {
        let DeadEnd { order, call, because } = dead_end;
        let number = |call: usize| self.object.numbers[call];
        let inits = self.search.contexts.inits();
        let mut lin = Linearization::of(self.calls, order, inits);
        let calls: Vec<usize> = lin.order.iter().map(|call| number(*call)).collect();
        let mut stuck = Stuck {
            order: calls.clone(),
            call: number(*call),
            sees_all: self.calls.rules(*call).is_strong,
            impossible: matches!(because, Because::Impossible(_)),
            contexts: Vec::new(),
            possible: Vec::new(),
            sets: 1,
            more_sets: false,
        };
        if let Because::Result(state) | Because::Impossible(state) = because {
            let state = self.search.contexts.states(*state).first().cloned();
            let possible = state.as_ref().map_or(Vec::new(), |state| self.object.results(state, *call));
            stuck.possible.clone_from(&possible);
            stuck.contexts.push(Context { sees: calls, state, possible });
            return stuck;
        }
        let required = lin.required(*call);
        let mut choice = Choice { lin: &mut lin, contexts: &mut self.search.contexts, call: *call };
        let (sets, are_all) = choice.allowed(required.clone(), SETS);
        let all = choice.lin.placed().clone();
        let shown = |set: &Bits| *set == all || *set == required;
        let largest = (!sets.contains(&all)).then(|| all.clone());
        for set in largest.iter().chain(&sets) {
            let states = choice.states(set);
            let states = choice.contexts.states(states);
            let mut possible: Vec<String> = Vec::new();
            for result in states.iter().flat_map(|state| self.object.results(state, *call)) {
                if !possible.contains(&result) && possible.len() < OUTCOMES {
                    possible.push(result);
                }
            }
            for result in &possible {
                if !stuck.possible.contains(result) && stuck.possible.len() < OUTCOMES {
                    stuck.possible.push(result.clone());
                }
            }
            if shown(set) {
                let sees =
                    choice.lin.order.iter().filter(|call| set.contains(**call)).map(|call| number(*call)).collect();
                stuck.contexts.push(Context { sees, state: states.first().cloned(), possible });
            }
        }
        stuck.contexts.sort_by_key(|context| std::cmp::Reverse(context.sees.len()));
        (stuck.sets, stuck.more_sets) = (sets.len() + largest.iter().len(), !are_all);
        stuck
    }
}
