//! The deepest configurations: why none of them could go on, and which of them fail alike.

use std::collections::{HashMap, HashSet};

use omnilink_tla::{Spec, State};

use super::calls::{Calls, values};
use super::model::{Became, DeadEnd, Group, LaneAt, Next, Obstacle, Reason, Step, Stuck};
use super::reasons::{reasons, reasons_of};
use crate::history::{Act, History};
use crate::prepare::Prepared;
use crate::search::{self, Begun, Deepest, Placement};
use crate::timeline::{EventRef, Lane};

/// How many configurations are looked at. Explaining costs much more than searching.
const EXAMINED: usize = 64;
/// How many groups a report has.
const GROUPS: usize = 16;
/// For how many steps of an action it is reported why a condition is not true of them.
const STEPS: usize = 3;
/// The state shows what so many last steps changed.
const LATELY: usize = 3;

/// Makes a report's part about dead ends.
pub(super) struct Explainer<'a> {
    pub spec: &'a Spec,
    pub prepared: &'a Prepared,
    pub calls: &'a Calls<'a>,
    pub time_unit: &'static str,
    /// Everything was tried: what can happen and was not placed was kept from it by the configuration's constraints, if these count.
    pub exhausted: bool,
    /// The configuration's constraints count.
    pub constrained: bool,
}

impl Explainer<'_> {
    pub fn stuck(&self, deepest: &Deepest) -> Stuck {
        let mut groups: Vec<Group> = Vec::new();
        let mut alike: HashMap<Vec<String>, usize> = HashMap::new();
        let examined = &deepest.kept[..deepest.kept.len().min(EXAMINED)];
        for dead_end in examined {
            let lanes = self.lanes(dead_end);
            let at = *alike.entry(way_to_fail(&lanes)).or_insert(groups.len());
            match groups.get_mut(at) {
                Some(group) => group.count += 1,
                None => groups.push(Group { count: 1, example: self.dead_end(dead_end, lanes) }),
            }
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group.count));
        let more_groups = groups.len().saturating_sub(GROUPS) as u64;
        groups.truncate(GROUPS);
        Stuck {
            placed: deepest.placed,
            followed_only: deepest.is_of_those_followed(),
            events: self.prepared.history.timeline.len() as u64,
            time_unit: self.time_unit.to_owned(),
            configurations: deepest.count,
            examined: examined.len() as u64,
            groups,
            more_groups,
        }
    }

    fn dead_end(&self, dead_end: &search::DeadEnd, lanes: Vec<LaneAt>) -> DeadEnd {
        let mut path: Vec<Step> = Vec::with_capacity(dead_end.path.len());
        let mut before: Option<&State> = None;
        for stride in &dead_end.path {
            let changes = values(self.spec, &stride.state, before);
            path.push(Step { call: self.calls.call(stride.event), became: stride.became.into(), changes });
            before = Some(&stride.state);
        }
        // The first step lists all variables.
        let lately = path.iter().skip(1).rev().take(LATELY).flat_map(|step| step.changes.keys());
        let changed: HashSet<&String> = lately.collect();
        let state = values(self.spec, &dead_end.state, None);
        let changed = state.keys().filter(|name| changed.contains(name)).cloned().collect();
        let ends = lanes.iter().filter_map(|lane| lane.next.as_ref()).filter_map(|next| next.call.end);
        let before = dead_end.before.as_ref().map(|before| values(self.spec, before, None)).unwrap_or_default();
        DeadEnd { deadline: ends.min(), lanes, before, path, state, changed }
    }

    fn lanes(&self, dead_end: &search::DeadEnd) -> Vec<LaneAt> {
        let search::DeadEnd { positions, begun, state, .. } = dead_end;
        let history = &self.prepared.history;
        let unseen = self.calls.of(&self.prepared.unseen);
        let placement = Placement::resume(&history.timeline, positions);
        let earliest = placement.earliest_end();
        let first_to_end = first_to_end(history, &placement, earliest);
        let lane_at = |(lane, recorded): (usize, &Lane)| {
            let place = EventRef { lane: lane as u32, at: positions[lane] };
            let next = placement.next(&history.timeline, lane).map(|event| Next {
                call: self.calls.call(place),
                obstacle: match first_to_end {
                    Some(first) if event.start > earliest => Obstacle::WaitsFor(Box::new(self.calls.call(first))),
                    _ => self.obstacle(place, begun[lane].as_ref(), state),
                },
            });
            let index = |at: usize| recorded.events.get(at).map(|event| u64::from(event.index));
            let placed = positions[lane] as usize;
            let after = placed.checked_sub(1).and_then(index).map_or(0, |last| last + 1);
            LaneAt {
                lane: recorded.id,
                thread: self.calls.thread(recorded.id).to_owned(),
                placed: placed as u64,
                events: recorded.events.len() as u64,
                next,
                unseen: unseen.within(recorded.id, after..index(placed).unwrap_or(u64::MAX)),
            }
        };
        let mut lanes: Vec<LaneAt> = history.timeline.lanes.iter().enumerate().map(lane_at).collect();
        for Lane { id, .. } in &self.prepared.unseen.timeline.lanes {
            if lanes.iter().all(|lane| lane.lane != *id) {
                let (thread, unseen) = (self.calls.thread(*id).to_owned(), unseen.within(*id, 0..u64::MAX));
                lanes.push(LaneAt { lane: *id, thread, placed: 0, events: 0, next: None, unseen });
            }
        }
        lanes
    }

    /// Why an event cannot happen in a state, as the choice and with the arguments that its inner steps determine, if it has taken any.
    pub fn obstacle(&self, place: EventRef, begun: Option<&Begun>, state: &State) -> Obstacle {
        let mut found: Vec<Reason> = Vec::new();
        let Prepared { history, conditions, .. } = self.prepared;
        let choices = (0u16..).zip(history.choices(history.timeline.event(place)));
        for (_, choice) in choices.filter(|(nth, _)| begun.is_none_or(|begun| begun.choice == *nth)) {
            let args = begun.map_or_else(|| history.args(choice), |begun| &begun.args);
            let explain = |action| self.spec.explain(state, action, args);
            // That a call is not done says little if its next step is what cannot happen.
            if let Act::Steps { step, .. } = choice.act
                && let Ok(step) = explain(step)
            {
                found.extend(reasons(&step));
            }
            let Ok(explanation) = explain(choice.act.decisive()) else { continue };
            let mut why = reasons(&explanation);
            if why.is_empty() {
                match choice.condition {
                    Some(at) => {
                        let (operator, event) = conditions.get(at);
                        why.push(refused(&format!("the condition `{operator}` is not true of it")));
                        let steps = explanation.steps.iter().take(STEPS);
                        let explained =
                            steps.filter_map(|step| self.spec.explain_of(operator, event, state, &step.next));
                        why.extend(explained.flat_map(|part| reasons_of(&part, self.spec.sources())));
                    }
                    None if begun.is_some_and(|begun| begun.is_narrowed) => {
                        let narrowed = "with no value that its inner steps leave for an argument that was not recorded";
                        found.push(refused(narrowed));
                    }
                    None if self.exhausted && self.constrained => {
                        why.push(refused("the configuration's constraints leave its step out"));
                    }
                    None if self.exhausted => {}
                    None => return Obstacle::Untried {},
                }
            }
            found.extend(why);
        }
        Obstacle::Blocked(found)
    }
}

