//! Where runs are stored: in a directory, or in a store into which each finished run is moved.

use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use omnilink_record::Campaign;
use omnilink_record::campaign::Finished;
use omnilink_record::directory::RunDirectory;
use omnilink_record::store::{Description, InCampaign, Store};
use serde::Serialize;

use super::scratch::Scratch;
use crate::failure::Failure;

/// Where runs are stored.
pub enum Place {
    /// In a directory.
    Directory(PathBuf),
    /// In a store. They are recorded in a directory beside the store, and moved into it.
    Store {
        /// The store's file.
        path: PathBuf,
        /// The store.
        store: Store,
        /// The directory in which they are recorded.
        scratch: Scratch,
        /// The campaign that they belong to, once it has begun.
        campaign: Option<String>,
        /// Whether rr's recordings are packed and stored, too.
        pack_recordings: bool,
    },
}

impl Place {
    /// Makes a new directory, or opens a store.
    pub fn open(output: Option<PathBuf>, store: Option<PathBuf>, pack_recordings: bool) -> Result<Self, Failure> {
        let Some(path) = store else { return Ok(Self::Directory(fresh(output, "omnilink-runs")?)) };
        let beside = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let scratch = Scratch::create(beside).map_err(|error| Failure::file(beside, &error))?;
        Ok(Self::Store { store: Store::open(&path)?, path, scratch, campaign: None, pack_recordings })
    }

    /// Begins a campaign whose runs are stored here.
    pub fn begin(&mut self, description: &Campaign) -> Result<(), Failure> {
        if let Self::Store { store, campaign, .. } = self {
            *campaign = Some(store.begin(&Description::of(description))?);
        }
        Ok(())
    }

    /// Ends the campaign.
    pub fn end(&mut self) -> Result<(), Failure> {
        if let Self::Store { store, campaign: Some(campaign), .. } = self {
            store.end(campaign)?;
        }
        Ok(())
    }

    /// The store, if it is one.
    pub fn store(&mut self) -> Option<&mut Store> {
        match self {
            Self::Directory(_) => None,
            Self::Store { store, .. } => Some(store),
        }
    }

    /// The directory in which runs are recorded.
    pub fn directory(&self) -> &Path {
        match self {
            Self::Directory(path) => path,
            Self::Store { scratch, .. } => scratch.path(),
        }
    }

    /// Stores a finished run, and returns its location.
    pub fn keep(&mut self, finished: &Finished) -> Result<Kept, Failure> {
        let directory = RunDirectory::open(&finished.directory);
        let Self::Store { store, path, campaign, pack_recordings, .. } = self else {
            return Ok(Kept::Directory(finished.directory.clone()));
        };
        if *pack_recordings && directory.recordings().exists() {
            directory.pack_recording(&finished.record.plan.rr)?;
        }
        let name = store.add(&directory, in_campaign(campaign.as_deref(), finished))?;
        store.adopt_recording(&name)?;
        let kept = Kept::Store { store: path.clone(), name };
        self.discard(finished).map(|()| kept)
    }

    /// Deletes the files of a run that still counts; returns its name in the store.
    pub fn count(&mut self, finished: &Finished) -> Result<Option<String>, Failure> {
        let mut name = None;
        if let Self::Store { store, campaign, .. } = self {
            let directory = RunDirectory::open(&finished.directory);
            name = Some(store.count(&directory, in_campaign(campaign.as_deref(), finished))?);
        }
        self.discard(finished).map(|()| name)
    }

    /// Deletes a run.
    pub fn discard(&self, finished: &Finished) -> Result<(), Failure> {
        fs::remove_dir_all(&finished.directory).map_err(|error| Failure::file(&finished.directory, &error))
    }

    /// Removes the directory if it has no runs.
    pub fn abandon(&self) {
        if let Self::Directory(path) = self {
            let _ = fs::remove_dir(path);
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(path) | Self::Store { path, .. } => write!(f, "{}", path.display()),
        }
    }
}

fn in_campaign<'a>(campaign: Option<&'a str>, finished: &Finished) -> Option<InCampaign<'a>> {
    campaign.map(|campaign| InCampaign { campaign, number: finished.number })
}

/// The location of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// In this directory.
    Directory(PathBuf),
    /// In a store.
    Store {
        /// The store's file.
        store: PathBuf,
        /// The run's name in it.
        name: String,
    },
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(path) => write!(f, "{}", path.display()),
            Self::Store { store, name } => write!(f, "run {name} of {}", store.display()),
        }
    }
}

/// Creates the given directory, or `<stem>-<n>` with the smallest free `n`.
fn fresh(given: Option<PathBuf>, stem: &str) -> Result<PathBuf, Failure> {
    if let Some(path) = given {
        return match fs::create_dir(&path) {
            Ok(()) => Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                Err(Failure::with_hint(format!("{}: exists already", path.display()), "name a new directory"))
            }
            Err(error) => Err(Failure::file(&path, &error)),
        };
    }
    let mut number = 1_u64;
    loop {
        let path = PathBuf::from(format!("{stem}-{number}"));
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(Failure::file(&path, &error)),
        }
    }
}
