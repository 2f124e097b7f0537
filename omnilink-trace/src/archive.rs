//! Archives: tar, compressed with zstd.
//!
//! Archives are not trusted. Only plain files are accepted, each once, and only those whose names the reader
//! knows; stated sizes are not trusted, so no memory is reserved for them; and an archive that unpacks to a thousand times
//! its size, which no run does, is rejected before it fills the disk.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::TraceError;

/// Compression level: higher levels gain little on lanes and cost much time.
const LEVEL: i32 = 9;

/// The limit of the unpacked size: a multiple of the archive's size, and a minimum.
const EXPANSION: u64 = 1000;
const EXPANSION_FLOOR: u64 = 64 << 20;

/// An archive that is being written.
pub struct Writer {
    path: PathBuf,
    tar: tar::Builder<zstd::Encoder<'static, BufWriter<File>>>,
}

impl Writer {
    /// Writes an archive to `file`, which must not exist yet. On an error the file is removed.
    pub fn create(file: &Path, fill: impl FnOnce(&mut Self) -> Result<(), TraceError>) -> Result<(), TraceError> {
        let out = File::create_new(file).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => TraceError::Occupied { path: file.into() },
            _ => TraceError::Io { path: file.into(), doing: "creating", source },
        })?;
        let written = Self::write(file, out, fill);
        if written.is_err() {
            // The incomplete file is removed; only the first error is reported.
            let _ = fs::remove_file(file);
        }
        written
    }

    fn write(file: &Path, out: File, fill: impl FnOnce(&mut Self) -> Result<(), TraceError>) -> Result<(), TraceError> {
        let writing = || TraceError::io(file, "writing");
        let compressed = zstd::Encoder::new(BufWriter::new(out), LEVEL).map_err(writing())?;
        let mut writer = Self { path: file.into(), tar: tar::Builder::new(compressed) };
        fill(&mut writer)?;
        let compressed = writer.tar.into_inner().map_err(writing())?;
        compressed.finish().and_then(|mut out| out.flush()).map_err(writing())
    }

    /// Adds a file of `len` bytes.
    pub fn append(&mut self, name: &str, len: u64, bytes: impl Read) -> Result<(), TraceError> {
        let mut header = tar::Header::new_gnu();
        header.set_size(len);
        header.set_mode(0o644);
        header.set_mtime(0);
        self.tar.append_data(&mut header, name, bytes).map_err(TraceError::io(&self.path, "writing"))
    }
}

/// An archive that is being read.
pub struct Archive<'a> {
    path: &'a Path,
    tar: tar::Archive<Limited<zstd::Decoder<'static, io::BufReader<File>>>>,
}

impl<'a> Archive<'a> {
    /// Opens an archive.
    pub fn open(path: &'a Path) -> Result<Self, TraceError> {
        let reading = || TraceError::io(path, "reading");
        let file = File::open(path).map_err(reading())?;
        let packed = file.metadata().map_err(reading())?.len();
        let limit = packed.saturating_mul(EXPANSION).max(EXPANSION_FLOOR);
        let decoder = zstd::Decoder::new(file).map_err(reading())?;
        Ok(Self { path, tar: tar::Archive::new(Limited { input: decoder, left: limit, limit }) })
    }

    /// The name of the first file, if there is one.
    pub fn first(mut self) -> Result<Option<String>, TraceError> {
        let unpacking = || TraceError::io(self.path, "unpacking");
        let mut entries = self.tar.entries().map_err(unpacking())?.raw(true);
        let first = entries.next().transpose().map_err(unpacking())?;
        Ok(first.map(|entry| String::from_utf8_lossy(&entry.path_bytes()).into_owned()))
    }

    /// Passes all files to `take`, in the archive's order; `known` checks a name.
    pub fn files<N: Ord + Clone>(
        mut self,
        known: impl Fn(&str) -> Result<N, &'static str>,
        mut take: impl FnMut(N, &mut dyn Read) -> Result<(), TraceError>,
    ) -> Result<(), TraceError> {
        let mut seen = BTreeSet::new();
        let unpacking = || TraceError::io(self.path, "unpacking");
        for entry in self.tar.entries().map_err(unpacking())?.raw(true) {
            let mut entry = entry.map_err(unpacking())?;
            let shown = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let refuse = |problem: &str| {
                let (path, entry) = (self.path.into(), shown.clone());
                Err(TraceError::Archive { path, entry, problem: problem.into() })
            };
            if !entry.header().entry_type().is_file() {
                return refuse("it is not a plain file");
            }
            let name = match known(&shown) {
                Ok(name) => name,
                Err(problem) => return refuse(problem),
            };
            if !seen.insert(name.clone()) {
                return refuse("the archive contains it twice");
            }
            let claimed = entry.size();
            let mut counted = Counted { input: &mut entry, count: 0 };
            take(name, &mut counted)?;
            // `take` need not read the file.
            io::copy(&mut counted, &mut io::sink()).map_err(unpacking())?;
            if counted.count != claimed {
                return refuse("the archive ends inside it");
            }
        }
        Ok(())
    }
}

/// Writes a file of an archive to `path`, which must not exist yet.
pub fn unpack_file(archive: &Path, path: &Path, bytes: &mut dyn Read) -> Result<(), TraceError> {
    let mut out = File::create_new(path).map_err(TraceError::io(path, "creating"))?;
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let len = bytes.read(&mut buffer).map_err(TraceError::io(archive, "unpacking"))?;
        if len == 0 {
            return Ok(());
        }
        out.write_all(&buffer[..len]).map_err(TraceError::io(path, "writing"))?;
    }
}

/// An input that ends with an error after too many bytes.
struct Limited<R> {
    input: R,
    left: u64,
    limit: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.input.read(buffer)?;
        match self.left.checked_sub(len as u64) {
            Some(left) => self.left = left,
            None => {
                let text =
                    format!("it unpacks to more than {} bytes, which is too much for a run of its size", self.limit);
                return Err(io::Error::new(io::ErrorKind::InvalidData, text));
            }
        }
        Ok(len)
    }
}

/// An input that counts its bytes.
struct Counted<R> {
    input: R,
    count: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.input.read(buffer)?;
        self.count += len as u64;
        Ok(len)
    }
}
