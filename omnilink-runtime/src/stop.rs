//! Why recording stopped before the program did.

use std::fmt;
use std::io;

use omnilink_trace::layout;

use crate::lane::LaneError;
use crate::mapping::MapError;

/// Why recording stopped before the program did. The program goes on; what was recorded is readable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The disk, a quota or a file size limit has no room.
    NoSpace,
    /// A file could not be mapped.
    MappingFailed,
    /// Another failure of the file system, or a table without room for another action.
    InputOutput,
}

impl StopReason {
    /// As lane files have it.
    pub(crate) fn code(self) -> u32 {
        match self {
            Self::NoSpace => layout::STOP_NO_SPACE,
            Self::MappingFailed => layout::STOP_MAPPING_FAILED,
            Self::InputOutput => layout::STOP_INPUT_OUTPUT,
        }
    }

    /// The reason of an error.
    pub(crate) fn of(error: &LaneError) -> Self {
        match error {
            LaneError::Map(MapError::NoSpace(_)) => Self::NoSpace,
            LaneError::Map(MapError::Mapping(_)) => Self::MappingFailed,
            LaneError::Map(MapError::InputOutput(_)) | LaneError::TooManyActions => Self::InputOutput,
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSpace => "no space left",
            Self::MappingFailed => "a trace file could not be mapped",
            Self::InputOutput => "a trace file could not be written",
        })
    }
}

impl fmt::Display for LaneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, error, hint): (_, &io::Error, _) = match self {
            Self::Map(MapError::NoSpace(error)) => {
                ("no space for more of the trace", error, "free some, or record elsewhere")
            }
            Self::Map(MapError::Mapping(error)) => {
                ("cannot map more of the trace", error, "see vm.max_map_count and the limits of the process")
            }
            Self::Map(MapError::InputOutput(error)) => ("cannot write the trace", error, "check the trace directory"),
            Self::TooManyActions => return f.write_str("more than 65536 different actions; record fewer"),
        };
        write!(f, "{what}: {error} ({hint})")
    }
}
