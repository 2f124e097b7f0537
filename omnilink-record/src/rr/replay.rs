//! Replaying what rr has recorded: rr does it, and brings gdb itself.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use super::recording_in;
use crate::directory::{Record, RunDirectory};
use crate::error::RecordError;

/// The gdb that a replay runs under.
#[derive(Debug)]
pub struct Gdb<'a> {
    /// The commands that it reads first: see [`super::commands`].
    pub script: &'a Path,
    /// Its file, if it is not the usual one.
    pub binary: Option<&'a Path>,
    /// Further arguments for it.
    pub arguments: &'a [OsString],
}

/// The command that replays a run of rr, by this rr or the one that has recorded it: under gdb, or to its end.
pub fn command(
    run: &RunDirectory,
    record: &Record,
    binary: Option<&Path>,
    gdb: Option<Gdb<'_>>,
) -> Result<Command, RecordError> {
    let recordings = run.recordings();
    let recording = recording_in(&recordings).ok_or_else(|| {
        RecordError::Usage(format!("{}: has no recording of rr; it was lost or moved away", recordings.display()))
    })?;
    let rr = &record.plan.rr;
    let mut command = Command::new(binary.unwrap_or(&rr.binary));
    command.arg("replay").args(rr.replay_arguments());
    let Some(Gdb { script, binary, arguments }) = gdb else {
        command.arg("--autopilot").arg(recording);
        return Ok(command);
    };
    command.arg("-x").arg(script);
    if let Some(binary) = binary {
        command.arg("-d").arg(binary);
    }
    command.arg(recording);
    if !arguments.is_empty() {
        command.arg("--").args(arguments);
    }
    Ok(command)
}
