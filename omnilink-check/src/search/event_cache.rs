//! A cache of facts about events, for as many events as the search has lately been at.

use crate::timeline::EventRef;

/// Events per lane: more than the search moves back and forth between.
const KEPT: usize = 1 << 7;

/// A fact about each of the latest events. An event takes the slot of the one that is so many before it in its lane.
pub(super) struct EventCache<T> {
    slots: Vec<Option<(u32, T)>>,
}

impl<T> EventCache<T> {
    /// An empty cache; most searches never fill it.
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
