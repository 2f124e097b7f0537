//! What came of a run.

use std::fmt;
use std::path::PathBuf;

use crate::{ActionDef, StopReason};

/// What came of a run. Its `Display` is the closing message.
#[derive(Debug)]
#[non_exhaustive]
pub struct Report {
    /// The seed: the same one gives every thread the same choices again.
    pub seed: u64,
    /// Where the trace is.
    pub directory: PathBuf,
    /// Events in the trace.
    pub events: u64,
    /// Why recording stopped before the end, if it did.
    pub stopped: Option<StopReason>,
    /// What each thread did.
    pub threads: Vec<ThreadReport>,
    /// The actions' names in order of declaration, to which the counts of threads refer.
    pub actions: Vec<&'static str>,
    /// For each of them, what its calls may turn out to be.
    pub(super) outcomes: Vec<&'static [ActionDef]>,
}

/// What a thread did.
#[derive(Debug)]
#[non_exhaustive]
pub struct ThreadReport {
    /// For every action, how often it was tried and what came of it.
    pub actions: Vec<ActionCount>,
    /// Why it ended.
    pub end: ThreadEnd,
}

/// How often a thread tried an action.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct ActionCount {
    /// Times that it was performed and recorded, aborted ones included.
    pub performed: u64,
    /// Times that it was not supported.
    pub unsupported: u64,
}

/// Why a thread ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ThreadEnd {
    /// It reached a limit.
    Limit,
    /// No action was supported so many times in a row.
    Exhausted {
        /// How many times.
        failures: u64,
    },
    /// An action panicked.
    ActionPanicked {
        /// Its name.
        action: &'static str,
        /// The panic's message.
        message: String,
    },
    /// The clean-up, or the drop of the thread's state, panicked.
    CleanupPanicked {
        /// The panic's message.
        message: String,
    },
}

impl ThreadEnd {
    /// As the trace has it.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self::Limit => "limit",
            Self::Exhausted { .. } => "unsupported",
            Self::ActionPanicked { .. } | Self::CleanupPanicked { .. } => "panic",
        }
    }
}

impl ThreadReport {
    /// How many operations the thread performed.
    pub fn operations(&self) -> u64 {
        self.actions.iter().map(|count| count.performed).sum()
    }

    fn panicked(&self) -> bool {
        matches!(self.end, ThreadEnd::ActionPanicked { .. } | ThreadEnd::CleanupPanicked { .. })
    }
}

impl Report {
    /// How many operations all threads performed.
    pub fn operations(&self) -> u64 {
        self.threads.iter().map(ThreadReport::operations).sum()
    }

    /// How often all threads together tried the action number `action`.
    pub fn count(&self, action: usize) -> ActionCount {
        let counts = self.threads.iter().map(|thread| thread.actions[action]);
        counts.fold(ActionCount::default(), |sum, count| ActionCount {
            performed: sum.performed + count.performed,
            unsupported: sum.unsupported + count.unsupported,
        })
    }

    /// The process' exit code, see the [module](super).
    pub fn exit_code(&self) -> u8 {
        if self.threads.iter().any(ThreadReport::panicked) {
            super::EXIT_PANIC
        } else if self.stopped.is_some() {
            super::EXIT_STOPPED
        } else if self.operations() == 0 {
            super::EXIT_EMPTY
        } else {
            super::EXIT_OK
        }
    }

    /// The actions that were tried and never supported, except those that calls of others turn out to be: the result of
    /// a dequeue may be that the queue is empty, but nobody can call just that.
    pub fn never_supported(&self) -> Vec<&'static str> {
        let indexed = self.actions.iter().enumerate();
        indexed
            .filter(|&(action, _)| matches!(self.count(action), ActionCount { performed: 0, unsupported: 1.. }))
            .filter(|&(action, _)| !self.is_recorded_by_another(action))
            .map(|(_, &name)| name)
            .collect()
    }

    /// Whether another one was performed whose calls may turn out to be all that those of `action` may.
    fn is_recorded_by_another(&self, action: usize) -> bool {
        let covers = |other: usize| self.outcomes[action].iter().all(|outcome| self.outcomes[other].contains(outcome));
        let mut others = (0..self.actions.len()).filter(|&other| other != action);
        others.any(|other| covers(other) && self.count(other).performed > 0)
    }

    /// What was performed how often: `Enqueue 9, Dequeue or DequeueEmpty 7`. Which of several a call turned out to be
    /// is only in the trace.
    fn counts(&self) -> String {
        let mut counts: Vec<(&[ActionDef], u64)> = Vec::new();
        for (action, outcomes) in self.outcomes.iter().enumerate() {
            let performed = self.count(action).performed;
            match counts.iter_mut().find(|(known, _)| known == outcomes) {
                Some((_, count)) => *count += performed,
                None if performed == 0 && self.is_recorded_by_another(action) => {}
                None => counts.push((outcomes, performed)),
            }
        }
        let text = |(outcomes, count): &(&[ActionDef], u64)| {
            let names: Vec<_> = outcomes.iter().map(|outcome| outcome.name).collect();
            format!("{} {count}", names.join(" or "))
        };
        counts.iter().map(text).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_empty = self.exit_code() == super::EXIT_EMPTY;
        for (thread, report) in self.threads.iter().enumerate() {
            match &report.end {
                ThreadEnd::Limit => {}
                // All threads say the same then.
                ThreadEnd::Exhausted { .. } if is_empty => {}
                ThreadEnd::Exhausted { failures } => {
                    let tried: Vec<_> = self
                        .actions
                        .iter()
                        .zip(&report.actions)
                        .filter(|(_, count)| count.unsupported > 0)
                        .map(|(name, count)| format!("{name} {} times", count.unsupported))
                        .collect();
                    writeln!(
                        f,
                        "fuzz: thread {thread} ended after {}: {failures} attempts in a row were not \
                         supported (in all, unsupported were {})",
                        counted(report.operations(), "operation"),
                        tried.join(", ")
                    )?;
                }
                ThreadEnd::ActionPanicked { action, message } => {
                    writeln!(f, "fuzz: thread {thread} ended by a panic in {action}: {message}")?;
                }
                ThreadEnd::CleanupPanicked { message } => {
                    writeln!(f, "fuzz: thread {thread} panicked while cleaning up: {message}")?;
                }
            }
        }
        let unsupported = self.never_supported();
        if !unsupported.is_empty() {
            writeln!(f, "fuzz: never supported: {}", unsupported.join(", "))?;
        }
        if let Some(reason) = self.stopped {
            writeln!(f, "fuzz: recording stopped early ({reason}); the trace is incomplete")?;
        }
        if is_empty {
            return write!(f, "fuzz: no operation was performed, the trace is empty");
        }
        write!(
            f,
            "fuzz: {} ({}) by {} with seed {}, recorded in {}",
            counted(self.operations(), "operation"),
            self.counts(),
            counted(self.threads.len() as u64, "thread"),
            self.seed,
            self.directory.display()
        )
    }
}

/// `1 thread`, `2 threads`.
pub(super) fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
