//! All states of a specification.

use std::path::Path;

use omnilink_tla::explore::{self, Verdict};
use omnilink_tla::{Options, Spec};

/// How to load a specification with the configuration beside it.
pub(crate) fn options(spec: &Path) -> Options {
    Options { config: Options::config_beside(spec), ..Options::default() }
}

/// Explores a specification with the configuration beside it, where nothing may be wrong, and counts its states.
#[track_caller]
pub fn distinct_states(spec: impl AsRef<Path>) -> u64 {
    let spec = spec.as_ref();
    let loaded = Spec::load(spec, &options(spec)).unwrap_or_else(|error| panic!("{error}"));
    let limits = explore::Options { check_deadlock: true, max_states: None, workers: 1 };
    let report = explore::explore(&loaded, &limits, &mut |_| ());
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    assert!(matches!(report.verdict, Verdict::Ok), "{:?}", report.verdict);
    report.counts.distinct
}
