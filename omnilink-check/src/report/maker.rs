//! Puts a report together.

use std::path::Path;
use std::time::Duration;

use omnilink_tla::Spec;
use omnilink_trace::{LaneEnd, StopReason, Trace};

use super::advice::{advice, why};
use super::calls::Calls;
use super::counterexample::Window;
use super::model::{Measures, Report, Statistics, Verdict};
use super::note::{Kind, Note, Notes};
use super::notes::{Source, count};
use super::partition::Partition;
use super::stuck::Explainer;
use crate::boxes::Boxes;
use crate::check::{self, Checked, Order};
use crate::constants::Inferred;
use crate::coverage::{self, Coverage};
use crate::dependence::{self, Dependence, NamelessPart};
use crate::error::{CheckError, Misfit};
use crate::prepare::Prepared;
use crate::search::{Limits, Progress, Stopped};
use crate::timeline::EventRef;

/// What a report is about.
pub struct Maker<'a> {
    /// The specification's name, as users know it.
    pub name: &'a str,
    /// The specification.
    pub spec: &'a Spec,
    /// Constants that were inferred for it.
    pub inferred: &'a [Inferred],
    /// The trace.
    pub trace: &'a Trace,
    /// The trace made ready.
    pub prepared: &'a Prepared,
    /// How the check was to be done.
    pub options: check::Options,
    /// What it was allowed to take.
    pub limits: &'a Limits,
}

