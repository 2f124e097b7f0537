//! The system under test: a map from keys to values for many threads. Put your own here.
//!
//! It has several shards, each with a lock of its own, so that threads with different keys seldom wait for each other.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

const SHARDS: usize = 4;

pub struct Map {
    shards: [Mutex<HashMap<i64, i64>>; SHARDS],
    is_buggy: bool,
}

impl Map {
    /// An empty map; a buggy one inserts in two steps.
    pub fn new(is_buggy: bool) -> Self {
        Self { shards: Default::default(), is_buggy }
    }

    /// Adds a value; false if the key has one already, which stays.
    pub fn insert(&self, key: i64, value: i64) -> bool {
        if self.is_buggy {
            return self.insert_in_two_steps(key, value);
        }
        let mut shard = self.shard(key);
        let is_new = !shard.contains_key(&key);
        if is_new {
            shard.insert(key, value);
        }
        is_new
    }

    /// The bug: between the two steps another thread may insert a value, which is then replaced.
    fn insert_in_two_steps(&self, key: i64, value: i64) -> bool {
        if self.shard(key).contains_key(&key) {
            return false;
        }
        self.shard(key).insert(key, value);
        true
    }

    /// The value of a key.
    pub fn get(&self, key: i64) -> Option<i64> {
        self.shard(key).get(&key).copied()
    }

    /// Takes a key and its value away.
    pub fn remove(&self, key: i64) -> Option<i64> {
        self.shard(key).remove(&key)
    }

    fn shard(&self, key: i64) -> MutexGuard<'_, HashMap<i64, i64>> {
        let shard = &self.shards[key as usize % SHARDS];
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
