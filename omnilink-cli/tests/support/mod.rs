//! Real runs, written with the encoder that recorders use, and the real binary to look at them with.

// Each test file is a program of its own and uses its part of this.
#![allow(dead_code)]

pub mod bench;
pub mod markup;
pub mod projects;
pub mod replays;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::LazyLock;

use assert_cmd::Command;
use omnilink_trace::encode::{self, Buffer, Encoder, EventPrefix, LaneHeader};
use omnilink_trace::layout;

/// `omnilink ARGS…`, without the caller's OmniLink settings and colours.
pub fn omnilink<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("omnilink"));
    command.args(args).env_remove("OMNILINK_TRACE_DIR").env_remove("OMNILINK_TLC_JAR").env("NO_COLOR", "1");
    // However long it takes on this machine, it says nothing more.
    command.env("OMNILINK_PROGRESS", "never");
    command
}

/// The same, which is killed when it has taken so many seconds of processor time: it ends, however slow the machine is.
pub fn omnilink_within(processor_seconds: u32, args: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -t {processor_seconds}; exec \"$@\""), "sh"]);
    command.arg(assert_cmd::cargo::cargo_bin!("omnilink")).args(args);
    command.env_remove("OMNILINK_TRACE_DIR").env_remove("OMNILINK_TLC_JAR").env("NO_COLOR", "1");
    command
}

/// Where Cargo puts what it builds in this profile.
pub fn built() -> PathBuf {
    let test = std::env::current_exe().expect("this program has a file");
    test.ancestors().nth(2).expect("it is in Cargo's directory").to_owned()
}

/// The demo of the examples; it is built if it is not there.
pub fn queue_demo() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| {
        let mut build = std::process::Command::new(env!("CARGO"));
        let built_it = build.args(["build", "--quiet", "--package", "queue-demo"]).status().expect("Cargo starts");
        assert!(built_it.success());
        built().join("queue-demo").display().to_string()
    });
    &PROGRAM
}

/// Runs it to its end and gives what it said.
pub fn run<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Output {
    omnilink(args).output().expect("omnilink starts")
}

/// Standard output of a run that worked.
pub fn stdout_of<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> String {
    let output = run(args);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// Standard error of a run that failed as failures should.
pub fn error_of<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> String {
    let output = run(args);
    let text = String::from_utf8(output.stderr).expect("errors are UTF-8");
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.starts_with("error: "), "{text}");
    text
}

/// `omnilink ARGS…` says nothing and exits with `code` when whoever reads its output has gone.
pub fn assert_quiet_when_nobody_reads(args: &[&str], code: i32) {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("omnilink"))
        .args(args)
        .env("OMNILINK_PROGRESS", "never")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("omnilink starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("omnilink ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    assert_eq!(output.status.code(), Some(code), "{args:?}");
}

/// `omnilink ARGS…`, interrupted as if by Ctrl-C as soon as it has said `first` on standard error: its exit code and output.
pub fn interrupted(args: &[&str], first: &str) -> (Option<i32>, String) {
    signalled(args, first, libc::SIGINT)
}

/// The same with another signal.
pub fn signalled(args: &[&str], first: &str, signal: libc::c_int) -> (Option<i32>, String) {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("omnilink"))
        .args(args)
        .env("NO_COLOR", "1")
        .env("OMNILINK_PROGRESS", "never")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("omnilink starts");
    let mut said = BufReader::new(child.stderr.take().expect("it is piped"));
    let mut line = String::new();
    said.read_line(&mut line).expect("standard error can be read");
    assert_eq!(line, first);
    let drain = std::thread::spawn(move || said.read_to_end(&mut Vec::new()));
    // SAFETY: signals a child that was not waited for, so the number is still its own.
    assert_eq!(unsafe { libc::kill(child.id() as libc::pid_t, signal) }, 0);
    let output = child.wait_with_output().expect("omnilink ends");
    drain.join().expect("reading does not panic").expect("standard error can be read");
    (output.status.code(), String::from_utf8(output.stdout).expect("output is UTF-8"))
}

