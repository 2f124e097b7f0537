//! The real TLC, on a module that walks through the history as checkers do.

mod module;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Contestant, Turn, Verdict, Workshop};
use crate::Outcome;
use crate::process::{self, End, Ended, GIGABYTES};

pub const NAME: &str = "TLC";

pub struct Tlc {
    jar: PathBuf,
    /// Where modules are written, one history at a time.
    directory: PathBuf,
    errors: PathBuf,
}

impl Tlc {
    pub fn new(workshop: &Workshop) -> Outcome<Self> {
        let script = workshop.repository.join("scripts/tlc.sh");
        let output = Command::new("bash").arg(&script).output()?;
        if !output.status.success() {
            return Err(format!("{}: {}", script.display(), String::from_utf8_lossy(&output.stderr)).into());
        }
        let jar = PathBuf::from(String::from_utf8(output.stdout)?.trim());
        let errors = workshop.directory.join("errors.txt");
        Ok(Self { jar, directory: workshop.directory.join("tlc"), errors })
    }

    fn run(&self, module: &str, config: &str) -> Outcome<Ended> {
        let mut java = Command::new("java");
        // The heap leaves room below the limit for what Java needs besides.
        java.args(["-XX:+UseParallelGC", &format!("-Xmx{}g", GIGABYTES - 2), "-cp"]).arg(&self.jar);
        java.current_dir(&self.directory).args(["tlc2.TLC", "-workers", "1", "-deadlock", "-metadir", "states"]);
        let ended = process::run(java.args(["-config", config, module]), &self.errors);
        let states = self.directory.join("states");
        if states.exists() {
            fs::remove_dir_all(states)?;
        }
        ended
    }
}

impl Contestant for Tlc {
    fn name(&self) -> &'static str {
        NAME
    }

    /// From the time of checking, that of the same module with a next-state relation that does nothing is subtracted:
    /// Java starts, the history is parsed and evaluated.
    fn check(&self, history: &Path) -> Outcome<Turn> {
        fs::create_dir_all(&self.directory)?;
        let module = module::write(history, &self.directory)?;
        let start = self.run(module, module::STANDING)?;
        if start.end != End::Finished {
            return Ok(Turn::GaveUp(start.end));
        }
        let ended = self.run(module, module::WALKING)?;
        let verdict = if ended.output.contains(module::REACHED_THE_END) {
            Verdict::Accepted
        } else if ended.output.contains("Model checking completed. No error has been found.") {
            Verdict::Rejected
        } else {
            return Ok(Turn::GaveUp(match ended.end {
                End::Finished => End::Failed(ended.output.lines().take(20).collect::<Vec<_>>().join("; ")),
                other => other,
            }));
        };
        Ok(Turn::Answered { verdict, cpu: ended.cpu - start.cpu, megabytes: ended.peak_megabytes })
    }
}
