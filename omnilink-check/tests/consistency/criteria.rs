//! The criteria that histories are checked for.

use omnilink_check::consistency::{Axiom, Criteria, Criterion, NAMES, Relation};
use omnilink_check::model::Call;

use crate::random::Random;
use crate::toys::Input;

pub fn named(name: &str) -> Criteria {
    Criteria::uniform(Criterion::named(name).expect("a criterion"))
}

/// Up to three axioms of up to three relations each.
pub fn random_axioms(random: &mut Random) -> Criterion {
    let relations = [Relation::Po, Relation::Hb, Relation::Lin, Relation::Vis];
    let axioms = (0..1 + random.below(3)).map(|_| Axiom {
        left: if random.chance(15) { Relation::Lin } else { Relation::Vis },
        right: (0..1 + random.below(3)).map(|_| relations[random.below(4)]).collect(),
    });
    Criterion::of(axioms.collect())
}

/// Criteria that differ by operation.
pub fn random_criteria(calls: &[Call<Input, i64>], random: &mut Random) -> Criteria {
    let one = |random: &mut Random| match random.below(4) {
        0 => random_axioms(random),
        1 => Criterion::linearizable(),
        _ => Criterion::named(NAMES[random.below(NAMES.len())]).expect("a criterion"),
    };
    let general = one(random);
    let mut special: Vec<(String, Criterion)> = Vec::new();
    for _ in 0..random.below(3) {
        let name = random.pick(calls).input.0;
        if special.iter().all(|(known, _)| known != name) {
            special.push((name.to_owned(), one(random)));
        }
    }
    let criteria = Criteria { general, special };
    if criteria.validate().is_err() || random.chance(15) { criteria.in_real_time() } else { criteria }
}
