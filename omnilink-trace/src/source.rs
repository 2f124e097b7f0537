//! Where the bytes of a lane are.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;

use omnilink_budget::poll;

/// Where the bytes of a lane are.
///
/// A file is opened for each read and closed again: a run may have a thousand lanes, all of which are read at the same
/// time when they are merged, and file descriptors are few. At 64 KiB per read the cost cannot be measured.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// A file of a run directory.
    File(PathBuf),
    /// A lane of a packed run, or one that was imported.
    Memory(Arc<Vec<u8>>),
}

impl Source {
    /// Number of bytes.
    pub fn len(&self) -> io::Result<u64> {
        match self {
            Self::File(path) => Ok(std::fs::metadata(path)?.len()),
            Self::Memory(bytes) => Ok(bytes.len() as u64),
        }
    }

    /// Fills `buffer` with the bytes from `offset`; tells how many there were.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        poll();
        match self {
            Self::File(path) => {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(offset))?;
                read_full(&mut file, buffer)
            }
            Self::Memory(bytes) => {
                let rest = usize::try_from(offset).ok().and_then(|offset| bytes.get(offset..)).unwrap_or_default();
                let len = rest.len().min(buffer.len());
                buffer[..len].copy_from_slice(&rest[..len]);
                Ok(len)
            }
        }
    }
}

/// Reads until `buffer` is full or the input ends.
pub(crate) fn read_full(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(len) => filled += len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
