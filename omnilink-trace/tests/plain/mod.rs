//! A form of traces that can be compared.

use omnilink_trace::{
    Candidates, LaneEnd, NameId, Outcome, Record, Run, Signature, Termination, Timebox, Trace, Value,
};

/// Everything that a trace says, with names instead of identities.
#[derive(Debug, Clone, PartialEq)]
pub struct Plain {
    pub spec: String,
    pub next: String,
    pub run: Run,
    /// Name, parameters, results, operation of the actions that something is known of.
    pub signatures: Vec<PlainSignature>,
    pub lanes: Vec<PlainLane>,
}

pub type PlainSignature = (String, Vec<String>, Option<Vec<String>>, Option<String>);

#[derive(Debug, Clone, PartialEq)]
pub struct PlainLane {
    pub index: u32,
    pub name: String,
    pub end: LaneEnd,
    pub records: Vec<PlainRecord>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum PlainRecord {
    Event {
        index: u64,
        actions: Vec<(String, Vec<String>)>,
        certain: bool,
        args: Vec<(String, Option<Value>)>,
        timebox: Timebox,
        outcome: Outcome,
        effects: Vec<(String, Vec<Value>, String, Vec<Value>)>,
        meta: Vec<(Box<str>, Value)>,
    },
    Terminated {
        time: u64,
        meta: Vec<(Box<str>, Value)>,
    },
}

/// The trace in a form that can be compared.
pub fn plain(trace: &Trace) -> Plain {
    let vocabulary = trace.vocabulary();
    let name = |id| vocabulary.name(id).to_owned();
    let record = |record: Record| match record {
        Record::Terminated(Termination { time, meta, .. }) => PlainRecord::Terminated { time, meta },
        Record::Event(event) => PlainRecord::Event {
            index: event.index,
            certain: matches!(event.candidates, Candidates::One(_)),
            actions: event
                .candidates
                .as_slice()
                .iter()
                .map(|&id| vocabulary.action(id))
                .map(|action| (action.name.to_string(), action.params.iter().map(|&param| name(param)).collect()))
                .collect(),
            args: event.args.into_iter().map(|arg| (name(arg.param), arg.value)).collect(),
            timebox: event.timebox,
            outcome: event.outcome,
            effects: event
                .effects
                .into_iter()
                .map(|effect| (name(effect.variable), effect.path, effect.operation.into(), effect.args))
                .collect(),
            meta: event.meta,
        },
    };
    let lanes = trace.lanes().iter().map(|lane| PlainLane {
        index: lane.index(),
        name: lane.name().into(),
        end: lane.end(),
        records: lane.records().map(|result| record(result.expect("an opened lane can be read"))).collect(),
    });
    let names = |ids: &[NameId]| ids.iter().map(|&id| name(id)).collect::<Vec<_>>();
    let signatures = vocabulary.actions().map(|(id, action)| {
        let Signature { results, operation, .. } = trace.signature(id);
        let results = results.as_ref().map(|results| names(results));
        (action.name.to_string(), names(&action.params), results, operation.as_ref().map(ToString::to_string))
    });
    let mut signatures: Vec<_> = signatures.collect();
    signatures.sort();
    let mut run = trace.run().clone();
    run.actions.sort_by_key(|declaration| (declaration.name.clone(), declaration.params.clone()));
    Plain { spec: trace.spec().into(), next: trace.next().into(), run, signatures, lanes: lanes.collect() }
}
