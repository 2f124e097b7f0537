//! One order that agrees with those of the parts.
//!
//! The order of each part, lane order and time together are a relation between events. If it has no cycle, putting any event next that
//! nothing else has to precede leads to an order of all; if it has one, that gets stuck, whichever events are taken first. So
//! nothing is tried twice. An event that its part's order left out, or says to have had no effect, has no place in that order: it
//! is left out as soon as it may be.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use omnilink_tla::State;

use super::Part;
use crate::search::{ArgumentsId, Kind, Move, Placed, Placement, Problem, SpecProblem};
use crate::timeline::{EventRef, Timeline};

/// A part's order of moves, with the lanes of the whole.
struct Sequence {
    moves: Vec<(EventRef, Placed)>,
    next: usize,
}

/// An order of all events from an initial state, evaluated step by step; none if the orders do not agree.
pub(super) fn merge(problem: &SpecProblem<'_>, init: &State, orders: &[(&Part, &[Placed])]) -> Option<Vec<Placed>> {
    let mut merger = Merger::new(&problem.history.timeline, orders);
    let mut placement = Placement::start(&problem.history.timeline);
    let (mut state, mut order) = (init.clone(), Vec::with_capacity(problem.history.timeline.len()));
    while !placement.is_complete() {
        let mut placed = merger.next()?;
        if placed.branch == Placed::SAME_STATE {
            let kind = problem.observe(&placement, placed.it.lane as usize, &state).ok().flatten();
            debug_assert!(kind.is_some(), "what a part's event reads is the same in the whole");
            placed.it.kind = kind?;
        }
        let found = problem.replay(&placed, &mut placement, &state).ok().flatten();
        debug_assert!(found.is_some(), "a part's event can happen in the whole");
        state = found?;
        order.push(placed);
    }
    Some(order)
}

struct Merger<'a> {
    timeline: &'a Timeline,
    /// How many events of each lane are placed.
    at: Vec<u32>,
    /// By lane and place: which sequence an event is in, if it is in one.
    of_event: Vec<Vec<u32>>,
    sequences: Vec<Sequence>,
    /// The ends of lanes' next events; those of earlier ones, too.
    ends: BinaryHeap<Reverse<(u64, u32, u32)>>,
    /// What may come next as far as lanes and parts say, by when it began: a sequence or, beyond those, a lane.
    ready: BinaryHeap<Reverse<(u64, u32)>>,
}

/// An event that is in no sequence.
const FREE: u32 = u32::MAX;

impl<'a> Merger<'a> {
    fn new(timeline: &'a Timeline, orders: &[(&Part, &[Placed])]) -> Self {
        let of_event = timeline.lanes.iter().map(|lane| vec![FREE; lane.events.len()]).collect();
        let sequences = orders.iter().map(|(part, order)| Sequence::of(part, order)).collect();
        let at = vec![0; timeline.lanes.len()];
        let mut merger = Self { timeline, at, of_event, sequences, ends: BinaryHeap::new(), ready: BinaryHeap::new() };
        for (nth, sequence) in (0u32..).zip(&merger.sequences) {
            for (event, _) in &sequence.moves {
                merger.of_event[event.lane as usize][event.at as usize] = nth;
            }
        }
        for lane in 0..merger.at.len() as u32 {
            merger.meet(lane);
        }
        merger
    }

    /// Looks at what has become the next event of a lane.
    fn meet(&mut self, lane: u32) {
        let place = EventRef { lane, at: self.at[lane as usize] };
        let Some(event) = self.timeline.lanes[lane as usize].events.get(place.at as usize) else { return };
        self.ends.push(Reverse((event.end, lane, place.at)));
        match self.of_event[lane as usize][place.at as usize] {
            FREE => self.ready.push(Reverse((event.start, self.sequences.len() as u32 + lane))),
            sequence => self.consider(sequence, Some(place)),
        }
    }

    /// Notes that a sequence may go on, if its next event is the next of its lane, and this one if given.
    fn consider(&mut self, sequence: u32, only: Option<EventRef>) {
        let Sequence { moves, next } = &self.sequences[sequence as usize];
        let Some((event, _)) = moves.get(*next) else { return };
        if self.at[event.lane as usize] == event.at && only.is_none_or(|only| only == *event) {
            self.ready.push(Reverse((self.timeline.event(*event).start, sequence)));
        }
    }

    /// The next move, if there is one that nothing else has to precede.
    fn next(&mut self) -> Option<Placed> {
        while let Some(Reverse((_, lane, at))) = self.ends.peek()
            && self.at[*lane as usize] != *at
        {
            self.ends.pop();
        }
        let earliest = self.ends.peek().map_or(u64::MAX, |Reverse((end, ..))| *end);
        let Reverse((start, nth)) = self.ready.pop()?;
        if start > earliest {
            return None;
        }
        let Some(sequence) = self.sequences.get_mut(nth as usize) else {
            let lane = nth - self.sequences.len() as u32;
            let place = EventRef { lane, at: self.at[lane as usize] };
            if !self.timeline.event(place).optional {
                return None;
            }
            self.advance(lane);
            let it = Move { lane, kind: Kind::Skip };
            return Some(Placed { it, branch: 0, args: ArgumentsId::AS_RECORDED });
        };
        let (event, placed) = sequence.moves[sequence.next];
        sequence.next += 1;
        if placed.it.places() {
            self.advance(event.lane);
        }
        self.go_on(nth, event);
        Some(placed)
    }

    fn advance(&mut self, lane: u32) {
        self.at[lane as usize] += 1;
        self.meet(lane);
    }

    /// After a move of a sequence: its next event, unless that was considered as the next of its lane just now.
    fn go_on(&mut self, sequence: u32, moved: EventRef) {
        let Sequence { moves, next } = &self.sequences[sequence as usize];
        let Some((event, _)) = moves.get(*next) else { return };
        if event.lane != moved.lane || *event == moved {
            self.consider(sequence, None);
        }
    }
}

impl Sequence {
    /// The moves of a part's order that have a place in it.
    fn of(part: &Part, order: &[Placed]) -> Self {
        let mut at = vec![0; part.places.len()];
        let mut began = vec![false; part.places.len()];
        let mut moves = Vec::with_capacity(order.len());
        for &placed in order {
            let lane = placed.it.lane as usize;
            let event = part.in_whole(EventRef { lane: placed.it.lane, at: at[lane] });
            // That an event has no effect at all can be said anywhere.
            if placed.it.kind != Kind::Skip || began[lane] {
                let it = Move { lane: event.lane, ..placed.it };
                moves.push((event, Placed { it, ..placed }));
            }
            began[lane] = !placed.it.places();
            at[lane] += u32::from(placed.it.places());
        }
        // An event that had taken inner steps when the order was complete has no effect beyond them.
        for lane in (0..at.len()).filter(|lane| began[*lane]) {
            let event = part.in_whole(EventRef { lane: lane as u32, at: at[lane] });
            let it = Move { lane: event.lane, kind: Kind::Skip };
            moves.push((event, Placed { it, branch: 0, args: ArgumentsId::AS_RECORDED }));
        }
        Self { moves, next: 0 }
    }
}
