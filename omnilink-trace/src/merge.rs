//! The records of all lanes, by start time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::error::TraceError;
use crate::event::Record;
use crate::lane::Lane;
use crate::records::Records;

/// The records of all lanes, merged by start time (by time, for the end of a thread); at equal times by lane.
///
/// The records of one lane keep their order. One record per lane is held at a time.
#[derive(Debug)]
pub struct Merged<'a> {
    lanes: Vec<Records<'a>>,
    /// The next record of each lane that has one.
    heads: Vec<Option<Record>>,
    /// Their times.
    order: BinaryHeap<Reverse<(u64, usize)>>,
    /// The lane whose next record has to be read first.
    advance: Vec<usize>,
}

impl<'a> Merged<'a> {
    pub(crate) fn new(lanes: &'a [Lane], records: impl Fn(&'a Lane) -> Records<'a>) -> Self {
        Self {
            heads: lanes.iter().map(|_| None).collect(),
            order: BinaryHeap::with_capacity(lanes.len()),
            advance: (0..lanes.len()).rev().collect(),
            lanes: lanes.iter().map(records).collect(),
        }
    }
}

impl Record {
    /// When the record's call started, or its thread terminated.
    pub fn time(&self) -> u64 {
        match self {
            Self::Event(event) => event.timebox.start,
            Self::Terminated(termination) => termination.time,
        }
    }
}

impl Iterator for Merged<'_> {
    type Item = Result<Record, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(lane) = self.advance.pop() {
            match self.lanes[lane].next() {
                Some(Ok(record)) => {
                    self.order.push(Reverse((record.time(), lane)));
                    self.heads[lane] = Some(record);
                }
                Some(Err(error)) => return Some(Err(error)),
                None => {}
            }
        }
        let Reverse((_, lane)) = self.order.pop()?;
        self.advance.push(lane);
        self.heads[lane].take().map(Ok)
    }
}
