//! The recorder of a process: one run directory, its lanes, and the one word that says whether calls are recorded.
//!
//! Started by hand ([`Session::builder`]) or, at the first instrumented call, by the environment (`OMNILINK_TRACE_DIR`). What
//! a session consists of is never freed: calls that began under it may still hold on to it after its end, and a process has
//! few of them.

use std::path::PathBuf;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once};

use omnilink_trace::layout;

use crate::builder::{SessionBuilder, StartError};
use crate::clock::{Clock, Pair};
use crate::fork::SharedCount;
use crate::lane::{Lane, LaneError, LaneView};
use crate::mapping::LaneFile;
use crate::pool::Pool;
use crate::run_file::{End, Moment, RunFile};
use crate::say::say;
use crate::site::{ActionDef, Site};
use crate::stop::StopReason;
use crate::supply::Orders;
use crate::{state, thread};

/// Whether calls inside recorded calls are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Nested {
    /// Only the outermost of nested calls is recorded.
    #[default]
    Outermost,
    /// Every call is recorded, inner ones on lanes of their own.
    Both,
}

/// A recorder that was started by hand; recording ends when it is finished or dropped.
#[derive(Debug)]
pub struct Session {
    core: &'static SessionCore,
}

/// What was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// Events committed; calls still open are not counted.
    pub events: u64,
    /// Lanes opened.
    pub lanes: u32,
    /// Why recording stopped early, if it did.
    pub stopped: Option<StopReason>,
}

impl Session {
    /// A recorder to be configured and started.
    pub fn builder() -> SessionBuilder {
        SessionBuilder::default()
    }

    pub(crate) fn from_core(core: &'static SessionCore) -> Self {
        Self { core }
    }

    /// The exit code that the program is going to return, for `run.json`.
    pub fn set_exit_code(&self, code: i32) {
        lock(&self.core.exit_code).replace(code);
    }

    /// Why recording has stopped early, if it has.
    pub fn stopped(&self) -> Option<StopReason> {
        lock(&self.core.register).stopped
    }

    /// Ends recording. Calls that are open at this moment stay in the trace as pending.
    pub fn finish(self) -> Summary {
        let core = self.core;
        drop(self);
        core.summary()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.core.finish();
    }
}

/// What a session consists of.
#[derive(Debug)]
pub(crate) struct SessionCore {
    pub generation: u32,
    pub directory: PathBuf,
    pub spec: String,
    pub next: String,
    pub actions: &'static [ActionDef],
    pub seed: Option<u64>,
    pub clock: Clock,
    pub nested: Nested,
    /// Name of the process, which threads without a name of their own bear as well.
    pub process_name: String,
    /// The process that records; a forked child is another.
    pub pid: u32,
    /// How the clock is calibrated at the end: against this moment, or not at all.
    pub calibration: Option<Pair>,
    pub run: Mutex<RunFile>,
    pub exit_code: Mutex<Option<i32>>,
    pub mapper: Mutex<Option<Orders<LaneFile>>>,
    pub register: Mutex<Register>,
    /// Idle lanes of calls that are not a thread's own: async ones, and nested ones.
    pub pool: Pool<Lane>,
    pub forks: SharedCount,
}

/// Lanes of a session.
#[derive(Debug, Default)]
pub(crate) struct Register {
    opened: u32,
    open: Vec<(u32, Arc<LaneView>)>,
    events_of_closed: u64,
    stopped: Option<StopReason>,
}

static ACTIVE: AtomicPtr<SessionCore> = AtomicPtr::new(std::ptr::null_mut());
static GENERATIONS: AtomicU32 = AtomicU32::new(state::FIRST);
/// Held while a recorder starts or ends, so that there is one at a time.
static LIFECYCLE: Mutex<()> = Mutex::new(());