/// The specification allows it, something else does not.
fn refused(why: &str) -> Reason {
    let says = format!("the action can happen, but {why}");
    Reason { says, values: Vec::new(), given: Vec::new(), place: None, within: None }
}

/// The next event that ends first: what began later has to wait for it.
fn first_to_end(history: &History, placement: &Placement, earliest: u64) -> Option<EventRef> {
    let ends_first = |lane: &usize| placement.next(&history.timeline, *lane).is_some_and(|event| event.end == earliest);
    let lane = (0..history.timeline.lanes.len()).find(ends_first)?;
    Some(EventRef { lane: lane as u32, at: placement.at(lane) })
}

/// What dead ends that fail alike have in common: the events that are blocked and the formulas that block them,
/// whatever their values.
fn way_to_fail(lanes: &[LaneAt]) -> Vec<String> {
    let mut way = Vec::new();
    for next in lanes.iter().filter_map(|lane| lane.next.as_ref()) {
        if let Obstacle::Blocked(reasons) = &next.obstacle {
            way.push(format!("{} {}", next.call.lane, next.call.index));
            way.extend(reasons.iter().map(|reason| match &reason.place {
                Some(place) => format!("{}:{}:{}", place.file, place.line, place.column),
                None => reason.says.clone(),
            }));
        }
    }
    way
}

impl From<search::Became> for Became {
    fn from(became: search::Became) -> Self {
        match became {
            search::Became::Happened(_) => Self::Happened,
            search::Became::InnerStep(_) => Self::InnerStep,
            search::Became::Nothing => Self::Nothing,
        }
    }
}
