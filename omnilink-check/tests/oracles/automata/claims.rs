//! What the checker says about a history besides its verdict, compared with brute force: orders, the configurations that got
//! furthest and the ways to them, and smaller reasons.

use std::collections::HashSet;
use std::ops::ControlFlow;

use omnilink_check::check::Order;
use omnilink_check::prepare::Prepared;
use omnilink_check::search::{Became, Begun, DeadEnd, Deepest, Limits, Stride};
use omnilink_check::shrink::Core;
use omnilink_check::timeline::EventRef;
use omnilink_tla::{Spec, State};

use super::brute::{Brute, Configuration, Kind, Seen};

/// Longer ways to dead ends are told by their last moves.
const PATH: usize = 16;

pub struct Subject<'a> {
    pub spec: &'a Spec,
    pub prepared: &'a Prepared,
    pub brute: &'a Brute<'a>,
    pub seen: &'a HashSet<Configuration>,
}

impl Subject<'_> {
    fn state(&self, state: &State) -> usize {
        let values: Vec<String> =
            state.values().iter().map(|value| value.clone().normalize().expect("finite").to_string()).collect();
        self.brute.automaton.state(&values)
    }

    /// The configurations that a step of an order may lead to.
    fn after(&self, here: &[Configuration], stride: &Stride) -> Vec<Configuration> {
        let kind = match stride.became {
            Became::Happened(_) => Kind::Happen,
            Became::InnerStep(_) => Kind::Inner,
            Became::Nothing => Kind::Skip,
        };
        let (lane, at, state) = (stride.event.lane as usize, stride.event.at as usize, self.state(&stride.state));
        let here = here.iter().filter(|(positions, ..)| positions[lane] == at);
        let moves = here.flat_map(|configuration| self.brute.moves(configuration));
        moves.filter(|(moved, what, to)| (*moved, *what, to.2) == (lane, kind, state)).map(|it| it.2).collect()
    }

    /// Whether an order is one that tells of every event: all configurations that its steps may have led to are followed side
    /// by side.
    pub fn check_order(&self, order: &Order) -> Result<(), String> {
        let init = self.state(order.init());
        let mut here: Vec<_> = self.brute.starts().into_iter().filter(|start| start.2 == init).collect();
        let walked = order.walk(self.spec, self.prepared, &mut |stride| {
            here = self.after(&here, stride);
            ControlFlow::Continue(())
        });
        walked.map_err(|failure| format!("the order cannot be walked: {failure:?}"))?;
        let is_order = here.iter().any(|(at, ..)| self.brute.is_over(at));
        if is_order { Ok(()) } else { Err(format!("the order is none, or does not tell of all events: {here:?}")) }
    }

    /// Whether the configurations that got furthest did, and whether the reported paths lead to them. A search that explores no
    /// dead ends may leave the furthest ones.
    pub fn check_deepest(&self, deepest: &Deepest, limits: &Limits) -> Result<(), String> {
        let (or_less, is_shared) = (limits.explored_dead_ends == 0, limits.threads > 1);
        let placed = |(at, ..): &Configuration| at.iter().sum::<usize>() as u64;
        let furthest = self.seen.iter().map(placed).max().unwrap_or(0);
        if deepest.placed > furthest || deepest.placed < furthest && !or_less {
            return Err(format!("{} events are said to be placed, not {furthest}", deepest.placed));
        }
        if deepest.placed < furthest && deepest.left < furthest {
            return Err(format!("nothing is said to be left at {furthest} events: {deepest:?}"));
        }
        for dead_end in &deepest.kept {
            let found = self.of_dead_end(dead_end);
            if found.is_empty() {
                return Err(format!("nothing leads to {dead_end:?}"));
            }
            if found.iter().any(|found| placed(found) != deepest.placed) {
                return Err(format!("{} events are placed by {dead_end:?}", deepest.placed));
            }
            // A long path is told by its end, as is one whose first states were forgotten, and that of a thread that was given a
            // part of the search begins there.
            let is_whole = dead_end.path.len() < PATH && dead_end.before.is_some() && !is_shared;
            let all = if is_whole { self.brute.starts() } else { self.seen.iter().cloned().collect() };
            let before = dead_end.before.as_ref().map(|before| self.state(before));
            let is_before = |configuration: &Configuration| before.is_none_or(|before| configuration.2 == before);
            let mut here: Vec<Configuration> = all.into_iter().filter(is_before).collect();
            for stride in &dead_end.path {
                here = self.after(&here, stride);
            }
            if !here.iter().any(|end| found.contains(&end)) {
                return Err(format!("the path does not lead to {dead_end:?}"));
            }
        }
        Ok(())
    }

    /// The configurations that a dead end stands for.
    pub fn of_dead_end(&self, dead_end: &DeadEnd) -> Vec<&Configuration> {
        let at: Vec<usize> = dead_end.positions.iter().map(|at| *at as usize).collect();
        let state = self.state(&dead_end.state);
        let is_meant = |(other, begun, reached): &&Configuration| {
            let mut lanes = begun.iter().zip(&dead_end.begun).enumerate();
            *other == at
                && *reached == state
                && lanes.all(|(lane, (concrete, told))| {
                    let event = self.brute.lanes[lane].get(at[lane]);
                    event.is_none_or(|event| is_told(event, concrete.as_ref(), told.as_ref()))
                })
        };
        self.seen.iter().filter(is_meant).collect()
    }

    /// Whether what a smaller reason says is so.
    pub fn check_core(&self, core: &Core) -> Result<(), String> {
        let level = self.brute.level(self.seen, core.changing);
        let expected: HashSet<usize> = level.iter().map(|it| it.2).collect();
        let told: HashSet<usize> = core.states.iter().map(|state| self.state(state)).collect();
        if told != expected {
            return Err(format!("the first {} changing calls lead to {expected:?}, not {told:?}", core.changing));
        }
        // What comes after them: the needed calls, perhaps the others, and nothing else.
        let is_in = |events: &[EventRef], lane: usize, at: usize| {
            events.iter().any(|event| (event.lane as usize, event.at as usize) == (lane, at))
        };
        let has_order = |changed: &dyn Fn(usize, usize) -> Option<bool>| {
            let lanes: Vec<Vec<Seen>> = self
                .brute
                .lanes
                .iter()
                .enumerate()
                .map(|(lane, events)| {
                    let kept = events.iter().enumerate().map_while(|(at, event)| {
                        let optional = changed(lane, at)?;
                        Some(Seen { optional, ..event.clone() })
                    });
                    kept.collect()
                })
                .collect();
            let part = Brute { automaton: self.brute.automaton, lanes };
            part.reach(level.iter().cloned().collect()).iter().any(|(at, ..)| part.is_complete(at))
        };
        let optional = |lane: usize, at: usize, but: Option<usize>| {
            if let Some(nth) =
                core.needed.iter().position(|event| (event.lane as usize, event.at as usize) == (lane, at))
            {
                return Some(but == Some(nth));
            }
            if is_in(&core.others, lane, at) {
                return Some(true);
            }
            // What comes before all of these in their lane comes before the cut.
            let listed = core.needed.iter().chain(&core.others).filter(|event| event.lane as usize == lane);
            let last = listed.map(|event| event.at as usize).max().unwrap_or(0);
            let placed = level.iter().map(|(at, ..)| at[lane]).max().unwrap_or(0);
            (at < last.max(placed)).then_some(self.brute.lanes[lane][at].optional)
        };
        if has_order(&|lane, at| optional(lane, at, None)) {
            return Err(format!("there is an order of {core:?}"));
        }
        for nth in 0..core.needed.len() {
            if core.is_minimal && !has_order(&|lane, at| optional(lane, at, Some(nth))) {
                return Err(format!("{:?} is not needed in {core:?}", core.needed[nth]));
            }
        }
        for blocked in &core.blocked {
            let event = &self.brute.lanes[blocked.event.lane as usize][blocked.event.at as usize];
            let state = self.state(&blocked.state);
            let as_told = (0..event.readings.len()).flat_map(|nth| {
                let reading = &event.readings[nth];
                reading
                    .args()
                    .filter(move |args| begun_as(blocked.begun.as_ref(), reading.arity, nth, *args))
                    .map(move |args| (reading, args))
            });
            let mut happens = as_told.filter(|(reading, args)| !reading.happens(state, *args).is_empty());
            if blocked.begun.as_ref().is_none_or(|begun| !begun.is_narrowed)
                && let Some((reading, args)) = happens.next()
            {
                return Err(format!("{} can happen with {args:?}: {blocked:?}", reading.name));
            }
        }
        Ok(())
    }
}

/// Whether what a dead end tells of a lane's next event is so: nothing has to be told of a call that stands for one thing.
fn is_told(event: &Seen, concrete: Option<&(usize, [usize; 2])>, told: Option<&Begun>) -> bool {
    match (concrete, told) {
        (None, None) => true,
        (Some(_), None) => event.readings.len() == 1,
        (None, Some(_)) => false,
        (Some((nth, args)), Some(_)) => begun_as(told, event.readings[*nth].arity, *nth, *args),
    }
}

/// Whether a choice with these arguments is what inner steps have told; all are if there were none.
pub fn begun_as(begun: Option<&Begun>, arity: usize, nth: usize, args: [usize; 2]) -> bool {
    let Some(begun) = begun else { return true };
    let mut known = begun.args.iter().take(arity).zip(args);
    usize::from(begun.choice) == nth
        && known.all(|(told, arg)| told.as_ref().is_none_or(|told| told.to_string() == arg.to_string()))
}
