//! What was found out about events, kept for as many as the search has lately been at.

use crate::history::EventRef;

/// How many events of a lane: more than the search goes to and fro between.
const KEPT: usize = 1 << 7;

/// Something about each of the events looked at last. An event's place is that of another so many before it in the lane.
pub(super) struct Recent<T> {
    slots: Vec<Option<(u32, T)>>,
}

impl<T> Recent<T> {
    /// About none; most searches never ask.
    pub const fn new() -> Self {
        Self { slots: Vec::new() }
    }

    #[inline]
    pub fn get(&self, event: EventRef) -> Option<&T> {
        match self.slots.get(slot(event))? {
            Some((at, it)) if *at == event.at => Some(it),
            _ => None,
        }
    }

    pub fn set(&mut self, event: EventRef, it: T) {
        let slot = slot(event);
        if slot >= self.slots.len() {
            self.slots.resize_with((event.lane as usize + 1) * KEPT, || None);
        }
        self.slots[slot] = Some((event.at, it));
    }
}

fn slot(event: EventRef) -> usize {
    event.lane as usize * KEPT + event.at as usize % KEPT
}
