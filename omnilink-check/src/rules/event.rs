//! Events as TLA+, for users' operators:
//!
//! ```tla
//! [action |-> "Write", args |-> [key |-> 3], outcome |-> "aborted", meta |-> [result_code |-> "ROLLBACK"], lane |-> 2]
//! ```

use std::collections::BTreeMap;

use omnilink_tla::Value;
use omnilink_tla::value::ValueError;
use omnilink_trace::{Event, Outcome, Termination, Trace};

use crate::error::Misfit;
use crate::value::Translation;

/// An event as TLA+.
pub(crate) fn event_record(trace: &Trace, event: &Event, translation: &Translation) -> Result<Value, Misfit> {
    let vocabulary = trace.vocabulary();
    let names: Vec<_> =
        event.candidates.as_slice().iter().map(|&action| vocabulary.action(action).name.as_ref()).collect();
    let bad =
        |param: &str, problem: ValueError| Misfit::Value { param: param.to_owned(), problem: problem.to_string() };
    let mut args = Vec::with_capacity(event.args.len());
    for arg in &event.args {
        let name = vocabulary.name(arg.param);
        if let Some(value) = &arg.value {
            args.push((name, translation.value(value).map_err(|problem| bad(name, problem))?));
        }
    }
    let meta = meta(&event.meta, translation)?;
    let outcome = match event.outcome {
        Outcome::Done => "done",
        Outcome::Aborted => "aborted",
        Outcome::Indeterminate => "indeterminate",
        Outcome::Pending => "pending",
    };
    let record = Value::record(args).and_then(|args| {
        Value::record([
            ("action", Value::string(names.first().copied().unwrap_or(""))),
            ("args", args),
            ("outcome", Value::string(outcome)),
            ("meta", meta),
            ("lane", Value::from(i64::from(event.lane))),
        ])
    });
    record.map_err(|problem| bad("event", problem))
}

/// The end of a thread as TLA+.
pub(crate) fn termination_record(it: &Termination, translation: &Translation) -> Result<Value, Misfit> {
    let record = Value::record([("lane", Value::from(i64::from(it.lane))), ("meta", meta(&it.meta, translation)?)]);
    record.map_err(|problem| Misfit::Value { param: "termination".to_owned(), problem: problem.to_string() })
}

fn meta(notes: &[(Box<str>, omnilink_trace::Value)], translation: &Translation) -> Result<Value, Misfit> {
    let mut fields = BTreeMap::new();
    for (name, value) in notes {
        let value = translation.value(value);
        fields.insert(
            &**name,
            value.map_err(|problem| Misfit::Value { param: name.to_string(), problem: problem.to_string() })?,
        );
    }
    Value::record(fields).map_err(|problem| Misfit::Value { param: "meta".to_owned(), problem: problem.to_string() })
}
