//! Several threads on one search.
//!
//! Every worker searches depth first, all with one memory: whoever is first at a configuration looks after it, and to the
//! others it counts as seen. A worker that has nothing to do asks for a *share*; one that is busy gives away what its oldest
//! configuration has left to try, which is likely to be the most. The search is over when nobody has anything to do, or
//! when somebody has found an order.
//!
//! Most searches are too short for this: others join one when it has visited [`Limits::parallel_after`](super::Limits::parallel_after)
//! configurations.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use omnilink_budget::{Budget, on_behalf};
use omnilink_tla::{STACK, State, with_stack};

use super::control::{Control, Progress};
use super::deepest::Deepest;
use super::depth::{Branch, DepthFirst, Ended};
use super::seen::{Seen, SharedSeen};
use super::{Failures, Placed, Placement};

/// How long somebody without work waits before telling how far the search is.
const MOMENT: Duration = Duration::from_millis(100);

/// A part of a search: a configuration, and how it was reached.
pub(super) struct Share {
    pub placement: Placement,
    pub state: State,
    /// Inner steps in a row up to here.
    pub inner: u32,
    /// All that was done to get here.
    pub way: Vec<Placed>,
}

/// What the workers of a search have in common.
pub(super) struct Team {
    pub seen: SharedSeen,
    desk: Mutex<Desk>,
    news: Condvar,
    /// How many shares are asked for.
    wanted: AtomicUsize,
    is_over: AtomicBool,
    configurations: AtomicU64,
    placed: AtomicU64,
}

/// Where shares change hands.
struct Desk {
    shares: Vec<Share>,
    idle: usize,
    workers: usize,
    is_over: bool,
}

impl Team {
    fn new(workers: usize, seen: SharedSeen, progress: &Progress) -> Self {
        Self {
            seen,
            desk: Mutex::new(Desk { shares: Vec::new(), idle: 0, workers, is_over: false }),
            news: Condvar::new(),
            wanted: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
            configurations: AtomicU64::new(progress.configurations),
            placed: AtomicU64::new(progress.placed),
        }
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody waits for a share.
    #[inline]
    pub fn wants_a_share(&self) -> bool {
        self.wanted.load(Relaxed) > 0
    }

    /// Whether an answer is known.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Relaxed)
    }

    /// Gives shares away.
    pub fn give(&self, shares: Vec<Share>) {
        let mut desk = self.desk();
        desk.shares.extend(shares);
        self.note_wanted(&desk);
        self.news.notify_all();
    }

    /// Counts what a worker has visited since it last told, and says how far all are.
    pub fn tell(&self, visited: u64, own: &Progress) -> Progress {
        let configurations = self.configurations.fetch_add(visited, Relaxed) + visited;
        let placed = self.placed.fetch_max(own.placed, Relaxed).max(own.placed);
        Progress { configurations, placed, ..*own }
    }

    /// Waits for a share; `None` if the search is over.
    fn take(&self, waiting: &mut dyn FnMut()) -> Option<Share> {
        let mut desk = self.desk();
        desk.idle += 1;
        while !desk.is_over {
            if let Some(share) = desk.shares.pop() {
                desk.idle -= 1;
                self.note_wanted(&desk);
                return Some(share);
            }
            if desk.idle == desk.workers {
                break;
            }
            self.note_wanted(&desk);
            desk = self.news.wait_timeout(desk, MOMENT).unwrap_or_else(PoisonError::into_inner).0;
            waiting();
        }
        drop(desk);
        self.end();
        None
    }

    fn note_wanted(&self, desk: &Desk) {
        self.wanted.store(desk.idle.saturating_sub(desk.shares.len()), Relaxed);
    }

    /// One worker less.
    fn leave(&self) {
        self.desk().workers -= 1;
        self.news.notify_all();
    }

    /// The answer is known.
    fn end(&self) {
        self.is_over.store(true, Relaxed);
        self.desk().is_over = true;
        self.news.notify_all();
    }
}

/// Lets others join a search that was [paused](Ended::Paused), until it ends.
pub(crate) fn go_on(search: &mut DepthFirst<'_, '_>, helpers: usize) -> Ended {
    let team = Arc::new(Team::new(helpers + 1, search.seen.share(), &search.progress()));
    search.join(&team);
    let (problem, limits) = (search.problem, search.control.limits.clone());
    let (interrupt, began) = (search.control.interrupt, search.control.began);
    let help = || {
        let _alarm = Alarm(&team);
        let mut control = Control { interrupt, progress: &mut |_| {}, limits: limits.clone(), began };
        let mut helper = DepthFirst::new(problem, &mut control);
        helper.join(&team);
        let ended = helper.work(&team, Ended::Exhausted);
        (ended, helper.into_findings())
    };
    let ended = thread::scope(|scope| {
        let _alarm = Alarm(&team);
        let helper = || with_stack(STACK, help).inspect_err(|_| team.leave()).ok();
        let start = |_| {
            let budget = Budget::current();
            scope.spawn(move || on_behalf(budget, helper))
        };
        let joined: Vec<_> = (0..helpers).map(start).collect();
        let first = search.go_on();
        let mut ended = search.work(&team, first);
        for helper in joined {
            let worked = helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            // Who could not be given a stack was of no help.
            let Some((theirs, findings)) = worked else { continue };
            search.adopt(findings, theirs == Ended::Found && ended != Ended::Found);
            ended = ended.and(theirs);
        }
        ended
    });
    search.leave();
    ended
}

