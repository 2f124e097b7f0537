//! The configurations that got furthest: they explain a rejection.

use std::cmp::Ordering;

use omnilink_tla::{State, Value};

use super::Kind;
use crate::timeline::EventRef;

/// How many dead ends are kept.
const KEPT: usize = 256;
/// How many moves of their paths.
pub(super) const PATH: usize = 16;

/// A configuration from which nothing more could be placed.
#[derive(Debug, Clone)]
pub struct DeadEnd<S = State, A = Vec<Option<Value>>> {
    /// How many events of each lane are placed.
    pub positions: Vec<u32>,
    /// By lane: what its next event's inner steps determine beyond what was recorded.
    pub begun: Vec<Option<Begun<A>>>,
    /// The state that they led to.
    pub state: S,
    /// The state before the path.
    pub before: Option<S>,
    /// The last moves on the way there.
    pub path: Vec<Stride<S, A>>,
}

/// What inner steps determine about their event.
#[derive(Debug, Clone)]
pub struct Begun<A = Vec<Option<Value>>> {
    /// Which of its choices it is.
    pub choice: u16,
    /// Its arguments, as far as they are known.
    pub args: A,
    /// An argument without a value is restricted further than by its quantifier.
    pub is_narrowed: bool,
}

/// A move on the way to a configuration, and the state after it.
#[derive(Debug, Clone)]
pub struct Stride<S = State, A = Vec<Option<Value>>> {
    /// The event that was moved.
    pub event: EventRef,
    /// What became of it.
    pub became: Became,
    /// The state after it.
    pub state: S,
    /// The event's arguments, as far as they are known, if its inner steps determine more than was recorded.
    pub args: Option<A>,
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

impl From<Kind> for Became {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Happen(nth) => Self::Happened(nth),
            Kind::Inner(nth) => Self::InnerStep(nth),
            Kind::Skip => Self::Nothing,
        }
    }
}

/// The dead ends with the most events placed.
#[derive(Debug)]
pub struct Deepest<S = State, A = Vec<Option<Value>>> {
    /// How many events they have placed.
    pub placed: u64,
    /// How many there are.
    pub count: u64,
    /// Some of them.
    pub kept: Vec<DeadEnd<S, A>>,
    /// The most events that an order could have placed which was left before its end because it cannot be completed; 0 if none
    /// was left that could have got as far as these.
    pub left: u64,
}

impl<S, A> Default for Deepest<S, A> {
    fn default() -> Self {
        Self { placed: 0, count: 0, kept: Vec::new(), left: 0 }
    }
}

impl<S, A> Deepest<S, A> {
    /// Notes an order that is left before its end, though so many of its events could have been placed.
    pub(super) fn leave(&mut self, could_place: u64) {
        if could_place >= self.placed {
            self.left = self.left.max(could_place);
        }
    }

    /// Whether orders that were left before their end could have got as far or further.
    pub fn is_of_those_followed(&self) -> bool {
        self.left > 0 && self.left >= self.placed
    }

    /// Whether no other dead end has more events placed than this.
    pub(super) fn concerns(&self, placed: u64) -> bool {
        placed >= self.placed
    }

    /// Notes one.
    pub(super) fn note(&mut self, placed: u64, dead_end: impl FnOnce() -> DeadEnd<S, A>) {
        if placed > self.placed {
            self.kept.clear();
            (self.placed, self.count) = (placed, 0);
        }
        self.count += 1;
        if self.kept.len() < KEPT {
            self.kept.push(dead_end());
        }
    }

    /// Adds those of another search.
    pub(crate) fn merge(&mut self, other: Self) {
        let left = self.left.max(other.left);
        match other.placed.cmp(&self.placed) {
            Ordering::Less => {}
            Ordering::Equal => {
                self.count += other.count;
                self.kept.extend(other.kept);
                self.kept.truncate(KEPT);
            }
            Ordering::Greater => *self = other,
        }
        self.left = left;
    }
}
