//! Functions over any finite domain but `1..n`: records, maps.

use imbl::OrdMap;
use smallvec::SmallVec;
use triomphe::ThinArc;

use super::error::ValueError;
use super::fingerprint::{self, CachedSum, Fingerprint, Kind, Lanes};
use super::nesting::Nesting;
use super::set::{SHRUNK, SMALL, SetIter, check_alike};
use super::splice::{inserted, removed, replaced};
use super::{Set, Tuple, Value};
use crate::symbol::Symbol;

/// How many fields most records have at most.
pub(crate) const FIELDS: usize = 6;

/// A function whose domain is finite and not `1..n`: such a function is a [`Tuple`].
#[derive(Clone)]
pub struct Function(ThinArc<Header, Value>);

struct Header {
    sum: CachedSum,
    nesting: Nesting,
    entries: Entries,
}

enum Entries {
    /// The values, in the order of this domain, which is an array or an interval, are the node's slice. Functions made
    /// from each other by replacing values share their domain.
    Few(Set),
    Many(Box<OrdMap<Value, Value>>),
}

impl Function {
    /// The function with these entries; of equal keys the first counts.
    pub(super) fn from_entries(mut entries: Vec<(Value, Value)>) -> Result<Value, ValueError> {
        for (key, _) in &mut entries {
            if !key.is_normal() {
                *key = key.clone().normalize()?;
            }
        }
        if !entries.is_sorted_by(|(left, _), (right, _)| left < right) {
            entries.sort_by(|(left, _), (right, _)| left.cmp(right));
            entries.dedup_by(|(later, _), (first, _)| later == first);
        }
        let (keys, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
        Self::over(&Set::from_values(keys)?, values)
    }

    /// The function with this domain and, in the order of the domain, these values.
    pub(super) fn over(domain: &Set, values: Vec<Value>) -> Result<Value, ValueError> {
        debug_assert_eq!(domain.len(), values.len(), "a value for each key");
        if is_one_to_n(domain) {
            return Ok(Value::Tuple(Tuple::new(values)?));
        }
        let nesting = domain.nesting().beside(Nesting::around(&values)?);
        if values.len() > SMALL {
            let entries = domain.iter().zip(values).collect();
            return Ok(Value::Function(Self::many(entries, None, nesting)));
        }
        Ok(Value::Function(Self::few(domain.indexed(), values.into_iter(), None, nesting)))
    }

    /// The record whose field names are this domain, with values in the order of names.
    pub(super) fn record_over(domain: &Set, values: SmallVec<[Value; FIELDS]>) -> Result<Value, ValueError> {
        debug_assert_eq!(domain.len(), values.len(), "a value for each name");
        if values.len() > SMALL || values.is_empty() {
            return Self::over(domain, values.into_vec());
        }
        let nesting = domain.nesting().beside(Nesting::around(&values)?);
        Ok(Value::Function(Self::few(domain.clone(), values.into_iter(), None, nesting)))
    }

    fn few(domain: Set, values: impl ExactSizeIterator<Item = Value>, sum: Option<Lanes>, nesting: Nesting) -> Self {
        let header = Header { sum: CachedSum::new(sum), nesting, entries: Entries::Few(domain) };
        Self(ThinArc::from_header_and_iter(header, values))
    }

    fn many(entries: OrdMap<Value, Value>, sum: Option<Lanes>, nesting: Nesting) -> Self {
        if entries.len() <= SHRUNK {
            let (keys, values): (Vec<_>, Vec<_>) = entries.into_iter().unzip();
            return Self::few(Set::from_sorted(keys), values.into_iter(), sum, nesting);
        }
        let header = Header { sum: CachedSum::new(sum), nesting, entries: Entries::Many(Box::new(entries)) };
        Self(ThinArc::from_header_and_iter(header, std::iter::empty()))
    }

    #[inline]
    fn header(&self) -> &Header {
        &self.0.header.header
    }

    /// The values, if the entries are few.
    fn values(&self) -> &[Value] {
        &self.0.slice
    }

    #[inline]
    pub(super) fn nesting(&self) -> Nesting {
        self.header().nesting
    }

    #[inline]
    pub(super) fn known_sum(&self) -> Option<Lanes> {
        self.header().sum.get()
    }

    pub(super) fn same(&self, other: &Self) -> bool {
        std::ptr::eq(&raw const *self.0, &raw const *other.0)
    }

    pub(super) fn fingerprint(&self) -> Fingerprint {
        let sum = self.header().sum.get_or(|| {
            self.iter().fold([0; 2], |sum, (key, value)| {
                fingerprint::add(sum, fingerprint::entry(key.fingerprint(), value.fingerprint()))
            })
        });
        fingerprint::finish(Kind::Function, self.len(), sum)
    }

    /// How many entries there are: at least one, since the empty function is a tuple.
    #[expect(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> usize {
        match &self.header().entries {
            Entries::Few(_) => self.values().len(),
            Entries::Many(entries) => entries.len(),
        }
    }

