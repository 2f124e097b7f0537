//! The page that the scheduler shares with the program.
//!
//! ```text
//!   0  countdown (i32)  points that may still pass; a trampoline traps when it gets to zero
//!   8  clock (u64)      virtual nanoseconds, which patched rdtsc instructions read and advance
//! ```
//!
//! The program's threads run one at a time and only while the scheduler waits, so nobody races for these words.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr::{self, NonNull};

use nix::sys::memfd::{MFdFlags, memfd_create};

/// Where the countdown is in the page.
pub const COUNTDOWN: u64 = 0;
/// Where the clock is in the page.
pub const CLOCK: u64 = 8;
/// How large the page is.
pub const PAGE: u64 = 4096;
/// How far the clock advances when the program reads it: the next reading is always larger.
pub const CLOCK_STEP: u8 = 20;

/// Our side of the page.
#[derive(Debug)]
pub struct ControlPage {
    words: NonNull<u8>,
    file: File,
}

// SAFETY: the mapping belongs to this value alone; it can be used from whichever thread owns it.
unsafe impl Send for ControlPage {}

impl ControlPage {
    /// A new page, all zero.
    pub fn new() -> io::Result<Self> {
        let file = File::from(memfd_create(c"omnilink-control", MFdFlags::MFD_CLOEXEC)?);
        file.set_len(PAGE)?;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping of a file of this length, at an address of the kernel's choice.
        let words =
            unsafe { libc::mmap(ptr::null_mut(), PAGE as usize, access, libc::MAP_SHARED, file.as_raw_fd(), 0) };
        match NonNull::new(words.cast::<u8>()) {
            Some(pointer) if words != libc::MAP_FAILED => Ok(Self { words: pointer, file }),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// What the program maps.
    pub fn descriptor(&self) -> i32 {
        self.file.as_raw_fd()
    }

    /// Points that may still pass.
    pub fn countdown(&self) -> i32 {
        // SAFETY: within the mapping and aligned; the program, the only other writer, is stopped.
        unsafe { self.words.byte_add(COUNTDOWN as usize).cast::<i32>().read_volatile() }
    }

    /// Sets how many points may pass.
    pub fn set_countdown(&self, points: i32) {
        // SAFETY: as in `countdown`.
        unsafe { self.words.byte_add(COUNTDOWN as usize).cast::<i32>().write_volatile(points) }
    }

    /// What the virtual clock shows, in nanoseconds.
    pub fn clock(&self) -> u64 {
        // SAFETY: as in `countdown`.
        unsafe { self.words.byte_add(CLOCK as usize).cast::<u64>().read_volatile() }
    }

    /// Sets the clock.
    pub fn set_clock(&self, nanoseconds: u64) {
        // SAFETY: as in `countdown`.
        unsafe { self.words.byte_add(CLOCK as usize).cast::<u64>().write_volatile(nanoseconds) }
    }
}

impl ControlPage {
    /// Lets the clock advance.
    pub fn advance_clock(&self, by: u64) {
        self.set_clock(self.clock().saturating_add(by));
    }

    /// Lets the clock jump to a time, unless it is past that.
    pub fn jump_clock(&self, to: u64) {
        self.set_clock(self.clock().max(to));
    }
}

impl Drop for ControlPage {
    fn drop(&mut self) {
        // SAFETY: our mapping, which nothing refers to any more.
        unsafe { libc::munmap(self.words.as_ptr().cast(), PAGE as usize) };
    }
}
