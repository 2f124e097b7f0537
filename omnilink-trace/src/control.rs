//! The control block of a lane: how far its stream is valid, whether it stopped, and the call in flight.

use std::io;

use crate::error::Problem;
use crate::layout;
use crate::source::Source;

const LEN: usize = layout::DATA_OFFSET as usize;

/// The maximum number of attempts to read a slot that is changing.
const ATTEMPTS: usize = 100;

/// A copy of a control block.
#[derive(Debug, Clone)]
pub(crate) struct Control {
    /// The bytes of the file, at most the size of the block.
    bytes: Vec<u8>,
    /// Whether the slot changed during every read: the lane is being recorded, and the copy does not belong to one
    /// call.
    pub unsettled: bool,
}

/// The position of a lane's writer, which shows whether the lane was written to since it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Progress {
    committed: u64,
    sequence: u64,
}

impl Control {
    /// Copies the control block of a lane, which may be written to in this very moment.
    ///
    /// A call leaves the slot after its record was committed. So the slot is read *before* the committed length: had it
    /// been the other way round, a call that was open when we read the length and committed when we read the slot
    /// would be in neither. Read in this order a call can only be in both, and then its number says that the slot is
    /// stale. The slot is copied until two copies agree, so that it is one call's; the length is the second copy's.
    pub fn read(source: &Source) -> io::Result<Self> {
        let mut earlier = copy(source)?;
        for _ in 0..ATTEMPTS {
            let bytes = copy(source)?;
            if slot_of(&bytes) == slot_of(&earlier) {
                return Ok(Self { bytes, unsettled: false });
            }
            earlier = bytes;
        }
        Ok(Self { bytes: earlier, unsettled: true })
    }

    /// All bytes of the block.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Where the lane's writer is.
    pub fn progress(&self) -> Progress {
        Progress { committed: self.u64(layout::COMMITTED_AT), sequence: self.u64(layout::SLOT_SEQUENCE_AT) }
    }

    /// How many calls have begun in the lane; 0 also if the last one was discarded.
    pub fn calls_begun(&self) -> u64 {
        if self.whole() { self.u64(layout::SLOT_SEQUENCE_AT) } else { 0 }
    }

    /// True if the whole block is there.
    pub fn whole(&self) -> bool {
        self.bytes.len() == LEN
    }

    /// True if nothing was written to the block yet.
    pub fn blank(&self) -> bool {
        self.bytes.iter().all(|&byte| byte == 0)
    }

    /// True if it begins as lane files do.
    pub fn has_magic(&self) -> bool {
        self.bytes.starts_with(&layout::MAGIC)
    }

    /// The version of the format.
    pub fn version(&self) -> u32 {
        self.u32(layout::VERSION_AT)
    }

    /// Bytes of the stream that are valid.
    pub fn committed(&self) -> u64 {
        self.u64(layout::COMMITTED_AT)
    }

    /// Stop time and reason, as they stand there.
    pub fn stop(&self) -> (u64, u32) {
        (self.u64(layout::STOP_TIME_AT), self.u32(layout::STOP_REASON_AT))
    }

    /// True if the lane may still be written to, as far as it says itself.
    pub fn open(&self) -> bool {
        self.u32(layout::STATE_AT) == layout::STATE_OPEN
    }

    /// Checks the fields that have few possible values; the offset of a wrong one and what is wrong.
    pub fn check(&self) -> Result<(), (u64, Problem)> {
        let field =
            |at: usize, field, found: u64, expected| Err((at as u64, Problem::Control { field, found, expected }));
        let data_offset = self.u32(layout::DATA_OFFSET_AT).into();
        if data_offset != layout::DATA_OFFSET {
            return field(layout::DATA_OFFSET_AT, "the data offset", data_offset, "8192");
        }
        let committed = self.committed();
        if committed.checked_add(layout::DATA_OFFSET).is_none() {
            return field(layout::COMMITTED_AT, "the committed length", committed, "less than 2^64 - 8192");
        }
        let state = self.u32(layout::STATE_AT);
        if state != layout::STATE_OPEN && state != layout::STATE_CLOSED {
            return field(layout::STATE_AT, "the lane's state", state.into(), "0 or 1");
        }
        let (_, reason) = self.stop();
        if reason > layout::STOP_RECORDING {
            return field(layout::STOP_REASON_AT, "the stop reason", reason.into(), "0 to 7");
        }
        Ok(())
    }

    /// The 16-bit field at `at`; fields that are not there are zero.
    pub fn u16(&self, at: usize) -> u16 {
        self.field(at).map_or(0, u16::from_le_bytes)
    }

    /// The 32-bit field at `at`.
    pub fn u32(&self, at: usize) -> u32 {
        self.field(at).map_or(0, u32::from_le_bytes)
    }

    /// The 64-bit field at `at`.
    pub fn u64(&self, at: usize) -> u64 {
        self.field(at).map_or(0, u64::from_le_bytes)
    }

    fn field<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.bytes.get(at..)?.first_chunk().copied()
    }
}

fn copy(source: &Source) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; LEN];
    let len = source.read_at(0, &mut bytes)?;
    bytes.truncate(len);
    Ok(bytes)
}

fn slot_of(bytes: &[u8]) -> &[u8] {
    bytes.get(layout::SLOT_SEQUENCE_AT..).unwrap_or_default()
}
