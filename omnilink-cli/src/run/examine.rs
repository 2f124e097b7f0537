//! What a run comes to: how it ended, and what its trace says.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use omnilink_check::report::{Report, Status};
use omnilink_record::campaign::{Examined, Finished};
use omnilink_record::directory::{Record, RunDirectory};
use omnilink_record::{Ending, Stopped};

use super::misuse;
use crate::check::job::{Job, Outcome};

/// Looks at runs.
pub struct Examiner<'a> {
    /// How traces are checked.
    pub job: Job<'a>,
    /// Set by Ctrl-C, and by the first run that ends the loop: nobody waits for the others.
    pub interrupt: &'a AtomicBool,
    /// A run that failed does not end the loop.
    pub keep_going: bool,
}

/// What a run comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// It ended well, and its trace is accepted.
    Accepted,
    /// It ended well, and whether its trace is accepted was not found out within the limits.
    Unknown,
    /// It went wrong by itself, or its trace is rejected.
    Failed,
    /// It cannot be held against the specification. Neither can any other run.
    Error,
    /// It says nothing about the program: see [`misuse`]. Neither does any other run.
    Misuse,
    /// There was no time to look at it.
    Interrupted,
}

/// What was found.
pub struct Finding {
    /// What the run comes to.
    pub judgement: Judgement,
    /// What checking its trace has shown; none if the program recorded nothing.
    pub outcome: Option<Outcome>,
}

impl Examiner<'_> {
    /// Looks at a run.
    pub fn examine(&self, finished: &Finished) -> Examined<Finding> {
        let ending = &finished.record.observed.ending;
        if *ending == Ending::Stopped(Stopped::Interrupted) {
            return Examined { finding: Finding { judgement: Judgement::Interrupted, outcome: None }, failed: false };
        }
        let trace = RunDirectory::open(&finished.directory).trace();
        let outcome = trace.exists().then(|| self.job.run(&trace, &mut |_| {}));
        let judgement = self.judge(&finished.record, outcome.as_ref().map(|outcome| &outcome.report));
        let ends_the_loop = matches!(judgement, Judgement::Error | Judgement::Misuse);
        let failed = ends_the_loop || judgement == Judgement::Failed && !self.keep_going;
        if failed {
            self.interrupt.store(true, Relaxed);
        }
        Examined { finding: Finding { judgement, outcome }, failed }
    }

    fn judge(&self, record: &Record, report: Option<&Report>) -> Judgement {
        match report.map(Report::status) {
            _ if misuse::is_wrong_use(record) => Judgement::Misuse,
            _ if record.observed.ending.is_failure() => Judgement::Failed,
            None | Some(Status::Error) => Judgement::Error,
            Some(Status::Rejected) => Judgement::Failed,
            // What fails without control has failed nevertheless; what passes shows less than was asked for.
            Some(Status::Unknown | Status::Accepted) if record.outsider.is_some() => Judgement::Misuse,
            Some(Status::Unknown) if self.interrupt.load(Relaxed) => Judgement::Interrupted,
            Some(Status::Unknown) => Judgement::Unknown,
            Some(Status::Accepted) => Judgement::Accepted,
        }
    }
}
