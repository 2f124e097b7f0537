//! The events with the widest timeboxes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use omnilink_trace::Event;

/// Keeps the events with the widest timeboxes; of equal ones, the first.
#[derive(Debug)]
pub struct Widest {
    room: usize,
    /// The narrowest of the kept ones on top, so that most events need one comparison.
    kept: BinaryHeap<Reverse<Entry>>,
    seen: u64,
}

/// Ordered by width, then by age; every `age` is different.
#[derive(Debug)]
struct Entry {
    width: u64,
    age: Reverse<u64>,
    event: Event,
}

impl Widest {
    /// Keeps up to `room` events.
    pub fn new(room: usize) -> Self {
        Self { room, kept: BinaryHeap::with_capacity(room + 1), seen: 0 }
    }

    /// Considers an event that ended.
    pub fn add(&mut self, width: u64, event: &Event) {
        self.seen += 1;
        let full = self.kept.len() == self.room;
        if full && self.kept.peek().is_none_or(|Reverse(narrowest)| width <= narrowest.width) {
            return;
        }
        self.kept.push(Reverse(Entry { width, age: Reverse(self.seen), event: event.clone() }));
        if full {
            self.kept.pop();
        }
    }

    /// The kept events, widest first.
    pub fn into_events(self) -> Vec<Event> {
        self.kept.into_sorted_vec().into_iter().map(|Reverse(entry)| entry.event).collect()
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.width, self.age).cmp(&(other.width, other.age))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Entry {}

#[cfg(test)]
mod tests {
    use omnilink_trace::{ActionId, Candidates, Outcome, Timebox};

    use super::*;

    fn event(index: u64) -> Event {
        Event {
            lane: 0,
            index,
            candidates: Candidates::One(ActionId(0)),
            args: vec![],
            timebox: Timebox { start: 0, end: Some(0) },
            outcome: Outcome::Done,
            effects: vec![],
            meta: vec![],
            offset: 0,
        }
    }

    #[test]
    fn the_widest_are_kept_and_the_first_of_equals() {
        let mut widest = Widest::new(3);
        for (index, width) in [5, 1, 9, 5, 7, 5].into_iter().enumerate() {
            widest.add(width, &event(index as u64));
        }
        let indexes: Vec<_> = widest.into_events().iter().map(|event| event.index).collect();
        assert_eq!(indexes, [2, 4, 0]);
    }
}
