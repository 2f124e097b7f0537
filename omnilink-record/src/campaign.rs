//! Many runs.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::chaos::CodeCache;
use crate::chaos::strategy::StrategyKind;
use crate::directory::{self, Record};
use crate::ending::{Ending, Stopped};
use crate::error::RecordError;
use crate::plan::{Mode, Plan};
use crate::program::ProgramIdentity;
use crate::run::{self, Workshop};
use crate::seed::{Luck, derive};
use crate::sizes::{Sizes, VARIABLE};

/// How often a run of a mixed campaign is free.
const FREE_SHARE: f64 = 0.1;

/// Which modes a campaign's runs have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Modes {
    /// All this one.
    Only(Mode),
    /// Mostly chaos, some free.
    Mix(StrategyKind),
}

impl Modes {
    fn of_run(self, seed: u64) -> Mode {
        match self {
            Self::Only(mode) => mode,
            Self::Mix(_) if Luck::new(seed, "mode").chance(FREE_SHARE) => Mode::Free,
            Self::Mix(strategy) => Mode::Chaos(strategy),
        }
    }
}

/// When a campaign ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Until {
    /// After this many runs.
    pub runs: Option<u64>,
    /// After this much time.
    pub time: Option<Duration>,
    /// After a run that failed: that went wrong by itself, or by the judgement of whoever examines it.
    pub failure: bool,
}

/// Many runs of one program.
#[derive(Debug, Clone)]
pub struct Campaign {
    /// What all runs have in common; each gets its own seed and mode.
    pub plan: Plan,
    /// Which modes they have.
    pub modes: Modes,
    /// What their seeds are derived from, with their numbers.
    pub seed: u64,
    /// The number of the first run. A campaign that begins later makes the same runs as one that gets there.
    pub first: u64,
    /// Each run gets sizes of its own, which fuzz loops take for what nobody else says: see [`Sizes`].
    pub vary: bool,
    /// When to end.
    pub until: Until,
    /// How many at a time.
    pub jobs: usize,
    /// Where their directories are made: it must exist.
    pub directory: PathBuf,
}

/// A run that has been made.
#[derive(Debug)]
pub struct Finished {
    /// Its number in the campaign, from 1.
    pub number: u64,
    /// Where it is.
    pub directory: PathBuf,
    /// What came of it.
    pub record: Record,
}

/// What somebody who looked at a run says about it.
#[derive(Debug)]
pub struct Examined<T> {
    /// What was found.
    pub finding: T,
    /// The run failed, however it ended.
    pub failed: bool,
}

/// What all runs came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    /// How many were made.
    pub runs: u64,
    /// How many calls they recorded.
    pub events: u64,
    /// How many ended with an exit code other than zero.
    pub failed: u64,
    /// How many were killed by a signal.
    pub crashed: u64,
    /// How many deadlocked.
    pub deadlocked: u64,
    /// How many were stopped because they took too long.
    pub stopped: u64,
}

impl Tally {
    /// Adds a run.
    pub fn add(&mut self, record: &Record) {
        self.runs += 1;
        self.events += record.events.unwrap_or(0);
        match record.observed.ending {
            Ending::Exited(0) | Ending::Stopped(Stopped::Interrupted) => {}
            Ending::Exited(_) => self.failed += 1,
            Ending::Killed(_) => self.crashed += 1,
            Ending::Deadlocked(_) => self.deadlocked += 1,
            Ending::Stopped(_) => self.stopped += 1,
        }
    }

    /// How many went wrong in any way.
    pub fn failures(&self) -> u64 {
        self.failed + self.crashed + self.deadlocked + self.stopped
    }
}

impl Campaign {
    /// The plan of one run.
    pub fn plan_of(&self, number: u64) -> Plan {
        let seed = derive(self.seed, number);
        let mode = self.modes.of_run(seed);
        let mut plan = Plan { seed, mode, ..self.plan.clone() };
        if self.vary && !plan.environment.has(VARIABLE) {
            plan.environment.set(VARIABLE, Sizes::of_run(seed).to_string());
        }
        directory::complete(&mut plan.environment, mode, seed);
        plan
    }

    /// Makes all runs; `report` hears of each, in the order in which they end. Ends early when `interrupt` is set.
    pub fn run(&self, interrupt: &AtomicBool, report: &mut dyn FnMut(&Finished, &Tally)) -> Result<Tally, RecordError> {
        self.run_cached(&CodeCache::default(), interrupt, report)
    }

