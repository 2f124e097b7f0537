//! The summary of a trace.

use omnilink_trace::{Call, Event, Lane, LaneEnd, Trace};
use serde::Serialize;

use super::call::signature;
use super::tally::{Outcomes, Tally};

/// The summary of a trace, or of the part of it that was selected.
///
/// Times are in `time_unit`; points in time count from the trace's first event.
#[derive(Debug, Serialize)]
pub struct Report {
    pub(super) trace: String,
    pub(super) spec: String,
    pub(super) next: String,
    pub(super) clock: &'static str,
    pub(super) time_unit: &'static str,
    pub(super) seed: Option<u64>,
    pub(super) complete: bool,
    /// True if the numbers below are of selected records only.
    pub(super) filtered: bool,
    pub(super) lanes: Vec<LaneRow>,
    pub(super) events: u64,
    pub(super) terminations: u64,
    pub(super) duration: u64,
    pub(super) outcomes: Outcomes,
    pub(super) overlap: OverlapRow,
    pub(super) actions: Vec<ActionRow>,
    pub(super) unknown_arguments: Vec<UnknownRow>,
    pub(super) widest: Vec<CallRow>,
    pub(super) never_ended: Vec<CallRow>,
    pub(super) notices: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct LaneRow {
    pub lane: u32,
    pub name: String,
    /// Of the whole trace, independent of the selection.
    pub events: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<StopRow>,
}

#[derive(Debug, Serialize)]
pub(super) struct StopRow {
    pub at: u64,
    pub reason: String,
}

#[derive(Debug, Serialize)]
pub(super) struct OverlapRow {
    pub mean: Option<f64>,
    pub max: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct ActionRow {
    pub action: String,
    pub events: u64,
    #[serde(flatten)]
    pub outcomes: Outcomes,
    pub mean_width: Option<u64>,
    pub max_width: Option<u64>,
}

#[derive(Debug, Serialize)]
pub(super) struct UnknownRow {
    pub action: String,
    pub parameter: String,
    pub events: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct CallRow {
    pub call: String,
    pub lane: u32,
    pub index: u64,
    pub at: u64,
    pub width: Option<u64>,
}

impl Report {
    /// The report of the counts; `filtered` if records were left out.
    pub fn new(tally: Tally<'_>, filtered: bool) -> Self {
        let trace = tally.trace;
        let overlap = tally.open_calls.finish();
        let (first, last) = tally.open_calls.span().unwrap_or_default();
        let outcomes: Outcomes = tally.actions.values().map(|action| action.outcomes).sum();
        Self {
            trace: trace.path().display().to_string(),
            spec: trace.spec().to_owned(),
            next: trace.next().to_owned(),
            clock: trace.clock().word(),
            time_unit: trace.time_unit().word(),
            seed: trace.run().seed,
            complete: trace.complete(),
            filtered,
            lanes: trace.lanes().iter().map(|lane| LaneRow::new(trace, lane)).collect(),
            events: outcomes.total(),
            terminations: tally.terminations,
            duration: trace.duration_ns(last - first),
            outcomes,
            overlap: OverlapRow { mean: overlap.mean, max: overlap.max },
            actions: action_rows(&tally),
            unknown_arguments: unknown_rows(&tally),
            widest: tally.widest.into_events().iter().map(|event| CallRow::new(trace, event)).collect(),
            never_ended: tally.never_ended.iter().map(|event| CallRow::new(trace, event)).collect(),
            notices: trace.notices().iter().map(ToString::to_string).collect(),
        }
    }
}

impl LaneRow {
    fn new(trace: &Trace, lane: &Lane) -> Self {
        let stopped = match lane.end() {
            LaneEnd::Complete => None,
            LaneEnd::Stopped { at, reason } => Some(StopRow { at: trace.ns(at), reason: reason.to_string() }),
        };
        Self { lane: lane.index(), name: lane.name().to_owned(), events: lane.events(), stopped }
    }
}

impl CallRow {
    fn new(trace: &Trace, event: &Event) -> Self {
        let (start, end) = (event.timebox.start, event.timebox.end);
        Self {
            call: Call::new(trace.vocabulary(), event).to_string(),
            lane: event.lane,
            index: event.index,
            at: trace.ns(start),
            width: end.map(|end| trace.duration_ns(end - start)),
        }
    }
}

fn action_rows(tally: &Tally<'_>) -> Vec<ActionRow> {
    let rows = tally.actions.iter().map(|(candidates, seen)| {
        let ended = seen.outcomes.ended();
        let mean = seen.total_width.checked_div(u128::from(ended)).map(|mean| mean as u64);
        ActionRow {
            action: signature(tally.trace.vocabulary(), candidates),
            events: seen.outcomes.total(),
            outcomes: seen.outcomes,
            mean_width: mean.map(|ticks| tally.trace.duration_ns(ticks)),
            max_width: (ended > 0).then(|| tally.trace.duration_ns(seen.widest)),
        }
    });
    rows.collect()
}

fn unknown_rows(tally: &Tally<'_>) -> Vec<UnknownRow> {
    let vocabulary = tally.trace.vocabulary();
    let rows = tally.actions.iter().flat_map(|(candidates, seen)| {
        seen.unknown.iter().map(|(&param, &events)| UnknownRow {
            action: signature(vocabulary, candidates),
            parameter: vocabulary.name(param).to_owned(),
            events,
        })
    });
    rows.collect()
}
