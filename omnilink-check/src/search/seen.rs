//! The memory of configurations that were seen.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Keys of configurations. A key is 128 bits of hash: that two of a search are equal by accident is as likely as the hardware
/// being wrong, and is the one thing that a verdict takes on trust.
pub(crate) enum Seen {
    /// Of one thread.
    Own(Keys),
    /// Of several.
    Shared(SharedSeen),
}

type Keys = HashSet<u128, BuildHasherDefault<KeyHasher>>;

/// A memory that several threads use, in parts that are locked one by one.
#[derive(Clone)]
pub(crate) struct SharedSeen(Arc<[Mutex<Keys>]>);

/// How many parts: so many that two threads seldom meet.
const PARTS: usize = 64;

impl Default for Seen {
    fn default() -> Self {
        Self::Own(Keys::default())
    }
}

impl Seen {
    /// Adds a key; false if it was there.
    #[inline]
    pub fn insert(&mut self, key: u128) -> bool {
        match self {
            Self::Own(keys) => keys.insert(key),
            Self::Shared(shared) => shared.part(key).insert(key),
        }
    }

    /// How much memory they take, in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Own(keys) => bytes_of(keys),
            Self::Shared(shared) => shared.0.iter().map(|part| bytes_of(&locked(part))).sum(),
        }
    }

    /// Makes it one that several threads can use.
    pub fn share(&mut self) -> SharedSeen {
        let shared = match std::mem::take(self) {
            Self::Shared(shared) => shared,
            Self::Own(keys) => {
                let shared = SharedSeen((0..PARTS).map(|_| Mutex::default()).collect());
                for key in keys {
                    shared.part(key).insert(key);
                }
                shared
            }
        };
        *self = Self::Shared(shared.clone());
        shared
    }
}

impl SharedSeen {
    fn part(&self, key: u128) -> MutexGuard<'_, Keys> {
        // Within a part, the low bits tell keys apart.
        locked(&self.0[(key >> 64) as usize % PARTS])
    }
}

fn locked(part: &Mutex<Keys>) -> MutexGuard<'_, Keys> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

fn bytes_of(keys: &Keys) -> usize {
    keys.capacity() * 8 / 7 * 17
}

/// Takes a part of the key: keys are hashes already.
#[derive(Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}
