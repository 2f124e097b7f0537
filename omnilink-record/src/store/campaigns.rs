//! Campaigns: what was to be run, where, and when.

use std::path::PathBuf;

use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};

use super::{Store, now};
use crate::campaign::{Campaign, Modes, Until};
use crate::environment::Environment;
use crate::error::RecordError;
use crate::hash::ScheduleHash;
use crate::host::Host;
use crate::plan::Limits;

/// What a campaign was asked to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The directory that it starts in.
    pub working_directory: PathBuf,
    /// What the program sees, besides what OmniLink tells each run.
    pub environment: Environment,
    /// Which modes its runs have.
    pub modes: Modes,
    /// What their seeds are derived from.
    pub seed: u64,
    /// Each run has sizes of its own.
    #[serde(default)]
    pub vary: bool,
    /// When it ends.
    pub until: Until,
    /// When a run is stopped.
    pub limits: Limits,
    /// How many runs are made at a time.
    pub jobs: usize,
    /// The machine.
    pub host: Host,
    /// The version of OmniLink.
    pub omnilink: String,
}

impl Description {
    /// Describes a campaign that is made here.
    pub fn of(campaign: &Campaign) -> Self {
        let Campaign { plan, modes, seed, vary, until, jobs, .. } = campaign;
        Self {
            command: plan.command(),
            working_directory: plan.working_directory.clone(),
            environment: plan.environment.clone(),
            modes: *modes,
            seed: *seed,
            vary: *vary,
            until: *until,
            limits: plan.limits,
            jobs: *jobs,
            host: Host::here(),
            omnilink: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// A campaign in a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CampaignEntry {
    /// Its name, which no other campaign has.
    pub name: String,
    /// When it started: milliseconds since 1970.
    pub started: u64,
    /// When it ended; not set while it runs, and if it was killed.
    pub ended: Option<u64>,
    /// What it was asked to do.
    #[serde(flatten)]
    pub description: Description,
}

impl Store {
    /// A campaign starts. Gives its name.
    pub fn begin(&mut self, description: &Description) -> Result<String, RecordError> {
        let json = serde_json::to_string(description).map_err(|error| self.damaged("a campaign", error))?;
        let started = now();
        let name = name(&json, started);
        let insert = "INSERT OR IGNORE INTO campaigns (name, started, description) VALUES (?1, ?2, ?3)";
        self.change(|store| store.execute(insert, params![name, started as i64, json]))?;
        Ok(name)
    }

    /// A campaign has ended.
    pub fn end(&mut self, campaign: &str) -> Result<(), RecordError> {
        let ended = now() as i64;
        self.change(|store| {
            store.execute("UPDATE campaigns SET ended = ?2 WHERE name = ?1", params![campaign, ended])
        })?;
        Ok(())
    }

    /// All campaigns, the oldest first.
    pub fn campaigns(&self) -> Result<Vec<CampaignEntry>, RecordError> {
        let rows: Vec<(String, i64, Option<i64>, String)> = self.ask(|store| {
            let mut query =
                store.prepare("SELECT name, started, ended, description FROM campaigns ORDER BY started, name")?;
            let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
            query.query_map([], row)?.collect()
        })?;
        let entry = |(name, started, ended, json): (String, i64, Option<i64>, String)| {
            let description =
                serde_json::from_str(&json).map_err(|error| self.damaged(&format!("campaign {name}"), error))?;
            Ok(CampaignEntry { name, started: started as u64, ended: ended.map(|ended| ended as u64), description })
        };
        rows.into_iter().map(entry).collect()
    }

    /// The full name of a campaign of which the beginning is given.
    pub fn find_campaign(&self, beginning: &str) -> Result<String, RecordError> {
        self.find("campaign", "campaigns", beginning)
    }
}

/// Two campaigns that are started at once differ in who starts them.
fn name(description: &str, started: u64) -> String {
    let mut hash = ScheduleHash::default();
    hash.add_bytes(description.as_bytes());
    hash.add(&[started, u64::from(std::process::id())]);
    format!("{:016x}", hash.value())
}
