//! The counterexample file of a rejection: the document that `omnilink check --counterexample` writes, in the model's own words.

use std::collections::{BTreeMap, HashMap};

use serde_json::json;

use super::calls::{Call, Calls, Outcome};
use super::rejection::{Blocked, Rejection, Words};
use crate::report::counterexample::{AROUND, Counterexample, Window};
use crate::report::model::{self as file, Became, DeadEnd, Group, LaneAt, Next, Obstacle, Reason, Stuck, Values};

/// How many dead ends are in the file.
const GROUPS: usize = 16;
/// What the state of a model is called in it.
const STATE: &str = "state";

impl<S> Rejection<S> {
    /// A document for viewers and other tools: see `docs/counterexample-format.md`. `name` is the name of the model, and `time_unit`
    /// what the times of calls are counted in, such as `ns`.
    pub fn counterexample<M: Words<State = S>>(
        &self,
        model: &M,
        name: &str,
        calls: &Calls<M::Input, M::Output>,
        time_unit: &str,
    ) -> Counterexample {
        let lanes = self.lanes.iter().enumerate();
        let places =
            lanes.flat_map(|(lane, calls)| calls.iter().enumerate().map(move |(at, &call)| (call, (lane, at))));
        let writer = Writer { rejection: self, model, calls: calls.as_slice(), places: places.collect() };
        let verdict = file::Verdict::Rejected;
        let report = file::Report { stuck: Some(writer.stuck(time_unit)), ..writer.report(name, verdict) };
        Counterexample {
            format: Counterexample::FORMAT.to_owned(),
            version: Counterexample::VERSION,
            omnilink: env!("CARGO_PKG_VERSION").to_owned(),
            // There are no files.
            trace_hash: String::new(),
            spec_hash: String::new(),
            report,
            window: writer.windows(),
        }
    }
}

struct Writer<'w, M: Words> {
    rejection: &'w Rejection<M::State>,
    model: &'w M,
    calls: &'w [Call<M::Input, M::Output>],
    /// By call: its lane, and its place there.
    places: HashMap<usize, (usize, usize)>,
}

impl<M: Words> Writer<'_, M> {
    fn report(&self, name: &str, verdict: file::Verdict) -> file::Report {
        let mut actions = BTreeMap::new();
        let names = self.rejection.calls.iter().map(|&call| self.model.operation(&self.calls[call].input));
        names.filter(|name| !name.is_empty()).for_each(|name| *actions.entry(name.to_owned()).or_default() += 1);
        file::Report {
            trace: String::new(),
            spec: name.to_owned(),
            verdict,
            crashes: Vec::new(),
            violation: None,
            core: None,
            statistics: file::Statistics {
                lanes: self.rejection.lanes.len() as u64,
                events: self.rejection.lanes.iter().map(|lane| lane.len() as u64).sum(),
                actions,
                ..file::Statistics::default()
            },
            partition: None,
            notes: Default::default(),
            stuck: None,
            reads: Vec::new(),
            measures: None,
            consistency: None,
        }
    }

    fn stuck(&self, time_unit: &str) -> Stuck {
        let Rejection { placed, count, dead_ends, .. } = self.rejection;
        let group = |blocked: &Blocked<M::State>| Group { count: 1, example: self.dead_end(blocked) };
        Stuck {
            placed: *placed,
            followed_only: false,
            events: self.rejection.lanes.iter().map(|lane| lane.len() as u64).sum(),
            time_unit: time_unit.to_owned(),
            configurations: *count,
            examined: dead_ends.len() as u64,
            groups: dead_ends.iter().take(GROUPS).map(group).collect(),
            more_groups: dead_ends.len().saturating_sub(GROUPS) as u64,
        }
    }

    fn dead_end(&self, blocked: &Blocked<M::State>) -> DeadEnd {
        let mut before: Option<String> = None;
        let step = |(call, happened, state): &(usize, bool, M::State)| {
            let text = self.model.describe_state(state);
            let changes = if before.as_ref() == Some(&text) { Values::new() } else { values(&text) };
            before = Some(text);
            let became = if *happened { Became::Happened } else { Became::Nothing };
            file::Step { call: self.call(*call), became, changes }
        };
        let path: Vec<file::Step> = blocked.path.iter().map(step).collect();
        let is_changed = path.iter().skip(1).rev().take(3).any(|step| !step.changes.is_empty());
        let first_to_end = self.first_to_end(blocked);
        let lane_at = |(lane, calls): (usize, &Vec<usize>)| {
            let placed = blocked.positions[lane] as usize;
            let next = calls.get(placed).map(|&call| Next {
                call: self.call(call),
                obstacle: match first_to_end.filter(|_| !blocked.next.contains(&call)) {
                    Some(first) => Obstacle::WaitsFor(Box::new(self.call(first))),
                    None => Obstacle::Blocked(vec![reason("the model has no state after this call here")]),
                },
            });
            LaneAt {
                lane: lane as u32,
                thread: self.thread(calls),
                placed: placed as u64,
                events: calls.len() as u64,
                next,
                unseen: Vec::new(),
            }
        };
        DeadEnd {
            lanes: self.rejection.lanes.iter().enumerate().map(lane_at).collect(),
            before: Values::new(),
            path,
            state: values(&self.model.describe_state(&blocked.state)),
            changed: is_changed.then(|| STATE.to_owned()).into_iter().collect(),
            deadline: first_to_end.and_then(|call| self.calls[call].end),
        }
    }

    /// The call that is not placed and ends first.
    fn first_to_end(&self, blocked: &Blocked<M::State>) -> Option<usize> {
        let next =
            self.rejection.lanes.iter().zip(&blocked.positions).filter_map(|(calls, &at)| calls.get(at as usize));
        next.copied().filter(|&call| self.calls[call].end.is_some()).min_by_key(|&call| self.calls[call].end)
    }

    /// Per lane the calls around where the dead ends stand.
    fn windows(&self) -> Vec<Window> {
        let window = |(lane, calls): (usize, &Vec<usize>)| {
            let positions = || self.rejection.dead_ends.iter().map(|blocked| blocked.positions[lane]);
            let first = positions().min().unwrap_or(0).saturating_sub(AROUND) as usize;
            let last = (positions().max().unwrap_or(0).saturating_add(AROUND) as usize).min(calls.len());
            Window {
                lane: lane as u32,
                thread: self.thread(calls),
                events: calls.len() as u64,
                before: first as u64,
                calls: calls[first..last].iter().map(|&call| self.call(call)).collect(),
                unseen: Vec::new(),
            }
        };
        self.rejection.lanes.iter().enumerate().map(window).collect()
    }

    fn call(&self, number: usize) -> file::Call {
        let Call { start, end, input, output, outcome, .. } = &self.calls[number];
        let (lane, index) = self.places[&number];
        let operation = self.model.operation(input);
        file::Call {
            lane: lane as u32,
            thread: self.thread(&self.rejection.lanes[lane]),
            index: index as u64,
            call: self.model.describe_call(input, output.as_ref()),
            action: (!operation.is_empty()).then(|| operation.to_owned()),
            args: Values::new(),
            start: *start,
            end: *end,
            optional: *outcome == Outcome::Indeterminate,
        }
    }

    fn thread(&self, calls: &[usize]) -> String {
        calls.first().map(|&call| format!("thread {}", self.calls[call].thread)).unwrap_or_default()
    }
}

fn values(state: &str) -> Values {
    [(STATE.to_owned(), json!(state))].into_iter().collect()
}

fn reason(says: &str) -> Reason {
    Reason { says: says.to_owned(), values: Vec::new(), given: Vec::new(), place: None, within: None }
}
