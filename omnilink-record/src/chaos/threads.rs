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
        /// When it gives up.
        deadline: Option<u64>,
    },
}

impl Wait {
    /// When it ends by itself.
    pub fn deadline(&self) -> Option<u64> {
        match self {
            Self::Sleep { deadline } => Some(*deadline),
            Self::Futex { deadline, .. } | Self::Descriptors { deadline, .. } => *deadline,
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
        Self { tid, state: State::Runnable, signal: 0, pending: None, clear_on_exit }
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
        self.indexes(|thread| matches!(thread.state, State::Runnable))
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
