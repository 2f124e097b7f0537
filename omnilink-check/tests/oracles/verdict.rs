//! The checker's verdict on a history, by the way that a trace takes. An order that it claims to have found is not
//! believed but checked.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use omnilink_check::check::{self, Checked, Order, check};
use omnilink_check::error::CheckError;
use omnilink_check::prepare::{Prepared, prepare};
use omnilink_check::rules::Rules;
use omnilink_check::search::{Became, Control, Limits};
use omnilink_tla::{Spec, State, Value};
use omnilink_trace::Outcome;

use crate::datum::Datum;
use crate::family::Family;
use crate::plan::{Call, Plan};

/// What the checker says about a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// There is an order.
    Accepted,
    /// There is none.
    Rejected,
    /// Something could not be evaluated.
    Failed,
    /// It gave up.
    Unknown,
}

/// The verdict; an error if the order that it is based on is none.
pub fn verdict(family: &'static Family, spec: &Spec, plan: &Plan) -> Result<Verdict, String> {
    verdict_by(family, spec, plan, &|prepared, control| check(spec, prepared, &check::Options::default(), control))
}

/// The verdict of several threads, which share the work from the first configuration on.
pub fn verdict_of_threads(family: &'static Family, spec: &Spec, plan: &Plan) -> Result<Verdict, String> {
    verdict_by(family, spec, plan, &|prepared, control| {
        let limits = control.limits.clone();
        control.limits = Limits {
            threads: 3,
            parallel_after: 1,
            backjump_after: 1,
            reduce_after: 0,
            explored_dead_ends: 0,
            ..limits
        };
        check(spec, prepared, &check::Options::default(), control)
    })
}

/// The verdict of a search that backjumps wherever it is stuck.
pub fn verdict_with_backjumps(family: &'static Family, spec: &Spec, plan: &Plan) -> Result<Verdict, String> {
    verdict_by(family, spec, plan, &|prepared, control| {
        control.limits.backjump_after = 1;
        check(spec, prepared, &check::Options::default(), control)
    })
}

/// The verdict of a search with partial-order reduction and dead-end detection from the first configuration on, which
/// leaves every dead end.
pub fn verdict_with_reduction(family: &'static Family, spec: &Spec, plan: &Plan) -> Result<Verdict, String> {
    verdict_by(family, spec, plan, &|prepared, control| {
        (control.limits.reduce_after, control.limits.explored_dead_ends) = (0, 0);
        check(spec, prepared, &check::Options::default(), control)
    })
}

/// How a prepared history is checked.
pub type Engine<'a> = dyn Fn(&Prepared, &mut Control<'_>) -> Result<Checked, CheckError> + 'a;

/// The verdict of an engine.
pub fn verdict_by(family: &'static Family, spec: &Spec, plan: &Plan, engine: &Engine<'_>) -> Result<Verdict, String> {
    let trace = plan.trace(family);
    let prepared = prepare(spec, &trace, &Rules::default()).map_err(|error| error.to_string())?;
    let mut control = Control {
        interrupt: &AtomicBool::new(false),
        progress: &mut |_| {},
        limits: Limits::default(),
        began: Instant::now(),
    };
    match engine(&prepared, &mut control).map_err(|error| error.to_string())?.verdict {
        check::Verdict::Accepted(order) => {
            validate(family, spec, plan, &prepared, &order).map_err(|problem| format!("not an order: {problem}"))?;
            Ok(Verdict::Accepted)
        }
        check::Verdict::Rejected(_) => Ok(Verdict::Rejected),
        check::Verdict::Failed { .. } => Ok(Verdict::Failed),
        check::Verdict::Unknown { .. } => Ok(Verdict::Unknown),
    }
}

/// A call that an order has dealt with.
struct Placed<'p> {
    lane: usize,
    at: usize,
    call: &'p Call,
}

