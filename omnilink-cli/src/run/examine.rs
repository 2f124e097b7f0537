//! Judges a run by its ending and its trace.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use omnilink_check::report::{Report, Status};
use omnilink_record::campaign::{Examined, Finished};
use omnilink_record::directory::{Record, RunDirectory};
use omnilink_record::{Ending, Stopped};

use super::misuse;
use crate::check::job::{Job, Outcome};
use crate::record::no_space;

/// Judges runs.
pub struct Examiner<'a> {
    /// How traces are checked.
    pub job: Job<'a>,
    /// Set by Ctrl-C, and by the first run that ends the loop; other runs are then abandoned.
    pub interrupt: &'a AtomicBool,
    /// Whether the loop continues after a failed run.
    pub keep_going: bool,
}

/// The judgement on a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// The program succeeded, and the trace is accepted.
    Accepted,
    /// The program succeeded, and the trace was not decided.
    Unknown,
    /// The program failed, or the trace is rejected.
    Failed,
    /// The trace cannot be checked against the specification. This holds for every run.
    Error,
    /// The run says nothing about the program: see [`misuse`]. This holds for every run.
    Misuse,
    /// The run says nothing about the program, because no space was left for its trace: see [`no_space`]. This holds for every run.
    NoSpace,
    /// The run was not examined, because the loop was ending.
    Interrupted,
}

/// The result of examining a run.
pub struct Finding {
    /// What the run comes to.
    pub judgement: Judgement,
    /// The report on its trace; `None` if the program recorded nothing.
    pub outcome: Option<Outcome>,
}

impl Examiner<'_> {
    /// Examines a run.
    pub fn examine(&self, finished: &Finished) -> Examined<Finding> {
        let ending = &finished.record.observed.ending;
        if *ending == Ending::Stopped(Stopped::Interrupted) {
            return Examined { finding: Finding { judgement: Judgement::Interrupted, outcome: None }, failed: false };
        }
        let trace = RunDirectory::open(&finished.directory).trace();
        let outcome = trace.exists().then(|| self.job.run(&trace, &mut |_| {}));
        let report = outcome.as_ref().map(|outcome| &outcome.report);
        // What is rejected without the rest of its trace is rejected with it.
        let is_rejected = report.is_some_and(|report| report.status() == Status::Rejected);
        let judgement = match !is_rejected && no_space::is_cause(finished) {
            true => Judgement::NoSpace,
            false => self.judge(&finished.record, report),
        };
        let ends_the_loop = matches!(judgement, Judgement::Error | Judgement::Misuse | Judgement::NoSpace);
        let failed = ends_the_loop || judgement == Judgement::Failed && !self.keep_going;
        if failed {
            self.interrupt.store(true, Relaxed);
        }
        Examined { finding: Finding { judgement, outcome }, failed }
    }

    fn judge(&self, record: &Record, report: Option<&Report>) -> Judgement {
        match report.map(Report::status) {
            Some(Status::Rejected) => Judgement::Failed,
            _ if misuse::is_wrong_use(record) => Judgement::Misuse,
            _ if record.observed.ending.is_failure() => Judgement::Failed,
            None | Some(Status::Error) => Judgement::Error,
            // A failure counts even if the program was not scheduled; an acceptance would show less than requested.
            Some(Status::Unknown | Status::Accepted) if record.outsider.is_some() => Judgement::Misuse,
            Some(Status::Unknown) if self.interrupt.load(Relaxed) => Judgement::Interrupted,
            Some(Status::Unknown) => Judgement::Unknown,
            Some(Status::Accepted) => Judgement::Accepted,
        }
    }
}
