//! A stream of MessagePack records, read through a window.
//!
//! Lanes may be larger than memory, so only a part is held. A record that does not end inside the window is tried again
//! after more was read; a record larger than the window makes it grow, never beyond what the file really has.

use std::io;

use crate::decode::{Cursor, Fault};
use crate::error::Problem;
use crate::source::Source;

/// Bytes held of each lane. A thousand lanes are merged with 64 MiB.
const SIZE: usize = 64 * 1024;

/// Why there is no next record.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The bytes end inside the record that begins at `offset`.
    Short { offset: u64 },
    /// The record is wrong at `offset`.
    Bad { offset: u64, problem: Problem },
    /// The file could not be read.
    Io(io::Error),
}

/// The bytes of `source` from some offset up to `end`.
#[derive(Debug)]
pub(crate) struct Window<'s> {
    source: &'s Source,
    /// Offset in the source of the first byte of `held()`.
    from: u64,
    /// Where the stream ends.
    end: u64,
    /// Bytes read from a file; of a source in memory nothing is copied.
    buffer: Vec<u8>,
    filled: usize,
    /// The next record, from the beginning of `held()`.
    at: usize,
}

impl<'s> Window<'s> {
    /// A window on the bytes from `begin` to `end`.
    pub fn new(source: &'s Source, begin: u64, end: u64) -> Self {
        Self { source, from: begin, end, buffer: Vec::new(), filled: 0, at: 0 }
    }

    /// The next record, as `parse` reads it, with its offset; none at the end. `parse` is called again on the same
    /// record when it came out short.
    #[inline]
    pub fn next<T>(
        &mut self,
        mut parse: impl FnMut(&mut Cursor<'_>) -> Result<T, Fault>,
    ) -> Result<Option<(u64, T)>, Stop> {
        loop {
            let held = match self.source {
                Source::File(_) => &self.buffer[..self.filled],
                Source::Memory(bytes) => memory(bytes, self.from, self.end),
            };
            if self.at < held.len() {
                let mut cursor = Cursor::new(held, self.at);
                match parse(&mut cursor) {
                    Ok(record) => {
                        let offset = self.offset();
                        self.at = cursor.at();
                        return Ok(Some((offset, record)));
                    }
                    Err(Fault::Short) => {}
                    Err(Fault::Bad(bad)) => {
                        return Err(Stop::Bad { offset: self.from + bad.at as u64, problem: bad.problem });
                    }
                }
            }
            let at_end = self.at == held.len();
            if !self.fill().map_err(Stop::Io)? {
                return if at_end { Ok(None) } else { Err(Stop::Short { offset: self.offset() }) };
            }
        }
    }

    /// Offset of the next record.
    pub fn offset(&self) -> u64 {
        self.from + self.at as u64
    }

    /// Reads more behind what is held; false if there is no more.
    #[cold]
    fn fill(&mut self) -> io::Result<bool> {
        if matches!(self.source, Source::Memory(_)) {
            return Ok(false);
        }
        self.buffer.copy_within(self.at..self.filled, 0);
        self.from += self.at as u64;
        self.filled -= self.at;
        self.at = 0;
        let missing = self.end.saturating_sub(self.from + self.filled as u64);
        let room =
            if self.filled > self.buffer.len() / 2 { 2 * self.buffer.len() } else { self.buffer.len().max(SIZE) };
        let room = room.min(self.filled + usize::try_from(missing).unwrap_or(usize::MAX - self.filled));
        if room > self.buffer.len() {
            self.buffer.resize(room, 0);
        }
        let len = self.source.read_at(self.from + self.filled as u64, &mut self.buffer[self.filled..room])?;
        self.filled += len;
        Ok(len > 0)
    }
}

/// The bytes of a source in memory that lie inside the stream.
fn memory(bytes: &[u8], begin: u64, end: u64) -> &[u8] {
    let clamp = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
    &bytes[clamp(begin).min(clamp(end))..clamp(end)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::Arc;

    /// Strings of these lengths, as a file and in memory.
    fn sources(lengths: &[usize]) -> (tempfile::NamedTempFile, [Source; 2]) {
        let mut bytes = Vec::new();
        for &length in lengths {
            rmp::encode::write_str(&mut bytes, &"x".repeat(length)).unwrap();
        }
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&bytes).unwrap();
        let sources = [Source::File(file.path().into()), Source::Memory(Arc::new(bytes))];
        (file, sources)
    }

    #[test]
    fn records_smaller_and_larger_than_the_window_come_whole() {
        let lengths = [3, 0, SIZE - 10, 40, 5 * SIZE, 1, 2 * SIZE, 7];
        let (_file, sources) = sources(&lengths);
        for source in &sources {
            let mut window = Window::new(source, 0, source.len().unwrap());
            for length in lengths {
                let (_, found) = window.next(|c| c.str("a string").map(str::len)).unwrap().unwrap();
                assert_eq!(found, length);
            }
            assert!(window.next(|c| c.str("a string").map(str::len)).unwrap().is_none());
        }
    }

    #[test]
    fn the_end_inside_a_record_is_told_with_the_records_offset() {
        let (_file, sources) = sources(&[3, 10]);
        for source in &sources {
            let mut window = Window::new(source, 0, 9);
            assert_eq!(window.next(|c| c.str("a string").map(str::len)).unwrap(), Some((0, 3)));
            let stop = window.next(|c| c.str("a string").map(str::len)).unwrap_err();
            assert!(matches!(stop, Stop::Short { offset: 4 }), "{stop:?}");
        }
    }
}
