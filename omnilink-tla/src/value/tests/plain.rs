//! Values as plain data, which the tests' expectations are computed from, and the ways to make them into [`Value`]s.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;

use crate::value::set::SMALL;
use crate::value::{Predicate, Rule, Set, Value, ValueError};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Plain {
    Model(String),
    Bool(bool),
    Int(i64),
    Str(String),
    Function(BTreeMap<Plain, Plain>),
    Set(BTreeSet<Plain>),
}

/// The documented order, written down once more without regard to speed.
pub(super) fn reference_order(left: &Plain, right: &Plain) -> Ordering {
    let sorted = |set: &BTreeSet<Plain>| {
        let mut elements: Vec<_> = set.iter().cloned().collect();
        elements.sort_by(reference_order);
        elements
    };
    match (left, right) {
        (Plain::Set(left), Plain::Set(right)) => left.len().cmp(&right.len()).then_with(|| {
            let pairs = sorted(left).into_iter().zip(sorted(right));
            pairs.map(|(a, b)| reference_order(&a, &b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        }),
        (Plain::Function(left), Plain::Function(right)) => left.len().cmp(&right.len()).then_with(|| {
            let keys = |function: &BTreeMap<Plain, Plain>| sorted(&function.keys().cloned().collect());
            let pairs = keys(left).into_iter().zip(keys(right));
            let compared =
                pairs.map(|(a, b)| reference_order(&a, &b).then_with(|| reference_order(&left[&a], &right[&b])));
            compared.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        }),
        _ => left.cmp(right),
    }
}

/// What all elements of a set have in common.
#[derive(Clone, Debug)]
pub(super) enum Type {
    Int,
    Scalar,
    Str,
    Set(Box<Type>),
    Tuple(Box<Type>),
    Function(Box<Type>, Box<Type>),
}

fn types() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![3 => Just(Type::Int), 1 => Just(Type::Scalar), 1 => Just(Type::Str)];
    leaf.prop_recursive(2, 4, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|of| Type::Set(of.into())),
            inner.clone().prop_map(|of| Type::Tuple(of.into())),
            (inner.clone(), inner).prop_map(|(from, to)| Type::Function(from.into(), to.into())),
        ]
    })
}

fn of_type(kind: Type) -> BoxedStrategy<Plain> {
    match kind {
        Type::Int => (-3..6_i64).prop_map(Plain::Int).boxed(),
        // Model values may be mixed with anything.
        Type::Scalar => prop_oneof![any::<bool>().prop_map(Plain::Bool), "[mn]".prop_map(Plain::Model),].boxed(),
        Type::Str => "[ab]{0,2}".prop_map(Plain::Str).boxed(),
        Type::Set(of) => prop::collection::btree_set(of_type(*of), 0..5).prop_map(Plain::Set).boxed(),
        Type::Tuple(of) => prop::collection::vec(of_type(*of), 0..4)
            .prop_map(|elements| Plain::Function((1..).map(Plain::Int).zip(elements).collect()))
            .boxed(),
        Type::Function(from, to) => {
            prop::collection::btree_map(of_type(*from), of_type(*to), 0..4).prop_map(Plain::Function).boxed()
        }
    }
}

/// Several values that are alike.
pub(super) fn alike(count: usize) -> impl Strategy<Value = Vec<Plain>> {
    types().prop_flat_map(move |kind| prop::collection::vec(of_type(kind), count))
}

/// Chooses representations: each bit decides once.
pub(super) struct Choices(u64);

impl Choices {
    pub(super) fn new(bits: u64) -> Self {
        Self(bits | 1 << 63)
    }

    fn choose(&mut self, ways: u64) -> u64 {
        self.0 = self.0.rotate_right(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        (self.0 >> 32) % ways
    }
}

struct Table(Vec<(Value, Value)>);

impl Rule for Table {
    fn apply(&self, argument: &Value) -> Result<Value, ValueError> {
        let entry = self.0.iter().find(|(key, _)| key == argument);
        Ok(entry.expect("only applied to keys").1.clone())
    }
}

pub(super) struct Among(pub(super) Vec<Value>);

impl Predicate for Among {
    fn holds(&self, element: &Value) -> Result<bool, ValueError> {
        Ok(self.0.contains(element))
    }
}

/// The value, represented as the choices say.
pub(super) fn build(plain: &Plain, choices: &mut Choices) -> Value {
    match plain {
        Plain::Bool(value) => Value::Bool(*value),
        Plain::Int(value) => Value::Int(*value),
        Plain::Str(text) => Value::string(text),
        Plain::Model(name) => Value::model(name),
        Plain::Set(elements) => {
            let elements = elements.iter().map(|element| build(element, choices)).collect();
            build_set(elements, choices)
        }
        Plain::Function(entries) => {
            let entries = entries.iter().map(|(key, value)| (build(key, choices), build(value, choices))).collect();
            build_function(entries, choices)
        }
    }
}

pub(super) fn build_set(elements: Vec<Value>, choices: &mut Choices) -> Value {
    let listed = Value::set(elements.iter().rev().cloned()).expect("elements are alike");
    if choices.choose(2) == 0 {
        listed.fingerprint();
    }
    match choices.choose(5) {
        0 => Value::Set(elements.iter().fold(Set::empty(), |set, element| set.insert(element.clone()).expect("alike"))),
        1 => listed.as_set().and_then(Set::bounds).map_or(listed, |(lo, hi)| Value::interval(lo, hi)),
        2 => Value::filter(listed.clone(), Arc::new(Among(elements))).expect("a set"),
        3 => through_a_tree(listed.as_set().expect("listed")),
        _ => listed,
    }
}

/// The set after it was so large that it became a tree. (It is still one if it has many elements.)
fn through_a_tree(set: &Set) -> Value {
    let extra: Vec<_> = (0..=SMALL).map(|n| Value::model(&format!("extra {n}"))).collect();
    let large = extra.iter().fold(set.clone(), |set, element| set.insert(element.clone()).expect("alike"));
    Value::Set(extra.iter().fold(large, |set, element| set.remove(element).expect("alike")))
}

pub(super) fn build_function(entries: Vec<(Value, Value)>, choices: &mut Choices) -> Value {
    let table = Value::function(entries.iter().cloned()).expect("keys are alike");
    if choices.choose(2) == 0 {
        table.fingerprint();
    }
    match choices.choose(4) {
        0 => {
            let empty = Value::tuple([]).expect("not deep");
            entries.iter().rev().fold(empty, |function, (key, value)| {
                function.with(key.clone(), value.clone()).expect("keys are alike")
            })
        }
        1 => Value::lambda(table.domain().expect("a function"), Arc::new(Table(entries))).expect("a set"),
        2 => {
            let extra: Vec<_> = (0..=SMALL).map(|n| Value::model(&format!("extra {n}"))).collect();
            let large = extra.iter().fold(table, |table, key| table.with(key.clone(), Value::Int(0)).expect("alike"));
            extra.iter().fold(large, |table, key| table.without(key).expect("alike"))
        }
        _ => table,
    }
}
