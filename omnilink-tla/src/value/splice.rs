//! Copies of a slice with one element added, removed or replaced.
//!
//! Each chooses what to copy by reference and copies in one place, which the compiler turns into a tight loop.

use super::Value;

pub(super) fn inserted(slice: &[Value], at: usize, value: Value) -> impl ExactSizeIterator<Item = Value> {
    (0..slice.len() + 1).map(move |index| {
        let source = if index == at { &value } else { &slice[index - usize::from(index > at)] };
        source.clone()
    })
}

pub(super) fn removed(slice: &[Value], at: usize) -> impl ExactSizeIterator<Item = Value> {
    (0..slice.len() - 1).map(move |index| slice[index + usize::from(index >= at)].clone())
}

pub(super) fn replaced(slice: &[Value], at: usize, value: Value) -> impl ExactSizeIterator<Item = Value> {
    slice.iter().enumerate().map(move |(index, old)| {
        let source = if index == at { &value } else { old };
        source.clone()
    })
}
