//! Whether what was recorded conforms: the verdict, and the text of a failure.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use omnilink_budget::{Budget, on_behalf};
use omnilink_check::check::{self, check};
use omnilink_check::error::CheckError;
use omnilink_check::model::{self, CallsError, FromTla, Outcome, Words};
use omnilink_check::prepare::prepare;
use omnilink_check::report::note::{Kind, Note};
use omnilink_check::report::text::{self, Palette, Style};
use omnilink_check::report::{Maker, Report, Status, failed, name_of, stopped_early};
use omnilink_check::rules::{Rules, configured};
use omnilink_check::search::{Control, Limits, Stopped};
use omnilink_check::subject;
use omnilink_tla::spec::Session;
use omnilink_tla::{Options, STACK, Spec, with_stack};
use omnilink_trace::Trace;

/// The minimum time for the explanation of a verdict, after the time limit of the search.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// What sets the time limit, for texts.
const TIMEOUT_OPTION: &str = "timeout";

/// A loaded specification.
pub(crate) struct Specification<'a> {
    path: &'a Path,
    options: &'a Options,
    spec: Spec,
    rules: Rules,
    limits: Limits,
}

impl<'a> Specification<'a> {
    pub fn load(path: &'a Path, options: &'a Options, timeout: Duration) -> Result<Self, String> {
        let limits = Limits { timeout: Some(timeout), timeout_option: TIMEOUT_OPTION, ..Limits::default() };
        let load = || -> Result<(Spec, Rules), CheckError> {
            let spec = Spec::load_with(path, options, Arc::new(Session::default()))?;
            let rules = configured(&spec, options.config.as_deref())?;
            let rules = Rules::of(&spec, &rules)?;
            Ok((spec, rules))
        };
        let loaded = Budget::new(Some(timeout), None, Arc::default()).spend(|| deep(load));
        let loaded = loaded.map_err(|_| {
            format!("unknown: {TIMEOUT_OPTION} {timeout:?} stopped it while {} was loaded", path.display())
        })?;
        let (spec, rules) = loaded.map_err(|error| error.to_string())?;
        for warning in &spec.program().warnings {
            eprintln!("{}", warning.render(spec.sources()));
        }
        Ok(Self { path, options, spec, rules, limits })
    }

    /// Checks a trace.
    pub fn check(&self, trace: &Path) -> Result<(), String> {
        let budget = Budget::new(self.limits.timeout, None, Arc::default());
        let report = match budget.spend(|| deep(|| self.report(trace))) {
            Ok(Ok(report)) => report,
            Ok(Err(error)) => failed(trace, self.path, &error),
            Err(exhausted) => stopped_early(trace, self.path, exhausted.into(), &self.limits),
        };
        judge(&report)
    }

    fn report(&self, path: &Path) -> Result<Report, CheckError> {
        let began = Instant::now();
        let trace = Trace::open(path)?;
        let subject = subject::specialise(&self.spec, self.path, self.options, &self.rules, &trace)?;
        let prepared = prepare(&subject.spec, &trace, &self.rules)?;
        let options = check::Options { partition: true, ..check::Options::default() };
        let interrupt = AtomicBool::new(false);
        let mut control = Control { interrupt: &interrupt, progress: &mut |_| {}, limits: self.limits.clone(), began };
        let checked = check(&subject.spec, &prepared, &options, &mut control)?;
        let checked = checked.depending_on(&subject.inferred, &subject.spec, &prepared.history, false);
        let maker = Maker {
            name: &name_of(self.path),
            spec: &subject.spec,
            inferred: &subject.inferred,
            trace: &trace,
            prepared: &prepared,
            options,
            limits: &self.limits,
        };
        let time = began.elapsed();
        let left = self.limits.timeout.map(|timeout| timeout.saturating_sub(time).max(LAST_WORDS));
        let told = Budget::new(left, None, Arc::default()).spend(|| maker.report(&checked, time));
        Ok(told.unwrap_or_else(|_| on_behalf(None, || maker.outline(&checked, time))))
    }
}

