//! Traces as text.

use std::path::Path;

use omnilink_trace::{NameId, Record, Trace, Value};

/// Opens the trace of a run that ended well.
#[track_caller]
pub fn open(directory: &Path) -> Trace {
    let trace = Trace::open(directory).unwrap_or_else(|error| panic!("{error}"));
    assert!(trace.complete(), "{:?}", trace.notices());
    trace
}

/// Every record of a lane in one line.
pub fn lines(trace: &Trace, lane: usize) -> Vec<String> {
    let words = trace.vocabulary();
    let describe = |record| match record {
        Record::Event(event) => {
            let names: Vec<_> = event.candidates.as_slice().iter().map(|&action| &*words.action(action).name).collect();
            let value = |value: &Option<Value>| value.as_ref().map_or("?".to_owned(), Value::to_string);
            let args = event.args.iter().map(|arg| format!("{} = {}", words.name(arg.param), value(&arg.value)));
            let meta = event.meta.iter().map(|(key, value)| format!(" {key}: {value}")).collect::<String>();
            format!("{}({}) {:?}{meta}", names.join("|"), args.collect::<Vec<_>>().join(", "), event.outcome)
        }
        Record::Terminated(end) => format!(
            "terminated {:?}",
            end.meta.iter().map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>()
        ),
    };
    trace.lanes()[lane].records().map(|record| describe(record.unwrap())).collect()
}

/// The same of all lanes.
pub fn all_lines(trace: &Trace) -> Vec<Vec<String>> {
    (0..trace.lanes().len()).map(|lane| lines(trace, lane)).collect()
}

/// What is declared of each action, sorted: `Pop(elem) results elem operation Pop`.
pub fn signatures(trace: &Trace) -> Vec<String> {
    let vocabulary = trace.vocabulary();
    let names = |ids: &[NameId]| ids.iter().map(|&id| vocabulary.name(id)).collect::<Vec<_>>().join(", ");
    let mut signatures: Vec<_> = vocabulary
        .actions()
        .map(|(id, action)| {
            let signature = trace.signature(id);
            let results = signature.results.as_ref().map_or_else(|| "unknown".to_owned(), |results| names(results));
            let operation = signature.operation.as_deref().unwrap_or("unknown");
            format!("{}({}) results {results} operation {operation}", action.name, names(&action.params))
        })
        .collect();
    signatures.sort();
    signatures
}
