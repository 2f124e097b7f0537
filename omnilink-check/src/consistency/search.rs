//! The search for a linearization and a visibility.
//!
//! Linearizations are extended call by call. For each call that is put at the end, the sets of calls that it may see are tried
//! ([`super::visibility`]); for a strong call, which sees all calls before it, the states after it. A *configuration* is what
//! decides how a linearization can go on.
//!
//! | rule | why it loses nothing |
//! | --- | --- |
//! | configurations that were seen are not looked at again | see `Search::key` |
//! | a weak call that only reads is placed as late as possible | see `Calls::may_be_late` |
//! | a strong call that only reads is placed as soon as it can be | see `Search::strong_read` |
//! | only minimal sets of visible calls are tried | see [`super::visibility`] |
//! | a history with a call that nothing explains is rejected at once | see [`super::alone`] |

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use omnilink_budget::poll;

use super::alone::{Alone, Explained};
use super::bits::Bits;
use super::calls::{Call, Calls};
use super::contexts::{Contexts, SetId};
use super::linearization::Linearization;
use super::object::Object;
use super::visibility::{Choice, Visibilities};
use crate::model::fingerprint;
use crate::search::{Control, KeyHasher, Progress, Stopped};

/// How the search goes. The answer is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// The order in which linearizations are extended.
    pub extension: Extension,
    /// Which sets of visible calls are tried.
    pub visibilities: Visibilities,
    /// What need not be looked at.
    pub pruning: Pruning,
    /// After how many configurations a call that nothing explained is asked about alone; then again after four times as many.
    pub alone_after: u64,
}

impl Default for Manner {
    fn default() -> Self {
        Self {
            extension: Extension::default(),
            visibilities: Visibilities::default(),
            pruning: Pruning::default(),
            alone_after: 4096,
        }
    }
}

/// What need not be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pruning {
    /// Configurations that were seen, and other places for calls that only read.
    #[default]
    On,
    /// Everything is looked at: much slower, with the same answer.
    Off,
}

/// Which of the calls that may come next is tried first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extension {
    /// The one that began first (Wing and Gong, 1993).
    WingGong,
    /// The one that has to come first, because it or a call that needs it ends first: others are placed when they are needed
    /// (Lowe, "Testing for linearizability", 2017).
    #[default]
    JustInTime,
}

/// What came of a search.
pub(super) enum Found {
    /// The calls in the order of lin, each with what it sees if it is not strong.
    Linearization(Vec<(usize, Option<Bits>)>),
    /// There is none.
    Nothing,
    Stopped(Stopped),
}

/// A linearization that could not go on.
#[derive(Debug, Clone)]
pub(super) struct DeadEnd {
    /// The calls of the linearization, with what they see if others depend on it.
    pub order: Vec<(usize, Option<Bits>)>,
    /// The call that could not come next.
    pub call: usize,
    pub because: Because,
}

/// Why a call could not come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Because {
    /// It is strong, and its result does not follow from this state after all calls before it.
    Result(SetId),
    /// Strong calls see it and all calls before it, and it is not possible in this state, whatever its result.
    Impossible(SetId),
    /// Its result follows from no set of calls that it may see.
    NothingExplainsIt,
}

/// What the next call is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Target {
    Any,
    /// This call, and before it only what has to come before it.
    Call(usize),
    /// Only calls that are late to the end.
    End,
}

#[derive(Debug, Clone, Copy)]
enum Move {
    Place(usize, Target),
    LeaveOut(usize),
}

/// A way to make a move.
struct Way {
    place: Option<(usize, Option<Bits>)>,
    leave_out: Option<usize>,
    main: Option<SetId>,
    target: Target,
}

struct Frame {
    moves: Vec<Move>,
    ways: Vec<Way>,
    /// What to go back to, if a way was taken.
    back: Option<Back>,
}

struct Back {
    placed: bool,
    left_out: Option<usize>,
    main: Option<SetId>,
    target: Target,
    forced: usize,
}

