//! Where the trace goes if nobody says where.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use omnilink_trace::layout;

use super::error::FuzzError;

/// Makes `omnilink-trace-<n>` inside `parent` with the smallest `n` that is free.
pub(super) fn fresh(parent: &Path) -> Result<PathBuf, FuzzError> {
    for n in 1_u64.. {
        let path = parent.join(format!("omnilink-trace-{n}"));
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(source) => return Err(FuzzError::TraceDirectory { path, source }),
        }
    }
    unreachable!("there are more numbers than directories")
}

/// Removes a trace in which nothing is, and its directory; whether that worked. What is no part of a trace stays.
pub(super) fn clear(directory: &Path) -> bool {
    let lanes = (0_u32..).map(|lane| directory.join(layout::lane_file_name(lane)));
    let files = lanes.take_while(|lane| lane.exists()).chain([directory.join(layout::RUN_FILE)]);
    files.for_each(|file| {
        // If one stays, so does the directory.
        let _ = fs::remove_file(file);
    });
    fs::remove_dir(directory).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_gets_a_directory_of_its_own() {
        let parent = tempfile::tempdir().unwrap();
        assert_eq!(fresh(parent.path()).unwrap(), parent.path().join("omnilink-trace-1"));
        fs::write(parent.path().join("omnilink-trace-2"), "a file is in the way").unwrap();
        assert_eq!(fresh(parent.path()).unwrap(), parent.path().join("omnilink-trace-3"));
    }

    #[test]
    fn only_a_trace_is_removed() {
        let parent = tempfile::tempdir().unwrap();
        let directory = fresh(parent.path()).unwrap();
        let lane = directory.join(layout::lane_file_name(0));
        for file in [&lane, &directory.join(layout::RUN_FILE), &directory.join("notes")] {
            fs::write(file, "").unwrap();
        }
        assert!(!clear(&directory));
        assert!(!lane.exists() && directory.join("notes").exists());
        fs::remove_file(directory.join("notes")).unwrap();
        assert!(clear(&directory));
        assert!(!directory.exists());
    }

    #[test]
    fn an_unusable_parent_is_named() {
        let parent = tempfile::tempdir().unwrap();
        let missing = parent.path().join("missing");
        let error = fresh(&missing).unwrap_err().to_string();
        assert!(error.contains(&missing.join("omnilink-trace-1").display().to_string()), "{error}");
    }
}
