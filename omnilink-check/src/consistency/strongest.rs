//! The strongest criteria that a history satisfies.

use super::criterion::{Criteria, Criterion, NAMES};

/// Whether a history satisfies criteria.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// Nobody knows.
    Unknown,
}

/// The strongest criteria that a history satisfies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Strongest {
    /// Of all calls: criteria that are satisfied, none of which follows from another one.
    pub general: Vec<String>,
    /// Of one operation while all others are linearizable: the operation and such criteria.
    pub by_operation: Vec<(String, Vec<String>)>,
    /// Criteria of which nobody knows, and which none that is satisfied implies.
    pub unknown: Vec<String>,
    /// Configurations visited.
    pub configurations: u64,
}

/// Asks for every criterion that has a name and does not follow from what is known; then, unless the history is linearizable, for each operation what it
/// satisfies while all others are linearizable.
///
/// # Errors
/// Those of `decide`.
pub fn strongest<E>(
    operations: &[&str],
    mut decide: impl FnMut(&Criteria) -> Result<Decided, E>,
) -> Result<Strongest, E> {
    let mut found = Strongest::default();
    let (general, unknown) = strongest_of(|criterion| decide(&Criteria::uniform(criterion)))?;
    found.unknown = unknown;
    let is_linearizable = general.contains(&"linearizable");
    found.general = general.into_iter().map(str::to_owned).collect();
    if is_linearizable {
        return Ok(found);
    }
    for operation in operations {
        let mut ask = |criterion: Criterion| match criterion.name.as_str() {
            // Then all of them are.
            "linearizable" => Ok(Decided::No),
            _ => decide(&Criteria::weakened(operation, criterion)),
        };
        let (satisfied, unknown) = strongest_of(&mut ask)?;
        found.unknown.extend(unknown.iter().map(|name| format!("linearizable, {operation}: {name}")));
        if !satisfied.is_empty() {
            let satisfied = satisfied.into_iter().map(str::to_owned).collect();
            found.by_operation.push(((*operation).to_owned(), satisfied));
        }
    }
    Ok(found)
}

/// The strongest criteria that are satisfied, and those that nobody knows of. A criterion that another one implies which is satisfied
/// need not be asked for, nor one that implies another one which is not.
fn strongest_of<E>(
    mut decide: impl FnMut(Criterion) -> Result<Decided, E>,
) -> Result<(Vec<&'static str>, Vec<String>), E> {
    let (mut yes, mut no, mut unknown): (Vec<&str>, Vec<&str>, Vec<&str>) = Default::default();
    // The strongest first: they leave the fewest linearizations and visibilities, and the others follow from one that is satisfied.
    for name in NAMES {
        let implies = |one: &str, other: &str| Criterion::implies(one, other);
        if yes.contains(&name) || no.iter().any(|weaker| implies(name, weaker)) {
            continue;
        }
        if yes.iter().any(|stronger| implies(stronger, name)) {
            continue;
        }
        match decide(Criterion::named(name).expect("it has this name"))? {
            Decided::Yes => yes.push(name),
            Decided::No => no.push(name),
            Decided::Unknown => unknown.push(name),
        }
    }
    let is_implied = |name: &&str| yes.iter().any(|other| other != name && Criterion::implies(other, name));
    let strongest: Vec<&'static str> =
        NAMES.into_iter().filter(|name| yes.contains(name) && !is_implied(name)).collect();
    let unknown = unknown.into_iter().filter(|name| !strongest.iter().any(|it| Criterion::implies(it, name)));
    Ok((strongest.clone(), unknown.map(str::to_owned).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks about a history that satisfies these criteria and what follows from them.
    fn ask(holds: &[&str]) -> (Vec<&'static str>, Vec<String>) {
        let decide = |criterion: Criterion| {
            let holds = holds.iter().any(|strong| Criterion::implies(strong, &criterion.name));
            Ok::<_, ()>(if holds { Decided::Yes } else { Decided::No })
        };
        strongest_of(decide).unwrap()
    }

    #[test]
    fn the_strongest_are_found() {
        assert_eq!(ask(&["linearizable"]).0, ["linearizable"]);
        assert_eq!(ask(&["sequential", "weak"]).0, ["sequential", "weak"]);
        assert_eq!(ask(&["causal"]).0, ["causal"]);
        assert_eq!(ask(&["weak", "monotonic-reads"]).0, ["weak", "monotonic-reads"]);
        assert_eq!(ask(&["return-value"]).0, ["return-value"]);
        assert!(ask(&[]).0.is_empty());
    }

    #[test]
    fn what_nobody_knows_is_told() {
        let decide = |criterion: Criterion| {
            Ok::<_, ()>(match criterion.name.as_str() {
                "linearizable" => Decided::No,
                "sequential" | "causal" => Decided::Unknown,
                _ => Decided::Yes,
            })
        };
        let (strongest, unknown) = strongest_of(decide).unwrap();
        assert_eq!(strongest, ["weak", "monotonic-reads", "monotonic-writes"]);
        assert_eq!(unknown, ["sequential", "causal"]);
    }
}
