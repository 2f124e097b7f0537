//! One thread of the loop.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::SyncSender;
use std::time::Instant;

use omnilink_trace::layout::{META_ENDED, META_PANIC};

use crate::Meta;
use crate::op::panic_message;

use super::builder::Fuzz;
use super::context::{Cleanup, Context, Start, Unsupported};
use super::execute::Plan;
use super::progress::Progress;
use super::random::Random;
use super::report::{ActionCount, ThreadEnd, ThreadReport};
use super::sequel::Sequel;
use super::start_line::StartLine;

/// A thread and what it works with.
pub(super) struct Worker<'r, 'a, S, T> {
    pub fuzz: &'r Fuzz<'a, S, T>,
    pub plan: &'r Plan,
    pub system: &'r S,
    pub thread: usize,
    pub progress: &'r Progress,
}

impl<S: Sync, T> Worker<'_, '_, S, T> {
    /// Name of the thread and of its lane.
    pub fn name(&self) -> String {
        format!("fuzz-{}", self.thread)
    }

    /// Gets ready, says so (or the message of the panic that came instead), waits for the start and performs actions to
    /// the end. None if there was no start.
    pub fn work(&self, ready: &SyncSender<Result<(), String>>, start_line: &StartLine) -> Option<ThreadReport> {
        crate::open_lane(&self.name());
        let mut random = Random::new(self.plan.seed, self.thread as u64);
        let made = catch_unwind(AssertUnwindSafe(|| {
            (self.fuzz.make_state)(Start {
                system: self.system,
                thread: self.thread,
                threads: self.plan.limits.threads,
                random: &mut random,
            })
        }));
        let (state, readiness) = match made {
            Ok(state) => (Some(state), Ok(())),
            Err(panic) => (None, Err(panic_message(&*panic).to_owned())),
        };
        // Whoever waits for this outlives the threads.
        let _ = ready.send(readiness);
        let mut state = state?;
        if !start_line.wait() {
            return None;
        }
        let mut actions = vec![ActionCount::default(); self.fuzz.steps.len()];
        let end = self.perform(&mut state, &mut random, &mut actions);
        let end = self.clean_up(state, &mut random, end);
        Some(ThreadReport { actions, end })
    }

    /// The loop: draw an action, try it, record it, until something ends it.
    fn perform(&self, state: &mut T, random: &mut Random, actions: &mut [ActionCount]) -> ThreadEnd {
        let limits = &self.plan.limits;
        let quota = limits.quota(self.thread);
        let clock = limits.duration.map(|duration| (Instant::now(), duration));
        let is_over = || clock.is_some_and(|(begin, duration)| begin.elapsed() >= duration);
        let names = self.fuzz.step_names();
        let mut next = None;
        let mut operations = 0;
        let mut failures = 0;
        while operations < quota && !is_over() {
            let index = next.take().unwrap_or_else(|| self.plan.weights.draw(random));
            let step = &self.fuzz.steps[index];
            let mut op = crate::begin(step.site);
            let mut context = Context {
                system: self.system,
                state,
                random,
                op: &mut op,
                thread: self.thread,
                actions: step.site.actions(),
                called: false,
                sequel: Sequel::open(&names),
            };
            match catch_unwind(AssertUnwindSafe(|| (step.perform)(&mut context))) {
                Ok(Ok(())) => {
                    next = context.sequel.next();
                    op.end();
                    actions[index].performed += 1;
                    operations += 1;
                    failures = 0;
                    self.progress.store(operations);
                }
                Ok(Err(Unsupported)) => {
                    op.discard();
                    actions[index].unsupported += 1;
                    failures += 1;
                    if failures == limits.consecutive_failures {
                        return ThreadEnd::Exhausted { failures };
                    }
                }
                Err(panic) => {
                    let message = panic_message(&*panic).to_owned();
                    op.panicked(&message);
                    return ThreadEnd::ActionPanicked { action: step.name, message };
                }
            }
        }
        ThreadEnd::Limit
    }

    /// Calls the user's hook and records the end of the thread with what it noted. After a panic the hook is not called: the
    /// state is as the panic left it.
    fn clean_up(&self, mut state: T, random: &mut Random, end: ThreadEnd) -> ThreadEnd {
        let mut meta = Meta::default();
        let mut panicked = None;
        let hook = self.fuzz.clean_up.as_ref().filter(|_| !matches!(end, ThreadEnd::ActionPanicked { .. }));
        if let Some(clean_up) = hook {
            let cleanup =
                Cleanup { system: self.system, state: &mut state, random, meta: &mut meta, thread: self.thread };
            panicked = catch_unwind(AssertUnwindSafe(|| clean_up(cleanup)))
                .err()
                .map(|panic| panic_message(&*panic).to_owned());
        }
        meta.set(META_ENDED, end.word());
        if let Some(message) = &panicked {
            meta.set(META_PANIC, message);
        }
        crate::terminate(|noted| *noted = meta);
        let dropped = catch_unwind(AssertUnwindSafe(|| drop(state)));
        match (end, panicked.or_else(|| dropped.err().map(|panic| panic_message(&*panic).to_owned()))) {
            (ThreadEnd::Limit | ThreadEnd::Exhausted { .. }, Some(message)) => ThreadEnd::CleanupPanicked { message },
            (end, _) => end,
        }
    }
}
