//! The sum of a tuple's fingerprint: a polynomial over its elements' fingerprints modulo 2⁶¹−1, in two lanes with a
//! fixed base each, so that appending, removing at either end and replacing adjust it without a look at the other
//! elements.

use super::fingerprint::{Fingerprint, Lanes};

const PRIME: u64 = (1 << 61) - 1;
const BASE: Lanes = [0x0b7e_1516_28ae_d2a6, 0x1313_198a_2e03_7073];
const BASE_INVERSE: Lanes = [power(BASE[0], PRIME - 2), power(BASE[1], PRIME - 2)];

/// B⁰ … B⁶³, and B⁰ … B⁶³ of B⁶⁴: any power below 4096 is a product of two of these.
const ONES: [[u64; 64]; 2] = [powers(BASE[0]), powers(BASE[1])];
const SIXTY_FOURS: [[u64; 64]; 2] = [powers(power(BASE[0], 64)), powers(power(BASE[1], 64))];

#[inline]
const fn multiply(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    reduce((product as u64 & PRIME) + (product >> 61) as u64)
}

#[inline]
const fn reduce(n: u64) -> u64 {
    let n = (n & PRIME) + (n >> 61);
    if n >= PRIME { n - PRIME } else { n }
}

const fn power(base: u64, mut exponent: u64) -> u64 {
    let (mut result, mut square) = (1, base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, square);
        }
        square = multiply(square, square);
        exponent >>= 1;
    }
    result
}

const fn powers(base: u64) -> [u64; 64] {
    let mut table = [1; 64];
    let mut i = 1;
    while i < 64 {
        table[i] = multiply(table[i - 1], base);
        i += 1;
    }
    table
}

#[inline]
fn base_power(lane: usize, exponent: usize) -> u64 {
    let low = ONES[lane][exponent % 64];
    match exponent / 64 {
        0 => low,
        high @ 1..64 => multiply(low, SIXTY_FOURS[lane][high]),
        _ => power(BASE[lane], exponent as u64),
    }
}

#[inline(always)]
fn each(of: impl Fn(usize) -> u64) -> Lanes {
    [of(0), of(1)]
}

/// The sum over all elements.
pub(super) fn sum(elements: impl DoubleEndedIterator<Item = Fingerprint>) -> Lanes {
    elements.rev().fold([0; 2], |sum, element| {
        let element = element.lanes();
        each(|lane| reduce(multiply(sum[lane], BASE[lane]) + reduce(element[lane])))
    })
}

/// The sum after an element was added behind `len` others, or (`len` is the number of all elements of `sum`) after a
/// whole tuple with the sum `tail` was.
#[inline]
pub(super) fn append(sum: Lanes, len: usize, tail: Lanes) -> Lanes {
    [append_lane(0, sum, len, tail), append_lane(1, sum, len, tail)]
}

/// One lane of it: apart, since what is called twice is not inlined otherwise.
#[inline(always)]
fn append_lane(lane: usize, sum: Lanes, len: usize, tail: Lanes) -> u64 {
    reduce(sum[lane] + multiply(reduce(tail[lane]), base_power(lane, len)))
}

/// The sum after the element at `index` was replaced.
pub(super) fn replace(sum: Lanes, index: usize, old: Fingerprint, new: Fingerprint) -> Lanes {
    let (old, new) = (old.lanes(), new.lanes());
    each(|lane| {
        let change = reduce(new[lane]) + PRIME - reduce(old[lane]);
        reduce(sum[lane] + multiply(reduce(change), base_power(lane, index)))
    })
}

/// The sum after the first element was removed.
pub(super) fn remove_first(sum: Lanes, first: Fingerprint) -> Lanes {
    let first = first.lanes();
    each(|lane| multiply(reduce(sum[lane] + PRIME - reduce(first[lane])), BASE_INVERSE[lane]))
}

/// The sum after the last element, at `index`, was removed.
pub(super) fn remove_last(sum: Lanes, index: usize, last: Fingerprint) -> Lanes {
    let last = last.lanes();
    each(|lane| reduce(sum[lane] + PRIME - multiply(reduce(last[lane]), base_power(lane, index))))
}
