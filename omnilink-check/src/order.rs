//! Which of several events to try first: the one whose values others need first.
//!
//! An `Enqueue(7)` has to come early enough for the `Dequeue(7)` that another thread recorded. Of two enqueues that overlap,
//! the one whose element is dequeued first is most likely the first. So an event that produces a value which few others mention
//! is needed when the first of those has ended; any other when it has ended itself. Which of two actions is the producer
//! shows in the trace: its events mostly end first.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use smallvec::SmallVec;

use crate::search::KeyHasher;
use crate::timeline::{Event, EventRef, Timeline};

/// A value that more events mention relates no two of them.
const FEW: usize = 4;

/// By the fingerprints of values, which are hashes already.
type ByValue<T> = HashMap<u128, T, BuildHasherDefault<KeyHasher>>;

/// What an event does with values: its operation, and the values that it mentions.
pub(crate) type Mention = (u32, SmallVec<[u128; 4]>);

/// Notes for every event when it is needed.
pub(crate) fn by_need(timeline: &mut Timeline, mention: impl Fn(&Event) -> Mention) {
    let (operations, mentions) = few_mentions(timeline, mention);
    let operation = |place: EventRef| operations[place.lane as usize][place.at as usize];
    let mut votes: HashMap<(u32, u32), u64> = HashMap::new();
    for places in mentions.values() {
        for pair in pairs(places) {
            let (first, second) = in_order_of_ends(timeline, pair);
            *votes.entry((operation(first), operation(second))).or_default() += 1;
        }
    }
    let produces = |producer: u32, consumer: u32| {
        let votes = |pair| votes.get(&pair).copied().unwrap_or(0);
        producer != consumer && votes((producer, consumer)) > votes((consumer, producer))
    };
    let mut needs: Vec<(EventRef, u64)> = Vec::new();
    for places in mentions.values() {
        for &producer in places {
            let consumers =
                places.iter().filter(|&&other| other != producer && produces(operation(producer), operation(other)));
            if let Some(first) = consumers.map(|&other| timeline.event(other).end).min() {
                needs.push((producer, first));
            }
        }
    }
    for (place, needed) in needs {
        let event = &mut timeline.lanes[place.lane as usize].events[place.at as usize];
        event.needed = needed;
    }
}

/// The operation of every event, by lane; the values that few events mention, and these events.
fn few_mentions(
    timeline: &Timeline,
    mention: impl Fn(&Event) -> Mention,
) -> (Vec<Vec<u32>>, ByValue<SmallVec<[EventRef; FEW]>>) {
    let mut operations: Vec<Vec<u32>> = vec![Vec::new(); timeline.lanes.len()];
    let mut counts: ByValue<u8> = ByValue::default();
    for (place, event) in timeline.events() {
        let (operation, values) = mention(event);
        operations[place.lane as usize].push(operation);
        for value in values {
            let count = counts.entry(value).or_default();
            *count = count.saturating_add(1);
        }
    }
    let mut mentions: ByValue<SmallVec<[EventRef; FEW]>> = ByValue::default();
    for (place, event) in timeline.events() {
        for value in mention(event).1 {
            if (2..=FEW as u8).contains(&counts[&value]) {
                mentions.entry(value).or_default().push(place);
            }
        }
    }
    (operations, mentions)
}

fn pairs(places: &[EventRef]) -> impl Iterator<Item = (EventRef, EventRef)> + '_ {
    places.iter().enumerate().flat_map(|(at, &first)| places[at + 1..].iter().map(move |&second| (first, second)))
}

fn in_order_of_ends(timeline: &Timeline, (one, other): (EventRef, EventRef)) -> (EventRef, EventRef) {
    if timeline.event(one).end <= timeline.event(other).end { (one, other) } else { (other, one) }
}
