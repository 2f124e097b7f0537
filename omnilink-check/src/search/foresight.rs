//! Seeing that an event can never happen, and that one need not wait.
//!
//! An event that is viable must come before everything that began after it had ended, so what can come before it is a
//! handful of events, its *window*. Some of them change nothing that matters to it (`omnilink_tla::spec::Footprint`). With
//! that:
//!
//! - **A configuration is hopeless** if one of its viable events must happen, is refused, and stays refused: each event of the
//!   window that could change what it is refused for is refused itself, for something that nothing else in the window
//!   changes. So none of these can be the first to happen.
//! - **An event need not wait** if it can happen and each event of the window that could come between (it matters which of
//!   the two comes first) is refused in the same sense. Every order of the rest has it somewhere; all that comes before it
//!   there can as well come after it. So this is the only move worth a look, and the configurations that the others lead to
//!   first are never seen.
//!
//! For a queue: while 1 is at its front, `Dequeue(2)` is refused until somebody takes the 1; if nobody does who may come
//! before, that is the end. And `Dequeue(1)` need not wait: `Enqueue` changes the other end, `Dequeue(2)` cannot be first.
//!
//! An order is lost by neither, and neither is a configuration that got furthest: of two moves that do not mind each other,
//! the one that was passed over is still made later, and a hopeless configuration is left only if nothing above it could
//! get as far as somebody has been. What *could* be lost is that something in between cannot be evaluated; but an event that
//! is refused stays so, whatever that would have been: what else would be an error may then be rejected.
//!
//! All this costs time, so it begins when a search has made many moves in vain, and pauses where it does not help.

use std::ops::ControlFlow;
use std::sync::Arc;

use omnilink_tla::State;
use omnilink_tla::spec::{Entry, Footprint, Refusal, VariableId};

use super::recent::Recent;
use super::{Kind, Limits, Move, Placement, Problem, Progress, Reached};
use crate::history::{ChoiceId, Event, EventRef, History, Lane};

/// How many events there may be in a window.
const WIDEST: usize = 256;
/// After how many looks it is asked whether they helped, and one in how many has to.
const TRIAL: u64 = 1 << 12;
const ENOUGH: u64 = 1 << 5;

/// What is known about the future of events.
pub(super) struct Foresight {
    /// The lanes' events begin and end in the order recorded: else windows cannot be told.
    is_able: bool,
    /// How many moves must have been made in vain.
    from: u64,
    /// How many, after the next trial that does not help.
    pause: u64,
    /// How many hopeless configurations are still gone on from.
    curiosity: u64,
    looks: u64,
    hits: u64,
    footprints: Recent<Option<Arc<Footprint>>>,
    sights: Recent<Option<Sight>>,
}

/// What is to be expected in a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outlook {
    /// Anything.
    Open,
    /// No order; at most so many events can be placed before that is seen.
    Hopeless { room: u64 },
    /// An order, if any, also after this move.
    Only(Move),
}

/// What is known about an event.
struct Sight {
    /// By lane, where its window ends.
    until: Vec<u32>,
    /// Where it is refused, and what keeps it refused there.
    refused: Vec<(Entry, Barrier)>,
    /// What keeps others from coming first.
    first: Barrier,
}

/// Events that must not be the next to happen for something to stay as it is.
struct Barrier {
    /// Sequences with something in them.
    filled: Vec<VariableId>,
    others: Vec<Other>,
}

/// One of these.
struct Other {
    event: EventRef,
    choice: ChoiceId,
    /// It may have had no effect.
    optional: bool,
    /// Where it may be refused for something that none but such events change.
    refused: Vec<Entry>,
}

/// An event of a window; without a footprint it may do anything.
struct Beside {
    event: EventRef,
    choice: ChoiceId,
    optional: bool,
    footprint: Option<Arc<Footprint>>,
}

impl Foresight {
    pub fn new(problem: &Problem<'_>, limits: &Limits) -> Self {
        let is_able = !problem.use_view && !problem.honour_constraints && is_in_order(problem.history);
        Self {
            is_able,
            from: limits.reduce_after,
            pause: TRIAL,
            curiosity: limits.explored_dead_ends,
            looks: 0,
            hits: 0,
            footprints: Recent::new(),
            sights: Recent::new(),
        }
    }

