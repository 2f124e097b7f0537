//! What all fuzz targets do with a file: open it in both ways, and hold the reader to its promises.

use std::fs;
use std::path::PathBuf;

use omnilink_trace::{OpenOptions, Record, Trace, jsonl};

/// A directory for the files of one fuzzing process.
pub struct Place {
    directory: tempfile::TempDir,
}

impl Default for Place {
    fn default() -> Self {
        Self { directory: tempfile::tempdir().expect("a temporary directory") }
    }
}

impl Place {
    fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Opens `bytes` as a file called `name`.
    pub fn check(&self, name: &str, bytes: &[u8]) {
        let path = self.file(name);
        fs::write(&path, bytes).expect("a temporary file");
        let strict = Trace::open(&path);
        let recovered = Trace::open_with(&path, &OpenOptions::recover(true));
        if let Ok(strict) = &strict {
            let recovered = recovered.as_ref().expect("what opens strictly opens with recovery");
            assert_eq!(events(strict), events(recovered), "recovery changes nothing where nothing is wrong");
        }
        if let Ok(trace) = &recovered {
            self.hold_to_promises(trace);
        }
        for text in [strict, recovered].into_iter().filter_map(Result::err).map(|error| error.to_string()) {
            assert!(text.contains(name), "an error names its file: {text}");
        }
    }

    fn hold_to_promises(&self, trace: &Trace) {
        for lane in trace.lanes() {
            let mut count = 0;
            let mut last = 0;
            for record in lane.records() {
                let record = record.expect("an opened lane can be read");
                assert!(record.time() >= last, "a lane is in order");
                last = record.time();
                count += u64::from(matches!(record, Record::Event(_)));
            }
            assert_eq!(count, lane.events());
        }
        let merged: Vec<_> = trace.records().map(|record| record.expect("opened").time()).collect();
        assert!(merged.is_sorted(), "merged lanes are in order");

        let first = export(trace);
        let path = self.file("again.jsonl");
        fs::write(&path, &first).expect("a temporary file");
        let again = jsonl::read(&path).expect("what was exported can be imported");
        assert_eq!(first, export(&again), "export and import are inverse");
    }
}

fn export(trace: &Trace) -> String {
    let mut text = Vec::new();
    jsonl::write(trace, &mut text).expect("an opened trace can be exported");
    String::from_utf8(text).expect("JSON is UTF-8")
}

fn events(trace: &Trace) -> u64 {
    trace.lanes().iter().map(|lane| lane.events()).sum()
}
