//! A linearization that was found, with what its calls do not see.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use omnilink_check::error::CheckError;
use omnilink_check::report::consistency::{Consistency, Seeing};
use omnilink_check::report::text::Palette;
use omnilink_check::report::text::call_table::CallTable;
use omnilink_trace::Trace;
use serde_json::json;

/// Writes a linearization: as text if the file name ends with .txt, else as JSON.
pub(super) fn write(path: &Path, found: &Consistency, trace: &Trace) -> Result<(), CheckError> {
    let written = File::create(path).map(BufWriter::new).and_then(|mut out| {
        if path.extension().is_some_and(|extension| extension == "txt") {
            write_text(found, trace, &mut out)?;
        } else {
            writeln!(out, "{}", json!({ "criterion": found.criterion, "linearization": found.linearization }))?;
        }
        out.flush()
    });
    written.map_err(|error| CheckError::File { path: path.to_owned(), error })
}

fn write_text(found: &Consistency, trace: &Trace, out: &mut dyn Write) -> io::Result<()> {
    let table = CallTable::of_trace(trace, Palette::default());
    writeln!(out, "a linearization that satisfies the criterion `{}`\n", found.criterion)?;
    table.head(out)?;
    for Seeing { call, misses } in &found.linearization {
        table.call(call, out)?;
        if let Some(misses) = misses.as_ref().filter(|misses| !misses.is_empty()) {
            let missed: Vec<_> = misses.iter().map(|at| found.linearization[*at].call.call.as_str()).collect();
            write!(out, "  (does not see {})", missed.join(", "))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
