//! From a request to a project: everything that `omnilink gen-fuzzer` does, apart from talking.

use std::path::{Path, PathBuf};
use std::{fs, io};

use omnilink_tla::{Options, Spec};

use crate::dependency::{Absolute, Dependency, seen_from};
use crate::error::Error;
use crate::language::Language;
use crate::model::Model;
use crate::project::{Fate, File, Output, Project};
use crate::project_file::{self, ProjectFile};
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
    /// The name of the project; `<spec>-fuzzer` if nobody says.
    pub name: Option<String>,
    /// Where the crate `omnilink` comes from, if somebody says.
    pub omnilink: Option<Dependency>,
    /// The checkout of OmniLink to depend on if nobody says, where there is one.
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
    /// What `omnilink run` does in it.
    pub project_file: ProjectFile,
    /// Where the crate `omnilink` comes from, as seen from the project.
    pub dependency: Dependency,
    files: Vec<File>,
    project: Project,
}

impl Generated {
    /// What is in the project when it is written.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// Puts files in the place of those that have the same path, and adds the others.
    pub fn replace(&mut self, files: Vec<File>) {
        for file in files {
            match self.files.iter_mut().find(|other| other.path == file.path) {
                Some(other) => *other = file,
                None => self.files.push(file),
            }
        }
    }

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
    /// If a file cannot be read or written, if a new project would not get all of its files because others are there, or if
    /// nobody knows where it gets the crate `omnilink` from.
    pub fn write(&self) -> Result<Vec<(&File, Fate)>, Error> {
        let is_new = |(file, fate): &(&File, Fate)| file.path == Path::new("Cargo.toml") && *fate == Fate::New;
        if self.dependency == Dependency::Unknown && self.compare()?.iter().any(is_new) {
            return Err(Error::NoDependency);
        }
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
    let name = request.name.clone().unwrap_or_else(|| words::kebab(&stem) + "-fuzzer");
    let directory = request.directory.clone().unwrap_or_else(|| PathBuf::from(&name));
    let (project, found) = Project::open(&directory, request.language.actions())?;
    let is_new = found.is_none();
    let earlier = found.filter(|_| !request.forget).unwrap_or_default();
    let no_place = |source| Error::File { path: directory.clone(), source };
    let given = request.options.clone().seen_from(&directory).map_err(no_place)?;
    let recipe = given.or(earlier.clone());
    let options = request.options.clone().or(earlier.clone().in_directory(&directory));
    let Reading { mut model, notes } = load(&request.spec, options)?;
    let stays = is_in(&request.spec, &directory).map_err(no_place)?;
    if stays {
        // A copy of a module from elsewhere would be found before the module.
        model.sources.clear();
    }
    let (dependency, absolute) = match (&request.omnilink, &request.checkout) {
        (Some(given), _) => (Some(given.clone()), Absolute::Stays),
        (None, Some(checkout)) => (Dependency::in_checkout(checkout), Absolute::BecomesRelative),
        (None, None) => (None, Absolute::BecomesRelative),
    };
    let dependency = dependency.unwrap_or(Dependency::Unknown);
    let checkout = dependency.checkout().map(|checkout| seen_from(&directory, &checkout, absolute));
    let checkout = checkout.transpose().map_err(no_place)?;
    let dependency = dependency.seen_from(&directory, absolute).map_err(no_place)?;
    let project_file = project_file(request.language, &model, &recipe, &name, stays);
    let output = Output { name, dependency: dependency.clone(), checkout, recipe };
    let mut files = request.language.files(&model, &output);
    let earlier_file = fs::read_to_string(directory.join(project_file::NAME)).ok();
    files.push(File::shared(project_file::NAME, project_file.text(earlier_file.as_deref())));
    let remembered = without_given(earlier, &request.options);
    Ok(Generated { directory, is_new, model, notes, remembered, project_file, dependency, files, project })
}

/// What `omnilink run` does in a project. The files of the specification are in the project itself, unless it is where
/// they are.
fn project_file(language: Language, model: &Model, recipe: &Recipe, name: &str, stays: bool) -> ProjectFile {
    let text = |path: &PathBuf| path.to_string_lossy().into_owned();
    let beside = Path::new(&model.file).with_extension("cfg");
    let copied = |path: &PathBuf| path.file_name().map(PathBuf::from).filter(|name| *name != beside);
    let cfg = if stays { recipe.cfg.clone() } else { recipe.cfg.as_ref().and_then(copied) };
    let (build, program) = language.build_and_program(name);
    ProjectFile {
        spec: model.file.clone(),
        cfg: cfg.as_ref().map(text),
        constants: recipe.constants.clone(),
        module_paths: if stays { recipe.module_paths.iter().map(text).collect() } else { Vec::new() },
        next: recipe.next.clone(),
        build: Some(build),
        program,
    }
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
