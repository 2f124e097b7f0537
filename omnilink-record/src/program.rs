//! Which program a run was made with: another one does not repeat it.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::error::RecordError;
use crate::hash::ScheduleHash;

/// The identity of a program, by the contents of its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramIdentity {
    /// A short hash. It decides only where there is no SHA-256.
    pub program_hash: u64,
    /// The SHA-256 of the file, in hexadecimal digits. Records of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program_sha256: Option<String>,
}

impl ProgramIdentity {
    /// Of the program in a file.
    pub fn of(path: &Path) -> Result<Self, RecordError> {
        let bytes = fs::read(path).map_err(RecordError::file(path))?;
        let mut hash = ScheduleHash::default();
        hash.add_bytes(&bytes);
        let sha256 = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { program_hash: hash.value(), program_sha256: Some(sha256) })
    }

    /// Whether this is the program that a record names.
    pub fn is(&self, recorded: &Self) -> bool {
        match (&self.program_sha256, &recorded.program_sha256) {
            (Some(sha256), Some(recorded)) => sha256 == recorded,
            _ => self.program_hash == recorded.program_hash,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_told_apart_and_old_records_are_understood() {
        let scratch = tempfile::tempdir().unwrap();
        let identity = |contents: &str| {
            let file = scratch.path().join("program");
            fs::write(&file, contents).unwrap();
            ProgramIdentity::of(&file).unwrap()
        };
        let abc = identity("abc");
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(abc.program_sha256.as_deref(), Some(sha256));
        assert!(abc.is(&identity("abc")) && !abc.is(&identity("abd")));
        let collision = ProgramIdentity { program_hash: abc.program_hash, ..identity("abd") };
        assert!(!abc.is(&collision), "the SHA-256 decides");
        let old: ProgramIdentity = serde_json::from_str(r#"{"program_hash": 7}"#).unwrap();
        assert!(!abc.is(&old));
        assert!(abc.is(&ProgramIdentity { program_hash: abc.program_hash, ..old }));
    }
}
