//! Groups of failed runs with the same cause.
//!
//! Runs that failed in the same way have the same cause: the same conjunct of the same action was false after shrinking, the
//! same invariant was violated, or the program ended in the same function. One bug may cause different failures, so ways to
//! fail are joined if the runs give evidence for it:
//!
//! - *The same values.* Two conjuncts of one action are false for calls whose values were last used by calls of the same action.
//!   An element that is taken twice is missing at an empty queue, or at the front of one that is not empty, and in both
//!   cases another call took it before. An element that was taken too early was only enqueued before, and an invented
//!   element was in no call: these are other bugs, although the same conjunct may be false.
//! - *The same reason at another action.* Most smaller reasons of one way need the calls that fail in the other: a wrong "full" is
//!   revealed by a later call that returns an unexpected element. Such a way is joined with only one other, the most
//!   frequent, because it is not evidence that two others are one bug.
//! - *The same runs.* Runs that fail in both ways (crashed and rejected) are most of those that fail in the rarer way, and more
//!   than expected if the two were independent.
//!
//! None of this is proof. So a group lists all the ways in which its runs failed, with counts. A run that failed in two ways that
//! are not joined is in both groups.

use std::collections::{BTreeSet, HashMap};

use super::cause::{Cause, Origin, Way};

/// Failed runs, by the ways in which they failed.
pub struct Groups<T> {
    classes: Vec<Class<T>>,
}

/// Runs that failed for the same causes.
struct Class<T> {
    causes: Vec<Cause>,
    ways: Vec<Vec<Way>>,
    runs: Vec<T>,
}

/// Runs that failed for the same cause.
pub struct Group<T> {
    /// The ways in which they failed, with the number of runs; the most frequent first.
    pub causes: Vec<(Cause, u64)>,
    /// The runs; within each way in the order in which they were added.
    pub runs: Vec<T>,
}

/// The evidence on one way to fail.
struct Known {
    cause: Cause,
    /// The number of runs that failed in this way.
    count: u64,
    /// The actions of their smaller reasons, one set per reason.
    needed: Vec<BTreeSet<String>>,
    /// The origins of the values of the impossible calls, with the number of runs.
    origins: HashMap<Origin, u64>,
}

impl<T> Default for Groups<T> {
    fn default() -> Self {
        Self { classes: Vec::new() }
    }
}

impl<T: Clone> Groups<T> {
    /// The runs so far that failed for exactly these causes.
    pub fn alike(&self, ways: &[Way]) -> &[T] {
        self.position(ways).map_or(&[], |at| &self.classes[at].runs)
    }

    /// Adds a run.
    pub fn add(&mut self, ways: Vec<Way>, run: T) {
        let at = self.position(&ways).unwrap_or_else(|| {
            let causes = ways.iter().map(|way| way.cause.clone()).collect();
            self.classes.push(Class { causes, ways: Vec::new(), runs: Vec::new() });
            self.classes.len() - 1
        });
        self.classes[at].ways.push(ways);
        self.classes[at].runs.push(run);
    }

    fn position(&self, ways: &[Way]) -> Option<usize> {
        self.classes.iter().position(|class| class.causes.iter().eq(ways.iter().map(|way| &way.cause)))
    }

    /// All runs.
    pub fn runs(&self) -> impl Iterator<Item = &T> {
        self.classes.iter().flat_map(|class| &class.runs)
    }

    /// The groups, the largest first; `runs` is the number of all runs, including those that did not fail.
    pub fn finish(self, runs: u64) -> Vec<Group<T>> {
        let known = self.known();
        let leaders = self.joined(&known, runs);
        let place: HashMap<&Cause, usize> = known.iter().enumerate().map(|(at, way)| (&way.cause, at)).collect();
        let mut groups: HashMap<usize, Group<T>> = HashMap::new();
        for (at, way) in known.iter().enumerate() {
            let group = groups.entry(leaders[at]).or_insert_with(|| Group { causes: Vec::new(), runs: Vec::new() });
            group.causes.push((way.cause.clone(), way.count));
        }
        for class in &self.classes {
            let of_class: BTreeSet<usize> = class.causes.iter().map(|cause| leaders[place[cause]]).collect();
            for leader in of_class {
                groups.get_mut(&leader).expect("every way has a group").runs.extend_from_slice(&class.runs);
            }
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(leader, group)| (std::cmp::Reverse(group.runs.len()), *leader));
        let sorted = groups.into_iter().map(|(_, mut group)| {
            group.causes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            group
        });
        sorted.collect()
    }

