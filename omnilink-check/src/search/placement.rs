//! How far each lane is placed: one half of a configuration.

use std::sync::Arc;

use smallvec::SmallVec;

use super::{ArgumentsId, Kind, Move};
use crate::timeline::{Event, Lane, NEVER, Timeline};

/// Positions in the lanes, with a hash that is adjusted as they change.
///
/// A *configuration* of the search is a placement and a state of the specification: which events have been put into the
/// order so far, and where that has led. It is the paper's `viableActions` in vector form: the order of the events behind a
/// position does not matter any more.
#[derive(Debug, Clone)]
pub(crate) struct Placement {
    at: Vec<u32>,
    /// What viability asks of each lane's next event, side by side.
    heads: Vec<Head>,
    /// What an event of each lane adds to the key.
    marks: Arc<[u128]>,
    /// By lane: what is known about its next event since it has taken inner steps.
    bound: Vec<Option<Bound>>,
    /// How many events are placed.
    pub placed: u64,
    /// Lanes whose next event is read-only.
    observers: usize,
    /// Lanes that have events left which an order has to account for.
    unfinished: usize,
    key: u128,
}

/// What is known about an event that has taken inner steps: as which of its choices, and with which arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bound {
    pub choice: u16,
    pub args: ArgumentsId,
}

/// What viability asks of a lane's next event.
#[derive(Debug, Clone, Copy)]
struct Head {
    start: u64,
    end: u64,
    needed: u64,
    /// There is one.
    is_left: bool,
    read_only: bool,
    /// All that can be done with it is to let it happen.
    is_plain: bool,
}

impl Head {
    fn of(event: Option<&Event>) -> Self {
        match event {
            Some(&Event { start, end, needed, read_only, optional, one_step, .. }) => {
                let is_plain = one_step && !optional && !read_only;
                Self { start, end, needed, is_left: true, read_only, is_plain }
            }
            None => Self { start: NEVER, end: NEVER, needed: NEVER, is_left: false, read_only: false, is_plain: false },
        }
    }
}

impl Placement {
    /// Nothing is placed.
    pub fn start(timeline: &Timeline) -> Self {
        Self::resume(timeline, &vec![0; timeline.lanes.len()])
    }

    /// From positions that were kept.
    pub fn resume(timeline: &Timeline, at: &[u32]) -> Self {
        let unfinished = timeline.lanes.iter().zip(at).filter(|(lane, at)| **at < lane.required).count();
        let passed = |(lane, &at): (usize, &u32)| mark(lane).wrapping_mul(at.into());
        let key = at.iter().enumerate().map(passed).fold(0, u128::wrapping_add);
        let placed = at.iter().map(|&at| u64::from(at)).sum();
        let next = |(lane, &at): (&Lane, &u32)| Head::of(lane.events.get(at as usize));
        let heads: Vec<Head> = timeline.lanes.iter().zip(at).map(next).collect();
        let observers = heads.iter().filter(|head| head.read_only).count();
        let marks = (0..at.len()).map(mark).collect();
        Self { at: at.to_vec(), heads, marks, bound: vec![None; at.len()], placed, observers, unfinished, key }
    }

    /// The same in a part of its timeline that begins at these positions.
    pub fn within(&self, part: &Timeline, base: &[u32]) -> Self {
        let at: Vec<u32> = self.at.iter().zip(base).map(|(at, base)| at - base).collect();
        let mut placement = Self::resume(part, &at);
        for (lane, bound) in self.bound.iter().enumerate() {
            // Of an event that began later than the part goes, nothing is left.
            placement.bind(lane, bound.filter(|_| placement.next(part, lane).is_some()));
        }
        placement
    }

    /// The positions.
    pub fn positions(&self) -> &[u32] {
        &self.at
    }

    /// The position of a lane.
    pub fn at(&self, lane: usize) -> u32 {
        self.at[lane]
    }

