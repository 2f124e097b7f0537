//! What can be set, from where, and what it comes to.

use std::path::PathBuf;
use std::time::Duration;

use super::error::FuzzError;
use super::sizes::Sizes;

/// Threads, if nobody says how many.
pub(super) const DEFAULT_THREADS: usize = 4;
/// Operations per thread, if nobody sets any limit.
pub(super) const DEFAULT_OPERATIONS: u64 = 1000;
/// Unsupported attempts in a row after which a thread ends, if nobody says how many.
pub(super) const DEFAULT_CONSECUTIVE_FAILURES: u64 = 10_000;

/// A limit that was given; `Unlimited` lifts what a lower layer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit<T> {
    At(T),
    Unlimited,
}

impl<T> Limit<T> {
    fn at(self) -> Option<T> {
        match self {
            Self::At(limit) => Some(limit),
            Self::Unlimited => None,
        }
    }
}

/// What one layer (command line, environment or builder) says; `None` leaves it to the layer below.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Settings {
    pub threads: Option<usize>,
    pub operations: Option<Limit<u64>>,
    pub total_operations: Option<Limit<u64>>,
    pub duration: Option<Limit<Duration>>,
    pub seed: Option<u64>,
    /// By name of the action; for a name given twice the first counts.
    pub weights: Vec<(String, u32)>,
    pub trace_directory: Option<PathBuf>,
    pub consecutive_failures: Option<u64>,
    /// What counts instead of the defaults.
    pub sizes: Option<Sizes>,
}

impl Settings {
    /// These settings, and for what they leave open those of `below`.
    pub fn over(mut self, below: Self) -> Self {
        self.weights.extend(below.weights);
        Self {
            threads: self.threads.or(below.threads),
            operations: self.operations.or(below.operations),
            total_operations: self.total_operations.or(below.total_operations),
            duration: self.duration.or(below.duration),
            seed: self.seed.or(below.seed),
            weights: self.weights,
            trace_directory: self.trace_directory.or(below.trace_directory),
            consecutive_failures: self.consecutive_failures.or(below.consecutive_failures),
            sizes: self.sizes.or(below.sizes),
        }
    }

    /// The weight of the action `name`.
    pub fn weight(&self, name: &str) -> u32 {
        self.weights.iter().find(|(action, _)| action == name).map_or(1, |&(_, weight)| weight)
    }

    /// The limits that all layers together come to.
    pub fn limits(&self) -> Result<Limits, FuzzError> {
        let nobody_set_a_limit =
            self.operations.is_none() && self.total_operations.is_none() && self.duration.is_none();
        let limits = Limits {
            threads: self.threads.unwrap_or(self.sizes.map_or(DEFAULT_THREADS, |sizes| sizes.threads)),
            operations: match self.operations {
                None if nobody_set_a_limit => Some(self.sizes.map_or(DEFAULT_OPERATIONS, |sizes| sizes.operations)),
                given => given.and_then(Limit::at),
            },
            total_operations: self.total_operations.and_then(Limit::at),
            duration: self.duration.and_then(Limit::at),
            consecutive_failures: self.consecutive_failures.unwrap_or(DEFAULT_CONSECUTIVE_FAILURES),
            are_varied: self.sizes.is_some() && (self.threads.is_none() || nobody_set_a_limit),
        };
        let zero = |setting| Err(FuzzError::ZeroSetting { setting });
        match limits {
            Limits { threads: 0, .. } => zero("threads"),
            Limits { operations: Some(0), .. } => zero("operations"),
            Limits { total_operations: Some(0), .. } => zero("total_operations"),
            Limits { duration: Some(Duration::ZERO), .. } => zero("duration"),
            Limits { consecutive_failures: 0, .. } => zero("consecutive_failures"),
            limits => Ok(limits),
        }
    }
}

/// How many threads there are and when each of them ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limits {
    pub threads: usize,
    pub operations: Option<u64>,
    pub total_operations: Option<u64>,
    pub duration: Option<Duration>,
    pub consecutive_failures: u64,
    /// The number of threads or of operations is one that whoever makes many runs has chosen.
    pub are_varied: bool,
}

