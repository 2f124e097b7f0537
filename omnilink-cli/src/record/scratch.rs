//! A temporary directory for runs before they are moved into a store. It is removed on drop; if the process is killed, the
//! next recorder removes it.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;

use tempfile::TempDir;

const PREFIX: &str = ".omnilink-runs-";
/// A file in it that its owner keeps locked: the kernel releases the lock when the process ends.
const LOCK: &str = "lock";
/// The name of that file before it is locked.
const UNLOCKED: &str = "unlocked";

/// A temporary directory: see the [module](self).
pub struct Scratch {
    directory: TempDir,
    _lock: File,
}

impl Scratch {
    /// Creates one in a directory, and removes abandoned ones there.
    pub fn create(beside: &Path) -> io::Result<Self> {
        remove_abandoned(beside)?;
        let directory = tempfile::Builder::new().prefix(PREFIX).tempdir_in(beside)?;
        // The file gets its name when it is locked: under that name, others take it for abandoned if they can lock it.
        let unlocked = directory.path().join(UNLOCKED);
        let lock = File::create(&unlocked)?;
        if !try_lock(&lock) {
            return Err(io::Error::other("a new file cannot be locked"));
        }
        fs::rename(unlocked, directory.path().join(LOCK))?;
        Ok(Self { directory, _lock: lock })
    }

    /// Its path.
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
        // A directory without a lock file is being created at this moment.
        if File::open(path.join(LOCK)).is_ok_and(|lock| try_lock(&lock)) {
            // Another recorder may remove it at the same time.
            let _ = fs::remove_dir_all(&path);
        }
    }
    Ok(())
}

/// Locks a file, unless another process has; the lock ends with the last descriptor.
fn try_lock(file: &File) -> bool {
    // SAFETY: takes plain numbers; the descriptor is open.
    unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) == 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_being_created_is_not_abandoned() {
        let beside = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let scratch = Scratch::create(beside.path()).unwrap();
                        assert!(scratch.path().join(LOCK).exists());
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(beside.path()).unwrap().count(), 0);
    }
}
