//! Random histories: mostly what some behaviour of the specification could have been recorded as.

use std::ops::ControlFlow;

use omnilink_tla::{Spec, State, Value as TlaValue};
use omnilink_trace::{
    Argument, Candidates, Event, Outcome, Record, Run, Timebox, Trace, TraceBuilder, Value as Recorded,
};

use crate::random::Random;
use crate::specification::{Kind, Specification, Template};

/// A history.
#[derive(Debug)]
pub struct Plan {
    lanes: Vec<Vec<Call>>,
    /// By how much boxes are widened: those of a lane overlap then.
    uncertainty: u64,
}

/// A call.
#[derive(Debug, Clone)]
pub struct Call {
    pub name: &'static str,
    /// What else it may have been: an action with the same parameters.
    pub or: Option<&'static str>,
    pub args: Vec<(&'static str, Option<Datum>)>,
    pub start: u64,
    pub end: u64,
    pub outcome: Outcome,
}

/// An argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Datum {
    Int(i64),
    Bool(bool),
}

impl Datum {
    fn random(kind: Kind, random: &mut Random) -> Self {
        match kind {
            Kind::Key => Self::Int(1 + random.below(3) as i64),
            Kind::Value => Self::Int(random.below(3) as i64),
            Kind::Truth => Self::Bool(random.chance(50)),
        }
    }

    fn tla(self) -> TlaValue {
        match self {
            Self::Int(number) => TlaValue::from(number),
            Self::Bool(is) => TlaValue::Bool(is),
        }
    }

    fn recorded(self) -> Recorded {
        match self {
            Self::Int(number) => Recorded::Int(number),
            Self::Bool(is) => Recorded::Bool(is),
        }
    }
}

impl Plan {
    pub fn random(specification: &Specification, spec: &Spec, random: &mut Random) -> Self {
        let count = 3 + random.below(8);
        let count_of_lanes = 2 + random.below(2);
        let mut lanes: Vec<Vec<Call>> = vec![Vec::new(); count_of_lanes];
        let width = *random.pick(&[1, 4, 12, 30]);
        let uncertainty = *random.pick(&[0, 0, 3, 8, 20]);
        let spoils = random.chance(70);
        let mut state = initial(spec, random);
        for time in (0..count as u64).map(|nth| 100 + 10 * nth) {
            let lane = &mut lanes[random.below(count_of_lanes)];
            let Some((call, after)) = happen(specification, spec, &state, random) else { break };
            state = after;
            let last = lane.last_mut().map_or(0, |last| {
                last.end = last.end.min(time);
                last.end
            });
            let start = (time - random.below(width) as u64).max(last);
            lane.push(Call { start, end: time + random.below(width) as u64, ..call });
        }
        for call in lanes.iter_mut().flatten() {
            let kinds = specification.actions.iter().find(|action| action.name.starts_with(call.name));
            let kinds = kinds.map_or(&[][..], |action| action.params);
            if spoils && random.chance(30) && !kinds.is_empty() {
                let at = random.below(kinds.len());
                call.args[at].1 = Some(Datum::random(kinds[at].1, random));
            }
            if random.chance(4) {
                call.outcome = Outcome::Indeterminate;
            }
            let is_alike = |other: &&Template| other.params == kinds && other.name != call.name;
            let alike: Vec<_> = specification.actions.iter().filter(is_alike).map(|other| other.name).collect();
            if random.chance(8) && call.name != "Climb" && !alike.is_empty() {
                call.or = Some(*random.pick(&alike)).filter(|name| !name.starts_with("Climb"));
            }
        }
        if random.chance(3)
            && let Some(call) = lanes.iter_mut().flatten().next()
            && let Some((_, value)) = call.args.first_mut()
            && call.name != "Climb"
        {
            *value = None;
        }
        for lane in &mut lanes {
            if random.chance(8)
                && let Some(last) = lane.last_mut()
            {
                last.outcome = Outcome::Pending;
            }
        }
        Self { lanes, uncertainty }
    }

    /// A history of these calls.
    pub fn of(lanes: Vec<Vec<Call>>) -> Self {
        Self { lanes, uncertainty: 0 }
    }

    /// The trace that a recorder would have left.
    pub fn trace(&self) -> Trace {
        let mut run = Run::default();
        run.clock.uncertainty = self.uncertainty;
        let mut builder = TraceBuilder::new("Parts", "Next", run);
        for (lane, calls) in (0u32..).zip(&self.lanes) {
            for call in calls {
                let params: Vec<&str> = call.args.iter().map(|(param, _)| *param).collect();
                let mut action = |name| builder.action(name, &params).expect("few parameters");
                let candidates = match (action(call.name), call.or.map(&mut action)) {
                    (one, None) => Candidates::One(one),
                    (one, Some(other)) => Candidates::Several([one, other].into()),
                };
                let vocabulary = builder.vocabulary();
                let arg = |(param, value): &(&str, Option<Datum>)| Argument {
                    param: vocabulary.intern(param),
                    value: value.map(Datum::recorded),
                };
                let event = Event {
                    lane,
                    index: 0,
                    candidates,
                    args: call.args.iter().map(arg).collect(),
                    timebox: Timebox { start: call.start, end: (call.outcome != Outcome::Pending).then_some(call.end) },
                    outcome: call.outcome,
                    effects: Vec::new(),
                    meta: Vec::new(),
                    offset: 0,
                };
                builder.push(Record::Event(event)).expect("events are in order");
            }
        }
        builder.finish("history").expect("a trace")
    }
}

fn initial(spec: &Spec, random: &mut Random) -> State {
    let mut inits = Vec::new();
    let _ = spec.init_states(&mut |state| {
        inits.push(state);
        ControlFlow::Continue(())
    });
    random.pick(&inits).clone()
}

/// A call that can happen in a state, and where it leads.
fn happen(specification: &Specification, spec: &Spec, state: &State, random: &mut Random) -> Option<(Call, State)> {
    for _ in 0..30 {
        let Template { name, params, .. } = *random.pick(&specification.actions);
        let (recorded, is_done) = match name.strip_suffix("_Done") {
            Some(recorded) => (recorded, true),
            None => (name, false),
        };
        if name.ends_with("_Step") {
            continue;
        }
        let args: Vec<_> = params.iter().map(|(param, kind)| (*param, Some(Datum::random(*kind, random)))).collect();
        let values: Vec<_> = args.iter().map(|(_, value)| value.map(Datum::tla)).collect();
        let mut from = state.clone();
        if is_done {
            while let Some(after) = step(spec, &from, "Climb_Step", &values, random) {
                from = after;
            }
        }
        if let Some(after) = step(spec, &from, name, &values, random) {
            return Some((Call { name: recorded, or: None, args, start: 0, end: 0, outcome: Outcome::Done }, after));
        }
    }
    None
}

fn step(spec: &Spec, state: &State, name: &str, args: &[Option<TlaValue>], random: &mut Random) -> Option<State> {
    let action = spec.action(name).expect("an action of the specification");
    let mut found = Vec::new();
    let visited = spec.visit_steps(state, action, args, &mut |candidate| {
        found.push(candidate.state());
        ControlFlow::Continue(())
    });
    assert!(visited.is_ok(), "all can be evaluated");
    (!found.is_empty()).then(|| random.pick(&found).clone())
}
