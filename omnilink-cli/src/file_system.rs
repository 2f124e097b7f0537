//! The file system that a file is on: where it is mounted, and how much room it has.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::amount;

/// What to do where a file system has no room for what is to be written to `path`.
pub fn no_space_hint(path: &Path) -> String {
    let path = nearest_existing(path);
    let room = match free_bytes(path) {
        Ok(free) => format!(" ({} left)", amount::bytes_text(free)),
        Err(_) => String::new(),
    };
    let mount = mount_point(path).unwrap_or_else(|_| path.to_owned());
    format!("free some space on the file system {}{room}, or write to another one", mount.display())
}

/// Whether an error says that a file system has no room.
pub fn is_no_space(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// How much more can be written to the file system of a directory.
pub fn free_bytes(dir: &Path) -> io::Result<u64> {
    let path = CString::new(dir.as_os_str().as_bytes())?;
    // SAFETY: all zeroes is a valid value of this plain C struct.
    let mut answer: libc::statvfs = unsafe { std::mem::zeroed() };
    // SAFETY: `path` ends with a zero byte, `answer` is writable; both outlive the call.
    match unsafe { libc::statvfs(path.as_ptr(), &mut answer) } {
        0 => Ok(answer.f_bavail * answer.f_frsize),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The directory, or the first of those above it that exists.
pub fn nearest_existing(dir: &Path) -> &Path {
    let here = Path::new(".");
    let mut places = dir.ancestors().map(|place| if place.as_os_str().is_empty() { here } else { place });
    places.find(|place| place.exists()).unwrap_or(dir)
}

/// Where the file system of a file is mounted: the topmost directory above the file that is on the same device.
fn mount_point(path: &Path) -> io::Result<PathBuf> {
    let path = fs::canonicalize(path)?;
    let device = fs::metadata(&path)?.dev();
    let is_same = |place: &&Path| fs::metadata(place).is_ok_and(|place| place.dev() == device);
    let top = path.ancestors().take_while(is_same).last().unwrap_or(&path);
    Ok(top.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mount_point_is_the_topmost_directory_of_the_device() {
        assert_eq!(mount_point(Path::new("/proc/self/status")).unwrap(), Path::new("/proc"));
        assert_eq!(mount_point(Path::new("/")).unwrap(), Path::new("/"));
        let hint = no_space_hint(Path::new("/proc/no/such/directory"));
        assert!(hint.starts_with("free some space on the file system /proc (0 bytes left), or "), "{hint}");
    }
}
