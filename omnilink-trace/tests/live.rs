//! Reading a run while it is being recorded.
#![cfg(all(unix, feature = "read"))]

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use omnilink_trace::encode::{Buffer, EventPrefix, LaneHeader, write_control};
use omnilink_trace::{Finding, LaneEnd, StopReason, Trace, count_calls, layout};

/// A lane that is written as the runtime writes lanes, but through a file instead of a mapping.
struct Writer {
    file: File,
    committed: u64,
    events: u64,
}

impl Writer {
    fn put(&self, at: usize, bytes: &[u8]) {
        self.file.write_all_at(bytes, at as u64).unwrap();
    }

    fn append(&mut self, write: impl FnOnce(&mut Buffer<'_>)) {
        let mut room = [0; 256];
        let mut buffer = Buffer::new(&mut room);
        write(&mut buffer);
        let len = buffer.len();
        self.put((layout::DATA_OFFSET + self.committed) as usize, &room[..len]);
        self.committed += len as u64;
        self.put(layout::COMMITTED_AT, &self.committed.to_le_bytes());
    }

    fn open(file: File) -> Self {
        let mut control = vec![0; layout::DATA_OFFSET as usize];
        write_control(&mut control);
        file.write_all_at(&control, 0).unwrap();
        let mut writer = Self { file, committed: 0, events: 0 };
        let header = LaneHeader { spec: "", next: "", clock: "logical", lane: 0, name: "", seed: None };
        writer.append(|out| header.write::<&str>(out, [("A", &[][..])].into_iter()));
        writer
    }

    /// Begins the next call: it starts at ten times its number.
    fn begin(&mut self) {
        let sequence = self.events + 1;
        self.put(layout::SLOT_START_AT, &(10 * self.events).to_le_bytes());
        self.put(layout::SLOT_SEQUENCE_AT, &sequence.to_le_bytes());
    }

    fn end(&mut self) {
        let start = 10 * self.events;
        self.append(|out| EventPrefix { entry: 0, start, duration: 5, flags: 0, args: 0 }.write(out));
        self.events += 1;
    }
}

#[test]
fn a_call_is_never_missed() {
    let place = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(File::create_new(place.path().join("00000.lane")).unwrap());
    let (begun, over) = (AtomicU64::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while writer.events < 20_000 {
                writer.begin();
                begun.store(writer.events + 1, Ordering::SeqCst);
                writer.end();
            }
            over.store(true, Ordering::SeqCst);
        });
        while !over.load(Ordering::SeqCst) {
            let before = begun.load(Ordering::SeqCst);
            let trace = Trace::open(place.path()).unwrap();
            let lane = &trace.lanes()[0];
            let seen: Vec<_> = lane.records().map(|record| record.unwrap().time()).collect();
            assert!(seen.iter().zip(0..).all(|(&start, number)| start == 10 * number), "every call once, in order");
            match lane.end() {
                LaneEnd::Complete => assert!(seen.len() as u64 >= before, "calls that began before are there"),
                LaneEnd::Stopped { at, reason } => {
                    assert_eq!(reason, StopReason::Recording);
                    assert!(trace.notices().iter().any(|notice| notice.finding == Finding::Recording));
                    let began_earlier = at.div_ceil(10).min(before);
                    assert!(seen.len() as u64 >= began_earlier, "calls that began before the stop are there");
                }
            }
        }
    });
    assert_eq!(Trace::open(place.path()).unwrap().lanes()[0].events(), 20_000);
}

#[test]
fn a_run_that_stands_still_is_read_as_if_it_had_been_killed() {
    let place = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(File::create_new(place.path().join("00000.lane")).unwrap());
    writer.begin();
    writer.end();
    writer.begin();
    let trace = Trace::open(place.path()).unwrap();
    assert_eq!(trace.lanes()[0].events(), 2);
    assert_eq!(count_calls(place.path()).unwrap(), 2, "without reading them");
    assert!(trace.complete());
    assert!(!trace.notices().iter().any(|notice| notice.finding == Finding::Recording));
}

#[test]
fn calls_are_counted_also_after_a_discarded_one() {
    let place = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(File::create_new(place.path().join("00000.lane")).unwrap());
    assert_eq!(count_calls(place.path()).unwrap(), 0);
    for _ in 0..3 {
        writer.begin();
        writer.end();
    }
    assert_eq!(count_calls(place.path()).unwrap(), 3);
    writer.put(layout::SLOT_SEQUENCE_AT, &0_u64.to_le_bytes());
    assert_eq!(count_calls(place.path()).unwrap(), 3);
    std::fs::write(place.path().join("00001.lane"), "").unwrap();
    assert_eq!(count_calls(place.path()).unwrap(), 3, "a lane that was being created");
    assert!(count_calls(place.path().join("nowhere")).is_err());
}
