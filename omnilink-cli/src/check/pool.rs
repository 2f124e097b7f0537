//! Checks traces in parallel, and visits their outcomes in the order of the command line.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;

use omnilink_check::search::Progress;

use super::job::Outcome;
use super::progress::Board;
use crate::failure::Failure;

/// Checks one trace, and reports progress.
pub type Check<'a, T> = dyn Fn(&T, &mut (dyn FnMut(&Progress) + Send)) -> Result<Outcome, Failure> + Sync + 'a;

/// Checks traces, up to `workers` at a time, and visits their outcomes in order, each as soon as those before it are
/// known.
pub fn run<T: Sync>(
    traces: &[T],
    workers: usize,
    board: &Board,
    check: &Check<'_, T>,
    visit: &mut dyn FnMut(Outcome) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let (tell, hear) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..workers.clamp(1, traces.len().max(1)) {
            let (tell, next) = (tell.clone(), &next);
            scope.spawn(move || {
                while let Some((at, trace)) = take(next, traces) {
                    let outcome = check(trace, &mut |progress| board.note(at, progress));
                    board.finish(at);
                    if tell.send((at, outcome)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(tell);
        let mut early: Vec<Option<Result<Outcome, Failure>>> = traces.iter().map(|_| None).collect();
        let mut due = 0;
        let mut visited = Ok(());
        for (at, outcome) in hear {
            early[at] = Some(outcome);
            while let Some(outcome) = early.get_mut(due).and_then(Option::take) {
                due += 1;
                board.clear();
                visited = visited.and_then(|()| visit(outcome?));
            }
        }
        visited
    })
}

fn take<'a, T>(next: &AtomicUsize, traces: &'a [T]) -> Option<(usize, &'a T)> {
    let at = next.fetch_add(1, Relaxed);
    traces.get(at).map(|trace| (at, trace))
}
