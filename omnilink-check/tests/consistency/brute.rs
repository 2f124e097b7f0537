//! The definition of criteria, word for word: some linearization and some visibility satisfy all axioms, and all results follow.

use omnilink_check::consistency::{Criteria, Criterion, Relation, Witness};
use omnilink_check::model::{Call, Outcome};

use crate::toys::{Input, Toy};

/// A relation between calls: pairs as bits.
type Pairs = [u8; 8];

pub struct Brute<'a> {
    pub toy: Toy,
    pub calls: &'a [Call<Input, i64>],
    pub criteria: &'a Criteria,
}

impl Brute<'_> {
    /// Whether the history satisfies the criteria.
    pub fn is_satisfied(&self) -> bool {
        let count = self.calls.len();
        assert!(count <= 8, "pairs have eight bits");
        let optional: Vec<usize> = (0..count).filter(|&it| self.calls[it].outcome == Outcome::Indeterminate).collect();
        (0..1_u32 << optional.len()).any(|left_out| {
            let is_out =
                |it: &usize| optional.iter().position(|one| one == it).is_some_and(|at| left_out >> at & 1 == 1);
            let happened: Vec<usize> = (0..count).filter(|it| !is_out(it)).collect();
            self.linearizations(&mut Vec::new(), &happened)
        })
    }

    fn linearizations(&self, order: &mut Vec<usize>, happened: &[usize]) -> bool {
        if order.len() == happened.len() {
            return self.visibilities(order, &mut [0; 8], 0);
        }
        happened.iter().any(|&next| {
            let is_left = |call: &&usize| !order.contains(call);
            let has_to_wait = happened.iter().filter(is_left).any(|&other| self.is_before_in_lane(other, next));
            if order.contains(&next) || has_to_wait {
                return false;
            }
            order.push(next);
            let found = self.linearizations(order, happened);
            order.pop();
            found
        })
    }

    /// Tries every set of earlier calls for the calls from a place on.
    fn visibilities(&self, order: &[usize], vis: &mut Pairs, place: usize) -> bool {
        if place == order.len() {
            return self.holds(order, vis);
        }
        let call = order[place];
        (0..1_u32 << place).any(|set| {
            let sees: Vec<usize> = (0..place).filter(|at| set >> at & 1 == 1).map(|at| order[at]).collect();
            if !self.explains(&sees, call) {
                return false;
            }
            vis[call] = sees.iter().fold(0, |bits, seen| bits | 1 << seen);
            self.visibilities(order, vis, place + 1)
        })
    }

    /// Whether a call's result follows from these calls.
    fn explains(&self, sees: &[usize], call: usize) -> bool {
        let is_strong = |call: usize| self.criterion(call).is_strong();
        let mut states = vec![Vec::new()];
        for &seen in sees {
            let output = self.calls[seen].output.filter(|_| is_strong(call) && is_strong(seen));
            states = self.after(&states, seen, output);
        }
        !self.after(&states, call, self.calls[call].output).is_empty()
    }

    fn after(&self, states: &[Vec<i64>], call: usize, output: Option<i64>) -> Vec<Vec<i64>> {
        let outcomes = states.iter().flat_map(|state| self.toy.outcomes(state, self.calls[call].input));
        let mut after: Vec<_> = outcomes
            .filter(|(_, result)| output.is_none_or(|output| output == *result))
            .map(|(next, _)| next)
            .collect();
        after.sort_unstable();
        after.dedup();
        after
    }

    fn criterion(&self, call: usize) -> &Criterion {
        self.criteria.of(self.calls[call].input.0)
    }

    /// Whether all axioms hold. A relation has, for each call, the bits of those related to it.
    fn holds(&self, order: &[usize], vis: &Pairs) -> bool {
        let pairs = |relates: &dyn Fn(usize, usize) -> bool| {
            let mut pairs = [0; 8];
            for &second in order {
                pairs[second] =
                    order.iter().filter(|&&first| relates(first, second)).fold(0, |bits, first| bits | 1 << first);
            }
            pairs
        };
        let place = |call: usize| order.iter().position(|other| *other == call);
        let po = pairs(&|first, second| self.is_before_in_lane(first, second));
        let hb = pairs(&|first, second| self.precedes(first, second));
        let lin = pairs(&|first, second| place(first) < place(second));
        let of = |relation: Relation| match relation {
            Relation::Po => po,
            Relation::Hb => hb,
            Relation::Lin => lin,
            Relation::Vis => *vis,
        };
        let contains = |large: &Pairs, small: &Pairs, second: usize| small[second] & !large[second] == 0;
        let always = order.iter().all(|&call| contains(&lin, &po, call) && contains(&lin, vis, call));
        always
            && order.iter().all(|&call| {
                self.criterion(call).axioms.iter().all(|axiom| {
                    let mut related: u8 = 1 << call;
                    for relation in axiom.right.iter().rev() {
                        let pairs = of(*relation);
                        related = (0..8).filter(|at| related >> at & 1 == 1).fold(0, |bits, at| bits | pairs[at]);
                    }
                    related & !of(axiom.left)[call] == 0
                })
            })
    }

    fn is_before_in_lane(&self, first: usize, second: usize) -> bool {
        let (one, other) = (&self.calls[first], &self.calls[second]);
        one.thread == other.thread && one.start < other.start
    }

    fn precedes(&self, first: usize, second: usize) -> bool {
        self.is_before_in_lane(first, second) || self.calls[first].end.is_some_and(|end| end < self.calls[second].start)
    }

    /// Whether a witness is one.
    pub fn is_witness(&self, witness: &Witness) -> bool {
        let order: Vec<usize> = witness.order.iter().map(|seeing| seeing.call).collect();
        let mut vis = [0; 8];
        let is_there = |call: usize| order.contains(&call) || self.calls[call].outcome == Outcome::Indeterminate;
        let explained = witness.order.iter().enumerate().all(|(place, seeing)| {
            let sees = seeing.sees.as_deref().unwrap_or(&order[..place]);
            vis[seeing.call] = sees.iter().fold(0, |bits, seen| bits | 1 << seen);
            seeing.sees.is_none() == self.criterion(seeing.call).is_strong() && self.explains(sees, seeing.call)
        });
        explained && self.holds(&order, &vis) && (0..self.calls.len()).all(is_there)
    }
}
