//! A linearization as far as it is built, and what its calls see.

use super::axiom::Relation;
use super::bits::Bits;
use super::calls::{Calls, Rules};
use super::contexts::{Contexts, SetId};
use super::object::Object;

/// Calls in the order of lin.
pub(super) struct Linearization<'c> {
    pub calls: &'c Calls,
    /// The calls.
    pub order: Vec<usize>,
    /// By lane: how many of its calls are placed or left out.
    pub positions: Vec<u32>,
    /// By call: its place.
    place: Vec<Option<u32>>,
    placed: Bits,
    /// By place: the calls that the one there sees; empty unless others depend on it.
    sees: Vec<Option<Bits>>,
    /// The states after the first so many calls, each with any result. Shorter than the order where nobody asked.
    states: Vec<SetId>,
}

impl<'c> Linearization<'c> {
    pub fn new(calls: &'c Calls, inits: SetId) -> Self {
        let count = calls.all.len();
        Self {
            calls,
            order: Vec::with_capacity(count),
            positions: vec![0; calls.lanes.len()],
            place: vec![None; count],
            placed: Bits::none(count),
            sees: Vec::new(),
            states: vec![inits],
        }
    }

    /// Of these calls, with what they see if others depend on it.
    pub fn of(calls: &'c Calls, order: &[(usize, Option<Bits>)], inits: SetId) -> Self {
        let mut lin = Self::new(calls, inits);
        order.iter().for_each(|(call, sees)| lin.push(*call, sees.clone()));
        lin
    }

    /// Puts a call at the end. What it sees is kept if others depend on it.
    pub fn push(&mut self, call: usize, sees: Option<Bits>) {
        self.place[call] = Some(self.order.len() as u32);
        self.order.push(call);
        self.positions[self.calls.all[call].lane] += 1;
        if self.calls.are_dependent {
            let sees = if self.calls.rules(call).is_strong { Some(self.placed.clone()) } else { sees };
            self.sees.push(sees);
        }
        self.placed.insert(call);
    }

    /// Takes the last call back.
    pub fn pop(&mut self) {
        let call = self.order.pop().expect("a call was placed");
        self.place[call] = None;
        self.placed.remove(call);
        self.positions[self.calls.all[call].lane] -= 1;
        if self.calls.are_dependent {
            self.sees.pop();
        }
        self.states.truncate(self.order.len() + 1);
    }

    /// The calls that are placed.
    pub fn placed(&self) -> &Bits {
        &self.placed
    }

    /// What the call at a place sees, if that was kept.
    pub fn sees(&self, place: usize) -> Option<&Bits> {
        self.sees.get(place)?.as_ref()
    }

    /// Whether all calls that have to come before this one are placed or left out.
    pub fn is_ready(&self, call: usize) -> bool {
        (0..self.positions.len()).all(|lane| self.positions[lane] >= self.calls.must_precede(call, lane))
    }

    /// The states after the first so many calls, each with any result.
    pub fn states_after<O: Object>(&mut self, count: usize, contexts: &mut Contexts<'_, O>) -> SetId {
        while self.states.len() <= count {
            let call = self.order[self.states.len() - 1];
            let last = *self.states.last().expect("the initial states are there");
            self.states.push(contexts.after(last, call));
        }
        self.states[count]
    }

    /// The calls that have to be visible to one that comes next.
    pub fn required(&self, call: usize) -> Bits {
        let rules = self.calls.rules(call);
        let mut required = Bits::none(self.calls.all.len());
        let mut itself = required.clone();
        itself.insert(call);
        for path in &rules.required {
            required.union(&self.related(path, &itself));
        }
        self.close(rules, &mut required);
        required
    }

    /// Adds what has to be visible together with these calls.
    pub fn close(&self, rules: &Rules, visible: &mut Bits) {
        if rules.closing.is_empty() {
            return;
        }
        loop {
            let before = visible.clone();
            for path in &rules.closing {
                visible.union(&self.related(path, &before));
            }
            if *visible == before {
                return;
            }
        }
    }

    /// The calls that a composition relates to one of these.
    fn related(&self, path: &[Relation], calls: &Bits) -> Bits {
        path.iter().rev().fold(calls.clone(), |calls, relation| match relation {
            Relation::Po | Relation::Hb => {
                let mut before = self.calls.before_all(*relation, &calls);
                // Calls that are left out are related to nothing.
                before.intersect(&self.placed);
                before
            }
            Relation::Lin => {
                let mut before = Bits::none(self.calls.all.len());
                // A call that comes next is not placed yet: all are before it.
                let last = calls.iter().map(|call| self.place[call].map_or(self.order.len(), |place| place as usize));
                self.order[..last.max().unwrap_or(0)].iter().for_each(|&call| before.insert(call));
                before
            }
            Relation::Vis => {
                let mut seen = Bits::none(self.calls.all.len());
                for place in calls.iter().filter_map(|call| self.place[call]) {
                    if let Some(sees) = self.sees(place as usize) {
                        seen.union(sees);
                    }
                }
                seen
            }
        })
    }
}
