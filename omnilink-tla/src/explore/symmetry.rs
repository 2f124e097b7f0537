//! `SYMMETRY`: states that differ only by a permutation of model values are taken for one.
//!
//! As in TLC, the permutations that the configuration gives generate a group, and all states of an orbit have one
//! fingerprint. TLC takes the fingerprint of the least state of the orbit; here it is the least fingerprint, for which no state needs to be made:
//! each variable's value has few forms, whose fingerprints are remembered. Of an orbit, the state that was found first is
//! explored.
//!
//! It is sound if the specification treats these values alike. As in TLC, that is not checked.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use smallvec::SmallVec;

use crate::diagnostic::{Diagnostic, TlaError};
use crate::spec::{Spec, State};
use crate::symbol::Symbol;
use crate::value::{Fingerprint, FingerprintHasher, Value, ValueError};

/// How states are told apart: by their values or their `VIEW`, and up to symmetry.
pub(super) struct Identity<'s> {
    spec: &'s Spec,
    symmetry: Option<Symmetry>,
}

impl<'s> Identity<'s> {
    /// That of a specification.
    pub fn of(spec: &'s Spec) -> Result<Self, Box<TlaError>> {
        Ok(Self { spec, symmetry: Symmetry::of(spec)? })
    }

    /// Whether the values of a state alone tell it from others.
    pub fn is_plain(&self) -> bool {
        self.symmetry.is_none() && self.spec.program().view.is_none()
    }

    /// What states that are taken for one have in common, and no others.
    pub fn fingerprint(&mut self, state: &State) -> Result<Fingerprint, Box<TlaError>> {
        let Some(symmetry) = &mut self.symmetry else {
            return Ok(self.spec.view(state)?.map_or_else(|| state.fingerprint(), |view| view.fingerprint()));
        };
        let failed = |error: ValueError| self.spec.value_error(error);
        let (fingerprint, least) = symmetry.least(state.values()).map_err(failed)?;
        if self.spec.program().view.is_none() {
            return Ok(fingerprint);
        }
        let values = state.values().iter().map(|value| match least {
            Some(least) => permuted(value, &symmetry.permutations[least]),
            None => Ok(value.clone()),
        });
        let state = State::new(values.collect::<Result<Vec<_>, _>>().map_err(failed)?.into_iter());
        Ok(self.spec.view(&state)?.map_or(fingerprint, |view| view.fingerprint()))
    }
}

/// Which model value each becomes; those that are not named stay.
type Permutation = HashMap<Symbol, Symbol>;

struct Symmetry {
    /// All but the identity.
    permutations: Vec<Permutation>,
    /// For each variable, the fingerprints that a value has after each permutation.
    known: Vec<HashMap<Fingerprint, Arc<[Fingerprint]>, FingerprintHasher>>,
}

/// How many fingerprints are remembered of each variable's values.
const MOST_KNOWN: usize = 1 << 21;

/// How many permutations there may be at most: all of 9 values.
const MOST_PERMUTATIONS: usize = 362_880;

/// The fingerprints of a value after each permutation.
enum Forms {
    Same(Fingerprint),
    Each(Arc<[Fingerprint]>),
}

impl Symmetry {
    fn of(spec: &Spec) -> Result<Option<Self>, Box<TlaError>> {
        let Some(symmetry) = &spec.program().symmetry else { return Ok(None) };
        let wrong = |what: String| {
            let hint = "write Permutations(S) for a set S of model values, or a union of such sets";
            let message = format!("SYMMETRY {} {what}", symmetry.name);
            spec.report(Diagnostic::error(message).at(symmetry.expr.span).hint(hint))
        };
        let value = spec.constant_value(&symmetry.expr)?;
        let Value::Set(set) = &value else { return Err(wrong("is not a set of permutations".to_owned())) };
        let mut generators = Vec::new();
        for function in set.iter() {
            generators.push(permutation(&function).map_err(|why| wrong(format!("has an element that {why}")))?);
        }
        let Some(mut permutations) = group(&generators) else {
            return Err(wrong(format!("generates more than {MOST_PERMUTATIONS} permutations")));
        };
        permutations.retain(|permutation| !permutation.is_empty());
        let known = spec.program().variables.iter().map(|_| HashMap::default()).collect();
        Ok((!permutations.is_empty()).then_some(Self { permutations, known }))
    }

