//! What is written is there whole or not at all, also if Ctrl-C or SIGTERM ends the program before.
//!
//! It is written under a name of its own, beside the place where it belongs, and renamed when it is finished. A signal
//! removes what is unfinished and ends the program, whatever it is doing.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;

/// What is being written. Who renames or removes it holds the lock.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// From now on Ctrl-C and SIGTERM end the program: for verbs that have nothing to tell of work that was left half-done.
pub fn end_at_signal() -> Result<(), Failure> {
    let handler = || {
        // The lock is kept: what fails because of this removal waits for it, and says nothing.
        let mut unfinished = unfinished();
        if let Some(path) = unfinished.take() {
            remove(&path);
        }
        std::process::exit(i32::from(INTERRUPTED));
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::new(format!("Ctrl-C cannot be handled: {error}")))
}

/// Does something short that a signal does not end in the middle.
pub fn uninterrupted<T>(work: impl FnOnce() -> T) -> T {
    let _signals_wait = unfinished();
    work()
}

/// Writes a file that must not be there yet.
pub fn new_file<T>(target: &Path, write: impl FnOnce(&Path) -> Result<T, Failure>) -> Result<T, Failure> {
    // Where nothing can be written the error is that of the target itself.
    if target.symlink_metadata().is_ok() || !parent(target).is_dir() {
        return write(target);
    }
    let unfinished = Unfinished::begin(beside(target));
    let written = write(&unfinished.0)?;
    unfinished.finish(|path| fs::rename(path, target)).map_err(|error| Failure::file(target, &error))?;
    Ok(written)
}

/// Writes a file. One that is there stays as it is until the new one is finished.
pub fn replaced_file<T>(target: &Path, write: impl FnOnce(&Path) -> Result<T, Failure>) -> Result<T, Failure> {
    let Ok(before) = target.metadata() else { return new_file(target, write) };
    // Pipes and terminals are written to as they are. What may not be written to fails now.
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

/// Makes a directory, or fills one that is empty.
pub fn directory<T>(target: &Path, fill: impl FnOnce(&Path) -> Result<T, Failure>) -> Result<T, Failure> {
    let at_target = |error: io::Error| Failure::file(target, &error);
    match fs::read_dir(target).map(|mut entries| entries.next().is_none()) {
        // It is filled at its place: it may be somebody's working directory.
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

/// Something that is removed unless it is finished.
struct Unfinished(PathBuf);

impl Unfinished {
    fn begin(path: PathBuf) -> Self {
        *unfinished() = Some(path.clone());
        Self(path)
    }

    /// Puts it where it belongs.
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

/// Moves what is in a directory into another one.
fn move_up(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::rename(entry.path(), to.join(entry.file_name()))?;
    }
    fs::remove_dir(from)
}

/// Removes something, even if it is being written to. The error that matters is another one.
fn remove(path: &Path) {
    if path.is_dir() {
        // Under another name nobody makes new files in it.
        let aside = path.with_extension("removed");
        if fs::rename(path, &aside).is_ok() {
            let _ = fs::remove_dir_all(&aside);
        }
    } else {
        let _ = fs::remove_file(path);
    }
}
