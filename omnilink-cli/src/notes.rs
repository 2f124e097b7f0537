//! Notes of many runs, or traces, told together: what is so in all of them is said once.

use std::collections::BTreeSet;
use std::io::{self, Write};

use omnilink_check::report::note::{Kind, Note};
use omnilink_check::report::{Report, Verdict, never_recorded};
use serde::Serialize;

use crate::palette::Palette;

/// Notes of many runs.
#[derive(Debug, Default)]
pub struct Gathered {
    /// How many runs were looked at.
    of: u64,
    common: Vec<Common>,
    /// The actions that no run recorded; none before the first.
    never_recorded: Option<BTreeSet<String>>,
}

/// A note that some runs have in common.
#[derive(Debug, Clone, Serialize)]
pub struct Common {
    /// It, as the first of them has it.
    #[serde(flatten)]
    pub note: Note,
    /// How many have it.
    pub runs: u64,
    /// Of how many.
    pub of: u64,
    /// Not all of them have it with the same text.
    #[serde(skip)]
    differs: bool,
}

impl Gathered {
    /// Adds the notes of a run that was checked. Gives those that weaken its verdict and are new.
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

    /// Adds a note of a run; gives whether it is the first of its kind.
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

    /// All of them: those first by which acceptances show less, and of these the most frequent.
    pub fn all(&self) -> Vec<Common> {
        let never = self.never_recorded();
        let never = (!never.is_empty()).then(|| never_recorded(never));
        let never = never.map(|note| Common { note, runs: self.of, of: self.of, differs: false });
        let others = self.common.iter().map(|common| Common { of: self.of, ..common.clone() });
        let mut all: Vec<_> = others.chain(never).collect();
        all.sort_by_key(|common| (!common.note.weakens, std::cmp::Reverse(common.runs)));
        all
    }

    /// Whether there were runs, and none of them had a call that has to have happened.
    pub fn nothing_was_checked(&self) -> bool {
        let void = self.common.iter().filter(|it| matches!(it.note.kind, Kind::NoEvents | Kind::NoCallCounts));
        self.of > 0 && void.map(|it| it.runs).sum::<u64>() == self.of
    }

    /// Tells them, a line each.
    pub fn write(&self, what: &str, palette: Palette, out: &mut dyn Write) -> io::Result<()> {
        self.all()
            .iter()
            .try_for_each(|common| writeln!(out, "{}", shown(common.note.weakens, &common.sentence(what), palette)))
    }
}

impl Common {
    /// It in words: in how many runs, and what.
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

/// Whether two notes say the same of different runs.
fn are_alike(one: &Note, other: &Note) -> bool {
    one.kind == other.kind
        && match one.kind {
            // One for each constant, and for each part of a configuration.
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

/// A note's sentence behind the word that says what it means for a pass.
pub fn shown(weakens: bool, sentence: &str, palette: Palette) -> String {
    let Palette { warning, faint, .. } = palette;
    match weakens {
        true => format!("{warning}warning:{warning:#} {sentence}"),
        false => format!("{faint}note:{faint:#} {sentence}"),
    }
}
