//! What a report says about independent parts of a trace.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::notes::count;
use crate::check::{self, Parts};

/// Independent parts of a trace that were checked one by one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partition {
    /// How many there are.
    pub parts: u64,
    /// The one that was rejected, if one was: `stuck` and `core` are about its events alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<RejectedPart>,
}

/// A part of a trace that has no order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedPart {
    /// How many events it has.
    pub events: u64,
    /// What its events have in common, as TLA+: `kv[3]`; some of it, if it is much.
    pub touches: Vec<String>,
}

impl Partition {
    pub(super) fn of(parts: &Parts) -> Self {
        let rejected = |part: &check::RejectedPart| RejectedPart {
            events: part.prepared.history.timeline.len() as u64,
            touches: part.touches.clone(),
        };
        Self { parts: parts.count as u64, rejected: parts.rejected.as_deref().map(rejected) }
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = count(self.parts, "part");
        match &self.rejected {
            Some(RejectedPart { events, touches }) => {
                let events = count(*events, "event");
                write!(
                    f,
                    "the events are of {parts} that have nothing in common, and one of them has no order, so the \
                           whole has none: what follows is about the {events} of this part"
                )?;
                if touches.is_empty() { Ok(()) } else { write!(f, " ({})", touches.join(", ")) }
            }
            None => write!(
                f,
                "the events are of {parts} that have nothing in common: an order of each was found, and \
                               the order of the whole was made of these"
            ),
        }
    }
}
