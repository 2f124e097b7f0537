//! Putting a fuzzer together.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use crate::lasting::lasting;
use crate::{ActionDef, Site};

use super::context::{Attempt, Cleanup, Context, Start};
use super::error::FuzzError;
use super::options::OwnOption;
use super::report::Report;
use super::settings::{Limit, Settings};
use super::{command, execute};

pub(super) type MakeState<'a, S, T> = Box<dyn Fn(Start<'_, S>) -> T + Sync + 'a>;
pub(super) type CleanUp<'a, S, T> = Box<dyn Fn(Cleanup<'_, S, T>) + Sync + 'a>;
type Perform<'a, S, T> = Box<dyn Fn(&mut Context<'_, S, T>) -> Attempt + Sync + 'a>;

/// Something that threads do: an action, or a call whose result decides which of several it was.
pub(super) struct Step<'a, S, T> {
    pub name: &'static str,
    pub site: &'static Site,
    pub perform: Perform<'a, S, T>,
}

/// A fuzzer for a system `S` whose threads each keep a `T`; see the [module](super).
pub struct Fuzz<'a, S, T = ()> {
    pub(super) spec: String,
    pub(super) next: String,
    pub(super) steps: Vec<Step<'a, S, T>>,
    pub(super) make_state: MakeState<'a, S, T>,
    pub(super) clean_up: Option<CleanUp<'a, S, T>>,
    pub(super) own_options: Vec<OwnOption>,
    pub(super) settings: Settings,
    /// Pairs of action and parameter, if they are declared.
    results: Option<Vec<(&'static str, &'static str)>>,
}

impl<'a, S: Sync> Fuzz<'a, S> {
    /// A fuzzer of the specification `spec` whose threads keep no state of their own.
    pub fn new(spec: impl Into<String>) -> Self {
        Self::with_state(spec, |_| ())
    }
}

impl<'a, S: Sync, T> Fuzz<'a, S, T> {
    /// A fuzzer of the specification `spec`; every thread makes its state with `make_state`, one thread after the other
    /// and before the first action of any.
    pub fn with_state(spec: impl Into<String>, make_state: impl Fn(Start<'_, S>) -> T + Sync + 'a) -> Self {
        Self {
            spec: spec.into(),
            next: "Next".to_owned(),
            steps: Vec::new(),
            make_state: Box::new(make_state),
            clean_up: None,
            own_options: Vec::new(),
            settings: Settings::default(),
            results: None,
        }
    }

    /// The operator used as next-state relation, if it is not `Next`.
    #[must_use]
    pub fn next_relation(mut self, next: impl Into<String>) -> Self {
        self.next = next.into();
        self
    }

    /// Adds the action `name` with parameters `params`, which `perform` performs.
    ///
    /// # Panics
    /// If there are more than 64 parameters.
    #[must_use]
    pub fn action(
        self,
        name: &'static str,
        params: &'static [&'static str],
        perform: impl Fn(&mut Context<'_, S, T>) -> Attempt + Sync + 'a,
    ) -> Self {
        self.choice(name, &[ActionDef { name, params }], perform)
    }

    /// Adds a call whose result decides which of `actions` it was: `perform` says so with [`Context::choose`]. Weights and
    /// counts go by `name`.
    ///
    /// # Panics
    /// If there are no actions, or if they have more than 64 different parameters.
    #[must_use]
    pub fn choice(
        mut self,
        name: &'static str,
        actions: &[ActionDef],
        perform: impl Fn(&mut Context<'_, S, T>) -> Attempt + Sync + 'a,
    ) -> Self {
        self.steps.push(Step { name, site: site(actions), perform: Box::new(perform) });
        self
    }

    /// Declares which parameters are results of their calls, as pairs of action and parameter. All other parameters of all
    /// actions are arguments. The trace says so, for checks of weaker consistency: without this call they have to be told.
    ///
    /// ```
    /// # use omnilink_runtime::fuzz::Fuzz;
    /// # let fuzz: Fuzz<'_, ()> = Fuzz::new("Queue");
    /// let fuzz = fuzz.results(&[("Dequeue", "elem"), ("Size", "size")]);
    /// ```
    #[must_use]
    pub fn results(mut self, results: &[(&'static str, &'static str)]) -> Self {
        self.results.get_or_insert_default().extend_from_slice(results);
        self
    }

    /// What to do when a thread ends, unless an action panicked. The end is recorded, with what the hook notes.
    #[must_use]
    pub fn cleanup(mut self, clean_up: impl Fn(Cleanup<'_, S, T>) + Sync + 'a) -> Self {
        self.clean_up = Some(Box::new(clean_up));
        self
    }

    /// Adds `--name VALUE` to the command line; [`Fuzz::main`] hands what was given to whoever makes the system. If `value`
    /// is empty, the option takes none: see [`Fuzz::flag`].
    #[must_use]
    pub fn option(mut self, name: &'static str, value: &'static str, help: &'static str) -> Self {
        self.own_options.push(OwnOption { name, value, help });
        self
    }

    /// Adds `--name`, which takes no value, to the command line; [`Options::is_set`] tells whether it was given.
    #[must_use]
    pub fn flag(self, name: &'static str, help: &'static str) -> Self {
        self.option(name, "", help)
    }

    /// How many threads call the system.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.settings.threads = Some(threads);
        self
    }

    /// How many operations a thread performs at most.
    #[must_use]
    pub fn operations(mut self, operations: u64) -> Self {
        self.settings.operations = Some(Limit::At(operations));
        self
    }

    /// How many operations all threads together perform at most; divided evenly among them.
    #[must_use]
    pub fn total_operations(mut self, operations: u64) -> Self {
        self.settings.total_operations = Some(Limit::At(operations));
        self
    }

    /// How long threads begin new operations.
    #[must_use]
    pub fn duration(mut self, duration: Duration) -> Self {
        self.settings.duration = Some(Limit::At(duration));
        self
    }

    /// From what all random choices follow.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = Some(seed);
        self
    }

    /// How often the action `name` is tried compared to others, which count 1 unless they are given a weight too.
    #[must_use]
    pub fn weight(mut self, name: impl Into<String>, weight: u32) -> Self {
        self.settings.weights.insert(0, (name.into(), weight));
        self
    }

    /// Where to record.
    #[must_use]
    pub fn trace_directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.settings.trace_directory = Some(directory.into());
        self
    }

