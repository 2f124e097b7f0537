//! `\cup`, `\cap`, `\` and `UNION` of any sets. Listed sets give listed sets; what involves a symbolic set stays
//! symbolic unless the result is part of a listed set.

use super::error::{Problem, ValueError};
use super::symbolic::MAX_ELEMENTS;
use super::{KIND_OF_SET, Set, Shape, Tuple, Value};

impl Value {
    /// `self \cup other`
    pub fn union(&self, other: &Self) -> Result<Self, ValueError> {
        match (self, other) {
            (Self::Set(left), Self::Set(right)) => left.union(right).map(Self::Set),
            // What is listed goes first, so that members are looked for there first: `"a" \in Nat \cup {"a"}` is true.
            (Self::Symbolic(_), Self::Set(_)) => {
                Self::symbolic(Shape::Cup(other.clone(), self.clone()), "evaluate \\cup")
            }
            _ => Self::symbolic(Shape::Cup(self.clone(), other.clone()), "evaluate \\cup"),
        }
    }

    /// `self \cap other`
    pub fn intersect(&self, other: &Self) -> Result<Self, ValueError> {
        match (self, other) {
            (Self::Set(left), Self::Set(right)) => left.intersect(right).map(Self::Set),
            (Self::Set(listed), Self::Symbolic(_)) => listed.filtered(|element| element.member(other)).map(Self::Set),
            (Self::Symbolic(_), Self::Set(listed)) => listed.filtered(|element| element.member(self)).map(Self::Set),
            _ => Self::symbolic(Shape::Cap(self.clone(), other.clone()), "evaluate \\cap"),
        }
    }

    /// `self \ other`
    pub fn minus(&self, other: &Self) -> Result<Self, ValueError> {
        match (self, other) {
            (Self::Set(left), Self::Set(right)) => left.minus(right).map(Self::Set),
            (Self::Set(listed), Self::Symbolic(_)) => {
                listed.filtered(|element| element.member(other).map(|removed| !removed)).map(Self::Set)
            }
            _ => Self::symbolic(Shape::Minus(self.clone(), other.clone()), "evaluate set difference"),
        }
    }

    /// `UNION {S, T, …}`. An infinite set becomes part of the union as it is.
    pub fn union_of(sets: &Tuple) -> Result<Self, ValueError> {
        let (mut listed, mut infinite) = (Vec::new(), Vec::new());
        for set in sets.iter() {
            match set {
                Self::Symbolic(_) if !set.is_finite()? => infinite.push(set),
                _ => listed.push(set.clone()),
            }
        }
        let listed = Self::set(listed)?.big_union()?;
        infinite.into_iter().try_fold(listed, |union, set| union.union(set))
    }

    /// `UNION self`
    pub fn big_union(&self) -> Result<Self, ValueError> {
        let doing = "apply UNION";
        if let Self::Symbolic(symbolic) = self
            && let Shape::Subsets(base) = symbolic.shape()
        {
            return Ok(base.clone());
        }
        let mut all = Vec::new();
        for set in self.iterate(doing)? {
            match set? {
                Self::Set(set) => {
                    set.check_listable(doing)?;
                    all.extend(&set);
                }
                other => return Err(ValueError::not_a(KIND_OF_SET, &other, doing)),
            }
            if all.len() > MAX_ELEMENTS {
                return Err(Problem::TooLarge { set: self.clone(), limit: MAX_ELEMENTS, doing }.into());
            }
        }
        Set::from_values(all).map(Self::Set)
    }
}