    /// Whether to look, given how far the search is. That it takes a few more moves than there are events is nothing to look
    /// ahead for.
    #[inline]
    pub fn is_due(&self, progress: &Progress) -> bool {
        let normal = progress.placed + progress.placed / 4;
        self.is_able && progress.configurations.saturating_sub(normal) >= self.from
    }

    /// What is to be expected in a configuration, given its moves.
    pub fn look(&mut self, problem: &Problem<'_>, placement: &Placement, state: &State, moves: &[Move]) -> Outlook {
        for lane in placement.viable() {
            let event = problem.place(placement, lane as u32);
            let Some((sight, choice)) = self.sight(problem, event) else { continue };
            let Some(at) = problem.refusal(choice, state) else { continue };
            let barrier = sight.refused.iter().find(|(entry, _)| *entry == at).map(|(_, barrier)| barrier);
            if let Some(barrier) = barrier.filter(|barrier| barrier.holds(problem, placement, state)) {
                return Outlook::Hopeless { room: barrier.room(&sight.until, placement) };
            }
        }
        let need_not_wait = |it: &&Move| {
            it.kind == Kind::Happen(0)
                && self
                    .sight(problem, problem.place(placement, it.lane))
                    .is_some_and(|(sight, _)| sight.first.holds(problem, placement, state))
                && can_happen(problem, placement, state, **it)
        };
        match moves {
            [] | [_] => Outlook::Open,
            moves => moves.iter().find(need_not_wait).map_or(Outlook::Open, |it| Outlook::Only(*it)),
        }
    }

    /// Whether to leave a hopeless configuration. As long as one is curious, not if something above it could be among those
    /// that got furthest.
    pub fn gives_up(&mut self, placed: u64, room: u64, furthest: u64) -> bool {
        let is_over = placed + room < furthest || self.curiosity == 0 && placed < furthest;
        self.curiosity -= u64::from(!is_over && self.curiosity > 0);
        is_over
    }

    /// Notes whether a look helped. If they seldom do, they wait until many more moves were in vain.
    pub fn note(&mut self, helped: bool) {
        self.looks += 1;
        self.hits += u64::from(helped);
        if self.looks == TRIAL {
            if self.hits < TRIAL / ENOUGH {
                self.pause = self.pause.saturating_mul(2);
                self.from = self.from.saturating_add(self.pause);
            }
            (self.looks, self.hits) = (0, 0);
        }
    }

    /// What is known about an event, if it is one that has to happen, in one way.
    fn sight(&mut self, problem: &Problem<'_>, event: EventRef) -> Option<(&Sight, ChoiceId)> {
        let it = problem.history.event(event);
        if !it.one_step || it.optional {
            return None;
        }
        if self.sights.get(event).is_none() {
            let sight = self.see(problem, event, it);
            self.sights.set(event, sight);
        }
        let choice = problem.history.choice(it, 0).0;
        Some((self.sights.get(event)?.as_ref()?, choice))
    }

    fn see(&mut self, problem: &Problem<'_>, place: EventRef, event: &Event) -> Option<Sight> {
        let footprint = self.footprint(problem, place, event)?;
        let window = self.window(problem, place, event)?;
        let refused = footprint.refusals.iter().map(|refusal| {
            let window = if refusal.is_final() { &[] } else { window.as_slice() };
            (refusal.at, Barrier::against(window, |other| other.disturbs(refusal), refusal.fronts().collect()))
        });
        let first = Barrier::against(&window, |other| footprint.minds(other), footprint.fronts().collect());
        let mut until: Vec<u32> = problem.history.lanes.iter().map(|lane| begun_by(lane, event.end) as u32).collect();
        until[place.lane as usize] = place.at;
        Some(Sight { until, refused: refused.collect(), first })
    }

