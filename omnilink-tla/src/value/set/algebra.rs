//! Union, intersection, difference and inclusion of listed sets.

use std::cmp::Ordering;

use super::{Form, SMALL, Set, check_alike};
use crate::value::fingerprint;
use crate::value::{Value, ValueError};

impl Set {
    /// `self \cup other`
    pub fn union(&self, other: &Self) -> Result<Self, ValueError> {
        let (small, large) = if self.len() < other.len() { (self, other) } else { (other, self) };
        if let (Form::Interval(small_lo, small_hi), Form::Interval(lo, hi)) = (small.form(), large.form())
            && *small_lo <= hi.saturating_add(1)
            && *lo <= small_hi.saturating_add(1)
        {
            return Ok(Self::interval(*small_lo.min(lo), *small_hi.max(hi)));
        }
        match small.len() {
            0 => Ok(large.clone()),
            1 => small.iter().try_fold(large.clone(), |set, element| set.insert(element)),
            _ if small.same(large) => Ok(large.clone()),
            few if large.len() > SMALL && few <= large.len() / 8 => large.with_all(small),
            _ => large.merged(small),
        }
    }

    /// The set, which is large, with the elements of another, which are few: adds each to the tree.
    fn with_all(&self, few: &Self) -> Result<Self, ValueError> {
        self.check_listable("evaluate \\cup")?;
        let (mut tree, mut sum) = (self.to_tree(), self.known_sum());
        for element in few {
            if tree.contains(&element) {
                continue;
            }
            check_alike(tree.get_prev(&element), &element, tree.get_next(&element))?;
            sum = sum.map(|sum| fingerprint::add(sum, element.fingerprint().lanes()));
            tree.insert(element);
        }
        Ok(Self::tree(tree, sum, self.depth().max(few.depth())))
    }

    /// The union in one pass over both. Any two elements of different origin that come to be neighbours were compared.
    fn merged(&self, other: &Self) -> Result<Self, ValueError> {
        self.check_listable("evaluate \\cup")?;
        other.check_listable("evaluate \\cup")?;
        let mut merged = Vec::with_capacity(self.len() + other.len());
        let (mut left, mut right) = (self.iter().peekable(), other.iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            match a.compare(b)? {
                Ordering::Less => merged.extend(left.next()),
                Ordering::Greater => merged.extend(right.next()),
                Ordering::Equal => {
                    merged.extend(left.next());
                    right.next();
                }
            }
        }
        merged.extend(left.chain(right));
        Ok(Self::from_parts(merged, None, self.depth().max(other.depth())))
    }

    /// `self \cap other`
    pub fn intersect(&self, other: &Self) -> Result<Self, ValueError> {
        if let (Form::Interval(a_lo, a_hi), Form::Interval(b_lo, b_hi)) = (self.form(), other.form()) {
            return Ok(Self::interval(*a_lo.max(b_lo), *a_hi.min(b_hi)));
        }
        let (small, large) = if self.len() <= other.len() { (self, other) } else { (other, self) };
        match small.between(large).or_else(|| large.between(small)) {
            Some(common) => Ok(common),
            None => small.filtered(|element| large.contains(element)),
        }
    }

    /// The elements that are in an interval, if `interval` is one and all of these are integers in an array.
    fn between(&self, interval: &Self) -> Option<Self> {
        let (Form::Interval(lo, hi), elements) = (interval.form(), self.as_array()?) else { return None };
        // Only integers can lie between two integers.
        let (Value::Int(_), Value::Int(_)) = (elements.first()?, elements.last()?) else { return None };
        let from = elements.partition_point(|element| matches!(element, Value::Int(n) if n < lo));
        let until = elements.partition_point(|element| matches!(element, Value::Int(n) if n <= hi)).max(from);
        let common = &elements[from..until];
        let is_all = common.len() == elements.len();
        Some(if is_all { self.clone() } else { Self::array(common.iter().cloned(), None, self.depth()) })
    }

    /// `self \ other`
    pub fn minus(&self, other: &Self) -> Result<Self, ValueError> {
        if other.len() == 1 || (self.len() > SMALL && other.len() <= self.len() / 8) {
            return other.iter().try_fold(self.clone(), |set, element| set.remove(&element));
        }
        self.filtered(|element| other.contains(element).map(|contained| !contained))
    }

    /// `self \subseteq other`
    pub fn subset(&self, other: &Self) -> Result<bool, ValueError> {
        if let (Form::Interval(a_lo, a_hi), Form::Interval(b_lo, b_hi)) = (self.form(), other.form()) {
            return Ok(b_lo <= a_lo && a_hi <= b_hi);
        }
        for element in self {
            if !other.contains(&element)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The elements that the predicate holds of.
    pub fn filtered<E: From<ValueError>>(
        &self,
        mut predicate: impl FnMut(&Value) -> Result<bool, E>,
    ) -> Result<Self, E> {
        self.check_listable("filter a set")?;
        let mut kept = Vec::new();
        for element in self {
            if predicate(&element)? {
                kept.push(element);
            }
        }
        if kept.len() == self.len() {
            return Ok(self.clone());
        }
        Ok(Self::from_parts(kept, None, self.depth()))
    }
}
