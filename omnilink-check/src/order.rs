//! Which of several events to try first: the one whose values others need first.
//!
//! An `Enqueue(7)` has to come early enough for the `Dequeue(7)` that another thread recorded. Of two enqueues that overlap,
//! the one whose element is dequeued first is most likely the first. So an event that produces a value which few events of another
//! operation mention is needed when the first of those has ended; any other when it has ended itself. Which of two operations is the
//! producer shows in the trace: its events mostly end first. That a value occurs in events of two operations may be a coincidence,
//! an `Enqueue(7)` and a `Size(7)`: two operations are related only if that is so for many of the producer's values.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use smallvec::SmallVec;

use crate::search::KeyHasher;
use crate::timeline::{Event, EventRef, Timeline};

/// A value that more events of two operations mention relates none of them.
const FEW: u8 = 4;
/// One in so many values of a producer must relate it to a consumer.
const SHARE: u64 = 8;

/// By the fingerprints of values, which are hashes already.
type ByValue<T> = HashMap<u128, T, BuildHasherDefault<KeyHasher>>;

/// What an event does with values: its operation, and the values that it mentions.
pub(crate) type Mention = (u32, SmallVec<[u128; 4]>);

/// Notes for every event when it is needed.
pub(crate) fn by_need(timeline: &mut Timeline, mention: impl Fn(&Event) -> Mention) {
    let Mentions { values, distinct } = mentions(timeline, mention);
    let mut relations: HashMap<(u32, u32), Relation> = HashMap::new();
    for counted in values.values() {
        for (one, other) in counted.related() {
            for (first, second) in counted.pairs(one, other) {
                let ends_first = timeline.event(first).end <= timeline.event(second).end;
                let pair = if ends_first { (one, other) } else { (other, one) };
                relations.entry(pair).or_default().votes += 1;
            }
            for pair in [(one, other), (other, one)] {
                relations.entry(pair).or_default().values += 1;
            }
        }
    }
    let relation = |pair| relations.get(&pair).copied().unwrap_or_default();
    let produces = |producer: u32, consumer: u32| {
        let Relation { votes, values } = relation((producer, consumer));
        votes > relation((consumer, producer)).votes && values * SHARE >= distinct[&producer]
    };
    let mut needs: Vec<(EventRef, u64)> = Vec::new();
    for counted in values.values() {
        for (one, other) in counted.related() {
            for (producer, consumer) in [(one, other), (other, one)] {
                if produces(producer, consumer) {
                    let first = counted.places(consumer).map(|place| timeline.event(place).end).min();
                    needs.extend(counted.places(producer).zip(first.into_iter().cycle()));
                }
            }
        }
    }
    // An event that several others need is needed by the first of them.
    needs.sort_unstable_by_key(|&(_, needed)| std::cmp::Reverse(needed));
    for (place, needed) in needs {
        timeline.lanes[place.lane as usize].events[place.at as usize].needed = needed;
    }
}

/// How two operations are related, the first as the producer.
#[derive(Debug, Clone, Copy, Default)]
struct Relation {
    /// How many values relate them.
    values: u64,
    /// How many pairs of events that mention such a value end in this order.
    votes: u64,
}

/// All values that are mentioned.
struct Mentions {
    values: ByValue<Counted>,
    /// By operation: how many values its events mention.
    distinct: HashMap<u32, u64>,
}

/// The events that mention a value.
#[derive(Default)]
struct Counted {
    /// By operation, how many; more than [`FEW`] are not counted.
    counts: SmallVec<[(u32, u8); 2]>,
    /// Their places, not more than were counted.
    places: SmallVec<[(u32, EventRef); 2]>,
}

impl Counted {
    fn add(&mut self, operation: u32, place: EventRef) {
        let at = self.counts.iter().position(|&(other, _)| other == operation).unwrap_or_else(|| {
            self.counts.push((operation, 0));
            self.counts.len() - 1
        });
        let (_, count) = &mut self.counts[at];
        if *count <= FEW {
            *count += 1;
            self.places.push((operation, place));
        }
    }

