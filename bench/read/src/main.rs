//! How fast traces are read: events per second on one core, for opening (the pass that checks everything), for decoding
//! lane after lane, and for decoding merged by start time; and how fast JSON lines are opened.
//!
//! The run is written with the encoder that the runtime uses. An event is what a simple call leaves: one of three
//! actions, three integers, time stamps of a 2 GHz counter. Times are the CPU time of the reading thread, kernel included,
//! so that other work on the machine counts little; each is the best of several rounds. The files are in the page cache.

mod lines;

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Duration;

use omnilink_trace::encode::{Buffer, Encoder, EventPrefix, LaneHeader, write_control};
use omnilink_trace::{Record, Trace, TraceError, layout};

const ROUNDS: usize = 5;
const ACTIONS: [(&str, &[&str]); 3] =
    [("Put", &["key", "value", "result"]), ("Get", &["key", "version", "result"]), ("Scan", &["lo", "hi", "count"])];

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1);
    let mut number = |default| numbers.next().map_or(Ok(default), |text| text.parse());
    let (lanes, events): (u64, u64) = (number(5)?, number(1_000_000)?);

    let directory = tempfile::tempdir()?;
    let mut bytes = 0;
    for lane in 0..lanes {
        let file = lane_file(lane as u32, events);
        bytes += file.len();
        fs::write(directory.path().join(layout::lane_file_name(lane as u32)), file)?;
    }
    let total = lanes * events;
    println!(
        "{lanes} lanes x {events} events, {:.1} bytes per event; best of {ROUNDS} rounds",
        bytes as f64 / total as f64
    );

    let open =
        best(|| Trace::open(directory.path()).map(|trace| trace.lanes().iter().map(|lane| lane.events()).sum()))?;
    let trace = Trace::open(directory.path())?;
    let decode = best(|| trace.lanes().iter().map(|lane| count(lane.records())).sum())?;
    let merged = best(|| count(trace.records()))?;
    let both = best(|| read(directory.path()))?;
    for (what, (time, seen)) in
        [("open (check)", open), ("decode lane by lane", decode), ("decode merged", merged), ("open and decode", both)]
    {
        assert_eq!(seen, total, "{what} sees every event");
        let rate = total as f64 / time.as_secs_f64() / 1e6;
        println!("{what:20} {:8.1} ms {rate:8.1} million events/s", time.as_secs_f64() * 1e3);
    }
    for (what, text) in
        [("exported lines", lines::exported(&trace)?), ("others' lines", lines::of_others(lanes, events))]
    {
        let file = directory.path().join("lines.jsonl");
        fs::write(&file, &text)?;
        let (time, seen) =
            best(|| Trace::open(&file).map(|trace| trace.lanes().iter().map(|lane| lane.events()).sum()))?;
        assert_eq!(seen, total, "{what} have every event");
        let (seconds, length) = (time.as_secs_f64(), text.len() as f64);
        println!(
            "{what:20} {:8.1} ms {:8.1} million events/s {:8.0} MB/s ({:.0} bytes per line)",
            seconds * 1e3,
            total as f64 / seconds / 1e6,
            length / seconds / 1e6,
            length / total as f64
        );
    }
    Ok(())
}

/// The shortest time that `work` took, and what it counted.
fn best(mut work: impl FnMut() -> Result<u64, TraceError>) -> Result<(Duration, u64), TraceError> {
    let mut best = (Duration::MAX, 0);
    for _ in 0..ROUNDS {
        let begin = cpu_time();
        let seen = work()?;
        best = best.min((cpu_time() - begin, seen));
    }
    Ok(best)
}

/// CPU time of this thread so far.
fn cpu_time() -> Duration {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux counts the CPU time of threads");
    let nanoseconds = text.split(' ').next().and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.expect("the first number of schedstat is CPU time"))
}

fn count(records: impl Iterator<Item = Result<Record, TraceError>>) -> Result<u64, TraceError> {
    let mut events = 0;
    for record in records {
        // Look at what was decoded, so that decoding it cannot be optimised away.
        if let Record::Event(event) = std::hint::black_box(record?) {
            events += u64::from(event.args.len() == 3);
        }
    }
    Ok(events)
}

fn read(directory: &Path) -> Result<u64, TraceError> {
    Trace::open(directory)?.lanes().iter().map(|lane| count(lane.records())).sum()
}

fn lane_file(lane: u32, events: u64) -> Vec<u8> {
    let data = layout::DATA_OFFSET as usize;
    let mut file = vec![0; data + 4096 + events as usize * 64];
    let mut stream = Buffer::new(&mut file[data..]);
    let header = LaneHeader { spec: "Store", next: "Next", clock: "tsc", lane, name: "worker", seed: Some(7) };
    header.write(&mut stream, ACTIONS.into_iter());
    let mut now = 81_985_529_216_486_895 + u64::from(lane) * 100;
    for event in 0..events {
        let duration = 200 + event * 37 % 1000;
        let prefix = EventPrefix { entry: (event % 3) as u16, start: now, duration, flags: 0, args: 3 };
        prefix.write(&mut stream);
        for value in [event % 1000, event, event % 2] {
            let mut room = [0; 16];
            let mut encoder = Encoder::new(&mut room);
            encoder.int(value as i64);
            let len = encoder.finish().expect("an integer fits");
            stream.push(&room[..len]);
        }
        now += duration + 50;
    }
    let committed = stream.len();
    assert!(stream.fits());
    file.truncate(data + committed);
    write_control(&mut file[..data]);
    file[layout::COMMITTED_AT..][..8].copy_from_slice(&(committed as u64).to_le_bytes());
    file
}
