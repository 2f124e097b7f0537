//! The calls of a history: who made them, in which order, and what is asked of them.

use super::axiom::Relation;
use super::bits::Bits;
use super::criterion::{Criteria, Criterion};
use crate::timeline::NEVER;

/// A call.
#[derive(Debug, Clone)]
pub(super) struct Call {
    /// Its lane, and its place there.
    pub lane: usize,
    pub at: u32,
    pub start: u64,
    /// [`crate::timeline::NEVER`] if it did not end.
    pub end: u64,
    /// By when others need it to have happened: only speed depends on it.
    pub needed: u64,
    /// It may have taken effect or not.
    pub optional: bool,
    /// It never changes the state, whatever its result.
    pub only_reads: bool,
    /// It never changes the state if it has its recorded result.
    pub recorded_reads: bool,
    /// What is asked of it, as a place in [`Calls::rules`].
    pub rules: usize,
}

/// What a criterion asks of a call.
#[derive(Debug, Clone, Default)]
pub(super) struct Rules {
    /// It sees all calls before it, and those of them that do so as well have their recorded results.
    pub is_strong: bool,
    /// It comes after all that had ended before it began.
    pub is_real_time: bool,
    /// Compositions `r` of axioms `vis >= r` that do not end with vis: what is related to the call has to be visible.
    pub required: Vec<Vec<Relation>>,
    /// Compositions `r` of axioms `vis >= r.vis`: with a visible call, what is related to that one has to be visible.
    pub closing: Vec<Vec<Relation>>,
}

impl Rules {
    fn new(criterion: &Criterion) -> Self {
        let is_strong = criterion.is_strong();
        let (mut required, mut closing) = (Vec::new(), Vec::new());
        // A strong call sees all that it can see. `lin >= r` holds of itself, as lin is transitive, or says that the call is in
        // real time.
        for axiom in criterion.axioms.iter().filter(|axiom| axiom.left == Relation::Vis && !is_strong) {
            match axiom.right.as_slice() {
                [Relation::Vis] => {}
                [before @ .., Relation::Vis] => closing.push(before.to_vec()),
                other => required.push(other.to_vec()),
            }
        }
        Self { is_strong, is_real_time: criterion.is_real_time(), required, closing }
    }

    fn factors(&self) -> impl Iterator<Item = &Relation> {
        self.required.iter().chain(&self.closing).flatten()
    }
}

/// The calls of a history, numbered lane by lane.
#[derive(Debug, Default)]
pub(super) struct Calls {
    pub all: Vec<Call>,
    /// By lane: the numbers of its calls, from and to.
    pub lanes: Vec<(usize, usize)>,
    pub rules: Vec<Rules>,
    /// By lane: how many of its calls, from the first, a linearization has to account for.
    required: Vec<u32>,
    /// By call and lane: how many calls of the lane, from the first, had ended before the call began.
    ended: Vec<u32>,
    /// What one call sees may decide what another one has to see.
    pub are_dependent: bool,
    /// An axiom mentions lin.
    pub mention_lin: bool,
    /// By call: its place in the linearization may be as late as possible.
    lazy: Vec<bool>,
    /// By call and lane: how many calls of the lane, from the first, this call and all later ones of its lane see.
    seen_on: Vec<u32>,
}

impl Calls {
    /// The calls of lanes, and the criterion of each as a place in `criteria`.
    pub fn new(lanes: Vec<Vec<Call>>, criteria: &[&Criterion]) -> Self {
        let mut calls = Self { rules: criteria.iter().map(|it| Rules::new(it)).collect(), ..Self::default() };
        for lane in lanes {
            let from = calls.all.len();
            calls.required.push(lane.iter().rposition(|call| !call.optional).map_or(0, |last| last as u32 + 1));
            calls.all.extend(lane);
            calls.lanes.push((from, calls.all.len()));
        }
        let mut is_used = vec![false; calls.rules.len()];
        calls.all.iter().for_each(|call| is_used[call.rules] = true);
        let used = || calls.rules.iter().zip(&is_used).filter(|(_, is_used)| **is_used).map(|(rules, _)| rules);
        let factors = || used().flat_map(Rules::factors);
        // Where vis ends the composition, it is the call's own.
        calls.are_dependent = factors().any(|factor| *factor == Relation::Vis);
        calls.mention_lin = factors().any(|factor| *factor == Relation::Lin);
        let latest = calls.latest_ends();
        calls.ended = calls.all.iter().flat_map(|call| calls.ended_before(call, &latest)).collect();
        calls.lazy = (0..calls.all.len()).map(|call| calls.may_be_late(call)).collect();
        calls.seen_on = calls.always_seen();
        calls
    }

    /// By call: when it and all before it in its lane had ended.
    fn latest_ends(&self) -> Vec<u64> {
        let latest = |&(from, to): &(usize, usize)| {
            self.all[from..to].iter().scan(0, |latest: &mut u64, call| {
                *latest = call.end.max(*latest);
                Some(*latest)
            })
        };
        self.lanes.iter().flat_map(latest).collect()
    }

    fn ended_before(&self, call: &Call, latest: &[u64]) -> Vec<u32> {
        let ended = |(lane, &(from, to)): (usize, &(usize, usize))| match lane == call.lane {
            true => call.at,
            false => latest[from..to].partition_point(|end| *end < call.start) as u32,
        };
        self.lanes.iter().enumerate().map(ended).collect()
    }

