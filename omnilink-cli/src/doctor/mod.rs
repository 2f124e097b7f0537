//! Which features work on this machine, and how to enable the others.
//!
//! Each file checks one feature, and each check uses the feature where that is harmless: a counter is opened, a child
//! is traced, a file is mapped. Settings alone do not show restrictions of containers and hypervisors.

mod aslr;
mod clock;
mod counters;
mod cpp;
mod disk;
mod gdb;
mod probe;
mod ptrace;
mod rr;
mod seccomp;
mod tlc;

use std::path::Path;

use serde::Serialize;

/// How well a feature works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It works.
    Ok,
    /// It works with a restriction.
    Limited,
    /// It is missing or does not work.
    Missing,
}

/// The result of one check.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// The feature.
    pub check: &'static str,
    /// Whether it works.
    pub status: Status,
    /// What the check observed.
    pub seen: String,
    /// How to fix it, unless it works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

impl Finding {
    fn ok(check: &'static str, seen: impl Into<String>) -> Self {
        Self { check, status: Status::Ok, seen: seen.into(), remedy: None }
    }

    fn limited(check: &'static str, seen: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { check, status: Status::Limited, seen: seen.into(), remedy: Some(remedy.into()) }
    }

    fn missing(check: &'static str, seen: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { check, status: Status::Missing, seen: seen.into(), remedy: Some(remedy.into()) }
    }
}

/// Checks for one purpose.
#[derive(Debug, Serialize)]
pub struct Group {
    /// The purpose.
    pub purpose: &'static str,
    /// Whether OmniLink cannot record without it.
    pub essential: bool,
    /// The results.
    pub findings: Vec<Finding>,
}

impl Group {
    /// Whether a feature is missing that recording needs.
    pub fn is_broken(&self) -> bool {
        self.essential && self.findings.iter().any(|finding| finding.status == Status::Missing)
    }
}

/// Runs all checks; traces would be written to `trace_dir`.
pub fn examine(trace_dir: &Path) -> Vec<Group> {
    vec![
        Group {
            purpose: "Recording",
            essential: true,
            findings: vec![clock::counter(), clock::skew(), disk::mapping(trace_dir), disk::space(trace_dir)],
        },
        Group {
            purpose: "Steering schedules",
            essential: false,
            findings: vec![
                ptrace::tracing(),
                ptrace::yama(),
                seccomp::trace_filter(),
                aslr::control(),
                counters::hardware(),
                rr::recording(),
            ],
        },
        Group { purpose: "Debugging replayed runs", essential: false, findings: vec![gdb::debugger()] },
        Group { purpose: "Checking with TLC", essential: false, findings: vec![tlc::java(), tlc::jar()] },
        Group { purpose: "C++ programs", essential: false, findings: vec![cpp::gcc(), cpp::clang()] },
    ]
}
