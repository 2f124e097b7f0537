//! A run as one shareable file: a tar archive, compressed with zstd.
//!
//! Archives come from other people. Only plain files with the names that a run has are taken, into a directory that was
//! empty; sizes are claims, so nothing is reserved for them; and an archive that unpacks to a thousand times its
//! size, which no run does, is refused before it fills the disk.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::control::Control;
use crate::error::TraceError;
use crate::event::LaneId;
use crate::layout;
use crate::open::{self, Listing};
use crate::source::Source;
use crate::trace::{Assembly, OpenOptions, Trace};
use crate::write::create_empty;

/// Compression level: higher ones gain little on lanes, and cost a lot of time.
const LEVEL: i32 = 9;

/// How many times its size, and how much at least, an archive may unpack to.
const EXPANSION: u64 = 1000;
const EXPANSION_FLOOR: u64 = 64 << 20;

/// Packs the run in `directory` into `file`, which must not exist yet.
///
/// Lanes are taken as they are, damaged ones too, so that a run can be sent to somebody who finds out what is wrong.
pub fn pack(directory: impl AsRef<Path>, file: impl AsRef<Path>) -> Result<(), TraceError> {
    let (directory, file) = (directory.as_ref(), file.as_ref());
    if !directory.is_dir() {
        return Err(match directory.exists() {
            true => TraceError::NotATrace { path: directory.into(), found: "it is not a directory".into() },
            false => TraceError::NotFound { path: directory.into() },
        });
    }
    let listing = Listing::of(directory)?;
    if listing.lanes.is_empty() {
        let why = "the directory has no lane file, so there is nothing to pack";
        return Err(TraceError::EmptyRun { path: directory.into(), why });
    }
    let out = File::create_new(file).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => TraceError::Occupied { path: file.into() },
        _ => TraceError::Io { path: file.into(), doing: "creating", source },
    })?;
    let packed = write_archive(directory, &listing, BufWriter::new(out), file);
    if packed.is_err() {
        // What is there is of no use to anybody; the error that matters is the first one.
        let _ = fs::remove_file(file);
    }
    packed
}

fn write_archive(directory: &Path, listing: &Listing, out: impl Write, file: &Path) -> Result<(), TraceError> {
    let writing = || TraceError::io(file, "writing");
    let compressed = zstd::Encoder::new(out, LEVEL).map_err(writing())?;
    let mut archive = tar::Builder::new(compressed);
    let run_file = directory.join(layout::RUN_FILE);
    match fs::read(&run_file) {
        Ok(text) => append(&mut archive, layout::RUN_FILE, text.len() as u64, &text[..]).map_err(writing())?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(TraceError::io(run_file, "reading")(error)),
    }
    for (&index, lane) in &listing.lanes {
        let (len, bytes) = lane_bytes(lane).map_err(TraceError::io(lane, "reading"))?;
        append(&mut archive, &layout::lane_file_name(index), len, bytes).map_err(writing())?;
    }
    let compressed = archive.into_inner().map_err(writing())?;
    compressed.finish().and_then(|mut out| out.flush()).map_err(writing())
}

/// The bytes of a lane file that mean something. The control block is the copy that tells how many these are: the file
/// may be growing.
fn lane_bytes(lane: &Path) -> io::Result<(u64, impl Read)> {
    let source = Source::File(lane.into());
    let control = Control::read(&source)?;
    let len = control.bytes().len() as u64;
    let mut stream = File::open(lane)?;
    stream.seek(SeekFrom::Start(len))?;
    let rest = if control.whole() { control.committed().min(source.len()?.saturating_sub(len)) } else { 0 };
    Ok((len + rest, io::Cursor::new(control.bytes().to_vec()).chain(stream.take(rest))))
}

fn append(archive: &mut tar::Builder<impl Write>, name: &str, len: u64, bytes: impl Read) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(len);
    header.set_mode(0o644);
    header.set_mtime(0);
    archive.append_data(&mut header, name, bytes)
}

