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

use super::scratch::Scratch;
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
        scratch: Scratch,
        /// The campaign that they belong to, once it has begun.
        campaign: Option<String>,
        /// Recordings of rr are made complete and go into the store, too.
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

    /// A campaign begins, whose runs go here from now on.
    pub fn begin(&mut self, description: &Campaign) -> Result<(), Failure> {
        if let Self::Store { store, campaign, .. } = self {
            *campaign = Some(store.begin(&Description::of(description))?);
        }
        Ok(())
    }

    /// The campaign has ended.
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

    /// Where runs are made.
    pub fn directory(&self) -> &Path {
        match self {
            Self::Directory(path) => path,
            Self::Store { scratch, .. } => scratch.path(),
        }
    }

    /// Takes care of a run that has been made, and says where it is from now on.
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

    /// Takes a run away that nobody will ask for, but that counts; gives its name in the store.
    pub fn count(&mut self, finished: &Finished) -> Result<Option<String>, Failure> {
        let mut name = None;
        if let Self::Store { store, campaign, .. } = self {
            let directory = RunDirectory::open(&finished.directory);
            name = Some(store.count(&directory, in_campaign(campaign.as_deref(), finished))?);
        }
        self.discard(finished).map(|()| name)
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

fn in_campaign<'a>(campaign: Option<&'a str>, finished: &Finished) -> Option<InCampaign<'a>> {
    campaign.map(|campaign| InCampaign { campaign, number: finished.number })
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
