//! Where runs go: a directory, or a store that each finished run is moved into.

use std::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use omnilink_record::Campaign;
use omnilink_record::campaign::Finished;
use omnilink_record::directory::RunDirectory;
use omnilink_record::store::{Description, InCampaign, Store};
use serde::Serialize;
use tempfile::TempDir;

use crate::failure::Failure;

/// Where runs go.
pub enum Place {
    /// They stay in a directory.
    Directory(PathBuf),
    /// They are made in a directory beside the store, and moved into it.
    Store {
        /// The store's file.
        path: PathBuf,
        /// The store.
        store: Store,
        /// Where they are made.
        scratch: TempDir,
        /// The name of their campaign in the store, once it has begun.
        campaign: Option<String>,
    },
}

impl Place {
    /// Makes a new directory, or opens a store.
    pub fn open(output: Option<PathBuf>, store: Option<PathBuf>) -> Result<Self, Failure> {
        let Some(path) = store else { return Ok(Self::Directory(fresh(output, "omnilink-runs")?)) };
        let beside = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let scratch = tempfile::Builder::new().prefix(".omnilink-runs-").tempdir_in(beside);
        let scratch = scratch.map_err(|error| Failure::file(beside, &error))?;
        Ok(Self::Store { store: Store::open(&path)?, path, scratch, campaign: None })
    }

    /// Runs of this campaign will come.
    pub fn begin(&mut self, made: &Campaign) -> Result<(), Failure> {
        if let Self::Store { store, campaign, .. } = self {
            *campaign = Some(store.begin(&Description::of(made))?);
        }
        Ok(())
    }

    /// No more runs will come.
    pub fn end(&mut self) -> Result<(), Failure> {
        match self {
            Self::Store { store, campaign: Some(campaign), .. } => Ok(store.end(campaign)?),
            _ => Ok(()),
        }
    }

    /// Where runs are made.
    pub fn directory(&self) -> &Path {
        match self {
            Self::Directory(path) => path,
            Self::Store { scratch, .. } => scratch.path(),
        }
    }

    /// Takes care of a run that has been made, and says where it is from now on.
    pub fn keep(&mut self, finished: &Finished) -> Result<Kept, Failure> {
        let Self::Store { store, path, campaign, .. } = self else {
            return Ok(Kept::Directory(finished.directory.clone()));
        };
        let place = campaign.as_deref().map(|campaign| InCampaign { campaign, number: finished.number });
        let name = store.add(&RunDirectory::open(&finished.directory), place)?;
        let kept = Kept::Store { store: path.clone(), name };
        self.discard(finished).map(|()| kept)
    }

    /// Takes a run away that nobody will ask for.
    pub fn discard(&self, finished: &Finished) -> Result<(), Failure> {
        fs::remove_dir_all(&finished.directory).map_err(|error| Failure::file(&finished.directory, &error))
    }

    /// Leaves nothing behind, unless there are runs.
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

/// Where a run is.
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

/// Makes the given directory, or `<stem>-<n>` with the smallest `n` that is free.
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