/// A lock whose holder panicked still protects usable data: every critical section here leaves it so.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Starts the session that `make` makes for a generation, unless one is active.
pub(crate) fn start(
    make: impl FnOnce(u32) -> Result<SessionCore, StartError>,
) -> Result<&'static SessionCore, StartError> {
    let _alone = lock(&LIFECYCLE);
    if state::get() >= state::FIRST {
        return Err(StartError::AlreadyRecording);
    }
    let core: &'static SessionCore = Box::leak(Box::new(make(GENERATIONS.fetch_add(1, Ordering::Relaxed))?));
    crate::fork::watch();
    finish_at_exit();
    ACTIVE.store(std::ptr::from_ref(core).cast_mut(), Ordering::Release);
    state::set(core.generation);
    Ok(core)
}

/// The generation of the active recorder, if there is one.
#[inline]
pub(crate) fn decided() -> Option<u32> {
    let state = match state::get() {
        state @ (state::OFF | state::FIRST..) => state,
        _ => decide(),
    };
    (state >= state::FIRST).then_some(state)
}

/// The state, after a first call has found that it is neither on nor off.
#[cold]
fn decide() -> u32 {
    match state::get() {
        state::UNDECIDED => start_by_environment(),
        state::FORKED => announce_unrecorded_child(),
        _ => {}
    }
    state::get()
}

/// The environment decides whether the process records.
fn start_by_environment() {
    let started = SessionBuilder::from_environment().map(SessionBuilder::start_core);
    // If another thread was quicker, its word counts.
    match started {
        Some(Ok(_)) | Some(Err(StartError::AlreadyRecording)) => {}
        Some(Err(error)) if state::change(state::UNDECIDED, state::OFF) => {
            say(&format!("{error}; the program goes on unrecorded"));
        }
        _ => {
            state::change(state::UNDECIDED, state::OFF);
        }
    }
}

/// A forked child says once that it is not recorded, and counts itself for its parent.
fn announce_unrecorded_child() {
    if state::change(state::FORKED, state::OFF) {
        let pid = std::process::id();
        say(&format!("process {pid} was forked from a recorded process and is not recorded itself"));
        if let Some(parent) = SessionCore::latest() {
            parent.forks.increment();
        }
    }
}

/// Completes `run.json` when the process exits, if the session was not finished before.
fn finish_at_exit() {
    extern "C" fn at_exit() {
        if let Some(core) = SessionCore::latest().filter(|core| core.pid == std::process::id()) {
            core.write_end();
        }
    }
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        // SAFETY: the handler does not unwind.
        unsafe { libc::atexit(at_exit) };
    });
}

