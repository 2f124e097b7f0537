//! `omnilink doctor`

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use crate::doctor::{Group, Status, examine};
use crate::failure::Failure;
use crate::palette::{self, Palette, buffered_stdout};

const EXAMPLES: &str = "\
Examples:
  omnilink doctor
  omnilink doctor --trace-dir runs --json

Exits with 1 if this machine cannot record programs, and with 0 otherwise.";

/// Check which features work on this machine, and how to enable the others
///
/// Tests each feature that recording, schedulers and checkers use: clocks, mapped files, ptrace, performance counters,
/// rr, gdb, Java and TLC, C++ compilers. It changes nothing.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Doctor {
    /// Where traces will be written
    #[arg(long, value_name = "DIR", env = "OMNILINK_TRACE_DIR", default_value = ".")]
    trace_dir: PathBuf,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

impl Doctor {
    /// Examines the machine and prints the findings.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let groups = examine(&self.trace_dir);
        let can_record = !groups.iter().any(Group::is_broken);
        let mut out = buffered_stdout();
        if self.json {
            let report = json!({ "can_record": can_record, "groups": groups });
            writeln!(out, "{report:#}")?;
        } else {
            print(&mut out, palette::stdout(), &groups)?;
        }
        out.flush()?;
        Ok(if can_record { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }
}

fn print(out: &mut impl Write, palette: Palette, groups: &[Group]) -> io::Result<()> {
    let Palette { heading, faint, .. } = palette;
    let width = groups.iter().flat_map(|group| &group.findings).map(|finding| finding.check.len()).max().unwrap_or(0);
    for (i, group) in groups.iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{heading}{}{heading:#}", group.purpose)?;
        for finding in &group.findings {
            let (word, style) = match finding.status {
                Status::Ok => ("ok", palette.good),
                Status::Limited => ("limited", palette.warning),
                Status::Missing => ("missing", palette.bad),
            };
            writeln!(out, "  {style}{word:7}{style:#}  {:width$}  {}", finding.check, finding.seen)?;
            if let Some(remedy) = &finding.remedy {
                writeln!(out, "  {:7}  {:width$}  {faint}→ {remedy}{faint:#}", "", "")?;
            }
        }
    }
    Ok(())
}
