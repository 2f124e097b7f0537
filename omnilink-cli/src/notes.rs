//! Notes of many runs or traces, merged: a note that several runs have is printed once.

use std::collections::BTreeSet;
use std::io::{self, Write};

use omnilink_check::report::note::{Kind, Note};
use omnilink_check::report::text::note;
use omnilink_check::report::{Report, Verdict, never_recorded};
use serde::Serialize;

use crate::palette::Palette;

/// The merged notes of many runs.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The number of runs.
    of: u64,
    common: Vec<Common>,
    /// The actions that no run recorded; `None` before the first run.
    never_recorded: Option<BTreeSet<String>>,
}

/// A note that several runs have.
#[derive(Debug, Clone, Serialize)]
pub struct Common {
    /// The note of the first of these runs.
    #[serde(flatten)]
    pub note: Note,
    /// The number of runs that have it.
    pub runs: u64,
    /// The number of all runs.
    pub of: u64,
    /// Whether its text differs between runs.
    #[serde(skip)]
    differs: bool,
}

impl Gathered {
    /// Adds the notes of a checked run. Returns the new ones that weaken its verdict.
    pub fn add<'a>(&mut self, report: &'a Report) -> Vec<&'a Note> {
        if let Verdict::Error { .. } = report.verdict {
            return Vec::new();
        }
        self.of += 1;
        let never = report.notes.iter().filter(|note| note.kind == Kind::ActionsNeverRecorded);
        let never: BTreeSet<String> = never.flat_map(|note| note.about.iter().cloned()).collect();
        match &mut self.never_recorded {
            Some(so_far) => so_far.retain(|action| never.contains(action)),
            None => self.never_recorded = Some(never),
        }
        let others = report.notes.iter().filter(|note| note.kind != Kind::ActionsNeverRecorded);
        others.filter(|note| self.add_note(note) && note.weakens).collect()
    }

    /// Adds a note of a run; returns whether it is the first of its kind.
    fn add_note(&mut self, note: &Note) -> bool {
        match self.common.iter_mut().find(|common| are_alike(&common.note, note)) {
            Some(common) => {
                common.runs += 1;
                common.differs |= common.note.text != note.text;
                common.note.weakens |= note.weakens;
                false
            }
            None => {
                self.common.push(Common { note: note.clone(), runs: 1, of: 0, differs: false });
                true
            }
        }
    }

    /// The actions that no run recorded.
    pub fn never_recorded(&self) -> Vec<String> {
        self.never_recorded.iter().flatten().cloned().collect()
    }

    /// All notes: warnings first, then by frequency.
    pub fn all(&self) -> Vec<Common> {
        let never = self.never_recorded();
        let never = (!never.is_empty()).then(|| never_recorded(never));
        let never = never.map(|note| Common { note, runs: self.of, of: self.of, differs: false });
        let others = self.common.iter().map(|common| Common { of: self.of, ..common.clone() });
        let mut all: Vec<_> = others.chain(never).collect();
        all.sort_by_key(|common| (!common.note.weakens, std::cmp::Reverse(common.runs)));
        all
    }

    /// Whether there were runs, and none of them has a call that must have happened.
    pub fn nothing_was_checked(&self) -> bool {
        let void = self.common.iter().filter(|it| matches!(it.note.kind, Kind::NoEvents | Kind::NoCallCounts));
        self.of > 0 && void.map(|it| it.runs).sum::<u64>() == self.of
    }

    /// Writes them, one per line.
    pub fn write(&self, what: &str, palette: Palette, out: &mut dyn Write) -> io::Result<()> {
        self.all()
            .iter()
            .try_for_each(|common| writeln!(out, "{}", note(common.note.weakens, &common.sentence(what), palette)))
    }
}

impl Common {
    /// The note as a sentence: the number of runs, and the text.
    pub fn sentence(&self, what: &str) -> String {
        let Self { note, runs, of, differs } = self;
        let s = if *of == 1 { "" } else { "s" };
        match (of, differs) {
            (1, _) => note.text.clone(),
            (_, false) => format!("in {runs} of {of} {what}{s}: {}", note.text),
            (_, true) => format!("in {runs} of {of} {what}{s}, in the first of them: {}", note.text),
        }
    }
}

/// Whether two notes of different runs are the same note.
fn are_alike(one: &Note, other: &Note) -> bool {
    one.kind == other.kind
        && match one.kind {
            // There is one note per constant, and per part of a configuration.
            Kind::InferredConstant | Kind::Ignored => one.about == other.about,
            Kind::Recorder | Kind::NotScheduled | Kind::Lost | Kind::Other => {
                without_numbers(&one.text) == without_numbers(&other.text)
            }
            _ => true,
        }
}

fn without_numbers(text: &str) -> String {
    text.split(|c: char| c.is_ascii_digit()).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("0")
}