impl Limits {
    /// How many operations no thread performs more than, if there is such a number.
    pub fn at_most(&self) -> Option<u64> {
        Some(self.quota(0)).filter(|quota| *quota < u64::MAX)
    }

    /// How many operations `thread` may perform.
    ///
    /// The total is divided beforehand, the remainder going to the first threads. A counter that all threads share
    /// would make the length of each depend on the schedule, and its cache line would order the threads' steps:
    /// races in the system under test would hide behind ours.
    pub fn quota(&self, thread: usize) -> u64 {
        let share = self.total_operations.map_or(u64::MAX, |total| {
            let threads = self.threads as u64;
            total / threads + u64::from((thread as u64) < total % threads)
        });
        self.operations.unwrap_or(u64::MAX).min(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_wins_over_the_ones_below_setting_by_setting() {
        let command_line = Settings { threads: Some(2), weights: vec![("A".into(), 5)], ..Settings::default() };
        let environment = Settings { threads: Some(3), seed: Some(1), ..Settings::default() };
        let builder = Settings {
            threads: Some(4),
            seed: Some(2),
            weights: vec![("A".into(), 7), ("B".into(), 8)],
            trace_directory: Some("t".into()),
            ..Settings::default()
        };
        let all = command_line.over(environment).over(builder);
        assert_eq!((all.threads, all.seed, all.trace_directory.clone()), (Some(2), Some(1), Some("t".into())));
        assert_eq!((all.weight("A"), all.weight("B"), all.weight("C")), (5, 8, 1));
    }

    #[test]
    fn the_default_limit_holds_only_if_nobody_set_any() {
        let limits = |settings: Settings| settings.limits().unwrap();
        assert_eq!(limits(Settings::default()).operations, Some(DEFAULT_OPERATIONS));
        let second = Limit::At(Duration::from_secs(1));
        assert_eq!(limits(Settings { duration: Some(second), ..Settings::default() }).operations, None);
        assert_eq!(limits(Settings { total_operations: Some(Limit::At(5)), ..Settings::default() }).operations, None);
        assert_eq!(limits(Settings { operations: Some(Limit::Unlimited), ..Settings::default() }).operations, None);
    }

    #[test]
    fn unlimited_lifts_the_limit_of_a_lower_layer() {
        let command_line = Settings { operations: Some(Limit::Unlimited), ..Settings::default() };
        let builder = Settings { operations: Some(Limit::At(10)), ..Settings::default() };
        assert_eq!(command_line.over(builder).limits().unwrap().quota(0), u64::MAX);
    }

    #[test]
    fn the_total_is_divided_without_rest() {
        let settings = |operations| Settings {
            threads: Some(3),
            operations,
            total_operations: Some(Limit::At(11)),
            ..Settings::default()
        };
        let quotas = |settings: Settings| {
            let limits = settings.limits().unwrap();
            [0, 1, 2].map(|thread| limits.quota(thread))
        };
        assert_eq!(quotas(settings(None)), [4, 4, 3]);
        assert_eq!(quotas(settings(Some(Limit::At(3)))), [3, 3, 3]);
    }

    #[test]
    fn sizes_count_for_what_nobody_else_says() {
        let sizes = Some(Sizes { threads: 3, operations: 20 });
        let limits = |settings: Settings| {
            let limits = Settings { sizes, ..settings }.limits().unwrap();
            (limits.threads, limits.operations, limits.are_varied)
        };
        assert_eq!(limits(Settings::default()), (3, Some(20), true));
        assert_eq!(limits(Settings { threads: Some(2), ..Settings::default() }), (2, Some(20), true));
        let second = Settings { duration: Some(Limit::At(Duration::from_secs(1))), ..Settings::default() };
        assert_eq!(limits(second), (3, None, true));
        let both = Settings { threads: Some(2), operations: Some(Limit::At(7)), ..Settings::default() };
        assert_eq!(limits(both), (2, Some(7), false));
    }

    #[test]
    fn zero_is_refused() {
        let error = Settings { threads: Some(0), ..Settings::default() }.limits().unwrap_err();
        assert_eq!(error.to_string(), "`threads` is 0, but must be at least 1");
    }
}
