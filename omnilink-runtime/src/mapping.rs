//! Lane files on disk and the windows through which they are written.
//!
//! Space is reserved before it is mapped, so a full disk is an error here and never a SIGBUS in the program under test.
//! No file descriptor outlives the call that needed it: a thousand lanes must not eat up the descriptors of the program.

use std::fs::{File, OpenOptions};
use std::io;
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;

use omnilink_trace::layout;

/// Why a window could not be had.
#[derive(Debug)]
pub(crate) enum MapError {
    /// The disk, a quota or a file size limit has no room.
    NoSpace(io::Error),
    /// The address space has no room, or too many mappings exist.
    Mapping(io::Error),
    /// Anything else.
    InputOutput(io::Error),
}

impl MapError {
    fn from_io(error: io::Error) -> Self {
        match error.raw_os_error() {
            Some(libc::ENOSPC | libc::EDQUOT | libc::EFBIG) => Self::NoSpace(error),
            _ => Self::InputOutput(error),
        }
    }
}

/// The file of one lane.
#[derive(Debug)]
pub(crate) struct LaneFile {
    path: PathBuf,
}

impl LaneFile {
    /// Creates the file, which must not exist.
    pub fn create(path: PathBuf) -> Result<Self, MapError> {
        OpenOptions::new().write(true).create_new(true).open(&path).map_err(MapError::from_io)?;
        Ok(Self { path })
    }

    /// Reserves the bytes `reserve` of the file and maps the bytes `window`, all pages ready to be written.
    pub fn map(&self, reserve: Range<u64>, window: Range<u64>) -> Result<Window, MapError> {
        let file = OpenOptions::new().read(true).write(true).open(&self.path).map_err(MapError::from_io)?;
        reserve_space(&file, reserve.clone())?;
        let window = Window::new(&file, window)?;
        window.prefault(reserve);
        Ok(window)
    }

    /// Cuts off reserved bytes that were not used. The caller must have dropped every window that reaches beyond `len`.
    pub fn truncate(&self, len: u64) -> io::Result<()> {
        OpenOptions::new().write(true).open(&self.path)?.set_len(len)
    }

    /// Writes into the control block of a file that is not mapped any more that recording stopped.
    pub fn mark_stopped(path: &Path, time: u64, reason: u32) -> io::Result<()> {
        let file = OpenOptions::new().write(true).open(path)?;
        file.write_all_at(&reason.to_le_bytes(), layout::STOP_REASON_AT as u64)?;
        file.write_all_at(&time.max(1).to_le_bytes(), layout::STOP_TIME_AT as u64)
    }

    /// Removes a file whose lane could not be opened.
    pub fn remove(&self) {
        // The lane was never used; if its file stays behind, readers find a file without a header and say so.
        let _ = std::fs::remove_file(&self.path);
    }
}

fn reserve_space(file: &File, range: Range<u64>) -> Result<(), MapError> {
    if range.end > file_size_limit() {
        // Reaching beyond the limit would raise SIGXFSZ, which kills the program under test.
        return Err(MapError::NoSpace(io::Error::from_raw_os_error(libc::EFBIG)));
    }
    allocate(file, &range).map_err(MapError::from_io)?;
    write_zeros(file, range).map_err(MapError::from_io)
}

/// Has the file system set the space aside. Where it cannot, writing zeros does that as well.
fn allocate(file: &File, range: &Range<u64>) -> io::Result<()> {
    let (start, len) = (range.start as libc::off_t, (range.end - range.start) as libc::off_t);
    loop {
        // SAFETY: plain system call on an open descriptor.
        if unsafe { libc::fallocate(file.as_raw_fd(), 0, start, len) } == 0 {
            return Ok(());
        }
        match io::Error::last_os_error() {
            error if error.raw_os_error() == Some(libc::EINTR) => {}
            error if error.raw_os_error() == Some(libc::EOPNOTSUPP) => return Ok(()),
            error => return Err(error),
        }
    }
}

