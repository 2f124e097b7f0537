//! A fuzzer for what can be asked of a whole map: its length and its keys. Every call is recorded as an action of `Sizes.tla`.

use std::collections::BTreeSet;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::process::ExitCode;

use dashmap::DashMap;
use omnilink::ActionDef;
use omnilink::fuzz::{Attempt, Context, Fuzz};

type SameHash = BuildHasherDefault<DefaultHasher>;

/// A concurrent map.
trait Map: Send + Sync {
    /// The value that the key had.
    fn put(&self, key: i64, value: i64) -> Option<i64>;
    fn remove(&self, key: i64) -> Option<i64>;
    fn len(&self) -> usize;
    fn keys(&self) -> BTreeSet<i64>;
}

impl Map for DashMap<i64, i64, SameHash> {
    fn put(&self, key: i64, value: i64) -> Option<i64> {
        self.insert(key, value)
    }

    fn remove(&self, key: i64) -> Option<i64> {
        DashMap::remove(self, &key).map(|(_, value)| value)
    }

    fn len(&self) -> usize {
        DashMap::len(self)
    }

    fn keys(&self) -> BTreeSet<i64> {
        self.iter().map(|entry| *entry.key()).collect()
    }
}

impl Map for scc::HashMap<i64, i64, SameHash> {
    fn put(&self, key: i64, value: i64) -> Option<i64> {
        self.upsert_sync(key, value)
    }

    fn remove(&self, key: i64) -> Option<i64> {
        self.remove_sync(&key).map(|(_, value)| value)
    }

    fn len(&self) -> usize {
        scc::HashMap::len(self)
    }

    fn keys(&self) -> BTreeSet<i64> {
        let mut keys = BTreeSet::new();
        self.iter_sync(|key, _| {
            keys.insert(*key);
            true
        });
        keys
    }
}

/// The map under test, and how many keys there are.
struct System {
    map: Box<dyn Map>,
    keys: i64,
}

/// A thread's next value. No value is written twice.
type Next = i64;

fn any_key(cx: &mut Context<'_, System, Next>) -> i64 {
    let key = cx.random.range(0..cx.system.keys);
    cx.set("key", &key);
    key
}

fn put(cx: &mut Context<'_, System, Next>) -> Attempt {
    let key = any_key(cx);
    *cx.state += 1;
    let value = *cx.state;
    cx.set("value", &value);
    match cx.call(|system, _| system.map.put(key, value)) {
        None => cx.choose("Insert"),
        Some(old) => {
            cx.choose("Replace");
            cx.set("old", &old);
        }
    }
    Ok(())
}

fn remove(cx: &mut Context<'_, System, Next>) -> Attempt {
    let key = any_key(cx);
    match cx.call(|system, _| system.map.remove(key)) {
        None => cx.choose("RemoveMissing"),
        Some(old) => {
            cx.choose("Remove");
            cx.set("old", &old);
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    let action = |name, params| ActionDef { name, params };
    Fuzz::with_state("Sizes", |start| start.thread as i64 * 1_000_000_000)
        .choice("Put", &[action("Insert", &["key", "value"]), action("Replace", &["key", "value", "old"])], put)
        .choice("Remove", &[action("Remove", &["key", "old"]), action("RemoveMissing", &["key"])], remove)
        .action("Len", &["len"], |cx| {
            let len = cx.call(|system, _| system.map.len());
            cx.set("len", &len);
            Ok(())
        })
        .action("Keys", &["keys"], |cx| {
            let keys = cx.call(|system, _| system.map.keys());
            cx.set("keys", &keys);
            Ok(())
        })
        .results(&[("Replace", "old"), ("Remove", "old"), ("Len", "len"), ("Keys", "keys")])
        .option("map", "NAME", "the map to call: dashmap or scc [default: dashmap]")
        .option("keys", "N", "how many keys there are [default: 4]")
        .main(|options| {
            let map: Box<dyn Map> = match options.get("map").unwrap_or("dashmap") {
                // As in the other fuzzer, so that the number of shards does not depend on the machine.
                "dashmap" => Box::new(DashMap::with_capacity_and_hasher_and_shard_amount(0, SameHash::default(), 4)),
                "scc" => Box::new(scc::HashMap::with_hasher(SameHash::default())),
                other => return Err(format!("--map: `{other}` is neither dashmap nor scc")),
            };
            let keys = options.get("keys").unwrap_or("4");
            match keys.parse() {
                Ok(keys) if keys > 0 => Ok(System { map, keys }),
                _ => Err(format!("--keys: `{keys}` is not a number above 0")),
            }
        })
}
