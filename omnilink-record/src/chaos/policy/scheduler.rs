//! Which thread runs, for how many points, and which one is woken. The seed decides all of that, and all of it goes into a
//! hash.
//!
//! Points are counted down by the program itself, in the control page. They are not counted while nobody else could run:
//! the rest of the slice is kept meanwhile.

use super::strategy::{Moment, Reason, Strategy};
use crate::chaos::mechanism::control::ControlPage;
use crate::chaos::state::threads::ThreadIndex;
use crate::chaos::state::time;
use crate::hash::ScheduleHash;
use crate::seed::Luck;

/// How likely it is, at each decision, that a sleeper is woken before everyone else waits.
const EARLY_WAKING: f64 = 0.3;
/// How many points pass before limits are checked, while nobody else could run.
const ALONE: i32 = 10_000_000;

/// Makes the decisions of a run.
#[derive(Debug)]
pub struct Scheduler<'a> {
    strategy: &'a mut dyn Strategy,
    /// Decides which threads are woken, and when.
    luck: Luck,
    hash: ScheduleHash,
    /// Whether points are counted: not while nobody else could run.
    counting: bool,
    /// What remains of the slice while points are not counted.
    remaining: i32,
    /// What the countdown was when it was last looked at.
    loaded: i32,
    points: u64,
    /// Points that passed while nobody else could run.
    points_alone: u64,
    decisions: u64,
    switches: u64,
}

/// A countdown that was taken out of the control page.
#[derive(Debug)]
#[must_use]
pub struct Suspended(i32);

impl<'a> Scheduler<'a> {
    /// Of a program whose first thread is about to begin.
    pub fn new(seed: u64, strategy: &'a mut dyn Strategy, control: &ControlPage) -> Self {
        strategy.thread_started(0);
        let mut scheduler = Self {
            strategy,
            luck: Luck::new(seed, "waking"),
            hash: ScheduleHash::default(),
            counting: false,
            remaining: 0,
            loaded: 0,
            points: 0,
            points_alone: 0,
            decisions: 0,
            switches: 0,
        };
        scheduler.load(control, ALONE);
        scheduler
    }

    /// A thread has begun.
    pub fn thread_started(&mut self, thread: ThreadIndex) {
        self.strategy.thread_started(thread);
    }

    /// Whether points are counted.
    pub fn is_counting(&self) -> bool {
        self.counting
    }

    /// Counts points from now on, or does not. False if it is so already.
    pub fn count_points(&mut self, control: &ControlPage, on: bool) -> bool {
        if on == self.counting {
            return false;
        }
        self.settle(control);
        if on {
            if self.remaining <= 0 {
                self.remaining = self.strategy.slice(self.points) as i32;
            }
            self.load(control, self.remaining);
        } else {
            self.remaining = control.countdown();
            self.load(control, ALONE);
        }
        self.counting = on;
        true
    }

    fn load(&mut self, control: &ControlPage, countdown: i32) {
        self.loaded = countdown;
        control.set_countdown(countdown);
    }

    /// Accounts for the points that have passed, in which time has passed, too.
    pub fn settle(&mut self, control: &ControlPage) {
        let countdown = control.countdown();
        let passed = (i64::from(self.loaded) - i64::from(countdown)).max(0) as u64;
        self.loaded = countdown;
        if self.counting {
            self.points += passed;
        } else {
            self.points_alone += passed;
        }
        control.advance_clock(passed * time::PER_POINT);
    }

    /// The current thread passes a point that no trampoline has counted. True if its slice ends.
    pub fn pass_point(&mut self, control: &ControlPage) -> bool {
        if !self.counting {
            return false;
        }
        let countdown = control.countdown() - 1;
        control.set_countdown(countdown);
        self.settle(control);
        countdown <= 0
    }

    /// The current thread's slice has ended at this place. True if somebody has to be chosen.
    pub fn slice_ended(&mut self, control: &ControlPage, location: u64) -> bool {
        if self.counting {
            self.hash.add(&[location]);
        } else {
            self.load(control, ALONE);
        }
        self.counting
    }

    /// Lets as many points pass as come, until [`Scheduler::resume`].
    pub fn suspend(&mut self, control: &ControlPage) -> Suspended {
        self.settle(control);
        let countdown = control.countdown();
        control.set_countdown(i32::MAX);
        Suspended(countdown)
    }

    /// Goes on where it was suspended.
    pub fn resume(&mut self, control: &ControlPage, suspended: Suspended) {
        self.load(control, suspended.0);
    }

    /// Chooses a thread among those that can run, and for how long it runs.
    pub fn choose(
        &mut self,
        control: &ControlPage,
        reason: Reason,
        current: ThreadIndex,
        runnable: &[ThreadIndex],
    ) -> ThreadIndex {
        let next = match *runnable {
            [only] => only,
            _ => {
                self.decisions += 1;
                self.strategy.choose(&Moment { reason, current, runnable, points: self.points })
            }
        };
        self.hash.add(&[next as u64, self.points, reason as u64]);
        if next != current {
            self.switches += 1;
        }
        if runnable.len() > 1 || reason == Reason::SliceEnded {
            let slice = self.strategy.slice(self.points) as i32;
            if self.counting {
                self.load(control, slice);
            } else {
                self.remaining = slice;
            }
        }
        next
    }

    /// Draws whether a sleeper is woken, or a timer expires, before its time.
    pub fn wakes_early(&mut self) -> bool {
        self.luck.chance(EARLY_WAKING)
    }

    /// Draws the thread that is woken next, and takes it out of the list, which is not empty.
    pub fn draw_woken(&mut self, waiters: &mut Vec<ThreadIndex>) -> ThreadIndex {
        // No number is drawn where there is no choice.
        let drawn = match waiters.len() {
            1 => 0,
            several => self.luck.below(several as u64) as usize,
        };
        waiters.swap_remove(drawn)
    }

    /// Draws the thread that gets a mutex without owner, from a list that is not empty.
    pub fn draw_owner(&mut self, waiters: &[ThreadIndex]) -> ThreadIndex {
        self.luck.pick(waiters)
    }

    /// The program has ended with a code or by a signal.
    pub fn end(&mut self, code: i32) {
        self.hash.add(&[self.points, code as u64]);
    }

    /// How many points have passed while somebody else could run.
    pub fn points(&self) -> u64 {
        self.points
    }

    /// How many points have passed.
    pub fn all_points(&self) -> u64 {
        self.points + self.points_alone
    }

    /// How often there was a choice.
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// How often another thread went on.
    pub fn switches(&self) -> u64 {
        self.switches
    }

    /// A hash over everything that was decided.
    pub fn hash(&self) -> u64 {
        self.hash.value()
    }
}
