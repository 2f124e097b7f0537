//! A run on the command line: its directory, a packed run, or its name in a store.

use std::path::{Path, PathBuf};

use omnilink_record::archive;
use omnilink_record::directory::RunDirectory;
use omnilink_record::store::Store;
use tempfile::TempDir;

use crate::failure::{Failure, complain};

/// The directory of a run; a temporary one is removed on drop.
pub struct Taken {
    directory: PathBuf,
    _scratch: Option<TempDir>,
}

impl Taken {
    /// The run that `run` names: in a store, if there is one.
    pub fn of(run: &Path, store: Option<&Path>) -> Result<Self, Failure> {
        match store {
            Some(store) => Self::in_scratch(|directory| take_out(store, &run.to_string_lossy(), directory)),
            None if run.is_file() => {
                Self::in_scratch(|directory| archive::unpack(run, directory).map(drop).map_err(Failure::from))
            }
            None => Ok(Self { directory: run.to_owned(), _scratch: None }),
        }
    }

    fn in_scratch(fill: impl FnOnce(&Path) -> Result<(), Failure>) -> Result<Self, Failure> {
        let scratch = tempfile::tempdir().map_err(|error| Failure::new(format!("temporary directory: {error}")))?;
        let directory = scratch.path().join("run");
        fill(&directory)?;
        Ok(Self { directory, _scratch: Some(scratch) })
    }

    /// Its path.
    pub fn directory(&self) -> &Path {
        &self.directory
    }
}

fn take_out(store: &Path, run: &str, directory: &Path) -> Result<(), Failure> {
    let store = Store::open_existing(store)?;
    store.export(run, directory)?;
    let name = store.find_run(run)?;
    match store.recording(&name)?.and_then(|recording| recording.path) {
        // A recording is used in place.
        Some(path) => std::os::unix::fs::symlink(&path, RunDirectory::open(directory).recordings())
            .map_err(|error| Failure::file(&path, &error)),
        None => Ok(()),
    }
}

/// Exports a run from a store to a new directory; its rr recording is included only on request.
pub fn export(store: &Store, run: &str, directory: &Path, with_recording: bool) -> Result<(), Failure> {
    store.export(run, directory)?;
    if with_recording {
        return Ok(store.export_recording(run, &RunDirectory::open(directory))?);
    }
    if let Some(path) = store.recording(&store.find_run(run)?)?.and_then(|recording| recording.path) {
        complain(format_args!("note: rr's recording stays at {}; --pack-rr takes it along", path.display()));
    }
    Ok(())
}
