//! A run from the first thread to the last.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::{self, Scope, ScopedJoinHandle};

use crate::declared::Declarations;
use crate::lasting::lasting;
use crate::run_file::Fuzzed;
use crate::{ActionDef, Session};

use super::builder::Fuzz;
use super::directory;
use super::error::FuzzError;
use super::progress::{self, Progress};
use super::report::{Report, ThreadReport};
use super::settings::{Limits, Settings};
use super::start_line::StartLine;
use super::weights::Weights;
use super::worker::Worker;

/// What is going to be done, checked.
#[derive(Debug)]
pub(super) struct Plan {
    pub limits: Limits,
    pub weights: Weights,
    pub seed: u64,
    pub directory: PathBuf,
    /// Whether there is such a directory only because of this run.
    pub makes_directory: bool,
    /// The process ends with the run: progress may be shown, and the trace tells the exit code.
    pub is_main: bool,
}

impl Plan {
    /// Checks everything, then makes a directory for the trace if none was given.
    pub fn new<S: Sync, T>(fuzz: &Fuzz<'_, S, T>, settings: Settings) -> Result<Self, FuzzError> {
        let names = fuzz.step_names();
        let mut seen = HashSet::new();
        if let Some(&twice) = names.iter().find(|&&name| !seen.insert(name)) {
            return Err(FuzzError::DuplicateAction(twice));
        }
        if let Some((name, _)) = settings.weights.iter().find(|(name, _)| !seen.contains(name.as_str())) {
            return Err(FuzzError::UnknownAction { name: name.clone(), declared: names });
        }
        if let Some((action, param)) = fuzz.wrong_result() {
            return Err(FuzzError::UnknownResult { action, param });
        }
        let weights = names.iter().map(|name| settings.weight(name));
        let makes_directory = settings.trace_directory.as_deref().is_none_or(|directory| !directory.exists());
        Ok(Self {
            limits: settings.limits()?,
            weights: Weights::new(weights).ok_or(FuzzError::NothingToDo)?,
            seed: settings.seed.unwrap_or_else(draw_seed),
            directory: match settings.trace_directory {
                Some(directory) => directory,
                None => directory::fresh(Path::new(""))?,
            },
            makes_directory,
            is_main: false,
        })
    }
}

/// A seed that nobody chose. The hasher's keys come from the operating system.
pub(super) fn draw_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Records one run.
pub(super) fn execute<S: Sync, T>(fuzz: &Fuzz<'_, S, T>, plan: &Plan, system: &S) -> Result<Report, FuzzError> {
    let session = Session::builder()
        .directory(&plan.directory)
        .spec(&fuzz.spec, &fuzz.next)
        .actions(declared_actions(fuzz))
        .declarations(declarations(fuzz, plan))
        .seed(plan.seed)
        .fuzzed(Fuzzed {
            threads: plan.limits.threads,
            operations: plan.limits.at_most(),
            varied: plan.limits.are_varied,
        })
        .start()
        .map_err(FuzzError::Record)?;
    let threads = run_threads(fuzz, plan, system);
    let mut report = threads.map(|threads| Report {
        seed: plan.seed,
        directory: plan.directory.clone(),
        events: 0,
        stopped: session.stopped(),
        threads,
        actions: fuzz.step_names(),
        outcomes: fuzz.steps.iter().map(|step| step.site.actions()).collect(),
    });
    if plan.is_main {
        let code = report.as_ref().map_or_else(FuzzError::exit_code, Report::exit_code);
        session.set_exit_code(code.into());
    }
    let summary = session.finish();
    if let Ok(report) = &mut report {
        report.events = summary.events;
    }
    report
}

/// All actions, each once. They live as long as the process, as sites do.
fn declared_actions<S, T>(fuzz: &Fuzz<'_, S, T>) -> &'static [ActionDef] {
    let mut actions: Vec<ActionDef> = Vec::new();
    for action in fuzz.steps.iter().flat_map(|step| step.site.actions()) {
        if !actions.contains(action) {
            actions.push(*action);
        }
    }
    lasting(actions.into_boxed_slice())
}

/// What is declared of the actions: which are outcomes of one step, and their results. Of a step that is never drawn only the
/// latter: its actions may be outcomes of others. If another step asks for it, it is declared when it is performed.
fn declarations<S: Sync, T>(fuzz: &Fuzz<'_, S, T>, plan: &Plan) -> Declarations {
    let mut declarations = Declarations::default();
    for (index, step) in fuzz.steps.iter().enumerate() {
        if plan.weights.of(index) > 0 {
            declarations.add(step.site);
        }
        for action in step.site.actions() {
            declarations.add_results(action, fuzz.results_of(action));
        }
    }
    declarations
}

/// Starts the threads one after the other, so that lanes and states are made in order; lets them go together; waits.
fn run_threads<S: Sync, T>(fuzz: &Fuzz<'_, S, T>, plan: &Plan, system: &S) -> Result<Vec<ThreadReport>, FuzzError> {
    let progress: Vec<Progress> = (0..plan.limits.threads).map(|_| Progress::default()).collect();
    let start_line = StartLine::default();
    thread::scope(|scope| {
        let mut threads = Vec::with_capacity(plan.limits.threads);
        let ready = progress.iter().enumerate().try_for_each(|(thread, progress)| {
            let worker = Worker { fuzz, plan, system, thread, progress };
            threads.push(start_thread(scope, worker, &start_line)?);
            Ok(())
        });
        let (running, done) = mpsc::channel::<()>();
        if ready.is_err() {
            start_line.call_off();
        } else {
            if plan.is_main && progress::is_wanted() {
                scope.spawn(|| progress::show(&progress, done));
            }
            start_line.go(plan.limits.threads);
        }
        // Joined one by one: only this waits until the destructors of a thread's locals, which may record, have run.
        let joined = threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        let reports = joined.flatten().collect();
        drop(running);
        ready.map(|()| reports)
    })
}

/// Starts a thread and waits until it is ready.
fn start_thread<'scope, 'env, S: Sync, T>(
    scope: &'scope Scope<'scope, 'env>,
    worker: Worker<'env, '_, S, T>,
    start_line: &'env StartLine,
) -> Result<ScopedJoinHandle<'scope, Option<ThreadReport>>, FuzzError> {
    let thread = worker.thread;
    let (ready, is_ready) = mpsc::sync_channel(1);
    let handle = thread::Builder::new()
        .name(worker.name())
        .spawn_scoped(scope, move || worker.work(&ready, start_line))
        .map_err(|source| FuzzError::Spawn { thread, source })?;
    let readiness = is_ready.recv().unwrap_or_else(|_| Err("it ended before it was ready".to_owned()));
    readiness.map(|()| handle).map_err(|message| FuzzError::StatePanicked { thread, message })
}