    /// The least fingerprint of all states that a state becomes, and by which permutation, if not by the identity.
    fn least(&mut self, values: &[Value]) -> Result<(Fingerprint, Option<usize>), ValueError> {
        let mut forms: SmallVec<[Forms; 8]> = SmallVec::new();
        for (value, known) in values.iter().zip(&mut self.known) {
            let fingerprint = value.fingerprint();
            if matches!(value, Value::Bool(_) | Value::Int(_) | Value::Str(_)) {
                forms.push(Forms::Same(fingerprint));
                continue;
            }
            let each = match known.get(&fingerprint) {
                Some(each) => Arc::clone(each),
                None => {
                    let form = |permutation| Ok(permuted(value, permutation)?.fingerprint());
                    let each: Arc<[_]> = self.permutations.iter().map(form).collect::<Result<_, ValueError>>()?;
                    if known.len() * each.len() > MOST_KNOWN {
                        known.clear();
                    }
                    known.insert(fingerprint, Arc::clone(&each));
                    each
                }
            };
            let is_fixed = each.iter().all(|form| *form == fingerprint);
            forms.push(if is_fixed { Forms::Same(fingerprint) } else { Forms::Each(each) });
        }
        let mut least = (Fingerprint::of_sequence(values.iter().map(Value::fingerprint)), None);
        if forms.iter().all(|form| matches!(form, Forms::Same(_))) {
            return Ok(least);
        }
        for at in 0..self.permutations.len() {
            let form = |forms: &Forms| match forms {
                Forms::Same(fingerprint) => *fingerprint,
                Forms::Each(each) => each[at],
            };
            let fingerprint = Fingerprint::of_sequence(forms.iter().map(form));
            if fingerprint.0 < least.0.0 {
                least = (fingerprint, Some(at));
            }
        }
        Ok(least)
    }
}

/// A function as a permutation, without what it leaves in place; or what is wrong with it.
fn permutation(function: &Value) -> Result<Permutation, &'static str> {
    let Value::Function(function) = function else { return Err("is not a function over model values") };
    let mut moved = Permutation::new();
    let mut images = HashSet::new();
    for (key, value) in function.iter() {
        let (Value::Model(key), Value::Model(value)) = (&key, value) else {
            return Err("is not a function from model values to model values");
        };
        images.insert(*value);
        moved.insert(*key, *value);
    }
    if moved.keys().any(|key| !images.contains(key)) {
        return Err("is not a permutation");
    }
    moved.retain(|key, value| key != value);
    Ok(moved)
}

/// All that permutations become by composition, the identity among them; nothing if that is too many.
fn group(generators: &[Permutation]) -> Option<Vec<Permutation>> {
    let sorted = |permutation: &Permutation| {
        let mut pairs: Vec<_> = permutation.iter().map(|(from, to)| (*from, *to)).collect();
        pairs.sort_unstable();
        pairs
    };
    let (mut known, mut all) = (HashSet::new(), Vec::new());
    let mut pending: VecDeque<Permutation> = VecDeque::from([Permutation::new()]);
    known.insert(Vec::new());
    while let Some(permutation) = pending.pop_front() {
        for generator in generators {
            let next = composed(&permutation, generator);
            if known.insert(sorted(&next)) {
                pending.push_back(next);
            }
        }
        all.push(permutation);
        if all.len() > MOST_PERMUTATIONS {
            return None;
        }
    }
    Some(all)
}

/// First one permutation, then the other.
fn composed(first: &Permutation, then: &Permutation) -> Permutation {
    let image = |value: Symbol| then.get(&value).copied().unwrap_or(value);
    let by_first = first.iter().map(|(from, to)| (*from, image(*to)));
    let by_then = then.iter().filter(|(from, _)| !first.contains_key(from)).map(|(from, to)| (*from, *to));
    by_first.chain(by_then).filter(|(from, to)| from != to).collect()
}

/// A value with its model values permuted.
fn permuted(value: &Value, permutation: &Permutation) -> Result<Value, ValueError> {
    Ok(match value {
        Value::Bool(_) | Value::Int(_) | Value::Str(_) => value.clone(),
        Value::Model(name) => Value::Model(permutation.get(name).copied().unwrap_or(*name)),
        Value::Tuple(tuple) => {
            Value::tuple(tuple.iter().map(|element| permuted(element, permutation)).collect::<Result<Vec<_>, _>>()?)?
        }
        Value::Function(function) => {
            let entry =
                |(key, value): (Value, &Value)| Ok((permuted(&key, permutation)?, permuted(value, permutation)?));
            Value::function(function.iter().map(entry).collect::<Result<Vec<_>, ValueError>>()?)?
        }
        Value::Set(set) if set.bounds().is_some() => value.clone(),
        Value::Set(set) => {
            Value::set(set.iter().map(|element| permuted(&element, permutation)).collect::<Result<Vec<_>, _>>()?)?
        }
        Value::Symbolic(_) | Value::Lambda(_) => permuted(&value.clone().normalize()?, permutation)?,
    })
}