pub const ENQUEUE: u16 = 0;
pub const DEQUEUE: u16 = 1;
pub const DEQUEUE_EMPTY: u16 = 2;
/// `Dequeue` or `DequeueEmpty`, defined by a record of the lane.
pub const TRY_DEQUEUE: u16 = 3;

const TABLE: [(&str, &[&str]); 3] = [("Enqueue", &["elem"]), ("Dequeue", &["elem"]), ("DequeueEmpty", &[])];

/// One lane file in the making.
pub struct LaneWriter {
    index: u32,
    stream: Vec<u8>,
    events: u64,
    control: Vec<u8>,
}

/// Everything about an event but its box and argument.
#[derive(Default)]
pub struct Details<'a> {
    pub outcome: u8,
    pub meta: &'a [(&'a str, &'a str)],
}

impl LaneWriter {
    /// A lane whose clock counts nanoseconds.
    pub fn new(index: u32, name: &str) -> Self {
        Self::on_clock("monotonic", index, name)
    }

    pub fn on_clock(clock: &str, index: u32, name: &str) -> Self {
        let mut control = vec![0; layout::DATA_OFFSET as usize];
        encode::write_control(&mut control);
        let mut lane = Self { index, stream: Vec::new(), events: 0, control };
        let header = LaneHeader { spec: "Queue", next: "Next", clock, lane: index, name, seed: Some(7) };
        lane.append(|out| header.write(out, TABLE.into_iter()));
        lane.append(|out| encode::write_choice(out, &[DEQUEUE, DEQUEUE_EMPTY]));
        lane
    }

    fn append(&mut self, write: impl FnOnce(&mut Buffer<'_>)) {
        let mut room = [0; 4096];
        let mut buffer = Buffer::new(&mut room);
        write(&mut buffer);
        assert!(buffer.fits());
        let len = buffer.len();
        self.stream.extend_from_slice(&room[..len]);
    }

    /// A call that returned.
    pub fn call(&mut self, entry: u16, timebox: (u64, u64), elem: Option<i64>) -> &mut Self {
        self.call_with(entry, timebox, elem, Details::default())
    }

    pub fn call_with(&mut self, entry: u16, timebox: (u64, u64), elem: Option<i64>, details: Details<'_>) -> &mut Self {
        let args = u32::from(entry != DEQUEUE_EMPTY);
        let unknown = if args == 1 && elem.is_none() { layout::FLAG_UNKNOWN } else { 0 };
        let meta = if details.meta.is_empty() { 0 } else { layout::FLAG_META };
        let (start, end) = timebox;
        let flags = details.outcome | unknown | meta;
        self.append(|out| {
            EventPrefix { entry, start, duration: end - start, flags, args }.write(out);
            match elem {
                Some(elem) => out.push(&encoded(|e| e.int(elem))),
                None if args == 1 => encode::write_unknown(out),
                None => {}
            }
            if !details.meta.is_empty() {
                write_meta(out, details.meta);
            }
        });
        self.events += 1;
        self
    }

    /// The thread ended.
    pub fn terminated(&mut self, time: u64, meta: &[(&str, &str)]) -> &mut Self {
        self.append(|out| {
            encode::write_terminated(out, time);
            write_meta(out, meta);
        });
        self.field(layout::STATE_AT, &layout::STATE_CLOSED.to_le_bytes())
    }

    /// The program dies during a call.
    pub fn pending(&mut self, entry: u16, start: u64) -> &mut Self {
        let sequence = self.events + 1;
        self.field(layout::SLOT_SEQUENCE_AT, &sequence.to_le_bytes());
        self.field(layout::SLOT_START_AT, &start.to_le_bytes());
        self.field(layout::SLOT_ENTRY_AT, &u32::from(entry).to_le_bytes())
    }

    /// Recording stopped although the thread went on, because the disk was full.
    pub fn stopped(&mut self, time: u64) -> &mut Self {
        self.field(layout::STOP_TIME_AT, &time.to_le_bytes());
        self.field(layout::STOP_REASON_AT, &1_u32.to_le_bytes())
    }

    /// Where the next record will begin in the file.
    pub fn offset(&self) -> usize {
        self.control.len() + self.stream.len()
    }

    fn field(&mut self, at: usize, bytes: &[u8]) -> &mut Self {
        self.control[at..][..bytes.len()].copy_from_slice(bytes);
        self
    }

    /// Writes the lane's file into `dir`.
    pub fn write(&mut self, dir: &Path) -> PathBuf {
        let committed = self.stream.len() as u64;
        self.field(layout::COMMITTED_AT, &committed.to_le_bytes());
        let file = dir.join(layout::lane_file_name(self.index));
        fs::write(&file, [&self.control[..], &self.stream].concat()).expect("the lane can be written");
        file
    }
}

fn encoded(write: impl FnOnce(&mut Encoder<'_>)) -> Vec<u8> {
    let mut room = [0; 256];
    let mut encoder = Encoder::new(&mut room);
    write(&mut encoder);
    let len = encoder.finish().expect("the value fits");
    room[..len].to_vec()
}

fn write_meta(out: &mut Buffer<'_>, pairs: &[(&str, &str)]) {
    encode::write_meta_len(out, pairs.len() as u32);
    for (key, value) in pairs {
        out.push(&encoded(|e| e.str(key)));
        out.push(&encoded(|e| e.str(value)));
    }
}

/// Writes a `run.json` for lanes whose clock counts nanoseconds.
pub fn write_run_file(dir: &Path, lanes: u32) {
    write_run_file_on_clock(dir, "monotonic", 1_000_000_000, lanes);
}

pub fn write_run_file_on_clock(dir: &Path, clock: &str, ticks_per_second: u64, lanes: u32) {
    let text = format!(
        r#"{{"format": "omnilink-run", "version": 1, "command": ["./queue"], "environment": {{}}, "seed": 7, "pid": 1,
            "clock": {{"kind": "{clock}", "fences": "full", "ticks_per_second": {ticks_per_second}, "uncertainty": 0,
                       "slack": 0}},
            "start": {{"unix_ns": 1700000000000000000, "ticks": 900}}, "end": null, "exit": null, "lanes": {lanes},
            "unrecorded_forks": 0}}"#
    );
    fs::write(dir.join("run.json"), text).expect("run.json can be written");
}