/// Unpacks a run into `directory`, which is created; if it exists it must be empty.
pub fn unpack(file: impl AsRef<Path>, directory: impl AsRef<Path>) -> Result<(), TraceError> {
    let (file, directory) = (file.as_ref(), directory.as_ref());
    let archive = Archive::open(file)?;
    create_empty(directory)?;
    archive.entries(|name, bytes| {
        let path = directory.join(name.file_name());
        let mut out = File::create_new(&path).map_err(TraceError::io(&path, "creating"))?;
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let len = bytes.read(&mut buffer).map_err(TraceError::io(file, "unpacking"))?;
            if len == 0 {
                return Ok(());
            }
            out.write_all(&buffer[..len]).map_err(TraceError::io(&path, "writing"))?;
        }
    })
}

/// Opens a packed run. Its lanes are held in memory.
pub(crate) fn open(file: &Path, options: &OpenOptions) -> Result<Trace, TraceError> {
    let mut run = None;
    let mut lanes = BTreeMap::new();
    Archive::open(file)?.entries(|name, bytes| {
        let mut content = Vec::new();
        bytes.read_to_end(&mut content).map_err(TraceError::io(file, "unpacking"))?;
        match name {
            Name::Run => run = Some(content),
            Name::Lane(index) => drop(lanes.insert(index, Arc::new(content))),
        }
        Ok(())
    })?;
    if lanes.is_empty() {
        let why = "the archive has no lane file";
        return Err(TraceError::EmptyRun { path: file.into(), why });
    }
    let mut assembly = Assembly::default();
    let run_file = file.join(layout::RUN_FILE);
    let run = run.map(|text| open::parse_run(&run_file, &text)).transpose()?;
    if run.is_none() {
        open::no_run_file(&run_file, &mut assembly);
    }
    let sources = lanes.into_iter().map(|(index, bytes)| {
        let path: PathBuf = file.join(layout::lane_file_name(index));
        (index, path, Source::Memory(bytes))
    });
    open::add_lanes(&mut assembly, sources, run.as_ref().map(|(_, run)| run), file, options)?;
    assembly.finish(file, run)
}

/// A file of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Run,
    Lane(LaneId),
}

impl Name {
    fn parse(name: &str) -> Option<Self> {
        if name == layout::RUN_FILE { Some(Self::Run) } else { layout::lane_index(name).map(Self::Lane) }
    }

    fn file_name(self) -> String {
        match self {
            Self::Run => layout::RUN_FILE.into(),
            Self::Lane(index) => layout::lane_file_name(index),
        }
    }
}

struct Archive<'a> {
    path: &'a Path,
    tar: tar::Archive<Limited<zstd::Decoder<'static, io::BufReader<File>>>>,
}

impl<'a> Archive<'a> {
    fn open(path: &'a Path) -> Result<Self, TraceError> {
        let reading = || TraceError::io(path, "reading");
        let file = File::open(path).map_err(reading())?;
        let packed = file.metadata().map_err(reading())?.len();
        let limit = packed.saturating_mul(EXPANSION).max(EXPANSION_FLOOR);
        let decoder = zstd::Decoder::new(file).map_err(reading())?;
        Ok(Self { path, tar: tar::Archive::new(Limited { input: decoder, left: limit, limit }) })
    }

    /// Gives all entries to `take`, in the archive's order.
    fn entries(
        mut self,
        mut take: impl FnMut(Name, &mut dyn Read) -> Result<(), TraceError>,
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
            let Some(name) = Name::parse(&shown) else {
                return refuse("a run has only run.json and lane files (00000.lane, …), without directories");
            };
            if !seen.insert(name) {
                return refuse("it is there twice");
            }
            let claimed = entry.size();
            let mut counted = Counted { input: &mut entry, count: 0 };
            take(name, &mut counted)?;
            if counted.count != claimed {
                return refuse("the archive ends inside it");
            }
        }
        Ok(())
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
                let text = format!("it unpacks to more than {} bytes, which no run of its size does", self.limit);
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