    /// The pairs of operations that the value relates.
    fn related(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let pairs = self
            .counts
            .iter()
            .enumerate()
            .flat_map(|(at, one)| self.counts[at + 1..].iter().map(move |other| (one, other)));
        pairs.filter(|((_, one), (_, other))| one + other <= FEW).map(|((one, _), (other, _))| (*one, *other))
    }

    fn places(&self, operation: u32) -> impl Iterator<Item = EventRef> + '_ {
        self.places.iter().filter(move |&&(of, _)| of == operation).map(|&(_, place)| place)
    }

    fn pairs(&self, one: u32, other: u32) -> impl Iterator<Item = (EventRef, EventRef)> + '_ {
        self.places(one).flat_map(move |first| self.places(other).map(move |second| (first, second)))
    }
}

fn mentions(timeline: &Timeline, mention: impl Fn(&Event) -> Mention) -> Mentions {
    let mut values: ByValue<Counted> = ByValue::default();
    for (place, event) in timeline.events() {
        let (operation, mentioned) = mention(event);
        for value in mentioned {
            values.entry(value).or_default().add(operation, place);
        }
    }
    let mut distinct: HashMap<u32, u64> = HashMap::new();
    for &(operation, _) in values.values().flat_map(|counted| &counted.counts) {
        *distinct.entry(operation).or_default() += 1;
    }
    Mentions { values, distinct }
}

#[cfg(test)]
mod tests {
    use smallvec::smallvec;

    use super::*;

    const PUSH: u32 = 0;
    const POP: u32 = 1;
    const SIZE: u32 = 2;

    /// When the pushes of 0, 1, … are needed, if each overlaps the next, all are popped in another order, and sizes are read in between.
    fn needs(pops: &[u128], sizes: &[u128]) -> Vec<u64> {
        let pushes = (0..pops.len() as u128).map(|value| (PUSH, value));
        let calls: Vec<(u32, u128)> = pushes
            .chain(sizes.iter().map(|&size| (SIZE, size)))
            .chain(pops.iter().map(|&value| (POP, value)))
            .collect();
        let mut timeline = Timeline::default();
        for (nth, _) in calls.iter().enumerate() {
            let (start, end) = (10 * nth as u64, 10 * nth as u64 + 15);
            let event = Event {
                start,
                end,
                needed: end,
                index: 0,
                first_choice: nth as u32,
                choice_count: 1,
                one_step: true,
                is_open: false,
                optional: false,
                read_only: calls[nth].0 == SIZE,
            };
            timeline.push_lane(nth as u32, vec![event]);
        }
        by_need(&mut timeline, |event| {
            let (operation, value) = calls[event.first_choice as usize];
            (operation, smallvec![value])
        });
        timeline.lanes[..pops.len()].iter().map(|lane| lane.events[0].needed).collect()
    }

    #[test]
    fn a_push_is_needed_when_its_element_is_popped() {
        assert_eq!(needs(&[1, 0, 3, 2], &[]), [65, 55, 85, 75]);
    }

    #[test]
    fn numbers_that_are_elements_and_sizes_by_coincidence_relate_nothing() {
        let pops: Vec<u128> = (0..40).map(|value| value ^ 1).collect();
        let end = |sizes: usize, nth: u64| 10 * (40 + sizes as u64 + nth) + 15;
        let expected = |sizes: usize| (0..40).map(|value| end(sizes, value ^ 1)).collect::<Vec<_>>();
        // Many calls read the same size, or each of them another one.
        for sizes in [vec![3; 20], vec![7, 3, 7, 3, 3, 3, 3, 3], vec![4, 9, 17, 30]] {
            assert_eq!(needs(&pops, &sizes), expected(sizes.len()), "{sizes:?}");
        }
    }
}
