//! Writes a trace as a run directory of the binary format.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::builder::{append, append_value, write_control};
use crate::encode::LaneHeader;
use crate::error::{Finding, Notice, TraceError};
use crate::lane::Lane;
use crate::layout;
use crate::slot::Pending;
use crate::trace::Trace;

const CONTROL: usize = layout::DATA_OFFSET as usize;

/// Writes a trace, recorded or imported, as a run directory. The notices list values that a lane file cannot hold.
///
/// `directory` is created; if it exists it must be empty.
pub fn write_run(trace: &Trace, directory: impl AsRef<Path>) -> Result<Vec<Notice>, TraceError> {
    let directory = directory.as_ref();
    create_empty(directory)?;
    let mut run = trace.run().clone();
    run.lanes = Some(trace.lanes().len() as u64);
    let run_file = directory.join(layout::RUN_FILE);
    fs::write(&run_file, run.to_json()).map_err(TraceError::io(&run_file, "writing"))?;
    let mut notices = Vec::new();
    for lane in trace.lanes() {
        let path = directory.join(layout::lane_file_name(lane.index()));
        let findings = write_lane(trace, lane, &path).map_err(TraceError::io(&path, "writing"))?;
        notices.extend(findings.into_iter().map(|finding| Notice { path: path.clone(), offset: None, finding }));
    }
    Ok(notices)
}

/// Creates a directory, or takes one that is empty.
pub(crate) fn create_empty(directory: &Path) -> Result<(), TraceError> {
    fs::create_dir_all(directory).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => TraceError::Occupied { path: directory.into() },
        _ => TraceError::Io { path: directory.into(), doing: "creating", source },
    })?;
    let mut entries = fs::read_dir(directory).map_err(TraceError::io(directory, "listing"))?;
    if entries.next().is_some() {
        return Err(TraceError::Occupied { path: directory.into() });
    }
    Ok(())
}

fn write_lane(trace: &Trace, lane: &Lane, path: &Path) -> io::Result<Vec<Finding>> {
    let mut stream_header = Vec::new();
    if lane.begin == lane.stream {
        let header = LaneHeader {
            spec: trace.spec(),
            next: trace.next(),
            clock: trace.clock().word(),
            lane: lane.index(),
            name: lane.name(),
            seed: lane.seed(),
        };
        append(&mut stream_header, |out| header.write::<&str>(out, [].into_iter()));
    }
    let recorded = lane.valid - lane.stream;
    let mut control = vec![0; CONTROL];
    write_control(&mut control, recorded + stream_header.len() as u64, lane.end());
    let findings = match &lane.pending {
        Some(pending) => write_slot(&mut control, pending, lane),
        None => Vec::new(),
    };
    let mut out = BufWriter::new(File::create_new(path)?);
    out.write_all(&control)?;
    out.write_all(&stream_header)?;
    copy_stream(lane, &mut out)?;
    out.flush()?;
    Ok(findings)
}

fn copy_stream(lane: &Lane, out: &mut impl Write) -> io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    let mut at = lane.stream;
    while at < lane.valid {
        let wanted = usize::try_from(lane.valid - at).unwrap_or(usize::MAX).min(buffer.len());
        let len = lane.source.read_at(at, &mut buffer[..wanted])?;
        if len == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the lane became shorter since it was opened"));
        }
        out.write_all(&buffer[..len])?;
        at += len as u64;
    }
    Ok(())
}

/// Writes a pending call into the slot; returns the parameters that do not fit.
fn write_slot(control: &mut [u8], pending: &Pending, lane: &Lane) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut area = Vec::new();
    let mut count = 0_usize;
    let mut oversized = 0_u64;
    for (param, arg) in pending.event.args.iter().enumerate() {
        let Some(value) = &arg.value else { continue };
        let before = area.len();
        if append_value(&mut area, value).is_err() || area.len() > layout::SLOT_AREA_LEN {
            area.truncate(before);
            oversized |= 1 << param;
            findings.push(Finding::Oversized { param: lane.vocabulary.name(arg.param).into() });
            continue;
        }
        let entry = &mut control[layout::SLOT_TABLE_AT + 4 * count..];
        entry[..2].copy_from_slice(&(param as u16).to_le_bytes());
        entry[2..4].copy_from_slice(&(area.len() as u16).to_le_bytes());
        count += 1;
    }
    let mut put = |at: usize, bytes: &[u8]| control[at..at + bytes.len()].copy_from_slice(bytes);
    put(layout::SLOT_SEQUENCE_AT, &(lane.events + 1).to_le_bytes());
    put(layout::SLOT_START_AT, &pending.event.timebox.start.to_le_bytes());
    put(layout::SLOT_ENTRY_AT, &u32::from(pending.entry).to_le_bytes());
    put(layout::SLOT_COUNT_AT, &(count as u32).to_le_bytes());
    put(layout::SLOT_OVERSIZED_AT, &oversized.to_le_bytes());
    put(layout::SLOT_AREA_AT, &area);
    for (present, what) in
        [(!pending.event.meta.is_empty(), "meta values"), (!pending.event.effects.is_empty(), "effects")]
    {
        if present {
            findings.push(Finding::PendingDetail { lane: lane.index(), what });
        }
    }
    findings
}
