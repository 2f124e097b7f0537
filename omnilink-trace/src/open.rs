//! Detects the format of a path, and reads run directories.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::control::Control;
use crate::error::{Finding, Notice, TraceError};
use crate::event::LaneId;
use crate::lane::{LaneEnd, StopReason};
use crate::layout;
use crate::run::{Run, RunError};
use crate::scan::{self, Opened};
use crate::source::{Source, read_full};
use crate::trace::{Assembly, OpenOptions, Trace};
use crate::{jsonl, upstream};

/// The format of a file, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Lane,
    #[cfg(feature = "pack")]
    Packed,
    JsonLines,
    Upstream,
}

/// First bytes of a zstd frame.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

pub(crate) fn open(path: &Path, options: &OpenOptions) -> Result<Trace, TraceError> {
    let metadata = fs::metadata(path).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => TraceError::NotFound { path: path.into() },
        _ => TraceError::Io { path: path.into(), doing: "opening", source },
    })?;
    if metadata.is_dir() {
        return open_directory(path, options);
    }
    match content(path)? {
        Content::Lane => open_lane_file(path, options),
        #[cfg(feature = "pack")]
        Content::Packed => crate::pack::open(path, options),
        Content::JsonLines => jsonl::read_with(path, options),
        Content::Upstream => upstream::read_with(path, options),
    }
}

fn content(path: &Path) -> Result<Content, TraceError> {
    let mut bytes = [0; 512];
    let len = File::open(path)
        .and_then(|mut file| read_full(&mut file, &mut bytes))
        .map_err(TraceError::io(path, "reading"))?;
    let bytes = &bytes[..len];
    let not_a_trace = |found: String| Err(TraceError::NotATrace { path: path.into(), found });
    if bytes.is_empty() {
        return not_a_trace("it is empty".into());
    }
    let unborn = bytes.iter().all(|&byte| byte == 0) && path.extension().is_some_and(|extension| extension == "lane");
    if bytes.starts_with(&layout::MAGIC) || unborn {
        return Ok(Content::Lane);
    }
    if bytes.starts_with(&ZSTD) {
        #[cfg(feature = "pack")]
        return Ok(Content::Packed);
        #[cfg(not(feature = "pack"))]
        return not_a_trace("it is a packed run, and this reader was built without the feature `pack`".into());
    }
    if path.file_name().is_some_and(|name| name == layout::RUN_FILE) {
        return not_a_trace("it is the description of a run; give the directory that it is in".into());
    }
    let text = bytes.strip_prefix(jsonl::BYTE_ORDER_MARK).unwrap_or(bytes);
    match text.trim_ascii_start().first() {
        Some(b'{') => Ok(Content::JsonLines),
        _ if upstream::begins(bytes) => Ok(Content::Upstream),
        _ => not_a_trace(scan::beginning(bytes)),
    }
}

fn open_lane_file(path: &Path, options: &OpenOptions) -> Result<Trace, TraceError> {
    let number = path.file_name().and_then(|name| name.to_str()).and_then(layout::lane_index);
    let mut assembly = Assembly::default();
    match scan::open(path, Source::File(path.into()), number, &mut assembly.vocabulary, options.recover)? {
        Opened::Unborn => {
            let why = "the lane was being created when the program died; it has no events";
            return Err(TraceError::EmptyRun { path: path.into(), why });
        }
        Opened::Lane { lane, header, notices } => {
            assembly.notices.extend(notices);
            assembly.add(*lane, header)?;
        }
    }
    let run_file = path.with_file_name(layout::RUN_FILE);
    let run = read_run_file(&run_file, &mut assembly)?;
    settle(&mut assembly, path, false)?;
    assembly.finish(path, run)
}

fn open_directory(path: &Path, options: &OpenOptions) -> Result<Trace, TraceError> {
    let listing = Listing::of(path)?;
    if listing.lanes.is_empty() {
        let why = if listing.has_run_file {
            "there is a run.json and no lane file; did the program make a single instrumented call?"
        } else if !listing.logs.is_empty() {
            return upstream::read_with(path, options);
        } else if path.join(layout::TRACE_DIRECTORY).is_dir() {
            return open_directory(&path.join(layout::TRACE_DIRECTORY), options);
        } else {
            "the directory has no lane file (00000.lane, …) and no upstream log (*.log); is this the directory that \
             OMNILINK_TRACE_DIR named?"
        };
        return Err(TraceError::EmptyRun { path: path.into(), why });
    }
    let mut assembly = Assembly::default();
    let run_file = path.join(layout::RUN_FILE);
    let run = read_run_file(&run_file, &mut assembly)?;
    for ignored in &listing.ignored {
        assembly.notices.push(Notice { path: ignored.clone(), offset: None, finding: Finding::Ignored });
    }
    let lanes = listing.lanes.iter().map(|(&number, file)| (number, file.clone(), Source::File(file.clone())));
    add_lanes(&mut assembly, lanes, run.as_ref().map(|(_, run)| run), path, options)?;
    let grown = Listing::of(path)?.lanes.len() > listing.lanes.len();
    settle(&mut assembly, path, grown)?;
    assembly.finish(path, run)
}