    /// A call that only reads and is not strong may come as late as possible. Let `c` be such a call, and `d` the next one in a linearization,
    /// which need not come after `c`. If they change places, `c` can see the same calls, and `d` the same but `c`: an axiom could
    /// ask `d` to see `c` only through lin, or through a call between them, and there is none. Contexts have the same states, because `c` changes
    /// none and is possible in all (`Search::run` makes sure). If an axiom mentions lin, others may have to see `d` because they see `c`.
    ///
    /// A later call of its lane that has to be left out at some time is left out after this one is placed, so where there is such a
    /// call this one is none of these.
    fn may_be_late(&self, call: usize) -> bool {
        let Call { lane, only_reads, optional, rules, .. } = self.all[call];
        let mut followers = call + 1..self.lanes[lane].1;
        only_reads
            && !optional
            && !self.rules[rules].is_strong
            && !self.mention_lin
            && followers.all(|follower| !self.has_to_be_left_out(follower))
    }

    /// Whether a linearization without this call has to say so: others come after it.
    pub fn has_to_be_left_out(&self, call: usize) -> bool {
        let Call { lane, at, end, optional, .. } = self.all[call];
        optional && (end != NEVER || at < self.required[lane])
    }

    fn always_seen(&self) -> Vec<u32> {
        let width = self.lanes.len();
        let mut seen = vec![u32::MAX; self.all.len() * width];
        for &(from, to) in &self.lanes {
            for call in (from..to).rev() {
                let rules = &self.rules[self.all[call].rules];
                let mut own = vec![if rules.is_strong { u32::MAX } else { 0 }; width];
                let fixed = rules
                    .required
                    .iter()
                    .filter(|path| path.iter().all(|relation| matches!(relation, Relation::Po | Relation::Hb)));
                for path in fixed {
                    let mut related = Bits::none(self.all.len());
                    related.insert(call);
                    for relation in path.iter().rev() {
                        related = self.before_all(*relation, &related);
                    }
                    for (lane, count) in own.iter_mut().enumerate() {
                        let (from, to) = self.lanes[lane];
                        // What precedes in these orders is the beginning of a lane.
                        *count = (*count).max(related.last_in(from, to).map_or(0, |last| (last - from) as u32 + 1));
                    }
                }
                for lane in 0..width {
                    let later = if call + 1 < to { seen[(call + 1) * width + lane] } else { u32::MAX };
                    seen[call * width + lane] = own[lane].min(later);
                }
            }
        }
        seen
    }

    /// How many calls of each lane, from the first, all calls from this one of its lane on see.
    pub fn seen_from(&self, call: usize) -> &[u32] {
        &self.seen_on[call * self.lanes.len()..][..self.lanes.len()]
    }

    /// The calls that precede one of these in a fixed order, which is po or hb.
    pub fn before_all(&self, relation: Relation, calls: &Bits) -> Bits {
        let mut before = Bits::none(self.all.len());
        for &(from, to) in &self.lanes {
            // The last of a lane has all that the others have before them.
            let Some(last) = calls.last_in(from, to) else { continue };
            match relation {
                Relation::Hb => {
                    for (&(from, _), &count) in self.lanes.iter().zip(self.ended(last)) {
                        before.insert_range(from, from + count as usize);
                    }
                }
                _ => before.insert_range(from, last),
            }
        }
        before
    }

    /// How many calls of each lane, from the first, had ended before this one began.
    pub fn ended(&self, call: usize) -> &[u32] {
        &self.ended[call * self.lanes.len()..][..self.lanes.len()]
    }

    /// What is asked of a call.
    pub fn rules(&self, call: usize) -> &Rules {
        &self.rules[self.all[call].rules]
    }

    /// How many calls of a lane have to come before a call in every linearization.
    pub fn must_precede(&self, call: usize, lane: usize) -> u32 {
        let Call { lane: own, at, .. } = self.all[call];
        if lane == own {
            at
        } else if self.rules(call).is_real_time {
            self.ended(call)[lane]
        } else {
            0
        }
    }

    /// Whether a call is placed as late as possible.
    pub fn is_lazy(&self, call: usize) -> bool {
        self.lazy[call]
    }

    /// The calls of a lane from a position on.
    pub fn from(&self, lane: usize, position: u32) -> std::ops::Range<usize> {
        let (from, to) = self.lanes[lane];
        from + position as usize..to
    }

    /// How many calls of a lane, from the first, a linearization has to account for.
    pub fn required(&self, lane: usize) -> u32 {
        self.required[lane]
    }

    /// Whether a linearization that is at these positions accounts for all calls that it has to.
    pub fn is_complete(&self, positions: &[u32]) -> bool {
        positions.iter().zip(&self.required).all(|(at, required)| at >= required)
    }
}

/// The different criteria of operations, and the place of each operation's among them.
pub(super) fn places<'c>(criteria: &'c Criteria, operations: &[&str]) -> (Vec<&'c Criterion>, Vec<usize>) {
    let mut all: Vec<&Criterion> = Vec::new();
    let places = operations.iter().map(|operation| {
        let criterion = criteria.of(operation);
        all.iter().position(|known| *known == criterion).unwrap_or_else(|| {
            all.push(criterion);
            all.len() - 1
        })
    });
    let places = places.collect();
    (all, places)
}
