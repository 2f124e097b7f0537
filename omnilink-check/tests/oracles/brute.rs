//! Brute force: every order of every reading of a history.
//!
//! Written from the definition, and as unlike the checker as can be. A *reading* decides beforehand what every call
//! was: which candidate, whether an optional call took effect, how many inner steps a pair took, and what the unknown
//! arguments of a pair were, which are the same in all its steps. It is a list of plain steps of actions with a partial order. All linear extensions of that are run, one by one, without remembering
//! anything and without knowing that some actions change nothing.

use omnilink_tla::spec::ActionId;
use omnilink_tla::{Spec, State, Value};
use omnilink_trace::Outcome;

use crate::datum::Datum;
use crate::family::{Family, Operation};
use crate::plan::{Call, Plan};

/// What brute force says about a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// There is an order.
    Accepted,
    /// There is none.
    Rejected,
    /// There is none, but something could not be evaluated, and had it been true there might be one.
    Failed,
    /// There is none. Something could not be evaluated, but only calls that change nothing, in orders that would not
    /// have succeeded for all that: the checker may have had no reason to look.
    RejectedOrFailed,
    /// There are too many orders.
    GaveUp,
}

/// The most inner steps that are any use: the families' pairs have no more than two things to do.
const INNER_STEPS: usize = 2;
/// The most evaluations for one history.
const EFFORT: u64 = 3_000_000;

/// A call after the cut of an incomplete trace.
pub struct Seen<'p> {
    /// Its lane.
    pub lane: usize,
    /// The call.
    pub call: &'p Call,
    /// When it had ended, if that was before the cut.
    pub end: Option<u64>,
    /// Whether it may have had no effect.
    pub is_optional: bool,
}

/// A step of an action.
struct Step {
    event: usize,
    action: ActionId,
    /// Every combination of values that the arguments may have.
    args: Vec<Vec<Option<Value>>>,
    only_reads: bool,
    /// The steps that have to come before, as bits.
    after: u64,
}

/// Decides a history.
pub fn decide(family: &'static Family, spec: &Spec, plan: &Plan) -> Answer {
    let events = seen(plan);
    let options: Vec<_> = events.iter().map(|event| readings(family, spec, event)).collect();
    let mut brute = Brute { spec, fails: family.fails, steps: Vec::new(), failed: false, hopeful: false, effort: 0 };
    let mut inits = Vec::new();
    spec.init_states(&mut |state| {
        inits.push(state);
        std::ops::ControlFlow::Continue(())
    })
    .expect("families have initial states");
    let mut chosen = vec![0; options.len()];
    loop {
        brute.steps = ordered(&events, options.iter().zip(&chosen).map(|(options, &nth)| &options[nth]));
        let all = (1u64 << brute.steps.len()) - 1;
        if inits.iter().any(|init| brute.extend(all, init, false)) {
            return Answer::Accepted;
        }
        let Some(digit) = (0..chosen.len()).find(|&digit| chosen[digit] + 1 < options[digit].len()) else { break };
        chosen[digit] += 1;
        chosen[..digit].fill(0);
    }
    match brute {
        _ if brute.effort > EFFORT => Answer::GaveUp,
        Brute { hopeful: true, .. } => Answer::Failed,
        Brute { failed: true, .. } => Answer::RejectedOrFailed,
        _ => Answer::Rejected,
    }
}

/// What is left of a history after the cut, without what was aborted.
pub fn seen(plan: &Plan) -> Vec<Seen<'_>> {
    let cut = plan.stop.map_or(u64::MAX, |(_, at)| at);
    let calls = plan.calls().filter(|(.., call)| call.start < cut && call.outcome != Outcome::Aborted);
    calls
        .map(|(lane, _, call)| {
            let end = call.end.filter(|&end| end < cut);
            Seen { lane, call, end, is_optional: end.is_none() || call.outcome == Outcome::Indeterminate }
        })
        .collect()
}

