//! Random histories of an automaton, and the traces of them.

use omnilink_trace::{
    Argument, Candidates, Event, Outcome, Record, Run, StopReason, Termination, Timebox, Trace, TraceBuilder, Value,
};

use super::automaton::{Automaton, VALUES};
use crate::random::Random;

/// A call.
#[derive(Debug, Clone)]
pub struct Call {
    pub candidates: Vec<usize>,
    pub args: [Option<usize>; 2],
    pub start: u64,
    pub end: Option<u64>,
    pub outcome: Outcome,
}

/// A history.
#[derive(Debug, Clone)]
pub struct Plan {
    pub lanes: Vec<Vec<Call>>,
    pub stop: Option<(usize, u64)>,
    /// By lane: when the clock was read at the end of its thread.
    pub ends: Vec<Option<u64>>,
    /// By how much the clocks may differ, and what the fences leave open.
    pub uncertainty: [u64; 2],
}

impl Plan {
    /// By how much ends are widened when a trace is read.
    pub fn widening(&self) -> u64 {
        self.uncertainty.iter().sum()
    }
}

/// Random calls; some of the time those that the automaton makes.
pub fn history(automaton: &Automaton, random: &mut Random) -> Plan {
    let lanes = 2 + random.below(2);
    let mut plan = Plan { lanes: vec![Vec::new(); lanes], stop: None, ends: vec![None; lanes], uncertainty: [0; 2] };
    let (spread, mut time, mut state) = (1 + random.below(8), 10u64, *random.pick(&automaton.inits));
    let honest = random.chance(20);
    for _ in 0..2 + random.below(5) {
        time += random.below(4) as u64;
        let lane = random.below(lanes);
        let mut chosen = None;
        for _ in 0..12 {
            let (at, args) = (random.below(automaton.actions.len()), [random.below(VALUES), random.below(VALUES)]);
            let action = &automaton.actions[at];
            let args = [if action.arity > 0 { args[0] } else { 0 }, if action.arity > 1 { args[1] } else { 0 }];
            let mut to = state;
            if let Some(step) = &action.step {
                for _ in 0..random.below(3) {
                    let mask = step.next(to, args, action.arity);
                    to = (0..automaton.states).find(|next| mask >> next & 1 == 1).unwrap_or(to);
                }
            }
            let mask = action.done.next(to, args, action.arity);
            let next = (0..automaton.states).find(|next| mask >> next & 1 == 1);
            if next.is_some() || !honest {
                chosen = Some((at, args));
                state = next.unwrap_or(state);
                break;
            }
        }
        let Some((action, args)) = chosen else { continue };
        if plan.lanes[lane].last().is_some_and(|before| before.end.is_none()) {
            continue;
        }
        let earliest = plan.lanes[lane].last_mut().map_or(0, |before| {
            before.end = before.end.map(|end| end.min(time).max(before.start));
            before.end.expect("it has ended")
        });
        let start = earliest.max(time.saturating_sub(random.below(spread) as u64));
        let mut candidates = vec![action];
        if random.chance(15) {
            let other = random.below(automaton.actions.len());
            if other != action {
                candidates.insert(random.below(2), other);
            }
        }
        let mut known = |value| (!random.chance(35)).then_some(value);
        let args = [known(args[0]), known(args[1])];
        let (mut end, mut outcome) = (Some(start.max(time) + random.below(spread) as u64), Outcome::Done);
        match random.below(20) {
            0 | 1 => (end, outcome) = (None, Outcome::Pending),
            2 | 3 => outcome = Outcome::Indeterminate,
            4 | 5 => outcome = Outcome::Aborted,
            _ => {}
        }
        plan.lanes[lane].push(Call { candidates, args, start, end, outcome });
    }
    if random.chance(8) {
        let (lane, at) = (random.below(lanes), 8 + random.below(16) as u64);
        plan.lanes[lane].retain(|call| call.start < at);
        plan.stop = Some((lane, at));
    }
    for lane in 0..lanes {
        let last = plan.lanes[lane].last().map_or(Some(10), |call| call.end);
        let is_cut = plan.stop.is_some_and(|(stopped, _)| stopped == lane);
        plan.ends[lane] = last.filter(|_| !is_cut && random.chance(40)).map(|last| last + random.below(4) as u64);
    }
    if random.chance(30) {
        plan.uncertainty = [random.below(6) as u64, random.below(2) as u64];
    }
    plan
}

/// The trace of it.
pub fn trace(automaton: &Automaton, plan: &Plan) -> Trace {
    let [uncertainty, slack] = plan.uncertainty;
    let mut run = Run::default();
    (run.clock.uncertainty, run.clock.slack) = (uncertainty, slack);
    let mut builder = TraceBuilder::new("Automaton", "Next", run);
    for (lane, calls) in plan.lanes.iter().enumerate() {
        builder.lane(lane as u32, "");
        for call in calls {
            let mut arity = 0;
            let mut actions = Vec::new();
            for &candidate in &call.candidates {
                let action = &automaton.actions[candidate];
                arity = arity.max(action.arity);
                actions.push(builder.action(&action.name, &["x", "y"][..action.arity]).expect("parameters differ"));
            }
            let candidates = match actions.as_slice() {
                [one] => Candidates::One(*one),
                _ => Candidates::Several(actions.into()),
            };
            let vocabulary = builder.vocabulary();
            let argument = |(name, value): (&&str, &Option<usize>)| Argument {
                param: vocabulary.intern(name),
                value: value.map(|value| Value::Int(value as i64)),
            };
            let args = ["x", "y"][..arity].iter().zip(&call.args).map(argument).collect();
            let (timebox, outcome) = (Timebox { start: call.start, end: call.end }, call.outcome);
            let (effects, meta) = (Vec::new(), Vec::new());
            let event =
                Event { lane: lane as u32, index: 0, candidates, args, timebox, outcome, effects, meta, offset: 0 };
            builder.push(Record::Event(event)).unwrap_or_else(|error| panic!("{error}\n{plan:?}"));
        }
        if let Some(time) = plan.ends[lane] {
            let it = Termination { lane: lane as u32, time, meta: Vec::new() };
            builder.push(Record::Terminated(it)).unwrap_or_else(|error| panic!("{error}\n{plan:?}"));
        }
    }
    if let Some((lane, at)) = plan.stop {
        builder.stop(lane as u32, at, StopReason::NoSpace);
    }
    builder.finish("history").unwrap_or_else(|error| panic!("{error}\n{plan:?}"))
}
