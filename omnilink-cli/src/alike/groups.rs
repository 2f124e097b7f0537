//! Which runs failed for the same cause.
//!
//! A bug does not always show itself in the same way. So runs are in one group if
//!
//! - they failed in the same way: the same false conjunct of the same action after shrinking, the same invariant, the same ending;
//! - or one run failed in both ways: it crashed, and what it did until then is not allowed;
//! - or their smaller reasons need calls of the same actions: an element that is taken twice is missing from a queue that is empty
//!   by then, or from the front of one that is not; or that of the one needs only some of the actions of the other, which
//!   has just taken longer to come to light.
//!
//! That two bugs end up in one group is possible; so a group tells all the ways in which its runs failed, and how often.

use std::collections::BTreeSet;

use super::cause::Cause;

/// Runs that failed, by the ways in which they did.
pub struct Groups<T> {
    classes: Vec<Class<T>>,
}

/// Runs that failed in exactly the same ways.
struct Class<T> {
    causes: Vec<Cause>,
    needed: BTreeSet<String>,
    runs: Vec<T>,
}

/// Runs that failed for the same cause.
pub struct Group<T> {
    /// The ways in which they did, and how many runs in each; the most frequent first.
    pub causes: Vec<(Cause, u64)>,
    /// The runs, as they were added within each way.
    pub runs: Vec<T>,
    needed: Vec<BTreeSet<String>>,
}

impl<T> Default for Groups<T> {
    fn default() -> Self {
        Self { classes: Vec::new() }
    }
}

impl<T> Groups<T> {
    /// Those that failed in exactly these ways so far, before a further one is added.
    pub fn of(&mut self, causes: Vec<Cause>, needed: BTreeSet<String>) -> &mut Vec<T> {
        let same = |class: &Class<T>| class.causes == causes && class.needed == needed;
        let at = self.classes.iter().position(same).unwrap_or_else(|| {
            self.classes.push(Class { causes, needed, runs: Vec::new() });
            self.classes.len() - 1
        });
        &mut self.classes[at].runs
    }

    /// All runs.
    pub fn runs(&self) -> impl Iterator<Item = &T> {
        self.classes.iter().flat_map(|class| &class.runs)
    }

    /// The groups, the largest first.
    pub fn finish(mut self) -> Vec<Group<T>> {
        // What needs less comes first, so that what needs more can join it; of these, what is more frequent.
        self.classes.sort_by_key(|class| (class.needed.len(), std::cmp::Reverse(class.runs.len())));
        let mut groups: Vec<Group<T>> = Vec::new();
        for class in self.classes {
            let shares = |group: &Group<T>| group.causes.iter().any(|(cause, _)| class.causes.contains(cause));
            let (mut joined, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(shares);
            groups = others;
            if joined.is_empty() {
                let larger = (0..groups.len()).filter(|at| groups[*at].is_part_of(&class));
                joined.extend(larger.max_by_key(|at| groups[*at].runs.len()).map(|at| groups.remove(at)));
            }
            let mut group = Group { causes: Vec::new(), runs: Vec::new(), needed: Vec::new() };
            joined.into_iter().for_each(|other| group.take(other.causes, other.runs, other.needed));
            let count = class.runs.len() as u64;
            let causes = class.causes.into_iter().map(|cause| (cause, count)).collect();
            group.take(causes, class.runs, vec![class.needed]);
            groups.push(group);
        }
        for group in &mut groups {
            group.causes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group.runs.len()));
        groups
    }
}

impl<T> Group<T> {
    /// Whether a smaller reason of its runs needs only actions that one of other runs needs.
    fn is_part_of(&self, class: &Class<T>) -> bool {
        let specs = || class.causes.iter().filter_map(Cause::spec);
        let is_of_same =
            self.causes.iter().any(|(cause, _)| cause.spec().is_some_and(|spec| specs().any(|it| it == spec)));
        let is_less = |needed: &BTreeSet<String>| !needed.is_empty() && needed.is_subset(&class.needed);
        is_of_same && self.needed.iter().any(is_less)
    }

    fn take(&mut self, causes: Vec<(Cause, u64)>, runs: Vec<T>, needed: Vec<BTreeSet<String>>) {
        for (cause, count) in causes {
            match self.causes.iter_mut().find(|(known, _)| *known == cause) {
                Some((_, known)) => *known += count,
                None => self.causes.push((cause, count)),
            }
        }
        self.runs.extend(runs);
        self.needed.extend(needed);
    }
}

#[cfg(test)]
mod tests {
    use omnilink_record::store::Failing;

    use super::*;

    fn rejected(action: &str) -> Cause {
        let failing = Failing { action: action.to_owned(), conjunct: "x".to_owned(), place: None };
        Cause::Rejected { spec: "S".to_owned(), failing: Some(failing) }
    }

    fn crashed(text: &str) -> Cause {
        Cause::Ending { kind: "crashed".to_owned(), text: text.to_owned() }
    }

    /// The sizes of the groups, with what is said of each.
    fn groups(failures: &[(&[Cause], &[&str])]) -> Vec<(usize, Vec<String>)> {
        let mut groups = Groups::default();
        for (causes, needed) in failures {
            groups.of(causes.to_vec(), needed.iter().map(ToString::to_string).collect()).push(());
        }
        let said = |group: Group<()>| {
            (group.runs.len(), group.causes.iter().map(|(cause, count)| format!("{count} {cause}")).collect())
        };
        groups.finish().into_iter().map(said).collect()
    }

    #[test]
    fn runs_that_fail_in_the_same_way_are_one_group_and_others_are_not() {
        let found = groups(&[
            (&[rejected("Pop")], &["Pop"]),
            (&[crashed("here")], &[]),
            (&[rejected("Pop")], &["Pop", "Push"]),
            (&[crashed("there")], &[]),
            (&[rejected("Push")], &["Push"]),
        ]);
        assert_eq!(found.iter().map(|(count, _)| *count).collect::<Vec<_>>(), [2, 1, 1, 1], "{found:?}");
        assert_eq!(found[0].1, ["2 Pop of S: x is FALSE"]);
    }

    #[test]
    fn ways_that_one_run_fails_in_belong_together() {
        let found = groups(&[
            (&[crashed("here")], &[]),
            (&[rejected("Pop")], &["Pop"]),
            (&[crashed("here"), rejected("Pop")], &["Pop"]),
        ]);
        assert_eq!(found, [(3, vec!["2 crashed: here".to_owned(), "2 Pop of S: x is FALSE".to_owned()])]);
    }

    #[test]
    fn a_reason_that_needs_more_joins_one_that_needs_less() {
        let found = groups(&[(&[rejected("Pop")], &["Full", "Pop"]), (&[rejected("Full")], &["Full"])]);
        assert_eq!(found.len(), 1, "{found:?}");
        let found = groups(&[(&[rejected("Pop, as it is empty")], &["Pop"]), (&[rejected("Pop")], &["Pop"])]);
        assert_eq!(found.len(), 1, "{found:?}");
        let found = groups(&[(&[rejected("Pop")], &["Push", "Pop"]), (&[rejected("Full")], &["Full"])]);
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
