//! The place where traces are written. The recorder creates the directory of a run: what matters is the one above it that exists.

use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::ptr;

use super::Finding;
use crate::file_system::{free_bytes, nearest_existing};

/// Below this, a long run is likely to stop recording.
const COMFORTABLE: u64 = 1 << 30;
const PAGE: usize = 4096;

/// Reserves and maps a file as the recorder does.
pub fn mapping(trace_dir: &Path) -> Finding {
    let check = "trace files";
    let trace_dir = nearest_existing(trace_dir);
    let place = trace_dir.display();
    match map_a_file(trace_dir) {
        Ok(()) => Finding::ok(check, format!("{place}: files can be reserved and mapped")),
        Err(error) => Finding::missing(
            check,
            format!("{place}: {error}"),
            "name a writable directory on a local file system with --trace-dir, and for recording with \
             OMNILINK_TRACE_DIR",
        ),
    }
}

/// Room for traces.
pub fn space(trace_dir: &Path) -> Finding {
    let check = "disk space";
    let trace_dir = nearest_existing(trace_dir);
    match free_bytes(trace_dir) {
        Ok(free) if free >= COMFORTABLE => Finding::ok(check, format!("{} free", gibibytes(free))),
        Ok(free) => Finding::limited(
            check,
            format!("{} free", gibibytes(free)),
            "a million calls take some 30 MB; when space runs out recording stops and the trace is marked incomplete",
        ),
        Err(error) => {
            Finding::limited(check, format!("{}: {error}", trace_dir.display()), "name another place with --trace-dir")
        }
    }
}

fn gibibytes(bytes: u64) -> String {
    format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30))
}

fn map_a_file(dir: &Path) -> io::Result<()> {
    let file = tempfile::tempfile_in(dir)?;
    // SAFETY: the descriptor is open for the length of the call.
    let reserved = unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, PAGE as libc::off_t) };
    if reserved != 0 {
        return Err(io::Error::from_raw_os_error(reserved));
    }
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping at an address of the kernel's choice, over bytes that were just reserved.
    let page = unsafe { libc::mmap(ptr::null_mut(), PAGE, protection, libc::MAP_SHARED, file.as_raw_fd(), 0) };
    if page == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the page was mapped above, is PAGE bytes long, and nothing else refers to it.
    unsafe {
        page.cast::<u8>().write_volatile(1);
        libc::munmap(page, PAGE);
    }
    Ok(())
}
