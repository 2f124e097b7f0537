//! How large a run is, if nobody says: other sizes in every run.
//!
//! How many threads and operations show a bug most often differs by an order of magnitude between bugs: one needs two threads
//! that meet within a few calls, another a table that has to grow first. Nobody knows which before it is found. So sizes
//! are drawn for every run, with equal probability for each order of magnitude: whatever the best size of a bug is, a good
//! share of all runs is near it.
//!
//! The program is told by a variable of its environment. OmniLink's fuzz loop takes the sizes for those that neither its command
//! line nor its environment nor its code gives; other programs do not know the variable. It is part of the plan like every
//! other variable, so a replay has it, too.

use std::fmt;

use crate::seed::Luck;

/// The variable that tells a fuzz loop its sizes.
pub const VARIABLE: &str = "OMNILINK_VARY";

/// From 2 to 8, the smaller ones more often, so that each factor is equally likely.
const THREADS: [u64; 11] = [2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8];
/// From 2 to 300, in steps of about one and a half.
const OPERATIONS: [u64; 14] = [2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300];

/// How large a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sizes {
    /// Threads that call the system.
    pub threads: u64,
    /// Operations of each.
    pub operations: u64,
}

impl Sizes {
    /// The sizes of the run with this seed.
    pub fn of_run(seed: u64) -> Self {
        let mut luck = Luck::new(seed, "sizes");
        Self { threads: luck.pick(&THREADS), operations: luck.pick(&OPERATIONS) }
    }
}

/// As the variable has it.
impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.threads, self.operations)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::seed::derive;

    #[test]
    fn every_size_comes_up_and_stays_what_it_was() {
        let mut seen: BTreeMap<Sizes, u64> = BTreeMap::new();
        for number in 0..20_000 {
            *seen.entry(Sizes::of_run(derive(7, number))).or_default() += 1;
        }
        assert_eq!(seen.len(), 7 * OPERATIONS.len());
        assert!(seen.values().all(|count| *count > 50), "{seen:?}");
        assert_eq!(Sizes::of_run(1).to_string(), "7x70");
    }
}
