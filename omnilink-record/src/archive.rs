//! All of a run in one file that another machine can check and, where the same program is, replay.
//!
//! The file is what [`omnilink_trace::archive`] describes, with the files of the run directory under their names there,
//! `record.json` first. Readers of traces find the trace in it by itself.

use std::fs::{self, File};
use std::path::{Component, Path};

use omnilink_trace::TraceError;
use omnilink_trace::archive::{Archive, Writer, unpack_file};

use crate::directory::{self, Record, RunDirectory};
use crate::error::RecordError;

/// How the names of such files end.
pub const SUFFIX: &str = ".run.tar.zst";

/// Packs the run in `directory` into `file`, which must not exist yet.
pub fn pack(directory: &RunDirectory, file: &Path) -> Result<(), RecordError> {
    // Says what is wrong if it is no run directory.
    directory.read()?;
    let mut paths = directory.files()?;
    paths.sort_by_key(|path| path != directory::RECORD);
    Writer::create(file, |archive| {
        for name in &paths {
            let path = directory.path().join(name);
            let reading = |source| TraceError::Io { path: path.clone(), doing: "reading", source };
            let bytes = File::open(&path).map_err(reading)?;
            let len = bytes.metadata().map_err(reading)?.len();
            archive.append(name, len, bytes)?;
        }
        Ok(())
    })?;
    Ok(())
}

/// True if a packed file holds all of a run, as opposed to its trace alone.
pub fn is_run(file: &Path) -> Result<bool, RecordError> {
    Ok(Archive::open(file)?.first()?.is_some_and(|name| name == directory::RECORD))
}

/// Unpacks a run into a new directory.
pub fn unpack(file: &Path, directory: &Path) -> Result<RunDirectory, RecordError> {
    let archive = Archive::open(file)?;
    fs::create_dir(directory).map_err(RecordError::file(directory))?;
    archive.files(inside, |name, bytes| {
        let path = directory.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|source| TraceError::Io {
                path: parent.into(),
                doing: "creating",
                source,
            })?;
        }
        unpack_file(file, &path, bytes)
    })?;
    let run = RunDirectory::open(directory);
    run.read()?;
    Ok(run)
}

/// What came of a packed run; nothing if only its trace was packed.
pub fn record(file: &Path) -> Result<Option<Record>, RecordError> {
    let mut found = None;
    Archive::open(file)?.files(inside, |name, bytes| {
        if name == directory::RECORD {
            let mut json = String::new();
            let unpacking = |source| TraceError::Io { path: file.into(), doing: "unpacking", source };
            bytes.read_to_string(&mut json).map_err(unpacking)?;
            found = Some(json);
        }
        Ok(())
    })?;
    found.map(|json| Record::parse(&json, file)).transpose()
}

/// A name that cannot lead out of a run directory.
fn inside(name: &str) -> Result<String, &'static str> {
    match is_inside(name) {
        true => Ok(name.to_owned()),
        false => Err("it is not a path inside a run directory"),
    }
}

/// True if a path leads to a file below the directory that it is joined to.
pub(crate) fn is_inside(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}
