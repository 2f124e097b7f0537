//! A trace made ready for the search: per lane what may have happened, as actions of the specification with values.

use omnilink_tla::spec::ActionId;
use omnilink_tla::{Spec, Value};
use omnilink_trace::LaneId;
use smallvec::SmallVec;

use crate::order;
use crate::timeline::{ChoiceId, Event, EventRef, NEVER, Timeline};

/// The events of a trace, and what each may stand for.
#[derive(Debug, Default)]
pub struct History {
    /// When its events happened.
    pub timeline: Timeline,
    choices: Vec<Choice>,
    args: Vec<Option<Value>>,
}

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
        let first_choice = self.choices.len() as u32;
        for choice in event.choices {
            let first_arg = self.args.len() as u32;
            self.args.extend_from_slice(&choice.args);
            let arg_count = choice.args.len() as u16;
            let NewChoice { act, unconditional, condition, .. } = *choice;
            let is_open = matches!(act, Act::Steps { .. }) && choice.args.iter().any(Option::is_none);
            self.choices.push(Choice { act, first_arg, arg_count, unconditional, is_open, condition });
        }
        let event = Event {
            start: event.start,
            end: event.end,
            needed: event.end,
            index: event.index,
            first_choice,
            choice_count: event.choices.len() as u16,
            one_step: matches!(event.choices, [NewChoice { act: Act::Whole(_), .. }]),
            is_open: self.choices[first_choice as usize..].iter().any(|choice| choice.is_open),
            optional: event.optional,
            read_only: event.read_only,
        };
        self.timeline.push(lane, event);
    }

    /// Its events and those of another history of the same trace.
    pub(crate) fn merged(&self, other: &Self) -> Self {
        let mut events: Vec<(LaneId, &Event, &Self)> = Vec::with_capacity(self.timeline.len() + other.timeline.len());
        for history in [self, other] {
            let lanes = history.timeline.lanes.iter();
            events.extend(lanes.flat_map(|lane| lane.events.iter().map(move |event| (lane.id, event, history))));
        }
        events.sort_by_key(|(lane, event, _)| (*lane, event.index));
        let mut merged = Self::default();
        for (lane, event, history) in events {
            let first_choice = merged.choices.len() as u32;
            merged.copy_choices(history, event);
            merged.timeline.push(lane, Event { first_choice, ..event.clone() });
        }
        merged
    }

    /// Adds an event with these choices to a lane of its own.
    pub(crate) fn push_untimed(&mut self, lane: LaneId, choices: &[NewChoice]) {
        self.push(lane, &NewEvent { start: 0, end: NEVER, index: 0, optional: false, read_only: false, choices });
    }

    fn copy_choices(&mut self, from: &Self, event: &Event) {
        for choice in from.choices(event) {
            let first_arg = self.args.len() as u32;
            self.args.extend_from_slice(from.args(choice));
            self.choices.push(Choice { first_arg, ..*choice });
        }
    }

    /// The part of it from a position in each lane on, as far as it had begun at a time; what was still open then may have
    /// happened or not.
    pub(crate) fn part(&self, from: &[u32], until: u64) -> Self {
        let mut part = Self::default();
        part.timeline.binds = self.timeline.binds;
        for (lane, &from) in self.timeline.lanes.iter().zip(from) {
            let mut events = Vec::new();
            for event in lane.events[from as usize..].iter().take_while(|event| event.start <= until) {
                let first_choice = part.choices.len() as u32;
                part.copy_choices(self, event);
                let is_open = event.end > until;
                let end = if is_open { NEVER } else { event.end };
                events.push(Event { first_choice, end, optional: event.optional || is_open, ..event.clone() });
            }
            part.timeline.push_lane(lane.id, events);
        }
        part
    }

    /// These of its events alone, which are in the order of their places.
    pub(crate) fn only(&self, places: &[EventRef]) -> Self {
        let mut part = Self::default();
        for &place in places {
            let (event, first_choice) = (self.timeline.event(place), part.choices.len() as u32);
            part.copy_choices(self, event);
            part.timeline.push(self.timeline.lanes[place.lane as usize].id, Event { first_choice, ..event.clone() });
        }
        part
    }

    /// Notes for every event when others need it to have happened.
    pub(crate) fn order_by_need(&mut self) {
        let Self { timeline, choices, args } = self;
        order::by_need(timeline, |event| match choices.get(event.first_choice as usize) {
            Some(choice) if event.choice_count > 0 => (
                choice.act.decisive().0 as u32,
                mentioned(&args[choice.first_arg as usize..][..choice.arg_count as usize]),
            ),
            _ => (u32::MAX, SmallVec::new()),
        });
    }

    /// What an event may stand for.
    pub fn choices(&self, event: &Event) -> &[Choice] {
        &self.choices[event.first_choice as usize..][..event.choice_count as usize]
    }

    /// One of them.
    #[inline]
    pub(crate) fn choice(&self, id: ChoiceId) -> &Choice {
        &self.choices[id.0 as usize]
    }

    /// Those of all events, in the order of [`ChoiceId`]s.
    pub(crate) fn all_choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The arguments of a choice, in the order of the action's parameters.
    pub fn args(&self, choice: &Choice) -> &[Option<Value>] {
        &self.args[choice.first_arg as usize..][..choice.arg_count as usize]
    }
}

/// The values that arguments mention: themselves, and the elements of those that are sequences, sets or functions. An
/// `EnqueueAll(<<7, 8>>)` is needed by the `Dequeue(7)`.
fn mentioned(args: &[Option<Value>]) -> SmallVec<[u128; 4]> {
    let mut values = SmallVec::new();
    for arg in args.iter().flatten() {
        values.push(arg.fingerprint().0);
        match arg {
            Value::Tuple(tuple) => values.extend(tuple.iter().map(|element| element.fingerprint().0)),
            Value::Set(set) => values.extend(set.iter().map(|element| element.fingerprint().0)),
            Value::Function(function) => values.extend(function.iter().map(|(_, value)| value.fingerprint().0)),
            _ => {}
        }
    }
    values.sort_unstable();
    values.dedup();
    values
}
