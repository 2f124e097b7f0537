//! A test with its options, and the loop over its runs.

use std::panic::Location;
use std::path::{Path, PathBuf};
use std::time::Duration;

use omnilink_check::model::{FromTla, Words};

use crate::calls::Calls;
use crate::conformance::{Specification, check_calls, check_trace};
use crate::failure::Failure;
use crate::recording::Recorder;

/// A test: what is checked against what, and how. [`spec`](crate::spec) and [`model`](crate::model) make one.
#[derive(Debug, Clone)]
#[must_use = "a test does nothing before `check`"]
pub struct Test<S> {
    subject: S,
    runs: u64,
    seed: Option<u64>,
    timeout: Duration,
    traces: Option<PathBuf>,
}

/// The specification of a test.
#[derive(Debug, Clone)]
pub struct OfSpec {
    path: PathBuf,
    options: omnilink_tla::Options,
}

/// The model of a test.
#[derive(Debug, Clone)]
pub struct OfModel<M> {
    model: M,
}

/// One run of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    number: u64,
    seed: u64,
}

impl Run {
    /// Its number, from 1.
    pub fn number(self) -> u64 {
        self.number
    }

    /// A number for random choices: that of the first run is the seed of the test, and every run has the next one.
    pub fn seed(self) -> u64 {
        self.seed
    }
}

/// How long a check may take, unless the test says otherwise.
const TIMEOUT: Duration = Duration::from_secs(120);

impl<S> Test<S> {
    fn new(subject: S) -> Self {
        Self { subject, runs: 1, seed: None, timeout: TIMEOUT, traces: None }
    }

    /// Runs the closure so many times, each time recorded and checked by itself, until a run fails.
    pub fn runs(mut self, runs: u64) -> Self {
        self.runs = runs;
        self
    }

    /// The seed of the first run. Without it: the value of `OMNILINK_SEED`, or 0.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// How long the check of a run may take: 2 minutes unless this is called. After that the verdict is unknown, and the test fails.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The directory for traces, relative to the package: that of temporary files unless this is called. Traces of failed runs stay there.
    pub fn traces(mut self, directory: impl Into<PathBuf>) -> Self {
        self.traces = Some(of_package(&directory.into()));
        self
    }

    fn each_run(&self, mut check: impl FnMut(Run) -> Result<(), Failure>) -> Result<(), Failure> {
        if self.runs == 0 {
            return Err(Failure::new("a test with 0 runs checks nothing"));
        }
        let first = self.first_seed()?;
        for at in 0..self.runs {
            let run = Run { number: at + 1, seed: first.wrapping_add(at) };
            check(run).map_err(|failure| match self.runs {
                1 => failure,
                runs => failure.in_run(&format!("run {} of {runs} (seed {})", run.number, run.seed)),
            })?;
        }
        Ok(())
    }

    fn first_seed(&self) -> Result<u64, Failure> {
        let given = || std::env::var("OMNILINK_SEED").ok().filter(|seed| !seed.is_empty());
        match (self.seed, given()) {
            (Some(seed), _) => Ok(seed),
            (None, Some(text)) => text
                .parse()
                .map_err(|_| Failure::new(format!("OMNILINK_SEED={text:?} is not an integer from 0 to 2^64-1"))),
            (None, None) => Ok(0),
        }
    }
}

impl Test<OfSpec> {
    pub(crate) fn of_spec(path: PathBuf) -> Self {
        let path = of_package(&path);
        let options =
            omnilink_tla::Options { config: omnilink_tla::Options::config_beside(&path), ..Default::default() };
        Self::new(OfSpec { path, options })
    }

    /// The configuration, instead of the `.cfg` file of the same name beside the specification.
    pub fn config(mut self, path: impl Into<PathBuf>) -> Self {
        self.subject.options.config = Some(of_package(&path.into()));
        self
    }

    /// The value of a constant: `Keys = {1, 2}`, or `Op <- Definition`.
    pub fn constant(mut self, assignment: impl Into<String>) -> Self {
        self.subject.options.constants.push(assignment.into());
        self
    }

    /// Records and checks the runs.
    ///
    /// # Panics
    /// If a run fails: see [`check`](crate::check).
    #[track_caller]
    pub fn check(self, body: impl FnMut(Run)) {
        if let Err(failure) = self.try_check(body) {
            panic!("{failure}");
        }
    }

    /// Records and checks the runs, for tests that expect a failure.
    ///
    /// # Errors
    /// If a run fails. A panic of the closure goes on.
    #[track_caller]
    pub fn try_check(self, mut body: impl FnMut(Run)) -> Result<(), Failure> {
        let place = Location::caller();
        let spec = self.load()?;
        self.each_run(|run| self.check_run(&spec, run, place, || body(run)))
    }

