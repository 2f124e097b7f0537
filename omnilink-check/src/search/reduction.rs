//! Leaving moves out: dead-end detection and partial-order reduction.
//!
//! An event that is viable must come before everything that began after it had ended. So only a few events can come before it:
//! its *window*. Some of them do not affect it (`Footprint`). With that:
//!
//! - **Dead-end detection.** A configuration is a dead end if one of its viable events must happen, is refused, and stays
//!   refused: each event of the window that could change the refusing condition is refused itself, for a condition that
//!   nothing else in the window changes. So none of these can be the first to happen.
//! - **Partial-order reduction.** If an event can happen, and each event of the window that depends on it (their order matters)
//!   is refused in the same sense, its move alone is a persistent set (Godefroid, LNCS 1032, 1996; Valmari's stubborn
//!   sets, 1991). Every order of the rest contains it somewhere, and all that comes before it there can as well come after
//!   it. So this is the only move to try, and the configurations that the other moves lead to are never visited.
//!
//! For a queue: while 1 is at its front, `Dequeue(2)` is refused until the 1 is dequeued; if no event that may come before does
//! that, the configuration is a dead end. And `Dequeue(1)` is a persistent set: `Enqueue` changes the other end, and
//! `Dequeue(2)` cannot be first.
//!
//! Neither loses an order, and neither loses a configuration that got furthest: of two independent moves, the one that was left out
//! is still made later, and a dead end is left only if nothing above it could place as many events as were placed already. What
//! *can* be lost is an evaluation error in between; but an event that is refused stays so, whatever that error would have
//! been. So a trace that would otherwise end in an error may be rejected.
//!
//! All this costs time, so it begins when a search has made many moves in vain, and pauses where it does not help.

use std::ops::ControlFlow;
use std::sync::Arc;

use omnilink_tla::internal::analysis::{Entry, Footprint, Refusal, VariableId};

use super::event_cache::EventCache;
use super::problem::Problem;
use super::stack::MoveList;
use super::{Deepest, Kind, Limits, Move, Placement, Progress};
use crate::timeline::{ChoiceId, Event, EventRef, Lane};

/// How many events there may be in a window.
const WIDEST: usize = 256;
/// After how many configurations it is asked whether reducing them helped, and for one in how many it has to.
const TRIAL: u64 = 1 << 12;
const ENOUGH: u64 = 1 << 5;

/// What is known about events' windows, and when to use it.
pub(super) struct Reduction {
    /// The lanes' events begin and end in the order recorded: else windows cannot be computed.
    is_able: bool,
    /// How many moves must have been made in vain.
    from: u64,
    /// How many more, after the next trial that does not help.
    pause: u64,
    /// From how many dead ends the search still goes on.
    explored_dead_ends: u64,
    tried: u64,
    helped: u64,
    footprints: EventCache<Option<Arc<Footprint>>>,
    analyses: EventCache<Option<Analysis>>,
}

/// What is known about the moves of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Finding {
    /// Nothing.
    Nothing,
    /// None leads to an order; at most so many events can be placed before the search gets stuck.
    DeadEnd { room: u64 },
    /// This one leads to an order, if any does.
    Persistent(Move),
}

/// What is known about an event.
struct Analysis {
    /// By lane, where its window ends.
    until: Vec<u32>,
    /// The conditions that may refuse it, and what keeps each of them false.
    refusals: Vec<(Entry, Blockade)>,
    /// What keeps the events that depend on it from coming first.
    dependent: Blockade,
}

/// Events none of which may be the next to happen, so that something stays as it is.
struct Blockade {
    /// Sequences that must not be empty.
    filled: Vec<VariableId>,
    events: Vec<Blocked>,
}

/// One of these events.
struct Blocked {
    event: EventRef,
    choice: ChoiceId,
    /// It may have had no effect.
    optional: bool,
    /// Conditions that may refuse it and that only the events of the blockade change.
    refusals: Vec<Entry>,
}

/// An event of a window; without a footprint it may do anything.
struct WindowEvent {
    event: EventRef,
    choice: ChoiceId,
    optional: bool,
    footprint: Option<Arc<Footprint>>,
}

impl Reduction {
    pub fn new(problem: &impl Problem, limits: &Limits) -> Self {
        let is_able = problem.has_footprints() && problem.timeline().is_in_order();
        Self {
            is_able,
            from: limits.reduce_after,
            pause: TRIAL,
            explored_dead_ends: limits.explored_dead_ends,
            tried: 0,
            helped: 0,
            footprints: EventCache::new(),
            analyses: EventCache::new(),
        }
    }