    /// The events that may be left when an event is viable, and come before it.
    fn window(&mut self, problem: &Problem<'_>, place: EventRef, event: &Event) -> Option<Vec<Beside>> {
        let span = |others: &Lane| {
            let from = others.events.partition_point(|other| other.end < event.start);
            from..begun_by(others, event.end)
        };
        let lanes = (0u32..).zip(&problem.history.lanes).filter(|(lane, _)| *lane != place.lane);
        let spans: Vec<_> = lanes.map(|(lane, others)| (lane, span(others))).collect();
        if spans.iter().map(|(_, span)| span.len()).sum::<usize>() > WIDEST {
            return None;
        }
        let events = spans.into_iter().flat_map(|(lane, span)| span.map(move |at| EventRef { lane, at: at as u32 }));
        let beside = events.map(|event| {
            let it = problem.history.event(event);
            let (choice, optional) = (problem.history.choice(it, 0).0, it.optional);
            Beside { event, choice, optional, footprint: self.footprint(problem, event, it) }
        });
        Some(beside.collect())
    }

    fn footprint(&mut self, problem: &Problem<'_>, place: EventRef, event: &Event) -> Option<Arc<Footprint>> {
        if self.footprints.get(place).is_none() {
            let choice = problem.history.choice(event, 0).0;
            let footprint = if event.one_step { problem.footprint(choice).map(Arc::new) } else { None };
            self.footprints.set(place, footprint);
        }
        self.footprints.get(place)?.clone()
    }
}

impl Barrier {
    /// What keeps from happening those events of a window that some relation holds for, given sequences that must have
    /// something in them besides.
    fn against(window: &[Beside], concerns: impl Fn(&Footprint) -> bool, filled: Vec<VariableId>) -> Self {
        let is_concerned = |beside: &&Beside| beside.footprint.as_deref().is_none_or(&concerns);
        let (concerned, rest): (Vec<_>, Vec<_>) = window.iter().partition(is_concerned);
        let mut barrier = Self { filled, others: Vec::new() };
        for &Beside { event, choice, optional, ref footprint } in concerned {
            let stays = |refusal: &&Refusal| {
                let mut rest = rest.iter().filter_map(|it| it.footprint.as_deref());
                !rest.any(|it| it.disturbs(refusal))
            };
            let refusals: Vec<_> = footprint.iter().flat_map(|it| &it.refusals).filter(stays).collect();
            barrier.filled.extend(refusals.iter().flat_map(|refusal| refusal.fronts()));
            let refused = refusals.iter().map(|refusal| refusal.at).collect();
            barrier.others.push(Other { event, choice, optional, refused });
        }
        barrier.filled.sort_unstable();
        barrier.filled.dedup();
        barrier
    }

    /// Whether none of the events that are left can happen.
    fn holds(&self, problem: &Problem<'_>, placement: &Placement, state: &State) -> bool {
        let is_left = |other: &&Other| placement.at(other.event.lane as usize) <= other.event.at;
        let is_refused = |other: &Other| {
            !other.refused.is_empty()
                && problem.refusal(other.choice, state).is_some_and(|at| other.refused.contains(&at))
        };
        self.filled.iter().all(|&variable| state.has_front(variable))
            && self.others.iter().filter(is_left).all(is_refused)
    }

    /// How many events can still be placed if none of these happens, given where the window ends in each lane.
    fn room(&self, until: &[u32], placement: &Placement) -> u64 {
        let rooms = until.iter().zip(placement.positions()).enumerate().map(|(lane, (&until, &at))| {
            let bars = |other: &&Other| other.event.lane as usize == lane && other.event.at >= at && !other.optional;
            let until = self.others.iter().filter(bars).fold(until, |until, other| until.min(other.event.at));
            u64::from(until.saturating_sub(at))
        });
        rooms.sum()
    }
}

/// How many events of a lane had begun by a time.
fn begun_by(lane: &Lane, time: u64) -> usize {
    lane.events.partition_point(|event| event.start <= time)
}

fn can_happen(problem: &Problem<'_>, placement: &Placement, state: &State, it: Move) -> bool {
    let mut found = false;
    let steps = problem.successors(placement, state, it, |_: Reached<'_>| {
        found = true;
        ControlFlow::Break(())
    });
    found && steps.is_ok()
}

fn is_in_order(history: &History) -> bool {
    let in_order = |pair: &[Event]| pair[0].start <= pair[1].start && pair[0].end <= pair[1].end;
    history.lanes.iter().all(|lane| lane.events.windows(2).all(in_order))
}
