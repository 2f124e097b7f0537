//! The debugger rr, as a subprocess.
//!
//! rr records a run so that it can be replayed instruction by instruction, and its chaos mode varies the schedule. It
//! needs hardware performance counters, which most virtual machines and containers do not have; it says so itself, at
//! length. [`Diagnosis`] makes one sentence of that, with what to do about it.
//!
//! The fork rr.soft needs no counters: it is called as `--rr-bin FILE --rr-arg=-W`, and its `-W` is wanted by `rr replay`,
//! too.

pub mod commands;
mod diagnosis;
pub mod replay;

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

pub use diagnosis::Diagnosis;

/// What rr.soft wants to be told whenever it records or replays: to count in software.
const SOFTWARE_COUNTERS: &str = "-W";

/// How rr is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rr {
    /// Its file, or its name in `PATH`.
    pub binary: PathBuf,
    /// Further arguments of `rr record`.
    pub arguments: Vec<String>,
    /// What it calls itself, once it was asked: see [`Rr::probe`].
    #[serde(default)]
    pub version: String,
}

impl Default for Rr {
    fn default() -> Self {
        Self { binary: PathBuf::from("rr"), arguments: Vec::new(), version: String::new() }
    }
}

impl Rr {
    /// Records a short program, to see whether rr works here, and notes its version.
    pub fn probe(&mut self, scratch: &Path) -> Result<(), Diagnosis> {
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
            self.version = version;
            return Ok(());
        }
        let output = String::from_utf8_lossy(&recorded.stderr);
        let silent = || Diagnosis::unknown(format!("rr cannot record ({})", recorded.status));
        Err(Diagnosis::from_output(&output).unwrap_or_else(silent))
    }

    fn missing(&self, error: &io::Error) -> Diagnosis {
        let reason = format!("{}: {error}", self.binary.display());
        Diagnosis::known(reason, "install rr (apt install rr), name it with --rr-bin, or use --chaos")
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
        let ending = process::run(command, plan, &directory.streams()?, interrupt, &mut process::Nobody)?;
        let stderr = fs::read(directory.stderr()).map_err(RecordError::file(directory.stderr()))?;
        let recorded = recording_in(&recordings).is_some();
        match Diagnosis::from_output(&String::from_utf8_lossy(&stderr)).filter(|_| ending.is_failure() && !recorded) {
            Some(diagnosis) => Err(RecordError::Usage(diagnosis.to_string())),
            None => Ok(Observed::unscheduled(ending)),
        }
    }

    /// Makes the recording in a directory complete: with all files that the program had mapped, so that it can be
    /// taken to another machine.
    pub fn pack(&self, recordings: &Path) -> Result<(), RecordError> {
        let Some(recording) = recording_in(recordings) else {
            return Err(RecordError::Usage(format!("{}: there is no recording of rr", recordings.display())));
        };
        let mut command = Command::new(&self.binary);
        command.arg("pack").arg(&recording).stdin(Stdio::null());
        let packed = command.output().map_err(|error| RecordError::Usage(self.missing(&error).to_string()))?;
        if !packed.status.success() {
            let said = String::from_utf8_lossy(&packed.stderr);
            let line = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it said nothing");
            let (binary, recording) = (self.binary.display(), recording.display());
            return Err(RecordError::Usage(format!("`{binary} pack {recording}` failed ({}): {line}", packed.status)));
        }
        Ok(())
    }

    /// The arguments of `rr replay` that a recording needs, besides its directory.
    pub fn replay_arguments(&self) -> Vec<String> {
        self.arguments.iter().filter(|argument| *argument == SOFTWARE_COUNTERS).cloned().collect()
    }
}

/// The recording in a directory that was rr's `_RR_TRACE_DIR`. (Its link `latest-trace` is of no use once the directory
/// was moved.)
pub fn recording_in(directory: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(directory).ok()?.flatten();
    let mut found: Vec<PathBuf> =
        entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()).collect();
    found.sort();
    found.into_iter().next()
}
