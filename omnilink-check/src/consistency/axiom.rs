//! Axioms: what a criterion asks of the linearization and of the visibility.

use std::fmt;

/// A relation between calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// Program order: the calls of one lane.
    Po,
    /// What had ended before what began, and program order.
    Hb,
    /// The linearization, a total order.
    Lin,
    /// Which call sees which.
    Vis,
}

impl Relation {
    /// Its name in texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Po => "po",
            Self::Hb => "hb",
            Self::Lin => "lin",
            Self::Vis => "vis",
        }
    }

    /// The relation with a name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Po, Self::Hb, Self::Lin, Self::Vis].into_iter().find(|relation| relation.name() == name)
    }
}

/// `left ⊇ right`, where `right` is a composition of relations: `vis >= vis.po`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Axiom {
    /// [`Relation::Lin`] or [`Relation::Vis`].
    pub left: Relation,
    /// `a (x.y) c` holds if `a x b` and `b y c` for some call `b`.
    pub right: Vec<Relation>,
}

impl Axiom {
    pub(super) fn new<const N: usize>(left: Relation, right: [Relation; N]) -> Self {
        Self { left, right: right.to_vec() }
    }
}

impl fmt::Display for Axiom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let right: Vec<_> = self.right.iter().map(|relation| relation.name()).collect();
        write!(f, "{} >= {}", self.left.name(), right.join("."))
    }
}
