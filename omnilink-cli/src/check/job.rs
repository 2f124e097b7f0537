//! Checking one trace, from its file to its report.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use omnilink_budget::{Budget, Exhausted, on_behalf};
use omnilink_check::check::{self, Checked};
use omnilink_check::consistency::{self, Manner, Question};
use omnilink_check::error::CheckError;
use omnilink_check::prepare::{Prepared, prepare};
use omnilink_check::report::consistency::Consistency;
use omnilink_check::report::counterexample::Counterexample;
use omnilink_check::report::note::{Kind, Note};
use omnilink_check::report::{Maker, Report, Verdict, failed, name_of, stopped_early, unknown};
use omnilink_check::rules::Rules;
use omnilink_check::search::{Control, Limits, Progress};
use omnilink_check::shrink::shrink;
use omnilink_check::subject::{self, Subject};
use omnilink_tla::{Options, Reading, STACK, Spec, with_stack};
use omnilink_trace::{Finding, OpenOptions, Trace};

use super::cache::{Cache, Entry};
use super::consistency::{Ask, Demand};
use super::engine::Engine;
use super::{hash, linearization_text, recorder, witness_text};
use crate::failure::Failure;

/// The minimum time for the explanation of a verdict, after the time limit of the search.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How every trace is checked.
pub struct Job<'a> {
    /// The specification's file.
    pub path: &'a Path,
    /// The specification, before constants are inferred from a trace.
    pub spec: &'a Spec,
    /// The options with which it was loaded.
    pub loading: Options,
    /// The rules for events.
    pub rules: Rules,
    /// How to check.
    pub options: check::Options,
    /// The engine.
    pub engine: Engine,
    /// The criterion, if another one than linearizability is checked.
    pub consistency: Option<Demand>,
    /// The limits.
    pub limits: Limits,
    /// Check the invariants in every state of the order found.
    pub invariants: bool,
    /// Find a smaller reason for a rejection.
    pub shrink: bool,
    /// Measure traces, too: see [`omnilink_check::report::model::Measures`].
    pub measure: bool,
    /// Where to write the order found.
    pub witness: Option<PathBuf>,
    /// Keep the valid part of damaged files.
    pub recover: bool,
    /// Whether cached verdicts are used and new ones are cached.
    pub use_cache: bool,
    /// The hash of the specification's files.
    pub spec_hash: String,
    /// Set by Ctrl-C.
    pub interrupt: Arc<AtomicBool>,
}

/// The result of checking a trace.
pub struct Outcome {
    /// The report.
    pub report: Report,
    /// Whether it came from the cache.
    pub cached: bool,
    /// The counterexample file, for viewers.
    pub counterexample: Option<Box<Counterexample>>,
}

impl Outcome {
    /// Replaces the name of the trace in the reports.
    pub fn rename(&mut self, trace: &str) {
        let reports = [Some(&mut self.report), self.counterexample.as_mut().map(|it| &mut it.report)];
        reports.into_iter().flatten().for_each(|report| report.trace = trace.to_owned());
    }

    /// Writes the counterexample file; returns whether there is one.
    pub fn write_counterexample(&self, path: &Path) -> Result<bool, Failure> {
        let Some(counterexample) = &self.counterexample else { return Ok(false) };
        counterexample.write(path).map_err(|error| Failure::file(path, &error)).map(|()| true)
    }
}

/// A trace, ready to be checked against a specification.
struct Judged<'a> {
    subject: &'a Subject,
    trace: &'a Trace,
    prepared: &'a Prepared,
}

/// Whether a trace is not being recorded any more.
fn is_settled(trace: &Trace) -> bool {
    !trace.notices().iter().any(|notice| matches!(notice.finding, Finding::Recording))
}

