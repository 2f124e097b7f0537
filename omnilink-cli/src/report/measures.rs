//! Measurements of runs: timeboxes, and coverage of the specifications.
//!
//! A check for a store measures the run and saves the result with the verdict, so it is available even if the run's
//! files are not. If a run with a trace was never checked, its timeboxes are measured now.

use std::fs;
use std::path::Path;

use omnilink_check::boxes::Boxes;
use omnilink_check::coverage::Coverage;
use omnilink_check::report::model::Measures;
use omnilink_record::store::{Entry, Store};
use omnilink_trace::{OpenOptions, Trace};

use super::model::{MeasuredBoxes, SpecCoverage};
use crate::failure::Failure;

/// Adds up measurements.
#[derive(Default)]
pub struct Adder {
    boxes: Vec<MeasuredBoxes>,
    unreadable: u64,
    specs: Vec<SpecCoverage>,
}

impl Adder {
    /// Adds the timeboxes of a run, if they can be read.
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

    /// Adds the coverage of a run, if its verdict has it.
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

    /// The results: the timeboxes by unit, those of the most runs first; the number of runs without; the coverage.
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