    #[track_caller]
    pub(crate) fn check_once(self, body: impl FnOnce()) {
        let place = Location::caller();
        let mut body = Some(body);
        let checked = self.load().and_then(|spec| {
            self.each_run(|run| self.check_run(&spec, run, place, || body.take().into_iter().for_each(|body| body())))
        });
        if let Err(failure) = checked {
            panic!("{failure}");
        }
    }

    fn load(&self) -> Result<Specification<'_>, Failure> {
        let OfSpec { path, options } = &self.subject;
        Specification::load(path, options, self.timeout).map_err(Failure::new)
    }

    fn check_run(
        &self,
        spec: &Specification,
        run: Run,
        place: &Location<'_>,
        body: impl FnOnce(),
    ) -> Result<(), Failure> {
        let recorder = Recorder { traces: self.traces.as_deref(), seed: run.seed, place };
        let recording = recorder.record(body).map_err(Failure::new)?;
        spec.check(recording.path())
            .map_err(|text| Failure::new(text).with_trace(recording.keep(), Some(&self.subject.path)))
    }
}

impl<M: Words> Test<OfModel<M>> {
    pub(crate) fn of_model(model: M) -> Self {
        Self::new(OfModel { model })
    }

    /// Records the runs, and checks the calls of instrumented functions.
    ///
    /// # Panics
    /// If a run fails: see [`check`](crate::check).
    #[track_caller]
    pub fn check(self, body: impl FnMut(Run))
    where
        M::Input: FromTla + PartialEq,
        M::Output: FromTla,
    {
        if let Err(failure) = self.try_check(body) {
            panic!("{failure}");
        }
    }

    /// Records the runs, and checks the calls of instrumented functions, for tests that expect a failure.
    ///
    /// # Errors
    /// If a run fails. A panic of the closure goes on.
    #[track_caller]
    pub fn try_check(self, mut body: impl FnMut(Run)) -> Result<(), Failure>
    where
        M::Input: FromTla + PartialEq,
        M::Output: FromTla,
    {
        let place = Location::caller();
        self.each_run(|run| {
            let recorder = Recorder { traces: self.traces.as_deref(), seed: run.seed, place };
            let recording = recorder.record(|| body(run)).map_err(Failure::new)?;
            check_trace(&self.subject.model, recording.path(), self.timeout)
                .map_err(|text| Failure::new(text).with_trace(recording.keep(), None))
        })
    }

    #[track_caller]
    pub(crate) fn check_once(self, body: impl FnOnce())
    where
        M::Input: FromTla + PartialEq,
        M::Output: FromTla,
    {
        let mut body = Some(body);
        self.check(|_| body.take().into_iter().for_each(|body| body()));
    }

    /// Checks the calls that the runs make through [`Calls`].
    ///
    /// # Panics
    /// If a run fails: see [`check`](crate::check).
    #[track_caller]
    pub fn check_calls(self, body: impl FnMut(&Calls<M::Input, M::Output>, Run))
    where
        M::Input: Send + 'static,
        M::Output: Clone + Send + 'static,
    {
        if let Err(failure) = self.try_check_calls(body) {
            panic!("{failure}");
        }
    }

    /// Checks the calls that the runs make through [`Calls`], for tests that expect a failure.
    ///
    /// # Errors
    /// If a run fails. A panic of the closure goes on.
    pub fn try_check_calls(self, mut body: impl FnMut(&Calls<M::Input, M::Output>, Run)) -> Result<(), Failure>
    where
        M::Input: Send + 'static,
        M::Output: Clone + Send + 'static,
    {
        self.each_run(|run| {
            let calls = Calls::new();
            body(&calls, run);
            check_calls(&self.subject.model, &calls.history(), self.timeout).map_err(Failure::new)
        })
    }

    #[track_caller]
    pub(crate) fn check_calls_once(self, body: impl FnOnce(&Calls<M::Input, M::Output>))
    where
        M::Input: Send + 'static,
        M::Output: Clone + Send + 'static,
    {
        let mut body = Some(body);
        self.check_calls(|calls, _| body.take().into_iter().for_each(|body| body(calls)));
    }
}

/// A path relative to the package whose tests run.
fn of_package(path: &Path) -> PathBuf {
    match std::env::var_os("CARGO_MANIFEST_DIR") {
        Some(package) => Path::new(&package).join(path),
        None => path.to_owned(),
    }
}
