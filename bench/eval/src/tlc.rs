//! The real TLC.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::exploring::Counted;
use crate::process;

/// Where `scripts/tlc.sh` has put TLC.
pub fn jar(repository: &Path) -> Outcome<PathBuf> {
    let script = repository.join("scripts/tlc.sh");
    let output = Command::new("bash").arg(&script).output()?;
    if !output.status.success() {
        return Err(format!("{}: {}", script.display(), String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim()))
}

/// Runs TLC with one worker in a directory that holds the specification, for at most so many seconds of CPU time.
pub fn explore(classes: &Path, directory: &Path, spec: &str, config: &Path, longest: u32) -> Outcome<Counted> {
    let states = tempfile::tempdir()?;
    let mut java = Command::new("prlimit");
    java.arg(format!("--cpu={longest}"))
        .current_dir(directory)
        .args(["java", "-XX:+UseParallelGC", "-cp"])
        .arg(classes);
    java.args(["tlc2.TLC", "-workers", "1", "-deadlock", "-metadir"]).arg(states.path());
    java.arg("-config").arg(config).arg(spec);
    let ended = process::run(&mut java)?;
    let line = ended.output.lines().find(|line| line.contains("distinct states found, 0 states left"));
    let last = || ended.output.lines().last().unwrap_or_default();
    let mut numbers =
        line.ok_or_else(|| format!("TLC on {spec}: {}", last()))?.split(' ').filter_map(|word| word.parse().ok());
    let mut number = || numbers.next().ok_or("TLC's counts cannot be read");
    Ok(Counted { generated: number()?, distinct: number()?, unchecked: 0, cpu: ended.cpu })
}
