//! The `tracing` crate: an event per call with its fields, formatted to a file by a non-blocking appender that drops
//! nothing.
//!
//! One event with the duration as a field says what a timebox says, and is cheaper than a span with its begin and end.
//! The appender's queue takes all lines of a turn at once, so callers never wait for the thread that writes them.

use std::hint::black_box;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Instant;

use tracing::Dispatch;
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};

use super::{Contestant, Recording};
use crate::turn;

const FILE: &str = "events.log";

pub struct Tracing;

impl Contestant for Tracing {
    fn name(&self) -> &'static str {
        "tracing, non-blocking appender"
    }

    fn start(&self, directory: &Path) -> Box<dyn Recording> {
        let file = tracing_appender::rolling::never(directory, FILE);
        let queue = NonBlockingBuilder::default().lossy(false).buffered_lines_limit(turn::MOST_ACTIONS as usize);
        let (writer, guard) = queue.finish(file);
        let subscriber = tracing_subscriber::fmt().with_writer(writer).with_ansi(false).finish();
        Box::new(Log { dispatch: Dispatch::new(subscriber), guard, path: directory.join(FILE) })
    }
}

struct Log {
    dispatch: Dispatch,
    guard: WorkerGuard,
    path: PathBuf,
}

impl Recording for Log {
    fn record(&self, thread: u64, calls: u64) {
        tracing::dispatcher::with_default(&self.dispatch, || {
            for call in 0..calls {
                let start = Instant::now();
                let args = black_box((thread, call, call * 3));
                let took = start.elapsed().as_nanos() as u64;
                tracing::info!(from = args.0, to = args.1, amount = args.2, took, "Transfer");
            }
        });
    }

    fn finish(self: Box<Self>, actions: u64) -> u64 {
        drop((self.dispatch, self.guard));
        let log = BufReader::new(std::fs::File::open(self.path).expect("the appender made its file"));
        let lines = log.lines().map(|line| line.expect("the log is text"));
        actions - lines.filter(|line| line.contains(" amount=")).count() as u64
    }
}
