//! Which of several events to try first: the one whose values others need first.
//!
//! An `Enqueue(7)` has to come early enough for the `Dequeue(7)` that another thread recorded. Of two enqueues that overlap,
//! the one whose element is dequeued first is most likely the first. So an event that produces a value which few others mention
//! is needed when the first of those has ended; any other when it has ended itself. Which of two actions is the producer
//! shows in the trace: its events mostly end first.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use omnilink_tla::Value;
use smallvec::SmallVec;

use crate::history::{Act, Choice, EventRef, History};
use crate::search::KeyHasher;

/// A value that more events mention relates no two of them.
const FEW: usize = 4;

/// By the fingerprints of values, which are hashes already.
type ByValue<T> = HashMap<u128, T, BuildHasherDefault<KeyHasher>>;

/// Notes for every event when it is needed.
pub(crate) fn by_need(history: &mut History) {
    let mentions = few_mentions(history);
    let mut votes: HashMap<(u32, u32), u64> = HashMap::new();
    for places in mentions.values() {
        for pair in pairs(places) {
            let (first, second) = in_order_of_ends(history, pair);
            *votes.entry((action_of(history, first), action_of(history, second))).or_default() += 1;
        }
    }
    let produces = |producer: u32, consumer: u32| {
        let votes = |pair| votes.get(&pair).copied().unwrap_or(0);
        producer != consumer && votes((producer, consumer)) > votes((consumer, producer))
    };
    let mut needs: Vec<(EventRef, u64)> = Vec::new();
    for places in mentions.values() {
        for &producer in places {
            let consumers = places.iter().filter(|&&other| {
                other != producer && produces(action_of(history, producer), action_of(history, other))
            });
            if let Some(first) = consumers.map(|&other| history.event(other).end).min() {
                needs.push((producer, first));
            }
        }
    }
    for (place, needed) in needs {
        let event = &mut history.lanes[place.lane as usize].events[place.at as usize];
        event.needed = needed;
    }
}

/// The values that few events mention, and these events.
fn few_mentions(history: &History) -> ByValue<SmallVec<[EventRef; FEW]>> {
    let mut counts: ByValue<u8> = ByValue::default();
    for value in history.events().flat_map(|(_, event)| values(history, history.choices(event))) {
        let count = counts.entry(value).or_default();
        *count = count.saturating_add(1);
    }
    let mut mentions: ByValue<SmallVec<[EventRef; FEW]>> = ByValue::default();
    for (place, event) in history.events() {
        for value in values(history, history.choices(event)) {
            if (2..=FEW as u8).contains(&counts[&value]) {
                mentions.entry(value).or_default().push(place);
            }
        }
    }
    mentions
}

/// The values that an event mentions: its arguments, and the elements of those that are sequences, sets or functions. An
/// `EnqueueAll(<<7, 8>>)` is needed by the `Dequeue(7)`.
fn values(history: &History, choices: &[Choice]) -> SmallVec<[u128; 4]> {
    let mut values = SmallVec::new();
    for arg in choices.iter().take(1).flat_map(|choice| history.args(choice)).flatten() {
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

fn action_of(history: &History, place: EventRef) -> u32 {
    let choices = history.choices(history.event(place));
    choices.first().map_or(u32::MAX, |choice| match choice.act {
        Act::Whole(action) | Act::Steps { done: action, .. } => action.0 as u32,
    })
}

fn pairs(places: &[EventRef]) -> impl Iterator<Item = (EventRef, EventRef)> + '_ {
    places.iter().enumerate().flat_map(|(at, &first)| places[at + 1..].iter().map(move |&second| (first, second)))
}

fn in_order_of_ends(history: &History, (one, other): (EventRef, EventRef)) -> (EventRef, EventRef) {
    if history.event(one).end <= history.event(other).end { (one, other) } else { (other, one) }
}
