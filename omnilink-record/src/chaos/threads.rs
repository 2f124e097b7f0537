//! The threads of the program and what each waits for.

use libc::pid_t;

use super::readiness::Readiness;
use super::strategy::ThreadIndex;
use super::tracee::Stop;

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
            Self::Descriptors { readiness, mask, .. } => mask.is_some() || readiness.signals != 0,
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
    /// The kernel's name for it.
    pub tid: pid_t,
    /// What it is doing.
    pub state: State,
    /// Something has come that may end its waiting: when it is its turn, it looks.
    pub called: bool,
    /// The call that it makes was found to wait, though it was not expected to.
    pub found_waiting: bool,
    /// How much work the run had done when its waiting began.
    pub waits_since: u64,
    /// A signal that it receives when it goes on, or 0.
    pub signal: i32,
    /// A stop that has not been looked at, of a thread that came back from the kernel.
    pub pending: Option<Stop>,
    /// Where the kernel writes zero and wakes somebody when the thread ends.
    pub clear_on_exit: u64,
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
            pending: None,
            clear_on_exit,
        }
    }
}

impl Thread {
    /// Whether it can run, if only to look.
    pub fn can_run(&self) -> bool {
        match self.state {
            State::Runnable => true,
            State::Waiting(_) => self.called,
            State::InKernel | State::Ended => false,
        }
    }
}

/// All threads that ever were.
#[derive(Debug, Default)]
pub struct Threads(Vec<Thread>);

impl Threads {
    /// Adds a thread.
    pub fn add(&mut self, thread: Thread) -> ThreadIndex {
        self.0.push(thread);
        self.0.len() - 1
    }

    /// The thread that the kernel calls so.
    pub fn find(&self, tid: pid_t) -> Option<ThreadIndex> {
        self.0.iter().position(|thread| thread.tid == tid && !matches!(thread.state, State::Ended))
    }

    /// Those who can run, in order.
    pub fn runnable(&self) -> Vec<ThreadIndex> {
        self.indexes(Thread::can_run)
    }

    /// Those for which something holds, in order.
    pub fn indexes(&self, holds: impl Fn(&Thread) -> bool) -> Vec<ThreadIndex> {
        self.0.iter().enumerate().filter(|(_, thread)| holds(thread)).map(|(index, _)| index).collect()
    }

    /// Whether something holds for anybody.
    pub fn any(&self, holds: impl Fn(&Thread) -> bool) -> bool {
        self.0.iter().any(holds)
    }

    /// Who waits with the earliest deadline, among those for which something holds.
    pub fn earliest(&self, holds: impl Fn(&Wait) -> bool) -> Option<(ThreadIndex, u64)> {
        let deadlines = self.0.iter().enumerate().filter_map(|(index, thread)| match &thread.state {
            State::Waiting(wait) if holds(wait) => Some((index, wait.deadline()?)),
            _ => None,
        });
        deadlines.min_by_key(|&(index, deadline)| (deadline, index))
    }

    /// Everyone, with their index.
    pub fn iter(&self) -> impl Iterator<Item = (ThreadIndex, &Thread)> {
        self.0.iter().enumerate()
    }
}

impl std::ops::Index<ThreadIndex> for Threads {
    type Output = Thread;

    fn index(&self, index: ThreadIndex) -> &Thread {
        &self.0[index]
    }
}

impl std::ops::IndexMut<ThreadIndex> for Threads {
    fn index_mut(&mut self, index: ThreadIndex) -> &mut Thread {
        &mut self.0[index]
    }
}
