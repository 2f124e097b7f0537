//! Ways to record an action.

use std::hint::black_box;
use std::sync::Mutex;
use std::time::Instant;

use omnilink_runtime::clock::{Clock, ClockKind, Fences};
use omnilink_runtime::{ActionDef, Session, Site, begin};

/// One way to record.
pub struct Contestant {
    pub name: &'static str,
    /// Records this many actions on the calling thread, which has the given number.
    pub run: Box<dyn Fn(u64, u64) + Sync>,
    /// Ends the recording.
    pub finish: Box<dyn FnOnce()>,
}

/// All of them; the first is what the others are measured by.
pub fn all() -> Vec<Contestant> {
    vec![clock_reads(), omnilink(), mutex_vec(), tracing_crate()]
}

/// What no recorder with timeboxes can do without: the two clock readings with the runtime's own fences.
fn clock_reads() -> Contestant {
    let clock = Clock { kind: ClockKind::detect(), fences: Fences::Full };
    Contestant {
        name: "two bare clock reads",
        run: Box::new(move |thread, calls| {
            for call in 0..calls {
                black_box(clock.start());
                black_box((thread, call, call * 3));
                black_box(clock.end());
            }
        }),
        finish: Box::new(|| {}),
    }
}

static TRANSFER: Site = Site::new(
    &[ActionDef { name: "Transfer", params: &["from", "to", "amount"] }],
    &["from", "to", "amount"],
);

fn omnilink() -> Contestant {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let session = Session::builder().directory(directory.path().join("run")).start().expect("a recorder");
    Contestant {
        name: "omnilink",
        run: Box::new(|thread, calls| {
            for call in 0..calls {
                let mut op = begin(&TRANSFER);
                op.arg(0, &thread);
                op.arg(1, &call);
                op.arg(2, &(call * 3));
                op.end();
            }
        }),
        finish: Box::new(move || {
            let summary = session.finish();
            assert_eq!(summary.stopped, None);
            drop(directory);
        }),
    }
}

/// What one would write in an afternoon.
fn mutex_vec() -> Contestant {
    struct Event {
        _times: (Instant, Instant),
        _args: (u64, u64, u64),
    }
    let events: &'static Mutex<Vec<Event>> = Box::leak(Box::default());
    Contestant {
        name: "mutex, Vec, Instant::now()",
        run: Box::new(move |thread, calls| {
            for call in 0..calls {
                let start = Instant::now();
                let args = black_box((thread, call, call * 3));
                let end = Instant::now();
                events.lock().expect("no panics").push(Event { _times: (start, end), _args: args });
            }
            // What was recorded is not kept, or the benchmark would measure the allocation of gigabytes.
            events.lock().expect("no panics").clear();
        }),
        finish: Box::new(|| {}),
    }
}

/// The `tracing` crate: a span per call, with its fields, formatted to a file by a non-blocking appender that drops nothing.
fn tracing_crate() -> Contestant {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = tracing_appender::rolling::never(directory.path(), "events.log");
    let (writer, guard) =
        tracing_appender::non_blocking::NonBlockingBuilder::default().lossy(false).finish(file);
    let subscriber = tracing_subscriber::fmt().with_writer(writer).with_ansi(false).finish();
    let dispatch = tracing::Dispatch::new(subscriber);
    Contestant {
        name: "tracing, non-blocking appender",
        run: Box::new(move |thread, calls| {
            tracing::dispatcher::with_default(&dispatch, || {
                for call in 0..calls {
                    let start = Instant::now();
                    let args = black_box((thread, call, call * 3));
                    let took = start.elapsed().as_nanos() as u64;
                    tracing::info!(from = args.0, to = args.1, amount = args.2, took, "Transfer");
                }
            });
        }),
        finish: Box::new(move || drop((guard, directory))),
    }
}
