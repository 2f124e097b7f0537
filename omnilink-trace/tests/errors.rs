//! What people read when something is wrong: the whole text of every error.
#![cfg(feature = "pack")]

use std::fs;
use std::path::{Path, PathBuf};

use omnilink_trace::encode::{
    Buffer, EventPrefix, LaneHeader, write_action, write_choice, write_control, write_terminated,
};
use omnilink_trace::{Finding, LaneEnd, StopReason, Trace, layout, pack, unpack, write_run};

/// A directory for a test, whose path is shown as `RUN`.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn text(&self, error: impl ToString) -> String {
        error.to_string().replace(&self.0.path().display().to_string(), "RUN")
    }

    fn open_error(&self, path: impl AsRef<Path>) -> String {
        self.text(Trace::open(path).unwrap_err())
    }
}

/// A lane file under construction.
struct Lane {
    stream: Vec<u8>,
}

impl Lane {
    fn new(index: u32, spec: &str, clock: &str) -> Self {
        let mut lane = Self { stream: Vec::new() };
        let header = LaneHeader { spec, next: "Next", clock, lane: index, name: "t", seed: Some(7) };
        lane.add(|out| header.write(out, [("Put", &["key", "value"][..])].into_iter()));
        lane
    }

    fn add(&mut self, write: impl FnOnce(&mut Buffer<'_>)) -> &mut Self {
        let mut room = [0; 1024];
        let mut buffer = Buffer::new(&mut room);
        write(&mut buffer);
        let len = buffer.len();
        self.stream.extend_from_slice(&room[..len]);
        self
    }

    /// An event `Put(1, 2)` with this entry, start, duration and flags.
    fn put(&mut self, entry: u16, start: u64, duration: u64, flags: u8) -> &mut Self {
        self.add(|out| {
            EventPrefix { entry, start, duration, flags, args: 2 }.write(out);
            out.push(&[1, 2]);
        })
    }

    fn bytes(&self) -> Vec<u8> {
        let mut file = vec![0; layout::DATA_OFFSET as usize];
        write_control(&mut file);
        file[layout::COMMITTED_AT..][..8].copy_from_slice(&(self.stream.len() as u64).to_le_bytes());
        file.extend_from_slice(&self.stream);
        file
    }
}

#[test]
fn paths_that_hold_no_trace() {
    let place = Place::new();
    assert_eq!(
        place.open_error(place.path("none")),
        "RUN/none: no such file or directory; a trace is a run directory, a .lane file, a packed run (.tar.zst), JSON lines \
         (.jsonl) or upstream logs (*.log)"
    );
    assert_eq!(
        place.open_error(place.write("a.png", b"\x89PNG\r\n\x1a\n....")),
        "RUN/a.png: not a trace: it begins with the bytes [89, 50, 4e, 47, 0d, 0a, 1a, 0a]; expected a lane file, a packed \
         run (.tar.zst), JSON lines (.jsonl) or an upstream log (*.log)"
    );
    assert!(place.open_error(place.write("empty", "")).starts_with("RUN/empty: not a trace: it is empty;"));
    assert!(
        place.open_error(place.write("run.json", "{}")).starts_with(
            "RUN/run.json: not a trace: it is the description of a run; give the directory that it is in;"
        )
    );
    assert_eq!(
        place.open_error(place.0.path()),
        "RUN: empty run: there is a run.json and no lane file; did the program make a single instrumented call?"
    );
    fs::remove_file(place.path("run.json")).unwrap();
    assert_eq!(
        place.open_error(place.0.path()),
        "RUN: empty run: the directory has no lane file (00000.lane, …) and no upstream log (*.log); is this the directory \
         that OMNILINK_TRACE_DIR named?"
    );
}

#[test]
fn lanes_with_a_wrong_beginning() {
    let place = Place::new();
    let lane = Lane::new(0, "S", "tsc").bytes();
    let mut newer = lane.clone();
    newer[layout::VERSION_AT] = 2;
    assert_eq!(
        place.open_error(place.write("00000.lane", newer)),
        "RUN/00000.lane: byte 8: format version 2, but this reader knows only version 1; read it with the omnilink that \
         recorded it, or with a newer one"
    );
    place.write("00000.lane", "something else");
    assert!(
        place.open_error(place.0.path()).starts_with("RUN/00000.lane: not a trace: it begins with the bytes [73, 6f,")
    );
    for (at, value, text) in [
        (layout::DATA_OFFSET_AT, 1, "byte 12: the data offset is 8193, expected 8192"),
        (layout::STATE_AT, 2, "byte 32: the lane's state is 2, expected 0 or 1"),
        (layout::STOP_REASON_AT, 8, "byte 36: the stop reason is 8, expected 0 to 7"),
    ] {
        let mut wrong = lane.clone();
        wrong[at] |= value;
        assert_eq!(
            place.open_error(place.write("00000.lane", wrong)),
            format!("RUN/00000.lane: {text}; the file is damaged here: `--recover` keeps what is before")
        );
    }
    assert_eq!(
        place.open_error(place.write("00003.lane", &lane)),
        "RUN/00003.lane: byte 8192: the header says lane 0, the file name lane 3; rename the file to 00000.lane"
    );
    let unborn = place.write("00000.lane", vec![0; 9000]);
    assert_eq!(
        place.open_error(unborn),
        "RUN/00000.lane: empty run: the lane was being created when the program died; it has no events"
    );
}

#[test]
fn lanes_with_wrong_records() {
    let place = Place::new();
    type Write = fn(&mut Lane) -> &mut Lane;
    let cases: &[(&str, Write)] = &[
        ("table entry 1 does not exist, the table has 1 entries so far", |lane| lane.put(1, 5, 1, 0)),
        ("starts at 5, before the end of the record before it in the same lane, 8", |lane| {
            lane.put(0, 5, 3, 0).put(0, 5, 3, 0)
        }),
        ("starts at 4, before the end of the record before it in the same lane, 8", |lane| {
            lane.put(0, 5, 3, 0).add(|out| write_terminated(out, 4))
        }),
        ("starts at 18446744073709551615 and takes 1 ticks, which exceeds 64 bits", |lane| lane.put(0, u64::MAX, 1, 0)),
        ("event flags are 0x3, which has no meaning", |lane| lane.put(0, 5, 1, 3)),
        ("event flags are 0x20, which has no meaning", |lane| lane.put(0, 5, 1, 0x20)),
        ("the flag for unknown arguments is true, but 0 arguments are unknown", |lane| lane.put(0, 5, 1, 4)),
        ("an event has 5 elements, expected 6", |lane| {
            lane.add(|out| EventPrefix { entry: 0, start: 1, duration: 1, flags: 0, args: 1 }.write(out))
        }),
        ("an event has 7 elements, expected 6", |lane| {
            lane.add(|out| EventPrefix { entry: 0, start: 1, duration: 1, flags: 0, args: 3 }.write(out))
        }),
        ("record kind -9 is not known", |lane| lane.add(|out| out.push(&[0x91, 0xf7]))),
        ("found a map where a record, an array, belongs", |lane| lane.add(|out| out.push(&[0x80]))),
        ("a record runs past the end of the committed bytes", |lane| lane.add(|out| out.push(&[0x96, 0]))),
        ("action `Get` has two parameters `key`", |lane| lane.add(|out| write_action(out, "Get", &["key", "key"]))),
        ("65 parameters, at most 64 are allowed", |lane| {
            let params: Vec<_> = (0..65).map(|i| format!("p{i}")).collect();
            lane.add(|out| write_action(out, "Many", &params))
        }),
        ("table entry 1 is a choice; a choice is made of actions", |lane| {
            lane.add(|out| write_choice(out, &[0])).add(|out| write_choice(out, &[1]))
        }),
        ("table entry 9 does not exist, the table has 1 entries so far", |lane| {
            lane.add(|out| write_choice(out, &[9]))
        }),
        ("the end of a thread has 1 elements, expected 3", |lane| lane.add(|out| out.push(&[0x91, 0xfd]))),
        ("a function has two values for \"a\"", |lane| lane.add(|out| out.push(b"\x93\xfd\x01\x82\xa1a\x01\xa1a\x02"))),
    ];
    for (problem, write) in cases {
        let mut lane = Lane::new(0, "S", "tsc");
        write(&mut lane);
        let text = place.open_error(place.write("00000.lane", lane.bytes()));
        let (file_and_place, rest) = text.split_once(": byte ").unwrap();
        let (offset, rest) = rest.split_once(": ").unwrap();
        assert_eq!(file_and_place, "RUN/00000.lane");
        assert!(offset.parse::<u64>().unwrap() > layout::DATA_OFFSET, "{text}");
        assert_eq!(rest, format!("{problem}; the file is damaged here: `--recover` keeps what is before"));
    }
}

#[test]
fn a_run_whose_files_do_not_fit_together() {
    let place = Place::new();
    place.write("00000.lane", Lane::new(0, "S", "tsc").bytes());
    place.write("00001.lane", Lane::new(1, "T", "tsc").bytes());
    let rest = "the files are of different runs: keep each run in a directory of its own";
    assert_eq!(
        place.open_error(place.0.path()),
        format!("RUN/00001.lane: the specification is `T`, but RUN/00000.lane says `S`; {rest}")
    );
    place.write("00001.lane", Lane::new(1, "S", "monotonic").bytes());
    assert_eq!(
        place.open_error(place.0.path()),
        format!("RUN/00001.lane: the clock is `monotonic`, but RUN/00000.lane says `tsc`; {rest}")
    );
    place.write("00001.lane", Lane::new(1, "S", "tsc").bytes());
    let run = |clock: &str, lanes: u64| {
        format!(r#"{{"format":"omnilink-run","version":1,"clock":{{"kind":"{clock}"}},"lanes":{lanes}}}"#)
    };
    place.write("run.json", run("cntvct", 2));
    assert_eq!(
        place.open_error(place.0.path()),
        format!("RUN/00000.lane: the clock is `tsc`, but RUN/run.json says `cntvct`; {rest}")
    );
    place.write("run.json", "{]");
    assert_eq!(
        place.open_error(place.0.path()),
        "RUN/run.json: unreadable run description: key must be a string at line 1 column 2; repair it or move it away (the \
         lanes can be read without it)"
    );
    place.write("run.json", run("tsc", 3));
    let trace = Trace::open(place.0.path()).unwrap();
    assert_eq!(
        place.text(&trace.notices()[0]),
        "RUN: the run had 3 lanes, but 2 are here; calls of the missing ones are not known"
    );
    assert_eq!((trace.complete(), trace.earliest_stop()), (false, Some(0)));
}

#[test]
fn what_can_be_read_nevertheless_is_noticed() {
    let place = Place::new();
    place.write("00000.lane", Lane::new(0, "S", "tsc").put(0, 5, 3, 0).bytes());
    place.write("00002.lane", Lane::new(2, "S", "tsc").bytes());
    place.write("00003.lane", "");
    place.write("7.lane", "");
    let trace = Trace::open(place.0.path()).unwrap();
    let notices: Vec<_> = trace.notices().iter().map(|notice| place.text(notice)).collect();
    assert_eq!(
        notices,
        [
            "RUN/run.json: missing; command, seed and the clock's rate are not known, times are in ticks",
            "RUN/7.lane: not read: lane files are named by five digits and .lane",
            "RUN/00003.lane: the lane was being created when the program died; it has no events",
            "RUN: 1 lanes are missing, the first is lane 1; their calls are not known",
        ]
    );
    assert_eq!(trace.run().seed, Some(7));

    let mut stopped = Lane::new(0, "S", "tsc").put(0, 5, 3, 0).bytes();
    stopped[layout::STOP_TIME_AT] = 9;
    stopped[layout::STOP_REASON_AT] = 1;
    let trace = Trace::open(place.write("00000.lane", stopped)).unwrap();
    assert_eq!(trace.lanes()[0].end(), LaneEnd::Stopped { at: 9, reason: StopReason::NoSpace });
}

#[test]
fn boxes_are_widened_by_what_the_clock_leaves_open() {
    let place = Place::new();
    place.write("00000.lane", Lane::new(0, "S", "tsc").put(0, 5, 3, 0).put(0, 8, u64::MAX - 8, 0).bytes());
    place.write(
        "run.json",
        r#"{"format":"omnilink-run","version":1,
            "clock":{"kind":"tsc","ticks_per_second":2000000000,"uncertainty":10,"slack":100}}"#,
    );
    let trace = Trace::open(place.0.path()).unwrap();
    let ends = trace.records().map(|record| match record.unwrap() {
        omnilink_trace::Record::Event(event) => event.timebox.end,
        other => panic!("{other:?}"),
    });
    assert_eq!(ends.collect::<Vec<_>>(), [Some(118), Some(u64::MAX)]);
    assert!(trace.notices().iter().any(|notice| notice.finding == Finding::Relaxed { slack: 100 }));
    assert_eq!((trace.ns(5), trace.ns(1005), trace.ticks(500)), (0, 500, 1005));
}

#[test]
fn places_that_cannot_be_written_to() {
    let place = Place::new();
    let lane = place.write("00000.lane", Lane::new(0, "S", "tsc").bytes());
    let trace = Trace::open(&lane).unwrap();
    let occupied = "already exists and is not an empty directory; choose another place, or remove it first";
    let text = |error| place.text(error);
    assert_eq!(text(write_run(&trace, place.0.path()).unwrap_err()), format!("RUN: {occupied}"));
    assert_eq!(text(pack(place.0.path(), &lane).unwrap_err()), format!("RUN/00000.lane: {occupied}"));
    let packed = place.path("run.tar.zst");
    pack(place.0.path(), &packed).unwrap();
    assert_eq!(text(unpack(&packed, place.0.path()).unwrap_err()), format!("RUN: {occupied}"));
    assert!(text(pack(place.path("none"), place.path("x")).unwrap_err()).starts_with("RUN/none: no such file"));
    assert!(
        text(pack(&lane, place.path("x")).unwrap_err())
            .starts_with("RUN/00000.lane: not a trace: it is not a directory")
    );
}
