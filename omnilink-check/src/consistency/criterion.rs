//! Criteria: sets of axioms, with names.

use std::fmt;

use super::axiom::{Axiom, Relation};
use Relation::{Hb, Lin, Po, Vis};

/// What is asked of a call: axioms about the pairs of calls of which it is the second.
///
/// Besides its axioms, every criterion asks that the result of a call follows from the calls that it sees, and that the linearization
/// contains the visibility and the program order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Criterion {
    /// Its name: one of [`NAMES`], or its axioms.
    pub name: String,
    /// Its axioms.
    pub axioms: Vec<Axiom>,
}

/// The criteria that have names, stronger ones first.
pub const NAMES: [&str; 8] = [
    "linearizable",
    "sequential",
    "causal",
    "weak",
    "read-my-writes",
    "monotonic-reads",
    "monotonic-writes",
    "return-value",
];

impl Criterion {
    /// The criterion with a name.
    pub fn named(name: &str) -> Option<Self> {
        let axioms = match name {
            "linearizable" => vec![Axiom::new(Lin, [Hb]), Axiom::new(Vis, [Lin])],
            "sequential" => vec![Axiom::new(Vis, [Lin])],
            "causal" => vec![Axiom::new(Vis, [Po]), Axiom::new(Vis, [Vis, Vis])],
            "weak" => vec![Axiom::new(Lin, [Hb]), Axiom::new(Vis, [Hb])],
            "read-my-writes" => vec![Axiom::new(Vis, [Po])],
            "monotonic-reads" => vec![Axiom::new(Vis, [Vis, Po])],
            "monotonic-writes" => vec![Axiom::new(Vis, [Po, Vis])],
            "return-value" => Vec::new(),
            _ => return None,
        };
        Some(Self { name: name.to_owned(), axioms })
    }

    /// The criterion with these axioms.
    pub fn of(axioms: Vec<Axiom>) -> Self {
        let name = axioms.iter().map(Axiom::to_string).collect::<Vec<_>>().join(", ");
        Self { name, axioms }
    }

    /// Linearizability.
    pub fn linearizable() -> Self {
        Self::named("linearizable").expect("it has this name")
    }

    /// Adds `lin >= hb`.
    #[must_use]
    pub fn in_real_time(mut self) -> Self {
        if !self.is_real_time() {
            self.name = match self.name.as_str() {
                "sequential" => "linearizable".to_owned(),
                name => format!("{name}, real time"),
            };
            self.axioms.push(Axiom::new(Lin, [Hb]));
        }
        self
    }

    /// Whether a call comes after every call that had ended before it began: `lin >= hb`, which follows from `vis >= hb`.
    pub fn is_real_time(&self) -> bool {
        self.axioms.iter().any(|axiom| axiom.right == [Hb])
    }

    /// Whether a call sees all calls before it: `vis >= lin`.
    pub fn is_strong(&self) -> bool {
        self.axioms.iter().any(|axiom| axiom.left == Vis && axiom.right == [Lin])
    }

    /// An axiom that composes hb with something.
    pub(super) fn composes_hb(&self) -> Option<&Axiom> {
        self.axioms.iter().find(|axiom| axiom.right.len() > 1 && axiom.right.contains(&Hb))
    }

    /// Whether every history that satisfies this criterion satisfies the other, for criteria with names.
    pub(super) fn implies(name: &str, other: &str) -> bool {
        let weaker: &[&str] = match name {
            "linearizable" => &NAMES,
            "sequential" => {
                &["sequential", "causal", "read-my-writes", "monotonic-reads", "monotonic-writes", "return-value"]
            }
            "causal" => &["causal", "read-my-writes", "monotonic-reads", "monotonic-writes", "return-value"],
            "weak" => &["weak", "read-my-writes", "return-value"],
            "read-my-writes" => &["read-my-writes", "return-value"],
            "monotonic-reads" => &["monotonic-reads", "return-value"],
            "monotonic-writes" => &["monotonic-writes", "return-value"],
            "return-value" => &["return-value"],
            _ => &[],
        };
        weaker.contains(&other)
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// What is asked of the calls of a history: a criterion, and others for some operations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Criteria {
    /// What is asked of the calls of all other operations.
    pub general: Criterion,
    /// Operations of whose calls something else is asked.
    pub special: Vec<(String, Criterion)>,
}

impl Criteria {
    /// The same criterion for all calls.
    pub fn uniform(general: Criterion) -> Self {
        Self { general, special: Vec::new() }
    }

    /// All calls are linearizable, except those of one operation.
    pub fn weakened(operation: &str, criterion: Criterion) -> Self {
        Self { general: Criterion::linearizable(), special: vec![(operation.to_owned(), criterion)] }
    }

    /// What is asked of the calls of an operation.
    pub fn of(&self, operation: &str) -> &Criterion {
        self.special.iter().find(|(name, _)| name == operation).map_or(&self.general, |(_, criterion)| criterion)
    }

    /// Adds `lin >= hb` to all.
    #[must_use]
    pub fn in_real_time(self) -> Self {
        Self {
            general: self.general.in_real_time(),
            special: self.special.into_iter().map(|(name, it)| (name, it.in_real_time())).collect(),
        }
    }

    /// All criteria.
    pub fn all(&self) -> impl Iterator<Item = &Criterion> {
        std::iter::once(&self.general).chain(self.special.iter().map(|(_, criterion)| criterion))
    }

    /// Whether every call sees all calls before it. Then results need not be known: the search for one order decides.
    pub fn are_strong(&self) -> bool {
        self.all().all(Criterion::is_strong)
    }

    /// Whether `lin >= hb` for all calls.
    pub fn are_real_time(&self) -> bool {
        self.all().all(Criterion::is_real_time)
    }
}

impl fmt::Display for Criteria {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.general)?;
        self.special.iter().try_for_each(|(name, criterion)| write!(f, ", {name}: {criterion}"))
    }
}
