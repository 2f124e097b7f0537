//! Which configurations were seen.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// Keys of configurations. A key is 128 bits of hash: that two of a search are equal by accident is as likely as the hardware
/// being wrong, and is the one thing that a verdict takes on trust.
#[derive(Default)]
pub(crate) struct Seen(HashSet<u128, BuildHasherDefault<Already>>);

impl Seen {
    /// Adds a key; false if it was there.
    pub fn insert(&mut self, key: u128) -> bool {
        self.0.insert(key)
    }

    /// Whether a key is there.
    pub fn contains(&self, key: u128) -> bool {
        self.0.contains(&key)
    }

    /// How much memory they take, in bytes.
    pub fn bytes(&self) -> usize {
        self.0.capacity() * 8 / 7 * 17
    }
}

/// Keys are hashes already.
#[derive(Default)]
pub(crate) struct Already(u64);

impl Hasher for Already {
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
