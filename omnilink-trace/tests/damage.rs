//! Damaged files: never a panic, always an error with a place, or the valid prefix.
#![cfg(feature = "read")]

mod arbitrary;
mod plain;

use std::fs;
use std::path::Path;

use arbitrary::traces;
use omnilink_trace::{LaneEnd, OpenOptions, Record, StopReason, Trace, TraceError, layout, write_run};
use plain::{PlainRecord, plain};
use proptest::prelude::*;

/// The events in the stream of the only lane, and where they begin.
fn events(trace: &Trace) -> (Vec<PlainRecord>, Vec<u64>) {
    let records = trace.lanes()[0].records().map(|record| record.unwrap());
    let both = plain(trace).lanes.remove(0).records.into_iter().zip(records);
    both.filter_map(|(plain, record)| match record {
        Record::Event(event) if event.timebox.end.is_some() => Some((plain, event.offset)),
        _ => None,
    })
    .unzip()
}

/// Opens with recovery, and reads what there is.
fn recover(file: &Path) {
    let _ = Trace::open_with(file, &OpenOptions::recover(true)).map(|trace| plain(&trace));
}

/// Opens strictly too; whatever happens must be told with the file's name.
fn open_strictly(file: &Path) -> Result<(), TestCaseError> {
    match Trace::open(file) {
        Ok(trace) => drop(plain(&trace)),
        Err(error) => prop_assert!(error.to_string().contains(&file.display().to_string()), "{error}"),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_torn_lane_keeps_its_whole_records(trace in traces(), cut in any::<prop::sample::Index>()) {
        let place = tempfile::tempdir().unwrap();
        let run = place.path().join("run");
        prop_assume!(!trace.lanes().is_empty());
        write_run(&trace, &run).unwrap();
        let lane = &trace.lanes()[0];
        let file = run.join(layout::lane_file_name(lane.index()));
        let all = plain(&Trace::open(&file).unwrap()).lanes.remove(0);
        let bytes = fs::read(&file).unwrap();
        let stream = bytes.len() - layout::DATA_OFFSET as usize;
        fs::write(&file, &bytes[..layout::DATA_OFFSET as usize + cut.index(stream)]).unwrap();

        let torn = Trace::open(&file).unwrap();
        let left = plain(&torn).lanes.remove(0);
        prop_assert!(all.records.starts_with(&left.records));
        prop_assert_ne!(left.end, LaneEnd::Complete);
        prop_assert!(torn.notices().iter().any(|notice| notice.to_string().contains("cut off")));
        prop_assert!(!torn.complete());
    }

    #[test]
    fn a_changed_byte_is_an_error_or_leaves_the_records_before_it(
        trace in traces(), at in any::<prop::sample::Index>(), flip in 1..=255_u8,
    ) {
        let place = tempfile::tempdir().unwrap();
        let run = place.path().join("run");
        prop_assume!(!trace.lanes().is_empty());
        write_run(&trace, &run).unwrap();
        let file = run.join(layout::lane_file_name(trace.lanes()[0].index()));
        let (all, offsets) = events(&Trace::open(&file).unwrap());
        let mut bytes = fs::read(&file).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        fs::write(&file, &bytes).unwrap();
        open_strictly(&file)?;

        let recovered = Trace::open_with(&file, &OpenOptions::recover(true));
        if offsets.first().is_some_and(|&first| at as u64 >= first) {
            let (left, _) = events(&recovered.unwrap());
            let untouched = offsets.iter().skip(1).filter(|&&offset| offset <= at as u64).count();
            prop_assert_eq!(&left[..untouched], &all[..untouched]);
        }
    }

    #[test]
    fn arbitrary_streams_and_slots_never_panic(
        stream in prop::collection::vec(any::<u8>(), 1..400), slot in prop::collection::vec(any::<u8>(), 64),
    ) {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("00000.lane");
        let mut bytes = vec![0; layout::DATA_OFFSET as usize];
        omnilink_trace::encode::write_control(&mut bytes);
        bytes[layout::COMMITTED_AT] = stream.len() as u8;
        bytes[layout::SLOT_SEQUENCE_AT..][..slot.len()].copy_from_slice(&slot);
        bytes.extend(stream);
        fs::write(&file, &bytes).unwrap();
        open_strictly(&file)?;
        recover(&file);
    }

    #[test]
    fn arbitrary_files_of_every_kind_never_panic(
        head in prop::sample::select(vec![&b"{"[..], b"\x82", b"\xde", b"\x28\xb5\x2f\xfd", b"\x89OMNLNK\n", b""]),
        tail in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("00000");
        fs::write(&file, [head, &tail].concat()).unwrap();
        open_strictly(&file)?;
        recover(&file);
    }
}

#[test]
fn recovery_keeps_the_valid_prefix_and_says_where_it_ends() {
    let place = tempfile::tempdir().unwrap();
    let text = place.path().join("trace.jsonl");
    fs::write(
        &text,
        r#"{"thread":0,"start":1,"end":2,"op":"A","x":1}
{"thread":0,"start":3,"end":4,"op":"A","x":2}
{"thread":0,"start":5,"end":6,"op":"A","x":3}
"#,
    )
    .unwrap();
    let run = place.path().join("run");
    write_run(&Trace::open(&text).unwrap(), &run).unwrap();
    let file = run.join("00000.lane");
    let second = match Trace::open(&run).unwrap().lanes()[0].records().nth(1) {
        Some(Ok(Record::Event(event))) => event.offset,
        other => panic!("{other:?}"),
    };
    let mut bytes = fs::read(&file).unwrap();
    bytes[second as usize] = 0xc1;
    fs::write(&file, &bytes).unwrap();

    let error = Trace::open(&run).unwrap_err();
    assert!(matches!(error, TraceError::Corrupt { offset, .. } if offset == second));
    let trace = Trace::open_with(&run, &OpenOptions::recover(true)).unwrap();
    assert_eq!(trace.lanes()[0].events(), 1);
    assert_eq!(trace.lanes()[0].end(), LaneEnd::Stopped { at: 2, reason: StopReason::Corrupt });
    assert_eq!(trace.earliest_stop(), Some(2));
    let notice = trace.notices()[0].to_string();
    assert_eq!(
        notice,
        format!(
            "{}: byte {second}: damaged here: found the reserved byte 0xc1 where a record, an array, belongs; the records \
             before are kept, the rest is dropped",
            file.display()
        )
    );

    // What was recovered can be kept: written again it is a sound file that says that calls are missing.
    let kept = place.path().join("kept");
    write_run(&trace, &kept).unwrap();
    let again = Trace::open(&kept).unwrap();
    assert_eq!(plain(&again).lanes, plain(&trace).lanes);
}
