//! Atomic output: a file or directory is complete or absent, even if Ctrl-C or SIGTERM ends the program.
//!
//! The output is written under a temporary name beside its target, and renamed when it is complete. A signal
//! removes incomplete output and ends the program.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;

/// The incomplete output. The lock must be held to rename or remove it.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// From now on Ctrl-C and SIGTERM end the program: for verbs without partial results.
pub fn end_at_signal() -> Result<(), Failure> {
    let handler = || {
        // The lock is not released, so that an error caused by this removal waits for it and is not printed.
        let mut unfinished = unfinished();
        if let Some(path) = unfinished.take() {
            remove(&path);
        }
        std::process::exit(i32::from(INTERRUPTED));
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::new(format!("Ctrl-C cannot be handled: {error}")))
}

/// Runs a short function that a signal does not interrupt.
pub fn uninterrupted<T>(work: impl FnOnce() -> T) -> T {
    let _signals_wait = unfinished();
    work()
}

/// Writes a new file; it is an error if the file exists.
pub fn new_file<T>(target: &Path, write: impl FnOnce(&Path) -> Result<T, Failure>) -> Result<T, Failure> {
    // If nothing can be written, the error names the target.
    if target.symlink_metadata().is_ok() || !parent(target).is_dir() {
        return write(target);
    }
    let unfinished = Unfinished::begin(beside(target));
    let written = write(&unfinished.0)?;
    unfinished.finish(|path| fs::rename(path, target)).map_err(|error| Failure::file(target, &error))?;
    Ok(written)
}

/// Writes a file. An existing file stays unchanged until the new one is complete.
pub fn replaced_file<T>(target: &Path, write: impl FnOnce(&Path) -> Result<T, Failure>) -> Result<T, Failure> {
    let Ok(before) = target.metadata() else { return new_file(target, write) };
    // Pipes and terminals are written to directly. A file without write permission fails now.
    if !before.is_file() || OpenOptions::new().write(true).open(target).is_err() {
        return write(target);
    }
    let at_target = |error| Failure::file(target, &error);
    let target = target.canonicalize().map_err(at_target)?;
    let unfinished = Unfinished::begin(beside(&target));
    let written = write(&unfinished.0)?;
    let put = |path: &Path| {
        fs::set_permissions(path, before.permissions())?;
        fs::rename(path, &target)
    };
    unfinished.finish(put).map_err(|error| Failure::file(&target, &error))?;
    Ok(written)
}

/// Creates a directory, or fills an empty one.
pub fn directory<T>(target: &Path, fill: impl FnOnce(&Path) -> Result<T, Failure>) -> Result<T, Failure> {
    let at_target = |error: io::Error| Failure::file(target, &error);
    match fs::read_dir(target).map(|mut entries| entries.next().is_none()) {
        // It is filled in place, because it may be a working directory.
        Ok(true) => {
            let unfinished = Unfinished::begin(target.join(unfinished_name("run")));
            let filled = fill(&unfinished.0)?;
            unfinished.finish(|path| move_up(path, target)).map_err(at_target)?;
            Ok(filled)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound && target.file_name().is_some() => {
            if fs::create_dir_all(parent(target)).is_err() {
                return fill(target);
            }
            new_file(target, fill)
        }
        _ => fill(target),
    }
}

/// Output that is removed on drop unless it is complete.
struct Unfinished(PathBuf);

impl Unfinished {
    fn begin(path: PathBuf) -> Self {
        *unfinished() = Some(path.clone());
        Self(path)
    }

    /// Renames the output to its target.
    fn finish(self, put: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
        let mut unfinished = unfinished();
        let put = put(&self.0);
        if put.is_ok() {
            *unfinished = None;
        }
        drop(unfinished);
        put
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = unfinished().take() {
            remove(&path);
        }
    }
}

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unfinished_name(name: &str) -> String {
    format!(".{name}.{}.unfinished", std::process::id())
}

fn beside(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(unfinished_name(&name))
}

fn parent(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => target,
    }
}

/// Moves the contents of a directory into another one.
fn move_up(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::rename(entry.path(), to.join(entry.file_name()))?;
    }
    fs::remove_dir(from)
}

/// Removes output, even if it is being written to. Errors are ignored, because another error is reported.
fn remove(path: &Path) {
    if path.is_dir() {
        // After the rename no new files are created in it.
        let aside = path.with_extension("removed");
        if fs::rename(path, &aside).is_ok() {
            let _ = fs::remove_dir_all(&aside);
        }
    } else {
        let _ = fs::remove_file(path);
    }
}
