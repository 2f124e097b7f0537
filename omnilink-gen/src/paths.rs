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

/// A path without symbolic links, as far as it exists.
///
/// # Errors
/// If the working directory is not known.
pub(crate) fn without_links(path: &Path) -> io::Result<PathBuf> {
    let absolute = path::absolute(path)?;
    let mut rest = PathBuf::new();
    for ancestor in absolute.ancestors() {
        if let Ok(real) = ancestor.canonicalize() {
            // Joining nothing would add a slash.
            return Ok(if rest.as_os_str().is_empty() { real } else { real.join(rest) });
        }
        let name = ancestor.components().next_back().map(|name| name.as_os_str().to_owned()).unwrap_or_default();
        rest = if rest.as_os_str().is_empty() { name.into() } else { Path::new(&name).join(rest) };
    }
    Ok(absolute)
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