impl Maker<'_> {
    /// The report of a check. `time` is what all of it took.
    pub fn report(&self, checked: &Checked, time: Duration) -> Report {
        let (deepest, exhausted) = match &checked.verdict {
            check::Verdict::Accepted(_) => return self.outline(checked, time),
            check::Verdict::Rejected(deepest) => (deepest, true),
            check::Verdict::Unknown { stopped: Stopped::Inferred | Stopped::Nameless, stuck } => (stuck, true),
            check::Verdict::Failed { stuck, .. } | check::Verdict::Unknown { stuck, .. } => (stuck, false),
        };
        let about = self.about(checked);
        let (spec, prepared, time_unit) = (self.spec, about.prepared, self.trace.time_unit().word());
        let constrained = self.options.honour_constraints;
        let explainer = Explainer { spec, prepared, calls: &about.calls(), time_unit, exhausted, constrained };
        // Who does not say how far orders got has kept none.
        let mut stuck = (!deepest.kept.is_empty()).then(|| explainer.stuck(deepest));
        if let (check::Verdict::Unknown { .. }, Some(stuck)) = (&checked.verdict, &mut stuck) {
            stuck.followed_only |= !exhausted;
        }
        Report { stuck, ..self.outline(checked, time) }
    }

    /// The same of what the dead ends of a check are about: the whole trace, or the part of it that was rejected.
    pub fn about<'m>(&'m self, checked: &'m Checked) -> Maker<'m> {
        Maker { prepared: checked.subject(self.prepared), ..*self }
    }

    /// The report of a check without what takes the specification to be evaluated again: how far orders got, and why no further.
    pub fn outline(&self, checked: &Checked, time: Duration) -> Report {
        let calls = self.calls();
        let verdict = match &checked.verdict {
            check::Verdict::Accepted(_) => Verdict::Accepted,
            check::Verdict::Rejected(_) => Verdict::Rejected,
            check::Verdict::Failed { error, event, .. } => {
                let call = calls.call(*event);
                let place = self.place(*event);
                let message = format!("{place}: {} cannot be evaluated where it could come next:\n{error}", call.call);
                let hint =
                    "no other order succeeds, and here there might be one: mend the specification, then check again"
                        .to_owned();
                Verdict::Error { message, hint: Some(hint) }
            }
            check::Verdict::Unknown { stopped, .. } => self.unknown(*stopped, &calls),
        };
        let mut report = self.with_verdict(verdict, checked.progress, time);
        if let check::Verdict::Accepted(order) = &checked.verdict
            && order.failures > 0
        {
            let times = count(order.failures, "time");
            let text = format!(
                "{times} an action could not be evaluated where it might have come next; an order was found all the same"
            );
            report.notes.add(Note::new(Kind::NotEvaluated, text));
        }
        if let Some(parts) = &checked.parts {
            let partition = Partition::of(parts);
            report.notes.add(Note::new(Kind::Partition, partition.to_string()));
            report.partition = Some(partition);
        }
        report
    }

    /// The report of a verdict.
    pub(super) fn with_verdict(&self, verdict: Verdict, progress: Progress, time: Duration) -> Report {
        Report {
            trace: self.trace.path().display().to_string(),
            spec: self.name.to_owned(),
            verdict,
            crashes: crashes(self.trace, &self.prepared.notes.signals),
            violation: None,
            core: None,
            statistics: Statistics {
                lanes: self.prepared.history.timeline.lanes.len() as u64,
                events: self.prepared.history.timeline.len() as u64,
                configurations: progress.configurations,
                seconds: time.as_secs_f64(),
                actions: coverage::recorded(self.spec, &self.prepared.history),
            },
            partition: None,
            notes: self.notes(),
            stuck: None,
            reads: Vec::new(),
            measures: None,
            consistency: None,
        }
    }

    /// What the reader of the verdict should know.
    fn notes(&self) -> Notes {
        let Self { name, spec, inferred, trace, prepared, options, .. } = *self;
        Source { name, spec, trace, inferred, prepared: &prepared.notes, constrained: options.honour_constraints }
            .notes()
    }

    /// What is measured of a trace besides its verdict.
    ///
    /// # Errors
    /// If the trace cannot be read again, or if the order that was found cannot be walked again.
    pub fn measures(&self, order: Option<&Order>) -> Result<Measures, CheckError> {
        let coverage = Coverage::of(self.spec, self.prepared, order).map_err(|failure| self.spec.failed(failure))?;
        Ok(Measures { boxes: Boxes::of(self.trace)?, coverage })
    }

    /// The part of the trace around where a search got stuck.
    pub fn window(&self, checked: &Checked) -> Vec<Window> {
        match &checked.verdict {
            check::Verdict::Accepted(_) => Vec::new(),
            check::Verdict::Rejected(deepest)
            | check::Verdict::Failed { stuck: deepest, .. }
            | check::Verdict::Unknown { stuck: deepest, .. } => {
                let about = self.about(checked);
                super::counterexample::windows(&about.calls(), about.prepared, deepest)
            }
        }
    }

    pub(super) fn calls(&self) -> Calls<'_> {
        let Prepared { history, timed, .. } = self.prepared;
        Calls::new(self.spec, self.trace, history).at_times_of(timed.as_ref().unwrap_or(&history.timeline))
    }

    /// A violated invariant is none if the value that a constant was inferred to have may be what violates it. That none is
    /// violated is noted to be so for this value, if another one may make a difference.
    pub fn qualify_violation(&self, report: &mut Report) {
        if report.violation.is_none() {
            report.notes.extend(self.inferred.iter().filter_map(super::notes::invariants_inferred));
            return;
        }
        let dependences = dependence::of_violation(self.inferred);
        if dependences.is_empty() {
            return;
        }
        if let Some(violation) = report.violation.take() {
            let fact = format!("there is an order, but the invariant {} is violated along it", violation.invariant);
            let advice = dependences.iter().map(Dependence::advice).collect();
            report.verdict = Verdict::Unknown { why: Dependence::why(&dependences, &fact), advice };
        }
    }

    pub(super) fn unknown(&self, stopped: Stopped, calls: &Calls<'_>) -> Verdict {
        let history = &self.prepared.history;
        let dependences = dependence::of_rejection(self.inferred, self.spec, history, self.options.honour_constraints);
        let nameless = NamelessPart::of_rejection(self.spec, history);
        let nameless = nameless.as_ref();
        let advice = advice(stopped, self.spec, history, calls, self.inferred, &dependences, nameless);
        Verdict::Unknown { why: why(stopped, self.limits, &dependences, nameless), advice }
    }

    /// Which event of which file.
    fn place(&self, event: EventRef) -> String {
        let lane = self.prepared.history.timeline.lanes[event.lane as usize].id;
        let recorded = self.trace.lanes().iter().find(|recorded| recorded.index() == lane);
        let path = recorded.map_or(self.trace.path(), |recorded| recorded.path());
        format!("{}: event {} of lane {lane}", path.display(), self.prepared.history.timeline.event(event).index)
    }
}

