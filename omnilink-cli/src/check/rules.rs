//! The options for events and steps.

use std::path::Path;

use clap::Args;
use omnilink_check::check::Options;
use omnilink_check::rules::{About, ParsedRule, Rules, configured};
use omnilink_tla::Spec;

use crate::failure::Failure;

/// Which steps are allowed, and rules for events that are not calls of actions.
#[derive(Args)]
pub struct RulesArgs {
    /// Check only the definitions of the actions, not the bounds and guards in the next-state relation
    #[arg(long)]
    actions_only: bool,
    /// A step for aborted calls or ends of threads, as an operator over the event; for both, repeat the option. In the
    /// configuration: \* omnilink: ON abort=OPERATOR
    #[arg(long, value_name = "abort|terminate=OPERATOR", value_parser = on)]
    on: Vec<ParsedRule>,
    /// An additional condition on the steps of an action, as an operator over the event; may be repeated. In the
    /// configuration: \* omnilink: ALSO ACTION=OPERATOR
    #[arg(long, value_name = "ACTION=OPERATOR", value_parser = also)]
    also: Vec<ParsedRule>,
    /// Apply CONSTRAINT and ACTION_CONSTRAINT of the configuration
    #[arg(long)]
    honour_constraints: bool,
    /// Do not check independent parts of a history, such as the calls of each key, one by one
    #[arg(long)]
    no_partition: bool,
}

impl RulesArgs {
    /// The options for the checker.
    pub fn options(&self) -> Options {
        Options { honour_constraints: self.honour_constraints, partition: !self.no_partition }
    }

    /// These options as words of a command line.
    pub fn words(&self) -> Vec<String> {
        let flags = [("--actions-only", self.actions_only), ("--honour-constraints", self.honour_constraints)];
        let flags = flags.into_iter().filter(|(_, given)| *given).map(|(flag, _)| flag.to_owned());
        flags.chain(self.given().flat_map(ParsedRule::words)).collect()
    }

    /// The rules of the configuration file, and those of the command line.
    pub fn rules(&self, spec: &Spec, config: Option<&Path>) -> Result<Rules, Failure> {
        let mut rules = configured(spec, config)?;
        rules.extend(self.given().cloned());
        Ok(Rules { actions_only: self.actions_only, ..Rules::of(spec, &rules)? })
    }

    fn given(&self) -> impl Iterator<Item = &ParsedRule> {
        self.on.iter().chain(&self.also)
    }
}

fn on(text: &str) -> Result<ParsedRule, String> {
    ParsedRule::new(About::On, text)
}

fn also(text: &str) -> Result<ParsedRule, String> {
    ParsedRule::new(About::Also, text)
}
