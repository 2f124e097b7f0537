//! The configurations that got furthest: what a rejection is explained with.

use std::cmp::Ordering;

use omnilink_tla::{State, Value};

use crate::history::EventRef;

/// A configuration from which nothing more could be placed.
#[derive(Debug, Clone)]
pub struct DeadEnd {
    /// How many events of each lane are placed.
    pub positions: Vec<u32>,
    /// By lane: as what its next event has taken inner steps, where they tell more than was recorded.
    pub begun: Vec<Option<Begun>>,
    /// The state that they led to.
    pub state: State,
    /// The state before the path.
    pub before: Option<State>,
    /// The last moves on the way there.
    pub path: Vec<Stride>,
}

/// What inner steps tell about their event.
#[derive(Debug, Clone)]
pub struct Begun {
    /// Which of its choices it is.
    pub choice: u16,
    /// Its arguments, as far as they are known.
    pub args: Vec<Option<Value>>,
    /// What is not known of them cannot be everything that its quantifier allows.
    pub is_narrowed: bool,
}

/// A move on the way to a configuration, and the state after it.
#[derive(Debug, Clone)]
pub struct Stride {
    /// The event that was moved.
    pub event: EventRef,
    /// What became of it.
    pub became: Became,
    /// The state after it.
    pub state: State,
    /// The event's arguments, as far as they are known, if its inner steps tell more than was recorded.
    pub args: Option<Vec<Option<Value>>>,
}

/// What became of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Became {
    /// It happened, as its nth choice says.
    Happened(u16),
    /// One of its inner steps happened, as its nth choice says.
    InnerStep(u16),
    /// It took no effect.
    Nothing,
}

/// Those with the most events placed.
#[derive(Debug, Default)]
pub struct Deepest {
    /// How many events they have placed.
    pub placed: u64,
    /// How many there are.
    pub count: u64,
    /// Some of them.
    pub kept: Vec<DeadEnd>,
}

impl Deepest {
    /// How many are kept.
    const KEPT: usize = 256;
    /// How many moves of their paths.
    pub(super) const PATH: usize = 16;

    /// Whether a dead end with so many events placed is of interest.
    pub(super) fn concerns(&self, placed: u64) -> bool {
        placed >= self.placed
    }

    /// Notes one.
    pub(super) fn note(&mut self, placed: u64, dead_end: impl FnOnce() -> DeadEnd) {
        if placed > self.placed {
            self.kept.clear();
            (self.placed, self.count) = (placed, 0);
        }
        self.count += 1;
        if self.kept.len() < Self::KEPT {
            self.kept.push(dead_end());
        }
    }

    /// Adds those of another search.
    pub(super) fn merge(&mut self, other: Self) {
        match other.placed.cmp(&self.placed) {
            Ordering::Less => {}
            Ordering::Equal => {
                self.count += other.count;
                self.kept.extend(other.kept);
                self.kept.truncate(Self::KEPT);
            }
            Ordering::Greater => *self = other,
        }
    }
}
