//! How wide the timeboxes of a trace are, and how many others each overlaps.
//!
//! Wide boxes that overlap many others make a check expensive and weak: where every call overlaps
//! every other, almost any order is allowed.

use omnilink_trace::{Record, Trace, TraceError};
use serde::{Deserialize, Serialize};

/// The boxes of a trace, or of several.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Boxes {
    /// In what unit widths are: `ns`, or `ticks` of a clock whose rate is not known.
    pub unit: String,
    /// How wide the boxes of the calls that ended are.
    pub widths: Histogram,
    /// How many other calls each call overlaps.
    pub overlaps: Histogram,
    /// Calls that never ended.
    pub open: u64,
}

/// How many numbers are about how large: place 0 counts zeros, place n those from 2^(n-1) to less than 2^n.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram(pub Vec<u64>);

impl Boxes {
    /// Of a trace.
    ///
    /// # Errors
    /// If the trace cannot be read.
    pub fn of(trace: &Trace) -> Result<Self, TraceError> {
        let mut boxes = Self { unit: trace.time_unit().word().to_owned(), ..Self::default() };
        let (mut starts, mut ends, mut calls) = (Vec::new(), Vec::new(), Vec::new());
        for lane in trace.lanes() {
            for record in lane.records() {
                let Record::Event(event) = record? else { continue };
                let (start, end) = (event.timebox.start, event.timebox.end);
                starts.push(start);
                ends.extend(end);
                calls.push((start, end));
                match end {
                    Some(end) => boxes.widths.add(trace.duration_ns(end.saturating_sub(start))),
                    None => boxes.open += 1,
                }
            }
        }
        starts.sort_unstable();
        ends.sort_unstable();
        for (start, end) in calls {
            // Boxes are closed: those that began when this one ended overlap it.
            let began = end.map_or(starts.len(), |end| starts.partition_point(|other| *other <= end));
            let had_ended = ends.partition_point(|other| *other < start);
            boxes.overlaps.add((began - had_ended - 1) as u64);
        }
        Ok(boxes)
    }

    /// Adds those of another trace, whose times are in the same unit.
    pub fn merge(&mut self, other: &Self) {
        self.widths.merge(&other.widths);
        self.overlaps.merge(&other.overlaps);
        self.open += other.open;
    }
}

impl Histogram {
    /// Counts a number.
    pub fn add(&mut self, number: u64) {
        let place = (u64::BITS - number.leading_zeros()) as usize;
        if self.0.len() <= place {
            self.0.resize(place + 1, 0);
        }
        self.0[place] += 1;
    }

    /// Adds what another has counted.
    pub fn merge(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(ours, theirs)| *ours += theirs);
    }

    /// How many numbers were counted.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The place that the middle one of all numbers is in.
    pub fn median(&self) -> Option<usize> {
        let mut before = 0;
        let half = self.total().div_ceil(2);
        self.0.iter().position(|count| {
            before += count;
            *count > 0 && before >= half
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn boxes(lines: &[&str]) -> Boxes {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("trace.jsonl");
        fs::write(&path, lines.join("\n")).unwrap();
        Boxes::of(&Trace::open(&path).unwrap()).unwrap()
    }

    #[test]
    fn widths_and_overlaps_are_counted() {
        let found = boxes(&[
            r#"{"thread":"a","op":"A","start":0,"end":10}"#,
            // Ends when the next of lane 1 begins: they overlap, boxes being closed.
            r#"{"thread":"a","op":"A","start":20,"end":30}"#,
            r#"{"thread":"b","op":"A","start":5,"end":5}"#,
            r#"{"thread":"b","op":"A","start":30,"end":33}"#,
            // Open to the end: overlaps the last one of each lane.
            r#"{"thread":"c","op":"A","start":31,"end":null}"#,
        ]);
        assert_eq!(found.widths.0, [1, 0, 1, 0, 2], "{found:?}");
        assert_eq!(found.overlaps.0, [0, 4, 1], "{found:?}");
        assert_eq!(found.open, 1);
    }

    #[test]
    fn histograms_count_by_powers_of_two() {
        let mut histogram = Histogram::default();
        assert_eq!(histogram.median(), None);
        [0, 1, 2, 3, 4, 7, 8, u64::MAX].into_iter().for_each(|number| histogram.add(number));
        assert_eq!(histogram.0[..5], [1, 1, 2, 2, 1]);
        assert_eq!((histogram.0.len(), histogram.0[64], histogram.total()), (65, 1, 8));
        assert_eq!(histogram.median(), Some(2));
        let mut twice = histogram.clone();
        twice.merge(&histogram);
        assert_eq!(twice.total(), 16);
    }
}