/// On a thread whose stack is deep enough for specifications; those of tests have small ones.
fn deep<T: Send>(work: impl FnOnce() -> Result<T, CheckError> + Send) -> Result<T, CheckError> {
    with_stack(STACK, work).unwrap_or_else(|error| {
        let path = PathBuf::from("a thread for evaluation");
        Err(CheckError::File { path, error })
    })
}

fn judge(report: &Report) -> Result<(), String> {
    let proves_nothing = report.notes.iter().find(|note| note.weakens && proves_nothing(note.kind));
    match (report.status(), proves_nothing) {
        (Status::Accepted, None) => {
            let weakening = report.notes.iter().filter(|note| note.weakens);
            weakening.for_each(|Note { text, .. }| eprintln!("omnilink-test: warning: {text}"));
            Ok(())
        }
        (Status::Accepted, Some(note)) => Err(format!("the calls conform to {}, but {}", report.spec, note.text)),
        _ => {
            let mut out = Vec::new();
            // Writing to memory does not fail.
            let _ = text::write(report, false, Style { palette: Palette::default(), full_state: false }, &mut out);
            Err(String::from_utf8_lossy(&out).into_owned())
        }
    }
}

/// Whether an acceptance with such a note is none: calls are missing, or it says nothing of some action that was called.
fn proves_nothing(kind: Kind) -> bool {
    matches!(kind, Kind::NoEvents | Kind::NoCallCounts | Kind::ActionsWithoutEnd | Kind::Cut | Kind::Lost)
}

/// Checks the calls of a trace against a model.
pub(crate) fn check_trace<M: Words>(model: &M, path: &Path, timeout: Duration) -> Result<(), String>
where
    M::Input: FromTla + PartialEq,
    M::Output: FromTla,
{
    let trace = Trace::open(path).map_err(|error| error.to_string())?;
    if !trace.complete() {
        return Err("calls are missing in the trace".to_owned());
    }
    let calls = model::Calls::from_trace(&trace).map_err(|error| error.to_string())?;
    check_calls(model, &calls, timeout)
}

/// Checks calls against a model.
pub(crate) fn check_calls<M: Words>(
    model: &M,
    calls: &model::Calls<M::Input, M::Output>,
    timeout: Duration,
) -> Result<(), String> {
    let made = calls.as_slice();
    if made.is_empty() {
        return Err("no call was made, so nothing was checked".to_owned());
    }
    if made.iter().all(|call| call.outcome == Outcome::Indeterminate) {
        return Err(
            "none of the calls returned, and leaving all of them out is always allowed: nothing was checked".to_owned()
        );
    }
    let limits = Limits { timeout: Some(timeout), timeout_option: TIMEOUT_OPTION, ..Limits::default() };
    let interrupt = AtomicBool::new(false);
    let mut control = Control { interrupt: &interrupt, progress: &mut |_| {}, limits, began: Instant::now() };
    let checked = model::check_with(model, calls, &mut control).map_err(|error: CallsError| error.to_string())?;
    match checked.verdict {
        model::Verdict::Accepted(_) => Ok(()),
        model::Verdict::Rejected(rejection) => Err(rejection.explain(model, calls)),
        model::Verdict::Contradiction { call } => {
            let call = &made[call];
            let words = model.describe_call(&call.input, call.output.as_ref());
            Err(format!(
                "the model contradicts itself: `is_read_only` says that this call never changes the state, and `step` changes it: {words}"
            ))
        }
        model::Verdict::Unknown(Stopped::Timeout) => {
            Err(format!("unknown: the search was stopped after {timeout:?}; raise the timeout, or make fewer calls"))
        }
        model::Verdict::Unknown(stopped) => Err(format!("unknown: the search was stopped: {stopped:?}")),
        _ => Err("unknown: this verdict is not known here".to_owned()),
    }
}