impl SessionCore {
    /// The session that was started last.
    fn latest() -> Option<&'static Self> {
        // SAFETY: null, or a session, which is never freed. Acquire: its contents are visible.
        unsafe { ACTIVE.load(Ordering::Acquire).as_ref() }
    }

    /// The session of generation `state`, if it is the active one.
    pub fn active(state: u32) -> Option<&'static Self> {
        Self::latest().filter(|core| core.generation == state)
    }

    /// Where lanes order windows, if there is a mapper.
    pub fn orders(&self) -> Option<Orders<LaneFile>> {
        lock(&self.mapper).clone()
    }

    /// Opens the next lane. Null if recording has stopped, or stops now because the lane cannot be had.
    pub fn open_lane(&'static self, name: &str, pooled: bool) -> *mut Lane {
        let mut register = lock(&self.register);
        if register.stopped.is_some() {
            return std::ptr::null_mut();
        }
        let index = register.opened;
        match Lane::open(self, index, name, pooled) {
            Ok(lane) => {
                register.opened += 1;
                register.open.push((index, Arc::clone(lane.view())));
                Box::into_raw(Box::new(lane))
            }
            Err(error) => {
                drop(register);
                self.stop(&error);
                std::ptr::null_mut()
            }
        }
    }

    /// Writes to `run.json` what a site declares, unless it is there already.
    pub fn declare(&self, site: &'static Site) {
        let mut run = lock(&self.run);
        if run.declarations.add(site) {
            // Without it the declarations are missing and every call is there. What is in the way of small files will be
            // noticed by the lanes.
            let _ = run.write(&self.directory);
        }
    }

    /// An idle lane for a call that is not a thread's own; null if there cannot be one.
    pub fn pooled_lane(&'static self) -> *mut Lane {
        self.pool.take().unwrap_or_else(|| self.open_lane("", true))
    }

    /// Takes back an idle lane.
    ///
    /// # Safety
    /// The lane is pooled, the caller's, idle, and the caller gives it up.
    pub unsafe fn return_to_pool(&self, lane: *mut Lane) {
        if !self.pool.give(lane) {
            // SAFETY: passed on from the caller.
            unsafe { Self::close_lane(lane) };
        }
    }

    /// Closes a lane and frees it. In a forked child the lane is left alone: its file is the parent's.
    ///
    /// # Safety
    /// Nothing else refers to the lane.
    pub unsafe fn close_lane(lane: *mut Lane) {
        // SAFETY: made by `Box::into_raw` in `open_lane`, and the caller's alone.
        let lane = unsafe { Box::from_raw(lane) };
        let session = lane.session;
        if session.pid != std::process::id() {
            Box::leak(lane);
            return;
        }
        let mut register = lock(&session.register);
        register.events_of_closed += lane.view().events();
        register.open.retain(|(index, _)| *index != lane.index);
        lane.close();
    }

    /// Recording ends for all threads because of an error on one of them; the program goes on.
    #[cold]
    pub fn stop(&self, error: &LaneError) {
        let uncertainty = lock(&self.run).clock.uncertainty;
        let mut register = lock(&self.register);
        if register.stopped.is_some() {
            return;
        }
        let reason = StopReason::of(error);
        register.stopped = Some(reason);
        // Read before recording is switched off: a call that finds it off begins after this, but for what the clock may warp.
        let time = self.clock.start().saturating_sub(uncertainty);
        for (_, lane) in &register.open {
            // SAFETY: lanes leave the register before they are closed, under the lock that is held here.
            unsafe { lane.stop(time, reason.code()) };
        }
        if register.open.is_empty() && register.opened > 0 {
            // Some file must tell that calls are missing. This one takes no new space on the disk.
            let _ = LaneFile::mark_stopped(&self.directory.join(layout::lane_file_name(0)), time, reason.code());
        }
        state::change(self.generation, state::OFF);
        drop(register);
        let directory = self.directory.display();
        say(&format!(
            "recording into {directory} has stopped: {error}; the program goes on, what was recorded is kept"
        ));
    }

    /// Ends recording. A forked child that drops its copy of the session leaves its parent's alone.
    fn finish(&self) {
        if self.pid != std::process::id() {
            return;
        }
        let _alone = lock(&LIFECYCLE);
        state::change(self.generation, state::OFF);
        thread::with(|thread| thread.let_go());
        while let Some(lane) = self.pool.take() {
            // SAFETY: it was the pool's.
            unsafe { Self::close_lane(lane) };
        }
        // With the last lane, the mapper goes as well.
        lock(&self.mapper).take();
        self.write_end();
    }

    /// Completes `run.json`, once.
    fn write_end(&self) {
        let (lanes, stopped) = {
            let register = lock(&self.register);
            (register.opened, register.stopped.is_some())
        };
        let exit_code = *lock(&self.exit_code);
        let mut run = lock(&self.run);
        if run.end.is_some() {
            return;
        }
        let now = self.calibration.map(|begin| (begin, Pair::read(self.clock)));
        if let Some((begin, end)) = now {
            run.clock.ticks_per_second = Some(begin.rate(end));
        }
        let ticks = now.map_or_else(|| self.clock.start(), |(_, end)| end.ticks);
        run.end = Some(End { moment: Moment::at(ticks), exit_code, lanes });
        run.unrecorded_forks = self.forks.get();
        // What made recording stop may well be in the way here too, and has been said already.
        if let Err(error) = run.write(&self.directory)
            && !stopped
        {
            let directory = self.directory.display();
            say(&format!("the end of the run could not be written to {directory}/run.json: {error}"));
        }
    }

    fn summary(&self) -> Summary {
        let register = lock(&self.register);
        let events = register.events_of_closed + register.open.iter().map(|(_, lane)| lane.events()).sum::<u64>();
        Summary { events, lanes: register.opened, stopped: register.stopped }
    }
}
