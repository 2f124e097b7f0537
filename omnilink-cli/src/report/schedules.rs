//! How runs were scheduled.

use std::collections::{BTreeMap, HashSet};

use omnilink_record::directory::Record;
use omnilink_record::store::{Entry, Scheduled, Store};

use super::model::{Schedules, Spread};
use crate::failure::Failure;

/// Of the runs of a campaign.
pub fn of(store: &Store, runs: &[&Entry]) -> Result<Schedules, Failure> {
    let (mut modes, mut notes) = (BTreeMap::<String, u64>::new(), BTreeMap::<String, u64>::new());
    for run in runs {
        let mode = match &run.scheduled {
            Some(Scheduled { strategy, .. }) => format!("{}, {strategy}", run.mode),
            None => run.mode.clone(),
        };
        *modes.entry(mode).or_default() += 1;
        let record = if run.has_files { record(store, &run.name)? } else { None };
        let its_notes = record.into_iter().flat_map(|record| record.observed.notes);
        its_notes.for_each(|note| *notes.entry(note).or_default() += 1);
    }
    let spread =
        |of: fn(&Scheduled) -> u64| Spread::of(runs.iter().filter_map(|run| run.scheduled.as_ref()).map(of).collect());
    let scheduled: Vec<u64> = runs.iter().map(|run| run.schedule_hash).filter(|hash| *hash != 0).collect();
    Ok(Schedules {
        modes,
        seeds: runs.iter().map(|run| run.seed).collect::<HashSet<_>>().len() as u64,
        scheduled: scheduled.len() as u64,
        distinct: scheduled.into_iter().collect::<HashSet<_>>().len() as u64,
        milliseconds: Spread::of(runs.iter().map(|run| run.milliseconds).collect()),
        events: Spread::of(runs.iter().filter_map(|run| run.events).collect()),
        threads: spread(|scheduled| scheduled.threads),
        points: spread(|scheduled| scheduled.points),
        decisions: spread(|scheduled| scheduled.decisions),
        switches: spread(|scheduled| scheduled.switches),
        notes,
    })
}

/// The record of a run that has its files; none if it is of another version and cannot be read.
pub fn record(store: &Store, run: &str) -> Result<Option<Record>, Failure> {
    Ok(serde_json::from_str(&store.show(run)?).ok())
}