    /// Whether to reduce, given how far the search is. A few more moves than there are events are no reason to.
    #[inline]
    pub fn is_due(&self, progress: &Progress) -> bool {
        let normal = progress.placed + progress.placed / 4;
        self.is_able && progress.configurations.saturating_sub(normal) >= self.from
    }

    /// Takes away those moves of a configuration that need not be tried, given the dead ends found so far.
    pub fn apply<P: Problem>(
        &mut self,
        problem: &P,
        placement: &Placement,
        state: &P::State,
        moves: &mut MoveList<'_>,
        deepest: &mut Deepest<P::State, P::Arguments>,
    ) {
        let helped = match self.examine(problem, placement, state, moves.as_mut_slice()) {
            Finding::Nothing => false,
            Finding::DeadEnd { room } => {
                let is_left = self.leaves_dead_end(placement.placed, room, deepest.placed);
                if is_left {
                    deepest.leave(placement.placed + room);
                    moves.clear();
                }
                is_left
            }
            Finding::Persistent(it) => {
                moves.keep_only(it);
                true
            }
        };
        self.note(helped);
    }

    fn examine<P: Problem>(&mut self, problem: &P, placement: &Placement, state: &P::State, moves: &[Move]) -> Finding {
        for lane in placement.viable() {
            let event = problem.place(placement, lane as u32);
            let Some((analysis, choice)) = self.analysis(problem, event) else { continue };
            let Some(at) = problem.refusal(choice, state) else { continue };
            let blockade = analysis.refusals.iter().find(|(entry, _)| *entry == at).map(|(_, blockade)| blockade);
            if let Some(blockade) = blockade.filter(|blockade| blockade.holds(problem, placement, state)) {
                return Finding::DeadEnd { room: blockade.room(&analysis.until, placement) };
            }
        }
        let is_persistent = |it: &&Move| {
            it.kind == Kind::Happen(0)
                && self
                    .analysis(problem, problem.place(placement, it.lane))
                    .is_some_and(|(analysis, _)| analysis.dependent.holds(problem, placement, state))
                && can_happen(problem, placement, state, **it)
        };
        match moves {
            [] | [_] => Finding::Nothing,
            moves => moves.iter().find(is_persistent).map_or(Finding::Nothing, |it| Finding::Persistent(*it)),
        }
    }

    /// Whether to leave a dead end. As long as some are explored, not if a configuration above it could be among those that got
    /// furthest.
    fn leaves_dead_end(&mut self, placed: u64, room: u64, furthest: u64) -> bool {
        let is_left = placed + room < furthest || self.explored_dead_ends == 0 && placed < furthest;
        self.explored_dead_ends -= u64::from(!is_left && self.explored_dead_ends > 0);
        is_left
    }

    /// Notes whether moves were taken away. If they seldom are, reduction pauses until many more moves were in vain.
    fn note(&mut self, helped: bool) {
        self.tried += 1;
        self.helped += u64::from(helped);
        if self.tried == TRIAL {
            if self.helped < TRIAL / ENOUGH {
                self.pause = self.pause.saturating_mul(2);
                self.from = self.from.saturating_add(self.pause);
            }
            (self.tried, self.helped) = (0, 0);
        }
    }

    /// What is known about an event, if it is one that has to happen, in one way.
    fn analysis(&mut self, problem: &impl Problem, event: EventRef) -> Option<(&Analysis, ChoiceId)> {
        let it = problem.timeline().event(event);
        if !it.one_step || it.optional {
            return None;
        }
        if self.analyses.get(event).is_none() {
            let analysis = self.analyse(problem, event, it);
            self.analyses.set(event, analysis);
        }
        let choice = it.choice(0);
        Some((self.analyses.get(event)?.as_ref()?, choice))
    }

    fn analyse(&mut self, problem: &impl Problem, place: EventRef, event: &Event) -> Option<Analysis> {
        let footprint = self.footprint(problem, place, event)?;
        let window = self.window(problem, place, event)?;
        let refusals = footprint.refusals.iter().map(|refusal| {
            let window = if refusal.is_final() { &[] } else { window.as_slice() };
            (refusal.at, Blockade::of(window, |other| other.may_change(refusal), refusal.fronts().collect()))
        });
        let dependent = Blockade::of(&window, |other| footprint.depends_on(other), footprint.fronts().collect());
        let mut until: Vec<u32> =
            problem.timeline().lanes.iter().map(|lane| begun_by(lane, event.end) as u32).collect();
        until[place.lane as usize] = place.at;
        Some(Analysis { until, refusals: refusals.collect(), dependent })
    }

