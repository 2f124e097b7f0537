//! Telling the session daemon what to do, with the program `lttng`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The arguments that create our channel. It blocks rather than discards when its buffers are full; they have room for
/// all events of a turn on each CPU, so that this does not happen and callers do not wait for the daemon.
const CHANNEL: [&str; 6] = [
    "--userspace",
    "--session=bench-record",
    "--subbuf-size=2M",
    "--num-subbuf=8",
    "--blocking-timeout=inf",
    "channel",
];

/// The channel in which events are recorded.
#[derive(Clone)]
pub struct Channel {
    home: PathBuf,
}

impl Channel {
    pub fn create(home: &Path) -> Self {
        let channel = Self { home: home.to_owned() };
        let output = format!("--output={}", channel.traces().display());
        channel.tell(&["create", "bench-record", &output]);
        channel.tell(&[&["enable-channel"], &CHANNEL[..]].concat());
        channel.tell(&[
            "enable-event",
            "--userspace",
            "--session=bench-record",
            "--channel=channel",
            "bench_record:transfer",
        ]);
        channel
    }

    pub fn start(&self) {
        self.tell(&["start", "bench-record"]);
    }

    /// Returns when all events are in files.
    pub fn stop(&self) {
        self.tell(&["stop", "bench-record"]);
    }

    /// Events that did not get into the buffers so far.
    pub fn discarded(&self) -> u64 {
        let listing = self.tell(&["list", "bench-record", "--channel=channel"]);
        let count = listing.split_once("Discarded events:").and_then(|(_, rest)| rest.split_whitespace().next());
        count.and_then(|count| count.parse().ok()).expect("lttng lists how many events were discarded")
    }

    /// Size of the files with events so far.
    pub fn bytes(&self) -> u64 {
        size(&self.traces())
    }

    fn traces(&self) -> PathBuf {
        self.home.join("traces")
    }

    fn tell(&self, command: &[&str]) -> String {
        lttng(&self.home, command).unwrap_or_else(|| panic!("`lttng {}` has failed", command.join(" ")))
    }
}

/// Runs a command of `lttng`; returns what it prints, nothing if it fails.
pub fn lttng(home: &Path, command: &[&str]) -> Option<String> {
    let mut lttng = Command::new("lttng");
    lttng.arg("--no-sessiond").args(command).env("LTTNG_HOME", home).stderr(Stdio::null());
    let output = lttng.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

/// Waits for what the daemon does in its own time.
///
/// # Panics
/// If it takes too long.
pub fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let begin = Instant::now();
    while !condition() {
        assert!(begin.elapsed() < Duration::from_secs(10), "waited too long until {what}");
        sleep(Duration::from_millis(5));
    }
}

/// Bytes in all files below a directory, which need not exist.
fn size(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let sizes = entries.filter_map(|entry| {
        let metadata = entry.metadata().ok()?;
        Some(if metadata.is_dir() { size(&entry.path()) } else { metadata.len() })
    });
    sizes.sum()
}