/// The report of a trace that could not be checked against a specification.
pub fn failed(trace: &Path, spec: &Path, error: &CheckError) -> Report {
    let text = error.to_string();
    let (message, hint) = match error {
        // What is wrong with a specification is complete as it is, with hints of its own.
        CheckError::Specification(_) | CheckError::TlcFailed(_) => (text, None),
        _ => match text.split_once("; ") {
            Some((message, hint)) => (message.to_owned(), Some(hint.to_owned())),
            None => (text, None),
        },
    };
    let known = match error {
        CheckError::Event { problem, .. } => match &**problem {
            Misfit::UnknownAction { known, .. } if known.is_empty() => Some(format!(
                "the next-state relation of {spec} calls no action by its name; `omnilink spec {spec}` shows its parts",
                spec = spec.display()
            )),
            Misfit::UnknownAction { known, .. } => Some(format!("{} has {}", spec.display(), known.join(", "))),
            _ => None,
        },
        _ => None,
    };
    let hint = match (hint, known) {
        (Some(hint), Some(known)) => Some(format!("{hint} {known}")),
        (hint, known) => hint.or(known),
    };
    without_search(trace, spec, Verdict::Error { message, hint })
}

/// The report of a trace whose check was stopped before the search began.
pub fn stopped_early(trace: &Path, spec: &Path, stopped: Stopped, limits: &Limits) -> Report {
    without_search(trace, spec, unknown("before the search began", stopped, limits))
}

/// The verdict when a check was stopped at another time than while it searched.
pub fn unknown(when: &str, stopped: Stopped, limits: &Limits) -> Verdict {
    let advice = vec!["raise the limit, or record shorter runs".to_owned()];
    Verdict::Unknown { why: format!("{} {when}", why(stopped, limits, &[], None)), advice }
}

fn without_search(trace: &Path, spec: &Path, verdict: Verdict) -> Report {
    Report {
        trace: trace.display().to_string(),
        spec: name_of(spec),
        verdict,
        crashes: Vec::new(),
        violation: None,
        core: None,
        statistics: Statistics::default(),
        partition: None,
        notes: Notes::default(),
        stuck: None,
        reads: Vec::new(),
        measures: None,
        consistency: None,
    }
}

/// The name of a specification as users know it: its module is called like its file.
pub fn name_of(spec: &Path) -> String {
    spec.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// How signals ended the program.
fn crashes(trace: &Trace, threads: &[(u32, String)]) -> Vec<String> {
    let program = trace.run().exit.as_ref().and_then(|exit| exit.signal);
    let mut all: Vec<_> = program.map(|signal| format!("signal {signal} killed the program")).into_iter().collect();
    all.extend(threads.iter().map(|(lane, signal)| format!("signal {signal} killed the thread of lane {lane}")));
    let told = |lane: u32| threads.iter().any(|(other, _)| *other == lane);
    let stopped = trace.lanes().iter().filter(|lane| {
        matches!(lane.end(), LaneEnd::Stopped { reason: StopReason::Signal, .. }) && !told(lane.index())
    });
    all.extend(stopped.map(|lane| format!("a signal killed the thread of lane {}", lane.index())));
    all
}