pub(super) struct Search<'o, 'k, 'p, O: Object> {
    calls: &'o Calls,
    pub contexts: Contexts<'o, O>,
    lin: Linearization<'o>,
    manner: Manner,
    control: &'k mut Control<'p>,
    /// The state after all calls so far, strong ones with their recorded results and others with any; while strong calls are left. No state, if these can
    /// be left out and would see calls that are not possible.
    main: Option<SetId>,
    target: Target,
    /// Calls that only read are placed where it suits the search.
    free_reads: bool,
    /// So many calls from the first are visible to every weak call that is still to come.
    forced: usize,
    strong_left: usize,
    /// Those of them that have to happen.
    strong_required: usize,
    weak_left: usize,
    seen: HashSet<u128, BuildHasherDefault<KeyHasher>>,
    pub progress: Progress,
    /// The linearizations that got furthest.
    pub dead_ends: Vec<DeadEnd>,
    furthest: usize,
    /// When to ask about a call alone.
    next_alone: u64,
    /// Nothing explains the calls of the dead ends, in whatever linearization.
    pub is_hopeless: bool,
}

/// So many of the furthest linearizations are kept.
const KEPT: usize = 3;

impl<'o, 'k, 'p, O: Object> Search<'o, 'k, 'p, O> {
    pub fn new(calls: &'o Calls, object: &'o O, manner: Manner, control: &'k mut Control<'p>) -> Self {
        let mut contexts = Contexts::new(object, calls);
        let inits = contexts.inits();
        let strong = || (0..calls.all.len()).filter(|&call| calls.rules(call).is_strong);
        let (strong_left, strong_required) =
            (strong().count(), strong().filter(|&call| !calls.all[call].optional).count());
        Self {
            calls,
            contexts,
            lin: Linearization::new(calls, inits),
            manner,
            control,
            main: None,
            target: Target::Any,
            free_reads: manner.pruning == Pruning::On,
            forced: 0,
            strong_left,
            strong_required,
            weak_left: calls.all.len() - strong_left,
            seen: HashSet::default(),
            progress: Progress { events: calls.all.len() as u64, ..Progress::default() },
            dead_ends: Vec::new(),
            furthest: 0,
            next_alone: manner.alone_after,
            is_hopeless: false,
        }
    }

    /// Looks for a linearization.
    ///
    /// That a call which only reads may be placed where it suits the search is so if it is possible, with some result, in
    /// every state: then contexts with it and without it, and in whatever order, have the same states. If contexts did not lose a
    /// state to such a call, the search was one of an object of which that is true, and which allows at least as
    /// much. Else the search is repeated without this.
    pub fn run(&mut self) -> Found {
        let found = self.run_once();
        if !matches!(found, Found::Nothing) || !self.contexts.excluded || self.is_hopeless {
            return found;
        }
        self.free_reads = false;
        self.seen.clear();
        self.run_once()
    }

    fn run_once(&mut self) -> Found {
        let inits = self.contexts.inits();
        let mains = match self.strong_left {
            0 => vec![None],
            _ => self.contexts.singletons(inits).into_iter().map(Some).collect(),
        };
        for main in mains {
            self.main = main;
            match self.search() {
                Found::Nothing if self.is_hopeless => break,
                Found::Nothing => {}
                found => return found,
            }
        }
        Found::Nothing
    }

    fn search(&mut self) -> Found {
        let mut frames: Vec<Frame> = Vec::new();
        match self.enter() {
            Err(found) => return found,
            Ok(frame) => frames.extend(frame),
        }
        while let Some(frame) = frames.last_mut() {
            if let Some(back) = frame.back.take() {
                self.go_back(back);
            }
            if let Some(way) = frame.ways.pop() {
                frame.back = Some(self.go(way));
                match self.enter() {
                    Err(found) => return found,
                    Ok(next) => frames.extend(next),
                }
            } else if let Some(next) = frame.moves.pop() {
                let ways = self.ways(next);
                frame.ways = ways;
            } else {
                frames.pop();
            }
        }
        Found::Nothing
    }

    /// What can be done in this configuration; none if it was seen before.
    fn enter(&mut self) -> Result<Option<Frame>, Found> {
        poll();
        if self.calls.is_complete(&self.lin.positions) {
            return Err(Found::Linearization(self.witness()));
        }
        self.advance_forced();
        let key = self.key();
        if !self.seen.insert(key) && self.manner.pruning == Pruning::On {
            return Ok(None);
        }
        self.progress.configurations += 1;
        self.progress.placed = self.progress.placed.max(self.lin.order.len() as u64);
        let Self { seen, contexts, .. } = self;
        let bytes = || seen.len() * 24 + contexts.bytes();
        self.control.check(&self.progress, bytes).map_err(Found::Stopped)?;
        if self.progress.configurations >= self.next_alone {
            self.ask_alone().map_err(Found::Stopped)?;
            if self.is_hopeless {
                return Err(Found::Nothing);
            }
        }
        let mut moves = self.moves();
        moves.reverse();
        Ok(Some(Frame { moves, ways: Vec::new(), back: None }))
    }