/// A run whose every number can be checked by hand. One tick is a nanosecond.
///
/// ```text
/// time      1000    1100    1200    1300    1400    1500    1600    1700    1800
/// producer  |1──────|       |2──────────────────────|       |?──────|          end
/// consumer  |─empty | |1──────────────|     |2|     |try…
/// 2                            |9|
/// ```
/// Open calls: 100 + 300 + 100, 50 + 200 + 50 + (1500 to 1700), 10 make 1010 in 700 ns. Most at once: 3, at 1250.
pub fn queue_run(dir: &Path) {
    LaneWriter::new(0, "producer")
        .call(ENQUEUE, (1000, 1100), Some(1))
        .call(ENQUEUE, (1200, 1500), Some(2))
        .call_with(
            ENQUEUE,
            (1600, 1700),
            None,
            Details { outcome: layout::OUTCOME_INDETERMINATE, meta: &[("omnilink.panic", "boom")] },
        )
        .terminated(1800, &[("reason", "finished")])
        .write(dir);
    LaneWriter::new(1, "consumer")
        .call(DEQUEUE_EMPTY, (1000, 1050), None)
        .call(DEQUEUE, (1100, 1300), Some(1))
        .call_with(
            DEQUEUE,
            (1400, 1450),
            Some(2),
            Details { outcome: layout::OUTCOME_ABORTED, meta: &[("omnilink.abort", "conflict")] },
        )
        .pending(TRY_DEQUEUE, 1500)
        .write(dir);
    LaneWriter::new(2, "").call(ENQUEUE, (1250, 1260), Some(9)).write(dir);
    write_run_file(dir, 3);
}
