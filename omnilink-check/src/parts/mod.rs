//! Independent parts of a history, checked one by one.
//!
//! A search over calls of many keys tries their orders across keys, though an order within each key is all that matters. So where the
//! calls of a history fall into *parts* that have nothing to do with each other, each part is checked alone.
//!
//! **What a part is.** A [footprint](omnilink_tla::internal::analysis::Footprint) says what an action with recorded arguments reads and changes in whatever
//! state: variables, or points of functions and elements of sets. Two events are in one part if both touch the same point of a
//! variable that some event changes (`components`). It does not matter whether the specification is about keys: disjoint variables make parts, too.
//! There are no parts if the footprint of one event is not known: an argument was not recorded, the next-state relation guards the
//! action, a rule of the user is attached to it. Nor are there if points cannot be compared with each other, if constraints or a `VIEW`
//! count, or if only the order of lanes counts.
//!
//! **Rejected.** Let there be an order of all events from an initial state. The events of one part in that order are an order of the
//! part from the same state: whether an event can happen, and what it does to the points that the part touches, depends on these alone, and
//! no event of another part changes them. Precedence is the same, because it is a relation between two events: lane order, or the
//! one ended before the other began. (The search finds out precedence from the next event of each lane. This is the same relation only if the events of
//! each lane begin and end in the order recorded, so there are no parts otherwise.) So if a part has no order from any initial state,
//! there is no order at all.
//!
//! **Accepted.** Orders of all parts from one initial state are merged into one that agrees with each of them, with lane order and with
//! time (`merge`), and every step of that order is evaluated again, in the states of the whole. There may be no such order, because lane order beside
//! boxes that overlap is no interval order. Then the parts have decided nothing, and the search for an order of the whole goes on.
//!
//! **Unknown.** Parts are searched in rounds with growing limits, so that a part that is hard to decide does not keep the others from
//! being rejected. What could not be evaluated in a part leaves it undecided.

mod components;
mod merge;
mod rounds;

pub(crate) use components::Partition;
pub(crate) use rounds::{Decision, decide};

use crate::history::History;
use crate::search::SpecProblem;
use crate::timeline::EventRef;

/// Some events of a history.
#[derive(Debug)]
pub(crate) struct Part {
    /// These events alone.
    pub history: History,
    /// By lane of it: where its events are in the whole history.
    places: Vec<Vec<EventRef>>,
    /// What they have in common, as TLA+: `kv[3]`.
    pub touches: Vec<String>,
}

impl Part {
    /// Events of a history, which are in the order of their places.
    fn of(problem: &SpecProblem<'_>, events: &[EventRef], touches: Vec<String>) -> Self {
        let history = problem.history.only(events);
        let places = events.chunk_by(|one, other| one.lane == other.lane).map(<[_]>::to_vec).collect();
        Self { history, places, touches }
    }

    /// Where an event of it is in the whole history.
    fn in_whole(&self, place: EventRef) -> EventRef {
        self.places[place.lane as usize][place.at as usize]
    }
}
