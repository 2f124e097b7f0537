//! The number of calls that are open at once, which determines the cost of a check.

use std::collections::{BTreeSet, HashMap};

use omnilink_trace::LaneId;

/// A sweep over calls in the order of their starts.
///
/// Timeboxes are closed intervals, so a call that ends at tick 5 overlaps one that starts at tick 5. Within a lane
/// calls cannot overlap: where the clock's uncertainty widened a timebox beyond the start of the lane's next call, that start
/// is its end.
#[derive(Debug, Default)]
pub struct OpenCalls {
    /// Calls that may still be open, by their end. A call that never ended is at the end of time.
    by_end: BTreeSet<(u64, LaneId)>,
    /// The last call of each lane: start and end.
    last: HashMap<LaneId, (u64, u64)>,
    first_start: Option<u64>,
    /// The last clock reading seen.
    latest: u64,
    /// Sum of the lengths of all closed calls.
    total: u128,
    most: usize,
}

/// What the sweep found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// Calls open at a moment between the first start and the last end, on average; `None` if no time passed.
    pub mean: Option<f64>,
    /// Most calls open at one moment.
    pub max: usize,
}

impl OpenCalls {
    /// Adds the next call; calls must be added in the order of their starts.
    pub fn add(&mut self, lane: LaneId, start: u64, end: Option<u64>) {
        self.first_start.get_or_insert(start);
        self.latest = self.latest.max(end.unwrap_or(start));
        let end_or_never = end.unwrap_or(u64::MAX);
        if let Some((begun, ended)) = self.last.insert(lane, (start, end_or_never)) {
            self.by_end.remove(&(ended, lane));
            self.total += u128::from(ended.min(start) - begun);
        }
        while self.by_end.first().is_some_and(|&(ended, _)| ended < start) {
            self.by_end.pop_first();
        }
        self.by_end.insert((end_or_never, lane));
        self.most = self.most.max(self.by_end.len());
    }

    /// First start and last reading, in ticks.
    pub fn span(&self) -> Option<(u64, u64)> {
        self.first_start.map(|first| (first, self.latest))
    }

    /// The result. Calls that never ended count as open until the last clock reading.
    pub fn finish(&self) -> Overlap {
        let unfinished: u128 =
            self.last.values().map(|&(begun, ended)| u128::from(ended.min(self.latest) - begun)).sum();
        let elapsed = self.span().map_or(0, |(first, last)| last - first);
        let mean = (elapsed > 0).then(|| (self.total + unfinished) as f64 / elapsed as f64);
        Overlap { mean, max: self.most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(calls: &[(u32, u64, Option<u64>)]) -> Overlap {
        let mut open = OpenCalls::default();
        calls.iter().for_each(|&(lane, start, end)| open.add(lane, start, end));
        open.finish()
    }

    #[test]
    fn ties_overlap() {
        assert_eq!(sweep(&[(0, 0, Some(5)), (1, 5, Some(10))]), Overlap { mean: Some(1.0), max: 2 });
        assert_eq!(sweep(&[(0, 0, Some(4)), (1, 5, Some(10))]), Overlap { mean: Some(0.9), max: 1 });
    }

    #[test]
    fn a_lane_never_overlaps_itself() {
        assert_eq!(sweep(&[(0, 0, Some(7)), (0, 5, Some(10))]), Overlap { mean: Some(1.0), max: 1 });
    }

    #[test]
    fn a_call_that_never_ends_is_open_to_the_last_reading() {
        assert_eq!(sweep(&[(0, 0, None), (1, 2, Some(10))]), Overlap { mean: Some(1.8), max: 2 });
    }

    #[test]
    fn nothing_and_no_time_have_no_mean() {
        assert_eq!(sweep(&[]), Overlap { mean: None, max: 0 });
        assert_eq!(sweep(&[(0, 3, Some(3)), (1, 3, Some(3))]), Overlap { mean: None, max: 2 });
    }
}
