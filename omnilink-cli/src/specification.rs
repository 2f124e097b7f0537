//! Specifications on the command line: which file, which configuration, which constants.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use omnilink_budget::{Budget, Exhausted};
use omnilink_tla::spec::Session;
use omnilink_tla::{Host, Options, Spec, Value, World};

use crate::failure::{Failure, complain};

/// The options that select a specification.
#[derive(Args)]
pub struct SpecificationArgs {
    /// The specification: a .tla file
    spec: PathBuf,
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
        let load = || Spec::load_with(&self.spec, &self.options(), console());
        let loaded = budget.spend(load).map_err(|exhausted| {
            stopped(&format!("the specification {} was being loaded", self.spec.display()), exhausted)
        })?;
        Ok(loaded?)
    }

    /// The `.tla` file.
    pub fn path(&self) -> &Path {
        &self.spec
    }

    /// The options as words of a command line.
    pub fn words(&self) -> Vec<String> {
        let path = |path: &PathBuf| path.display().to_string();
        let mut words = vec![path(&self.spec)];
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
            config: self.cfg.clone().or_else(|| Options::config_beside(&self.spec)),
            constants: self.constants.clone(),
            module_path: self.module_path.clone(),
            init: self.init.clone(),
            next: self.next.clone(),
        }
    }
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
