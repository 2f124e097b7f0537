//! The notes of a check: what its reader should know about how the verdict came about.

use std::path::Path;

use omnilink_tla::Spec;
use omnilink_trace::{Finding, Notice, Trace};

use super::note::{Kind, Note, Notes};
use crate::constants::Inferred;
use crate::coverage;
use crate::prepare;
use crate::recorded::Calls;

/// What notes are made of.
pub(super) struct Source<'a> {
    /// The name of the specification, as users know it.
    pub name: &'a str,
    pub spec: &'a Spec,
    pub trace: &'a Trace,
    pub inferred: &'a [Inferred],
    pub prepared: &'a prepare::Notes,
    /// Constraints count.
    pub constrained: bool,
}

impl Source<'_> {
    /// All notes.
    pub fn notes(&self) -> Notes {
        let mut all: Notes = self.calls().into_iter().collect();
        all.extend(self.other_specification());
        all.extend(self.after_end());
        all.extend(self.cut());
        all.extend(self.inferred.iter().map(|it| inference(it, self.constrained)));
        all.extend(self.ignored());
        all.extend(self.outcomes());
        all.extend(self.model_values());
        all.extend(self.uncertainty());
        all.extend(self.trace.notices().iter().map(|notice| self.notice(notice)));
        all
    }

    /// Whether there were calls that had to happen, and of which actions.
    fn calls(&self) -> Vec<Note> {
        let total = self.prepared.recorded.total();
        let by_action = self.prepared.recorded.by_action(self.spec, self.trace.vocabulary());
        let mut notes = Vec::new();
        let without_end: Vec<_> = by_action.iter().filter(|(_, calls)| calls.counting == 0).collect();
        if total.all == 0 {
            let text = "it has no events, so nothing was checked: is the program instrumented, and did it make a call that \
                        is recorded?";
            notes.push(Note::weakening(Kind::NoEvents, text));
        } else if total.counting == 0 {
            let calls = if total.all == 1 { "its only call does not have" } else { "none of its calls has" };
            let text = format!(
                "this pass proves little: {calls} to have happened ({}), and leaving all of them out is always a \
                 behaviour; {REMEDY}",
                self.why_optional(total.all)
            );
            notes.push(Note::weakening(Kind::NoCallCounts, text));
        } else if !without_end.is_empty() {
            let names: Vec<_> =
                without_end.iter().map(|(name, calls)| format!("{name} ({})", count(calls.all, "call"))).collect();
            let text = format!(
                "no call of these actions has to have happened, so nothing of them was checked: {}; {REMEDY}",
                names.join(", ")
            );
            let about = without_end.iter().map(|(name, _)| (*name).clone());
            notes.push(Note::weakening(Kind::ActionsWithoutEnd, text).about(about));
        }
        if total.unended > 0 {
            let left: Vec<(&String, &Calls)> = by_action.iter().filter(|(_, calls)| calls.unended > 0).collect();
            let names: Vec<_> = left.iter().map(|(name, calls)| format!("{name} {}", calls.unended)).collect();
            let text = format!(
                "{} left without being ended: {}; they may have taken effect or not. Is `end()` missing, does the code return \
                 early, or was a future dropped?",
                were(total.unended, "call"),
                names.join(", ")
            );
            notes
                .push(Note::weakening(Kind::CallsWithoutEnd, text).about(left.iter().map(|(name, _)| (*name).clone())));
        }
        let of_any = self.prepared.recorded.of_any_action().counting;
        if of_any > 0 {
            let text = format!(
                "{} recorded without an action: each was taken for any action that fits; record which one it is (`op`), or a few that \
                 it may be (`ops`)",
                were(of_any, "call")
            );
            notes.push(Note::weakening(Kind::UnknownActions, text));
        }
        let never: Vec<_> =
            coverage::actions(self.spec).into_iter().filter(|action| !by_action.contains_key(action)).collect();
        if !never.is_empty() {
            notes.push(never_recorded(never));
        }
        if self.lanes_with_events() == 1 && total.all > 1 {
            let text = "all events are in one lane: nothing that threads do at the same time was checked";
            notes.push(Note::new(Kind::OneLane, text));
        }
        notes
    }

    /// In which ways calls need not have happened.
    fn why_optional(&self, all: u64) -> String {
        let prepare::Notes { dropped, open_at_cut, aborted, pending, indeterminate, .. } = self.prepared;
        let ways = [
            (*indeterminate, "indeterminate"),
            (*pending, "pending"),
            (*aborted, "aborted"),
            (*open_at_cut, "open at the cut of the trace"),
            (*dropped, "after the cut of the trace"),
        ];
        let ways: Vec<_> =
            ways.iter().filter(|(number, _)| *number > 0).map(|(number, way)| format!("{number} {way}")).collect();
        if let ([way], true) = (ways.as_slice(), all > 1) { format!("all {way}") } else { ways.join(", ") }
    }

    fn lanes_with_events(&self) -> usize {
        self.trace.lanes().iter().filter(|lane| lane.events() > 0).count()
    }

    /// The trace may say of which specification it is. A module that the specification is made of will do.
    fn other_specification(&self) -> Option<Note> {
        let said = self.trace.spec();
        let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let said_stem = stem(Path::new(said)).unwrap_or_default();
        let is_part = |path: &Path| stem(path).is_some_and(|stem| stem == said_stem);
        let is_known = said_stem.is_empty()
            || said_stem == self.name
            || self.spec.sources().files().any(|file| is_part(&file.path));
        (!is_known).then(|| {
            let text = format!(
                "the trace names the specification {said}, but it was checked against {}: check that this is intended",
                self.name
            );
            Note::weakening(Kind::OtherSpecification, text).about([said.to_owned()])
        })
    }

    fn after_end(&self) -> Option<Note> {
        let lanes = &self.prepared.after_end;
        let events: u64 = lanes.iter().map(|(_, events)| events).sum();
        let named: Vec<_> = lanes.iter().map(|(lane, _)| lane.to_string()).collect();
        (events > 0).then(|| {
            let text = format!(
                "{} recorded after the end of their thread (lane {}): the recorder is used by more than one thread, or the \
                 end was recorded too early",
                were(events, "event"),
                named.join(", ")
            );
            Note::weakening(Kind::EventsAfterEnd, text)
        })
    }

    fn cut(&self) -> Option<Note> {
        let prepare::Notes { cut, dropped, open_at_cut, .. } = self.prepared;
        cut.map(|cut| {
            let (at, unit) = (self.trace.ns(cut), self.trace.time_unit().word());
            let text = format!(
                "the trace is incomplete and was cut at {at} {unit}, where the first lane stopped: {} \
                 dropped that began later, {} taken as pending that were open there",
                count(*dropped, "event"),
                count(*open_at_cut, "event")
            );
            Note::weakening(Kind::Cut, text)
        })
    }

    /// What outcomes other than done mean.
    fn outcomes(&self) -> Vec<Note> {
        let prepare::Notes { aborted, pending, indeterminate, .. } = *self.prepared;
        let mut notes = Vec::new();
        if aborted > 0 {
            let text = format!("{} aborted: without effect (--on abort=Op says otherwise)", count(aborted, "event"));
            notes.push(Note::new(Kind::Aborted, text));
        }
        let mut text = format!(
            "{} pending: may have taken effect or not, at any time after the beginning",
            count(pending, "event")
        );
        if pending > 0 && self.trace.run().end.is_some() {
            text.push_str(
                "; the program ended by itself meanwhile: is a call begun and never ended? Later calls of the same \
                 thread are not recorded then",
            );
            notes.push(Note::weakening(Kind::Pending, text));
        } else if pending > 0 {
            notes.push(Note::new(Kind::Pending, text));
        }
        // Those that were left have a note of their own.
        let indeterminate = indeterminate - self.prepared.recorded.total().unended;
        if indeterminate > 0 {
            let text =
                format!("{} indeterminate: may have taken effect or not, until the end", count(indeterminate, "event"));
            notes.push(Note::new(Kind::Indeterminate, text));
        }
        notes
    }

    fn model_values(&self) -> Option<Note> {
        let taken = &self.prepared.model_values;
        (!taken.is_empty()).then(|| {
            let text = format!("recorded strings that name model values are taken for those: {}", taken.join(", "));
            Note::new(Kind::ModelValues, text).about(taken.clone())
        })
    }

    fn uncertainty(&self) -> Option<Note> {
        let ticks = self.trace.run().clock.uncertainty;
        (ticks > 0).then(|| {
            let text = format!(
                "the clocks of the cores differed by up to {ticks} ticks: every timebox is widened by that, which allows more \
                 orders"
            );
            Note::new(Kind::ClockUncertainty, text)
        })
    }

    /// What was noticed when the trace was opened.
    fn notice(&self, notice: &Notice) -> Note {
        let (kind, weakens) = match &notice.finding {
            Finding::Torn { .. }
            | Finding::Recovered(_)
            | Finding::LaneCount { .. }
            | Finding::MissingLanes { .. }
            | Finding::Ignored => (Kind::Lost, true),
            Finding::UnrecordedForks(_) => (Kind::UnrecordedForks, true),
            Finding::Recording => (Kind::StillRecording, true),
            Finding::Relaxed { .. } => (Kind::RelaxedFences, true),
            Finding::UnknownArguments { .. } => (Kind::UnknownArguments, self.prepared.recorded.total().unknown > 0),
            Finding::Oversized { .. } => (Kind::UnknownArguments, false),
            Finding::NoRunFile => (Kind::NoDescription, false),
            Finding::Unborn | Finding::NoTermination | Finding::PendingDetail { .. } => (Kind::Lost, false),
            _ => (Kind::Other, false),
        };
        Note { weakens, ..Note::new(kind, self.within_trace(notice)) }
    }

    /// A notice that names its file as seen from the trace, which may be elsewhere when the note is read.
    fn within_trace(&self, notice: &Notice) -> String {
        let path = notice.path.strip_prefix(self.trace.path()).unwrap_or(&notice.path);
        match path.as_os_str().is_empty() {
            true => Notice { path: notice.path.file_name().unwrap_or_default().into(), ..notice.clone() }.to_string(),
            false => Notice { path: path.to_owned(), ..notice.clone() }.to_string(),
        }
    }

    /// What a configuration has for model checking.
    fn ignored(&self) -> Vec<Note> {
        let program = self.spec.program();
        let constraints = program.constraints.iter().map(|formula| ("CONSTRAINT", formula.name));
        let action_constraints = program.action_constraints.iter().map(|formula| ("ACTION_CONSTRAINT", formula.name));
        let unless_honoured = constraints.chain(action_constraints).filter(|_| !self.constrained);
        let unless_honoured = unless_honoured.map(|(section, name)| {
            let text = format!("{section} {name} is ignored: it is for model checking (--honour-constraints)");
            Note::new(Kind::Ignored, text).about([name.to_string()])
        });
        let set_aside = program.set_aside.iter().map(|(section, name)| {
            let text = format!("{section} {name} is ignored: it is for model checking");
            Note::new(Kind::Ignored, text).about([name.to_string()])
        });
        unless_honoured.chain(set_aside).collect()
    }
}

