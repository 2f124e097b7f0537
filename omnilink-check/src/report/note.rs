//! Notes: what the reader of a verdict should know about how it came about.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

/// Something that the reader of a verdict should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// What kind of note it is.
    pub kind: Kind,
    /// If the trace is accepted, that shows less than one would think.
    pub weakens: bool,
    /// The names that it is about, such as constants or actions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<String>,
    /// What is so, and what to do about it.
    pub text: String,
}

/// The kinds of notes. Programs know them by their names, which stay as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The trace has no events.
    NoEvents,
    /// None of the calls has to have happened, so leaving all of them out is an order.
    NoCallCounts,
    /// Actions of which no call has to have happened.
    ActionsWithoutEnd,
    /// Calls that were left without being ended.
    CallsWithoutEnd,
    /// Actions that no event is a call of.
    ActionsNeverRecorded,
    /// The trace says that it is of another specification.
    OtherSpecification,
    /// Options that say of results or operations something else than the trace.
    OtherSignatures,
    /// Criteria of which it is not known whether they are satisfied.
    UnknownCriteria,
    /// Events that come after the end of their thread.
    EventsAfterEnd,
    /// What recorded was not what the scheduler controls.
    NotScheduled,
    /// All events are in one lane.
    OneLane,
    /// The trace is incomplete, and was cut.
    Cut,
    /// Lanes, or parts of them, are missing.
    Lost,
    /// Processes that the program forked were not recorded.
    UnrecordedForks,
    /// The trace was being recorded when it was read.
    StillRecording,
    /// Arguments that were not recorded.
    UnknownArguments,
    /// Calls that returned and of which it was not recorded which action they are.
    UnknownActions,
    /// A constant that was inferred from the trace.
    InferredConstant,
    /// Invariants were asked for, and there are none.
    NoInvariants,
    /// Calls that were open when recording ended.
    Pending,
    /// Calls that ended, and of which it is not known whether they took effect.
    Indeterminate,
    /// Calls that were aborted, and left out.
    Aborted,
    /// Boxes are widened because fences were relaxed.
    RelaxedFences,
    /// Boxes are widened because the clocks of the cores differ.
    ClockUncertainty,
    /// The trace does not say how fast its clock is, or what was run.
    NoDescription,
    /// Strings that were taken for model values.
    ModelValues,
    /// What the configuration has for model checking, and the check does not use.
    Ignored,
    /// An action could not be evaluated where it might have come next.
    NotEvaluated,
    /// A smaller reason was asked for, and none was found.
    NoSmallerReason,
    /// The engine gives no reasons.
    NoReasons,
    /// Independent parts of the trace were checked one by one.
    Partition,
    /// What the recorder has noted: what may keep the run from being repeated, and what was left out.
    Recorder,
    /// Another kind, of another version.
    #[serde(other)]
    Other,
}

impl Kind {
    /// Its name for programs.
    pub fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
    }
}

impl Note {
    /// A note that says how a verdict came about.
    pub fn new(kind: Kind, text: impl Into<String>) -> Self {
        Self { kind, weakens: false, about: Vec::new(), text: text.into() }
    }

    /// A note by which an acceptance shows less than one would think.
    pub fn weakening(kind: Kind, text: impl Into<String>) -> Self {
        Self { weakens: true, ..Self::new(kind, text) }
    }

    /// The same, about these.
    pub fn about(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.about.extend(names);
        self
    }

    /// The word that says what it means for a pass.
    pub fn word(&self) -> &'static str {
        if self.weakens { "warning" } else { "note" }
    }
}

/// The notes of a report, those first by which an acceptance shows less.
///
/// As JSON they are two fields: `notes` has the texts alone, as it always had, and `note_details` all of them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Notes(Vec<Note>);

impl Notes {
    /// Adds a note in its place.
    pub fn add(&mut self, note: Note) {
        let at = if note.weakens { self.0.partition_point(|other| other.weakens) } else { self.0.len() };
        self.0.insert(at, note);
    }

    /// Whether one of them weakens an acceptance.
    pub fn weaken(&self) -> bool {
        self.0.iter().any(|note| note.weakens)
    }
}

impl Deref for Notes {
    type Target = Vec<Note>;

    fn deref(&self) -> &Vec<Note> {
        &self.0
    }
}

impl DerefMut for Notes {
    fn deref_mut(&mut self) -> &mut Vec<Note> {
        &mut self.0
    }
}

impl Extend<Note> for Notes {
    fn extend<I: IntoIterator<Item = Note>>(&mut self, notes: I) {
        notes.into_iter().for_each(|note| self.add(note));
    }
}

impl FromIterator<Note> for Notes {
    fn from_iter<I: IntoIterator<Item = Note>>(notes: I) -> Self {
        let mut all = Self::default();
        all.extend(notes);
        all
    }
}

/// How notes are written.
#[derive(Serialize, Deserialize)]
struct Written {
    notes: Vec<String>,
    /// Reports of earlier versions have none.
    #[serde(default)]
    note_details: Vec<Note>,
}

impl From<Notes> for Written {
    fn from(notes: Notes) -> Self {
        Self { notes: notes.0.iter().map(|note| note.text.clone()).collect(), note_details: notes.0 }
    }
}

impl From<Written> for Notes {
    fn from(written: Written) -> Self {
        match written.note_details.is_empty() {
            true => written.notes.into_iter().map(|text| Note::new(Kind::Other, text)).collect(),
            false => Self(written.note_details),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_come_first_and_all_survive_being_written() {
        let notes: Notes = [
            Note::new(Kind::Pending, "one pending"),
            Note::weakening(Kind::NoEvents, "nothing").about(["a".to_owned()]),
            Note::weakening(Kind::Cut, "cut"),
        ]
        .into_iter()
        .collect();
        assert_eq!(notes.iter().map(|note| note.kind).collect::<Vec<_>>(), [Kind::NoEvents, Kind::Cut, Kind::Pending]);
        let json = serde_json::to_value(&notes).unwrap();
        assert_eq!(json["notes"], serde_json::json!(["nothing", "cut", "one pending"]));
        assert_eq!(json["note_details"][0]["kind"], "no_events");
        assert_eq!(serde_json::from_value::<Notes>(json).unwrap(), notes);
    }

    #[test]
    fn notes_of_other_versions_are_read() {
        let early: Notes = serde_json::from_str(r#"{"notes": ["something"]}"#).unwrap();
        assert_eq!(*early, [Note::new(Kind::Other, "something")]);
        let late = r#"{"notes": ["x"], "note_details": [{"kind": "of_tomorrow", "weakens": true, "text": "x"}]}"#;
        let late: Notes = serde_json::from_str(late).unwrap();
        assert_eq!(*late, [Note::weakening(Kind::Other, "x")]);
    }
}
