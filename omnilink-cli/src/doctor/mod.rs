//! What works on this machine, and what to do about the rest.
//!
//! Each file looks at one thing and each check tries it for real where that is harmless: a counter is opened, a child
//! is traced, a file is mapped. Reading settings alone misses what containers and hypervisors forbid.

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

/// How well something works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// As it should be.
    Ok,
    /// Usable with a restriction.
    Limited,
    /// Not there, or not usable.
    Missing,
}

/// What one check saw.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// What was checked.
    pub check: &'static str,
    /// How it stands.
    pub status: Status,
    /// What was seen.
    pub seen: String,
    /// What to do about it, unless all is well.
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

/// Checks that serve one purpose.
#[derive(Debug, Serialize)]
pub struct Group {
    /// The purpose.
    pub purpose: &'static str,
    /// True if the purpose is one that OmniLink cannot do without.
    pub essential: bool,
    /// The results.
    pub findings: Vec<Finding>,
}

impl Group {
    /// True if something is missing without which nothing can be recorded.
    pub fn is_broken(&self) -> bool {
        self.essential && self.findings.iter().any(|finding| finding.status == Status::Missing)
    }
}

/// Looks at everything; traces would be written to `trace_dir`.
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
