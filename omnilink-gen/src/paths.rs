//! Paths relative to a project's directory, so that a project does not depend on its location.

use std::io;
use std::path::{self, Component, Path, PathBuf};

/// The relative path from a directory to a file or directory. Neither has to exist; symbolic links are not followed.
///
/// # Errors
/// If the working directory is not known.
pub(crate) fn from_directory(directory: &Path, to: &Path) -> io::Result<PathBuf> {
    let (from, to) = (normal(directory)?, normal(to)?);
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(to.components().skip(shared)).collect();
    Ok(if way.as_os_str().is_empty() { PathBuf::from(".") } else { way })
}

/// Whether a path leads into a directory.
///
/// # Errors
/// If the working directory is not known.
pub(crate) fn is_inside(path: &Path, directory: &Path) -> io::Result<bool> {
    Ok(normal(path)?.starts_with(normal(directory)?))
}

/// An absolute path without `.` and `..`.
fn normal(path: &Path) -> io::Result<PathBuf> {
    let absolute = path::absolute(path)?;
    Ok(absolute.components().fold(PathBuf::new(), |mut normal, component| {
        match component {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            other => normal.push(other),
        }
        normal
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_between_directories() {
        for (from, to, way) in [
            ("/a/b", "/a/b", "."),
            ("/a/b", "/a/c/d", "../c/d"),
            ("/a/./b/../c", "/a/c/d", "d"),
            ("fuzzer", "Queue.cfg", "../Queue.cfg"),
        ] {
            assert_eq!(from_directory(Path::new(from), Path::new(to)).unwrap(), Path::new(way), "{from} to {to}");
        }
    }
}
