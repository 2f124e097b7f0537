//! Parts of an object, checked by several threads.
//!
//! The answers are those of checking them one by one, up to the first part, in their order, that ends the check ([`is_last`]). So when a
//! part does, only the parts after it are given up.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use omnilink_budget::{Budget, on_behalf};

use super::check::{Verdict, is_last};
use crate::search::{Control, Progress, Stopped};

/// How often the caller's wish to interrupt is looked at.
const PERIOD: Duration = Duration::from_millis(20);

/// A part that was checked.
pub(super) type Answer<S> = (Verdict<S>, Progress);

/// Which part a thread is at, and whether it shall give it up.
struct Worker {
    part: Mutex<usize>,
    stop: AtomicBool,
}

/// The answers of all parts up to the first one that ends the check.
pub(super) fn check<S: Send>(
    parts: usize,
    control: &mut Control<'_>,
    check_part: &(dyn Fn(usize, &mut Control<'_>) -> Answer<S> + Sync),
) -> Vec<Answer<S>> {
    let count = control.limits.threads.min(parts);
    let workers: Vec<_> = (0..count).map(|_| Worker { part: Mutex::new(0), stop: AtomicBool::new(false) }).collect();
    let (next, end) = (AtomicUsize::new(0), AtomicUsize::new(parts));
    let (limits, began, budget) = (control.limits.clone(), control.began, Budget::current());
    let (send, receive) = mpsc::channel();
    let mut answers: Vec<Option<Answer<S>>> = (0..parts).map(|_| None).collect();
    thread::scope(|scope| {
        let work = |worker: &Worker, send: mpsc::Sender<(usize, Answer<S>)>| {
            loop {
                let part = next.fetch_add(1, SeqCst);
                if part >= end.load(SeqCst) {
                    return;
                }
                let answer = loop {
                    worker.at(part);
                    let mut control =
                        Control { interrupt: &worker.stop, progress: &mut |_| {}, limits: limits.clone(), began };
                    let answer = check_part(part, &mut control);
                    // It may have been stopped because of the part that it was at before.
                    let is_stopped = matches!(answer.0, Verdict::Unknown(Stopped::Interrupted));
                    if !is_stopped || part >= end.load(SeqCst) {
                        break answer;
                    }
                };
                if send.send((part, answer)).is_err() {
                    return;
                }
            }
        };
        let start = |worker| {
            let (send, budget) = (send.clone(), budget.clone());
            scope.spawn(move || on_behalf(budget, || work(worker, send)))
        };
        let threads: Vec<_> = workers.iter().map(start).collect();
        drop(send);
        let mut progress = Progress::default();
        loop {
            match receive.recv_timeout(PERIOD) {
                Ok((part, answer)) => {
                    add(&mut progress, &answer.1);
                    (control.progress)(&progress);
                    if is_last(&answer.0) {
                        end.fetch_min(part, SeqCst);
                        workers.iter().for_each(|worker| worker.give_up_after(part));
                    }
                    answers[part] = Some(answer);
                }
                Err(RecvTimeoutError::Timeout) if control.interrupt.load(SeqCst) => {
                    end.store(0, SeqCst);
                    workers.iter().for_each(|worker| worker.give_up_after(0));
                    workers.iter().for_each(|worker| worker.stop.store(true, SeqCst));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        for thread in threads {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
    until_failure(answers)
}

/// The answers up to the first that ends the check. A part that nobody checked was interrupted.
fn until_failure<S>(answers: Vec<Option<Answer<S>>>) -> Vec<Answer<S>> {
    let mut all = Vec::with_capacity(answers.len());
    for answer in answers {
        let answer = answer.unwrap_or((Verdict::Unknown(Stopped::Interrupted), Progress::default()));
        let is_last = is_last(&answer.0);
        all.push(answer);
        if is_last {
            break;
        }
    }
    all
}

/// The sum of what two searches took.
pub(super) fn add(sum: &mut Progress, more: &Progress) {
    sum.placed += more.placed;
    sum.events += more.events;
    sum.configurations += more.configurations;
}

impl Worker {
    /// Begins a part.
    fn at(&self, part: usize) {
        let mut at = self.part.lock().unwrap_or_else(PoisonError::into_inner);
        *at = part;
        self.stop.store(false, SeqCst);
    }

    /// Stops the thread if it is at a part after this one.
    fn give_up_after(&self, part: usize) {
        let at = self.part.lock().unwrap_or_else(PoisonError::into_inner);
        if *at > part {
            self.stop.store(true, SeqCst);
        }
    }
}