/// Opens the lanes of a run and compares their number with what the run says.
pub(crate) fn add_lanes(
    assembly: &mut Assembly,
    lanes: impl Iterator<Item = (LaneId, PathBuf, Source)>,
    run: Option<&Run>,
    path: &Path,
    options: &OpenOptions,
) -> Result<(), TraceError> {
    let mut expected = 0;
    let (mut first_missing, mut missing) = (None, 0);
    for (number, file, source) in lanes {
        if number > expected {
            first_missing.get_or_insert(expected);
            missing += u64::from(number - expected);
        }
        expected = number.saturating_add(1);
        match scan::open(&file, source, Some(number), &mut assembly.vocabulary, options.recover)? {
            Opened::Unborn => assembly.notices.push(Notice { path: file, offset: None, finding: Finding::Unborn }),
            Opened::Lane { lane, header, notices } => {
                assembly.notices.extend(notices);
                assembly.add(*lane, header)?;
            }
        }
    }
    let found = assembly.lanes.len() as u64;
    let finding = match run.and_then(|run| run.lanes) {
        // More lanes than counted at the end were opened after it, by threads that outlived `main` or exit handlers.
        Some(expected) if found < expected => {
            assembly.lanes_missing = true;
            Some(Finding::LaneCount { expected, found })
        }
        Some(_) => None,
        None => first_missing.map(|first| {
            assembly.lanes_missing = true;
            Finding::MissingLanes { first, count: missing }
        }),
    };
    assembly.notices.extend(finding.map(|finding| Notice { path: path.into(), offset: None, finding }));
    Ok(())
}

/// Finds out whether the run is being recorded right now.
///
/// Lanes are read one after the other. If all of them are found unchanged when each is looked at once more, then there
/// was a moment, between the last first look and the first second look, in which all of them were as we read them: the
/// trace is what a kill at that moment would have left, and is complete. Else one lane may have calls that are later
/// than calls that we do not have of another, so every lane that can still grow counts as stopped where we read it.
fn settle(assembly: &mut Assembly, path: &Path, mut moved: bool) -> Result<(), TraceError> {
    for lane in &assembly.lanes {
        let Some(live) = lane.live else { continue };
        let control = Control::read(&lane.source).map_err(TraceError::io(&lane.path, "reading"))?;
        moved |= control.unsettled || control.progress() != live.progress;
    }
    if moved {
        for lane in &mut assembly.lanes {
            if let (Some(live), LaneEnd::Complete) = (lane.live, lane.end) {
                lane.end = LaneEnd::Stopped { at: live.known_until, reason: StopReason::Recording };
            }
        }
        assembly.notices.push(Notice { path: path.into(), offset: None, finding: Finding::Recording });
    }
    Ok(())
}

fn read_run_file(file: &Path, assembly: &mut Assembly) -> Result<Option<(PathBuf, Run)>, TraceError> {
    match fs::read(file) {
        Ok(text) => parse_run(file, &text).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            no_run_file(file, assembly);
            Ok(None)
        }
        Err(error) => Err(TraceError::io(file, "reading")(error)),
    }
}

/// Notes that a run has no description.
pub(crate) fn no_run_file(file: &Path, assembly: &mut Assembly) {
    assembly.notices.push(Notice { path: file.into(), offset: None, finding: Finding::NoRunFile });
}

/// The run that the text of its `run.json` describes.
pub(crate) fn parse_run(file: &Path, text: &[u8]) -> Result<(PathBuf, Run), TraceError> {
    let path = file.to_owned();
    match Run::from_json(text) {
        Ok(run) => Ok((path, run)),
        Err(RunError::Version(found)) => Err(TraceError::Version { path, offset: 0, found, known: layout::VERSION }),
        Err(RunError::Unreadable(problem)) => Err(TraceError::Run { path, problem }),
    }
}

/// The files of a directory.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub lanes: BTreeMap<LaneId, PathBuf>,
    pub logs: Vec<PathBuf>,
    /// Files that are called lanes without having a lane's name.
    ignored: Vec<PathBuf>,
    has_run_file: bool,
}

impl Listing {
    pub fn of(directory: &Path) -> Result<Self, TraceError> {
        let mut listing = Self::default();
        let entries = fs::read_dir(directory).map_err(TraceError::io(directory, "listing"))?;
        for entry in entries {
            let path = entry.map_err(TraceError::io(directory, "listing"))?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            if let Some(index) = layout::lane_index(name) {
                listing.lanes.insert(index, path);
            } else if name == layout::RUN_FILE {
                listing.has_run_file = true;
            } else if path.extension().is_some_and(|extension| extension == "log") {
                listing.logs.push(path);
            } else if path.extension().is_some_and(|extension| extension == "lane") {
                listing.ignored.push(path);
            }
        }
        listing.logs.sort();
        listing.ignored.sort();
        Ok(listing)
    }
}
