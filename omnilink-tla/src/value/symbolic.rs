//! Sets given by how they are constructed: infinite ones, and finite ones that are asked for members, counted or
//! enumerated in part without ever being listed.

use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

use super::error::{Problem, ValueError};
use super::fingerprint::{self, Fingerprint, Kind};
use super::nesting::Nesting;
use super::{KIND_OF_SET, Set, Value};
use crate::symbol::Symbol;

/// How many elements a symbolic set may have to be listed, and a set to be filtered, joined or tabulated over. (TLC's
/// limit is a million.)
pub const MAX_ELEMENTS: usize = 1 << 22;

/// Which elements of a set are meant.
pub trait Predicate: Send + Sync {
    /// Whether an element of the base set is.
    fn holds(&self, element: &Value) -> Result<bool, ValueError>;

    /// The values that the predicate holds: they count as parts of the set.
    fn held(&self) -> Vec<&Value> {
        Vec::new()
    }

    /// The predicate as messages show it, after `:`.
    fn describe(&self) -> String {
        "...".to_owned()
    }
}

/// A set given by its construction.
pub struct Symbolic {
    shape: Shape,
    nesting: Nesting,
    listed: OnceLock<Value>,
}

/// The constructions.
pub enum Shape {
    /// `Nat`
    Nat,
    /// `Int`
    Int,
    /// `Real`, of which only the integers are values here.
    Real,
    /// `STRING`
    Strings,
    /// `Any`: everything is in it.
    Any,
    /// `Seq(S)`
    Seq(Value),
    /// `[domain -> range]`
    Functions {
        /// What its functions are defined on.
        domain: Value,
        /// What their values are from.
        range: Value,
    },
    /// `[a: S, b: T]`, in the order of names.
    Records(Box<[(Symbol, Value)]>),
    /// `SUBSET S`
    Subsets(Value),
    /// `S \X T \X …`
    Product(Box<[Value]>),
    /// `S \cup T`
    Cup(Value, Value),
    /// `S \cap T`
    Cap(Value, Value),
    /// `S \ T`
    Minus(Value, Value),
    /// `{x \in base : predicate}`
    Filter {
        /// What elements are taken from.
        base: Value,
        /// Which of them.
        predicate: Arc<dyn Predicate>,
    },
}

impl Value {
    /// `Nat`
    pub fn nat() -> Self {
        Self::primitive(Shape::Nat)
    }

    /// `Int`
    pub fn int() -> Self {
        Self::primitive(Shape::Int)
    }

    /// `Real`
    pub fn real() -> Self {
        Self::primitive(Shape::Real)
    }

    /// `STRING`
    pub fn strings() -> Self {
        Self::primitive(Shape::Strings)
    }

    /// `Any`
    pub fn any() -> Self {
        Self::primitive(Shape::Any)
    }

    /// `Seq(self)`
    pub fn seq_set(&self) -> Result<Self, ValueError> {
        Self::symbolic(Shape::Seq(self.clone()), "apply Seq")
    }

    /// `[domain -> range]`
    pub fn function_set(domain: Self, range: Self) -> Result<Self, ValueError> {
        Self::symbolic(Shape::Functions { domain, range }, "make a set of functions")
    }

    /// `[name: set, …]`. Of equal names, the first counts.
    pub fn record_set(mut fields: Vec<(Symbol, Self)>) -> Result<Self, ValueError> {
        fields.sort_by_key(|(name, _)| *name);
        fields.dedup_by_key(|(name, _)| *name);
        Self::symbolic(Shape::Records(fields.into()), "make a set of records")
    }

    /// `SUBSET self`
    pub fn powerset(&self) -> Result<Self, ValueError> {
        Self::symbolic(Shape::Subsets(self.clone()), "apply SUBSET")
    }

    /// `S \X T \X …`
    pub fn product(factors: Vec<Self>) -> Result<Self, ValueError> {
        Self::symbolic(Shape::Product(factors.into()), "evaluate \\X")
    }

    /// `{x \in base : predicate}`, not evaluated yet.
    pub fn filter(base: Self, predicate: Arc<dyn Predicate>) -> Result<Self, ValueError> {
        Self::symbolic(Shape::Filter { base, predicate }, "filter a set")
    }

