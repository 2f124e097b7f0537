//! What users say on the command line about events and steps.

use std::path::Path;

use clap::Args;
use omnilink_check::check::Options;
use omnilink_check::rules::{About, ParsedRule, Rules, configured};
use omnilink_tla::Spec;

use crate::failure::Failure;

/// Which steps count, and what events are that are no actions.
#[derive(Args)]
pub struct RulesArgs {
    /// Only the actions' own definitions count, not the bounds and guards in the next-state relation
    #[arg(long)]
    actions_only: bool,
    /// What aborted calls or ends of threads are: an operator over the event; for both, give it twice. In the
    /// configuration: \* omnilink: ON abort=OPERATOR
    #[arg(long, value_name = "abort|terminate=OPERATOR", value_parser = on)]
    on: Vec<ParsedRule>,
    /// A further condition on an action: an operator over the event, true of its step; may be repeated. In the
    /// configuration: \* omnilink: ALSO ACTION=OPERATOR
    #[arg(long, value_name = "ACTION=OPERATOR", value_parser = also)]
    also: Vec<ParsedRule>,
    /// Let CONSTRAINT and ACTION_CONSTRAINT of the configuration count
    #[arg(long)]
    honour_constraints: bool,
}

impl RulesArgs {
    /// How to check.
    pub fn options(&self) -> Options {
        Options { honour_constraints: self.honour_constraints }
    }

    /// These options, as they are written on a command line.
    pub fn words(&self) -> Vec<String> {
        let flags = [("--actions-only", self.actions_only), ("--honour-constraints", self.honour_constraints)];
        let flags = flags.into_iter().filter(|(_, given)| *given).map(|(flag, _)| flag.to_owned());
        flags.chain(self.given().flat_map(ParsedRule::words)).collect()
    }

    /// The rules of the configuration, whose file is given, and these.
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