    /// The ways, in the order in which they were first seen.
    fn known(&self) -> Vec<Known> {
        let mut known: Vec<Known> = Vec::new();
        for way in self.classes.iter().flat_map(|class| &class.ways).flatten() {
            let at = known.iter().position(|known| known.cause == way.cause).unwrap_or_else(|| {
                let cause = way.cause.clone();
                known.push(Known { cause, count: 0, needed: Vec::new(), origins: HashMap::new() });
                known.len() - 1
            });
            known[at].count += 1;
            known[at].needed.extend(Some(way.needed.clone()).filter(|needed| !needed.is_empty()));
            if let Some(origin) = &way.origin {
                *known[at].origins.entry(origin.clone()).or_default() += 1;
            }
        }
        known
    }

    /// For each way, the first way of its group.
    fn joined(&self, known: &[Known], runs: u64) -> Vec<usize> {
        let mut leaders: Vec<usize> = (0..known.len()).collect();
        let mut join = |one: usize, other: usize| {
            let (from, to) = (leaders[one].max(leaders[other]), leaders[one].min(leaders[other]));
            leaders.iter_mut().filter(|leader| **leader == from).for_each(|leader| *leader = to);
        };
        for (at, one) in known.iter().enumerate() {
            for (before, other) in known[..at].iter().enumerate() {
                if one.has_values_of(other) || self.come_together(one, other, runs) {
                    join(at, before);
                }
            }
            let followed = (0..known.len()).filter(|other| *other != at && one.follows(&known[*other]));
            if let Some(other) = followed.max_by_key(|other| (known[*other].count, std::cmp::Reverse(*other))) {
                join(at, other);
            }
        }
        leaders
    }

    /// Whether runs fail in both ways so often that the two are connected.
    fn come_together(&self, one: &Known, other: &Known, runs: u64) -> bool {
        let is_both = |class: &&Class<T>| class.causes.contains(&one.cause) && class.causes.contains(&other.cause);
        let both: u64 = self.classes.iter().filter(is_both).map(|class| class.runs.len() as u64).sum();
        let rarer = one.count.min(other.count);
        // Independent ways would coincide in `one.count * other.count / runs` runs. Some schedules reveal any bug more often than
        // others, so a slightly larger number is not evidence.
        let is_unexpected = 4 * both * runs > 5 * one.count * other.count;
        both == rarer || 4 * both >= 3 * rarer && is_unexpected
    }
}

impl Known {
    fn is_of_same_spec(&self, other: &Self) -> bool {
        self.cause.spec().is_some_and(|spec| other.cause.spec() == Some(spec))
    }

    /// Whether the values of impossible calls of one action come from calls of the same action, in most runs of both ways.
    fn has_values_of(&self, other: &Self) -> bool {
        let is_same_action = self.cause.action().is_some_and(|action| other.cause.action() == Some(action));
        let share = |way: &Self, origin| {
            let all: u64 = way.origins.values().sum();
            way.origins.get(origin).copied().unwrap_or(0) as f64 / all as f64
        };
        let common: f64 = self.origins.keys().map(|origin| share(self, origin).min(share(other, origin))).sum();
        is_same_action && self.is_of_same_spec(other) && common >= 0.5
    }

    /// Whether most of its smaller reasons contain all actions of a smaller reason for another action.
    fn follows(&self, other: &Self) -> bool {
        let (Some(action), Some(others)) = (self.cause.action(), other.cause.action()) else { return false };
        let is_part = |needed: &&BTreeSet<String>| other.needed.iter().any(|less| less.is_subset(needed));
        let parts = self.needed.iter().filter(is_part).count();
        action != others && self.is_of_same_spec(other) && 2 * parts > self.needed.len()
    }
}

#[cfg(test)]
mod tests {
    use omnilink_record::store::Failing;

    use super::*;

    fn rejected(action: &str, conjunct: &str, needed: &[&str], origin: Option<Origin>) -> Way {
        let failing = Failing { action: action.to_owned(), conjunct: conjunct.to_owned(), place: None };
        let cause = Cause::Rejected { spec: "S".to_owned(), failing: Some(failing) };
        Way { cause, needed: needed.iter().map(ToString::to_string).collect(), origin }
    }