    /// The next event of a lane.
    pub fn next<'h>(&self, timeline: &'h Timeline, lane: usize) -> Option<&'h Event> {
        timeline.lanes[lane].events.get(self.at[lane] as usize)
    }

    /// Whether all events that an order has to account for are placed.
    pub fn is_complete(&self) -> bool {
        self.unfinished == 0
    }

    /// The key of the configuration of this placement with a state that has this fingerprint.
    #[inline]
    pub fn key_with(&self, fingerprint: u128) -> u128 {
        // The halves of a fingerprint are independent hashes; so are those of the marks.
        self.key.wrapping_add(fingerprint)
    }

    /// The key of the configuration that a move leads to, if its state has this fingerprint.
    #[inline]
    pub fn key_after(&self, timeline: &Timeline, it: Move, args: ArgumentsId, fingerprint: u128) -> u128 {
        let lane = it.lane as usize;
        let key = self.key_with(fingerprint);
        let bound = mark_bound(lane, self.bound[lane]);
        match self.binding_after(timeline, it, args) {
            None if !it.places() => key,
            None => key.wrapping_sub(bound).wrapping_add(self.marks[lane]),
            after => key.wrapping_sub(bound).wrapping_add(mark_bound(lane, after)),
        }
    }

    /// What is known about a lane's next event since it has taken inner steps.
    #[inline]
    pub fn bound(&self, lane: usize) -> Option<Bound> {
        self.bound[lane]
    }

    /// The same of all lanes.
    pub fn all_bound(&self) -> &[Option<Bound>] {
        &self.bound
    }

    /// Sets what is known about a lane's next event.
    #[inline]
    pub fn bind(&mut self, lane: usize, bound: Option<Bound>) {
        let before = std::mem::replace(&mut self.bound[lane], bound);
        if before == bound {
            return;
        }
        self.key = self.key.wrapping_sub(mark_bound(lane, before)).wrapping_add(mark_bound(lane, bound));
    }

    /// What is known about the event of a move after it: an event that may stand for several actions and has taken an inner
    /// step of one of them stands for that one, with the arguments of the step.
    #[inline]
    fn binding_after(&self, timeline: &Timeline, it: Move, args: ArgumentsId) -> Option<Bound> {
        let Kind::Inner(choice) = it.kind else { return None };
        let event = self.next(timeline, it.lane as usize)?;
        (event.choice_count > 1 || args != ArgumentsId::AS_RECORDED).then_some(Bound { choice, args })
    }

    /// Makes a move, after which this is known about its event's arguments.
    #[inline]
    pub fn make(&mut self, timeline: &Timeline, it: Move, args: ArgumentsId) {
        match self.binding_after(timeline, it, args) {
            None if !it.places() => {}
            None => self.advance(timeline, it.lane as usize),
            bound => self.bind(it.lane as usize, bound),
        }
    }

    /// Places the next event of a lane.
    #[inline]
    pub fn advance(&mut self, timeline: &Timeline, lane: usize) {
        self.bind(lane, None);
        let before = self.at[lane];
        self.at[lane] = before + 1;
        self.placed += 1;
        self.key = self.key.wrapping_add(self.marks[lane]);
        self.meet(lane, timeline);
        self.unfinished -= usize::from(before + 1 == timeline.lanes[lane].required);
    }

    /// Takes the last event of a lane back.
    #[inline]
    pub fn retreat(&mut self, timeline: &Timeline, lane: usize) {
        let before = self.at[lane];
        self.at[lane] = before - 1;
        self.placed -= 1;
        self.key = self.key.wrapping_sub(self.marks[lane]);
        self.meet(lane, timeline);
        self.unfinished += usize::from(before == timeline.lanes[lane].required);
    }

    /// Looks at what has become the next event of a lane.
    #[inline]
    fn meet(&mut self, lane: usize, timeline: &Timeline) {
        let head = Head::of(self.next(timeline, lane));
        self.observers += usize::from(head.read_only);
        self.observers -= usize::from(std::mem::replace(&mut self.heads[lane], head).read_only);
    }

    /// Whether some lane's next event is read-only.
    pub fn has_observers(&self) -> bool {
        self.observers > 0
    }

    /// The earliest end of the lanes' next events. An event may come next iff it did not begin after that: closed
    /// intervals, so that ties overlap. Within a lane the order is as recorded.
    pub fn earliest_end(&self) -> u64 {
        self.heads.iter().map(|head| head.end).min().unwrap_or(NEVER)
    }

    /// The lane whose next event ends first, if any does.
    pub fn first_to_end(&self) -> Option<usize> {
        let earliest = self.earliest_end();
        self.heads.iter().position(|head| head.is_left && head.end == earliest)
    }

    /// The lanes whose next event may come next.
    pub fn viable(&self) -> impl Iterator<Item = usize> + '_ {
        self.viable_heads().map(|(lane, _)| lane)
    }

    /// Adds a move for each of them that lets it happen, those first that are needed first, if that is all that can be done
    /// with any of them. Returns whether it is.
    pub fn plain_moves(&self, moves: &mut Vec<Move>) -> bool {
        let first = moves.len();
        for (lane, head) in self.viable_heads() {
            if !head.is_plain {
                moves.truncate(first);
                return false;
            }
            let mut at = moves.len();
            moves.push(Move { lane: lane as u32, kind: Kind::Happen(0) });
            while at > first && self.heads[moves[at - 1].lane as usize].needed > head.needed {
                moves.swap(at - 1, at);
                at -= 1;
            }
        }
        true
    }

    /// The lanes whose next event may come next, those first that are needed first.
    pub fn viable_by_need(&self) -> SmallVec<[u32; 16]> {
        let mut lanes: SmallVec<[u32; 16]> = self.viable().map(|lane| lane as u32).collect();
        lanes.sort_by_key(|&lane| self.heads[lane as usize].needed);
        lanes
    }

    fn viable_heads(&self) -> impl Iterator<Item = (usize, &Head)> + '_ {
        let earliest = self.earliest_end();
        self.heads.iter().enumerate().filter(move |(_, head)| head.is_left && head.start <= earliest)
    }

    /// Whether a lane's next event is read-only and had begun by a time.
    pub fn observes_by(&self, lane: usize, time: u64) -> bool {
        let head = &self.heads[lane];
        head.read_only && head.start <= time
    }
}

/// What an event of a lane adds to a key when it is placed. The sums of two placements are equal by accident with a
/// probability of 2⁻¹²⁸, since the lanes' numbers are unrelated.
fn mark(lane: usize) -> u128 {
    number(lane as u64)
}

/// A number for what a lane's next event is bound to; none for none.
fn mark_bound(lane: usize, bound: Option<Bound>) -> u128 {
    let Some(Bound { choice, args }) = bound else { return 0 };
    let as_choice = number(1 << 63 | (lane as u64) << 16 | u64::from(choice));
    match args {
        ArgumentsId::AS_RECORDED => as_choice,
        args => as_choice.wrapping_add(number(1 << 62 | (lane as u64) << 32 | u64::from(args.word()))),
    }
}

/// A number of 128 bits that looks unrelated to those of other words.
#[inline]
fn number(word: u64) -> u128 {
    u128::from(scramble(word ^ 0x9e37_79b9_7f4a_7c15)) << 64 | u128::from(scramble(word ^ 0xd1b5_4a32_d192_ed03))
}

/// The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA'14): every bit of the input changes half of the output's.
fn scramble(mut word: u64) -> u64 {
    word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
