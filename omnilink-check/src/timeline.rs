//! The calls of a history as the search places them: lanes of events with timeboxes. What the events stand for is not here.

use omnilink_trace::LaneId;

/// Events by lane.
#[derive(Debug, Default)]
pub struct Timeline {
    /// The lanes that have events, each in the order recorded.
    pub lanes: Vec<Lane>,
    /// Inner steps of some event determine what it is: which of several choices, or an argument that was not recorded.
    pub(crate) binds: bool,
}

/// A lane's events.
#[derive(Debug)]
pub struct Lane {
    /// Its number in the trace.
    pub id: LaneId,
    /// Its events, in order.
    pub events: Vec<Event>,
    /// How many of them, from the first, an order has to account for: all up to the last that is not optional.
    pub required: u32,
}

/// A call as the search sees it.
#[derive(Debug, Clone)]
pub struct Event {
    /// When it began.
    pub start: u64,
    /// When it had ended; [`NEVER`] for a pending call.
    pub end: u64,
    /// By when other events need it to have happened: among events that may come next, the one that is needed first is
    /// tried first. Only the speed of the search depends on it.
    pub needed: u64,
    /// Its number in the recorded lane.
    pub index: u32,
    /// Where its choices begin among those of all events, and how many it has.
    pub(crate) first_choice: u32,
    pub(crate) choice_count: u16,
    /// It stands for one action, which is one step.
    pub one_step: bool,
    /// It has a choice with inner steps and arguments that were not recorded.
    pub(crate) is_open: bool,
    /// It may have taken effect or not.
    pub optional: bool,
    /// It can be seen never to change a variable, whatever the state.
    pub read_only: bool,
}

/// The end of a call that never ended.
pub const NEVER: u64 = u64::MAX;

/// Tells the choices of all events apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChoiceId(pub u32);

/// Where an event stands in a [`Timeline`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventRef {
    /// Place in [`Timeline::lanes`].
    pub lane: u32,
    /// Place in [`Lane::events`].
    pub at: u32,
}

impl Event {
    /// One of the things that it may stand for.
    #[inline]
    pub(crate) fn choice(&self, nth: u16) -> ChoiceId {
        debug_assert!(nth < self.choice_count, "an event has fewer choices");
        ChoiceId(self.first_choice + u32::from(nth))
    }
}

impl Timeline {
    /// Adds an event to a lane, which has to be the last one or a new one.
    pub(crate) fn push(&mut self, lane: LaneId, event: Event) {
        if self.lanes.last().is_none_or(|last| last.id != lane) {
            self.lanes.push(Lane { id: lane, events: Vec::new(), required: 0 });
        }
        self.binds |= event.choice_count > 1 || event.is_open;
        let lane = self.lanes.last_mut().expect("one was just added");
        let optional = event.optional;
        lane.events.push(event);
        if !optional {
            lane.required = lane.events.len() as u32;
        }
    }

    /// Adds a lane with these events.
    pub(crate) fn push_lane(&mut self, id: LaneId, events: Vec<Event>) {
        self.lanes.push(Lane { id, required: required(&events), events });
    }

    /// The same calls, of which only the order of each lane is known: all of them overlap.
    pub(crate) fn forget_time(&mut self) {
        for event in self.lanes.iter_mut().flat_map(|lane| &mut lane.events) {
            (event.start, event.end) = (0, NEVER);
        }
    }

    /// Whether the events of each lane begin and end in the order recorded.
    pub(crate) fn is_in_order(&self) -> bool {
        let in_order = |pair: &[Event]| pair[0].start <= pair[1].start && pair[0].end <= pair[1].end;
        self.lanes.iter().all(|lane| lane.events.windows(2).all(in_order))
    }

    /// Says whether an event may not have happened.
    pub(crate) fn set_optional(&mut self, place: EventRef, optional: bool) {
        let lane = &mut self.lanes[place.lane as usize];
        lane.events[place.at as usize].optional = optional;
        lane.required = required(&lane.events);
    }

    /// An event.
    pub fn event(&self, event: EventRef) -> &Event {
        &self.lanes[event.lane as usize].events[event.at as usize]
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.lanes.iter().map(|lane| lane.events.len()).sum()
    }

    /// Whether there is no event.
    pub fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }

    /// All events with their places.
    pub fn events(&self) -> impl Iterator<Item = (EventRef, &Event)> {
        self.lanes.iter().enumerate().flat_map(|(lane, events)| {
            let place = move |at: usize| EventRef { lane: lane as u32, at: at as u32 };
            events.events.iter().enumerate().map(move |(at, event)| (place(at), event))
        })
    }
}

/// How many events, from the first, an order has to account for.
fn required(events: &[Event]) -> u32 {
    events.iter().rposition(|event| !event.optional).map_or(0, |last| last as u32 + 1)
}
