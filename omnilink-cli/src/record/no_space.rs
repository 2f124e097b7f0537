//! Runs that say nothing about the program, because the file system that they are recorded on has no room.

use std::path::Path;

use omnilink_record::Ending;
use omnilink_record::campaign::Finished;
use omnilink_record::directory::RunDirectory;
use omnilink_trace::{LaneEnd, OpenOptions, StopReason, Trace};

use crate::failure::Failure;
use crate::file_system;
use crate::record::Kept;

/// With less room than this, a program that recorded nothing could not: a lane alone takes some 20 KiB.
const TOO_LITTLE: u64 = 128 << 10;

/// Whether a run came to nothing because there was no room for it. A signal or a deadlock has other causes.
pub fn is_cause(finished: &Finished) -> bool {
    let directory = RunDirectory::open(&finished.directory);
    let is_exit = matches!(finished.record.observed.ending, Ending::Exited(_));
    is_exit && (recording_stopped(&directory.trace()) || nothing_fits(finished))
}

/// The trace says that it is incomplete because there was no room.
fn recording_stopped(trace: &Path) -> bool {
    let Ok(trace) = Trace::open_with(trace, &OpenOptions::recover(true)) else { return false };
    let is_no_space = |end: LaneEnd| matches!(end, LaneEnd::Stopped { reason: StopReason::NoSpace, .. });
    trace.lanes().iter().any(|lane| is_no_space(lane.end()))
}

/// Nothing was recorded, and hardly anything could have been.
fn nothing_fits(finished: &Finished) -> bool {
    let free = file_system::free_bytes(&finished.directory);
    finished.record.events.unwrap_or(0) == 0 && free.is_ok_and(|free| free < TOO_LITTLE)
}

/// What is wrong, where, and what to do; what the run recorded is kept, or there is no room for that either.
pub fn explain(finished: &Finished, kept: Option<&Kept>) -> Failure {
    let Finished { number, directory, .. } = finished;
    let kept = match kept {
        Some(kept) => format!("what it recorded is kept: {kept}"),
        None => "what it recorded could not be kept".to_owned(),
    };
    Failure::with_hint(
        format!("run {number}: no space was left for its trace, so it says nothing about the program; {kept}"),
        format!("{}: -o DIR, or --store FILE", file_system::no_space_hint(directory)),
    )
}
