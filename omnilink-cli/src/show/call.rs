//! A call as the specification would write it.

use std::fmt;

use omnilink_trace::{Action, ActionId, Effect, Event, Outcome, Value, Vocabulary};

/// `Enqueue(3)`; `Put(3, ?value)` if the argument for `value` is not known; `Dequeue(?elem) or DequeueEmpty` if it is
/// not known which of them it was.
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

    /// Nothing is known but values by name, as in traces of variable updates.
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

/// Named values, one after the other: `node = "a", retries = 2`.
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

/// What to say of an outcome, unless it is the usual one.
pub fn unusual(outcome: Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Done => None,
        Outcome::Aborted => Some("aborted"),
        Outcome::Indeterminate => Some("indeterminate"),
        Outcome::Pending => Some("pending"),
    }
}
