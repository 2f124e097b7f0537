//! The threads of the program and what each waits for.

use std::ops::{Index, IndexMut};

use libc::pid_t;

use super::readiness::Readiness;
use super::turns::Turns;
use crate::chaos::mechanism::tracee::Stop;
pub use crate::stacks::ThreadIndex;

/// What a thread waits for. Deadlines are virtual nanoseconds.
#[derive(Debug)]
pub enum Wait {
    /// To be woken at this address.
    Futex {
        /// The address.
        address: u64,
        /// Whose wakings count.
        mask: u32,
        /// When it gives up.
        deadline: Option<u64>,
        /// The word there is a mutex that names its owner, which is this thread when it is woken.
        inherits: bool,
        /// Only threads of this process wake it, the call says.
        is_private: bool,
    },
    /// For time to pass.
    Sleep {
        /// Until then.
        deadline: u64,
    },
    /// For input or output to become possible.
    Descriptors {
        /// Of these.
        readiness: Readiness,
        /// The signals that do not interrupt it, if the call says.
        mask: Option<u64>,
        /// When it gives up.
        deadline: Option<u64>,
    },
    /// For a signal.
    Signals {
        /// Those that the call returns without their being received.
        wanted: u64,
        /// Those that do not interrupt it, if the call says.
        mask: Option<u64>,
        /// When it gives up.
        deadline: Option<u64>,
    },
}

impl Wait {
    /// When it ends by itself.
    pub fn deadline(&self) -> Option<u64> {
        match self {
            Self::Sleep { deadline } => Some(*deadline),
            Self::Futex { deadline, .. } | Self::Descriptors { deadline, .. } | Self::Signals { deadline, .. } => {
                *deadline
            }
        }
    }

    /// The signals that do not interrupt it, if the call says; else they are those that the thread blocks.
    pub fn mask(&self) -> Option<u64> {
        match self {
            Self::Futex { .. } | Self::Sleep { .. } => None,
            Self::Descriptors { mask, .. } | Self::Signals { mask, .. } => *mask,
        }
    }

    /// Whether signals end it that the thread has blocked.
    pub fn minds_blocked_signals(&self) -> bool {
        match self {
            Self::Signals { .. } => true,
            Self::Descriptors { readiness, mask, .. } => mask.is_some() || readiness.signals() != 0,
            Self::Futex { .. } | Self::Sleep { .. } => false,
        }
    }
}

/// What a thread is doing.
#[derive(Debug)]
pub enum State {
    /// It can run.
    Runnable,
    /// It is stopped at the beginning of a system call that would wait.
    Waiting(Wait),
    /// It waits in the kernel, which will tell us when it is done.
    InKernel,
    /// It has ended.
    Ended,
}

/// A thread of the program.
#[derive(Debug)]
pub struct Thread {
    tid: pid_t,
    state: State,
    /// Something has come that may end its waiting: when it is its turn, it looks.
    called: bool,
    /// The call that it makes was found to wait, though it was not expected to.
    found_waiting: bool,
    /// How much work the run had done when its waiting began.
    waits_since: u64,
    /// A signal that it receives when it goes on, or 0.
    signal: i32,
    /// A stop that has not been handled yet.
    deferred: Option<Stop>,
    /// Where the kernel writes zero and wakes somebody when the thread ends, or 0.
    clear_on_exit: u64,
}

impl Thread {
    /// A thread that has just begun.
    pub fn new(tid: pid_t, clear_on_exit: u64) -> Self {
        Self {
            tid,
            state: State::Runnable,
            called: false,
            found_waiting: false,
            waits_since: 0,
            signal: 0,
            deferred: None,
            clear_on_exit,
        }
    }

    /// The kernel's id of it.
    pub fn tid(&self) -> pid_t {
        self.tid
    }

    /// What it is doing.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What it waits for, if it waits at the beginning of a system call.
    pub fn wait(&self) -> Option<&Wait> {
        match &self.state {
            State::Waiting(wait) => Some(wait),
            _ => None,
        }
    }

    /// Whether it waits in the kernel.
    pub fn is_in_kernel(&self) -> bool {
        matches!(self.state, State::InKernel)
    }

    /// Whether it has ended.
    pub fn has_ended(&self) -> bool {
        matches!(self.state, State::Ended)
    }

    /// Whether it can run, if only to look whether its waiting is over.
    pub fn can_run(&self) -> bool {
        match self.state {
            State::Runnable => true,
            State::Waiting(_) => self.called,
            State::InKernel | State::Ended => false,
        }
    }

    /// Begins to wait, after the run has done so much work. A blocked signal may have come already, so whoever is woken by
    /// those looks at once.
    pub fn begin_wait(&mut self, wait: Wait, work: u64) {
        self.called = wait.minds_blocked_signals();
        self.state = State::Waiting(wait);
        self.waits_since = work;
    }

    /// How much work the run had done when its waiting began.
    pub fn waits_since(&self) -> u64 {
        self.waits_since
    }

    /// Something has come that may end its waiting.
    pub fn call(&mut self) {
        self.called = true;
    }

    /// Whether something has come that may end its waiting.
    pub fn is_called(&self) -> bool {
        self.called
    }

    /// It looks whether its waiting is over.
    pub fn uncall(&mut self) {
        self.called = false;
    }

