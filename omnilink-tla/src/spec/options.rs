//! What a specification is loaded with.

use std::fs;
use std::path::{Path, PathBuf};

use crate::compile;
use crate::config::{ConfigFile, read_config};
use crate::diagnostic::{Diagnostic, TlaError};
use crate::ir::Program;
use crate::modules;
use crate::source::Sources;
use crate::symbol::Symbol;

/// What a specification is loaded with.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The `.cfg` file. Without one, `Init` and `Next`, or `Spec`, are taken, and constants must be given here.
    pub config: Option<PathBuf>,
    /// Constants as TLA+, `Keys = {1, 2, 3}` or `Op <- Def`; they take precedence over the configuration's.
    pub constants: Vec<String>,
    /// Directories to look for modules in, besides the specification's own.
    pub module_path: Vec<PathBuf>,
    /// The initial predicate, instead of the configuration's.
    pub init: Option<String>,
    /// The next-state relation, instead of the configuration's.
    pub next: Option<String>,
}

impl Options {
    /// The configuration that TLC would take for a specification: the file of the same name beside it, if there is one.
    #[must_use]
    pub fn config_beside(spec: &Path) -> Option<PathBuf> {
        Some(spec.with_extension("cfg")).filter(|config| config.is_file())
    }

    pub(super) fn compile(&self, path: &Path) -> Result<Program, Box<TlaError>> {
        let mut sources = Sources::default();
        let config = match &self.config {
            Some(config) => read(config, &mut sources)?,
            None => ConfigFile::default(),
        };
        let mut constants = Vec::new();
        for text in &self.constants {
            let given = compile::constant(&mut sources, text);
            constants.push(given.map_err(|diagnostic| TlaError::new(diagnostic, &sources))?);
        }
        let modules = modules::load(sources, path, &self.module_path)?;
        let symbol = |name: &Option<String>| name.as_deref().map(Symbol::new);
        let options = compile::Options { init: symbol(&self.init), next: symbol(&self.next), constants };
        compile::compile(&modules, &config, &options)
            .map_err(|diagnostics| Box::new(TlaError { diagnostics, sources: modules.sources }))
    }
}

fn read(path: &Path, sources: &mut Sources) -> Result<ConfigFile, Box<TlaError>> {
    let text = fs::read_to_string(path)
        .map_err(|error| TlaError::new(Diagnostic::error(format!("{}: {error}", path.display())), sources))?;
    let file = sources.add(path, text);
    read_config(sources, file).map_err(|diagnostic| TlaError::new(diagnostic, sources))
}
