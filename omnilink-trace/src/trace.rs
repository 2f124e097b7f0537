//! An opened trace.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Finding, Notice, TraceError};
use crate::event::{ActionId, Vocabulary};
use crate::lane::{Lane, LaneEnd};
use crate::merge::Merged;
use crate::record::Header;
use crate::run::{ClockKind, Run};
use crate::signature::{Declarations, Signature};

/// How to open a trace.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// Corruption cuts the lane there instead of failing; a notice says where.
    pub recover: bool,
}

impl OpenOptions {
    /// Options with this choice of [`OpenOptions::recover`].
    pub fn recover(recover: bool) -> Self {
        Self { recover }
    }
}

/// A trace: the recorded lanes of a run, independent of the format.
///
/// Opening reads every lane once and checks all of it; events are decoded when they are asked for, as a stream. So a
/// trace may be larger than memory, unless it is packed or imported.
#[derive(Debug)]
pub struct Trace {
    path: PathBuf,
    run: Run,
    spec: String,
    next: String,
    vocabulary: Arc<Vocabulary>,
    /// By action.
    signatures: Vec<Signature>,
    lanes: Vec<Lane>,
    notices: Vec<Notice>,
    /// True if whole lanes are missing.
    lanes_missing: bool,
    /// Start of the first event.
    origin: u64,
}

/// The unit of a trace's times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    /// The rate of the clock is known.
    Nanoseconds,
    /// The rate is unknown: ticks of the clock, or imported points in time.
    Ticks,
}

impl TimeUnit {
    /// Its name, as column heads and JSON have it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Nanoseconds => "ns",
            Self::Ticks => "ticks",
        }
    }
}

impl Trace {
    /// Opens a run directory, a single lane file, a packed run, JSON lines, or upstream logs (one, or a directory of
    /// them); which of these it is shows in the content.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TraceError> {
        Self::open_with(path, &OpenOptions::default())
    }

    /// As [`Trace::open`], with options.
    pub fn open_with(path: impl AsRef<Path>, options: &OpenOptions) -> Result<Self, TraceError> {
        crate::open::open(path.as_ref(), options)
    }

    /// What it was opened from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The description of the run; defaults where it is unknown.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Name of the specification, or `""`.
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// The operator used as next-state relation, or `""`.
    pub fn next(&self) -> &str {
        &self.next
    }

    /// The clock that times come from.
    pub fn clock(&self) -> ClockKind {
        self.run.clock.kind
    }

    /// All actions and names of the trace.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// What the trace says of an action besides its name and parameters: what its results are, and its operation.
    pub fn signature(&self, action: ActionId) -> &Signature {
        &self.signatures[action.0 as usize]
    }

    /// The lanes, by index.
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// Notices: cuts, lost arguments, missing lanes.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// True if every call of every lane is there.
    pub fn complete(&self) -> bool {
        self.earliest_stop().is_none()
    }

    /// The time from which on calls are missing; none if the trace is complete. If a whole lane is missing this is 0.
    pub fn earliest_stop(&self) -> Option<u64> {
        let stops = self.lanes.iter().filter_map(|lane| match lane.end {
            LaneEnd::Complete => None,
            LaneEnd::Stopped { at, .. } => Some(at),
        });
        stops.chain(self.lanes_missing.then_some(0)).min()
    }

    /// The records of all lanes, merged by start time.
    pub fn records(&self) -> Merged<'_> {
        Merged::new(&self.lanes, Lane::records)
    }

    /// The records of all lanes with their boxes as recorded, for writing them again.
    pub fn records_as_recorded(&self) -> Merged<'_> {
        Merged::new(&self.lanes, Lane::records_as_recorded)
    }

    /// Start of the first event, 0 if there is none.
    pub fn origin(&self) -> u64 {
        self.origin
    }

    /// What [`Trace::ns`] counts.
    pub fn time_unit(&self) -> TimeUnit {
        match self.ticks_per_second() {
            Some(_) => TimeUnit::Nanoseconds,
            None => TimeUnit::Ticks,
        }
    }

    /// Time of a clock reading since the start of the first event, in nanoseconds (see [`Trace::time_unit`]).
    pub fn ns(&self, ticks: u64) -> u64 {
        self.duration_ns(ticks.saturating_sub(self.origin))
    }

    /// A number of ticks in nanoseconds (see [`Trace::time_unit`]).
    pub fn duration_ns(&self, ticks: u64) -> u64 {
        self.ticks_per_second().map_or(ticks, |rate| scale(ticks, 1_000_000_000, rate))
    }

    /// The clock reading for which [`Trace::ns`] returns `ns`.
    pub fn ticks(&self, ns: u64) -> u64 {
        let ticks = self.ticks_per_second().map_or(ns, |rate| scale(ns, rate, 1_000_000_000));
        self.origin.saturating_add(ticks)
    }

    fn ticks_per_second(&self) -> Option<u64> {
        match self.run.clock.kind {
            ClockKind::Logical => None,
            ClockKind::Monotonic => Some(1_000_000_000),
            ClockKind::Tsc | ClockKind::Cntvct => self.run.clock.ticks_per_second.filter(|&rate| rate > 0),
        }
    }
}