    /// It waits no longer.
    pub fn end_wait(&mut self) {
        self.state = State::Runnable;
        self.called = false;
    }

    /// It makes a call that may wait in the kernel.
    pub fn enter_kernel(&mut self) {
        self.state = State::InKernel;
    }

    /// It has ended.
    pub fn end(&mut self) {
        self.state = State::Ended;
    }

    /// It waits at another address from now on, if it waits at one.
    pub fn requeue(&mut self, to: u64) {
        if let State::Waiting(Wait::Futex { address, .. }) = &mut self.state {
            *address = to;
        }
    }

    /// The call that it makes was found to wait, though it was not expected to.
    pub fn expect_wait(&mut self) {
        self.found_waiting = true;
    }

    /// Whether the call that it makes is known to wait; known for one call.
    pub fn take_expected_wait(&mut self) -> bool {
        std::mem::take(&mut self.found_waiting)
    }

    /// It receives a signal when it goes on.
    pub fn receive(&mut self, signal: i32) {
        self.signal = signal;
    }

    /// The signal that it receives now, or 0.
    pub fn take_signal(&mut self) -> i32 {
        std::mem::take(&mut self.signal)
    }

    /// It has stopped in a way that is handled when it is its turn.
    pub fn defer(&mut self, stop: Stop) {
        self.deferred = Some(stop);
    }

    /// Whether it has stopped in a way that has not been handled.
    pub fn has_deferred(&self) -> bool {
        self.deferred.is_some()
    }

    /// The stop that is to be handled now.
    pub fn take_deferred(&mut self) -> Option<Stop> {
        self.deferred.take()
    }

    /// Where the kernel writes zero and wakes somebody when the thread ends, or 0.
    pub fn clear_on_exit(&self) -> u64 {
        self.clear_on_exit
    }

    /// The thread tells the kernel where to write zero when it ends.
    pub fn set_clear_on_exit(&mut self, address: u64) {
        self.clear_on_exit = address;
    }
}

/// All threads that ever were, and whose turn it is.
#[derive(Debug)]
pub struct Threads {
    threads: Vec<Thread>,
    current: ThreadIndex,
    turns: Turns,
}

impl Threads {
    /// The first thread.
    pub fn new(first: Thread) -> Self {
        Self { threads: vec![first], current: 0, turns: Turns::new() }
    }

    /// Adds a thread.
    pub fn add(&mut self, thread: Thread) -> ThreadIndex {
        self.threads.push(thread);
        self.threads.len() - 1
    }

    /// Whose turn it is.
    pub fn current_index(&self) -> ThreadIndex {
        self.current
    }

    /// The thread whose turn it is.
    pub fn current(&self) -> &Thread {
        &self.threads[self.current]
    }

    /// The thread whose turn it is.
    pub fn current_mut(&mut self) -> &mut Thread {
        &mut self.threads[self.current]
    }

    /// It is another thread's turn from now on.
    pub fn switch_to(&mut self, next: ThreadIndex, now: u64) {
        self.turns.begin(now, next);
        self.current = next;
    }

    /// Whose turn it was when.
    pub fn turns(&self) -> &Turns {
        &self.turns
    }

    /// The thread that has this id.
    pub fn find(&self, tid: pid_t) -> Option<ThreadIndex> {
        self.threads.iter().position(|thread| thread.tid == tid && !thread.has_ended())
    }

    /// The threads that can run, in order.
    pub fn runnable(&self) -> Vec<ThreadIndex> {
        self.indexes(Thread::can_run)
    }

    /// The threads that fulfil a condition, in order.
    pub fn indexes(&self, holds: impl Fn(&Thread) -> bool) -> Vec<ThreadIndex> {
        self.iter().filter(|(_, thread)| holds(thread)).map(|(index, _)| index).collect()
    }

    /// Whether any thread fulfils a condition.
    pub fn any(&self, holds: impl Fn(&Thread) -> bool) -> bool {
        self.threads.iter().any(holds)
    }

    /// Whether any thread other than the current one fulfils a condition.
    pub fn any_other(&self, holds: impl Fn(&Thread) -> bool) -> bool {
        self.iter().any(|(index, thread)| index != self.current && holds(thread))
    }

    /// The thread with the earliest deadline, among those whose wait fulfils a condition.
    pub fn earliest(&self, holds: impl Fn(&Wait) -> bool) -> Option<(ThreadIndex, u64)> {
        let deadlines = self.iter().filter_map(|(index, thread)| {
            let wait = thread.wait().filter(|wait| holds(wait))?;
            Some((index, wait.deadline()?))
        });
        deadlines.min_by_key(|&(index, deadline)| (deadline, index))
    }

    /// All threads, with their indexes.
    pub fn iter(&self) -> impl Iterator<Item = (ThreadIndex, &Thread)> {
        self.threads.iter().enumerate()
    }
}

impl Index<ThreadIndex> for Threads {
    type Output = Thread;

    fn index(&self, index: ThreadIndex) -> &Thread {
        &self.threads[index]
    }
}

impl IndexMut<ThreadIndex> for Threads {
    fn index_mut(&mut self, index: ThreadIndex) -> &mut Thread {
        &mut self.threads[index]
    }
}
