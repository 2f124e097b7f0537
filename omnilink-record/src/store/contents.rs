//! The files of a run, as a store holds them.

use std::fs;
use std::io;
use std::path::Path;

use crate::archive;
use crate::directory::RunDirectory;
use crate::error::RecordError;
use crate::hash::ScheduleHash;

const LEVEL: i32 = 3;
/// How the paths of a recording's files begin.
pub const RECORDING: &str = "rr/";

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

/// All files of a run, by path; those of a recording only if it is packed.
pub fn read(run: &RunDirectory) -> Result<Vec<StoredFile>, RecordError> {
    let with_recording = run.recording_is_packed();
    let paths = run.files()?.into_iter().filter(|path| with_recording || !path.starts_with(RECORDING));
    let read = |path: String| {
        let file = run.path().join(&path);
        let bytes = fs::read(&file).map_err(RecordError::file(&file))?;
        let compressed = compress(&bytes).map_err(RecordError::file(&file))?;
        Ok(StoredFile { path, hash: hash(&bytes), compressed })
    };
    paths.map(read).collect()
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
    if !archive::is_inside(path) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "is not a path inside a run directory"));
    }
    let file = directory.join(path);
    if let Some(parent) = file.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(file, decompress(compressed)?)
}