    /// How many unsupported attempts in a row end a thread.
    #[must_use]
    pub fn consecutive_failures(mut self, failures: u64) -> Self {
        self.settings.consecutive_failures = Some(failures);
        self
    }

    /// Runs with the builder's settings alone: reads neither command line nor environment, prints nothing.
    ///
    /// # Errors
    /// If the fuzzer is put together wrongly or nothing can be recorded. What happens to single threads is in the report.
    pub fn run(&self, system: &S) -> Result<Report, FuzzError> {
        let plan = execute::Plan::new(self, self.settings.clone())?;
        execute::execute(self, &plan, system)
    }

    /// A fuzzer's whole `main`: reads command line and environment, has the system made, runs, prints what came of it.
    ///
    /// `make_system` gets the values of the fuzzer's own [options](Fuzz::option); what it returns as error is printed, and
    /// the exit code is that of wrong use.
    pub fn main(self, make_system: impl FnOnce(&Options) -> Result<S, String>) -> ExitCode {
        let mut arguments = std::env::args_os();
        let program = arguments.next().unwrap_or_default();
        ExitCode::from(self.main_with(program, arguments, |name| std::env::var_os(name), make_system))
    }

    /// As [`Fuzz::main`], with the program's name, its arguments and its environment given, and the exit code returned.
    pub fn main_with(
        self,
        program: OsString,
        arguments: impl IntoIterator<Item = OsString>,
        variable: impl Fn(&str) -> Option<OsString>,
        make_system: impl FnOnce(&Options) -> Result<S, String>,
    ) -> u8 {
        command::main(&self, &program, arguments, variable, make_system)
    }

    /// The results of an action, if results are declared.
    pub(super) fn results_of(&self, action: &ActionDef) -> Option<Vec<&'static str>> {
        let is_result = |param: &&&str| self.results.iter().flatten().any(|result| *result == (action.name, **param));
        self.results.as_ref().map(|_| action.params.iter().filter(is_result).copied().collect())
    }

    /// A result that no action has.
    pub(super) fn wrong_result(&self) -> Option<(&'static str, &'static str)> {
        let mut results = self.results.iter().flatten().copied();
        let actions = || self.steps.iter().flat_map(|step| step.site.actions());
        results.find(|(name, param)| !actions().any(|action| action.name == *name && action.params.contains(param)))
    }

    pub(super) fn step_names(&self) -> Vec<&'static str> {
        self.steps.iter().map(|step| step.name).collect()
    }
}

impl<S, T> fmt::Debug for Fuzz<'_, S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps: Vec<_> = self.steps.iter().map(|step| step.name).collect();
        f.debug_struct("Fuzz")
            .field("spec", &self.spec)
            .field("steps", &steps)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// What the system is made from.
#[derive(Debug)]
pub struct Options {
    pub(super) own: super::options::OwnValues,
    pub(super) seed: u64,
    pub(super) threads: usize,
}

impl Options {
    /// The value of one of the fuzzer's own options, if it was given.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.own.get(name).map(String::as_str)
    }

    /// Whether one of the fuzzer's own options was given; see [`Fuzz::flag`].
    pub fn is_set(&self, name: &str) -> bool {
        self.own.contains_key(name)
    }

    /// The seed of the run. Streams of [`Random`](super::Random) from 2⁶³ on are free for the system's own choices.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How many threads there will be.
    pub fn threads(&self) -> usize {
        self.threads
    }
}

/// Sites live as long as the process, since lanes refer to them; a fuzzer has a handful.
fn site(actions: &[ActionDef]) -> &'static Site {
    let actions = lasting(Box::<[ActionDef]>::from(actions));
    let mut params: Vec<&'static str> = Vec::new();
    for param in actions.iter().flat_map(|action| action.params) {
        if !params.contains(param) {
            params.push(param);
        }
    }
    lasting(Box::new(Site::new(actions, lasting(params.into_boxed_slice()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_has_the_union_of_the_parameters() {
        let put = ActionDef { name: "Put", params: &["key", "value"] };
        let conflict = ActionDef { name: "Conflict", params: &["other", "key"] };
        let site = site(&[put, conflict]);
        assert_eq!(site.params(), ["key", "value", "other"]);
        assert_eq!(site.actions(), [put, conflict]);
    }
}
