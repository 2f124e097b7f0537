//! Users' rules for events that the specification's actions do not cover.
//!
//! A rule names an operator of the specification, which gets the event as a record (see `event`). Rules are given on the
//! command line or in the configuration (see `parsed`).

mod event;
mod parsed;

use std::collections::BTreeMap;

pub(crate) use event::{event_record, termination_record};
pub use parsed::{About, ParsedRule, configured};

/// The rules.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Rules {
    /// The action that an aborted event is, with the event as its argument; without one, aborted events had no effect.
    pub on_abort: Option<String>,
    /// The action that the end of a thread is; without one, it has no effect.
    pub on_terminate: Option<String>,
    /// By action: an operator that has to be true of every event of this action, in the step that it is.
    pub also: BTreeMap<String, String>,
    /// Only the actions' own definitions count, not how the next-state relation leads to them.
    pub actions_only: bool,
}

impl Rules {
    /// Whether they make another next-state relation of the specification's.
    pub(crate) fn needs_module(&self) -> bool {
        self.actions_only || self.on_abort.is_some() || self.on_terminate.is_some()
    }
}
