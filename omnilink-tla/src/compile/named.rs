//! What a configuration names: the initial predicate and next-state relation, invariants, constraints, and so on.

use super::context::{END, Entity};
use super::facts::Facts;
use super::specification::Seen;
use super::{Compiler, Options};
use crate::config::{ConfigFile, Given, Named};
use crate::diagnostic::{Diagnostic, Severity};
use crate::ir::{Expr, ExprKind, Level, NamedFormula};
use crate::suggest::count;
use crate::symbol::Symbol;

/// What is run: definitions by their names, or else formulas.
pub(super) struct Behaviour<'a> {
    pub init: Vec<Seen<'a>>,
    pub init_call: Option<Named>,
    pub next: Vec<Seen<'a>>,
    pub next_call: Option<Named>,
}

impl<'a> Compiler<'a> {
    /// Reaches what the configuration and options name, which may be of instances that nothing else uses.
    pub(super) fn reach_named(&mut self, config: &ConfigFile, options: &Options) {
        let lists = [&config.invariants, &config.constraints, &config.action_constraints, &config.properties];
        let singles = [&config.init, &config.next, &config.specification, &config.view, &config.alias];
        let singles = singles.into_iter().chain([&config.postcondition, &config.symmetry]).flatten();
        let names = lists.into_iter().flatten().chain(singles).map(|named| named.name);
        for name in names.chain(options.init).chain(options.next) {
            if let Some(Entity::Definition(draft)) = self.lookup_path(name).map(|entity| self.replaced(entity)) {
                self.reach(draft);
            }
        }
    }