/// Brings the pages into the page cache. Page faults would do it too, but page by page, and at three times the cost.
fn write_zeros(file: &File, range: Range<u64>) -> io::Result<()> {
    // Not on the stack: threads may have little of it.
    static ZEROS: [u8; 64 * 1024] = [0; 64 * 1024];
    let mut at = range.start;
    while at < range.end {
        let len = (range.end - at).min(ZEROS.len() as u64);
        file.write_all_at(&ZEROS[..len as usize], at)?;
        at += len;
    }
    Ok(())
}

/// The largest size of a file that does not get the process killed.
pub(crate) fn file_size_limit() -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: `limit` is valid for the write.
    match unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit) } {
        0 => limit.rlim_cur,
        _ => u64::MAX,
    }
}

/// Bytes of a file, mapped for reading and writing and shared with the page cache: what is stored here survives the death of
/// the process.
#[derive(Debug)]
pub(crate) struct Window {
    base: NonNull<u8>,
    range: Range<u64>,
}

// SAFETY: a window is memory that is owned by whoever owns the window.
unsafe impl Send for Window {}

impl Window {
    fn new(file: &File, range: Range<u64>) -> Result<Self, MapError> {
        let begin = range.start - range.start % page_size();
        let len = (range.end - begin) as usize;
        // SAFETY: a new mapping at an address of the kernel's choice; nothing else refers to it.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                len,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                begin as libc::off_t,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(MapError::Mapping(io::Error::last_os_error()));
        }
        let base = NonNull::new(base.cast::<u8>()).expect("the kernel does not map address 0");
        Ok(Self { base, range: begin..range.end })
    }

    /// Takes the page faults now, on the thread that prepares the window, not on the one that records. The bytes `fresh` were just
    /// reserved, and nobody else has seen them.
    fn prefault(&self, fresh: Range<u64>) {
        // SAFETY: advice on a mapping that this window owns; it changes no byte.
        let populated = unsafe { libc::madvise(self.base.as_ptr().cast(), self.len(), libc::MADV_POPULATE_WRITE) } == 0;
        if populated {
            return;
        }
        // Kernels before 5.14 cannot. Zeros over zeros do the same, where nobody else writes.
        let first = fresh.start.max(self.range.start).next_multiple_of(page_size());
        for offset in (first..self.range.end.min(fresh.end)).step_by(page_size() as usize) {
            // SAFETY: inside the mapping, in fresh bytes.
            unsafe { self.at(offset).write_volatile(0) };
        }
    }

    /// Bytes of the file that the window shows, from a page boundary on.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    pub fn len(&self) -> usize {
        (self.range.end - self.range.start) as usize
    }

    /// Address of the byte at `offset` of the file, which must be inside the window.
    ///
    /// # Panics
    /// If it is not.
    pub fn at(&self, offset: u64) -> NonNull<u8> {
        assert!(self.range.start <= offset && offset <= self.range.end, "{offset} is outside of {:?}", self.range);
        // SAFETY: inside the mapping, or one past its end.
        unsafe { self.base.add((offset - self.range.start) as usize) }
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        // SAFETY: exactly the mapping made in `new`; its owner is giving it up.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.len()) };
    }
}

pub(crate) fn page_size() -> u64 {
    // SAFETY: plain library call.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_one_file_show_the_same_bytes() {
        let directory = tempfile::tempdir().unwrap();
        let file = LaneFile::create(directory.path().join("lane")).unwrap();
        let page = page_size();
        let first = file.map(0..4 * page, 0..4 * page).unwrap();
        let second = file.map(4 * page..8 * page, 3 * page + 17..8 * page).unwrap();
        assert_eq!(second.range(), 3 * page..8 * page);
        // SAFETY: both addresses are inside their windows.
        unsafe {
            first.at(4 * page - 1).write(42);
            assert_eq!(second.at(4 * page - 1).read(), 42);
        }
        drop((first, second));
        file.truncate(4 * page).unwrap();
        assert_eq!(std::fs::read(&file.path).unwrap()[4 * page as usize - 1], 42);
    }
}
