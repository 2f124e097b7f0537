//! rr, the record-and-replay debugger.

use std::path::Path;
use std::process::Command;

use omnilink_record::rr::Diagnosis;

use super::probe::Answer;
use super::{Finding, probe};

const CHECK: &str = "rr";

/// Records `true` with rr, in a directory that is removed again.
pub fn recording() -> Finding {
    let Some(rr) = probe::find_in_path("rr") else {
        return Finding::missing(
            CHECK,
            "not in PATH",
            "apt install rr, or https://rr-project.org; only recording under rr needs it",
        );
    };
    let version = match probe::ask(Command::new(&rr).arg("--version")) {
        Ok(answer) if answer.status.success() => answer.first_line().to_owned(),
        Ok(answer) => return broken(&rr, "", &format!("{} ({})", answer.first_line(), answer.ending())),
        Err(error) => return broken(&rr, "", &error.to_string()),
    };
    match try_record(&rr) {
        Ok(None) => Finding::ok(CHECK, format!("{version}: records")),
        Ok(Some(answer)) => {
            let said = format!("{} ({})", complaint(&answer.output), answer.ending());
            let known = Diagnosis::from_output(&answer.output).filter(Diagnosis::is_known);
            match known {
                Some(Diagnosis { remedy, .. }) => cannot_record(&version, &said, remedy),
                None => broken(&rr, &version, &said),
            }
        }
        Err(error) => broken(&rr, &version, &error.to_string()),
    }
}

/// rr's message if it cannot record.
fn try_record(rr: &Path) -> std::io::Result<Option<Answer>> {
    let scratch = tempfile::tempdir()?;
    let mut record = Command::new(rr);
    record.arg("record").arg("-o").arg(scratch.path().join("recording")).arg("true");
    let answer = probe::ask(&mut record)?;
    Ok((!answer.status.success()).then_some(answer))
}

/// rr's explanation: the line marked as fatal, otherwise the first line.
fn complaint(output: &str) -> &str {
    let mut lines = output.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.clone().next().unwrap_or("it said nothing");
    lines.find(|line| line.contains("FATAL") || line.starts_with("rr:")).unwrap_or(first)
}

fn broken(rr: &Path, version: &str, complaint: &str) -> Finding {
    let name = if version.is_empty() { rr.display().to_string() } else { version.to_owned() };
    cannot_record(
        &name,
        complaint,
        "see \"performance counters\" and \"ptrace\" here, and \
         https://github.com/rr-debugger/rr/wiki/Will-rr-work-on-my-system",
    )
}

fn cannot_record(name: &str, complaint: &str, remedy: &str) -> Finding {
    Finding::limited(CHECK, format!("{name} is installed but cannot record: {complaint}"), remedy)
}

#[cfg(test)]
mod tests {
    use super::complaint;

    #[test]
    fn the_fatal_line_is_the_complaint() {
        let output = "rr 5.6\n\n[FATAL PerfCounters.cc:256] Unable to open performance counter\nbacktrace…\n";
        assert_eq!(complaint(output), "[FATAL PerfCounters.cc:256] Unable to open performance counter");
        assert_eq!(complaint("\nsomething else\n"), "something else");
        assert_eq!(complaint(""), "it said nothing");
    }
}
