//! `VectorClocks`: logs of several nodes in an order in which causes come before effects.

use std::collections::{BTreeMap, BTreeSet};

use omnilink_budget::poll;

use super::{BuiltinModule, Native, NativeArg, exactly};
use crate::eval::Failure;
use crate::value::{Short, Value, ValueError};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "VectorClocks",
    standard: false,
    extends: &["Naturals", "Sequences", "Functions"],
    operators: &[
        Native::higher("IsCausalOrder", &[0, 1], is_causal_order),
        Native::higher("CausalOrder", &[0, 1, 1, 1], causal_order),
    ],
};

/// A clock: a node's time, 0 for those that it does not know.
type Clock = BTreeMap<Value, i64>;

fn clock_of(clock: &Value, doing: &'static str) -> Result<Clock, ValueError> {
    let entries = super::entries::entries(clock, doing)?;
    entries.into_iter().map(|(node, time)| Ok((node.normalize()?, time.expect_int(doing)?))).collect()
}

/// Every entry happened after, or concurrently with, each one before it.
fn is_causal_order(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    const DOING: &str = "apply IsCausalOrder";
    let [log, clock] = exactly(arguments);
    let log = log.value()?.to_tuple(DOING)?;
    let clocks = log.iter().map(|entry| Ok(clock_of(&clock.call(std::slice::from_ref(entry))?, DOING)?));
    let clocks = clocks.collect::<Result<Vec<_>, Failure>>()?;
    for (index, later) in clocks.iter().enumerate() {
        for earlier in &clocks[..index] {
            poll();
            let nodes: BTreeSet<_> = earlier.keys().chain(later.keys()).collect();
            let time = |clock: &Clock, node| clock.get(node).copied().unwrap_or_default();
            let grows = nodes.iter().any(|node| time(earlier, node) < time(later, node));
            // One that grew for some node and shrank for none happened after; one that also shrank for some is concurrent.
            if !grows {
                return Ok(Value::Bool(false));
            }
        }
    }
    Ok(Value::Bool(true))
}

/// An entry of the log of one node.
struct Logged {
    entry: Value,
    time: i64,
    clock: Clock,
}

/// The logs of the nodes, each in the order of its own time, merged: an entry comes when all that its clock knows of have come.
/// Of several that could come, those of the least node come first, one of each node in turn.
fn causal_order(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    const DOING: &str = "apply CausalOrder";
    let [log, clock, node, domain] = exactly(arguments);
    let mut logs: BTreeMap<Value, Vec<Logged>> = BTreeMap::new();
    for entry in log.value()?.to_tuple(DOING)?.iter() {
        let arguments = std::slice::from_ref(entry);
        let (clock, node) = (clock.call(arguments)?, node.call(arguments)?);
        let time = clock.apply(&node)?.expect_int(DOING)?;
        let mut known = Clock::new();
        for node in domain.call(std::slice::from_ref(&clock))?.iterate(DOING)? {
            let node = node?;
            let time = clock.apply(&node)?.expect_int(DOING)?;
            known.insert(node.normalize()?, time);
        }
        logs.entry(node.normalize()?).or_default().push(Logged { entry: entry.clone(), time, clock: known });
    }
    logs.values_mut().for_each(|log| log.sort_by_key(|logged| logged.time));
    let mut come: BTreeMap<&Value, usize> = logs.keys().map(|node| (node, 0)).collect();
    let mut merged = Vec::new();
    let all: usize = logs.values().map(Vec::len).sum();
    while merged.len() < all {
        let before = merged.len();
        for (node, log) in &logs {
            poll();
            let Some(next) = log.get(come[node]) else { continue };
            let has_come = |(other, time): (&Value, &i64)| {
                other == node || *time <= 0 || come.get(other).is_some_and(|count| *time <= *count as i64)
            };
            if next.clock.iter().all(has_come) {
                merged.push(next.entry.clone());
                come.entry(node).and_modify(|count| *count += 1);
            }
        }
        if merged.len() == before {
            let stuck = logs.iter().find_map(|(node, log)| log.get(come[node])).map(|logged| &logged.entry);
            let stuck = stuck.map(|entry| Short(entry).to_string()).unwrap_or_default();
            let message = format!("cannot {DOING}: the clock of {stuck} knows of entries that are not in the log");
            return Err(Failure::unplaced(message));
        }
    }
    Ok(Value::tuple(merged)?)
}
