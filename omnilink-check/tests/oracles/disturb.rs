//! What makes a history hard, or wrong.

use omnilink_trace::Outcome;

use crate::family::Family;
use crate::generate::{Kind, random_call};
use crate::plan::{Call, Plan};
use crate::random::Random;

/// Takes knowledge away from a history, which stays as right as it was: arguments, names, outcomes, ends of lanes. Adds
/// calls that were aborted.
pub fn enrich(plan: &mut Plan, family: &'static Family, random: &mut Random) {
    // A little of everything, or much of it: what is loose hides what is wrong.
    let much = if random.chance(30) { 3 } else { 1 };
    for calls in &mut plan.lanes {
        let last = calls.len().wrapping_sub(1);
        for (at, call) in calls.iter_mut().enumerate() {
            if random.chance(5 * much) {
                loosen(call, at == last, random);
            }
            if random.chance(3 * much) {
                add_candidate(call, family, random);
            }
            for (_, value) in &mut call.args {
                if random.chance(3 * much) {
                    *value = None;
                }
            }
        }
        if random.chance(10) {
            insert_aborted(calls, family, random);
        }
    }
    if random.chance(3)
        && let Some(call) = some_call(plan, random)
    {
        (call.names, call.args) = (Vec::new(), Vec::new());
    }
    if random.chance(8) {
        stop(plan, random);
    }
}

/// A call that returned was killed in fact, or had no end.
fn loosen(call: &mut Call, is_last: bool, random: &mut Random) {
    if is_last && random.chance(60) {
        (call.outcome, call.end) = (Outcome::Pending, None);
    } else if call.outcome == Outcome::Done {
        call.outcome = Outcome::Indeterminate;
    }
}

/// It may have been something else.
fn add_candidate(call: &mut Call, family: &'static Family, random: &mut Random) {
    let other = random_call(random.pick(family.operations), random);
    if call.names.contains(&other.names[0]) {
        return;
    }
    let at_front = random.chance(50);
    call.names.insert(if at_front { 0 } else { call.names.len() }, other.names[0]);
    let mut args = Vec::new();
    for name in &call.names {
        for (param, _) in family.operation(name).params {
            if !args.iter().any(|(known, _)| known == param) {
                let recorded = call.arg(param).cloned();
                let extra = || other.arg(param).cloned();
                args.push((*param, recorded.or_else(|| if random.chance(50) { extra() } else { None })));
            }
        }
    }
    call.args = args;
}

fn insert_aborted(calls: &mut Vec<Call>, family: &'static Family, random: &mut Random) {
    let ended = calls.iter().take_while(|call| call.end.is_some()).count();
    let at = random.below(ended + 1);
    let start = at.checked_sub(1).map_or(0, |before| calls[before].end.expect("it has ended"));
    let end = calls.get(at).map_or(start + random.below(4) as u64, |next| next.start);
    let mut call = random_call(random.pick(family.operations), random);
    (call.start, call.end, call.outcome) = (start, Some(end), Outcome::Aborted);
    calls.insert(at, call);
}

/// A lane's recorder stopped: its later calls are missing.
fn stop(plan: &mut Plan, random: &mut Random) {
    let times: Vec<u64> = plan.calls().flat_map(|(.., call)| [Some(call.start), call.end]).flatten().collect();
    if times.is_empty() {
        return;
    }
    let (lane, at) = (random.below(plan.lanes.len()), *random.pick(&times));
    plan.lanes[lane].retain(|call| call.start < at);
    plan.stop = Some((lane, at));
}

/// Makes something wrong, most likely.
pub fn corrupt(plan: &mut Plan, family: &'static Family, kind: Kind, random: &mut Random) {
    let calls = plan.calls().count();
    for _ in 0..1 + random.below(calls + 1) {
        match random.below(7) {
            0..=2 => change_argument(plan, family, random),
            3 if kind == Kind::Rich => change_outcome(plan, random),
            4 => shift(plan, random),
            5 => exchange(plan, random),
            _ => remove(plan, random),
        }
    }
}

fn some_call<'p>(plan: &'p mut Plan, random: &mut Random) -> Option<&'p mut Call> {
    let mut calls: Vec<_> = plan.lanes.iter_mut().flatten().collect();
    (!calls.is_empty()).then(|| calls.swap_remove(random.below(calls.len())))
}

fn change_argument(plan: &mut Plan, family: &'static Family, random: &mut Random) {
    let Some(call) = some_call(plan, random) else { return };
    let Some(&name) = call.names.first() else { return };
    for (param, domain) in family.operation(name).params {
        if let Some((_, value)) = call.args.iter_mut().find(|(known, value)| known == param && value.is_some())
            && random.chance(70)
        {
            *value = Some(domain.pick(random));
        }
    }
}

/// What took effect is said not to have, or the other way round.
fn change_outcome(plan: &mut Plan, random: &mut Random) {
    let Some(call) = some_call(plan, random) else { return };
    call.outcome = match call.outcome {
        Outcome::Done if call.names.len() == 1 && random.chance(30) => Outcome::Aborted,
        Outcome::Aborted => Outcome::Done,
        Outcome::Indeterminate if random.chance(50) => Outcome::Done,
        other => other,
    };
}

/// Moves a box, as far as its neighbours let it.
fn shift(plan: &mut Plan, random: &mut Random) {
    let lane = random.below(plan.lanes.len());
    let calls = &mut plan.lanes[lane];
    if calls.is_empty() {
        return;
    }
    let at = random.below(calls.len());
    let lowest = at.checked_sub(1).map_or(0, |before| calls[before].end.expect("only the last has none"));
    let highest = calls.get(at + 1).map_or(u64::MAX, |next| next.start);
    let call = &mut calls[at];
    let by = random.below(9) as u64;
    let later = random.chance(50);
    let moved =
        |time: u64| if later { time.saturating_add(by) } else { time.saturating_sub(by) }.clamp(lowest, highest);
    (call.start, call.end) = (moved(call.start), call.end.map(moved));
}

/// Exchanges what happened in two calls; each stays where and when it was.
fn exchange(plan: &mut Plan, random: &mut Random) {
    let places: Vec<_> = plan.calls().map(|(lane, at, _)| (lane, at)).collect();
    if places.is_empty() {
        return;
    }
    let (one, other) = (*random.pick(&places), *random.pick(&places));
    let content = |plan: &Plan, (lane, at): (usize, usize)| {
        let call = &plan.lanes[lane][at];
        (call.names.clone(), call.args.clone())
    };
    let contents = [content(plan, other), content(plan, one)];
    for ((lane, at), (names, args)) in [one, other].into_iter().zip(contents) {
        (plan.lanes[lane][at].names, plan.lanes[lane][at].args) = (names, args);
    }
}

fn remove(plan: &mut Plan, random: &mut Random) {
    let lane = random.below(plan.lanes.len());
    if !plan.lanes[lane].is_empty() {
        let at = random.below(plan.lanes[lane].len());
        plan.lanes[lane].remove(at);
    }
}
