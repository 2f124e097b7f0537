//! One run, from its plan to its directory.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::chaos::strategy::{Logged, Strategy};
use crate::chaos::{self, CodeCache, Libraries, Setting};
use crate::debugger::Invitation;
use crate::directory::{Record, RunDirectory};
use crate::error::RecordError;
use crate::free;
use crate::observed::Observed;
use crate::outsider;
use crate::plan::{Mode, Plan};
use crate::program::ProgramIdentity;
use crate::store;

/// What several runs share.
#[derive(Debug)]
pub struct Workshop<'a> {
    /// Code that has been looked at before.
    pub cache: &'a CodeCache,
    /// Which program is run.
    pub program: &'a ProgramIdentity,
    /// Set when runs shall end.
    pub interrupt: &'a AtomicBool,
}

/// Makes a run in a new directory. If it cannot be made, there is none.
pub fn run(plan: &Plan, workshop: &Workshop<'_>, directory: &Path) -> Result<Record, RecordError> {
    let directory = RunDirectory::create(directory)?;
    made(plan, workshop, &directory).inspect_err(|_| {
        let _ = fs::remove_dir_all(directory.path());
    })
}

fn made(plan: &Plan, workshop: &Workshop<'_>, directory: &RunDirectory) -> Result<Record, RecordError> {
    let (began, clock) = (store::now(), Instant::now());
    let (observed, schedule) = match plan.mode {
        Mode::Chaos(kind) => scheduled(plan, workshop, directory, kind.seeded(plan.seed), None)?,
        Mode::Free => (free::run(plan, &directory.streams()?, workshop.interrupt)?, Vec::new()),
        Mode::Rr | Mode::RrChaos => {
            (plan.rr.run(plan, plan.mode == Mode::RrChaos, directory, workshop.interrupt)?, Vec::new())
        }
    };
    let mut record = Record::new(plan.clone(), workshop.program.clone(), observed);
    record.milliseconds = clock.elapsed().as_millis() as u64;
    record.began = Some(began);
    record.events = omnilink_trace::count_calls(directory.trace()).ok();
    let run = omnilink_trace::Run::read(directory.trace());
    record.outsider = run.as_ref().and_then(|run| outsider::of(&record, run));
    record.fuzz = run.and_then(|run| run.fuzz);
    directory.write(&record, &schedule)?;
    Ok(record)
}

/// Runs a program by our scheduler, with a debugger or without; gives what the strategy answered, too.
pub fn scheduled(
    plan: &Plan,
    workshop: &Workshop<'_>,
    directory: &RunDirectory,
    strategy: Box<dyn Strategy>,
    invitation: Option<Invitation<'_>>,
) -> Result<(Observed, Vec<u8>), RecordError> {
    let mut strategy = Logged::new(strategy);
    let libraries = Libraries::of(plan);
    let setting = Setting {
        streams: &directory.streams()?,
        cache: workshop.cache,
        libraries: &libraries,
        interrupt: workshop.interrupt,
    };
    let observed = match invitation {
        None => chaos::run(plan, &setting, &mut strategy)?,
        Some(invitation) => chaos::debug(plan, &setting, &mut strategy, invitation)?,
    };
    Ok((observed, strategy.into_answers()))
}
