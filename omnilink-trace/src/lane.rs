//! A lane of an opened trace.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::control::Progress;
use crate::event::{Event, LaneId, Vocabulary};
use crate::layout;
use crate::record::Context;
use crate::records::Records;
use crate::slot::Pending;
use crate::source::Source;
use crate::table::Table;

/// Calls that cannot overlap, such as those of one thread, in order.
#[derive(Debug, Clone)]
pub struct Lane {
    pub(crate) index: LaneId,
    pub(crate) name: String,
    pub(crate) seed: Option<u64>,
    pub(crate) path: PathBuf,
    pub(crate) source: Source,
    /// Offset of the stream: of its header, if it has one.
    pub(crate) stream: u64,
    /// Offset of the first record.
    pub(crate) begin: u64,
    /// Offset behind the last valid record.
    pub(crate) valid: u64,
    pub(crate) events: u64,
    pub(crate) first_start: Option<u64>,
    pub(crate) end: LaneEnd,
    pub(crate) pending: Option<Pending>,
    pub(crate) table: Arc<Table>,
    pub(crate) vocabulary: Arc<Vocabulary>,
    pub(crate) widening: u64,
    /// For an imported lane: where each event is in the file that it was imported from.
    pub(crate) origins: Option<Arc<Vec<u64>>>,
    /// For a lane file whose writer may be alive: how far it was when it was read, and when it would have stopped.
    pub(crate) live: Option<Live>,
}

/// How far the writer of a lane was.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Live {
    pub progress: Progress,
    /// Calls that began earlier are in the lane.
    pub known_until: u64,
}

/// Whether a lane has all calls of its thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaneEnd {
    /// Every call is in the lane; a call that was open when the program died is pending.
    Complete,
    /// Calls that began at this time or later are missing.
    Stopped {
        /// Clock reading.
        at: u64,
        /// Why.
        reason: StopReason,
    },
}

/// Why calls are missing at the end of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StopReason {
    /// The disk was full.
    NoSpace,
    /// Memory could not be mapped.
    MappingFailed,
    /// An input/output error.
    InputOutput,
    /// The file's tail was lost.
    Torn,
    /// The rest of the file was damaged and dropped.
    Corrupt,
    /// A signal killed the thread, perhaps inside a call that its recorder did not keep (upstream logs).
    Signal,
    /// The trace was read while it was being recorded.
    Recording,
    /// The lane has a stop time without a reason.
    Unstated,
}

impl StopReason {
    /// All reasons with their codes and names.
    const ALL: [(Self, u32, &'static str); 8] = [
        (Self::Unstated, 0, "unstated"),
        (Self::NoSpace, layout::STOP_NO_SPACE, "no-space"),
        (Self::MappingFailed, layout::STOP_MAPPING_FAILED, "mapping-failed"),
        (Self::InputOutput, layout::STOP_INPUT_OUTPUT, "input-output"),
        (Self::Torn, layout::STOP_TORN, "torn"),
        (Self::Corrupt, layout::STOP_CORRUPT, "corrupt"),
        (Self::Signal, layout::STOP_SIGNAL, "signal"),
        (Self::Recording, layout::STOP_RECORDING, "recording"),
    ];

    /// The number that lane files have for it.
    pub fn code(self) -> u32 {
        Self::ALL.into_iter().find(|(reason, ..)| *reason == self).map_or(0, |(_, code, _)| code)
    }

    /// The reason with this number.
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, other, _)| *other == code).map(|(reason, ..)| reason)
    }

    /// The word that JSON lines have for it.
    pub fn word(self) -> &'static str {
        Self::ALL.into_iter().find(|(reason, ..)| *reason == self).map_or("", |(.., word)| word)
    }

    /// The reason with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(.., other)| *other == word).map(|(reason, ..)| reason)
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSpace => "no space was left",
            Self::MappingFailed => "memory could not be mapped",
            Self::InputOutput => "an input/output error",
            Self::Torn => "the file was cut off",
            Self::Corrupt => "the file is damaged",
            Self::Signal => "a signal killed the thread",
            Self::Recording => "the run was still being recorded",
            Self::Unstated => "the recorder did not say why",
        })
    }
}

impl Lane {
    /// The lane's number; file names carry it, and there may be gaps.
    pub fn index(&self) -> LaneId {
        self.index
    }

    /// The thread's name, or `""`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The seed that the lane's header has.
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// The file that it was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of events, a pending one included.
    pub fn events(&self) -> u64 {
        self.events + u64::from(self.pending.is_some())
    }

    /// The call that was open when recording ended, if there was one: the last of its records.
    pub fn pending(&self) -> Option<&Event> {
        self.pending.as_ref().map(|pending| &pending.event)
    }

    /// Whether it has all calls of its thread.
    pub fn end(&self) -> LaneEnd {
        self.end
    }

    /// Its records in order, a pending call last. Boxes and the ends of threads are widened by the clock's uncertainty
    /// and slack.
    pub fn records(&self) -> Records<'_> {
        Records::new(self, self.widening)
    }

    /// Its records with their boxes as recorded, for writing them again.
    pub fn records_as_recorded(&self) -> Records<'_> {
        Records::new(self, 0)
    }

    pub(crate) fn context(&self, widening: u64) -> Context<'_> {
        Context { lane: self.index, table: &self.table, vocabulary: &self.vocabulary, widening }
    }
}
