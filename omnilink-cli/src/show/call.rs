//! The parts of a call in TLA+ notation.

use std::fmt;

use omnilink_trace::{Action, ActionId, Effect, Outcome, Value, Vocabulary};

/// The declaration of some candidates, without values: `Dequeue(elem) or DequeueEmpty`.
pub fn signature(vocabulary: &Vocabulary, candidates: &[ActionId]) -> String {
    if candidates.is_empty() {
        return "?".to_owned();
    }
    let one = |&id: &ActionId| {
        let Action { name, params } = vocabulary.action(id);
        let params: Vec<_> = params.iter().map(|&param| vocabulary.name(param)).collect();
        if params.is_empty() { name.to_string() } else { format!("{name}({})", params.join(", ")) }
    };
    candidates.iter().map(one).collect::<Vec<_>>().join(" or ")
}

/// Named values: `node = "a", retries = 2`.
pub struct Meta<'a>(pub &'a [(Box<str>, Value)]);

impl fmt::Display for Meta<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (key, value)) in self.0.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { ", " })?;
            write!(f, "{key} = {value}")?;
        }
        Ok(())
    }
}

/// A recorded update of a variable: `queue[1].AddElement(3)`.
pub struct Update<'a> {
    /// Of the event's trace.
    pub vocabulary: &'a Vocabulary,
    /// The update.
    pub effect: &'a Effect,
}

impl fmt::Display for Update<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Effect { variable, path, operation, args } = self.effect;
        f.write_str(self.vocabulary.name(*variable))?;
        for step in path {
            write!(f, "[{step}]")?;
        }
        let args: Vec<_> = args.iter().map(ToString::to_string).collect();
        write!(f, ".{operation}({})", args.join(", "))
    }
}

/// The text for an outcome; `None` for `done`.
pub fn unusual(outcome: Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Done => None,
        Outcome::Aborted => Some("aborted"),
        Outcome::Indeterminate => Some("indeterminate"),
        Outcome::Pending => Some("pending"),
    }
}
