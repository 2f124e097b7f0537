//! The environment that programs are given: short, and written down.
//!
//! A program's behaviour may depend on any variable, and variables lie in its memory, so they move what lies beside
//! them. Passing on the whole environment would make runs differ between shells and put secrets into stores. So a
//! program sees:
//!
//! - those of [`PASSED_ON`] that are set to text,
//! - what the user asked for by name,
//! - what OmniLink's runtime is told: see [`crate::directory`].

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::RecordError;

/// Variables that are passed on: without them programs do not start, or greet in another language.
pub const PASSED_ON: [&str; 8] =
    ["HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "RUST_BACKTRACE", "TMPDIR", "TZ"];

/// Variables by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Environment(BTreeMap<String, String>);

impl Environment {
    /// The variables that are passed on from this process.
    pub fn inherited() -> Self {
        let set = PASSED_ON.iter().filter_map(|&name| Some((name.to_owned(), std::env::var(name).ok()?)));
        Self(set.collect())
    }

    /// Adds what `--env` says: `NAME=VALUE`, or `NAME` for its present value.
    pub fn add(&mut self, request: &str) -> Result<(), RecordError> {
        let (name, value) = match request.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (request, std::env::var(request).ok()),
        };
        if name.is_empty() {
            return Err(RecordError::Usage(format!("--env {request}: has no name; write NAME or NAME=VALUE")));
        }
        let value = value.ok_or_else(|| {
            RecordError::Usage(format!("--env {name}: it is not set to text; write {name}=VALUE to give it a value"))
        })?;
        self.set(name, value);
        Ok(())
    }

    /// Sets a variable.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.insert(name.into(), value.into());
    }

    /// Whether a variable is set.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// All variables, as a JSON object.
    pub(crate) fn to_json(&self) -> String {
        serde_json::json!(self).to_string()
    }

    /// All variables, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests() {
        let mut environment = Environment::default();
        environment.add("A=1=2").unwrap();
        environment.add("B=").unwrap();
        environment.add("PATH").unwrap();
        let names: Vec<_> = environment.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["A", "B", "PATH"]);
        assert_eq!(environment.iter().next(), Some(("A", "1=2")));
        assert!(environment.add("=x").is_err());
        assert!(environment.add("SURELY_NOT_SET_ANYWHERE").unwrap_err().to_string().contains("not set"));
    }
}
