//! Finding the file of a command.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf, absolute};

use crate::failure::Failure;

/// The file of a command: a path if it contains a slash, else the first one in `PATH`.
pub fn find(command: &OsStr) -> Result<PathBuf, Failure> {
    let path = Path::new(command);
    if path.components().count() > 1 {
        let path = absolute(path).map_err(|error| Failure::file(path, &error))?;
        return match fs::metadata(&path) {
            Err(error) => Err(Failure::file(&path, &error)),
            Ok(_) if !is_executable(&path) => Err(Failure::new(format!("{}: is not executable", path.display()))),
            Ok(_) => Ok(path),
        };
    }
    let directories = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&directories).map(|directory| directory.join(path)).find(|file| is_executable(file));
    found.ok_or_else(|| {
        let here = Path::new(".").join(path);
        let text = format!("{}: no such program in PATH", path.display());
        if is_executable(&here) {
            Failure::with_hint(text, format!("write {}", here.display()))
        } else {
            Failure::new(text)
        }
    })
}

fn is_executable(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
