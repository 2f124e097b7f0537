//! A history as a module: what was recorded, and nothing else.

use std::fmt::Write as _;

use omnilink_tla::Spec;
use omnilink_tla::spec::ActionId;

use super::literal::Literals;
use crate::error::CheckError;
use crate::history::{Act, Choice};
use crate::prepare::Prepared;
use crate::timeline::{Event, EventRef, Lane, NEVER};

/// Its name.
pub(super) const MODULE: &str = "OmniLinkHistory";
/// TLC's parser takes long definitions badly, so lanes are written in parts of this many events.
const PART: usize = 128;

/// Writes the events of a history.
pub(super) struct Events<'a> {
    spec: &'a Spec,
    prepared: &'a Prepared,
    /// All times, in order. Only that matters, and TLC's integers have 32 bits.
    times: Vec<u64>,
}

impl<'a> Events<'a> {
    /// Those of a prepared trace.
    pub fn new(spec: &'a Spec, prepared: &'a Prepared) -> Self {
        let both = |event: &Event| [event.start, event.end];
        let mut times: Vec<u64> = prepared.history.timeline.events().flat_map(|(_, event)| both(event)).collect();
        times.push(NEVER);
        times.sort_unstable();
        times.dedup();
        Self { spec, prepared, times }
    }

    /// The module. `constants` are definitions that stand for constants.
    pub fn module(&self, literals: &mut Literals, constants: &str) -> Result<String, CheckError> {
        let history = &self.prepared.history;
        let mut lanes = String::new();
        for (at, lane) in history.timeline.lanes.iter().enumerate() {
            self.lane(at, lane, literals, &mut lanes)?;
        }
        let mut text = format!(
            "---- MODULE {MODULE} ----\n\\* What was recorded. Times are numbered in their order.\n\
             LOCAL INSTANCE Integers\nLOCAL INSTANCE Sequences\nLOCAL INSTANCE TLC\n"
        );
        let models: Vec<_> = literals.models().map(|(constant, _)| constant).collect();
        if !models.is_empty() {
            let _ = writeln!(text, "\n\\* Model values.\nCONSTANTS {}", models.join(", "));
        }
        text.push_str(constants);
        text.push_str(&lanes);
        let names: Vec<_> = (0..history.timeline.lanes.len()).map(lane_name).collect();
        let required: Vec<_> = history.timeline.lanes.iter().map(|lane| lane.required.to_string()).collect();
        let _ = writeln!(text, "\nOmniLinkLanes == <<{}>>", names.join(", "));
        let _ = writeln!(text, "\n\\* By lane: how many events, from the first, an order has to account for.");
        let _ = writeln!(text, "OmniLinkRequired == <<{}>>\n====", required.join(", "));
        Ok(text)
    }

    fn lane(&self, at: usize, lane: &Lane, literals: &mut Literals, text: &mut String) -> Result<(), CheckError> {
        let name = lane_name(at);
        let mut parts = Vec::new();
        for (number, part) in lane.events.chunks(PART).enumerate() {
            let part_name = format!("{name}_{}", number + 1);
            let mut events = Vec::with_capacity(part.len());
            for (nth, event) in part.iter().enumerate() {
                let place = EventRef { lane: at as u32, at: (number * PART + nth) as u32 };
                events.push(format!("    {}", self.event(place, event, literals)?));
            }
            let _ = writeln!(text, "\n{part_name} == <<\n{}>>", events.join(",\n"));
            parts.push(part_name);
        }
        let _ = writeln!(text, "\n\\* Lane {} of the trace.\n{name} == {}", lane.id, concatenated(&parts));
        Ok(())
    }

    fn event(&self, place: EventRef, event: &Event, literals: &mut Literals) -> Result<String, CheckError> {
        let choices = self.prepared.history.choices(event).iter().map(|choice| self.choice(place, choice, literals));
        let choices = choices.collect::<Result<Vec<_>, _>>()?.join(", ");
        let time = |time| self.times.partition_point(|other| *other < time);
        let (start, end, optional) = (time(event.start), time(event.end), truth(event.optional));
        Ok(format!("[start |-> {start}, end |-> {end}, optional |-> {optional}, choices |-> <<{choices}>>]"))
    }

    fn choice(&self, place: EventRef, choice: &Choice, literals: &mut Literals) -> Result<String, CheckError> {
        let name = |action: ActionId| self.spec.actions().actions[action.0].name;
        let lanes = &self.prepared.history.timeline.lanes;
        let event = self.prepared.history.timeline.event(place);
        let what = |part: &str| format!("event {} of lane {}: {part}", event.index, lanes[place.lane as usize].id);
        let (action, mut text) = match choice.act {
            Act::Whole(action) => (action, String::from("[")),
            Act::Steps { step, done } => (done, format!("[step |-> \"{}\", ", name(step))),
        };
        let mut args = Vec::new();
        let params = &self.spec.actions().actions[action.0].params;
        for (param, value) in params.iter().zip(self.prepared.history.args(choice)) {
            if let Some(value) = value {
                args.push(format!("{param} |-> {}", literals.text(value, &|| what(&format!("`{param}`")))?));
            }
        }
        // An empty sequence has no fields, as a record without any, which cannot be written.
        let args = if args.is_empty() { "<<>>".to_owned() } else { format!("[{}]", args.join(", ")) };
        let _ = write!(text, "action |-> \"{}\", args |-> {args}", name(action));
        if let Some(condition) = choice.condition {
            let (operator, event) = self.prepared.conditions.get(condition);
            let event = literals.text(event, &|| what("what its rule is told"))?;
            let _ = write!(text, ", also |-> \"{operator}\", event |-> {event}");
        }
        text.push(']');
        Ok(text)
    }
}

fn lane_name(at: usize) -> String {
    format!("OmniLinkLane{}", at + 1)
}

fn truth(value: bool) -> &'static str {
    if value { "TRUE" } else { "FALSE" }
}

/// Parts of a sequence as one, without nesting deeply.
fn concatenated(parts: &[String]) -> String {
    match parts {
        [] => "<<>>".to_owned(),
        [one] => one.clone(),
        several => {
            let (left, right) = several.split_at(several.len() / 2);
            let operand = |parts: &[String]| {
                let text = concatenated(parts);
                if parts.len() > 1 { format!("({text})") } else { text }
            };
            format!("{} \\o {}", operand(left), operand(right))
        }
    }
}