    /// The initial predicate and next-state relation that are asked for, or else those that are there.
    pub(super) fn behaviour(&mut self, facts: &Facts, config: &ConfigFile, options: &Options) -> Behaviour<'a> {
        let root = self.modules.module(self.modules.root).syntax.name.span;
        let given = |name: Option<Symbol>| name.map(|name| Named { name, span: root });
        let init = given(options.init).or(config.init);
        let next = given(options.next).or(config.next);
        let here = |name: &str| {
            let named = Named { name: Symbol::new(name), span: root };
            let Some(Entity::Definition(draft)) = self.lookup(self.root, END, named.name) else { return None };
            self.drafts[draft.0 as usize].params.is_empty().then_some(named)
        };
        let nothing_said = config.specification.is_none() && config.init.is_none() && config.next.is_none();
        let (init, next, specification) = match (here("Init"), here("Next"), here("Spec")) {
            _ if !nothing_said => (init, next, config.specification),
            (some_init @ Some(_), some_next @ Some(_), _) | (some_init, some_next, None) => {
                (init.or(some_init), next.or(some_next), None)
            }
            (.., specification) => (init, next, specification),
        };
        let reported = self.diagnostics.len();
        let mut parts = specification.and_then(|name| self.decompose(facts, name));
        if config.specification.is_none() && self.diagnostics.len() > reported {
            // Nobody said that it is the specification to be run: then it is none.
            parts = None;
            for diagnostic in &mut self.diagnostics[reported..] {
                diagnostic.severity = Severity::Warning;
                diagnostic.hint =
                    Some("so nothing is taken for Next: name a next-state relation in a .cfg file".to_owned());
            }
        }
        let no_next = next.is_none() && parts.as_ref().is_some_and(|parts| parts.next.is_none());
        if let Some(name) = config.specification.filter(|_| no_next) {
            let message = format!("`{}` says nothing of next states", name.name);
            let hint = "a specification is written Init /\\ [][Next]_vars";
            self.report(Diagnostic::error(message).at(name.span).hint(hint));
        }
        let parts = parts.unwrap_or_default();
        Behaviour {
            init: if init.is_some() { Vec::new() } else { parts.init },
            init_call: init.filter(|name| self.named_definition(*name).is_some()),
            next: if next.is_some() { Vec::new() } else { parts.next.into_iter().collect() },
            next_call: next.filter(|name| self.named_definition(*name).is_some()),
        }
    }

    /// Checks that what the configuration names is there, and says nothing of other states than it may.
    pub(super) fn check_named(&mut self, facts: &Facts, config: &ConfigFile) {
        let of_states = config.invariants.iter().chain(&config.constraints).chain(&config.view).chain(&config.symmetry);
        let of_steps = config.action_constraints.iter().chain(&config.alias).chain(&config.postcondition);
        let of_behaviours = config.properties.iter();
        let levels = of_states
            .map(|name| (name, Level::State))
            .chain(of_steps.map(|name| (name, Level::Action)))
            .chain(of_behaviours.map(|name| (name, Level::Temporal)));
        for (name, allowed) in levels {
            let Some(Entity::Definition(draft)) = self.named_definition(*name) else { continue };
            let level = self.drafts[draft.0 as usize].id.map_or(Level::Constant, |id| facts.get(id).level);
            if level > allowed {
                let what = if level == Level::Action { "has primes in it" } else { "is a temporal formula" };
                let message = format!("`{}` {what}, which cannot be checked here", name.name);
                self.report(Diagnostic::error(message).at(name.span));
            }
        }
    }

    /// The definition without parameters that a configuration names; an error if there is none.
    fn named_definition(&mut self, name: Named) -> Option<Entity> {
        let entity = self.lookup_path(name.name).map(|entity| self.replaced(entity));
        match entity {
            Some(Entity::Definition(draft)) => {
                let (_, arities) = self.reach(draft);
                let params =
                    self.contexts[self.drafts[draft.0 as usize].context.0 as usize].params.len() + arities.len();
                if params > 0 {
                    let message = format!("`{}` takes {}", name.name, count(params, "argument"));
                    let label = "only definitions without parameters can be named here";
                    self.report(Diagnostic::error(message).at(name.span).label(label));
                    return None;
                }
                entity
            }
            Some(Entity::Variable(_) | Entity::Constant(_) | Entity::Value(_) | Entity::Native(_)) => entity,
            Some(other) => {
                let message = format!("`{}` is {}, not a definition", name.name, other.describe());
                self.report(Diagnostic::error(message).at(name.span));
                None
            }
            None => {
                self.unknown_named(name, "definition");
                None
            }
        }
    }

    /// What a configuration names, as an expression.
    pub(super) fn named_formula(&mut self, name: Named) -> Option<NamedFormula> {
        let entity = self.lookup_path(name.name).map(|entity| self.replaced(entity))?;
        let (kind, span) = match entity {
            Entity::Definition(draft) => {
                (ExprKind::Call(self.reach(draft).0, [].into()), self.drafts[draft.0 as usize].span)
            }
            Entity::Variable(variable) => (ExprKind::Variable(variable), name.span),
            Entity::Value(value) => (ExprKind::Value(self.values[value as usize].clone()), name.span),
            Entity::Constant(_) => (ExprKind::UnassignedConstant(name.name), name.span),
            Entity::Native(native) if native.params.is_empty() => (ExprKind::Native(native, [].into()), name.span),
            _ => return None,
        };
        Some(NamedFormula { name: name.name, expr: Expr { span, kind } })
    }
}

/// What a configuration names and nothing evaluates.
pub(super) fn set_aside(config: &ConfigFile) -> Vec<(&'static str, Symbol)> {
    let properties = config.properties.iter().map(|property| ("PROPERTY", property));
    let singles = [("SYMMETRY", &config.symmetry), ("ALIAS", &config.alias), ("POSTCONDITION", &config.postcondition)];
    let singles = singles.into_iter().filter_map(|(section, named)| Some((section, named.as_ref()?)));
    properties.chain(singles).map(|(section, named)| (section, named.name)).collect()
}

/// The names that a configuration replaces by definitions.
pub(super) fn replaced(config: &ConfigFile) -> Vec<(Symbol, Symbol)> {
    let replaced = config.constants.iter().filter_map(|assignment| match assignment.to {
        Given::Replacement { module: None, by } => Some((assignment.name.name, by.name)),
        _ => None,
    });
    replaced.collect()
}
