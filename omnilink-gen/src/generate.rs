//! From a request to a project: everything that `omnilink gen-fuzzer` does, apart from talking.

use std::io;
use std::path::{Path, PathBuf};

use omnilink_tla::{Options, Spec};

use crate::error::Error;
use crate::language::Language;
use crate::model::Model;
use crate::project::{Fate, File, Output, Project};
use crate::read::{Choice, Reading, read};
use crate::recipe::Recipe;
use crate::{paths, words};

/// What somebody wants to have generated. Paths are as seen from the working directory.
#[derive(Clone, Debug)]
pub struct Request {
    /// The specification.
    pub spec: PathBuf,
    /// The language.
    pub language: Language,
    /// The project's directory; `<spec>-fuzzer` if nobody says.
    pub directory: Option<PathBuf>,
    /// The options that were given.
    pub options: Recipe,
    /// Whether to drop the options of an existing project.
    pub forget: bool,
    /// The checkout of OmniLink to depend on, where there is one.
    pub checkout: Option<PathBuf>,
}

/// What is to be written.
#[derive(Debug)]
pub struct Generated {
    /// Where.
    pub directory: PathBuf,
    /// Whether a project was there before.
    pub is_new: bool,
    /// What it is made from.
    pub model: Model,
    /// What was left out, and why.
    pub notes: Vec<String>,
    /// The options of an existing project that were used because they were not given again.
    pub remembered: Recipe,
    files: Vec<File>,
    project: Project,
}

impl Generated {
    /// What becomes of each file when it is written.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn compare(&self) -> Result<Vec<(&File, Fate)>, Error> {
        self.project.compare(&self.files)
    }

    /// Writes what is new or changed.
    ///
    /// # Errors
    /// If a file cannot be read or written, or if a new project would not get all of its files because others are there.
    pub fn write(&self) -> Result<Vec<(&File, Fate)>, Error> {
        self.project.write(&self.files)
    }
}

/// Generates a project without writing it.
///
/// # Errors
/// If the specification cannot be used, if nothing in it fits the options, or if the file for the actions is somebody
/// else's.
pub fn generate(request: &Request) -> Result<Generated, Error> {
    let stem = request.spec.file_stem().unwrap_or_default().to_string_lossy();
    let name = words::kebab(&stem) + "-fuzzer";
    let directory = request.directory.clone().unwrap_or_else(|| PathBuf::from(&name));
    let (project, found) = Project::open(&directory, request.language.actions())?;
    let is_new = found.is_none();
    let earlier = found.filter(|_| !request.forget).unwrap_or_default();
    let no_place = |source| Error::File { path: directory.clone(), source };
    let given = request.options.clone().seen_from(&directory).map_err(no_place)?;
    let recipe = given.or(earlier.clone());
    let options = request.options.clone().or(earlier.clone().in_directory(&directory));
    let Reading { mut model, notes } = load(&request.spec, options)?;
    if is_in(&request.spec, &directory).map_err(no_place)? {
        // A copy of a module from elsewhere would be found before the module.
        model.sources.clear();
    }
    let checkout = request.checkout.as_deref().map(|checkout| seen_from(&directory, checkout)).transpose();
    let output = Output { name, checkout: checkout.map_err(no_place)?, recipe };
    let files = request.language.files(&model, &output);
    let remembered = without_given(earlier, &request.options);
    Ok(Generated { directory, is_new, model, notes, remembered, files, project })
}

fn load(spec: &Path, options: Recipe) -> Result<Reading, Error> {
    let choice = Choice { only: options.only, exclude: options.exclude };
    let options = Options {
        config: options.cfg.or_else(|| Options::config_beside(spec)),
        constants: options.constants,
        module_path: options.module_paths,
        init: None,
        next: options.next,
    };
    read(&Spec::load(spec, &options)?, &choice)
}

/// Whether a file is in a directory itself.
fn is_in(file: &Path, directory: &Path) -> io::Result<bool> {
    Ok(paths::from_directory(directory, file)?.components().count() == 1)
}

/// The way to a checkout: relative for a project inside of it, which moves with it.
fn seen_from(directory: &Path, checkout: &Path) -> io::Result<PathBuf> {
    if paths::is_inside(directory, checkout)? {
        paths::from_directory(directory, checkout)
    } else {
        std::path::absolute(checkout)
    }
}

/// What an earlier run decided alone.
fn without_given(earlier: Recipe, given: &Recipe) -> Recipe {
    Recipe {
        next: earlier.next.filter(|_| given.next.is_none()),
        only: if given.only.is_empty() { earlier.only } else { Vec::new() },
        exclude: if given.exclude.is_empty() { earlier.exclude } else { Vec::new() },
        cfg: earlier.cfg.filter(|_| given.cfg.is_none()),
        constants: if given.constants.is_empty() { earlier.constants } else { Vec::new() },
        module_paths: if given.module_paths.is_empty() { earlier.module_paths } else { Vec::new() },
    }
}
