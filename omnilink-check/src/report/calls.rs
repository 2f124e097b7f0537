//! Events of a history as calls that people recognise.

use std::collections::HashMap;
use std::ops::Range;

use omnilink_tla::value::Short;
use omnilink_tla::{Spec, State, Value};
use omnilink_trace::{LaneId, Trace};
use serde_json::json;

use super::model::{Call, Values};
use crate::history::{Choice, History};
use crate::timeline::{EventRef, NEVER, Timeline};

/// More of what an event may stand for is counted, not named.
const NAMED: usize = 3;

/// Tells about the events of a history.
pub(crate) struct Calls<'a> {
    spec: &'a Spec,
    trace: &'a Trace,
    history: &'a History,
    /// When the events happened.
    timeline: &'a Timeline,
    threads: HashMap<LaneId, &'a str>,
}

impl<'a> Calls<'a> {
    pub fn new(spec: &'a Spec, trace: &'a Trace, history: &'a History) -> Self {
        let threads = trace.lanes().iter().map(|lane| (lane.index(), lane.name())).collect();
        Self { spec, trace, history, timeline: &history.timeline, threads }
    }

    /// The same where the history does not say when its events happened.
    pub fn at_times_of(self, timeline: &'a Timeline) -> Self {
        Self { timeline, ..self }
    }

    /// The same for the events of another history of the trace.
    pub fn of(&self, history: &'a History) -> Self {
        Self { history, timeline: &history.timeline, threads: self.threads.clone(), ..*self }
    }

    /// The calls of one lane of the trace whose places in it are in a range.
    pub fn within(&self, lane: LaneId, range: Range<u64>) -> Vec<Call> {
        let lanes = self.history.timeline.lanes.iter().enumerate().filter(|(_, recorded)| recorded.id == lane);
        let events = lanes.flat_map(|(lane, recorded)| {
            (0u32..).zip(&recorded.events).map(move |(at, event)| (EventRef { lane: lane as u32, at }, event))
        });
        let inside = events.filter(|(_, event)| range.contains(&u64::from(event.index)));
        inside.map(|(place, _)| self.call(place)).collect()
    }

    /// The call that an event records.
    pub fn call(&self, place: EventRef) -> Call {
        let (event, timed) = (self.history.timeline.event(place), self.timeline.event(place));
        let lane = self.history.timeline.lanes[place.lane as usize].id;
        let choices = self.history.choices(event);
        let mut texts: Vec<_> = choices.iter().take(NAMED).map(|choice| self.text(choice)).collect();
        if choices.len() > NAMED {
            texts.push(format!("{} others", choices.len() - NAMED));
        }
        let only = if let [choice] = choices { Some(choice) } else { None };
        Call {
            lane,
            thread: self.thread(lane).to_owned(),
            index: u64::from(event.index),
            call: texts.join(" or "),
            action: only.map(|choice| choice.act.name(self.spec).to_owned()),
            args: only.map(|choice| self.args(choice)).unwrap_or_default(),
            start: self.trace.ns(timed.start),
            end: (timed.end != NEVER).then(|| self.trace.ns(timed.end)),
            optional: event.optional,
        }
    }

    /// The name of a lane.
    pub fn thread(&self, lane: LaneId) -> &'a str {
        self.threads.get(&lane).copied().unwrap_or_default()
    }

    /// A number of ticks in the trace's unit of time.
    pub fn span(&self, ticks: u64) -> String {
        format!("{} {}", self.trace.duration_ns(ticks), self.trace.time_unit().word())
    }

    fn text(&self, choice: &Choice) -> String {
        let params = self.spec.actions().actions[choice.act.decisive().0].params.iter();
        let arg = |(param, value): (_, &Option<Value>)| match value {
            Some(value) => Short(value).to_string(),
            None => format!("?{param}"),
        };
        let args: Vec<_> = params.zip(self.history.args(choice)).map(arg).collect();
        let name = choice.act.name(self.spec).to_owned();
        if args.is_empty() { name } else { format!("{name}({})", args.join(", ")) }
    }

    fn args(&self, choice: &Choice) -> Values {
        let params = self.spec.actions().actions[choice.act.decisive().0].params.iter();
        let text = |value: &Option<Value>| json!(value.as_ref().map(ToString::to_string));
        params.zip(self.history.args(choice)).map(|(param, value)| (param.to_string(), text(value))).collect()
    }
}

/// A state as text; with a state before it, only what differs.
pub(crate) fn values(spec: &Spec, state: &State, before: Option<&State>) -> Values {
    let variables = spec.program().variables.iter().map(|variable| variable.name.to_string());
    let same = |at: usize| before.is_some_and(|before| before.values()[at] == state.values()[at]);
    let named = variables.zip(state.values()).enumerate().filter(|(at, _)| !same(*at));
    named.map(|(_, (name, value))| (name, json!(value.to_string()))).collect()
}
