//! Random choices for C: the generator and the mapping of [`fuzz::random`](crate::fuzz::random), so that a seed gives
//! the same choices in every language.

use std::ffi::c_void;

use crate::fuzz::Random;

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_random_new(seed: u64, stream: u64) -> Box<Random> {
    Box::new(Random::new(seed, stream))
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_random_free(random: Option<Box<Random>>) {
    drop(random);
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_random_number(random: &mut Random) -> u64 {
    random.number()
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_random_below(random: &mut Random, n: u64) -> u64 {
    random.below(n)
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_random_int(random: &mut Random, first: i64, last: i64) -> i64 {
    random.range(first..=last)
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_random_uint(random: &mut Random, first: u64, last: u64) -> u64 {
    random.range(first..=last)
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_random_fill(random: &mut Random, bytes: *mut c_void, len: usize) {
    if len > 0 {
        // SAFETY: valid for `len` bytes, by the contract.
        random.fill(unsafe { std::slice::from_raw_parts_mut(bytes.cast(), len) });
    }
}
