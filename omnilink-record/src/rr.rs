//! The debugger rr, as a subprocess.
//!
//! rr records a run so that it can be replayed instruction by instruction, and its chaos mode varies the schedule. It
//! needs hardware performance counters, which most virtual machines and containers do not have; it says so itself, at
//! length. [`Diagnosis`] makes one sentence of that, with what to do about it.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::directory::RunDirectory;
use crate::error::RecordError;
use crate::observed::Observed;
use crate::plan::Plan;
use crate::process;

/// How rr is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rr {
    /// Its file, or its name in `PATH`.
    pub binary: PathBuf,
    /// Further arguments of `rr record`.
    pub arguments: Vec<String>,
}

impl Default for Rr {
    fn default() -> Self {
        Self { binary: PathBuf::from("rr"), arguments: Vec::new() }
    }
}

/// Why rr cannot record, in one sentence, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// What is wrong.
    pub reason: String,
    /// What to do.
    pub remedy: &'static str,
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.reason, self.remedy)
    }
}

const NO_COUNTERS: &str = "rr needs hardware performance counters, which this machine does not give";
const OTHERWISE: &str = "use --chaos, which needs none, or a machine with counters (see `omnilink doctor`)";

/// What rr says, and what it means.
const COMPLAINTS: [(&str, &str, &str); 7] = [
    (
        "perf_event_paranoid",
        "rr may not use performance counters (kernel.perf_event_paranoid is too high)",
        "run `sysctl kernel.perf_event_paranoid=1` as root, or use --chaos",
    ),
    (
        "Permission denied to use 'perf_event_open'",
        "rr may not use performance counters",
        "allow perf_event_open (in a container --cap-add PERFMON), or use --chaos",
    ),
    ("Unable to open performance counter", NO_COUNTERS, OTHERWISE),
    ("No supported microarchitectures found", NO_COUNTERS, OTHERWISE),
    (
        "CPU type",
        "this rr does not know this processor",
        "install a newer rr, try --rr-arg=--microarch=NAME, or use --chaos",
    ),
    ("Unknown CPU vendor", "this rr does not know this processor", "install a newer rr, or use --chaos"),
    (
        "ptrace",
        "rr may not trace programs",
        "allow ptrace (in a container --cap-add SYS_PTRACE); --chaos needs it, too",
    ),
];

impl Diagnosis {
    /// What is wrong with rr, if its output tells: as opposed to the program that it records.
    pub fn from_output(output: &str) -> Option<Self> {
        let complaint =
            output.lines().map(str::trim).find(|line| line.contains("[FATAL") || line.starts_with("rr needs"))?;
        let known = COMPLAINTS.iter().find(|(text, ..)| complaint.contains(text));
        Some(match known {
            Some((_, reason, remedy)) => Self { reason: (*reason).to_owned(), remedy },
            None => Self { reason: format!("rr cannot record: {complaint}"), remedy: OTHERWISE },
        })
    }
}

impl Rr {
    /// Records a short program, to see whether rr works here. Gives its version.
    pub fn probe(&self, scratch: &Path) -> Result<String, Diagnosis> {
        let ask = |arguments: &[&str]| {
            let mut command = Command::new(&self.binary);
            command.args(arguments).env("_RR_TRACE_DIR", scratch).stdin(Stdio::null());
            command.output().map_err(|error| self.missing(&error))
        };
        let version = String::from_utf8_lossy(&ask(&["--version"])?.stdout).trim().to_owned();
        let mut record = vec!["record"];
        record.extend(self.arguments.iter().map(String::as_str));
        record.push("true");
        let recorded = ask(&record)?;
        if recorded.status.success() {
            return Ok(version);
        }
        let output = String::from_utf8_lossy(&recorded.stderr);
        let silent = || Diagnosis { reason: format!("rr cannot record ({})", recorded.status), remedy: OTHERWISE };
        Err(Diagnosis::from_output(&output).unwrap_or_else(silent))
    }

    fn missing(&self, error: &io::Error) -> Diagnosis {
        let reason = format!("{}: {error}", self.binary.display());
        Diagnosis { reason, remedy: "install rr (apt install rr), name it with --rr-bin, or use --chaos" }
    }

    /// Records a run; the recording is in `rr/` of the run's directory.
    pub fn run(
        &self,
        plan: &Plan,
        chaos: bool,
        directory: &RunDirectory,
        interrupt: &AtomicBool,
    ) -> Result<Observed, RecordError> {
        let recordings = directory.recordings();
        fs::create_dir(&recordings).map_err(RecordError::file(&recordings))?;
        let mut command = Command::new(&self.binary);
        command.arg("record").args(chaos.then_some("--chaos")).args(&self.arguments);
        command.arg("--").arg(&plan.program).args(&plan.arguments).env("_RR_TRACE_DIR", &recordings);
        let ending = process::run(command, plan, &directory.streams()?, interrupt, |_| {})?;
        let stderr = fs::read(directory.stderr()).map_err(RecordError::file(directory.stderr()))?;
        let recorded = fs::read_dir(&recordings).is_ok_and(|mut entries| entries.next().is_some());
        match Diagnosis::from_output(&String::from_utf8_lossy(&stderr)).filter(|_| ending.is_failure() && !recorded) {
            Some(diagnosis) => Err(RecordError::Usage(diagnosis.to_string())),
            None => Ok(Observed::unscheduled(ending)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_recognised() {
        let cases = [
            (
                "[FATAL ./src/PerfCounters_x86.h:117:compute_cpu_microarch()] Intel CPU type 0xc06f0 unknown",
                "does not know",
            ),
            (
                "[FATAL ./src/PerfCounters.cc:278:start_counter() errno: ENOENT] Unable to open performance counter with \
                 'perf_event_open'; are hardware perf events available?",
                "which this machine does not give",
            ),
            (
                "[FATAL ./src/PerfCounters.cc:276] Permission denied to use 'perf_event_open'; are hardware perf events",
                "may not use performance counters",
            ),
            ("rr needs /proc/sys/kernel/perf_event_paranoid <= 1, but it is 4.", "sysctl kernel.perf_event_paranoid=1"),
            ("[FATAL ./src/Task.cc:1] ptrace(PTRACE_SEIZE) failed: EPERM", "may not trace"),
            ("[FATAL ./src/a.cc:1] something new", "something new"),
        ];
        for (output, expected) in cases {
            let diagnosis = Diagnosis::from_output(&format!("a line before\n{output}\n")).unwrap().to_string();
            assert!(diagnosis.contains(expected) && diagnosis.contains("; "), "{diagnosis}");
        }
        assert_eq!(Diagnosis::from_output("the program says: FATAL\n"), None);
    }
}
