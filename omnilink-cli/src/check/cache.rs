//! The cache of verdicts.
//!
//! There is one file per trace, specification, set of options and build of omnilink, named by their hash, in
//! `$XDG_CACHE_HOME/omnilink/verdicts` (`~/.cache` if that is not set). Only final verdicts are cached: accepted and
//! rejected. If the specification read inputs besides its own files (a file, the environment), the verdict is used only
//! while these are unchanged; a verdict that depends on inputs that cannot be compared later (random elements, the time) is
//! not cached. Any file of the cache may be deleted at any time.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use omnilink_check::report::counterexample::Window;
use omnilink_check::report::{Report, Verdict};
use omnilink_record::store::Key;
use serde::{Deserialize, Serialize};

use super::hash;

/// The cache, for one specification and one set of options.
pub struct Cache {
    directory: PathBuf,
    /// The hash of the part of the key that all traces of this check share.
    manner: String,
}

/// An entry of the cache.
#[derive(Serialize, Deserialize)]
pub struct Entry {
    /// The report of the check.
    pub report: Report,
    /// The part of the trace around the furthest configurations.
    pub window: Vec<Window>,
}

impl Cache {
    /// The user's cache, for checks with this key; `None` without a home directory. Reports show the path of the
    /// specification, so the path is part of the key.
    pub fn of_user(key: &Key, spec: &Path) -> Option<Self> {
        let set = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let caches = set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")))?;
        let manner = hash::of_texts([&*key.build, &*key.spec, &*key.manner, &*spec.to_string_lossy()]);
        Some(Self { directory: caches.join("omnilink").join("verdicts"), manner })
    }

    /// The entry of a trace, if it is still valid. A file that cannot be read is treated as missing.
    pub fn find(&self, trace_hash: &str) -> Option<Entry> {
        let entry: Entry = serde_json::from_slice(&fs::read(self.file(trace_hash)).ok()?).ok()?;
        entry.report.still_holds().then_some(entry)
    }

    /// Stores the entry of a trace, if its verdict is final. Errors of writing are ignored.
    pub fn keep(&self, trace_hash: &str, entry: &Entry) {
        let is_final = matches!(entry.report.verdict, Verdict::Accepted | Verdict::Rejected);
        if !is_final || !entry.report.still_holds() {
            return;
        }
        let write = || -> std::io::Result<()> {
            fs::create_dir_all(&self.directory)?;
            // The rename is atomic: a concurrent reader sees the complete file or none.
            let mut file = tempfile::NamedTempFile::new_in(&self.directory)?;
            file.write_all(serde_json::to_value(entry)?.to_string().as_bytes())?;
            file.persist(self.file(trace_hash))?;
            Ok(())
        };
        let _ = write();
    }

    fn file(&self, trace_hash: &str) -> PathBuf {
        self.directory.join(format!("{}.json", hash::of_texts([&*self.manner, trace_hash])))
    }
}
