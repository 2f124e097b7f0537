//! What was found out about events, kept for as many as the search has lately been at.

use crate::history::EventRef;

/// How many events of a lane: more than the search goes to and fro between.
const KEPT: usize = 1 << 7;

/// Something about each of the events looked at last. An event's place is that of another so many before it in the lane.
pub(super) struct Recent<T> {
    slots: Vec<Option<(u32, T)>>,
}

impl<T> Recent<T> {
    pub fn new(lanes: usize) -> Self {
        Self { slots: (0..lanes * KEPT).map(|_| None).collect() }
    }

    #[inline]
    pub fn get(&self, event: EventRef) -> Option<&T> {
        match &self.slots[slot(event)] {
            Some((at, it)) if *at == event.at => Some(it),
            _ => None,
        }
    }

    pub fn set(&mut self, event: EventRef, it: T) {
        self.slots[slot(event)] = Some((event.at, it));
    }
}

fn slot(event: EventRef) -> usize {
    event.lane as usize * KEPT + event.at as usize % KEPT
}
