//! Asking for, adding and removing one element.

use imbl::OrdSet;

use super::{Form, SMALL, Set, check_alike, position};
use crate::value::fingerprint::{self, Lanes};
use crate::value::splice::{inserted, removed};
use crate::value::{Value, ValueError};

/// What is being done when an interval has to be listed because an element is added or removed.
const LISTING: &str = "list the elements of an interval";

impl Set {
    /// Whether the element is in the set; an error if it is unlike the elements.
    pub fn contains(&self, element: &Value) -> Result<bool, ValueError> {
        if let (Form::Interval(lo, hi), Value::Int(number)) = (self.form(), element) {
            return Ok(lo <= number && number <= hi);
        }
        if !element.is_normal() {
            return self.contains(&element.clone().normalize()?);
        }
        match self.form() {
            Form::Array | Form::Interval(..) => Ok(self.locate(element)?.is_ok()),
            Form::Tree(tree) if tree.contains(element) => Ok(true),
            Form::Tree(tree) => {
                check_alike(tree.get_prev(element), element, tree.get_next(element))?;
                Ok(false)
            }
            Form::Keys(entries) if entries.contains_key(element) => Ok(true),
            Form::Keys(entries) => {
                let before = entries.get_prev(element).map(|(key, _)| key);
                check_alike(before, element, entries.get_next(element).map(|(key, _)| key))?;
                Ok(false)
            }
        }
    }

    /// Where the element, which is normal, is or would be in the order of all elements, for sets that are an array or
    /// an interval; an error if it is unlike the elements.
    pub(in crate::value) fn locate(&self, element: &Value) -> Result<Result<usize, usize>, ValueError> {
        if let Form::Interval(lo, hi) = self.form() {
            return match element {
                Value::Int(number) if number < lo => Ok(Err(0)),
                Value::Int(number) if number > hi => Ok(Err(self.len())),
                Value::Int(number) => Ok(Ok(number.abs_diff(*lo) as usize)),
                _ => check_alike(None, element, Some(&Value::Int(*lo))).map(|()| Err(0)),
            };
        }
        let position = position(self.slice(), element);
        if let Err(at) = position {
            check_alike(at.checked_sub(1).map(|before| &self.slice()[before]), element, self.slice().get(at))?;
        }
        Ok(position)
    }

    /// The set with one more element.
    pub fn insert(&self, element: Value) -> Result<Self, ValueError> {
        let element = element.normalize()?;
        match self.form() {
            Form::Array | Form::Interval(..) => match self.locate(&element)? {
                Ok(_) => Ok(self.clone()),
                Err(at) => self.insert_at(at, element),
            },
            Form::Tree(_) | Form::Keys(_) if self.contains(&element)? => Ok(self.clone()),
            Form::Tree(_) | Form::Keys(_) => {
                let (sum, depth) = (self.sum_with(&element), self.nesting().and(&element)?.depth);
                Ok(Self::tree(self.to_tree().update(element), sum, depth))
            }
        }
    }

    /// The set with an element that is not in it and was located there.
    pub(in crate::value) fn insert_at(&self, at: usize, element: Value) -> Result<Self, ValueError> {
        let (sum, depth) = (self.sum_with(&element), self.nesting().and(&element)?.depth);
        let listed;
        let elements = match (self.form(), &element) {
            (Form::Interval(lo, hi), Value::Int(number)) if hi.checked_add(1) == Some(*number) => {
                return Ok(Self::node(Form::Interval(*lo, *number), sum, depth));
            }
            (Form::Interval(lo, hi), Value::Int(number)) if lo.checked_sub(1) == Some(*number) => {
                return Ok(Self::node(Form::Interval(*number, *hi), sum, depth));
            }
            (Form::Array, _) => self.slice(),
            _ => {
                self.check_listable(LISTING)?;
                listed = self.iter().collect::<Vec<_>>();
                &listed
            }
        };
        if elements.len() < SMALL {
            return Ok(Self::array(inserted(elements, at, element), sum, depth));
        }
        Ok(Self::tree(inserted(elements, at, element).collect(), sum, depth))
    }

    fn sum_with(&self, element: &Value) -> Option<Lanes> {
        self.known_sum().map(|sum| fingerprint::add(sum, element.fingerprint().lanes()))
    }

    /// The set without an element.
    pub fn remove(&self, element: &Value) -> Result<Self, ValueError> {
        if !element.is_normal() {
            return self.remove(&element.clone().normalize()?);
        }
        match self.form() {
            Form::Array | Form::Interval(..) => match self.locate(element)? {
                Ok(at) => self.remove_at(at, element),
                Err(_) => Ok(self.clone()),
            },
            Form::Tree(_) | Form::Keys(_) if !self.contains(element)? => Ok(self.clone()),
            Form::Tree(_) | Form::Keys(_) => {
                Ok(Self::tree(self.to_tree().without(element), self.sum_without(element), self.depth()))
            }
        }
    }

    /// The set without an element that was located there.
    pub(in crate::value) fn remove_at(&self, at: usize, element: &Value) -> Result<Self, ValueError> {
        let sum = self.sum_without(element);
        match self.form() {
            Form::Array => Ok(Self::array(removed(self.slice(), at), sum, self.depth())),
            Form::Interval(lo, hi) if lo == hi => Ok(Self::empty()),
            Form::Interval(lo, hi) if at == 0 => Ok(Self::node(Form::Interval(lo + 1, *hi), sum, self.depth())),
            Form::Interval(lo, hi) if at == self.len() - 1 => {
                Ok(Self::node(Form::Interval(*lo, hi - 1), sum, self.depth()))
            }
            Form::Interval(lo, _) if self.len() <= SMALL => {
                let rest = (0..self.len() - 1).map(|index| Value::Int(lo + index as i64 + i64::from(index >= at)));
                Ok(Self::array(rest, sum, self.depth()))
            }
            _ => {
                self.check_listable(LISTING)?;
                Ok(Self::tree(self.to_tree().without(element), sum, self.depth()))
            }
        }
    }

    fn sum_without(&self, element: &Value) -> Option<Lanes> {
        self.known_sum().map(|sum| fingerprint::subtract(sum, element.fingerprint().lanes()))
    }

    /// The elements as a tree, to be changed.
    pub(super) fn to_tree(&self) -> OrdSet<Value> {
        match self.form() {
            Form::Tree(tree) => (**tree).clone(),
            _ => self.iter().collect(),
        }
    }
}
