//! Failure rates by size.

use std::collections::BTreeMap;

use omnilink_trace::run::Fuzzed;
use serde::Serialize;

use crate::alike::rate::Rate;

/// Runs of fuzz loops by size, if sizes vary.
#[derive(Debug, Default)]
pub struct BySize {
    /// By threads and operations: the number of failed runs, and of all runs.
    seen: BTreeMap<(u64, u64), (u64, u64)>,
}

/// Runs of one size.
#[derive(Debug, Serialize)]
pub struct OfSize {
    threads: u64,
    /// Operations per thread.
    operations: u64,
    #[serde(flatten)]
    rate: Rate,
}

impl BySize {
    /// Adds a run; runs whose sizes did not vary are ignored.
    pub fn add(&mut self, fuzz: Option<&Fuzzed>, failed: bool) {
        if let Some(Fuzzed { threads, operations: Some(operations), varied: true }) = fuzz {
            let (failures, runs) = self.seen.entry((*threads, *operations)).or_default();
            *failures += u64::from(failed);
            *runs += 1;
        }
    }

    /// Whether no run had varied sizes.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// All sizes.
    pub fn all(&self) -> Vec<OfSize> {
        let of_size = |(&(threads, operations), &(failed, runs)): (&(u64, u64), &(u64, u64))| OfSize {
            threads,
            operations,
            rate: Rate::of(failed, runs),
        };
        self.seen.iter().map(of_size).collect()
    }

    /// The size with the highest failure rate, compared by the lower ends of the confidence intervals: one failure in one run
    /// is weaker evidence than five failures in six runs.
    pub fn worst(&self) -> Option<String> {
        let all = self.all().into_iter().filter(|size| size.rate.failed > 0);
        let OfSize { threads, operations, rate } = all.max_by(|one, other| one.rate.low.total_cmp(&other.rate.low))?;
        Some(format!("fails most often at {threads} threads × {operations} operations: {rate}"))
    }
}
