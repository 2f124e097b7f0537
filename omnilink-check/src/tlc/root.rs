//! The module that TLC is run on: what an event does to the specification's variables.

use std::collections::BTreeSet;

use omnilink_tla::Spec;
use omnilink_tla::internal::ir::{Action, ActionKind};
use omnilink_tla::spec::ActionId;

use super::definitions::{Definitions, expression};
use super::disjuncts::{Disjuncts, IT};
use super::export::{INVARIANT, MODULE};
use crate::error::CheckError;
use crate::history::{Act, Choice};
use crate::prepare::Prepared;

/// What it is made of.
pub(super) struct Root<'a> {
    pub spec: &'a Spec,
    pub prepared: &'a Prepared,
    pub honour_constraints: bool,
}

impl Root<'_> {
    /// Its text, and the modules that it needs, by name.
    ///
    /// # Errors
    /// If a disjunct cannot be written as a formula of one event.
    pub fn module(&self, definitions: &Definitions) -> Result<(String, Vec<(String, String)>), CheckError> {
        let (happening, inner) = self.actions();
        let mut disjuncts = Disjuncts::new(self.spec, definitions);
        let action = |id: &ActionId| &self.spec.actions().actions[id.0];
        if self.tells() {
            inner.iter().try_for_each(|id| disjuncts.write_telling(&self.inner_operator(*id), action(id)))?;
            happening.iter().try_for_each(|id| disjuncts.write(&self.operator(*id), action(id)))?;
        } else {
            happening.union(&inner).try_for_each(|id| disjuncts.write(&self.operator(*id), action(id)))?;
        }
        let says = "An event as one of its choices: a step of the specification.";
        let happens = definition(says, "OmniLinkHappens", &self.dispatch("action", &happening, Self::operator));
        let (disjuncts, modules) =
            disjuncts.finish(if self.tells() { "OmniLinkRecorded, OmniLinkPassed" } else { "OmniLinkRecorded" });
        let mut parts = vec![self.header(), disjuncts, happens];
        let also = self.conditions();
        if !also.is_empty() {
            parts.push(definition("The condition attached to it.", "OmniLinkAlso", &cases(also.iter().cloned())));
        }
        if !inner.is_empty() {
            let steps = self.dispatch("step", &inner, Self::inner_operator);
            parts.push(definition("An inner step of it.", "OmniLinkInner", &steps));
        }
        let nothing_told = if self.tells() { "    /\\ OmniLinkNothingTold\n" } else { "" };
        parts.push(format!("\nOmniLinkStart ==\n{}    /\\ OmniLinkBegin\n{nothing_told}", self.init()?));
        parts.push(self.next(!also.is_empty(), !inner.is_empty()));
        parts.push(self.view());
        Ok((parts.concat(), modules))
    }

    fn header(&self) -> String {
        let module = self.spec.program().module;
        let walk = if self.tells() { "OmniLinkTold" } else { "OmniLinkPositions" };
        format!(
            "---- MODULE {MODULE} ----\n\
             \\* Is there an order of the events in OmniLinkHistory that {module} allows? To ask TLC, run\n\
             \\*     java -cp tla2tools.jar tlc2.TLC -deadlock -config {MODULE}.cfg {MODULE}.tla\n\
             \\* There is one if {INVARIANT} is violated: omnilink_last tells it, state by state.\n\
             EXTENDS {module}, {walk}\n"
        )
    }

    fn next(&self, has_conditions: bool, has_steps: bool) -> String {
        let constraints = self.constraints();
        let mut happens = vec!["OmniLinkHappens(omnilink_choice)".to_owned()];
        happens.extend(has_conditions.then(|| "OmniLinkAlso(omnilink_choice)".to_owned()));
        happens.extend(constraints.iter().cloned());
        happens.push("OmniLinkAdvance(omnilink_lane, \"happened\", omnilink_nth)".to_owned());
        let forgets = self.tells().then(|| "OmniLinkForgets(omnilink_lane)".to_owned());
        happens.extend(forgets.clone());
        let mut disjuncts = vec![happens];
        if has_steps {
            let mut steps = vec!["\"step\" \\in DOMAIN omnilink_choice".to_owned()];
            steps.push("OmniLinkInner(omnilink_choice)".to_owned());
            steps.extend(constraints);
            steps.push("OmniLinkStay(omnilink_lane, omnilink_nth)".to_owned());
            steps.extend(self.tells().then(|| "OmniLinkTells(omnilink_lane)".to_owned()));
            disjuncts.push(steps);
        }
        let disjuncts: Vec<_> =
            disjuncts.iter().map(|parts| format!("\\/ /\\ {}", parts.join("\n               /\\ "))).collect();
        let mut nothing = vec![
            "OmniLinkEvent(omnilink_lane).optional".to_owned(),
            "OmniLinkAdvance(omnilink_lane, \"nothing\", 0)".to_owned(),
            format!("UNCHANGED {}", self.variables()),
        ];
        nothing.extend(forgets);
        let mut choice = "OmniLinkEvent(omnilink_lane).choices[omnilink_nth]".to_owned();
        if self.tells() {
            choice = format!("OmniLinkKnown(omnilink_lane, {choice})");
        }
        format!(
            "
\\* The next event of a lane happens, takes an inner step, or took no effect.
OmniLinkWalk == \\E omnilink_lane \\in OmniLinkViable :
    \\/ \\E omnilink_nth \\in OmniLinkChoices(omnilink_lane) :
        LET omnilink_choice == {choice} IN
            {}
    \\/ /\\ {}
",
            disjuncts.join("\n            "),
            nothing.join("\n       /\\ ")
        )
    }

    fn view(&self) -> String {
        let variables = self.variables();
        let told = if self.tells() { ", omnilink_told" } else { "" };
        format!(
            "\n\\* How a state was reached does not tell it from others.\n\
             OmniLinkView == <<{variables}, omnilink_at, omnilink_begun{told}>>\n====\n"
        )
    }

    fn variables(&self) -> String {
        let names: Vec<_> = self.spec.program().variables.iter().map(|variable| variable.name.as_str()).collect();
        format!("<<{}>>", names.join(", "))
    }

    fn choices(&self) -> impl Iterator<Item = &Choice> {
        let history = &self.prepared.history;
        history.timeline.events().flat_map(|(_, event)| history.choices(event))
    }

    /// The actions that events are, and those that are their inner steps.
    fn actions(&self) -> (BTreeSet<ActionId>, BTreeSet<ActionId>) {
        let (mut happening, mut inner) = (BTreeSet::new(), BTreeSet::new());
        for choice in self.choices() {
            match choice.act {
                Act::Whole(action) => happening.insert(action),
                Act::Steps { step, done } => inner.insert(step) | happening.insert(done),
            };
        }
        (happening, inner)
    }

    /// The operator of an action. Where names alone would be alike, as of `I!Op` and `I_Op`, the number tells them
    /// apart.
    fn operator(&self, action: ActionId) -> String {
        let name = self.spec.actions().actions[action.0].name.as_str();
        format!("OmniLinkAction{}_{}", action.0 + 1, name.replace('!', "_"))
    }

    /// The operator of an inner step.
    fn inner_operator(&self, action: ActionId) -> String {
        let operator = self.operator(action);
        if self.tells() { operator.replacen("OmniLinkAction", "OmniLinkStep", 1) } else { operator }
    }

    /// Whether inner steps determine arguments that were not recorded.
    pub fn tells(&self) -> bool {
        self.choices().any(|choice| choice.is_open)
    }

    /// Which operator a field of a choice stands for.
    fn dispatch(&self, field: &str, actions: &BTreeSet<ActionId>, operator: fn(&Self, ActionId) -> String) -> String {
        cases(actions.iter().map(|&action| {
            let name = self.spec.actions().actions[action.0].name;
            (format!("{IT}.{field} = \"{name}\""), format!("{}({IT})", operator(self, action)))
        }))
    }

    /// The conditions that users attached to events; none if there are none.
    fn conditions(&self) -> Vec<(String, String)> {
        let attached = self.choices().filter_map(|choice| Some(self.prepared.conditions.get(choice.condition?).0));
        let operators: BTreeSet<_> = attached.collect();
        if operators.is_empty() {
            return Vec::new();
        }
        let none = (format!("\"also\" \\notin DOMAIN {IT}"), "TRUE".to_owned());
        let some = operators.into_iter().map(|operator| {
            (format!("\"also\" \\in DOMAIN {IT} /\\ {IT}.also = \"{operator}\""), format!("{operator}({IT}.event)"))
        });
        std::iter::once(none).chain(some).collect()
    }

    /// The constraints that a step has to satisfy.
    fn constraints(&self) -> Vec<String> {
        if !self.honour_constraints {
            return Vec::new();
        }
        let program = self.spec.program();
        let of_states = program.constraints.iter().map(|formula| format!("{}'", formula.name));
        let of_steps = program.action_constraints.iter().map(|formula| formula.name.to_string());
        of_states.chain(of_steps).collect()
    }

    /// The initial predicate as conjuncts.
    fn init(&self) -> Result<String, CheckError> {
        let Some(init) = &self.spec.program().init else {
            return Err(CheckError::Tlc("the specification has no initial predicate".to_owned()));
        };
        let parts = match &init.kind {
            // `SPECIFICATION Spec` may have several.
            ActionKind::And(parts) => parts.iter().collect(),
            _ => vec![init],
        };
        parts.into_iter().map(|part| self.init_part(part)).collect()
    }

    fn init_part(&self, part: &Action) -> Result<String, CheckError> {
        let formula = match &part.kind {
            ActionKind::Call(id, args) if args.is_empty() => self.spec.program().definition(*id).name.to_string(),
            _ => expression(self.spec.sources(), part.span)?.to_string().replace('\n', "\n       "),
        };
        Ok(format!("    /\\ {formula}\n"))
    }
}

/// An operator of a choice.
fn definition(says: &str, name: &str, body: &str) -> String {
    format!("\n\\* {says}\n{name}({IT}) ==\n    {body}\n")
}

/// A `CASE` with these conditions and what is so under them; FALSE if there are none.
fn cases(arms: impl Iterator<Item = (String, String)>) -> String {
    let arms: Vec<_> = arms.map(|(condition, formula)| format!("{condition} -> {formula}")).collect();
    if arms.is_empty() { "FALSE".to_owned() } else { format!("CASE {}", arms.join("\n      [] ")) }
}
