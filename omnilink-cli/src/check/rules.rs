//! What users say on the command line about events and steps.

use clap::Args;
use omnilink_check::check::Options;
use omnilink_check::rules::Rules;
use omnilink_tla::Spec;
use omnilink_tla::suggest::did_you_mean;

use crate::failure::Failure;

/// Which steps count, and what events are that are no actions.
#[derive(Args)]
pub struct RulesArgs {
    /// Only the actions' own definitions count, not the bounds and guards in the next-state relation
    #[arg(long)]
    actions_only: bool,
    /// What aborted calls or ends of threads are: an operator over the event; may be repeated
    #[arg(long, value_name = "abort|terminate=OPERATOR", value_parser = rule)]
    on: Vec<(String, String)>,
    /// A further condition on an action: an operator over the event, true of its step; may be repeated
    #[arg(long, value_name = "ACTION=OPERATOR", value_parser = rule)]
    also: Vec<(String, String)>,
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
        let rules = |option: &'static str, rules: &[(String, String)]| {
            let written = rules.iter().flat_map(|(name, operator)| [option.to_owned(), format!("{name}={operator}")]);
            written.collect::<Vec<_>>()
        };
        flags.chain(rules("--on", &self.on)).chain(rules("--also", &self.also)).collect()
    }

    /// The rules, of operators and actions that the specification has.
    pub fn rules(&self, spec: &Spec) -> Result<Rules, Failure> {
        let mut rules = Rules { actions_only: self.actions_only, ..Rules::default() };
        for (what, operator) in &self.on {
            let rule = match what.as_str() {
                "abort" => &mut rules.on_abort,
                "terminate" => &mut rules.on_terminate,
                _ => {
                    let text = format!("--on {what}: there is no such rule");
                    return Err(Failure::with_hint(text, "write --on abort=OPERATOR or --on terminate=OPERATOR"));
                }
            };
            *rule = Some(known_operator(spec, "--on", operator)?);
        }
        for (action, operator) in &self.also {
            let actions = spec.actions().actions.iter().map(|action| action.name.as_str());
            let names = || actions.clone().flat_map(|name| [name, name.strip_suffix("_Done").unwrap_or(name)]);
            if !names().any(|name| name == action) {
                return Err(unknown("--also", "action", action, names()));
            }
            rules.also.insert(action.clone(), known_operator(spec, "--also", operator)?);
        }
        Ok(rules)
    }
}

/// The name of an operator of one parameter, the event.
fn known_operator(spec: &Spec, option: &str, name: &str) -> Result<String, Failure> {
    let suitable = spec.program().definitions.iter().filter(|definition| definition.params.len() == 1);
    let names = || suitable.clone().map(|definition| definition.name.as_str());
    if names().any(|known| known == name) {
        return Ok(name.to_owned());
    }
    Err(unknown(option, "operator of one parameter, the event,", name, names()))
}

fn unknown<'a>(option: &str, kind: &str, name: &str, known: impl Iterator<Item = &'a str>) -> Failure {
    let text = format!("{option}: the specification has no {kind} `{name}`");
    match did_you_mean(name, known) {
        Some(hint) => Failure::with_hint(text, hint),
        None => Failure::new(text),
    }
}

/// Reads `abort=Rollback`.
fn rule(text: &str) -> Result<(String, String), String> {
    let names = text.split_once('=').map(|(left, right)| (left.trim().to_owned(), right.trim().to_owned()));
    names
        .filter(|(left, right)| !left.is_empty() && !right.is_empty())
        .ok_or_else(|| format!("`{text}` has not the form NAME=OPERATOR"))
}
