//! Iteration over a set's elements, in order.

use std::ops::RangeInclusive;
use std::slice;

use omnilink_budget::poll;

use super::{Form, Set};
use crate::value::{MAX_ELEMENTS, Value};

/// The elements of a set, in order.
pub struct SetIter<'a>(Source<'a>);

enum Source<'a> {
    Array(slice::Iter<'a, Value>),
    Interval(RangeInclusive<i64>),
    // Boxed: these are large, and the iterator of an array is moved around often.
    Tree(Box<imbl::ordset::Iter<'a, Value, imbl::shared_ptr::DefaultSharedPtr>>),
    Keys(Box<imbl::ordmap::Keys<'a, Value, Value, imbl::shared_ptr::DefaultSharedPtr>>),
}

impl Iterator for SetIter<'_> {
    type Item = Value;

    #[inline]
    fn next(&mut self) -> Option<Value> {
        poll();
        match &mut self.0 {
            Source::Array(elements) => elements.next().cloned(),
            Source::Interval(numbers) => numbers.next().map(Value::Int),
            Source::Tree(elements) => elements.next().cloned(),
            Source::Keys(keys) => keys.next().cloned(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            Source::Array(elements) => elements.size_hint(),
            Source::Interval(numbers) => {
                // Whoever makes room for all elements of a long interval would ask for more memory than there is.
                let (least, most) = numbers.size_hint();
                (least.min(MAX_ELEMENTS), most)
            }
            Source::Tree(elements) => elements.size_hint(),
            Source::Keys(keys) => keys.size_hint(),
        }
    }
}

impl Set {
    /// The elements, in order.
    pub fn iter(&self) -> SetIter<'_> {
        SetIter(match self.form() {
            Form::Array => Source::Array(self.slice().iter()),
            Form::Interval(lo, hi) => Source::Interval(*lo..=*hi),
            Form::Tree(tree) => Source::Tree(Box::new(tree.iter())),
            Form::Keys(entries) => Source::Keys(Box::new(entries.keys())),
        })
    }
}

impl<'a> IntoIterator for &'a Set {
    type Item = Value;
    type IntoIter = SetIter<'a>;

    fn into_iter(self) -> SetIter<'a> {
        self.iter()
    }
}
