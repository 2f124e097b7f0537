//! Lists runs or campaigns, one per line.

use std::collections::BTreeMap;
use std::io::Write;

use omnilink_record::store::{Answer, CampaignEntry, Entry, Filter, Store};
use serde_json::json;

use crate::failure::Failure;
use crate::palette::{self, buffered_stdout};

/// Lists the selected runs.
pub fn runs(store: &Store, filter: &Filter, json: bool) -> Result<(), Failure> {
    let mut out = buffered_stdout();
    for entry in store.list(filter)? {
        match json {
            true => writeln!(out, "{}", json!(entry))?,
            false => write_run(&entry, &mut out)?,
        }
    }
    Ok(out.flush()?)
}

fn write_run(entry: &Entry, out: &mut impl Write) -> Result<(), Failure> {
    let palette = palette::stdout();
    let Entry { name, mode, seed, ending, program, failed, verdict, .. } = entry;
    let style = if *failed { palette.bad } else { palette.faint };
    write!(out, "{name} {mode:8} seed {seed:<20} {style}{ending}{style:#}")?;
    if let Some(verdict) = verdict {
        let style = match verdict {
            Answer::Accepted => palette.good,
            Answer::Rejected | Answer::Violated => palette.bad,
            Answer::Unknown | Answer::Error => palette.warning,
        };
        write!(out, ", {style}{}{style:#}", verdict.name())?;
    }
    let dropped = if entry.has_files { "" } else { " (without files)" };
    Ok(writeln!(out, "{dropped} {program}")?)
}

/// Lists all campaigns, with their results.
pub fn campaigns(store: &Store, json: bool) -> Result<(), Failure> {
    let mut out = buffered_stdout();
    for campaign in store.campaigns()? {
        let totals = store.totals(Some(&campaign.name))?;
        let first_failure = store.first_failure(&campaign.name)?;
        if json {
            writeln!(out, "{}", json!({ "campaign": campaign, "totals": totals, "first_failure": first_failure }))?;
            continue;
        }
        let CampaignEntry { name, description, ended, .. } = &campaign;
        let counts = |counts: &BTreeMap<String, u64>| -> String {
            counts.iter().map(|(what, count)| format!(", {count} {what}")).collect()
        };
        let going_on = if ended.is_some() { "" } else { ", not ended" };
        writeln!(
            out,
            "{name} seed {:<20} {} runs, {} events{}{}{going_on} {}",
            description.seed,
            totals.runs,
            totals.events,
            counts(&totals.endings),
            counts(&totals.verdicts),
            description.command.join(" "),
        )?;
    }
    Ok(out.flush()?)
}
