//! Infers the results of the operators of built-in modules.

use super::guess::Guess;

/// The guess for the result of an operator with these arguments.
pub(super) fn guess(name: &str, given: &[Guess]) -> Guess {
    match (name, given) {
        ("Nat", []) => Guess::set(Guess::NAT),
        ("Int" | "Real", []) => Guess::set(Guess::INT),
        ("BOOLEAN", []) => Guess::set(Guess::Bool),
        ("STRING", []) => Guess::set(Guess::Str),
        ("TRUE" | "FALSE", []) => Guess::Bool,
        ("..", [from, to]) => Guess::set(Guess::Int { min: limits(from).0, max: limits(to).1 }),
        ("+", [a, b]) => sum(limits(a), limits(b)),
        ("-", [a, b]) => sum(limits(a), negated(limits(b))),
        ("-.", [a]) => {
            let (min, max) = negated(limits(a));
            Guess::Int { min, max }
        }
        ("*" | "\\div" | "%" | "^", [_, _]) => Guess::INT,
        ("Len" | "Cardinality", [_]) => Guess::NAT,
        ("\\cup", [a, b]) => a.clone().or(b.clone()),
        ("\\cap" | "\\", [base, _]) => base.clone(),
        ("SUBSET", [base]) => Guess::set(base.clone()),
        ("UNION", [sets]) => sets.clone().element(),
        ("Seq" | "BoundedSeq" | "SeqOf", [elements, ..]) => Guess::set(Guess::seq(elements.clone().element())),
        ("Head" | "Last", [sequence]) => sequence.clone().applied(),
        ("Range", [function]) => Guess::set(function.clone().applied()),
        _ => Guess::Dynamic,
    }
}

/// The least and the greatest, as far as they are known.
type Limits = (Option<i64>, Option<i64>);

fn limits(guess: &Guess) -> Limits {
    match guess {
        Guess::Int { min, max } => (*min, *max),
        _ => (None, None),
    }
}

fn negated((min, max): Limits) -> Limits {
    (max.and_then(i64::checked_neg), min.and_then(i64::checked_neg))
}

fn sum((least, greatest): Limits, (other_least, other_greatest): Limits) -> Guess {
    let sum = |a: Option<i64>, b: Option<i64>| a.zip(b).and_then(|(a, b)| a.checked_add(b));
    Guess::Int { min: sum(least, other_least), max: sum(greatest, other_greatest) }
}
