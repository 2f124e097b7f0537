//! Replaying what rr has recorded: rr does it, and brings gdb itself.

use std::path::Path;
use std::process::Command;

use super::recording_in;
use crate::directory::{Record, RunDirectory};
use crate::error::RecordError;

/// The command that replays a run of rr: under gdb, which carries out the commands in `script` first, or to its end.
pub fn command(run: &RunDirectory, record: &Record, script: Option<&Path>) -> Result<Command, RecordError> {
    let recordings = run.recordings();
    let recording = recording_in(&recordings).ok_or_else(|| {
        RecordError::Usage(format!("{}: has no recording of rr; it was lost or moved away", recordings.display()))
    })?;
    let rr = &record.plan.rr;
    let mut command = Command::new(&rr.binary);
    command.arg("replay").args(rr.replay_arguments());
    match script {
        Some(script) => command.arg("-x").arg(script),
        None => command.arg("--autopilot"),
    };
    command.arg(recording);
    Ok(command)
}