    /// Whether all keys are strings.
    pub fn is_record(&self) -> bool {
        // The keys are in order and alike: if the first and the last are strings, so are all between.
        let ends = match &self.header().entries {
            Entries::Few(domain) => (domain.first(), domain.last()),
            Entries::Many(entries) => {
                let key = |entry: Option<&(Value, Value)>| entry.map(|(key, _)| key.clone());
                (key(entries.get_min()), key(entries.get_max()))
            }
        };
        matches!(ends, (Some(Value::Str(_)), Some(Value::Str(_))))
    }

    /// `self[key]`, or nothing if the key is not in the domain.
    #[inline]
    pub fn get(&self, key: &Value) -> Option<&Value> {
        match &self.header().entries {
            Entries::Few(domain) => domain.index_of(key).map(|index| &self.values()[index]),
            Entries::Many(entries) => entries.get(key),
        }
    }

    /// `self.name`, or nothing if there is no such field.
    #[inline]
    pub fn field(&self, name: Symbol) -> Option<&Value> {
        match &self.header().entries {
            Entries::Few(domain) => domain.index_of_symbol(name).map(|index| &self.values()[index]),
            Entries::Many(entries) => entries.get(&Value::Str(name)),
        }
    }

    /// `DOMAIN self`
    pub fn domain(&self) -> Set {
        match &self.header().entries {
            Entries::Few(domain) => domain.clone(),
            Entries::Many(entries) => Set::keys(entries, self.nesting().depth),
        }
    }

    /// Whether the domains are known to be the same without a look at the keys.
    pub(super) fn shares_domain(&self, other: &Self) -> bool {
        match (&self.header().entries, &other.header().entries) {
            (Entries::Few(left), Entries::Few(right)) => left.same(right),
            _ => false,
        }
    }

    /// Keys and values side by side, if both are in arrays.
    pub(super) fn arrays(&self) -> Option<(&[Value], &[Value])> {
        match &self.header().entries {
            Entries::Few(domain) => Some((domain.as_array()?, self.values())),
            Entries::Many(_) => None,
        }
    }

