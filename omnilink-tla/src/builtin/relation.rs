//! `Relation`: a relation over `S` is a boolean function of pairs, or an operator (`…Under`).

use omnilink_budget::poll;

use super::{BuiltinModule, Native, NativeArg, Outcome, exactly};
use crate::eval::Failure;
use crate::value::{Value, ValueError};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "Relation",
    standard: false,
    extends: &[],
    operators: &[
        Native::two("IsReflexive", |r, set| of_function(r, set, is_reflexive)),
        Native::two("IsIrreflexive", |r, set| of_function(r, set, is_irreflexive)),
        Native::two("IsSymmetric", |r, set| of_function(r, set, is_symmetric)),
        Native::two("IsAntiSymmetric", |r, set| of_function(r, set, is_antisymmetric)),
        Native::two("IsAsymmetric", |r, set| of_function(r, set, is_asymmetric)),
        Native::two("IsTransitive", |r, set| of_function(r, set, is_transitive)),
        Native::two("IsStrictlyPartiallyOrdered", |r, set| of_function(r, set, is_strict_order)),
        Native::two("IsPartiallyOrdered", |r, set| of_function(r, set, is_order)),
        Native::two("IsStrictlyTotallyOrdered", |r, set| of_function(r, set, is_strict_total_order)),
        Native::two("IsTotallyOrdered", |r, set| of_function(r, set, is_total_order)),
        Native::higher("IsReflexiveUnder", &[2, 0], |arguments| of_operator(arguments, is_reflexive)),
        Native::higher("IsIrreflexiveUnder", &[2, 0], |arguments| of_operator(arguments, is_irreflexive)),
        Native::higher("IsSymmetricUnder", &[2, 0], |arguments| of_operator(arguments, is_symmetric)),
        Native::higher("IsAntiSymmetricUnder", &[2, 0], |arguments| of_operator(arguments, is_antisymmetric)),
        Native::higher("IsAsymmetricUnder", &[2, 0], |arguments| of_operator(arguments, is_asymmetric)),
        Native::higher("IsTransitiveUnder", &[2, 0], |arguments| of_operator(arguments, is_transitive)),
        Native::higher("IsStrictlyPartiallyOrderedUnder", &[2, 0], |arguments| of_operator(arguments, is_strict_order)),
        Native::higher("IsPartiallyOrderedUnder", &[2, 0], |arguments| of_operator(arguments, is_order)),
        Native::higher("IsStrictlyTotallyOrderedUnder", &[2, 0], |arguments| {
            of_operator(arguments, is_strict_total_order)
        }),
        Native::higher("IsTotallyOrderedUnder", &[2, 0], |arguments| of_operator(arguments, is_total_order)),
        Native::two("TransitiveClosure", |r, set| closure(r, set, false)),
        Native::two("ReflexiveTransitiveClosure", |r, set| closure(r, set, true)),
    ],
};

/// Which of the elements `0..n` of a set are related.
struct Matrix {
    size: usize,
    related: Vec<bool>,
}

impl Matrix {
    fn new<E>(elements: &[Value], related: impl Fn(&Value, &Value) -> Result<bool, E>) -> Result<Self, E> {
        let pairs = elements.iter().flat_map(|a| elements.iter().map(move |b| (a, b)));
        let related = pairs.map(|(a, b)| related(a, b)).collect::<Result<_, _>>()?;
        Ok(Self { size: elements.len(), related })
    }

    fn of_function(relation: &Value, elements: &[Value]) -> Result<Self, ValueError> {
        Self::new(elements, |a, b| {
            relation.apply(&Value::tuple([a.clone(), b.clone()])?)?.expect_bool("look up a pair in a relation")
        })
    }

    fn has(&self, a: usize, b: usize) -> bool {
        self.related[a * self.size + b]
    }

    fn all(&self, holds: impl Fn(usize) -> bool) -> bool {
        (0..self.size).all(|at| {
            poll();
            holds(at)
        })
    }

    fn all_pairs(&self, holds: impl Fn(usize, usize) -> bool) -> bool {
        self.all(|a| self.all(|b| holds(a, b)))
    }
}

fn elements(set: &Value) -> Result<Vec<Value>, ValueError> {
    let doing = "look at a relation over a set";
    set.to_set(doing)?.listed(doing)
}

fn of_function(relation: &Value, set: &Value, property: fn(&Matrix) -> bool) -> Outcome {
    Ok(Value::Bool(property(&Matrix::of_function(relation, &elements(set)?)?)))
}

fn of_operator(arguments: &[NativeArg<'_>], property: fn(&Matrix) -> bool) -> Result<Value, Failure> {
    let [operator, set] = exactly(arguments);
    let related = |a: &Value, b: &Value| operator.holds(&[a.clone(), b.clone()], "compare two elements of a set");
    Ok(Value::Bool(property(&Matrix::new(&elements(set.value()?)?, related)?)))
}

fn is_reflexive(r: &Matrix) -> bool {
    r.all(|a| r.has(a, a))
}

fn is_irreflexive(r: &Matrix) -> bool {
    r.all(|a| !r.has(a, a))
}

fn is_symmetric(r: &Matrix) -> bool {
    r.all_pairs(|a, b| r.has(a, b) == r.has(b, a))
}

fn is_antisymmetric(r: &Matrix) -> bool {
    r.all_pairs(|a, b| a == b || !(r.has(a, b) && r.has(b, a)))
}

fn is_asymmetric(r: &Matrix) -> bool {
    r.all_pairs(|a, b| !(r.has(a, b) && r.has(b, a)))
}

fn is_transitive(r: &Matrix) -> bool {
    r.all_pairs(|a, b| !r.has(a, b) || r.all(|c| !r.has(b, c) || r.has(a, c)))
}

fn is_strict_order(r: &Matrix) -> bool {
    is_irreflexive(r) && is_antisymmetric(r) && is_transitive(r)
}

fn is_order(r: &Matrix) -> bool {
    is_reflexive(r) && is_antisymmetric(r) && is_transitive(r)
}

fn is_strict_total_order(r: &Matrix) -> bool {
    is_strict_order(r) && r.all_pairs(|a, b| a == b || r.has(a, b) || r.has(b, a))
}

fn is_total_order(r: &Matrix) -> bool {
    is_order(r) && r.all_pairs(|a, b| r.has(a, b) || r.has(b, a))
}

/// Warshall's algorithm.
fn closure(relation: &Value, set: &Value, reflexive: bool) -> Outcome {
    let elements = elements(set)?;
    let mut closed = Matrix::of_function(relation, &elements)?;
    let size = closed.size;
    for through in 0..size {
        for a in 0..size {
            poll();
            for b in 0..size {
                closed.related[a * size + b] |= closed.has(a, through) && closed.has(through, b);
            }
        }
    }
    let pair = |a: usize, b: usize| {
        let related = closed.has(a, b) || (reflexive && a == b);
        Ok((Value::tuple([elements[a].clone(), elements[b].clone()])?, Value::Bool(related)))
    };
    let pairs = (0..size).flat_map(|a| (0..size).map(move |b| (a, b))).map(|(a, b)| pair(a, b));
    Value::function(pairs.collect::<Result<Vec<_>, ValueError>>()?)
}
