//! A trace made ready for the search: per lane what may have happened, as actions of the specification with values.

use omnilink_tla::spec::ActionId;
use omnilink_tla::{Spec, Value};
use omnilink_trace::LaneId;

/// The events of a trace, by lane.
#[derive(Debug, Default)]
pub struct History {
    /// The lanes that have events, each in the order recorded.
    pub lanes: Vec<Lane>,
    choices: Vec<Choice>,
    args: Vec<Option<Value>>,
    binds: bool,
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
    first_choice: u32,
    choice_count: u16,
    /// It stands for one action, which is one step.
    pub one_step: bool,
    /// It may have taken effect or not.
    pub optional: bool,
    /// It can be seen never to change a variable, whatever the state.
    pub read_only: bool,
}

/// The end of a call that never ended.
pub const NEVER: u64 = u64::MAX;

/// One thing that an event may stand for.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// What happened.
    pub act: Act,
    first_arg: u32,
    arg_count: u16,
    /// The next-state relation allows it in every state; only its action decides.
    pub unconditional: bool,
    /// It has inner steps, and arguments that were not recorded: they are the same in all its steps.
    pub is_open: bool,
    /// The condition that the user attached to it, as a place in the conditions.
    pub condition: Option<u32>,
}

/// Tells the choices of all events apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChoiceId(pub u32);

/// What an event does to the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Act {
    /// One step of an action.
    Whole(ActionId),
    /// Any number of steps of `X_Step`, then one of `X_Done`.
    Steps {
        /// `X_Step`
        step: ActionId,
        /// `X_Done`
        done: ActionId,
    },
}

impl Act {
    /// The action that decides what its parameters are.
    pub fn decisive(self) -> ActionId {
        match self {
            Self::Whole(action) | Self::Steps { done: action, .. } => action,
        }
    }

    /// The action that it takes a step of: of a pair, `X_Step` for one of its inner steps.
    pub fn action(self, inner: bool) -> ActionId {
        match self {
            Self::Steps { step, .. } if inner => step,
            _ => self.decisive(),
        }
    }

    /// Its name as traces have it: that of a pair is without `_Done`.
    pub fn name(self, spec: &Spec) -> &str {
        let name = spec.actions().actions[self.decisive().0].name.as_str();
        match self {
            Self::Whole(_) => name,
            Self::Steps { .. } => name.strip_suffix("_Done").unwrap_or(name),
        }
    }
}

/// Where an event stands in a [`History`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventRef {
    /// Place in [`History::lanes`].
    pub lane: u32,
    /// Place in [`Lane::events`].
    pub at: u32,
}

/// What [`History::push`] makes an event of.
pub(crate) struct NewEvent<'a> {
    pub start: u64,
    pub end: u64,
    pub index: u32,
    pub optional: bool,
    pub read_only: bool,
    pub choices: &'a [NewChoice],
}

/// One of its choices.
pub(crate) struct NewChoice {
    pub act: Act,
    pub args: Vec<Option<Value>>,
    pub unconditional: bool,
    pub condition: Option<u32>,
}

impl History {
    /// Adds an event to a lane, which has to be the last one or a new one.
    pub(crate) fn push(&mut self, lane: LaneId, event: &NewEvent<'_>) {
        if self.lanes.last().is_none_or(|last| last.id != lane) {
            self.lanes.push(Lane { id: lane, events: Vec::new(), required: 0 });
        }
        let first_choice = self.choices.len() as u32;
        self.binds |= event.choices.len() > 1;
        for choice in event.choices {
            let first_arg = self.args.len() as u32;
            self.args.extend_from_slice(&choice.args);
            let arg_count = choice.args.len() as u16;
            let NewChoice { act, unconditional, condition, .. } = *choice;
            let is_open = matches!(act, Act::Steps { .. }) && choice.args.iter().any(Option::is_none);
            self.binds |= is_open;
            self.choices.push(Choice { act, first_arg, arg_count, unconditional, is_open, condition });
        }
        let lane = self.lanes.last_mut().expect("one was just added");
        lane.events.push(Event {
            start: event.start,
            end: event.end,
            needed: event.end,
            index: event.index,
            first_choice,
            choice_count: event.choices.len() as u16,
            one_step: matches!(event.choices, [NewChoice { act: Act::Whole(_), .. }]),
            optional: event.optional,
            read_only: event.read_only,
        });
        if !event.optional {
            lane.required = lane.events.len() as u32;
        }
    }

    /// The part of it from a position in each lane on, as far as it had begun at a time; what was still open then may have
    /// happened or not.
    pub(crate) fn part(&self, from: &[u32], until: u64) -> Self {
        let mut part = Self { binds: self.binds, ..Self::default() };
        for (lane, &from) in self.lanes.iter().zip(from) {
            let mut events = Vec::new();
            for event in lane.events[from as usize..].iter().take_while(|event| event.start <= until) {
                let first_choice = part.choices.len() as u32;
                for choice in self.choices(event) {
                    let first_arg = part.args.len() as u32;
                    part.args.extend_from_slice(self.args(choice));
                    part.choices.push(Choice { first_arg, ..*choice });
                }
                let is_open = event.end > until;
                let end = if is_open { NEVER } else { event.end };
                events.push(Event { first_choice, end, optional: event.optional || is_open, ..event.clone() });
            }
            part.lanes.push(Lane { id: lane.id, required: required(&events), events });
        }
        part
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

    /// What an event may stand for.
    pub fn choices(&self, event: &Event) -> &[Choice] {
        &self.choices[event.first_choice as usize..][..event.choice_count as usize]
    }

    /// One of them.
    #[inline]
    pub(crate) fn choice(&self, event: &Event, nth: u16) -> (ChoiceId, &Choice) {
        debug_assert!(nth < event.choice_count, "an event has fewer choices");
        let id = ChoiceId(event.first_choice + u32::from(nth));
        (id, &self.choices[id.0 as usize])
    }

    /// The choice of an id.
    #[inline]
    pub(crate) fn choice_of(&self, id: ChoiceId) -> &Choice {
        &self.choices[id.0 as usize]
    }

    /// Whether inner steps of some event determine what it is: which of several actions, or an argument that was not
    /// recorded.
    #[inline]
    pub(crate) fn binds(&self) -> bool {
        self.binds
    }

    /// Those of all events, in the order of [`ChoiceId`]s.
    pub(crate) fn all_choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The arguments of a choice, in the order of the action's parameters.
    pub fn args(&self, choice: &Choice) -> &[Option<Value>] {
        &self.args[choice.first_arg as usize..][..choice.arg_count as usize]
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