/// What to do about calls that need not have happened.
const REMEDY: &str = "end each call (`op.end()`) once its effects are there, and record what it returned";

/// That these actions were never recorded.
pub fn never_recorded(actions: Vec<String>) -> Note {
    let text = format!("actions never recorded: {}", actions.join(", "));
    Note::weakening(Kind::ActionsNeverRecorded, text).about(actions)
}

/// That a constant was inferred, and where it matters that the user's may have more elements.
fn inference(inferred: &Inferred, constrained: bool) -> Note {
    let mut text = format!("inferred from the trace: {}", inferred.assignment());
    let places = inferred.decides_acceptance(constrained);
    if !places.is_empty() {
        text.push_str(&format!("; {}", or_give_it(&places)));
    }
    let weakens = !places.is_empty();
    Note { weakens, ..Note::new(Kind::InferredConstant, text) }.about([inferred.name.clone()])
}

/// That the invariants hold for the value that a constant was inferred to have, where another one may make a difference to them.
pub(super) fn invariants_inferred(inferred: &Inferred) -> Option<Note> {
    let places = inferred.used.invariants.as_slice();
    let text = format!("the invariants were evaluated with {}; {}", inferred.assignment(), or_give_it(places));
    let note = Note::weakening(Kind::InferredConstant, text).about([inferred.name.clone()]);
    (!places.is_empty()).then_some(note)
}

fn or_give_it(places: &[String]) -> String {
    format!("other elements may make a difference at {}: give it by --const or a .cfg", places.join(", "))
}

/// A number of things, in words.
pub(super) fn count(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

fn were(number: u64, thing: &str) -> String {
    format!("{} {}", count(number, thing), if number == 1 { "was" } else { "were" })
}
