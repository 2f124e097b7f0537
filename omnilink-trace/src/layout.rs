//! The layout of a lane file; `docs/trace-format.md` in code.

/// First bytes of a lane file. The high bit and the newline reveal transfers that are not 8-bit clean.
pub const MAGIC: [u8; 8] = *b"\x89OMNLNK\n";
/// The version this crate writes, and the only one it reads.
pub const VERSION: u32 = 1;

/// Bytes of the control block; the stream begins here.
pub const DATA_OFFSET: u64 = 8192;

/// Control block: offset of the format version (u32).
pub const VERSION_AT: usize = 8;
/// Control block: offset of the data offset (u32).
pub const DATA_OFFSET_AT: usize = 12;
/// Control block: offset of the committed length (u64).
pub const COMMITTED_AT: usize = 16;
/// Control block: offset of the stop time (u64, 0 = none).
pub const STOP_TIME_AT: usize = 24;
/// Control block: offset of the lane's state (u32).
pub const STATE_AT: usize = 32;
/// Control block: offset of the stop reason (u32).
pub const STOP_REASON_AT: usize = 36;
/// Control block: offset of the slot's sequence number (u64).
pub const SLOT_SEQUENCE_AT: usize = 64;
/// Control block: offset of the slot's start time (u64).
pub const SLOT_START_AT: usize = 72;
/// Control block: offset of the slot's table entry (u32).
pub const SLOT_ENTRY_AT: usize = 80;
/// Control block: offset of the slot's argument count (u32).
pub const SLOT_COUNT_AT: usize = 84;
/// Control block: offset of the slot's bit set of oversized arguments (u64).
pub const SLOT_OVERSIZED_AT: usize = 88;
/// Control block: offset of the slot's argument table (u16 parameter, u16 end of its bytes).
pub const SLOT_TABLE_AT: usize = 96;
/// Control block: offset of the slot's argument bytes.
pub const SLOT_AREA_AT: usize = 512;
/// Bytes of the slot's argument area.
pub const SLOT_AREA_LEN: usize = DATA_OFFSET as usize - SLOT_AREA_AT;

/// The lane may still be written to, or its process died.
pub const STATE_OPEN: u32 = 0;
/// The lane's thread ended, or the recorder was finished.
pub const STATE_CLOSED: u32 = 1;

/// Stop reason: the disk was full.
pub const STOP_NO_SPACE: u32 = 1;
/// Stop reason: memory could not be mapped.
pub const STOP_MAPPING_FAILED: u32 = 2;
/// Stop reason: an input/output error.
pub const STOP_INPUT_OUTPUT: u32 = 3;
/// Stop reason: the tail was lost; written by tools that rewrite such a lane.
pub const STOP_TORN: u32 = 4;
/// Stop reason: the rest was damaged; written by tools that rewrite such a lane.
pub const STOP_CORRUPT: u32 = 5;
/// Stop reason: a signal killed the thread inside a call that its recorder did not keep (upstream logs).
pub const STOP_SIGNAL: u32 = 6;
/// Stop reason: the lane was copied while it was being recorded.
pub const STOP_RECORDING: u32 = 7;

/// Most parameters an action, or a choice between actions, can have.
pub const MAX_PARAMS: usize = 64;
/// Most entries of a lane's table.
pub const MAX_ENTRIES: usize = 1 << 16;
/// How deep values may nest.
pub const MAX_DEPTH: usize = 1024;

/// First element of a record that defines an action.
pub const RECORD_ACTION: i64 = -1;
/// First element of a record that defines a choice between actions.
pub const RECORD_CHOICE: i64 = -2;
/// First element of a record that says that the lane's thread terminated.
pub const RECORD_TERMINATED: i64 = -3;

/// Event flags: the bits of the outcome.
pub const FLAG_OUTCOME: u8 = 0b11;
/// Event flags: at least one argument is unknown.
pub const FLAG_UNKNOWN: u8 = 1 << 2;
/// Event flags: variable updates follow the arguments.
pub const FLAG_EFFECTS: u8 = 1 << 3;
/// Event flags: meta values end the record.
pub const FLAG_META: u8 = 1 << 4;

/// Outcome bits: the call returned.
pub const OUTCOME_DONE: u8 = 0;
/// Outcome bits: the user's code said that the call had no effect.
pub const OUTCOME_ABORTED: u8 = 1;
/// Outcome bits: the call was left by a panic or dropped; it may or may not have taken effect.
pub const OUTCOME_INDETERMINATE: u8 = 2;

/// MessagePack extension type of a set.
pub const EXT_SET: i8 = 1;

/// Meta key: why the call was aborted.
pub const META_ABORT: &str = "omnilink.abort";
/// Meta key: the panic that ended the call.
pub const META_PANIC: &str = "omnilink.panic";
/// Meta key: the call was dropped before it ended, such as a future that is no longer polled.
pub const META_DROPPED: &str = "omnilink.dropped";
/// Meta key: the reason that the user's code gave for an indeterminate call.
pub const META_INDETERMINATE: &str = "omnilink.indeterminate";
/// Meta key of a termination: why a thread of a fuzzer ended (`limit`, `unsupported`, `panic`).
pub const META_ENDED: &str = "omnilink.ended";
/// Meta key, up to the name of a parameter: why its value is unknown.
pub const META_UNKNOWN: &str = "omnilink.unknown.";

/// The file of lane `index` inside a run directory.
pub fn lane_file_name(index: u32) -> String {
    format!("{index:05}.lane")
}

/// The lane index of a file name made by [`lane_file_name`].
pub fn lane_index(file_name: &str) -> Option<u32> {
    let digits = file_name.strip_suffix(".lane")?;
    let index = digits.parse().ok()?;
    (lane_file_name(index) == file_name).then_some(index)
}

/// The directory of the trace inside of what a recorder keeps of a run.
pub const TRACE_DIRECTORY: &str = "trace";
/// The file that describes a run, inside its directory.
pub const RUN_FILE: &str = "run.json";
