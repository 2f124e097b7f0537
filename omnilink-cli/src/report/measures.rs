//! What was measured of runs: timeboxes, and how much of the specifications they exercised.
//!
//! Whoever checks runs for a store measures them and keeps that with the verdict, so it is there even if the run is
//! not. Of a run that was never checked and has its trace, the boxes are measured now.

use std::fs;
use std::path::Path;

use omnilink_check::boxes::Boxes;
use omnilink_check::coverage::Coverage;
use omnilink_check::report::model::Measures;
use omnilink_record::store::{Entry, Store};
use omnilink_trace::{OpenOptions, Trace};

use super::model::{MeasuredBoxes, SpecCoverage};
use crate::failure::Failure;

/// Adds up what was measured.
#[derive(Default)]
pub struct Adder {
    boxes: Vec<MeasuredBoxes>,
    unreadable: u64,
    specs: Vec<SpecCoverage>,
}

impl Adder {
    /// The timeboxes of a run; none if they cannot be read.
    pub fn add_boxes(&mut self, boxes: Option<&Boxes>) {
        let Some(boxes) = boxes else {
            self.unreadable += 1;
            return;
        };
        match self.boxes.iter_mut().find(|of_unit| of_unit.boxes.unit == boxes.unit) {
            Some(of_unit) => {
                of_unit.boxes.merge(boxes);
                of_unit.runs += 1;
            }
            None => self.boxes.push(MeasuredBoxes { runs: 1, boxes: boxes.clone() }),
        }
    }

    /// What a run has exercised of a specification, if its verdict tells.
    pub fn add_coverage(&mut self, name: &str, hash: &str, measures: Option<&Measures>) {
        let at = self.specs.iter().position(|spec| spec.hash == hash).unwrap_or_else(|| {
            self.specs.push(SpecCoverage {
                spec: name.to_owned(),
                hash: hash.to_owned(),
                files: Vec::new(),
                measured: 0,
                unmeasured: 0,
                coverage: Coverage::default(),
            });
            self.specs.len() - 1
        });
        match measures {
            Some(measures) => {
                self.specs[at].coverage.merge(&measures.coverage);
                self.specs[at].measured += 1;
            }
            None => self.specs[at].unmeasured += 1,
        }
    }

    /// All of it: the boxes, of most runs first, and how many runs have none; the coverage.
    pub fn finish(mut self) -> (Vec<MeasuredBoxes>, u64, Vec<SpecCoverage>) {
        self.boxes.sort_by_key(|boxes| std::cmp::Reverse(boxes.runs));
        (self.boxes, self.unreadable, self.specs)
    }
}

/// The timeboxes of a run that has a trace; none if the trace cannot be read.
pub fn boxes(store: &Store, run: &Entry, scratch: &Path) -> Result<Option<Boxes>, Failure> {
    let directory = scratch.join("trace");
    if !store.export_trace(&run.name, &directory)? {
        return Ok(None);
    }
    let trace = Trace::open_with(&directory, &OpenOptions::recover(true));
    let boxes = trace.and_then(|trace| Boxes::of(&trace)).ok();
    fs::remove_dir_all(&directory).map_err(|error| Failure::file(&directory, &error))?;
    Ok(boxes)
}
