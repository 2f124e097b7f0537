//! A smaller reason for a rejection, as a report has it.

use super::calls::values;
use super::maker::Maker;
use super::model::{Blocked, Core, Obstacle, Predecessor, Reason};
use super::stuck::Explainer;
use crate::history::History;
use crate::shrink;
use crate::timeline::{Event, EventRef};

/// How many states a smaller reason lists.
const STATES: usize = 8;
/// In how many configurations it is looked at why a call cannot happen. Explaining costs much more than searching.
const EXAMINED: usize = 32;

impl Maker<'_> {
    /// A smaller reason for a rejection, as a report has it.
    pub fn core(&self, core: &shrink::Core) -> Core {
        let calls = self.calls();
        let has_reads = self.prepared.history.timeline.events().any(|(_, event)| event.read_only);
        let named = |events: &[EventRef]| events.iter().map(|event| calls.call(*event)).collect();
        let time_unit = self.trace.time_unit().word();
        let explainer = Explainer {
            spec: self.spec,
            prepared: self.prepared,
            calls: &calls,
            time_unit,
            exhausted: true,
            constrained: self.options.honour_constraints,
        };
        Core {
            placed: core.placed,
            changing: has_reads.then_some(core.changing),
            states: core.states.iter().take(STATES).map(|state| values(self.spec, state, None)).collect(),
            more_states: core.states.len().saturating_sub(STATES) as u64,
            needed: named(&core.needed),
            others: named(&core.others),
            minimal: core.is_minimal,
            blocked: self.blocked(core, &explainer),
            time_unit: time_unit.to_owned(),
        }
    }

    /// Why the last of the needed calls cannot happen; of several configurations the one whose reason is the most frequent.
    fn blocked(&self, core: &shrink::Core, explainer: &Explainer<'_>) -> Option<Blocked> {
        let is_blocked = |event: &&EventRef| core.blocked.iter().any(|blocked| blocked.event == **event);
        let last = *core.needed.iter().rev().find(is_blocked)?;
        let mut found: Vec<(u64, Blocked)> = Vec::new();
        for shrink::Blocked { event, begun, state } in
            core.blocked.iter().filter(|blocked| blocked.event == last).take(EXAMINED)
        {
            let Obstacle::Blocked(reasons) = explainer.obstacle(*event, begun.as_ref(), state) else { continue };
            let alike = |other: &&mut (u64, Blocked)| places(&other.1.reasons).eq(places(&reasons));
            match found.iter_mut().find(alike) {
                Some((count, _)) => *count += 1,
                None => {
                    let (call, state) = (explainer.calls.call(*event), values(self.spec, state, None));
                    found.push((1, Blocked { call, state, reasons, predecessor: None }));
                }
            }
        }
        // Of those that are equally frequent the first one found, which the same trace always gives.
        found.reverse();
        let (_, blocked) = found.into_iter().max_by_key(|(count, _)| *count)?;
        let before = predecessor(&self.prepared.history, last);
        let predecessor = before.map(|(place, shared)| Predecessor { call: explainer.calls.call(place), shared });
        Some(Blocked { predecessor, ..blocked })
    }
}

/// Which other call had the values of an event before, and how many of them: see [`Blocked::predecessor`].
fn predecessor(history: &History, place: EventRef) -> Option<(EventRef, u64)> {
    let event = history.timeline.event(place);
    let before =
        history.timeline.events().filter(|(other, it)| *other != place && !it.read_only && it.start <= event.end).map(
            |(other, it)| {
                let shared = shared_values(history, event, it);
                (shared, it.start, other)
            },
        );
    let (shared, _, other) = before.filter(|(shared, ..)| *shared > 0).max()?;
    Some((other, shared))
}

/// How many arguments two events have in common, whatever their order; the most, if an event may be one of several actions.
fn shared_values(history: &History, one: &Event, other: &Event) -> u64 {
    let mut most = 0;
    for one in history.choices(one) {
        for other in history.choices(other) {
            let mut left: Vec<_> = history.args(other).iter().flatten().collect();
            let is_shared = |value: &&_| match left.iter().position(|it| it == value) {
                Some(at) => {
                    left.swap_remove(at);
                    true
                }
                None => false,
            };
            most = most.max(history.args(one).iter().flatten().filter(is_shared).count() as u64);
        }
    }
    most
}

/// Which formulas keep a call from happening, whatever their values.
fn places(reasons: &[Reason]) -> impl Iterator<Item = Option<(&str, u32, u32)>> {
    reasons.iter().map(|reason| reason.place.as_ref().map(|place| (place.file.as_str(), place.line, place.column)))
}
