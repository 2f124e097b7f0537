//! Finite sets whose elements are listed.

use imbl::{OrdMap, OrdSet};
use triomphe::ThinArc;

use super::Value;
use super::error::{Problem, ValueError};
use super::fingerprint::{self, CachedSum, Fingerprint, Kind, Lanes};
use super::nesting::Nesting;
use super::symbolic::MAX_ELEMENTS;
use crate::symbol::Symbol;

mod algebra;
mod iter;
mod points;
mod search;

pub use iter::SetIter;
pub(super) use search::{check_alike, position, position_of_symbol};

/// A finite set. Its elements are normal, distinct, alike and in order.
#[derive(Clone)]
pub struct Set(ThinArc<Header, Value>);

struct Header {
    sum: CachedSum,
    depth: u16,
    form: Form,
}

enum Form {
    /// The elements are the node's slice.
    Array,
    /// Never empty.
    Interval(i64, i64),
    Tree(Box<OrdSet<Value>>),
    /// The domain of a function with many entries.
    Keys(Box<OrdMap<Value, Value>>),
}

/// Up to this many elements are kept in an array, which is copied when one changes: about as fast as changing a tree of
/// that size, and faster to search and enumerate.
pub(super) const SMALL: usize = 72;

/// A tree that shrinks to this many elements becomes an array. Less than [`SMALL`], so that a set that gains and loses
/// one element again and again does not change its form each time.
pub(super) const SHRUNK: usize = 56;

impl Set {
    /// `{}`
    pub fn empty() -> Self {
        Self::array(std::iter::empty(), None, 1)
    }

    /// `lo..hi`
    pub fn interval(lo: i64, hi: i64) -> Self {
        if lo > hi { Self::empty() } else { Self::node(Form::Interval(lo, hi), None, 1) }
    }

    /// The set of these values, in any order and with duplicates. They must be alike.
    pub fn from_values(values: Vec<Value>) -> Result<Self, ValueError> {
        let mut values = if values.iter().all(Value::is_normal) {
            values
        } else {
            values.into_iter().map(Value::normalize).collect::<Result<_, _>>()?
        };
        if !values.is_sorted_by(|left, right| left < right) {
            values.sort_unstable();
            values.dedup();
        }
        for pair in values.windows(2) {
            check_alike(Some(&pair[0]), &pair[1], None)?;
        }
        let nesting = Nesting::around(&values)?;
        Ok(Self::from_parts(values, None, nesting.depth))
    }

    /// The set of some elements of another set, in that set's order.
    pub fn from_sorted(elements: Vec<Value>) -> Self {
        debug_assert!(elements.is_sorted_by(|left, right| left < right), "elements are in order");
        let depth = elements.iter().map(|element| element.nesting().depth).max().unwrap_or(0);
        Self::from_parts(elements, None, depth.saturating_add(1))
    }

    /// The domain of a function with these entries.
    pub(super) fn keys(entries: &OrdMap<Value, Value>, depth: u16) -> Self {
        Self::node(Form::Keys(Box::new(entries.clone())), None, depth)
    }

    fn from_parts(elements: Vec<Value>, sum: Option<Lanes>, depth: u16) -> Self {
        if elements.len() > SMALL {
            return Self::tree(elements.into_iter().collect(), sum, depth);
        }
        Self::array(elements.into_iter(), sum, depth)
    }

    fn array(elements: impl ExactSizeIterator<Item = Value>, sum: Option<Lanes>, depth: u16) -> Self {
        let header = Header { sum: CachedSum::new(sum), depth, form: Form::Array };
        Self(ThinArc::from_header_and_iter(header, elements))
    }

    fn tree(tree: OrdSet<Value>, sum: Option<Lanes>, depth: u16) -> Self {
        if tree.len() <= SHRUNK {
            let elements: Vec<_> = tree.into_iter().collect();
            return Self::array(elements.into_iter(), sum, depth);
        }
        Self::node(Form::Tree(Box::new(tree)), sum, depth)
    }

    fn node(form: Form, sum: Option<Lanes>, depth: u16) -> Self {
        Self(ThinArc::from_header_and_iter(Header { sum: CachedSum::new(sum), depth, form }, std::iter::empty()))
    }

    #[inline]
    fn form(&self) -> &Form {
        &self.0.header.header.form
    }

    fn depth(&self) -> u16 {
        self.0.header.header.depth
    }

