//! Whatever a trace says survives every way of storing it.
#![cfg(feature = "pack")]

mod arbitrary;
mod plain;

use std::collections::BTreeMap;
use std::fs;

use arbitrary::traces;
use omnilink_trace::{
    Argument, Candidates, Event, Notice, Outcome, Record, Run, Timebox, Trace, TraceBuilder, Value, jsonl, layout,
    pack, unpack, write_run,
};
use plain::{Plain, PlainRecord, plain};
use proptest::prelude::*;

/// What a run directory can hold: a pending call has neither meta values nor effects there, and lanes have the actions of their
/// events.
fn as_written(mut plain: Plain) -> Plain {
    plain.run.lanes = Some(plain.lanes.len() as u64);
    let used: Vec<_> = plain.lanes.iter().flat_map(|lane| &lane.records).flat_map(actions_of).cloned().collect();
    plain.signatures.retain(|(name, params, ..)| used.contains(&(name.clone(), params.clone())));
    for record in plain.lanes.iter_mut().flat_map(|lane| &mut lane.records) {
        if let PlainRecord::Event { timebox, effects, meta, .. } = record
            && timebox.end.is_none()
        {
            effects.clear();
            meta.clear();
        }
    }
    plain
}

fn actions_of(record: &PlainRecord) -> &[(String, Vec<String>)] {
    match record {
        PlainRecord::Event { actions, .. } => actions,
        PlainRecord::Terminated { .. } => &[],
    }
}

fn lane_of(record: &Record) -> u32 {
    match record {
        Record::Event(event) => event.lane,
        Record::Terminated(termination) => termination.lane,
    }
}

fn has_oversized(notices: &[Notice]) -> bool {
    notices.iter().any(|notice| matches!(notice.finding, omnilink_trace::Finding::Oversized { .. }))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn json_lines_are_the_identity(trace in traces()) {
        let file = tempfile::Builder::new().suffix(".jsonl").tempfile().unwrap();
        jsonl::write(&trace, file.as_file()).unwrap();
        let again = Trace::open(file.path()).unwrap();
        prop_assert_eq!(plain(&again), plain(&trace));
    }

    #[test]
    fn run_directories_and_packed_runs_are_the_identity(trace in traces()) {
        prop_assume!(!trace.lanes().is_empty());
        let place = tempfile::tempdir().unwrap();
        let (directory, packed, unpacked) =
            (place.path().join("run"), place.path().join("run.tar.zst"), place.path().join("again"));
        let notices = write_run(&trace, &directory).unwrap();
        prop_assume!(!has_oversized(&notices));
        let expected = as_written(plain(&trace));
        prop_assert_eq!(&plain(&Trace::open(&directory).unwrap()), &expected);
        pack(&directory, &packed).unwrap();
        prop_assert_eq!(&plain(&Trace::open(&packed).unwrap()), &expected);
        unpack(&packed, &unpacked).unwrap();
        for entry in fs::read_dir(&directory).unwrap() {
            let name = entry.unwrap().file_name();
            prop_assert_eq!(fs::read(directory.join(&name)).unwrap(), fs::read(unpacked.join(&name)).unwrap());
        }
    }

    #[test]
    fn merging_keeps_every_record_and_the_order_of_time(trace in traces()) {
        let merged: Vec<_> = trace.records().map(Result::unwrap).collect();
        for (place, lane) in trace.lanes().iter().enumerate() {
            let own: Vec<_> = lane.records().map(Result::unwrap).collect();
            let kept: Vec<_> = merged.iter().filter(|record| lane_of(record) == lane.index()).cloned().collect();
            prop_assert_eq!(kept, own, "lane {}", place);
        }
        prop_assert_eq!(merged.len(), trace.lanes().iter().map(|lane| lane.records().count()).sum::<usize>());
        // A call may begin before the end of its thread: ends are widened upwards, beginnings downwards. It comes after it, as
        // in its lane.
        let mut latest = BTreeMap::new();
        let times = merged.iter().map(|record| {
            let latest = latest.entry(lane_of(record)).or_insert(0);
            *latest = record.time().max(*latest);
            *latest
        });
        prop_assert!(times.is_sorted());
    }
}

/// The deepest values that the format allows: every level is written, read, compared and dropped.
#[test]
fn the_deepest_values_survive_too() {
    let nested = |wrap: fn(Value) -> Value| (1..layout::MAX_DEPTH).fold(Value::Int(1), |value, _| wrap(value));
    let deepest = [
        nested(|value| Value::Tuple(vec![value])),
        nested(|value| Value::set([value])),
        nested(|value| Value::function([(Value::Int(7), value)]).unwrap()),
        nested(|value| Value::function([(value, Value::Int(7))]).unwrap()),
    ];
    let mut builder = TraceBuilder::new("", "", Run::default());
    let action = builder.action("Deep", &["a", "b", "c", "d"]).unwrap();
    let params = builder.vocabulary().union_of_params(&[action]);
    let args = params.into_iter().zip(deepest).map(|(param, value)| Argument { param, value: Some(value) });
    let event = Event {
        lane: 0,
        index: 0,
        candidates: Candidates::One(action),
        args: args.collect(),
        timebox: Timebox { start: 1, end: Some(2) },
        outcome: Outcome::Done,
        effects: vec![],
        meta: vec![],
        offset: 0,
    };
    let mut deeper = event.clone();
    deeper.args[0].value = deeper.args[0].value.take().map(|value| Value::Tuple(vec![value]));
    let error = builder.push(Record::Event(deeper)).unwrap_err().to_string();
    assert_eq!(error, "lane 0, event 0: the value nests deeper than 1024 levels");
    builder.push(Record::Event(event)).unwrap();
    let trace = builder.finish("deep").unwrap();

    let place = tempfile::tempdir().unwrap();
    let (run, text) = (place.path().join("run"), place.path().join("deep.jsonl"));
    write_run(&trace, &run).unwrap();
    jsonl::write(&trace, fs::File::create(&text).unwrap()).unwrap();
    for path in [run, text] {
        assert!(plain(&Trace::open(path).unwrap()).lanes == plain(&trace).lanes);
    }
}
