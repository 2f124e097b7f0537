//! The number of calls in a run directory, without reading them.

use std::path::Path;

use crate::control::Control;
use crate::error::TraceError;
use crate::open::Listing;
use crate::source::Source;
use crate::trace::{OpenOptions, Trace};

/// The number of calls in a run directory: those in the streams and those that were open when the recording ended.
///
/// A lane's control block has the number of the call that began last, so this takes one small read per lane. Only a lane
/// whose last call was discarded has to be read.
pub fn count_calls(directory: impl AsRef<Path>) -> Result<u64, TraceError> {
    let mut calls = 0_u64;
    for lane in Listing::of(directory.as_ref())?.lanes.values() {
        let control = Control::read(&Source::File(lane.clone())).map_err(TraceError::io(lane, "reading"))?;
        let begun = match control.calls_begun() {
            0 if control.whole() && control.committed() > 0 => {
                let trace = Trace::open_with(lane, &OpenOptions::recover(true))?;
                trace.lanes().iter().map(crate::lane::Lane::events).sum()
            }
            begun => begun,
        };
        calls = calls.saturating_add(begun);
    }
    Ok(calls)
}
