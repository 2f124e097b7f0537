//! All contestants on all histories, in turns.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Outcome;
use crate::contestants::{self, Contestant, Turn, Workshop};
use crate::histories::{self, History};
use crate::process::End;
use crate::table;

/// What was measured.
pub struct Scores {
    pub contestants: Vec<&'static str>,
    pub entries: Vec<Entry>,
}

/// A history, and what was measured on it, by contestant.
pub struct Entry {
    pub history: &'static History,
    file: PathBuf,
    pub results: Vec<Measured>,
}

/// What one contestant took for one history.
#[derive(Default)]
pub struct Measured {
    name: &'static str,
    cpu: Vec<f64>,
    megabytes: Vec<f64>,
    /// Those who do not finish are not asked again.
    pub gave_up: Option<End>,
}

/// Medians over the rounds.
pub struct Median {
    pub cpu: f64,
    pub megabytes: f64,
}

impl Scores {
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.history.args == name)
    }
}

impl Entry {
    /// Nothing if the contestant did not take part or did not finish.
    pub fn median(&self, contestant: &str) -> Option<Median> {
        self.results.iter().find(|measured| measured.name == contestant)?.median()
    }
}

impl Measured {
    pub fn median(&self) -> Option<Median> {
        let finished = self.gave_up.is_none() && !self.cpu.is_empty();
        finished.then(|| Median { cpu: median(&self.cpu), megabytes: median(&self.megabytes) })
    }

    fn note(&mut self, contestant: &dyn Contestant, history: &History, file: &Path) -> Outcome<()> {
        if self.gave_up.is_some() {
            return Ok(());
        }
        match contestant.check(file)? {
            Turn::Answered { verdict, cpu, megabytes } => {
                if verdict != history.expected {
                    return Err(format!("{} says {verdict:?} of `{}`", self.name, history.args).into());
                }
                self.cpu.push(cpu);
                self.megabytes.push(megabytes);
            }
            Turn::GaveUp(end) => self.gave_up = Some(end),
        }
        Ok(())
    }
}

/// Holds it on the histories whose names contain the words, and prints the table.
pub fn hold(rounds: usize, words: &str) -> Outcome<()> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = std::env::current_exe()?.ancestors().nth(2).ok_or("no target directory")?.to_owned();
    let workshop = Workshop { repository, directory: target.join("bench-check") };
    fs::create_dir_all(&workshop.directory)?;
    let contestants = contestants::all(&workshop)?;

    let names: Vec<_> = contestants.iter().map(|contestant| contestant.name()).collect();
    let mut scores = Scores { contestants: names.clone(), entries: Vec::new() };
    for history in histories::ALL.iter().filter(|history| history.args.contains(words)) {
        let file = history.file(&workshop.directory)?;
        let results = names.iter().map(|&name| Measured { name, ..Measured::default() }).collect();
        scores.entries.push(Entry { history, file, results });
    }
    println!("load average at the start: {}", fs::read_to_string("/proc/loadavg")?.trim());
    for round in 1..=rounds {
        for entry in &mut scores.entries {
            for (contestant, measured) in contestants.iter().zip(&mut entry.results) {
                eprint!("\r\x1b[Kround {round} of {rounds}: {} on {}", contestant.name(), entry.history.args);
                measured.note(&**contestant, entry.history, &entry.file)?;
            }
        }
    }
    eprintln!("\r\x1b[K");
    println!("{}", table::Table(&scores));
    Ok(())
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
