//! How runs were scheduled: from the rows of all runs, and from the records of those whose files are kept.

use std::collections::{BTreeMap, HashSet};

use omnilink_record::Mode;
use omnilink_record::directory::Record;
use omnilink_record::store::{Entry, Store};

use super::model::{Schedules, Spread};
use crate::failure::Failure;

/// Of the runs of a campaign.
pub fn of(store: &Store, runs: &[&Entry]) -> Result<Schedules, Failure> {
    let (mut modes, mut notes) = (BTreeMap::<String, u64>::new(), BTreeMap::<String, u64>::new());
    let (mut threads, mut points, mut decisions, mut switches) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for run in runs {
        let record = if run.has_files { record(store, &run.name)? } else { None };
        let mode = match record.as_ref().map(|record| record.plan.mode) {
            Some(Mode::Chaos(strategy)) => format!("{}, {}", run.mode, strategy.name()),
            _ => run.mode.clone(),
        };
        *modes.entry(mode).or_default() += 1;
        let Some(Record { observed, .. }) = record else { continue };
        observed.notes.into_iter().for_each(|note| *notes.entry(note).or_default() += 1);
        // Of a run that the kernel schedules nobody counts these.
        if run.schedule_hash != 0 {
            threads.push(observed.threads as u64);
            points.push(observed.points);
            decisions.push(observed.decisions);
            switches.push(observed.switches);
        }
    }
    let scheduled: Vec<u64> = runs.iter().map(|run| run.schedule_hash).filter(|hash| *hash != 0).collect();
    Ok(Schedules {
        modes,
        seeds: runs.iter().map(|run| run.seed).collect::<HashSet<_>>().len() as u64,
        scheduled: scheduled.len() as u64,
        distinct: scheduled.into_iter().collect::<HashSet<_>>().len() as u64,
        milliseconds: Spread::of(runs.iter().map(|run| run.milliseconds).collect()),
        events: Spread::of(runs.iter().filter_map(|run| run.events).collect()),
        threads: Spread::of(threads),
        points: Spread::of(points),
        decisions: Spread::of(decisions),
        switches: Spread::of(switches),
        notes,
    })
}

/// The record of a run that has its files; none if it is of another version and cannot be read.
pub fn record(store: &Store, run: &str) -> Result<Option<Record>, Failure> {
    Ok(serde_json::from_str(&store.show(run)?).ok())
}