/// Ends the search of a team if the thread panics: the others would wait for it.
struct Alarm<'t>(&'t Team);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end();
        }
    }
}

/// What a search does for its team.
impl DepthFirst<'_, '_> {
    /// How much of the log may be taken back for a share, for every configuration since the last.
    const EFFORT: u64 = 8;

    /// Shares the work from now on.
    fn join(&mut self, team: &Arc<Team>) {
        self.seen = Seen::Shared(team.seen.clone());
        self.told = self.progress.configurations;
        self.team = Some(Arc::clone(team));
    }

    /// Takes one share after the other, until the search is over.
    fn work(&mut self, team: &Team, first: Ended) -> Ended {
        let mut ended = first;
        while ended == Ended::Exhausted {
            let own = self.progress();
            let control = &mut *self.control;
            let Some(share) = team.take(&mut || (control.progress)(&team.tell(0, &own))) else { break };
            ended = self.run_share(share);
        }
        if ended != Ended::Exhausted {
            team.end();
        }
        ended
    }

    /// Gives away where one move leads that the oldest configuration has left to try.
    pub(super) fn give_a_share(&mut self, team: &Team) {
        let top = self.frames.len() - 1;
        while self.spare < top && self.frames[self.spare].next_move == self.frames[self.spare].end_move {
            self.spare += 1;
        }
        let Some(frame) = self.frames.get(self.spare).filter(|_| self.spare < top) else { return };
        let (log, inner) = (frame.log, frame.inner);
        let visited = self.progress.configurations - self.gave;
        if visited * Self::EFFORT < (self.log.len() - log) as u64 {
            return;
        }
        self.gave = self.progress.configurations;
        self.frames[self.spare].end_move -= 1;
        let it = self.moves[self.frames[self.spare].end_move];
        if !it.places() && inner >= self.control.limits.inner_steps {
            self.limited = true;
            return;
        }
        self.restore_state_of(self.spare);
        let state = self.frames[self.spare].state.clone().expect("it is there or was found again");
        let placement = self.placement_at(log);
        let mut branches = Vec::new();
        if let Err(failure) = self.problem.branches(&mut self.seen, &placement, &state, it, &mut branches) {
            self.failures.note(self.problem.place(&placement, it.lane), failure);
        }
        let share = |Branch { nth, state, told, .. }| {
            let mut placement = placement.clone();
            placement.make(self.problem.history, it, told);
            let last = Placed { it, branch: nth, told };
            let way = self.way.iter().chain(&self.log[..log]).copied().chain([last]).collect();
            let inner = if it.places() { 0 } else { inner + 1 };
            Share { placement, state, inner, way }
        };
        team.give(branches.into_iter().map(share).collect());
    }

    /// What it has found, when its part is done.
    fn into_findings(self) -> Findings {
        let progress = self.progress();
        Findings { log: self.log, deepest: self.deepest, failures: self.failures, limited: self.limited, progress }
    }

    /// Adds what another of the team has found, and takes its order for the answer.
    fn adopt(&mut self, theirs: Findings, takes_order: bool) {
        if takes_order {
            self.log = theirs.log;
        }
        self.progress.configurations += theirs.progress.configurations;
        self.progress.placed = self.progress.placed.max(theirs.progress.placed);
        self.deepest.merge(theirs.deepest);
        self.failures.merge(theirs.failures);
        self.limited |= theirs.limited;
    }

    /// Is alone again.
    fn leave(&mut self) {
        self.team = None;
    }
}

/// What one of a team has found.
struct Findings {
    log: Vec<Placed>,
    deepest: Deepest,
    failures: Failures,
    limited: bool,
    progress: Progress,
}

impl Ended {
    /// What two workers' answers say together: what one has found counts, and what stopped one stopped both.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Found, _) | (_, Self::Found) => Self::Found,
            (Self::Stopped(stopped), _) | (_, Self::Stopped(stopped)) => Self::Stopped(stopped),
            _ => Self::Exhausted,
        }
    }
}