/// What a call may have been: lists of action and operation.
fn readings(family: &'static Family, spec: &Spec, event: &Seen<'_>) -> Vec<Vec<Step>> {
    let recorded = |operation: &'static Operation| -> Vec<_> {
        operation.params.iter().map(|(param, _)| event.call.arg(param).cloned()).collect()
    };
    let combinations = |operation| arguments(family, operation, &recorded(operation));
    let step = |operation: &'static Operation, suffix: &str, args: Vec<Vec<Option<Value>>>| Step {
        event: 0,
        action: spec.action(&format!("{}{suffix}", operation.name)).expect("the specification has it"),
        args,
        only_reads: operation.only_reads(&recorded(operation)),
        after: 0,
    };
    let mut readings = Vec::new();
    for name in &event.call.names {
        let operation = family.operation(name);
        if !operation.is_pair {
            readings.push(vec![step(operation, "", combinations(operation))]);
            continue;
        }
        for args in combinations(operation) {
            let part = |suffix| step(operation, suffix, vec![args.clone()]);
            let inner = |count| std::iter::repeat_with(|| part("_Step")).take(count);
            for count in 0..=INNER_STEPS {
                readings.push(inner(count).chain([part("_Done")]).collect());
                if count > 0 && event.is_optional {
                    readings.push(inner(count).collect());
                }
            }
        }
    }
    if event.call.names.is_empty() {
        for operation in family.operations {
            let actions = if operation.is_pair { &["_Step", "_Done"][..] } else { &[""] };
            readings.extend(actions.iter().map(|suffix| vec![step(operation, suffix, combinations(operation))]));
        }
    }
    if event.is_optional {
        readings.push(Vec::new());
    }
    readings
}

/// All values for the arguments. What is unknown may be anything; where evaluation fails, trying everything would fail
/// more often than solving for it, so there it is left to the specification.
fn arguments(family: &Family, operation: &Operation, args: &[Option<Datum>]) -> Vec<Vec<Option<Value>>> {
    let mut all = vec![Vec::new()];
    for ((_, domain), arg) in operation.params.iter().zip(args) {
        let values = match arg {
            Some(value) => vec![Some(value.value())],
            None if family.fails => vec![None],
            None => domain.all().iter().map(|value| Some(value.value())).collect(),
        };
        let with = |known: &Vec<Option<Value>>, value: &Option<Value>| {
            [known.as_slice(), std::slice::from_ref(value)].concat()
        };
        all = all.iter().flat_map(|known| values.iter().map(move |value| with(known, value))).collect();
    }
    all
}

/// The steps of a reading, each with those that have to come before it: of the same call, of the same lane, and of
/// calls that had ended before its own began.
fn ordered<'o>(events: &[Seen<'_>], reading: impl Iterator<Item = &'o Vec<Step>>) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (event, parts) in reading.enumerate() {
        for part in parts {
            steps.push(Step { event, args: part.args.clone(), after: 0, ..*part });
        }
    }
    let precedes = |(one, a): (usize, &Step), (other, b): (usize, &Step)| {
        let (a, b) = (&events[a.event], &events[b.event]);
        if a.lane == b.lane { one < other } else { a.end.is_some_and(|end| end < b.call.start) }
    };
    let before = |other: usize| {
        let earlier = steps.iter().enumerate().filter(|&(one, a)| precedes((one, a), (other, &steps[other])));
        earlier.fold(0, |bits, (one, _)| bits | 1 << one)
    };
    let after: Vec<u64> = (0..steps.len()).map(before).collect();
    for (step, after) in steps.iter_mut().zip(after) {
        step.after = after;
    }
    steps
}

struct Brute<'a> {
    spec: &'a Spec,
    fails: bool,
    steps: Vec<Step>,
    /// Something could not be evaluated.
    failed: bool,
    /// An order might exist had it been evaluated.
    hopeful: bool,
    effort: u64,
}

impl Brute<'_> {
    /// Whether the steps that are left can all be taken, in some order, from a state. `assumed` says that something on
    /// the way, which changes nothing, could not be evaluated and was taken to be true.
    fn extend(&mut self, left: u64, state: &State, assumed: bool) -> bool {
        if left == 0 {
            self.hopeful |= assumed;
            return !assumed;
        }
        if self.effort > EFFORT {
            return false;
        }
        for at in 0..self.steps.len() {
            let is_next = left >> at & 1 == 1 && self.steps[at].after & left == 0;
            if is_next && self.take(at, left & !(1 << at), state, assumed) {
                return true;
            }
        }
        false
    }

    fn take(&mut self, at: usize, left: u64, state: &State, assumed: bool) -> bool {
        for nth in 0..self.steps[at].args.len() {
            self.effort += 1;
            let Step { action, args, only_reads, .. } = &self.steps[at];
            let (action, only_reads) = (*action, *only_reads);
            let nexts = self.spec.step(state, action, &args[nth]);
            // A list of steps does not tell of branches that failed beside them.
            let failed = nexts.is_err()
                || self.fails
                    && self
                        .spec
                        .visit_steps(state, action, &args[nth], &mut |_| std::ops::ControlFlow::Continue(()))
                        .is_err();
            if failed {
                self.failed = true;
                self.hopeful |= !only_reads;
                if only_reads && self.extend(left, state, true) {
                    return true;
                }
            }
            let mut states: Vec<State> = nexts.unwrap_or_default().into_iter().map(|step| step.next).collect();
            states.dedup();
            if states.iter().any(|next| self.extend(left, next, assumed)) {
                return true;
            }
        }
        false
    }
}
