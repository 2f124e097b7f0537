//! Verdicts that were found before.
//!
//! One file per trace, specification, manner of checking and program that checked, named by their hash, in
//! `$XDG_CACHE_HOME/omnilink/verdicts` (`~/.cache` if that is not set). Only what will always be so is kept: accepted and
//! rejected. A verdict on a specification that read something from outside of its files (a file, the environment) is used
//! as long as that is what it was; one that depends on what cannot be told later (random elements, the time) is not
//! kept. Any file there may be deleted at any time.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use omnilink_check::report::counterexample::Window;
use omnilink_check::report::{Report, Verdict};
use omnilink_record::store::Key;
use serde::{Deserialize, Serialize};

use super::hash;

/// Where verdicts are kept.
pub struct Cache {
    directory: PathBuf,
    /// What all traces of this check have in common.
    manner: String,
}

/// What is kept of a check.
#[derive(Serialize, Deserialize)]
pub struct Entry {
    /// What was found.
    pub report: Report,
    /// The part of the trace around where it got stuck.
    pub window: Vec<Window>,
}

impl Cache {
    /// The user's cache, for checks with this key; none if there is no place for it. Reports show the path of the
    /// specification, so that counts, too.
    pub fn of_user(key: &Key, spec: &Path) -> Option<Self> {
        let set = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let caches = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")))?;
        let manner = hash::of_texts([&*key.build, &*key.spec, &*key.manner, &*spec.to_string_lossy()]);
        Some(Self { directory: caches.join("omnilink").join("verdicts"), manner })
    }

    /// What was found for a trace, if it still holds. A file that cannot be read is as good as none.
    pub fn find(&self, trace_hash: &str) -> Option<Entry> {
        let entry: Entry = serde_json::from_slice(&fs::read(self.file(trace_hash)).ok()?).ok()?;
        entry.report.still_holds().then_some(entry)
    }

    /// Keeps what was found for a trace, if it will always be so. That it cannot be kept is no reason to complain.
    pub fn keep(&self, trace_hash: &str, entry: &Entry) {
        let is_final = matches!(entry.report.verdict, Verdict::Accepted | Verdict::Rejected);
        if !is_final || !entry.report.still_holds() {
            return;
        }
        let write = || -> std::io::Result<()> {
            fs::create_dir_all(&self.directory)?;
            // Whoever reads at the same time sees all of it or nothing.
            let mut file = tempfile::NamedTempFile::new_in(&self.directory)?;
            serde_json::to_writer(&mut file, entry)?;
            file.flush()?;
            file.persist(self.file(trace_hash))?;
            Ok(())
        };
        let _ = write();
    }

    fn file(&self, trace_hash: &str) -> PathBuf {
        self.directory.join(format!("{}.json", hash::of_texts([&*self.manner, trace_hash])))
    }
}
