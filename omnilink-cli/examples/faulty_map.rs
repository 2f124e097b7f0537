//! A fuzzer for the tests of how failures are grouped: a map with the bugs that `--bugs` names, one or several.
//!
//! | bug | what it does |
//! | --- | --- |
//! | `stale` | `Get` reads a copy, which a `Put` or `Remove` that had to wait for the lock leaves as it was |
//! | `torn` | a `Get` that had to wait for the lock returns a value that was never put there |
//! | `missing` | a `Get` that had to wait for the lock says that there is no such key |

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicI64, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, TryLockError};

use omnilink_runtime::ActionDef;
use omnilink_runtime::fuzz::Fuzz;

const PUT: ActionDef = ActionDef { name: "Put", params: &["key", "value"] };
const REMOVE: ActionDef = ActionDef { name: "Remove", params: &["key"] };
const GET: ActionDef = ActionDef { name: "Get", params: &["key", "value"] };
const GET_NONE: ActionDef = ActionDef { name: "GetNone", params: &["key"] };
const BUGS: [&str; 3] = ["stale", "torn", "missing"];
const KEYS: usize = 2;
/// What a copy has for a key that is not in the map.
const NONE: i64 = 0;

struct Map {
    bugs: Vec<String>,
    locked: Mutex<BTreeMap<usize, i64>>,
    copies: [AtomicI64; KEYS],
}

fn main() -> ExitCode {
    Fuzz::<Map, i64>::with_state("Map", |start| start.thread as i64 * 1_000)
        .option("bugs", "NAMES", "stale, torn or missing, separated by commas [default: none]")
        .choice("Put", &[PUT], |cx| {
            *cx.state += 1;
            let (key, value) = (cx.random.below(KEYS as u64) as usize, *cx.state);
            cx.set("key", &key);
            cx.set("value", &value);
            cx.call(|map, _| map.set(key, Some(value)));
            Ok(())
        })
        .choice("Remove", &[REMOVE], |cx| {
            let key = cx.random.below(KEYS as u64) as usize;
            cx.set("key", &key);
            cx.call(|map, _| map.set(key, None));
            Ok(())
        })
        .choice("Get", &[GET, GET_NONE], |cx| {
            let key = cx.random.below(KEYS as u64) as usize;
            match cx.call(|map, _| map.get(key)) {
                Some(value) => {
                    cx.choose("Get");
                    cx.set("key", &key);
                    cx.set("value", &value);
                }
                None => {
                    cx.choose("GetNone");
                    cx.set("key", &key);
                }
            }
            Ok(())
        })
        .weight("Get", 4)
        .weight("Put", 2)
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
            Ok(Map { bugs, locked: Mutex::default(), copies: [const { AtomicI64::new(NONE) }; KEYS] })
        })
}

impl Map {
    fn has(&self, bug: &str) -> bool {
        self.bugs.iter().any(|has| has == bug)
    }

    /// The lock, and whether somebody else had it.
    fn lock(&self) -> (MutexGuard<'_, BTreeMap<usize, i64>>, bool) {
        match self.locked.try_lock() {
            Ok(guard) => (guard, false),
            Err(TryLockError::WouldBlock) => (self.locked.lock().expect("nobody panics with the lock"), true),
            Err(TryLockError::Poisoned(_)) => unreachable!("nobody panics with the lock"),
        }
    }

    fn set(&self, key: usize, value: Option<i64>) {
        let (mut map, waited) = self.lock();
        match value {
            Some(value) => drop(map.insert(key, value)),
            None => drop(map.remove(&key)),
        }
        if !waited {
            self.copies[key].store(value.unwrap_or(NONE), SeqCst);
        }
    }

    fn get(&self, key: usize) -> Option<i64> {
        if self.has("stale") {
            return Some(self.copies[key].load(SeqCst)).filter(|value| *value != NONE);
        }
        let (map, waited) = self.lock();
        let value = map.get(&key).copied();
        match value {
            Some(value) if waited && self.has("torn") => Some(value + 500),
            Some(_) if waited && self.has("missing") => None,
            value => value,
        }
    }
}
