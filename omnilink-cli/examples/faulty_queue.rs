//! A fuzzer for the tests of how failures are grouped: a queue with the bugs that `--bugs` names, one or several.
//!
//! | bug | what it does |
//! | --- | --- |
//! | `twice` | two threads that dequeue at the same time may get the same element, and a slow one sets the queue back |
//! | `newest` | a dequeue that had to wait for the lock takes the newest element |
//! | `nothing` | a dequeue that had to wait for the lock says that the queue is empty |
//! | `invented` | a dequeue that had to wait for the lock and finds the queue empty returns a number that nobody enqueued |
//! | `crash` | a dequeue that had to wait for the lock aborts, once in a while |
//!
//! Elements are unique, or with `--values few` one of three.

use std::collections::VecDeque;
use std::process::{self, ExitCode};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, TryLockError};

use omnilink_runtime::ActionDef;
use omnilink_runtime::fuzz::Fuzz;

const ENQUEUE: ActionDef = ActionDef { name: "Enqueue", params: &["elem"] };
const DEQUEUE: ActionDef = ActionDef { name: "Dequeue", params: &["elem"] };
const DEQUEUE_EMPTY: ActionDef = ActionDef { name: "DequeueEmpty", params: &[] };
const BUGS: [&str; 5] = ["twice", "newest", "nothing", "invented", "crash"];

/// More elements than a run enqueues.
const CAPACITY: usize = 4096;

struct Queue {
    bugs: Vec<String>,
    few: bool,
    locked: Mutex<VecDeque<i64>>,
    /// With the bug `twice` the elements from `head` to `tail` are here.
    slots: Vec<AtomicI64>,
    head: AtomicUsize,
    tail: AtomicUsize,
}

fn main() -> ExitCode {
    Fuzz::<Queue, i64>::with_state("Queue", |start| start.thread as i64 * 1_000_000)
        .option("bugs", "NAMES", "twice, newest, nothing, invented or crash, separated by commas [default: none]")
        .option("values", "KIND", "what is enqueued: unique or few [default: unique]")
        .choice("Enqueue", &[ENQUEUE], |cx| {
            *cx.state += 1;
            let elem = if cx.system.few { 1 + cx.random.below(3) as i64 } else { *cx.state };
            cx.set("elem", &elem);
            cx.call(|queue, _| queue.enqueue(elem));
            Ok(())
        })
        .choice("Dequeue", &[DEQUEUE, DEQUEUE_EMPTY], |cx| {
            match cx.call(|queue, _| queue.dequeue()) {
                Some(elem) => {
                    cx.choose("Dequeue");
                    cx.set("elem", &elem);
                }
                None => cx.choose("DequeueEmpty"),
            }
            Ok(())
        })
        .threads(3)
        .operations(20)
        .main(|options| {
            let bugs: Vec<String> = match options.get("bugs") {
                Some(bugs) => bugs.split(',').map(str::to_owned).collect(),
                None => Vec::new(),
            };
            if let Some(bug) = bugs.iter().find(|bug| !BUGS.contains(&bug.as_str())) {
                return Err(format!("--bugs: `{bug}` is none of {}", BUGS.join(", ")));
            }
            Ok(Queue {
                bugs,
                few: options.get("values") == Some("few"),
                locked: Mutex::default(),
                slots: (0..CAPACITY).map(|_| AtomicI64::new(0)).collect(),
                head: AtomicUsize::new(0),
                tail: AtomicUsize::new(0),
            })
        })
}

impl Queue {
    fn has(&self, bug: &str) -> bool {
        self.bugs.iter().any(|has| has == bug)
    }

    /// The lock, and whether somebody else had it.
    fn lock(&self) -> (MutexGuard<'_, VecDeque<i64>>, bool) {
        match self.locked.try_lock() {
            Ok(guard) => (guard, false),
            Err(TryLockError::WouldBlock) => (self.locked.lock().expect("nobody panics with the lock"), true),
            Err(TryLockError::Poisoned(_)) => unreachable!("nobody panics with the lock"),
        }
    }

    fn enqueue(&self, elem: i64) {
        let (mut queue, _) = self.lock();
        if self.has("twice") {
            let tail = self.tail.load(SeqCst);
            self.slots[tail].store(elem, SeqCst);
            self.tail.store(tail + 1, SeqCst);
        } else {
            queue.push_back(elem);
        }
    }

    fn dequeue(&self) -> Option<i64> {
        if self.has("twice") {
            let head = self.head.load(SeqCst);
            if head == self.tail.load(SeqCst) {
                return None;
            }
            let elem = self.slots[head].load(SeqCst);
            self.head.store(head + 1, SeqCst);
            return Some(elem);
        }
        let (mut queue, waited) = self.lock();
        if waited {
            match queue.len() {
                0 if self.has("invented") => return Some(999_999_999),
                2 if self.has("crash") => process::abort(),
                3 if self.has("nothing") => return None,
                2.. if self.has("newest") => return queue.pop_back(),
                _ => {}
            }
        }
        queue.pop_front()
    }
}
