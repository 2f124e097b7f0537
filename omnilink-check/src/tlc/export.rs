//! A question for TLC as files: the specification, the history, the module that walks through it, the configuration.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use omnilink_tla::Spec;

use super::constants::Assignments;
use super::definitions::Definitions;
use super::events::{self, Events};
use super::literal::Literals;
use super::root::Root;
use crate::check;
use crate::configuration;
use crate::error::CheckError;
use crate::prepare::Prepared;

/// The module to run; its configuration is called alike.
pub const MODULE: &str = "OmniLinkCheck";
/// The invariant that an order violates.
pub(super) const INVARIANT: &str = "OmniLinkNotAtEnd";
/// The module that walks.
const POSITIONS: &str = include_str!("OmniLinkPositions.tla");
/// The module that compares with what was recorded.
const RECORDED: &str = include_str!("OmniLinkRecorded.tla");
/// The modules that hold the arguments of a call to one value.
const PASSED: &str = include_str!("OmniLinkPassed.tla");
const TOLD: &str = include_str!("OmniLinkTold.tla");

/// The files of a question, by name.
#[derive(Debug)]
pub struct Export {
    /// Names and contents.
    pub files: Vec<(String, String)>,
}

impl Export {
    /// Puts the question whether a history has an order that a specification allows. `config` is the file of the
    /// configuration that the specification was loaded with.
    ///
    /// # Errors
    /// If TLC cannot be asked: a number is too large for it, or a disjunct of the next-state relation cannot be written
    /// down.
    pub fn new(
        spec: &Spec,
        config: Option<&Path>,
        prepared: &Prepared,
        options: &check::Options,
    ) -> Result<Self, CheckError> {
        let config = configuration::of(spec, config)?;
        let mut literals = Literals::default();
        let assignments = Assignments::of(spec, &config, &mut literals)?;
        let history = Events::new(spec, prepared).module(&mut literals, &assignments.definitions)?;
        let root = Root { spec, prepared, honour_constraints: options.honour_constraints };
        let mut files = modules(spec);
        files.push(("OmniLinkPositions.tla".to_owned(), POSITIONS.to_owned()));
        files.push(("OmniLinkRecorded.tla".to_owned(), RECORDED.to_owned()));
        if root.tells() {
            files.push(("OmniLinkPassed.tla".to_owned(), PASSED.to_owned()));
            files.push(("OmniLinkTold.tla".to_owned(), TOLD.to_owned()));
        }
        files.push((format!("{}.tla", events::MODULE), history));
        let (text, further) = root.module(&Definitions::of(spec, &config)?)?;
        files.push((format!("{MODULE}.tla"), text));
        files.extend(further.into_iter().map(|(name, text)| (format!("{name}.tla"), text)));
        files.push((format!("{MODULE}.cfg"), configuration_text(&assignments, &literals)));
        Ok(Self { files })
    }

    /// Writes the files.
    ///
    /// # Errors
    /// If that cannot be done.
    pub fn write(&self, directory: &Path) -> Result<(), CheckError> {
        let failed = |path: &Path, error| CheckError::File { path: path.to_owned(), error };
        fs::create_dir_all(directory).map_err(|error| failed(directory, error))?;
        for (name, text) in &self.files {
            let path = directory.join(name);
            fs::write(&path, text).map_err(|error| failed(&path, error))?;
        }
        Ok(())
    }
}

/// The specification's modules as they are.
fn modules(spec: &Spec) -> Vec<(String, String)> {
    let files = spec.sources().files().filter(|file| file.path.extension().is_some_and(|extension| extension == "tla"));
    files.filter_map(|file| Some((file.path.file_name()?.to_string_lossy().into_owned(), file.text.clone()))).collect()
}

fn configuration_text(assignments: &Assignments, literals: &Literals) -> String {
    let mut text = format!("INIT OmniLinkStart\nNEXT OmniLinkWalk\nVIEW OmniLinkView\nINVARIANT {INVARIANT}\n");
    let models = literals.models().map(|(constant, model)| format!("{constant} = {model}"));
    let lines: Vec<_> = assignments.lines.iter().cloned().chain(models).collect();
    if !lines.is_empty() {
        let _ = writeln!(text, "CONSTANTS\n    {}", lines.join("\n    "));
    }
    text
}