/// `value * to / from`, rounded to nearest.
fn scale(value: u64, to: u64, from: u64) -> u64 {
    let (value, to, from) = (u128::from(value), u128::from(to), u128::from(from));
    u64::try_from((value * to + from / 2) / from).unwrap_or(u64::MAX)
}

/// The parts of a trace, as they are found.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    pub vocabulary: Vocabulary,
    pub lanes: Vec<Lane>,
    pub notices: Vec<Notice>,
    pub lanes_missing: bool,
    /// What the lanes say of the run, and the file of the lane that said it.
    said: Option<(PathBuf, Header)>,
}

impl Assembly {
    /// No parts yet, for lanes whose names and actions are known already.
    pub fn with_vocabulary(vocabulary: Vocabulary) -> Self {
        Self { vocabulary, ..Self::default() }
    }

    /// Adds a lane, unless its header shows that it is another run's.
    pub fn add(&mut self, lane: Lane, header: Option<Header>) -> Result<(), TraceError> {
        if let Some(header) = header {
            match &self.said {
                None => self.said = Some((lane.path.clone(), header)),
                Some((other, said)) => {
                    let agree = |what, found: &str, expected: &str| agree(&lane.path, other, what, found, expected);
                    agree("the specification", &header.spec, &said.spec)?;
                    agree("the next-state relation", &header.next, &said.next)?;
                    agree("the clock", header.clock.word(), said.clock.word())?;
                }
            }
        }
        self.lanes.push(lane);
        Ok(())
    }

    /// The trace of all parts. `run` is the run's description and the file that it is from, if there is one.
    pub fn finish(mut self, path: &Path, run: Option<(PathBuf, Run)>) -> Result<Trace, TraceError> {
        let (mut spec, mut next) = (String::new(), String::new());
        let mut from_lanes = Run::default();
        if let Some((lane, said)) = self.said {
            from_lanes.clock.kind = said.clock;
            from_lanes.seed = said.seed;
            (spec, next) = (said.spec, said.next);
            if let Some((file, run)) = &run {
                agree(&lane, file, "the clock", said.clock.word(), run.clock.kind.word())?;
            }
        }
        let described_in = run.as_ref().map_or(path, |(file, _)| file).to_owned();
        let run = run.map_or(from_lanes, |(_, run)| run);
        let declarations = Declarations::of(&run.actions)
            .map_err(|problem| TraceError::Run { path: described_in.clone(), problem: problem.to_string() })?;
        let mut note = |finding| self.notices.push(Notice { path: described_in.clone(), offset: None, finding });
        if run.unrecorded_forks > 0 {
            note(Finding::UnrecordedForks(run.unrecorded_forks));
        }
        if run.clock.slack > 0 {
            note(Finding::Relaxed { slack: run.clock.slack });
        }
        self.lanes.sort_by_key(|lane| lane.index);
        let vocabulary = Arc::new(self.vocabulary);
        for lane in &mut self.lanes {
            lane.vocabulary = Arc::clone(&vocabulary);
            lane.widening = run.clock.widening();
        }
        Ok(Trace {
            path: path.into(),
            spec,
            next,
            signatures: declarations.signatures(&vocabulary),
            vocabulary,
            origin: self.lanes.iter().filter_map(|lane| lane.first_start).min().unwrap_or_default(),
            lanes: self.lanes,
            notices: self.notices,
            lanes_missing: self.lanes_missing,
            run,
        })
    }
}

fn agree(path: &Path, other: &Path, what: &'static str, found: &str, expected: &str) -> Result<(), TraceError> {
    if found == expected {
        return Ok(());
    }
    let (path, other) = (path.into(), other.into());
    Err(TraceError::Disagreement { path, other, what, found: found.into(), expected: expected.into() })
}

#[cfg(test)]
mod tests {
    use super::scale;

    #[test]
    fn times_scale_without_overflow() {
        assert_eq!(scale(2_100_000_000, 1_000_000_000, 2_100_000_000), 1_000_000_000);
        assert_eq!(scale(3, 1_000_000_000, 2_100_000_000), 1);
        assert_eq!(scale(u64::MAX, 1_000_000_000, 1), u64::MAX);
    }
}
