//! A call in TLA+ notation.

use std::fmt;

use crate::event::{Action, Event, Vocabulary};

/// `Enqueue(3)`; `Put(3, ?value)` if the argument for `value` is not known; `Dequeue(?elem) or DequeueEmpty` if it is
/// not known which of them it was.
#[derive(Debug)]
pub struct Call<'a> {
    vocabulary: &'a Vocabulary,
    event: &'a Event,
}

impl<'a> Call<'a> {
    /// The call that `event` records.
    pub fn new(vocabulary: &'a Vocabulary, event: &'a Event) -> Self {
        Self { vocabulary, event }
    }

    fn write_candidate(&self, f: &mut fmt::Formatter<'_>, action: &Action) -> fmt::Result {
        f.write_str(&action.name)?;
        for (i, &param) in action.params.iter().enumerate() {
            f.write_str(if i == 0 { "(" } else { ", " })?;
            match self.event.args.iter().find(|arg| arg.param == param).and_then(|arg| arg.value.as_ref()) {
                Some(value) => write!(f, "{value}")?,
                None => write!(f, "?{}", self.vocabulary.name(param))?,
            }
        }
        f.write_str(if action.params.is_empty() { "" } else { ")" })
    }

    /// Only values by name are known, as in traces of variable updates.
    fn write_anonymous(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("?")?;
        for (i, arg) in self.event.args.iter().enumerate() {
            f.write_str(if i == 0 { "(" } else { ", " })?;
            let name = self.vocabulary.name(arg.param);
            match &arg.value {
                Some(value) => write!(f, "{name} = {value}")?,
                None => write!(f, "?{name}")?,
            }
        }
        f.write_str(if self.event.args.is_empty() { "" } else { ")" })
    }
}

impl fmt::Display for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let candidates = self.event.candidates.as_slice();
        if candidates.is_empty() {
            return self.write_anonymous(f);
        }
        for (i, &action) in candidates.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { " or " })?;
            self.write_candidate(f, self.vocabulary.action(action))?;
        }
        Ok(())
    }
}