    fn primitive(shape: Shape) -> Self {
        let nesting = Nesting { depth: 1, normal: false };
        Self::Symbolic(Arc::new(Symbolic { shape, nesting, listed: OnceLock::new() }))
    }

    pub(super) fn symbolic(shape: Shape, doing: &'static str) -> Result<Self, ValueError> {
        let parts = shape.parts();
        if let Some(other) = parts.iter().find(|part| !part.is_set()) {
            return Err(ValueError::not_a(KIND_OF_SET, other, doing));
        }
        let held = if let Shape::Filter { predicate, .. } = &shape { predicate.held() } else { Vec::new() };
        let nesting = Nesting { normal: false, ..Nesting::around(parts.into_iter().chain(held))? };
        Ok(Self::Symbolic(Arc::new(Symbolic { shape, nesting, listed: OnceLock::new() })))
    }
}

impl Shape {
    /// The sets that it is made of.
    fn parts(&self) -> Vec<&Value> {
        match self {
            Self::Nat | Self::Int | Self::Real | Self::Strings | Self::Any => Vec::new(),
            Self::Seq(set) | Self::Subsets(set) | Self::Filter { base: set, .. } => vec![set],
            Self::Functions { domain, range } => vec![domain, range],
            Self::Records(fields) => fields.iter().map(|(_, range)| range).collect(),
            Self::Product(factors) => factors.iter().collect(),
            Self::Cup(left, right) | Self::Cap(left, right) | Self::Minus(left, right) => vec![left, right],
        }
    }

    /// Tells constructions apart, and orders them.
    fn rank(&self) -> u64 {
        match self {
            Self::Nat => 0,
            Self::Int => 1,
            Self::Real => 2,
            Self::Strings => 3,
            Self::Any => 4,
            Self::Seq(_) => 5,
            Self::Functions { .. } => 6,
            Self::Records(_) => 7,
            Self::Subsets(_) => 8,
            Self::Product(_) => 9,
            Self::Cup(..) => 10,
            Self::Cap(..) => 11,
            Self::Minus(..) => 12,
            Self::Filter { .. } => 13,
        }
    }

    /// What else distinguishes two sets that are constructed in one way from equal parts.
    fn mark(&self) -> Vec<Fingerprint> {
        match self {
            Self::Records(fields) => fields.iter().map(|(name, _)| name.fingerprint()).collect(),
            Self::Filter { predicate, .. } => vec![Fingerprint(Arc::as_ptr(predicate).addr() as u128)],
            _ => Vec::new(),
        }
    }
}

