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

/// The elements and one more.
pub(super) fn appended(slice: &[Value], value: Value) -> impl ExactSizeIterator<Item = Value> {
    Appended { elements: slice.iter(), last: Some(value) }
}

/// Like `chain`, but its length is known.
struct Appended<'a> {
    elements: std::slice::Iter<'a, Value>,
    last: Option<Value>,
}

impl Iterator for Appended<'_> {
    type Item = Value;

    #[inline]
    fn next(&mut self) -> Option<Value> {
        match self.elements.next() {
            Some(element) => Some(element.clone()),
            None => self.last.take(),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.elements.len() + usize::from(self.last.is_some());
        (len, Some(len))
    }
}

impl ExactSizeIterator for Appended<'_> {}

pub(super) fn removed(slice: &[Value], at: usize) -> impl ExactSizeIterator<Item = Value> {
    (0..slice.len() - 1).map(move |index| slice[index + usize::from(index >= at)].clone())
}

pub(super) fn replaced(slice: &[Value], at: usize, value: Value) -> impl ExactSizeIterator<Item = Value> {
    slice.iter().enumerate().map(move |(index, old)| {
        let source = if index == at { &value } else { old };
        source.clone()
    })
}
