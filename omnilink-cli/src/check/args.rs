//! The options of verbs that check traces: `check` and `run`.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use omnilink_check::search::Limits;
use omnilink_tla::Spec;

use super::consistency::{ConsistencyArgs, Demand};
use super::engine::{Engine, EngineArgs};
use super::hash;
use super::job::Job;
use super::rules::RulesArgs;
use crate::amount;
use crate::failure::Failure;
use crate::limits::{LIMITED, LimitArgs};
use crate::specification::SpecificationArgs;

/// How to check, and what to print.
#[derive(Args)]
pub struct CheckArgs {
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    consistency: ConsistencyArgs,
    #[command(flatten)]
    engine: EngineArgs,
    /// Check the invariants of the configuration in every state of the order found
    #[arg(long)]
    invariants: bool,
    /// Give up on a trace when memory use exceeds this: 500M, 2G
    #[arg(long, value_name = "SIZE", value_parser = amount::bytes)]
    max_memory: Option<usize>,
    /// Give up on a trace after this many configurations
    #[arg(long, value_name = "N")]
    max_configs: Option<u64>,
    /// The number of inner steps (X_Step) that an action may take in a row
    #[arg(long, value_name = "N", default_value_t = Limits::default().inner_steps)]
    max_steps: u32,
    /// Find a smaller reason for a rejection: a few calls that cannot all have happened
    #[arg(long)]
    pub shrink: bool,
    /// Write the first trace that is not accepted as a counterexample file for viewers
    #[arg(long, value_name = "FILE")]
    pub counterexample: Option<PathBuf>,
    /// Show all variables of a state, in full
    #[arg(long)]
    pub full_state: bool,
}

impl CheckArgs {
    /// Loads the specification within the limits of one trace. If a limit is reached, the verdict on every trace is unknown.
    pub fn load(
        &self,
        specification: &SpecificationArgs,
        timeout: Option<Duration>,
        timeout_option: &'static str,
        interrupt: &Arc<AtomicBool>,
    ) -> Result<Spec, Failure> {
        let limits = LimitArgs { timeout, timeout_option, max_memory: self.max_memory };
        specification.load(&limits.budget(interrupt), |what, exhausted| match limits.stopped(what, exhausted) {
            Failure::Stopped { text, .. } => Failure::Stopped { text, code: LIMITED },
            other => other,
        })
    }

    /// The job that checks traces against a loaded specification.
    pub fn job<'a>(
        &self,
        specification: &'a SpecificationArgs,
        spec: &'a Spec,
        timeout: Option<Duration>,
        interrupt: &Arc<AtomicBool>,
    ) -> Result<Job<'a>, Failure> {
        let loading = specification.options();
        let consistency = self.consistency.demand()?;
        self.fits(consistency.as_ref())?;
        Ok(Job {
            path: specification.path(),
            spec,
            rules: self.rules.rules(spec, loading.config.as_deref())?,
            loading,
            options: self.rules.options(),
            engine: self.engine()?,
            consistency,
            limits: Limits {
                timeout,
                configurations: self.max_configs,
                memory: self.max_memory,
                inner_steps: self.max_steps,
                ..Limits::default()
            },
            invariants: self.invariants,
            shrink: self.shrink,
            measure: false,
            witness: None,
            recover: false,
            use_cache: false,
            spec_hash: hash::of_spec(spec),
            interrupt: Arc::clone(interrupt),
        })
    }

    /// The engine, or an error if an option needs the native engine.
    fn engine(&self) -> Result<Engine, Failure> {
        let engine = self.engine.find()?;
        let native_only = [
            ("--shrink", self.shrink),
            ("--counterexample", self.counterexample.is_some()),
            ("--max-configs", self.max_configs.is_some()),
        ];
        match native_only.iter().find(|(_, given)| *given) {
            Some((option, _)) if engine != Engine::Native => {
                Err(Failure::with_hint(format!("{option}: not supported with --engine tlc"), "leave --engine tlc out"))
            }
            _ => Ok(engine),
        }
    }

    /// Whether the other options mean something together with a criterion.
    fn fits(&self, demand: Option<&Demand>) -> Result<(), Failure> {
        let Some(demand) = demand else { return Ok(()) };
        let about_orders = !demand.is_order();
        let others = [
            ("--engine tlc", self.engine.is_tlc()),
            ("--shrink", self.shrink),
            ("--invariants", self.invariants && about_orders),
            ("--counterexample", self.counterexample.is_some() && about_orders),
            ("--honour-constraints", self.rules.options().honour_constraints && about_orders),
        ];
        match others.iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(Failure::with_hint(
                format!("{option}: defined for linearizability only, not for the criterion that is given"),
                format!("leave {option} out, or --consistency and --axioms"),
            )),
            None => Ok(()),
        }
    }

    /// The options that affect the verdict, as words of a command line.
    pub fn words(&self) -> Vec<String> {
        let mut words = self.rules.words();
        words.extend(self.consistency.words());
        if self.invariants {
            words.push("--invariants".to_owned());
        }
        if self.max_steps != Limits::default().inner_steps {
            words.extend(["--max-steps".to_owned(), self.max_steps.to_string()]);
        }
        words
    }
}
