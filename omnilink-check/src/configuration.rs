//! What the configuration says that a specification was loaded with.

use std::path::Path;

use omnilink_tla::Spec;
use omnilink_tla::config::{ConfigFile, read_config};
use omnilink_tla::diagnostic::TlaError;
use omnilink_tla::source::FileId;

use crate::error::CheckError;

/// Reads it again, from what was read then; `path` is its file. Nothing is said if there is none.
pub(crate) fn of(spec: &Spec, path: Option<&Path>) -> Result<ConfigFile, CheckError> {
    let Some(at) = spec.sources().files().position(|file| Some(&*file.path) == path) else {
        return Ok(ConfigFile::default());
    };
    let config = read_config(spec.sources(), FileId(at as u32));
    config.map_err(|diagnostic| CheckError::Specification(TlaError::new(diagnostic, spec.sources())))
}