    /// The events that may be left when an event is viable, and come before it.
    fn window(&mut self, problem: &impl Problem, place: EventRef, event: &Event) -> Option<Vec<WindowEvent>> {
        let span = |others: &Lane| {
            let from = others.events.partition_point(|other| other.end < event.start);
            from..begun_by(others, event.end)
        };
        let lanes = (0u32..).zip(&problem.timeline().lanes).filter(|(lane, _)| *lane != place.lane);
        let spans: Vec<_> = lanes.map(|(lane, others)| (lane, span(others))).collect();
        if spans.iter().map(|(_, span)| span.len()).sum::<usize>() > WIDEST {
            return None;
        }
        let events = spans.into_iter().flat_map(|(lane, span)| span.map(move |at| EventRef { lane, at: at as u32 }));
        let window = events.map(|event| {
            let it = problem.timeline().event(event);
            let (choice, optional) = (it.choice(0), it.optional);
            WindowEvent { event, choice, optional, footprint: self.footprint(problem, event, it) }
        });
        Some(window.collect())
    }

    fn footprint(&mut self, problem: &impl Problem, place: EventRef, event: &Event) -> Option<Arc<Footprint>> {
        if self.footprints.get(place).is_none() {
            let choice = event.choice(0);
            let footprint = if event.one_step { problem.footprint(choice).map(Arc::new) } else { None };
            self.footprints.set(place, footprint);
        }
        self.footprints.get(place)?.clone()
    }
}

impl Blockade {
    /// The events of a window that some relation holds for, with the conditions that keep them from happening; these sequences must not be
    /// empty besides.
    fn of(window: &[WindowEvent], concerns: impl Fn(&Footprint) -> bool, filled: Vec<VariableId>) -> Self {
        let is_concerned = |other: &&WindowEvent| other.footprint.as_deref().is_none_or(&concerns);
        let (concerned, rest): (Vec<_>, Vec<_>) = window.iter().partition(is_concerned);
        let mut blockade = Self { filled, events: Vec::new() };
        for &WindowEvent { event, choice, optional, ref footprint } in concerned {
            let stays = |refusal: &&Refusal| {
                let mut rest = rest.iter().filter_map(|it| it.footprint.as_deref());
                !rest.any(|it| it.may_change(refusal))
            };
            let refusals: Vec<_> = footprint.iter().flat_map(|it| &it.refusals).filter(stays).collect();
            blockade.filled.extend(refusals.iter().flat_map(|refusal| refusal.fronts()));
            let refusals = refusals.iter().map(|refusal| refusal.at).collect();
            blockade.events.push(Blocked { event, choice, optional, refusals });
        }
        blockade.filled.sort_unstable();
        blockade.filled.dedup();
        blockade
    }

    /// Whether none of the events that are left can happen.
    fn holds<P: Problem>(&self, problem: &P, placement: &Placement, state: &P::State) -> bool {
        let is_left = |other: &&Blocked| placement.at(other.event.lane as usize) <= other.event.at;
        let is_refused = |other: &Blocked| {
            !other.refusals.is_empty()
                && problem.refusal(other.choice, state).is_some_and(|at| other.refusals.contains(&at))
        };
        self.filled.iter().all(|&variable| problem.has_front(state, variable))
            && self.events.iter().filter(is_left).all(is_refused)
    }

    /// How many events can still be placed if none of these happens, given where the window ends in each lane.
    fn room(&self, until: &[u32], placement: &Placement) -> u64 {
        let rooms = until.iter().zip(placement.positions()).enumerate().map(|(lane, (&until, &at))| {
            let bars = |other: &&Blocked| other.event.lane as usize == lane && other.event.at >= at && !other.optional;
            let until = self.events.iter().filter(bars).fold(until, |until, other| until.min(other.event.at));
            u64::from(until.saturating_sub(at))
        });
        rooms.sum()
    }
}

/// How many events of a lane had begun by a time.
fn begun_by(lane: &Lane, time: u64) -> usize {
    lane.events.partition_point(|event| event.start <= time)
}

fn can_happen<P: Problem>(problem: &P, placement: &Placement, state: &P::State, it: Move) -> bool {
    let mut found = false;
    let steps = problem.successors(placement, state, it, |_| {
        found = true;
        ControlFlow::Break(())
    });
    found && steps.is_ok()
}
