//! Specifications on the command line: which file, which configuration, which constants.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use omnilink_budget::{Budget, Exhausted};
use omnilink_gen::project_file::{NAME, ProjectFile};
use omnilink_tla::spec::Session;
use omnilink_tla::{Host, Options, Spec, Value, World};

use crate::failure::{Failure, complain};
use crate::shell;

/// The options that select a specification.
#[derive(Args)]
pub struct SpecificationArgs {
    /// The specification: a .tla file
    #[arg(required = true)]
    spec: Option<PathBuf>,
    /// The configuration [default: the .cfg file of the same name beside SPEC, if there is one]
    #[arg(long, value_name = "FILE")]
    cfg: Option<PathBuf>,
    /// Assign a value to a constant, as `Keys = {1, 2}` or `Op <- Def`; may be repeated
    #[arg(long = "const", value_name = "NAME = VALUE")]
    constants: Vec<String>,
    /// Also search for modules in this directory; may be repeated
    #[arg(long, value_name = "DIR")]
    module_path: Vec<PathBuf>,
    /// The initial predicate, instead of the configuration's
    #[arg(long, value_name = "NAME")]
    init: Option<String>,
    /// The next-state relation, instead of the configuration's
    #[arg(long, value_name = "NAME")]
    next: Option<String>,
}

impl SpecificationArgs {
    /// Loads the specification within a budget; `stopped` makes the error if the budget is exhausted.
    pub fn load(&self, budget: &Budget, stopped: impl FnOnce(&str, Exhausted) -> Failure) -> Result<Spec, Failure> {
        let load = || Spec::load_with(self.path(), &self.options(), console());
        let loaded = budget.spend(load).map_err(|exhausted| {
            stopped(&format!("the specification {} was being loaded", self.path().display()), exhausted)
        })?;
        Ok(loaded?)
    }

    /// The `.tla` file.
    pub fn path(&self) -> &Path {
        self.spec.as_deref().unwrap_or(Path::new(""))
    }

    /// What was given for the specification; verbs that can do without may get nothing.
    pub fn given(&self) -> Option<&Path> {
        self.spec.as_deref()
    }

    /// Uses this specification.
    pub fn set(&mut self, spec: PathBuf) {
        self.spec = Some(spec);
    }

    /// If the specification is that of a project, adds the constants and whatever else it was generated with. What is given
    /// on the command line wins; where that names a configuration, nothing is added.
    pub fn settle(&mut self) -> Result<(), Failure> {
        let Some((directory, file)) = self.project()?.filter(|_| self.cfg.is_none()) else { return Ok(()) };
        let before = self.words().len();
        let is_given = |constant: &String| self.constants.iter().any(|given| name(given) == name(constant));
        let constants: Vec<_> = file.constants.into_iter().filter(|constant| !is_given(constant)).collect();
        self.constants.splice(..0, constants);
        self.cfg = file.cfg.map(|cfg| directory.join(cfg));
        self.module_path.extend(file.module_paths.iter().map(|path| directory.join(path)));
        self.next = self.next.take().or(file.next);
        let words = self.words();
        if words.len() > before {
            let file = directory.join(NAME);
            complain(format_args!("note: as {} says: {}", file.display(), shell::line(&words)));
        }
        Ok(())
    }

    /// The project that this is the specification of, and its directory.
    fn project(&self) -> Result<Option<(PathBuf, ProjectFile)>, Failure> {
        let Ok(real) = self.path().canonicalize() else { return Ok(None) };
        let mut directory = self.path().parent().unwrap_or(Path::new("")).to_owned();
        let Some((place, file)) = real.parent().map(ProjectFile::find).transpose()?.flatten() else { return Ok(None) };
        if place.join(&file.spec).canonicalize().ok() != Some(real.clone()) {
            return Ok(None);
        }
        let below = real.parent().and_then(|parent| parent.strip_prefix(&place).ok());
        below.into_iter().flat_map(Path::components).for_each(|_| directory.push(".."));
        Ok(Some((directory, file)))
    }

    /// The options as words of a command line.
    pub fn words(&self) -> Vec<String> {
        let path = |path: &PathBuf| path.display().to_string();
        let mut words: Vec<String> = self.spec.iter().map(path).collect();
        let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
        self.cfg.iter().for_each(|cfg| option("--cfg", path(cfg)));
        self.constants.iter().for_each(|constant| option("--const", constant.clone()));
        self.module_path.iter().for_each(|directory| option("--module-path", path(directory)));
        self.init.iter().for_each(|init| option("--init", init.clone()));
        self.next.iter().for_each(|next| option("--next", next.clone()));
        words
    }

    /// The options for loading.
    pub fn options(&self) -> Options {
        Options {
            config: self.cfg.clone().or_else(|| Options::config_beside(self.path())),
            constants: self.constants.clone(),
            module_path: self.module_path.clone(),
            init: self.init.clone(),
            next: self.next.clone(),
        }
    }
}

/// The name of the constant in `Keys = {1, 2}` or `Op <- Def`.
fn name(constant: &str) -> &str {
    let end = [constant.find('='), constant.find("<-")].into_iter().flatten().min().unwrap_or(constant.len());
    constant[..end].trim()
}

/// Prints the warnings of a specification.
pub fn tell_warnings(spec: &Spec) {
    for warning in &spec.program().warnings {
        complain(format_args!("{}", warning.render(spec.sources())));
    }
}

/// The host of specifications that the command line evaluates.
fn console() -> Arc<dyn Host> {
    Arc::new(Console::default())
}

/// Output of specifications (`Print`) is not a result, so it goes to standard error.
#[derive(Default)]
struct Console {
    session: Session,
}

impl Host for Console {
    fn print(&self, line: &str) {
        complain(format_args!("{line}"));
    }

    fn set_register(&self, register: &Value, value: Value) {
        self.session.set_register(register, value);
    }

    fn register(&self, register: &Value) -> Option<Value> {
        self.session.register(register)
    }

    fn random(&self, bound: u64) -> u64 {
        self.session.random(bound)
    }

    fn enter_level(&self, level: u64) {
        self.session.enter_level(level);
    }

    fn world(&self) -> &World {
        self.session.world()
    }
}
