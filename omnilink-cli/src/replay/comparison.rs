//! Where two traces of the same run first differ.

use std::fmt;

use omnilink_check::report::event_name::EventName;
use omnilink_trace::{Call, Lane, LaneId, Outcome, Record, Records, Timebox, Trace, TraceError, Vocabulary};

use crate::show::{Meta, Update, unusual};

/// The first record, by time, that is not the same in both traces.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference {
    lane: LaneId,
    /// The lane's name, or nothing.
    thread: String,
    /// How many events the lane has before it.
    index: u64,
    recorded: Option<Told>,
    replayed: Option<Told>,
}

impl Difference {
    /// Compares lane by lane, in the order in which they were recorded.
    pub fn first(recorded: &Trace, replayed: &Trace) -> Result<Option<Self>, TraceError> {
        let mut lanes: Vec<LaneId> = recorded.lanes().iter().chain(replayed.lanes()).map(Lane::index).collect();
        lanes.sort_unstable();
        lanes.dedup();
        let mut first: Option<Self> = None;
        for lane in lanes {
            let difference = Self::in_lane(lane, recorded, replayed)?;
            first = first.into_iter().chain(difference).min_by_key(Self::time);
        }
        Ok(first)
    }

    fn in_lane(lane: LaneId, recorded: &Trace, replayed: &Trace) -> Result<Option<Self>, TraceError> {
        let (mut before, mut now) = (Telling::of(recorded, lane), Telling::of(replayed, lane));
        let mut index = 0;
        loop {
            let (recorded, replayed) = (before.next().transpose()?, now.next().transpose()?);
            if recorded.is_none() && replayed.is_none() {
                return Ok(None);
            }
            if recorded != replayed {
                let thread = before.name().or(now.name()).unwrap_or_default().to_owned();
                return Ok(Some(Self { lane, thread, index, recorded, replayed }));
            }
            index += 1;
        }
    }

    /// The time of the difference.
    fn time(&self) -> u64 {
        let starts = [&self.recorded, &self.replayed].into_iter().flatten().map(|told| told.timebox.start);
        starts.min().unwrap_or(u64::MAX)
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = EventName { lane: self.lane, index: self.index };
        write!(f, "event {name}")?;
        if !self.thread.is_empty() {
            write!(f, " of {}", self.thread)?;
        }
        for (which, told) in [("recorded", &self.recorded), ("replayed", &self.replayed)] {
            match told {
                Some(told) => write!(f, "\n  {which}  {told}")?,
                None => write!(f, "\n  {which}  nothing more in this lane")?,
            }
        }
        Ok(())
    }
}

/// The content of a record, independent of its trace's tables.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    what: String,
    timebox: Timebox,
    outcome: Outcome,
}

impl Told {
    fn by(record: &Record, vocabulary: &Vocabulary) -> Self {
        let with_meta = |what: String, meta: &[_]| match meta {
            [] => what,
            meta => format!("{what}  {{{}}}", Meta(meta)),
        };
        match record {
            Record::Event(event) => {
                let effects = event.effects.iter().map(|effect| format!("  {}", Update { vocabulary, effect }));
                let what = Call::new(vocabulary, event).to_string() + &effects.collect::<String>();
                Self { what: with_meta(what, &event.meta), timebox: event.timebox, outcome: event.outcome }
            }
            Record::Terminated(end) => Self {
                what: with_meta("thread terminated".to_owned(), &end.meta),
                timebox: Timebox { start: end.time, end: Some(end.time) },
                outcome: Outcome::Done,
            },
        }
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Timebox { start, end } = self.timebox;
        write!(f, "{}  [{start}, ", self.what)?;
        match end {
            Some(end) => write!(f, "{end}]")?,
            None => f.write_str("never]")?,
        }
        unusual(self.outcome).map_or(Ok(()), |outcome| write!(f, "  {outcome}"))
    }
}

/// The contents of the records of a lane, in order; empty if there is no such lane.
struct Telling<'t> {
    trace: &'t Trace,
    lane: Option<&'t Lane>,
    records: Option<Records<'t>>,
}

impl<'t> Telling<'t> {
    fn of(trace: &'t Trace, lane: LaneId) -> Self {
        let lane = trace.lanes().iter().find(|other| other.index() == lane);
        Self { trace, lane, records: lane.map(Lane::records_as_recorded) }
    }

    fn name(&self) -> Option<&'t str> {
        self.lane.map(Lane::name)
    }
}

impl Iterator for Telling<'_> {
    type Item = Result<Told, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = self.records.as_mut()?.next()?;
        Some(record.map(|record| Told::by(&record, self.trace.vocabulary())))
    }
}
