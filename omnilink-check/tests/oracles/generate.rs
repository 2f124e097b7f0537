//! Random histories: a behaviour of the specification, spread over lanes with boxes around the points where things
//! happened. Most are made harder afterwards, and half of them wrong, see [`crate::disturb`].

use omnilink_tla::spec::ActionId;
use omnilink_tla::{Spec, State, Value};
use omnilink_trace::Outcome;

use crate::datum::Datum;
use crate::disturb;
use crate::family::{Family, Operation};
use crate::plan::{Call, Plan};
use crate::random::Random;

/// What histories may have in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Calls that returned, with all arguments known.
    Plain,
    /// Anything that traces may have.
    Rich,
}

/// The history of a seed.
pub fn history(family: &'static Family, spec: &Spec, kind: Kind, seed: u64) -> Plan {
    let mut random = Random::new(seed.wrapping_mul(0x2545_F491_4F6C_DD1D));
    let mut plan = behaviour(family, spec, kind, &mut random);
    if kind == Kind::Rich {
        disturb::enrich(&mut plan, family, &mut random);
    }
    if random.chance(80) {
        disturb::corrupt(&mut plan, family, kind, &mut random);
    }
    plan
}

/// A call with random arguments.
pub fn random_call(operation: &'static Operation, random: &mut Random) -> Call {
    let args = operation.params.iter().map(|(name, domain)| (*name, Some(domain.pick(random)))).collect();
    Call { names: vec![operation.name], args, start: 0, end: Some(0), outcome: Outcome::Done }
}

/// The specification run at random, by calls in several lanes.
struct Simulation<'a> {
    family: &'static Family,
    spec: &'a Spec,
    random: &'a mut Random,
    state: State,
    time: u64,
    /// How fast time passes from one thing to the next; 1 not at all.
    pace: usize,
    /// How far boxes reach to both sides of where something happened.
    spread: usize,
    lanes: Vec<Vec<Call>>,
    /// Lanes whose last call is a pair that is not done.
    open: Vec<bool>,
}

/// When it begins: late enough for boxes to begin earlier.
const BEGIN: u64 = 10;

fn behaviour(family: &'static Family, spec: &Spec, kind: Kind, random: &mut Random) -> Plan {
    let mut inits = Vec::new();
    spec.init_states(&mut |state| {
        inits.push(state);
        std::ops::ControlFlow::Continue(())
    })
    .expect("families have initial states");
    let lanes = 2 + random.below(3);
    let (state, spread, pace) = (random.pick(&inits).clone(), 1 + random.below(family.spread), 1 + random.below(6));
    let events = 1 + random.below(family.events).max(random.below(family.events));
    let mut simulation = Simulation {
        family,
        spec,
        random,
        state,
        time: BEGIN,
        pace,
        spread,
        lanes: vec![Vec::new(); lanes],
        open: vec![false; lanes],
    };
    while simulation.lanes.iter().map(Vec::len).sum::<usize>() < events || simulation.open.contains(&true) {
        if !simulation.advance(events) {
            break;
        }
    }
    simulation.end(kind);
    Plan { lanes: simulation.lanes, stop: None }
}

impl Simulation<'_> {
    /// Does one thing in some lane; false if nothing was found to do.
    fn advance(&mut self, events: usize) -> bool {
        self.time += self.random.below(self.pace) as u64;
        for _ in 0..40 {
            let lane = self.random.below(self.lanes.len());
            let enough = self.lanes.iter().map(Vec::len).sum::<usize>() >= events;
            if self.open[lane] && self.go_on(lane) || !self.open[lane] && !enough && self.begin(lane) {
                return true;
            }
        }
        false
    }

    /// A step or the end of the pair that is open in a lane.
    fn go_on(&mut self, lane: usize) -> bool {
        let call = self.lanes[lane].last().expect("what is open has begun").clone();
        let half = if self.random.chance(60) { "_Step" } else { "_Done" };
        let args: Vec<_> = call.args.iter().map(|(_, value)| value.clone()).collect();
        if !self.happens(&format!("{}{half}", call.names[0]), &args) {
            return false;
        }
        let end = self.time + self.random.below(self.spread) as u64;
        self.lanes[lane].last_mut().expect("it is there").end = Some(end);
        self.open[lane] = half == "_Step";
        true
    }

    /// A new call in a lane.
    fn begin(&mut self, lane: usize) -> bool {
        let operation = self.random.pick(self.family.operations);
        let mut call = random_call(operation, self.random);
        let args: Vec<_> = call.args.iter().map(|(_, value)| value.clone()).collect();
        let half = if self.random.chance(70) { "_Step" } else { "_Done" };
        let half = if operation.is_pair { half } else { "" };
        if !self.happens(&format!("{}{half}", operation.name), &args) {
            return false;
        }
        let before = self.lanes[lane].last_mut().map_or(0, |before| {
            before.end = before.end.map(|end| end.min(self.time));
            before.end.expect("calls have ended so far")
        });
        call.start = before.max(self.time.saturating_sub(self.random.below(self.spread) as u64));
        call.end = Some(self.time + self.random.below(self.spread) as u64);
        self.lanes[lane].push(call);
        self.open[lane] = half == "_Step";
        true
    }

    /// Lets an action happen, if it can.
    fn happens(&mut self, name: &str, args: &[Option<Datum>]) -> bool {
        let action: ActionId = self.spec.action(name).expect("families name actions of their specifications");
        let args: Vec<Option<Value>> = args.iter().map(|arg| arg.as_ref().map(Datum::value)).collect();
        let steps = self.spec.step(&self.state, action, &args).unwrap_or_default();
        if steps.is_empty() {
            return false;
        }
        self.state = self.random.pick(&steps).next.clone();
        true
    }

    /// What has not ended was killed.
    fn end(&mut self, kind: Kind) {
        for (lane, open) in self.open.iter().enumerate() {
            let Some(call) = self.lanes[lane].last_mut().filter(|_| *open && kind == Kind::Rich) else { continue };
            if self.random.chance(50) {
                (call.outcome, call.end) = (Outcome::Pending, None);
            } else {
                call.outcome = Outcome::Indeterminate;
            }
        }
    }
}
