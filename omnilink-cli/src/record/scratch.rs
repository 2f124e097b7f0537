//! A directory for runs on their way into a store. It goes away with us, and, should we be killed, with the next recorder
//! that comes along.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;

use tempfile::TempDir;

const PREFIX: &str = ".omnilink-runs-";
/// A file in it that is locked for as long as its owner lives: the kernel unlocks it, however that ends.
const LOCK: &str = "lock";

/// See the [module](self).
pub struct Scratch {
    directory: TempDir,
    _lock: File,
}

impl Scratch {
    /// Makes one in a directory, and removes those that were left there.
    pub fn create(beside: &Path) -> io::Result<Self> {
        remove_abandoned(beside)?;
        let directory = tempfile::Builder::new().prefix(PREFIX).tempdir_in(beside)?;
        let lock = File::create(directory.path().join(LOCK))?;
        if !try_lock(&lock) {
            return Err(io::Error::other("a new file cannot be locked"));
        }
        Ok(Self { directory, _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }
}

fn remove_abandoned(beside: &Path) -> io::Result<()> {
    for entry in fs::read_dir(beside)? {
        let path = entry?.path();
        if !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX)) {
            continue;
        }
        // One without a lock is being made in this moment.
        if File::open(path.join(LOCK)).is_ok_and(|lock| try_lock(&lock)) {
            // Another recorder may have the same idea.
            let _ = fs::remove_dir_all(&path);
        }
    }
    Ok(())
}

/// Locks a file, unless somebody else has; the lock goes with the last descriptor.
fn try_lock(file: &File) -> bool {
    // SAFETY: takes plain numbers; the descriptor is open.
    unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) == 0 }
}