    fn crashed(text: &str) -> Way {
        Way::of(Cause::Ending { kind: "crashed".to_owned(), text: text.to_owned() })
    }

    fn from(action: &str) -> Option<Origin> {
        Some(Origin::Call(action.to_owned(), 1))
    }

    /// The sizes of the groups, with their causes, among this many runs.
    fn groups(runs: u64, failures: &[Vec<Way>]) -> Vec<(usize, Vec<String>)> {
        let mut groups = Groups::default();
        failures.iter().for_each(|ways| groups.add(ways.clone(), ()));
        let said = |group: Group<()>| {
            (group.runs.len(), group.causes.iter().map(|(cause, count)| format!("{count} {cause}")).collect())
        };
        groups.finish(runs).into_iter().map(said).collect()
    }

    #[test]
    fn runs_that_fail_in_the_same_way_are_one_group_and_others_are_not() {
        let found = groups(
            9,
            &[
                vec![rejected("Pop", "x", &["Pop"], None)],
                vec![crashed("here")],
                vec![rejected("Pop", "x", &["Pop", "Push"], None)],
                vec![crashed("there")],
                vec![rejected("Push", "x", &["Push"], None)],
                vec![rejected("Pop", "y", &["Pop"], None)],
            ],
        );
        assert_eq!(found.iter().map(|(count, _)| *count).collect::<Vec<_>>(), [2, 1, 1, 1, 1], "{found:?}");
        assert_eq!(found[0].1, ["2 Pop of S: x is FALSE"]);
    }

    #[test]
    fn conjuncts_of_one_action_belong_together_if_the_values_come_from_the_same_calls() {
        let twice = |conjunct| vec![rejected("Pop", conjunct, &["Pop"], from("Pop"))];
        let early = |conjunct| vec![rejected("Pop", conjunct, &["Pop"], from("Push"))];
        let invented = |conjunct| vec![rejected("Pop", conjunct, &["Pop"], Some(Origin::Nowhere))];
        assert_eq!(groups(9, &[twice("empty"), twice("front")]).len(), 1);
        assert_eq!(groups(9, &[invented("empty"), invented("front")]).len(), 1);
        assert_eq!(groups(9, &[invented("empty"), early("front")]).len(), 2);
        // Some of the invented elements are at the front of a queue that is not empty.
        let found =
            groups(9, &[invented("empty"), invented("empty"), early("front"), early("front"), invented("front")]);
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn ways_that_one_run_fails_in_belong_together_unless_that_is_chance() {
        let pop = || rejected("Pop", "x", &["Pop"], None);
        let found = groups(9, &[vec![crashed("here")], vec![pop()], vec![crashed("here"), pop()]]);
        assert_eq!(found.len(), 2, "half of either come without the other");
        let found = groups(9, &[vec![pop()], vec![pop()], vec![crashed("here"), pop()]]);
        assert_eq!(found, [(3, vec!["3 Pop of S: x is FALSE".to_owned(), "1 crashed: here".to_owned()])]);
        let both = || vec![crashed("here"), pop()];
        let often = || [vec![crashed("here")], both(), both(), both(), vec![pop()]];
        assert_eq!(groups(100, &often()).len(), 1, "rare, and nearly always together");
        let found = groups(5, &often());
        assert_eq!(found.iter().map(|(count, _)| *count).collect::<Vec<_>>(), [4, 4], "as frequent as chance has it");
    }

    #[test]
    fn a_reason_that_needs_the_wrong_calls_of_another_joins_it() {
        let full = || vec![rejected("Full", "full", &["Full"], None)];
        let found = groups(9, &[vec![rejected("Pop", "front", &["Full", "Pop"], from("Push"))], full()]);
        assert_eq!(found.len(), 1, "{found:?}");
        let found = groups(9, &[vec![rejected("Pop", "front", &["Push", "Pop"], from("Push"))], full()]);
        assert_eq!(found.len(), 2, "{found:?}");
        // A way that could follow from either of two bugs does not join them.
        let empty = vec![rejected("Empty", "empty", &["Empty"], None)];
        let found =
            groups(9, &[vec![rejected("Pop", "front", &["Full", "Empty", "Pop"], None)], full(), full(), empty]);
        assert_eq!(found.iter().map(|(count, _)| *count).collect::<Vec<_>>(), [3, 1], "{found:?}");
    }
}
