//! Tuples and sequences: functions over `1..n`.

use imbl::Vector;
use omnilink_budget::poll;
use triomphe::ThinArc;

use super::error::{Problem, ValueError};
use super::fingerprint::{self, CachedSum, Fingerprint, Kind, Lanes};
use super::nesting::Nesting;
use super::polynomial;
use super::set::{SHRUNK, SMALL};
use super::splice::{appended, replaced};
use super::{Set, Value};

/// A function over `1..n`. Elements are counted from 0 here, and from 1 in TLA+.
#[derive(Clone)]
pub struct Tuple(ThinArc<Header, Value>);

struct Header {
    sum: CachedSum,
    nesting: Nesting,
    /// The elements, if they are many; they are the node's slice otherwise.
    long: Option<Box<Vector<Value>>>,
}

/// How many elements a sequence may have that is written out at once or put together from others. Of a longer one not even
/// the elements could be listed.
pub const MAX_LENGTH: usize = 1 << 27;

/// The elements of a tuple, in order.
pub struct TupleIter<'a>(Source<'a>);

enum Source<'a> {
    Short(std::slice::Iter<'a, Value>),
    // Boxed: it is large, and the iterator of an array is moved around often.
    Long(Box<imbl::vector::Iter<'a, Value, imbl::shared_ptr::DefaultSharedPtr>>),
}

impl Tuple {
    /// The tuple of these elements.
    pub fn new(elements: Vec<Value>) -> Result<Self, ValueError> {
        let nesting = Nesting::around(&elements)?;
        Ok(Self::from_parts(elements, nesting))
    }

    pub(super) fn from_parts(elements: Vec<Value>, nesting: Nesting) -> Self {
        if elements.len() > SMALL {
            return Self::long(elements.into_iter().collect(), None, nesting);
        }
        Self::short(elements.into_iter(), None, nesting)
    }

    /// `<<>>`
    pub fn empty() -> Self {
        Self::short(std::iter::empty(), None, Nesting { depth: 1, normal: true })
    }

    fn short(elements: impl ExactSizeIterator<Item = Value>, sum: Option<Lanes>, nesting: Nesting) -> Self {
        let header = Header { sum: CachedSum::new(sum), nesting, long: None };
        Self(ThinArc::from_header_and_iter(header, elements))
    }

    fn long(elements: Vector<Value>, sum: Option<Lanes>, nesting: Nesting) -> Self {
        if elements.len() <= SHRUNK {
            return Self::short(elements.into_iter(), sum, nesting);
        }
        let header = Header { sum: CachedSum::new(sum), nesting, long: Some(Box::new(elements)) };
        Self(ThinArc::from_header_and_iter(header, std::iter::empty()))
    }

    #[inline]
    fn header(&self) -> &Header {
        &self.0.header.header
    }

    /// The elements as a vector to be changed, if they are many or come to be.
    fn to_vector(&self) -> Vector<Value> {
        match &self.header().long {
            Some(elements) => (**elements).clone(),
            None => self.0.slice.iter().cloned().collect(),
        }
    }

    #[inline]
    pub(super) fn nesting(&self) -> Nesting {
        self.header().nesting
    }

    #[inline]
    pub(super) fn known_sum(&self) -> Option<Lanes> {
        self.header().sum.get()
    }

    /// The sum, if it is known and can be adjusted for a change of this element: fingerprinting what is not normal may
    /// mean evaluating it.
    fn adjustable_sum(&self, element: &Value) -> Option<Lanes> {
        self.known_sum().filter(|_| element.is_normal())
    }

    pub(super) fn same(&self, other: &Self) -> bool {
        std::ptr::eq(&raw const *self.0, &raw const *other.0)
    }

    pub(super) fn fingerprint(&self) -> Fingerprint {
        let sum = self.header().sum.get_or(|| polynomial::sum(self.iter().map(Value::fingerprint)));
        fingerprint::finish(Kind::Tuple, self.len(), sum)
    }

    /// How many elements there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.header().long.as_ref().map_or(self.0.slice.len(), |elements| elements.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements, in order.
    pub fn iter(&self) -> TupleIter<'_> {
        TupleIter(match &self.header().long {
            Some(elements) => Source::Long(Box::new(elements.iter())),
            None => Source::Short(self.0.slice.iter()),
        })
    }

    /// The elements, if they lie side by side.
    #[inline]
    pub(super) fn as_array(&self) -> Option<&[Value]> {
        self.header().long.is_none().then_some(&self.0.slice)
    }

    /// The element at an index from 0.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&Value> {
        match &self.header().long {
            Some(elements) => elements.get(index),
            None => self.0.slice.get(index),
        }
    }

    /// `self[key]`, or nothing if the key is not in `1..n`.
    #[inline]
    pub fn at(&self, key: i64) -> Option<&Value> {
        self.get(usize::try_from(key.checked_sub(1)?).ok()?)
    }

    /// `DOMAIN self`
    pub fn domain(&self) -> Set {
        Set::interval(1, self.len() as i64)
    }

    /// `Append(self, element)`
    pub fn append(&self, element: Value) -> Result<Self, ValueError> {
        let len = self.len();
        let sum = self.adjustable_sum(&element);
        let sum = sum.map(|sum| polynomial::append(sum, len, element.fingerprint().lanes()));
        let nesting = self.nesting().and(&element)?;
        if len < SMALL && self.header().long.is_none() {
            return Ok(Self::short(appended(&self.0.slice, element), sum, nesting));
        }
        let mut elements = self.to_vector();
        elements.push_back(element);
        Ok(Self::long(elements, sum, nesting))
    }

    /// `Head(self)`
    pub fn head(&self) -> Result<&Value, ValueError> {
        self.get(0).ok_or_else(|| self.empty_error("apply Head"))
    }

    /// `Tail(self)`
    pub fn tail(&self) -> Result<Self, ValueError> {
        let first = self.get(0).ok_or_else(|| self.empty_error("apply Tail"))?;
        let sum = self.adjustable_sum(first).map(|sum| polynomial::remove_first(sum, first.fingerprint()));
        if self.header().long.is_none() {
            return Ok(Self::short(self.0.slice[1..].iter().cloned(), sum, self.nesting()));
        }
        let mut elements = self.to_vector();
        elements.pop_front();
        Ok(Self::long(elements, sum, self.nesting()))
    }

    /// All elements but the last.
    pub fn front(&self) -> Result<Self, ValueError> {
        let last = self.len().checked_sub(1).ok_or_else(|| self.empty_error("remove the last element"))?;
        let sum = self.get(last).and_then(|element| {
            self.adjustable_sum(element).map(|sum| polynomial::remove_last(sum, last, element.fingerprint()))
        });
        if self.header().long.is_none() {
            return Ok(Self::short(self.0.slice[..last].iter().cloned(), sum, self.nesting()));
        }
        let mut elements = self.to_vector();
        elements.pop_back();
        Ok(Self::long(elements, sum, self.nesting()))
    }

    /// The tuple with the element at an index from 0 replaced; unchanged if there is none.
    pub fn with_at(&self, index: usize, element: Value) -> Result<Self, ValueError> {
        let Some(old) = self.get(index) else { return Ok(self.clone()) };
        let sum = self.adjustable_sum(old).filter(|_| element.is_normal());
        let sum = sum.map(|sum| polynomial::replace(sum, index, old.fingerprint(), element.fingerprint()));
        let nesting = self.nesting().and(&element)?;
        if self.header().long.is_none() {
            return Ok(Self::short(replaced(&self.0.slice, index, element), sum, nesting));
        }
        Ok(Self::long(self.to_vector().update(index, element), sum, nesting))
    }

    /// `self \o other`
    #[must_use]
    pub fn concat(&self, other: &Self) -> Self {
        if other.is_empty() {
            return self.clone();
        }
        if self.is_empty() {
            return other.clone();
        }
        let sums = self.known_sum().zip(other.known_sum());
        let sum = sums.map(|(sum, tail)| polynomial::append(sum, self.len(), tail));
        let nesting = self.nesting().beside(other.nesting());
        if self.len() + other.len() <= SMALL {
            let elements: Vec<_> = self.iter().chain(other.iter()).cloned().collect();
            return Self::short(elements.into_iter(), sum, nesting);
        }
        let mut elements = self.to_vector();
        elements.append(other.to_vector());
        Self::long(elements, sum, nesting)
    }

    /// `SubSeq(self, from, to)`: empty when `from > to`, an error when they are not in `1..n`.
    pub fn subseq(&self, from: i64, to: i64) -> Result<Self, ValueError> {
        if from > to {
            return Ok(Self::empty());
        }
        for bound in [from, to] {
            if self.at(bound).is_none() {
                let function = Value::Tuple(self.clone());
                return Err(Problem::NotInDomain { key: Value::Int(bound), function }.into());
            }
        }
        let (from, to) = (from as usize - 1, to as usize);
        Ok(match &self.header().long {
            None => Self::short(self.0.slice[from..to].iter().cloned(), None, self.nesting()),
            Some(elements) => Self::long(elements.skip(from).take(to - from), None, self.nesting()),
        })
    }

    fn empty_error(&self, doing: &'static str) -> ValueError {
        Problem::Empty { found: Value::Tuple(self.clone()), doing }.into()
    }
}

impl<'a> Iterator for TupleIter<'a> {
    type Item = &'a Value;

    fn next(&mut self) -> Option<&'a Value> {
        match &mut self.0 {
            Source::Short(elements) => elements.next(),
            Source::Long(elements) => {
                poll();
                elements.next()
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            Source::Short(elements) => elements.size_hint(),
            Source::Long(elements) => elements.size_hint(),
        }
    }
}

impl DoubleEndedIterator for TupleIter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Source::Short(elements) => elements.next_back(),
            Source::Long(elements) => {
                poll();
                elements.next_back()
            }
        }
    }
}

impl ExactSizeIterator for TupleIter<'_> {}

impl<'a> IntoIterator for &'a Tuple {
    type Item = &'a Value;
    type IntoIter = TupleIter<'a>;

    fn into_iter(self) -> TupleIter<'a> {
        self.iter()
    }
}