impl Symbolic {
    /// The construction.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    pub(super) fn nesting(&self) -> Nesting {
        self.nesting
    }

    /// Whether it is one of the sets that are not made of others: such sets differ if their names do.
    pub(super) fn is_primitive(&self) -> bool {
        self.shape.parts().is_empty() && !matches!(self.shape, Shape::Records(_) | Shape::Product(_))
    }

    /// The set with its elements listed, once.
    pub(super) fn to_set(self: &Arc<Self>, doing: &'static str) -> Result<&Set, ValueError> {
        if self.listed.get().is_none() {
            let listed = self.list(doing)?;
            // Another thread may have been faster, with an equal set.
            let _ = self.listed.set(Value::Set(listed));
        }
        match self.listed.get() {
            Some(Value::Set(set)) => Ok(set),
            _ => Err(self.not_enumerable(doing)),
        }
    }

    fn list(self: &Arc<Self>, doing: &'static str) -> Result<Set, ValueError> {
        let too_large =
            || ValueError::from(Problem::TooLarge { set: Value::Symbolic(self.clone()), limit: MAX_ELEMENTS, doing });
        let count = self.counted(doing)?.unwrap_or(0);
        if count > MAX_ELEMENTS as u128 {
            return Err(too_large());
        }
        let mut elements = Vec::with_capacity(count as usize);
        for element in self.elements(doing)? {
            if elements.len() == MAX_ELEMENTS {
                return Err(too_large());
            }
            elements.push(element?);
        }
        Set::from_values(elements)
    }

    /// The set with its elements listed, if they can be.
    pub(super) fn explicit(self: &Arc<Self>) -> Option<&Value> {
        self.to_set("list the elements of a set").ok()?;
        self.listed.get()
    }

    /// The set with its elements listed, if they have been.
    pub(super) fn computed(&self) -> Option<&Value> {
        self.listed.get()
    }

    pub(super) fn not_enumerable(self: &Arc<Self>, doing: &'static str) -> ValueError {
        Problem::NotEnumerable { set: Value::Symbolic(self.clone()), doing }.into()
    }

    /// How many elements there are, where that follows from the numbers of elements of its parts. `u128::MAX` also
    /// stands for more.
    pub(super) fn counted(self: &Arc<Self>, doing: &'static str) -> Result<Option<u128>, ValueError> {
        Ok(Some(match &self.shape {
            Shape::Functions { domain, range } => power(count(range, doing)?, count(domain, doing)?),
            Shape::Records(_) | Shape::Product(_) => {
                let counts = self.shape.parts().into_iter().map(|part| count(part, doing));
                counts.collect::<Result<Vec<_>, _>>()?.into_iter().fold(1, u128::saturating_mul)
            }
            Shape::Subsets(base) => power(2, count(base, doing)?),
            _ => return Ok(None),
        }))
    }

    /// The order of sets that cannot be listed: of no meaning, but an order.
    pub(super) fn compare_construction(&self, other: &Self) -> Ordering {
        let (left, right) = (&self.shape, &other.shape);
        left.rank()
            .cmp(&right.rank())
            .then_with(|| left.mark().cmp(&right.mark()))
            .then_with(|| left.parts().cmp(&right.parts()))
    }

    pub(super) fn fingerprint(self: &Arc<Self>) -> Fingerprint {
        if let Some(listed) = self.explicit() {
            return listed.fingerprint();
        }
        let parts = self.shape.parts().into_iter().map(Value::fingerprint);
        parts.chain(self.shape.mark()).fold(fingerprint::of_word(Kind::Symbolic, self.shape.rank()), |whole, part| {
            Fingerprint::from_lanes(fingerprint::entry(whole, part))
        })
    }
}

fn count(set: &Value, doing: &'static str) -> Result<u128, ValueError> {
    match set {
        Value::Symbolic(symbolic) => match symbolic.counted(doing)? {
            Some(count) => Ok(count),
            None => Ok(symbolic.to_set(doing)?.len() as u128),
        },
        _ => Ok(set.to_set(doing)?.len() as u128),
    }
}

fn power(base: u128, exponent: u128) -> u128 {
    match (base, exponent) {
        (0 | 1, 1..) => base,
        _ => base.saturating_pow(u32::try_from(exponent).unwrap_or(u32::MAX)),
    }
}

impl Value {
    /// `Cardinality(self)`
    pub fn cardinality(&self) -> Result<i64, ValueError> {
        let doing = "apply Cardinality";
        i64::try_from(count(self, doing)?)
            .map_err(|_| Problem::Overflow { doing: format!("{doing} to {}", super::Short(self)) }.into())
    }

    /// Whether it can be seen without listing the set that it is infinite or has more elements; for a filtered set, that
    /// somebody saw this of the set that is filtered.
    pub(crate) fn certainly_has_more_than(&self, elements: u128) -> bool {
        match self {
            Self::Symbolic(symbolic) => match symbolic.shape() {
                Shape::Filter { base, .. } => base.certainly_has_more_than(elements),
                _ => matches!(symbolic.counted("count"), Ok(Some(count)) if count > elements),
            },
            _ => false,
        }
    }

    /// `IsFiniteSet(self)`
    pub fn is_finite(&self) -> Result<bool, ValueError> {
        match self {
            Self::Set(_) => Ok(true),
            Self::Symbolic(symbolic) => match symbolic.shape() {
                Shape::Nat | Shape::Int | Shape::Real | Shape::Strings | Shape::Any | Shape::Seq(_) => Ok(false),
                Shape::Cap(left, right) => Ok(left.is_finite()? || right.is_finite()?),
                Shape::Minus(left, _) => left.is_finite(),
                shape => shape.parts().into_iter().try_fold(true, |all, part| Ok(all && part.is_finite()?)),
            },
            _ => Err(ValueError::not_a(KIND_OF_SET, self, "apply IsFiniteSet")),
        }
    }
}