    /// The entries, in the order of keys.
    pub fn iter(&self) -> FunctionIter<'_> {
        match &self.header().entries {
            Entries::Few(domain) => FunctionIter::Few(domain.iter().zip(self.values())),
            Entries::Many(entries) => FunctionIter::Many(Box::new(entries.iter())),
        }
    }

    /// The function with one entry, whose key is normal, replaced or added.
    pub(super) fn with(&self, key: Value, value: Value) -> Result<Value, ValueError> {
        match &self.header().entries {
            Entries::Few(domain) => match domain.locate(&key)? {
                Ok(index) => self.replaced(index, &key, value).map(Value::Function),
                Err(at) => self.extended(domain, at, key, value),
            },
            Entries::Many(entries) => {
                let old = entries.get(&key);
                if old.is_none() {
                    let before = entries.get_prev(&key).map(|(key, _)| key);
                    check_alike(before, &key, entries.get_next(&key).map(|(key, _)| key))?;
                }
                let sum = self.changed_sum(&key, old, Some(&value));
                let nesting = self.nesting().and(&key)?.and(&value)?;
                Ok(Self::tuple_or_many(entries.update(key, value), sum, nesting))
            }
        }
    }

    /// The function with the value at a key of its domain changed; nothing if the key is not in it.
    pub(super) fn except<E: From<ValueError>>(
        &self,
        key: &Value,
        change: impl FnOnce(&Value) -> Result<Value, E>,
    ) -> Result<Option<Self>, E> {
        match &self.header().entries {
            Entries::Few(domain) => {
                let Some(index) = domain.index_of(key) else { return Ok(None) };
                let value = change(&self.values()[index])?;
                Ok(Some(self.replaced(index, key, value)?))
            }
            Entries::Many(entries) => {
                let Some(old) = entries.get(key) else { return Ok(None) };
                let value = change(old)?;
                let sum = self.changed_sum(key, Some(old), Some(&value));
                let nesting = self.nesting().and(&value)?;
                Ok(Some(Self::many(entries.update(key.clone(), value), sum, nesting)))
            }
        }
    }

    /// The function, which has few entries, with one of them replaced. It shares the domain.
    fn replaced(&self, index: usize, key: &Value, value: Value) -> Result<Self, ValueError> {
        let sum = self.changed_sum(key, Some(&self.values()[index]), Some(&value));
        let nesting = self.nesting().and(&value)?;
        Ok(Self::few(self.domain(), replaced(self.values(), index, value), sum, nesting))
    }

    /// The function, which has few entries, with one more, whose key was located there in the domain.
    fn extended(&self, domain: &Set, at: usize, key: Value, value: Value) -> Result<Value, ValueError> {
        let sum = self.changed_sum(&key, None, Some(&value));
        let nesting = self.nesting().and(&key)?.and(&value)?;
        if self.values().len() < SMALL {
            let domain = domain.insert_at(at, key)?;
            let values = inserted(self.values(), at, value);
            if is_one_to_n(&domain) {
                return Value::tuple(values);
            }
            return Ok(Value::Function(Self::few(domain, values, sum, nesting)));
        }
        let entries: OrdMap<_, _> = self.iter().map(|(key, value)| (key, value.clone())).collect();
        Ok(Self::tuple_or_many(entries.update(key, value), sum, nesting))
    }

    /// The function without one entry, whose key is normal; an error if it is unlike the keys.
    pub(super) fn without(&self, key: &Value) -> Result<Value, ValueError> {
        match &self.header().entries {
            Entries::Few(domain) => {
                let Ok(at) = domain.locate(key)? else { return Ok(Value::Function(self.clone())) };
                let sum = self.changed_sum(key, Some(&self.values()[at]), None);
                let domain = domain.remove_at(at, key)?;
                let values = removed(self.values(), at);
                if is_one_to_n(&domain) {
                    return Value::tuple(values);
                }
                Ok(Value::Function(Self::few(domain, values, sum, self.nesting())))
            }
            Entries::Many(entries) => match entries.get(key) {
                Some(old) => {
                    let sum = self.changed_sum(key, Some(old), None);
                    Ok(Self::tuple_or_many(entries.without(key), sum, self.nesting()))
                }
                None => self.domain().contains(key).map(|_| Value::Function(self.clone())),
            },
        }
    }

    fn tuple_or_many(entries: OrdMap<Value, Value>, sum: Option<Lanes>, nesting: Nesting) -> Value {
        let last = Value::Int(entries.len() as i64);
        let bounds = entries.get_min().zip(entries.get_max());
        if bounds.is_some_and(|((min, _), (max, _))| *min == Value::Int(1) && *max == last) {
            return Value::Tuple(Tuple::from_parts(entries.values().cloned().collect(), nesting));
        }
        Value::Function(Self::many(entries, sum, nesting))
    }

    /// The sum after an entry changed, if it is known and no value has to be evaluated for it.
    fn changed_sum(&self, key: &Value, old: Option<&Value>, new: Option<&Value>) -> Option<Lanes> {
        let mut sum = self.known_sum()?;
        if !old.into_iter().chain(new).all(Value::is_normal) {
            return None;
        }
        let key = key.fingerprint();
        if let Some(old) = old {
            sum = fingerprint::subtract(sum, fingerprint::entry(key, old.fingerprint()));
        }
        if let Some(new) = new {
            sum = fingerprint::add(sum, fingerprint::entry(key, new.fingerprint()));
        }
        Some(sum)
    }
}

/// The empty set is `1..0`.
fn is_one_to_n(domain: &Set) -> bool {
    domain.is_empty() || domain.bounds().is_some_and(|(lo, _)| lo == 1)
}

/// The entries of a function, in the order of keys.
pub enum FunctionIter<'a> {
    #[doc(hidden)]
    Few(std::iter::Zip<SetIter<'a>, std::slice::Iter<'a, Value>>),
    #[doc(hidden)]
    Many(Box<imbl::ordmap::Iter<'a, Value, Value, imbl::shared_ptr::DefaultSharedPtr>>),
}

impl<'a> Iterator for FunctionIter<'a> {
    type Item = (Value, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Few(entries) => entries.next(),
            Self::Many(entries) => entries.next().map(|(key, value)| (key.clone(), value)),
        }
    }
}
