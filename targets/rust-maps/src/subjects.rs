//! The maps under test behind one trait, each called the way its documentation says.
//!
//! All hash with the same function in every process, and their number of shards does not depend on the machine, so that
//! runs can be repeated.

use std::hash::{BuildHasherDefault, DefaultHasher};

use crossbeam_skiplist::SkipMap;
use dashmap::DashMap;

type SameHash = BuildHasherDefault<DefaultHasher>;

/// What a map tells of a call that gave a key a value.
pub enum Before {
    /// Nothing.
    Untold,
    /// The key was not there.
    Absent,
    /// The key had this value.
    Had(i64),
}

impl From<Option<i64>> for Before {
    fn from(old: Option<i64>) -> Self {
        old.map_or(Self::Absent, Self::Had)
    }
}

/// A concurrent map.
pub trait Map: Send + Sync {
    fn put(&self, key: i64, value: i64) -> Before;
    /// The value that the key has afterwards: the given one if there was none.
    fn get_or_insert(&self, key: i64, value: i64) -> i64;
    fn get(&self, key: i64) -> Option<i64>;
    fn contains(&self, key: i64) -> bool;
    fn remove(&self, key: i64) -> Option<i64>;
    fn len(&self) -> usize;
    fn clear(&self);
}

/// The names of the maps, as `--map` takes them.
pub const NAMES: &str = "skipmap, dashmap or scc";

/// An empty map by its name.
pub fn by_name(name: &str) -> Option<Box<dyn Map>> {
    match name {
        "skipmap" => Some(Box::new(SkipMap::new())),
        "dashmap" => {
            Some(Box::new(DashMap::with_capacity_and_hasher_and_shard_amount(0, SameHash::default(), DASHMAP_SHARDS)))
        }
        "scc" => Some(Box::new(scc::HashMap::with_hasher(SameHash::default()))),
        _ => None,
    }
}

/// What [`DashMap::new`] takes on a machine with one or two cores is 4 or 8.
const DASHMAP_SHARDS: usize = 4;

impl Map for SkipMap<i64, i64> {
    fn put(&self, key: i64, value: i64) -> Before {
        self.insert(key, value);
        Before::Untold
    }

    fn get_or_insert(&self, key: i64, value: i64) -> i64 {
        *SkipMap::get_or_insert(self, key, value).value()
    }

    fn get(&self, key: i64) -> Option<i64> {
        SkipMap::get(self, &key).map(|entry| *entry.value())
    }

    fn contains(&self, key: i64) -> bool {
        self.contains_key(&key)
    }

    fn remove(&self, key: i64) -> Option<i64> {
        SkipMap::remove(self, &key).map(|entry| *entry.value())
    }

    fn len(&self) -> usize {
        SkipMap::len(self)
    }

    fn clear(&self) {
        SkipMap::clear(self);
    }
}

impl Map for DashMap<i64, i64, SameHash> {
    fn put(&self, key: i64, value: i64) -> Before {
        self.insert(key, value).into()
    }

    fn get_or_insert(&self, key: i64, value: i64) -> i64 {
        *self.entry(key).or_insert(value)
    }

    fn get(&self, key: i64) -> Option<i64> {
        DashMap::get(self, &key).map(|value| *value)
    }

    fn contains(&self, key: i64) -> bool {
        self.contains_key(&key)
    }

    fn remove(&self, key: i64) -> Option<i64> {
        DashMap::remove(self, &key).map(|(_, value)| value)
    }

    fn len(&self) -> usize {
        DashMap::len(self)
    }

    fn clear(&self) {
        DashMap::clear(self);
    }
}

impl Map for scc::HashMap<i64, i64, SameHash> {
    fn put(&self, key: i64, value: i64) -> Before {
        self.upsert_sync(key, value).into()
    }

    fn get_or_insert(&self, key: i64, value: i64) -> i64 {
        *self.entry_sync(key).or_insert(value).get()
    }

    fn get(&self, key: i64) -> Option<i64> {
        self.read_sync(&key, |_, value| *value)
    }

    fn contains(&self, key: i64) -> bool {
        self.contains_sync(&key)
    }

    fn remove(&self, key: i64) -> Option<i64> {
        self.remove_sync(&key).map(|(_, value)| value)
    }

    fn len(&self) -> usize {
        scc::HashMap::len(self)
    }

    fn clear(&self) {
        self.clear_sync();
    }
}
