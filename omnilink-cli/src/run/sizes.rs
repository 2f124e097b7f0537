//! Which sizes of runs failed how often.

use std::collections::BTreeMap;

use omnilink_trace::run::Fuzzed;
use serde::Serialize;

use crate::alike::rate::Rate;

/// Runs of fuzz loops by their sizes, if these vary.
#[derive(Debug, Default)]
pub struct BySize {
    /// Threads and operations; runs that failed, and all.
    seen: BTreeMap<(u64, u64), (u64, u64)>,
}

/// Runs of one size.
#[derive(Debug, Serialize)]
pub struct OfSize {
    threads: u64,
    /// Of each thread.
    operations: u64,
    #[serde(flatten)]
    rate: Rate,
}

impl BySize {
    /// Adds a run; one whose sizes did not vary tells nothing.
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

    /// Where runs fail most often, as far as that can be told: the size with the highest probability to fail that one can be
    /// sure of. One run of a size that failed says less than five of six of another.
    pub fn worst(&self) -> Option<String> {
        let all = self.all().into_iter().filter(|size| size.rate.failed > 0);
        let OfSize { threads, operations, rate } = all.max_by(|one, other| one.rate.low.total_cmp(&other.rate.low))?;
        Some(format!("fails most often at {threads} threads × {operations} operations: {rate}"))
    }
}
