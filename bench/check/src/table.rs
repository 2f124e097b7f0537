//! The scores as a Markdown table.

use std::fmt;

use crate::bars::{self, short};
use crate::process::{CPU_SECONDS, End, GIGABYTES};
use crate::tournament::{Measured, Scores};

pub struct Table<'a>(pub &'a Scores);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(scores) = self;
        writeln!(f, "| CPU s, peak MB | {} | bars |", scores.contestants.join(" | "))?;
        writeln!(f, "| --- |{} --- |", " ---: |".repeat(scores.contestants.len()))?;
        for entry in &scores.entries {
            let cells: Vec<_> = entry.results.iter().map(cell).collect();
            let bars = entry.history.bars.iter().chain([&bars::TLC]);
            let judged: Vec<_> = bars.filter_map(|bar| bar.judge(scores, entry)).collect();
            writeln!(f, "| `{}` | {} | {} |", entry.history.args, cells.join(" | "), judged.join("; "))?;
        }
        for entry in &scores.entries {
            for (name, measured) in scores.contestants.iter().zip(&entry.results) {
                if let Some(End::Failed(said)) = &measured.gave_up {
                    writeln!(f, "\n{name} failed on `{}`: {said}", entry.history.args)?;
                }
            }
        }
        Ok(())
    }
}

fn cell(measured: &Measured) -> String {
    match (&measured.gave_up, measured.median()) {
        (Some(End::OutOfTime), _) => format!("> {CPU_SECONDS} s"),
        (Some(End::OutOfMemory), _) => format!("> {GIGABYTES} GB"),
        (Some(End::Finished | End::Failed(_)), _) => "failed".to_owned(),
        (None, Some(median)) => format!("{}, {:.0}", short(median.cpu), median.megabytes),
        (None, None) => String::new(),
    }
}
