//! What a trace tells, in a form that tests like to look at.

use omnilink_trace::{Outcome, Record, Termination, Timebox, Trace, Value};

/// A call that returned: which action it was, with which values.
#[derive(Debug, Clone)]
pub struct Call {
    /// The thread.
    pub lane: u32,
    /// The action.
    pub action: String,
    /// Its arguments, by name.
    pub args: Vec<(String, Value)>,
    /// When.
    pub timebox: Timebox,
    /// Whether it took no effect.
    pub aborted: bool,
    /// What else was noted.
    pub meta: Vec<(Box<str>, Value)>,
}

impl Call {
    /// An argument.
    pub fn arg(&self, name: &str) -> &Value {
        let found = self.args.iter().find(|(param, _)| param == name);
        found.map_or_else(|| panic!("{self:?} has no {name}"), |(_, value)| value)
    }

    /// An argument that is an integer.
    pub fn int(&self, name: &str) -> i64 {
        let Value::Int(number) = self.arg(name) else { panic!("{name} of {self:?} is no integer") };
        *number
    }
}

/// All calls of a trace in the order in which they began. None of them may have ended by a panic or not at all.
pub fn calls(trace: &Trace) -> Vec<Call> {
    let words = trace.vocabulary();
    let events = trace.records().filter_map(|record| match record.expect("a readable trace") {
        Record::Event(event) => Some(event),
        Record::Terminated(_) => None,
    });
    let calls = events.map(|event| {
        let aborted = match event.outcome {
            Outcome::Done => false,
            Outcome::Aborted => true,
            Outcome::Indeterminate | Outcome::Pending => panic!("{event:?} did not return"),
        };
        let [action] = event.candidates.as_slice() else { panic!("{event:?} may be several actions") };
        let args = event.args.iter().map(|arg| {
            let value = arg.value.clone().unwrap_or_else(|| panic!("{event:?} has an argument without value"));
            (words.name(arg.param).to_owned(), value)
        });
        Call {
            lane: event.lane,
            action: words.action(*action).name.to_string(),
            args: args.collect(),
            timebox: event.timebox,
            aborted,
            meta: event.meta.clone(),
        }
    });
    calls.collect()
}

/// The ends of all threads.
pub fn ends(trace: &Trace) -> Vec<Termination> {
    let ends = trace.records().filter_map(|record| match record.expect("a readable trace") {
        Record::Event(_) => None,
        Record::Terminated(end) => Some(end),
    });
    ends.collect()
}
