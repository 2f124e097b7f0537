//! The bytes of a lane: room to write records, and how far they are written.

use std::ptr::NonNull;

use crate::mapping::{LaneFile, MapError, Window};
use crate::supply::Supply;

/// The writing end of a lane's stream.
pub(crate) struct Stream {
    window: Window,
    supply: Supply<LaneFile>,
    /// Where the next record goes.
    cursor: NonNull<u8>,
    /// The end of the window, in memory and in the file.
    limit: NonNull<u8>,
    end: u64,
}

impl Stream {
    /// A stream that begins at `position` of its file.
    pub fn new(mut supply: Supply<LaneFile>, position: u64) -> Result<Self, MapError> {
        let window = supply.first(position, 1)?;
        let end = window.range().end;
        Ok(Self { cursor: window.at(position), limit: window.at(end), end, window, supply })
    }

    /// Bytes from the cursor to the end of the window.
    #[inline]
    fn left(&self) -> usize {
        self.limit.as_ptr() as usize - self.cursor.as_ptr() as usize
    }

    /// Offset in the file of the next record.
    #[inline]
    pub fn position(&self) -> u64 {
        self.end - self.left() as u64
    }

    /// What is left of the window.
    #[inline]
    pub fn rest(&mut self) -> &mut [u8] {
        // SAFETY: from the cursor to the window's end, inside the mapping. The stream owns its window; only the mapper touches
        // these bytes as well, through another window, and never changes them.
        unsafe { std::slice::from_raw_parts_mut(self.cursor.as_ptr(), self.left()) }
    }

    /// At least `need` bytes for the next record.
    pub fn room(&mut self, need: usize) -> Result<&mut [u8], MapError> {
        if self.left() < need {
            let position = self.position();
            self.supply.exchange(&mut self.window, position, need as u64)?;
            self.end = self.window.range().end;
            self.cursor = self.window.at(position);
            self.limit = self.window.at(self.end);
        }
        Ok(self.rest())
    }

    /// The next `len` bytes are a record now.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub fn advance(&mut self, len: usize) {
        assert!(len <= self.left());
        // SAFETY: stays within the window, or at its end.
        self.cursor = unsafe { self.cursor.add(len) };
        prefetch(self.cursor);
    }

    /// Appends a record of at most `N` bytes that `write` writes, if there is room; returns its length, as told by
    /// `write`.
    #[inline(always)]
    pub fn append<const N: usize>(&mut self, write: impl FnOnce(&mut [u8; N]) -> usize) -> Option<usize> {
        let cursor = self.cursor;
        if self.left() < N {
            return None;
        }
        // SAFETY: so many bytes are left in the window, which the stream owns, see `rest`.
        let len = write(unsafe { cursor.cast().as_mut() });
        assert!(len <= N);
        // SAFETY: stays within the window, or at its end.
        self.cursor = unsafe { cursor.add(len) };
        prefetch(cursor);
        Some(len)
    }

    /// Unmaps everything, also what is still being prepared: afterwards the file may be cut.
    pub fn close(mut self) {
        self.supply.cancel();
    }
}

/// Fetches the memory of the records after the next one, to be written. Stores that miss the cache would be waited for by the
/// fence at the end of the next call.
#[cfg(target_arch = "x86_64")]
#[inline]
fn prefetch(cursor: NonNull<u8>) {
    use std::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
    const AHEAD: usize = 256;
    // SAFETY: a hint, which never faults, whatever the address.
    unsafe { _mm_prefetch::<_MM_HINT_ET0>(cursor.as_ptr().wrapping_add(AHEAD).cast()) };
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn prefetch(_: NonNull<u8>) {}
