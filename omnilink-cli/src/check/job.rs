//! Checking one trace, from its file to its report.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use omnilink_check::check::{self, Checked};
use omnilink_check::error::CheckError;
use omnilink_check::prepare::prepare;
use omnilink_check::report::counterexample::Counterexample;
use omnilink_check::report::note::{Kind, Note};
use omnilink_check::report::{Maker, Report, Verdict, failed, name_of};
use omnilink_check::rules::Rules;
use omnilink_check::search::{Control, Limits, Progress};
use omnilink_check::shrink::shrink;
use omnilink_check::subject;
use omnilink_tla::{Options, Reading, Spec, with_stack};
use omnilink_trace::{Finding, OpenOptions, Trace};

use super::cache::{Cache, Entry};
use super::engine::Engine;
use super::{hash, recorder};
use crate::failure::Failure;

/// How much stack evaluation may use: a specification may recurse deeply. Only what is used is ever taken from memory.
const STACK: usize = 1 << 30;

/// How every trace is checked.
pub struct Job<'a> {
    /// The specification's file.
    pub path: &'a Path,
    /// The specification, as it is without a trace.
    pub spec: &'a Spec,
    /// What it was loaded with.
    pub loading: Options,
    /// What users say about events.
    pub rules: Rules,
    /// How to check.
    pub options: check::Options,
    /// Who checks.
    pub engine: Engine,
    /// What it may take.
    pub limits: Limits,
    /// Look at the invariants along the order found.
    pub invariants: bool,
    /// Find a smaller reason for a rejection.
    pub shrink: bool,
    /// Measure traces, too: see [`omnilink_check::report::model::Measures`].
    pub measure: bool,
    /// Where to write the order found.
    pub witness: Option<PathBuf>,
    /// Keep the valid part of damaged files.
    pub recover: bool,
    /// Verdicts that were found before are used, and new ones kept.
    pub use_cache: bool,
    /// The hash of the specification's files.
    pub spec_hash: String,
    /// Set by Ctrl-C.
    pub interrupt: &'a AtomicBool,
}

/// What came of a trace.
pub struct Outcome {
    /// What was found.
    pub report: Report,
    /// It was found before.
    pub cached: bool,
    /// It as a file for viewers.
    pub counterexample: Option<Box<Counterexample>>,
}

impl Outcome {
    /// Calls the trace by another name than that of its file.
    pub fn rename(&mut self, trace: &str) {
        let reports = [Some(&mut self.report), self.counterexample.as_mut().map(|it| &mut it.report)];
        reports.into_iter().flatten().for_each(|report| report.trace = trace.to_owned());
    }

    /// Writes the file for viewers; gives whether there is one.
    pub fn write_counterexample(&self, path: &Path) -> Result<bool, Failure> {
        let Some(counterexample) = &self.counterexample else { return Ok(false) };
        counterexample.write(path).map_err(|error| Failure::file(path, &error)).map(|()| true)
    }
}

impl Job<'_> {
    /// Checks a trace. Whatever is wrong with it is in the report.
    pub fn run(&self, trace: &Path, progress: &mut (dyn FnMut(&Progress) + Send)) -> Outcome {
        let began = Instant::now();
        // Taken before the trace is opened: what is written to it in between must not count as what was checked.
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
                // What the recorder says is no part of the trace, so it is not kept with what was found in that.
                recorder::complete(&mut entry.report, trace);
                self.outcome(entry, &trace_hash, false)
            }
            Err(error) => {
                let report = failed(trace, self.path, &error);
                self.outcome(Entry { report, window: Vec::new() }, &trace_hash, false)
            }
        }
    }

    /// What was found, and whether the trace was at rest meanwhile.
    fn check(
        &self,
        path: &Path,
        began: Instant,
        progress: &mut (dyn FnMut(&Progress) + Send),
    ) -> Result<(Entry, bool), CheckError> {
        let trace = Trace::open_with(path, &OpenOptions::recover(self.recover))?;
        let subject = subject::specialise(self.spec, self.path, &self.loading, &self.rules, &trace)?;
        let prepared = prepare(&subject.spec, &trace, &self.rules)?;
        let mut control =
            Control { interrupt: self.interrupt, progress: &mut |at| progress(at), limits: self.limits.clone(), began };
        let checked = self.engine.check(&subject.spec, &self.loading, &prepared, &self.options, &mut control)?;
        let maker = Maker {
            name: &name_of(self.path),
            spec: &subject.spec,
            inferred: &subject.inferred,
            trace: &trace,
            prepared: &prepared,
            options: self.options,
            limits: &self.limits,
        };
        let mut report = maker.report(&checked, began.elapsed());
        report.notes.extend(self.engine.note(&checked.verdict).map(|text| Note::new(Kind::NoReasons, text)));
        if let check::Verdict::Rejected(deepest) = &checked.verdict
            && self.shrink
        {
            let core = shrink(&subject.spec, &prepared, &self.options, deepest, &mut control)?;
            report.core = core.unwrap_or_default().map(|core| maker.core(&core));
            if report.core.is_none() {
                let text = "--shrink: no smaller reason was found within the limits";
                report.notes.add(Note::new(Kind::NoSmallerReason, text));
            }
        }
        self.look_at_order(&maker, &checked, &subject.spec, &mut report)?;
        if self.measure {
            report.measures = Some(maker.measures(&checked)?);
        }
        // At the very end: reasons, orders and measures are evaluated, too.
        report.reads = self.reads(&subject.spec);
        let settled = !trace.notices().iter().any(|notice| matches!(notice.finding, Finding::Recording));
        Ok((Entry { window: maker.window(&checked), report }, settled))
    }

    /// What came from outside of the specification's files so far, for this trace or another one that is checked with it: what
    /// was evaluated for one serves all.
    fn reads(&self, spec: &Spec) -> Vec<Reading> {
        let mut reads = spec.host().world().readings();
        if matches!(self.engine, Engine::Tlc(_)) && spec.may_read_outside() {
            // Nobody sees what TLC reads.
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
            if spec.program().invariants.is_empty() {
                let text = "--invariants: the configuration names no INVARIANT";
                report.notes.add(Note::weakening(Kind::NoInvariants, text));
            }
        }
        let Some(path) = &self.witness else { return Ok(()) };
        let file = |error| CheckError::File { path: path.clone(), error };
        let mut out = BufWriter::new(File::create(path).map_err(file)?);
        maker.write_witness(order, &mut out)?.and_then(|()| out.flush()).map_err(file)
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