/// Checks that an order respects the boxes, is a behaviour, and has everything that has to happen.
fn validate(family: &Family, spec: &Spec, plan: &Plan, prepared: &Prepared, order: &Order) -> Result<(), String> {
    let mut is_initial = false;
    spec.init_states(&mut |state| {
        is_initial |= state == *order.init();
        ControlFlow::Continue(())
    })
    .map_err(|error| error.to_string())?;
    if !is_initial {
        return Err("it begins in no initial state".to_owned());
    }
    let cut = plan.stop.map_or(u64::MAX, |(_, at)| at);
    let mut placed: Vec<Placed<'_>> = Vec::new();
    let mut state = order.init().clone();
    let mut problem = None;
    let walked = order.walk(spec, prepared, &mut |stride| {
        let lane = &prepared.history.timeline.lanes[stride.event.lane as usize];
        let (lane, at) = (lane.id as usize, lane.events[stride.event.at as usize].index as usize);
        let it = Placed { lane, at, call: &plan.lanes[lane][at] };
        let steps = step_problem(family, spec, &it, &state, stride.became, &stride.state, cut);
        problem = steps.or_else(|| order_problem(&placed, &it, cut));
        if !matches!(stride.became, Became::InnerStep(_)) {
            placed.push(it);
        }
        state = stride.state.clone();
        if problem.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    walked.map_err(|failure| format!("it cannot be walked: {failure:?}"))?;
    if let Some(problem) = problem {
        return Err(problem);
    }
    for (lane, at, call) in plan.calls() {
        let has_ended = call.end.is_some_and(|end| end < cut);
        let is_required = call.start < cut && has_ended && call.outcome == Outcome::Done;
        if is_required && !placed.iter().any(|it| (it.lane, it.at) == (lane, at)) {
            return Err(format!("{call} is missing"));
        }
    }
    Ok(())
}

/// What is wrong with a step by itself.
fn step_problem(
    family: &Family,
    spec: &Spec,
    it: &Placed<'_>,
    from: &State,
    became: Became,
    to: &State,
    cut: u64,
) -> Option<String> {
    let call = it.call;
    if call.start >= cut || call.outcome == Outcome::Aborted {
        return Some(format!("{call} is no part of the history"));
    }
    if became == Became::Nothing {
        let may_be_skipped = call.outcome != Outcome::Done || call.end.is_none_or(|end| end >= cut);
        return (!may_be_skipped || from != to).then(|| format!("{call} cannot have had no effect"));
    }
    let suffix = if matches!(became, Became::InnerStep(_)) { "_Step" } else { "_Done" };
    let names: Vec<_> = match call.names.as_slice() {
        [] => spec.actions().actions.iter().map(|action| action.name.to_string()).collect(),
        names => {
            let action = |name: &&str| format!("{name}{}", if family.operation(name).is_pair { suffix } else { "" });
            names.iter().map(action).collect()
        }
    };
    let leads_there = |name: &String| {
        let action = spec.action(name).expect("the specification has it");
        let params = &spec.actions().actions[action.0].params;
        let args: Vec<Option<Value>> = params.iter().map(|param| call.arg(param.as_str()).map(Datum::value)).collect();
        spec.step(from, action, &args).is_ok_and(|steps| steps.iter().any(|step| step.next == *to))
    };
    (!names.iter().any(leads_there)).then(|| format!("{call} does not lead from {from:?} to {to:?}"))
}

/// What is wrong with a step at this place: something that came before it has to come after it.
fn order_problem(placed: &[Placed<'_>], it: &Placed<'_>, cut: u64) -> Option<String> {
    let must_follow = |earlier: &&Placed<'_>| {
        if earlier.lane == it.lane {
            return earlier.at >= it.at;
        }
        it.call.end.is_some_and(|end| end < cut && end < earlier.call.start)
    };
    placed.iter().find(must_follow).map(|earlier| format!("{} comes before {}", earlier.call, it.call))
}
