//! The key of a cached verdict: everything that it depends on besides the trace.
//!
//! The build of omnilink is part of the key, because two builds of one version may differ in a bug.

use std::env;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use omnilink_record::store::Key;
use omnilink_tla::Options;

use super::engine::Engine;
use super::hash;
use super::job::Job;

impl Job<'_> {
    /// The key of the verdicts of this job.
    pub fn key(&self) -> Key {
        let manner = hash::of_texts([&*self.manner()]);
        let program = env::current_exe().ok().and_then(|program| stamp(&program));
        let mut build = program.unwrap_or_else(no_other_program);
        if let Engine::Tlc(tlc) = &self.engine {
            build += &format!(", TLC {}", stamp(tlc.file()).unwrap_or_else(no_other_program));
        }
        Key { spec: self.spec_hash.clone(), manner, build }
    }

    /// The options that a verdict depends on. (Limits are not included: they
    /// can only prevent a verdict.)
    fn manner(&self) -> String {
        let Self { loading, rules, options, engine, consistency, invariants, shrink, recover, .. } = self;
        let Options { init, next, constants, .. } = loading;
        let consistency = consistency.as_ref().map_or_else(String::new, |demand| format!(" {demand:?}"));
        format!(
            "{rules:?} {options:?} {engine:?} {init:?} {next:?} {constants:?} {invariants} {shrink} {recover}{consistency}"
        )
    }
}

/// The identity of a build, without reading the whole binary; `None` if it is unknown.
fn stamp(program: &Path) -> Option<String> {
    let file = fs::metadata(program).ok()?;
    let built = file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{} {} {}", env!("CARGO_PKG_VERSION"), file.len(), built.as_nanos()))
}

/// A unique identity, for a build that cannot be identified.
fn no_other_program() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{} {} {}", env!("CARGO_PKG_VERSION"), std::process::id(), now.as_nanos())
}
