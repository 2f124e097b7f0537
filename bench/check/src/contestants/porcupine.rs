//! Porcupine, the Go original: a program in `bench/porcupine`.

use std::path::PathBuf;
use std::process::Command;

use super::Workshop;
use crate::Outcome;

pub const NAME: &str = "Porcupine";

/// Builds it.
pub fn build(workshop: &Workshop) -> Outcome<PathBuf> {
    let program = workshop.directory.join("porcupine");
    let mut go = Command::new("go");
    go.current_dir(workshop.repository.join("bench/porcupine")).args(["build", "-o"]).arg(&program).arg(".");
    let output = go.output().map_err(|error| format!("go: {error}"))?;
    if !output.status.success() {
        return Err(format!("go build: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(program)
}