    /// The same, with code that other campaigns of the same program have looked at.
    pub fn run_cached(
        &self,
        cache: &CodeCache,
        interrupt: &AtomicBool,
        report: &mut dyn FnMut(&Finished, &Tally),
    ) -> Result<Tally, RecordError> {
        let unexamined = |_: &Finished| Examined { finding: (), failed: false };
        self.make(cache, interrupt, &unexamined, &mut |finished, (), tally| report(finished, tally))
    }

    /// The same, where each run is examined before the next one is made in its place: by the thread that made it, so
    /// several may be examined at a time, and runs never pile up that nobody has looked at.
    pub fn run_examined<T: Send>(
        &self,
        interrupt: &AtomicBool,
        examine: &(dyn Fn(&Finished) -> Examined<T> + Sync),
        report: &mut dyn FnMut(&Finished, T, &Tally),
    ) -> Result<Tally, RecordError> {
        self.make(&CodeCache::default(), interrupt, examine, report)
    }

    fn make<T: Send>(
        &self,
        cache: &CodeCache,
        interrupt: &AtomicBool,
        examine: &(dyn Fn(&Finished) -> Examined<T> + Sync),
        report: &mut dyn FnMut(&Finished, T, &Tally),
    ) -> Result<Tally, RecordError> {
        let program = ProgramIdentity::of(&self.plan.program)?;
        let identity = Identity::of(&self.plan.program)?;
        let workshop = Workshop { cache, program: &program, interrupt };
        let shared =
            Shared { next: AtomicU64::new(self.first), enough: AtomicBool::new(false), error: Mutex::new(None) };
        let began = Instant::now();
        let (send, receive) = mpsc::channel();
        let mut tally = Tally::default();
        thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                let send = send.clone();
                // Each worker traces its own programs: a program dies with the thread that traces it.
                scope.spawn(|| self.work(&workshop, &shared, (began, &identity), examine, send));
            }
            drop(send);
            for (finished, finding) in receive {
                let finished: Finished = finished;
                tally.add(&finished.record);
                report(&finished, finding, &tally);
            }
        });
        match shared.error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(tally),
        }
    }

    /// Makes runs until it is enough.
    fn work<T>(
        &self,
        workshop: &Workshop<'_>,
        shared: &Shared,
        (began, identity): (Instant, &Identity),
        examine: &(dyn Fn(&Finished) -> Examined<T> + Sync),
        send: mpsc::Sender<(Finished, T)>,
    ) {
        while !shared.enough.load(Ordering::Relaxed) && !workshop.interrupt.load(Ordering::Relaxed) {
            if self.until.time.is_some_and(|time| began.elapsed() >= time) {
                return;
            }
            let number = shared.next.fetch_add(1, Ordering::Relaxed);
            if self.until.runs.is_some_and(|runs| number - self.first >= runs) {
                return;
            }
            let directory = self.directory.join(format!("run-{number:06}"));
            let made = run::run(&self.plan_of(number), workshop, &directory);
            match made.and_then(|record| identity.check(&self.plan.program).map(|()| record)) {
                Ok(record) => {
                    let finished = Finished { number, directory, record };
                    let Examined { finding, failed } = examine(&finished);
                    if self.until.failure && (failed || finished.record.observed.ending.is_failure()) {
                        shared.enough.store(true, Ordering::Relaxed);
                    }
                    // Whoever listens, listens until all have ended.
                    let _ = send.send((finished, finding));
                }
                Err(error) => {
                    shared.enough.store(true, Ordering::Relaxed);
                    shared.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    return;
                }
            }
        }
    }
}

/// Which file a program was when its campaign began: its code is read once.
struct Identity {
    inode: u64,
    len: u64,
    changed: (i64, i64),
}

impl Identity {
    fn of(program: &Path) -> Result<Self, RecordError> {
        let file = fs::metadata(program).map_err(RecordError::file(program))?;
        Ok(Self { inode: file.ino(), len: file.len(), changed: (file.ctime(), file.ctime_nsec()) })
    }

    /// Fails if it is another one now: what a run of it did says nothing.
    fn check(&self, program: &Path) -> Result<(), RecordError> {
        let now = Self::of(program)?;
        if (now.inode, now.len, now.changed) == (self.inode, self.len, self.changed) {
            return Ok(());
        }
        let program = program.display();
        Err(RecordError::Usage(format!(
            "{program} was changed during the campaign; start a new campaign for the new program"
        )))
    }
}

/// What workers share.
struct Shared {
    next: AtomicU64,
    enough: AtomicBool,
    error: Mutex<Option<RecordError>>,
}
