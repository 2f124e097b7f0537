//! A run as one file: see [`crate::archive`]. Only files with the names of a run are unpacked, into an
//! empty directory.
//!
//! A trace may also be part of a larger archive, as `trace/…`, beside what `omnilink record` keeps of a run.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::archive::{Archive, Writer, unpack_file};
use crate::control::Control;
use crate::error::TraceError;
use crate::event::LaneId;
use crate::layout;
use crate::open::{self, Listing};
use crate::source::Source;
use crate::trace::{Assembly, OpenOptions, Trace};
use crate::write::create_empty;

/// Where the trace is in an archive of all that a run has.
const PREFIX: &str = "trace/";
/// The other files of such an archive: see `omnilink-record`.
const BESIDE: [&str; 4] = ["record.json", "schedule", "stdout", "stderr"];
const BESIDE_DIRECTORY: &str = "rr/";

/// Packs the run in `directory` into `file`, which must not exist yet.
///
/// Lanes are packed unchanged, including damaged ones, so that a damaged run can be sent to somebody for analysis.
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
    Writer::create(file, |archive| {
        let run_file = directory.join(layout::RUN_FILE);
        match fs::read(&run_file) {
            Ok(text) => archive.append(layout::RUN_FILE, text.len() as u64, &text[..])?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(TraceError::io(run_file, "reading")(error)),
        }
        for (&index, lane) in &listing.lanes {
            let (len, bytes) = lane_bytes(lane).map_err(TraceError::io(lane, "reading"))?;
            archive.append(&layout::lane_file_name(index), len, bytes)?;
        }
        Ok(())
    })
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

/// Unpacks a run into `directory`, which is created; if it exists it must be empty.
pub fn unpack(file: impl AsRef<Path>, directory: impl AsRef<Path>) -> Result<(), TraceError> {
    let (file, directory) = (file.as_ref(), directory.as_ref());
    let archive = Archive::open(file)?;
    create_empty(directory)?;
    archive.files(Name::of_trace, |name, bytes| unpack_file(file, &directory.join(name.file_name()), bytes))
}

/// Opens a packed run, or the trace in an archive of all that a run has. Its lanes are held in memory.
pub(crate) fn open(file: &Path, options: &OpenOptions) -> Result<Trace, TraceError> {
    let mut run = None;
    let mut lanes = BTreeMap::new();
    Archive::open(file)?.files(Part::known, |part, bytes| {
        let Part::Trace(name) = part else { return Ok(()) };
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
    fn of_trace(name: &str) -> Result<Self, &'static str> {
        let parsed = if name == layout::RUN_FILE { Some(Self::Run) } else { layout::lane_index(name).map(Self::Lane) };
        parsed.ok_or("a run has only run.json and lane files (00000.lane, …), without directories")
    }

    fn file_name(self) -> String {
        match self {
            Self::Run => layout::RUN_FILE.into(),
            Self::Lane(index) => layout::lane_file_name(index),
        }
    }
}

/// A file of an archive: of the trace, or of what else a run has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Trace(Name),
    Beside(String),
}

impl Part {
    fn known(name: &str) -> Result<Self, &'static str> {
        if BESIDE.contains(&name) || name.starts_with(BESIDE_DIRECTORY) {
            return Ok(Self::Beside(name.to_owned()));
        }
        Name::of_trace(name.strip_prefix(PREFIX).unwrap_or(name)).map(Self::Trace)
    }
}