impl Job<'_> {
    /// Checks a trace. Errors are part of the report.
    pub fn run(&self, trace: &Path, progress: &mut (dyn FnMut(&Progress) + Send)) -> Outcome {
        let budget = Budget::new(self.limits.timeout, self.limits.memory, Arc::clone(&self.interrupt));
        budget.spend(|| self.find_or_check(trace, progress)).unwrap_or_else(|exhausted| {
            let report = stopped_early(trace, self.path, exhausted.into(), &self.limits);
            self.outcome(Entry { report, window: Vec::new() }, "", false)
        })
    }

    fn find_or_check(&self, trace: &Path, progress: &mut (dyn FnMut(&Progress) + Send)) -> Outcome {
        let began = Instant::now();
        // The hash is computed before the trace is opened: data written in between must not count as checked.
        let trace_hash = hash::of_trace(trace).unwrap_or_default();
        let can_be_known = self.use_cache && !trace_hash.is_empty();
        let cache = if can_be_known { Cache::of_user(&self.key(), self.path) } else { None };
        let known = cache.as_ref().filter(|_| self.witness.is_none()).and_then(|cache| cache.find(&trace_hash));
        let known = known.filter(|known| !self.measure || known.report.measures.is_some());
        if let Some(Entry { mut report, window }) = known {
            report.trace = trace.display().to_string();
            recorder::complete(&mut report, trace);
            return self.outcome(Entry { report, window }, &trace_hash, true);
        }
        let checked = with_stack(STACK, || self.check(trace, began, progress));
        let checked = checked.unwrap_or_else(|error| {
            let path = PathBuf::from("a thread for evaluation");
            Err(CheckError::File { path, error })
        });
        match checked {
            Ok((mut entry, settled)) => {
                if let Some(cache) = cache.filter(|_| settled) {
                    cache.keep(&trace_hash, &entry);
                }
                // The recorder's notes are not part of the trace, so they are not cached with its report.
                recorder::complete(&mut entry.report, trace);
                self.outcome(entry, &trace_hash, false)
            }
            Err(error) => {
                let report = failed(trace, self.path, &error);
                self.outcome(Entry { report, window: Vec::new() }, &trace_hash, false)
            }
        }
    }

    /// The report, and whether the trace did not change during the check.
    fn check(
        &self,
        path: &Path,
        began: Instant,
        progress: &mut (dyn FnMut(&Progress) + Send),
    ) -> Result<(Entry, bool), CheckError> {
        let trace = Trace::open_with(path, &OpenOptions::recover(self.recover))?;
        let subject = subject::specialise(self.spec, self.path, &self.loading, &self.rules, &trace)?;
        let mut prepared = prepare(&subject.spec, &trace, &self.rules)?;
        if self.consistency.as_ref().is_some_and(Demand::is_order) {
            prepared = prepared.without_time();
        }
        let mut control = Control {
            interrupt: &self.interrupt,
            progress: &mut |at| progress(at),
            limits: self.limits.clone(),
            began,
        };
        if let Some(demand) = self.consistency.as_ref().filter(|demand| !demand.is_order()) {
            let subject = Judged { subject: &subject, trace: &trace, prepared: &prepared };
            return self.check_criteria(demand, &subject, &mut control);
        }
        let checked = self.engine.check(&subject.spec, &self.loading, &prepared, &self.options, &mut control)?;
        let constrained = self.options.honour_constraints;
        let checked = checked.depending_on(&subject.inferred, &subject.spec, &prepared.history, constrained);
        let name = name_of(self.path);
        let maker = self.maker(&name, &Judged { subject: &subject, trace: &trace, prepared: &prepared });
        let time = began.elapsed();
        let (mut report, mut is_whole) = match self.tell(began, || maker.report(&checked, time)) {
            Ok(report) => (report, true),
            Err(_) => (on_behalf(None, || maker.outline(&checked, time)), false),
        };
        if !is_whole {
            let text = "why no order gets further is left out: it took more than the limits allow";
            report.notes.add(Note::new(Kind::NoReasons, text));
        }
        report.notes.extend(self.engine.note(&checked.verdict).map(|text| Note::new(Kind::NoReasons, text)));
        if let check::Verdict::Rejected(deepest) = &checked.verdict
            && self.shrink
            && self.engine == Engine::Native
        {
            let core = self.tell(began, || {
                shrink(&subject.spec, checked.subject(&prepared), &self.options, deepest, &mut control)
            });
            let core = core.unwrap_or_else(|exhausted| Ok(Err(exhausted.into())))?;
            is_whole &= core.is_ok();
            report.core =
                core.unwrap_or_default().and_then(|core| self.tell(began, || maker.about(&checked).core(&core)).ok());
            if report.core.is_none() {
                let text = "no smaller reason was found within the limits";
                report.notes.add(Note::new(Kind::NoSmallerReason, text));
            }
        }
        match self.tell(began, || self.look_at_order(&maker, &checked, &subject.spec, &mut report)) {
            Ok(looked) => looked?,
            // There is an order, but its invariants could not be evaluated.
            Err(exhausted) => report.verdict = unknown("while the order was looked at", exhausted.into(), &self.limits),
        }
        if self.measure {
            let order = match &checked.verdict {
                check::Verdict::Accepted(order) => Some(order),
                _ => None,
            };
            let measures = self.tell(began, || maker.measures(order));
            is_whole &= measures.is_ok();
            report.measures = measures.ok().transpose()?;
        }
        if self.consistency.is_some() {
            // Time does not count here, so nothing has to happen by a time.
            let groups = report.stuck.iter_mut().flat_map(|stuck| &mut stuck.groups);
            groups.for_each(|group| group.example.deadline = None);
            report.consistency = Some(Consistency { criterion: "sequential".to_owned(), ..Consistency::default() });
        }
        // This comes last, because reasons, orders and measures are evaluated, too.
        report.reads = self.reads(&subject.spec);
        let settled = is_settled(&trace);
        let window = on_behalf(None, || maker.window(&checked));
        Ok((Entry { window, report }, settled && is_whole))
    }

    /// The same for criteria that are not decided by one order of the calls.
    fn check_criteria(
        &self,
        demand: &Demand,
        judged: &Judged<'_>,
        control: &mut Control<'_>,
    ) -> Result<(Entry, bool), CheckError> {
        let name = name_of(self.path);
        let maker = self.maker(&name, judged);
        let Judged { subject, trace, prepared } = *judged;
        let calls = consistency::Subject::new(Question {
            spec: &subject.spec,
            inferred: &subject.inferred,
            trace,
            prepared,
            rules: &self.rules,
            signatures: &demand.signatures,
            manner: Manner::default(),
        })?;
        let mut report = match &demand.ask {
            Ask::Criteria(criteria) => {
                let checked = calls.check(criteria, control)?;
                maker.consistency_report(&calls, criteria, &checked, control.began.elapsed())
            }
            Ask::Sequential | Ask::Strongest => {
                let found = calls.strongest(control)?;
                maker.strongest_report(&calls, found, control.began.elapsed())
            }
        };
        let mut is_whole = true;
        if self.measure {
            let measures = self.tell(control.began, || maker.measures(None));
            is_whole &= measures.is_ok();
            report.measures = measures.ok().transpose()?;
        }
        if let (Some(path), Some(found)) = (&self.witness, &report.consistency)
            && !found.linearization.is_empty()
        {
            linearization_text::write(path, found, trace)?;
        }
        report.reads = self.reads(&subject.spec);
        Ok((Entry { window: Vec::new(), report }, is_settled(trace) && is_whole))
    }

    fn maker<'m>(&'m self, name: &'m str, judged: &Judged<'m>) -> Maker<'m> {
        let Judged { subject, trace, prepared } = *judged;
        Maker {
            name,
            spec: &subject.spec,
            inferred: &subject.inferred,
            trace,
            prepared,
            options: self.options,
            limits: &self.limits,
        }
    }

    /// Explains a verdict within the rest of the limits, and with a minimum of time if nothing is left. A user who
    /// interrupted the search still gets the furthest orders.
    fn tell<T>(&self, began: Instant, mut work: impl FnMut() -> T) -> Result<T, Exhausted> {
        let left = self.limits.timeout.map(|timeout| timeout.saturating_sub(began.elapsed()).max(LAST_WORDS));
        let told = Budget::new(left, self.limits.memory, Arc::clone(&self.interrupt)).spend(&mut work);
        match told {
            Err(Exhausted::Interrupted) => {
                Budget::new(Some(LAST_WORDS), self.limits.memory, Arc::default()).spend(&mut work)
            }
            told => told,
        }
    }

    /// The inputs that the specification has read so far besides its files, for this trace or another one of the same check:
    /// values that were evaluated for one trace are used for all.
    fn reads(&self, spec: &Spec) -> Vec<Reading> {
        let mut reads = spec.host().world().readings();
        if matches!(self.engine, Engine::Tlc(_)) && spec.may_read_outside() {
            // The inputs that TLC reads cannot be observed.
            reads.push(Reading::Changing { name: "TLC".to_owned() });
        }
        reads
    }

    fn look_at_order(
        &self,
        maker: &Maker<'_>,
        checked: &Checked,
        spec: &Spec,
        report: &mut Report,
    ) -> Result<(), CheckError> {
        let check::Verdict::Accepted(order) = &checked.verdict else { return Ok(()) };
        if self.invariants {
            report.violation = maker.violation(order)?;
            maker.qualify_violation(report);
            if spec.program().invariants.is_empty() {
                let text = "--invariants: the configuration names no INVARIANT";
                report.notes.add(Note::weakening(Kind::NoInvariants, text));
            }
        }
        let Some(path) = &self.witness else { return Ok(()) };
        let file = |error| CheckError::File { path: path.clone(), error };
        let mut out = BufWriter::new(File::create(path).map_err(file)?);
        let is_text = path.extension().is_some_and(|extension| extension == "txt");
        let written =
            if is_text { witness_text::write(maker, order, &mut out) } else { maker.write_witness(order, &mut out) };
        written?.and_then(|()| out.flush()).map_err(file)
    }

    fn outcome(&self, entry: Entry, trace_hash: &str, cached: bool) -> Outcome {
        let Entry { report, window } = entry;
        let is_counterexample = report.stuck.is_some() && !matches!(report.verdict, Verdict::Accepted);
        let counterexample = is_counterexample.then(|| {
            Box::new(Counterexample {
                format: Counterexample::FORMAT.to_owned(),
                version: Counterexample::VERSION,
                omnilink: env!("CARGO_PKG_VERSION").to_owned(),
                trace_hash: trace_hash.to_owned(),
                spec_hash: self.spec_hash.clone(),
                report: report.clone(),
                window,
            })
        });
        Outcome { report, cached, counterexample }
    }
}
