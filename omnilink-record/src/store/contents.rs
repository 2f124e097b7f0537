//! The files of a run, as a store holds them.

use std::fs;
use std::io;
use std::path::{Component, Path};

use crate::error::RecordError;
use crate::hash::ScheduleHash;

const LEVEL: i32 = 3;
/// How the paths of a recording's files begin.
const RECORDING: &str = "rr/";

/// A file of a run.
#[derive(Debug)]
pub struct StoredFile {
    /// Its path in the run's directory.
    pub path: String,
    /// A hash of what is in it.
    hash: u64,
    /// What is in it.
    pub compressed: Vec<u8>,
}

/// All files below a directory, by path.
pub fn read(directory: &Path) -> Result<Vec<StoredFile>, RecordError> {
    let mut files = Vec::new();
    read_into(directory, "", &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn read_into(directory: &Path, prefix: &str, files: &mut Vec<StoredFile>) -> Result<(), RecordError> {
    for entry in fs::read_dir(directory).map_err(RecordError::file(directory))? {
        let entry = entry.map_err(RecordError::file(directory))?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().map_err(RecordError::file(entry.path()))?;
        if kind.is_dir() {
            read_into(&entry.path(), &format!("{path}/"), files)?;
        } else if kind.is_file() {
            let bytes = fs::read(entry.path()).map_err(RecordError::file(entry.path()))?;
            let compressed = compress(&bytes).map_err(RecordError::file(entry.path()))?;
            files.push(StoredFile { path, hash: hash(&bytes), compressed });
        }
    }
    Ok(())
}

/// The name of a run with these files. A recording does not count: it may be packed, or left out, later on.
pub fn name(files: &[StoredFile]) -> String {
    let mut all = ScheduleHash::default();
    for file in files.iter().filter(|file| !file.path.starts_with(RECORDING)) {
        all.add(&[hash(file.path.as_bytes()), file.hash]);
    }
    format!("{:016x}", all.value())
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hash = ScheduleHash::default();
    hash.add_bytes(bytes);
    hash.value()
}

/// A file as it is stored.
pub fn compress(contents: &[u8]) -> io::Result<Vec<u8>> {
    zstd::encode_all(contents, LEVEL)
}

/// What is in a stored file.
pub fn decompress(compressed: &[u8]) -> io::Result<Vec<u8>> {
    zstd::decode_all(compressed)
}

/// Writes a stored file into a run's directory, and never anywhere else.
pub fn write(directory: &Path, path: &str, compressed: &[u8]) -> io::Result<()> {
    if path.is_empty() || !Path::new(path).components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "is not a path inside a run directory"));
    }
    let file = directory.join(path);
    if let Some(parent) = file.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(file, decompress(compressed)?)
}