    /// The elements, if they are in an array.
    #[inline]
    fn slice(&self) -> &[Value] {
        &self.0.slice
    }

    /// The elements, if they are in an array.
    #[inline]
    pub(crate) fn as_array(&self) -> Option<&[Value]> {
        matches!(self.form(), Form::Array).then(|| self.slice())
    }

    #[inline]
    pub(super) fn nesting(&self) -> Nesting {
        Nesting { depth: self.depth(), normal: true }
    }

    /// How many elements there are.
    #[inline]
    pub fn len(&self) -> usize {
        match self.form() {
            Form::Array => self.slice().len(),
            Form::Interval(lo, hi) => usize::try_from(hi.abs_diff(*lo)).unwrap_or(usize::MAX).saturating_add(1),
            Form::Tree(tree) => tree.len(),
            Form::Keys(entries) => entries.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        matches!(self.form(), Form::Array) && self.slice().is_empty()
    }

    /// The least element.
    pub fn first(&self) -> Option<Value> {
        match self.form() {
            Form::Array => self.slice().first().cloned(),
            Form::Interval(lo, _) => Some(Value::Int(*lo)),
            Form::Tree(tree) => tree.get_min().cloned(),
            Form::Keys(entries) => entries.get_min().map(|(key, _)| key.clone()),
        }
    }

    /// The greatest element.
    pub fn last(&self) -> Option<Value> {
        match self.form() {
            Form::Array => self.slice().last().cloned(),
            Form::Interval(_, hi) => Some(Value::Int(*hi)),
            Form::Tree(tree) => tree.get_max().cloned(),
            Form::Keys(entries) => entries.get_max().map(|(key, _)| key.clone()),
        }
    }

    /// The bounds, if the elements are successive integers and the set is not empty.
    pub(crate) fn bounds(&self) -> Option<(i64, i64)> {
        let (Value::Int(first), Value::Int(last)) = (self.first()?, self.last()?) else { return None };
        // The elements are distinct, alike and in order, so only integers can lie between two integers.
        (last.abs_diff(first) == self.len() as u64 - 1).then_some((first, last))
    }

    /// The set, which has few elements, as an array or an interval.
    pub(super) fn indexed(&self) -> Self {
        match self.form() {
            Form::Array | Form::Interval(..) => self.clone(),
            Form::Tree(_) | Form::Keys(_) => {
                Self::array(self.iter().collect::<Vec<_>>().into_iter(), self.known_sum(), self.depth())
            }
        }
    }

    /// Where the element is in the order of all elements, for sets that are an array or an interval.
    #[inline]
    pub(super) fn index_of(&self, key: &Value) -> Option<usize> {
        match (self.form(), key) {
            (Form::Interval(lo, hi), Value::Int(key)) => (lo <= key && key <= hi).then(|| key.abs_diff(*lo) as usize),
            (Form::Interval(..), _) => None,
            _ => position(self.slice(), key).ok(),
        }
    }

    /// Where the string is in the order of all elements, for sets that are an array or an interval.
    pub(super) fn index_of_symbol(&self, key: Symbol) -> Option<usize> {
        position_of_symbol(self.slice(), key).ok()
    }

    /// Whether both are the same node.
    pub(super) fn same(&self, other: &Self) -> bool {
        std::ptr::eq(&raw const *self.0, &raw const *other.0)
    }

    /// An error if the set is too large to be listed.
    pub(crate) fn check_listable(&self, doing: &'static str) -> Result<(), ValueError> {
        if self.len() > MAX_ELEMENTS {
            return Err(Problem::TooLarge { set: Value::Set(self.clone()), limit: MAX_ELEMENTS, doing }.into());
        }
        Ok(())
    }

    /// The elements in a list, unless they are too many.
    pub(crate) fn listed(&self, doing: &'static str) -> Result<Vec<Value>, ValueError> {
        self.check_listable(doing)?;
        Ok(self.iter().collect())
    }

    /// The sum, if it is known.
    #[inline]
    pub(super) fn known_sum(&self) -> Option<Lanes> {
        self.0.header.header.sum.get()
    }

    pub(super) fn fingerprint(&self) -> Fingerprint {
        let sum =
            self.0.header.header.sum.get_or(|| {
                self.iter().fold([0; 2], |sum, element| fingerprint::add(sum, element.fingerprint().lanes()))
            });
        fingerprint::finish(Kind::Set, self.len(), sum)
    }
}