    /// Asks whether anything explains a call at which the search is stuck.
    fn ask_alone(&mut self) -> Result<(), Stopped> {
        let Self { calls, contexts, control, progress, seen, dead_ends, .. } = self;
        let stuck = dead_ends.iter().find(|dead_end| !calls.all[dead_end.call].optional).cloned();
        if let Some(dead_end) = stuck {
            let most = progress.configurations.saturating_mul(16);
            let mut tick = |contexts: &Contexts<'o, O>| {
                poll();
                progress.configurations += 1;
                control.check(progress, || seen.len() * 24 + contexts.bytes())
            };
            if Alone::new(calls, contexts, dead_end.call).explained(most, &mut tick)? == Explained::Never {
                *dead_ends = vec![dead_end];
                self.is_hopeless = true;
            }
        }
        self.next_alone = self.progress.configurations.saturating_mul(4);
        Ok(())
    }

    fn go(&mut self, way: Way) -> Back {
        let Way { place, leave_out, main, target } = way;
        let (was, aimed, forced) = (self.main, self.target, self.forced);
        let back = Back { placed: place.is_some(), left_out: leave_out, main: was, target: aimed, forced };
        if let Some((call, sees)) = place {
            self.count_left(call, false);
            self.lin.push(call, sees);
        }
        if let Some(call) = leave_out {
            self.count_left(call, false);
            self.lin.positions[self.calls.all[call].lane] += 1;
        }
        (self.main, self.target) = (main, target);
        back
    }

    fn go_back(&mut self, back: Back) {
        if back.placed {
            let call = *self.lin.order.last().expect("a call was placed");
            self.lin.pop();
            self.count_left(call, true);
        }
        if let Some(call) = back.left_out {
            self.lin.positions[self.calls.all[call].lane] -= 1;
            self.count_left(call, true);
        }
        (self.main, self.target, self.forced) = (back.main, back.target, back.forced);
    }

    fn count_left(&mut self, call: usize, again: bool) {
        let is_strong = self.calls.rules(call).is_strong;
        let is_required = is_strong && !self.calls.all[call].optional;
        let left = if is_strong { &mut self.strong_left } else { &mut self.weak_left };
        for (left, counts) in [(left, true), (&mut self.strong_required, is_required)] {
            *left = if again { *left + usize::from(counts) } else { *left - usize::from(counts) };
        }
    }

    /// Calls at the beginning that every weak call to come sees.
    fn advance_forced(&mut self) {
        let width = self.calls.lanes.len();
        let mut seen = vec![u32::MAX; width];
        for lane in 0..width {
            let Some(next) = self.calls.from(lane, self.lin.positions[lane]).next() else { continue };
            for (count, from_next) in seen.iter_mut().zip(self.calls.seen_from(next)) {
                *count = (*count).min(*from_next);
            }
        }
        let is_seen = |call: usize| {
            let Call { lane, at, .. } = self.calls.all[call];
            at < seen[lane]
        };
        while self.lin.order.get(self.forced).is_some_and(|&call| is_seen(call)) {
            self.forced += 1;
        }
    }

    /// What decides how the linearization can go on. Strong calls to come ask for nothing but `main`. What a weak call can see depends on the order of the calls so
    /// far, and, if calls depend on each other, on what those see. The first `forced` of them are visible to all weak calls to
    /// come, so of these only the states after them count: what they see is among them, too.
    fn key(&mut self) -> u128 {
        let main = self.main.map(SetId::number);
        if self.weak_left == 0 {
            return fingerprint(&(&self.lin.positions, self.target, main));
        }
        let states = self.lin.states_after(self.forced, &mut self.contexts).number();
        let rest = &self.lin.order[self.forced..];
        let mut sees = Vec::new();
        if self.calls.are_dependent {
            for place in self.forced..self.lin.order.len() {
                let earlier = &self.lin.order[self.forced..place];
                let sees_it = |call: &usize| self.lin.sees(place).is_some_and(|sees| sees.contains(*call));
                sees.extend(earlier.iter().map(sees_it));
            }
        }
        fingerprint(&(&self.lin.positions, self.target, main, states, rest, sees))
    }

    /// What can be done next, the first to try first.
    fn moves(&mut self) -> Vec<Move> {
        match self.target {
            Target::Call(call) if self.lin.is_ready(call) => return vec![Move::Place(call, Target::Any)],
            Target::Call(_) | Target::End => {
                let aim = match self.target {
                    Target::Call(call) => self.needs(call),
                    _ => Some(self.everything()),
                };
                let first = aim.and_then(|aim| self.first_late(&aim));
                return first.map(|call| Move::Place(call, self.target)).into_iter().collect();
            }
            Target::Any => {}
        }
        if let Some(read) = self.strong_read() {
            return vec![Move::Place(read, Target::Any)];
        }
        let mut moves = Vec::new();
        for lane in 0..self.calls.lanes.len() {
            let mut left = self.calls.from(lane, self.lin.positions[lane]);
            let next = left.clone().next();
            let Some(call) = left.find(|&call| !self.is_late(call)) else { continue };
            if self.needs(call).is_some() {
                moves.push(Move::Place(call, Target::Call(call)));
            }
            if next == Some(call) && self.calls.has_to_be_left_out(call) {
                moves.push(Move::LeaveOut(call));
            }
        }
        let key = |it: &Move| {
            let (Move::Place(call, _) | Move::LeaveOut(call)) = *it;
            let Call { start, end, needed, .. } = self.calls.all[call];
            let by_time = match self.manner.extension {
                Extension::WingGong => (start, end),
                Extension::JustInTime => (needed, end),
            };
            (matches!(it, Move::LeaveOut(_)), by_time)
        };
        moves.sort_by_key(key);
        if self.only_late_left() {
            moves.insert(0, Move::Place(usize::MAX, Target::End));
        }
        moves
    }

    fn is_late(&self, call: usize) -> bool {
        self.free_reads && self.calls.is_lazy(call)
    }

    /// Whether all calls that a linearization still has to account for are late ones, which can be placed one after the other.
    fn only_late_left(&self) -> bool {
        let everything = self.everything();
        let is_ready = |call: usize| {
            (0..everything.len()).all(|lane| {
                let before = self.calls.must_precede(call, lane);
                before <= self.lin.positions[lane].max(everything[lane])
            })
        };
        let left = |lane: usize| self.between(lane, everything[lane]);
        (0..everything.len()).flat_map(left).all(|call| self.is_late(call) && is_ready(call))
    }

    /// By lane: how many calls, from the first, are to be accounted for.
    fn everything(&self) -> Vec<u32> {
        (0..self.calls.lanes.len()).map(|lane| self.calls.required(lane)).collect()
    }

    /// The calls of a lane from its position to another.
    fn between(&self, lane: usize, to: u32) -> std::ops::Range<usize> {
        let (from, _) = self.calls.lanes[lane];
        from + self.lin.positions[lane] as usize..from + to.max(self.lin.positions[lane]) as usize
    }

    /// By lane: up to where calls have to be placed before this one can be, if these are late calls only.
    fn needs(&self, call: usize) -> Option<Vec<u32>> {
        let width = self.calls.lanes.len();
        let mut needed: Vec<u32> = (0..width).map(|lane| self.calls.must_precede(call, lane)).collect();
        loop {
            let mut more = needed.clone();
            for (lane, &to) in needed.iter().enumerate() {
                for late in self.between(lane, to) {
                    if !self.is_late(late) {
                        return None;
                    }
                    for (other, count) in more.iter_mut().enumerate() {
                        *count = (*count).max(self.calls.must_precede(late, other));
                    }
                }
            }
            if more == needed {
                return Some(needed);
            }
            needed = more;
        }
    }

    /// Of the late calls up to these positions, the one to place first: in which order they come makes no difference.
    fn first_late(&self, needed: &[u32]) -> Option<usize> {
        let first = |lane: usize| self.between(lane, needed[lane]).next();
        let ready = (0..needed.len()).filter_map(first).filter(|&call| self.lin.is_ready(call));
        ready.min_by_key(|&call| self.calls.all[call].end)
    }

    /// A strong call that only reads and can come next. Let a linearization go on in another way and place it later. If it comes
    /// next instead, it sees less, which obliges nobody to more; the states of `main` are the same; and the calls that it is moved in front of see
    /// what they saw. (If an axiom mentions lin, they may have to see it.)
    fn strong_read(&mut self) -> Option<usize> {
        let main = self.main.filter(|_| self.free_reads && !self.calls.mention_lin)?;
        (0..self.calls.lanes.len()).find_map(|lane| {
            let call = self.calls.from(lane, self.lin.positions[lane]).next()?;
            let Call { recorded_reads, optional, .. } = self.calls.all[call];
            let may = recorded_reads && !optional && self.calls.rules(call).is_strong && self.lin.is_ready(call);
            (may && self.contexts.allows(main, call)).then_some(call)
        })
    }

    /// The ways to make a move.
    fn ways(&mut self, it: Move) -> Vec<Way> {
        let (call, target) = match it {
            Move::LeaveOut(call) => {
                let main = self.main.filter(|_| self.strong_left > usize::from(self.calls.rules(call).is_strong));
                return vec![Way { place: None, leave_out: Some(call), main, target: Target::Any }];
            }
            Move::Place(_, Target::End) if self.target == Target::Any => {
                return vec![Way { place: None, leave_out: None, main: self.main, target: Target::End }];
            }
            Move::Place(call, Target::Call(aim)) if self.target == Target::Any && !self.lin.is_ready(call) => {
                return vec![Way { place: None, leave_out: None, main: self.main, target: Target::Call(aim) }];
            }
            Move::Place(call, Target::Call(aim)) if call == aim => (call, Target::Any),
            Move::Place(call, target) => (call, target),
        };
        let is_strong = self.calls.rules(call).is_strong;
        let mains: Vec<Option<SetId>> = match self.main {
            None => vec![None],
            Some(main) => {
                let after = if is_strong {
                    self.contexts.own_steps(main, call)
                } else {
                    let after = self.contexts.after(main, call);
                    match self.contexts.singletons(after) {
                        none if none.is_empty() && self.strong_required == 0 => vec![SetId::EMPTY],
                        some => some,
                    }
                };
                // Nobody asks for the state after the last strong call.
                if self.strong_left > usize::from(is_strong) {
                    after.into_iter().map(Some).collect()
                } else {
                    after.into_iter().take(1).map(|_| None).collect()
                }
            }
        };
        let sets: Vec<Option<Bits>> = if mains.is_empty() {
            Vec::new()
        } else if is_strong {
            vec![None]
        } else {
            let Self { lin, contexts, manner, .. } = self;
            Choice { lin, contexts, call }.sets(manner.visibilities).into_iter().map(Some).collect()
        };
        if sets.is_empty() {
            let because = match self.main.filter(|_| mains.is_empty()) {
                Some(main) if is_strong => Because::Result(main),
                Some(main) => Because::Impossible(main),
                None => Because::NothingExplainsIt,
            };
            self.note_dead_end(call, because);
        }
        let way = |sees: &Option<Bits>, main: &Option<SetId>| Way {
            place: Some((call, sees.clone())),
            leave_out: None,
            main: *main,
            target,
        };
        sets.iter().flat_map(|sees| mains.iter().map(move |main| way(sees, main))).collect()
    }

    fn note_dead_end(&mut self, call: usize, because: Because) {
        let placed = self.lin.order.len();
        if placed > self.furthest {
            self.dead_ends.clear();
            self.furthest = placed;
        }
        if placed < self.furthest || self.dead_ends.len() == KEPT {
            return;
        }
        let order = self.lin.order.iter().enumerate().map(|(place, &call)| (call, self.lin.sees(place).cloned()));
        self.dead_ends.push(DeadEnd { order: order.collect(), call, because });
    }

    /// The linearization, with what its calls see.
    fn witness(&mut self) -> Vec<(usize, Option<Bits>)> {
        let order = self.lin.order.clone();
        if self.calls.are_dependent {
            let sees =
                |place: usize, call: usize| self.lin.sees(place).filter(|_| !self.calls.rules(call).is_strong).cloned();
            return order.iter().enumerate().map(|(place, &call)| (call, sees(place, call))).collect();
        }
        let inits = self.contexts.inits();
        let mut lin = Linearization::new(self.calls, inits);
        let mut witness = Vec::with_capacity(order.len());
        for call in order {
            let sees = (!self.calls.rules(call).is_strong).then(|| {
                let mut choice = Choice { lin: &mut lin, contexts: &mut self.contexts, call };
                choice.sets(Visibilities::Minimal).swap_remove(0)
            });
            lin.push(call, None);
            witness.push((call, sees));
        }
        witness
    }
}
