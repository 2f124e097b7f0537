//! What a configuration and the command line give for constants, and what they replace.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Compiler;
use super::context::{ContextId, DraftBody, END, Entity, Entry, Origin, Param};
use super::resolve::without_parens;
use crate::builtin;
use crate::config::{Assignment, Given, Named};
use crate::diagnostic::Diagnostic;
use crate::ir::{Constant, ConstantValue};
use crate::source::Sources;
use crate::suggest::{count, did_you_mean};
use crate::symbol::Symbol;
use crate::syntax::ast::{self, Ident};
use crate::syntax::parse_expression;
use crate::value::Value;

/// What the command line gives for a constant.
#[derive(Clone, Debug)]
pub struct GivenConstant {
    name: Symbol,
    expr: ast::Expr,
}

/// Reads what the command line gives for a constant: `Keys = {1, 2, 3}`. The right side is any constant expression;
/// names in it that mean nothing in the specification are model values, as in a configuration.
pub fn constant(sources: &mut Sources, text: &str) -> Result<GivenConstant, Diagnostic> {
    let malformed = || {
        Diagnostic::error(format!("`{text}` gives no constant a value"))
            .hint("write it like this: --const 'Keys = {1, 2, 3}'")
    };
    let (name, value) = text.split_once("<-").or_else(|| text.split_once('=')).ok_or_else(malformed)?;
    let name = name.trim();
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return Err(malformed());
    }
    let file = sources.add(format!("--const {name}"), value.trim());
    Ok(GivenConstant { name: Symbol::new(name), expr: parse_expression(sources, file)? })
}

impl<'a> Compiler<'a> {
    /// Gives constants what they are given. Tables of operator constants come in several entries.
    pub(super) fn give_constants(&mut self, assignments: &'a [Assignment], given: &'a [GivenConstant]) {
        let mut tables: BTreeMap<Symbol, Vec<(Vec<Value>, Value)>> = BTreeMap::new();
        for Assignment { name, to } in assignments {
            let Some(target) = self.assigned(*name, to) else { continue };
            let by = match to {
                Given::Value(value) => self.value(value.clone()),
                Given::Model => self.value(Value::Model(name.name)),
                Given::Replacement { by, .. } => match self.lookup_path(by.name) {
                    Some(entity) => entity,
                    None => {
                        self.unknown_named(*by, "definition");
                        continue;
                    }
                },
                Given::OfModule { .. } => continue,
                Given::Entry { arguments, result } => {
                    let table = tables.entry(name.name).or_default();
                    table.push((arguments.clone(), result.clone()));
                    self.table(*name, table.clone())
                }
            };
            self.replace(name, target, by);
        }
        for GivenConstant { name, expr } in given {
            let ident = Ident { name: *name, span: expr.span };
            let named = Named { name: *name, span: expr.span };
            let Some(target) = self.lookup(self.root, END, *name) else {
                self.unknown_constant(*name, ident.span);
                continue;
            };
            let by = match &*without_parens(expr).kind {
                ast::ExprKind::Name { path, name: by }
                    if path.is_empty() && builtin::core(by.name.as_str()).is_none() =>
                {
                    let found = self.lookup(self.root, END, by.name).filter(|found| !found.is(target));
                    found.unwrap_or_else(|| self.value(Value::Model(by.name)))
                }
                _ => Entity::Definition(self.draft(self.root, ident, END, Vec::new(), DraftBody::Given(expr))),
            };
            self.replace(&named, target, by);
        }
    }

    fn value(&mut self, value: Value) -> Entity {
        self.values.push(value);
        Entity::Value(self.values.len() as u32 - 1)
    }

    fn table(&mut self, name: Named, entries: Vec<(Vec<Value>, Value)>) -> Entity {
        let arity = entries.first().map_or(0, |(arguments, _)| arguments.len());
        let params = (1..=arity).map(|at| Param { name: Symbol::new(&format!("argument {at}")), arity: 0 }).collect();
        let ident = Ident { name: name.name, span: name.span };
        Entity::Definition(self.draft(self.root, ident, END, params, DraftBody::Table(Rc::from(entries))))
    }

    /// What an assignment is for, if there is such a thing; if there is none, that is worth a warning.
    fn assigned(&mut self, name: Named, to: &Given) -> Option<Entity> {
        let module = match to {
            Given::Replacement { module: Some(module), .. } | Given::OfModule { module, .. } => Some(module),
            _ => None,
        };
        if let Some(module) = module {
            let is_named = |id| self.modules.module(id).syntax.name.name == module.name;
            if !self.modules.ids().any(is_named) {
                let warning =
                    Diagnostic::warning(format!("the specification uses no module `{}` of its own", module.name));
                self.report(warning.at(module.span).label("this replacement has no effect"));
            }
            let by = match to {
                Given::Replacement { by, .. } => self.lookup_path(by.name).ok_or(*by),
                Given::OfModule { value, .. } => Ok(self.value(value.clone())),
                _ => return None,
            };
            match by {
                Ok(entity) => {
                    self.module_replacements.entry(module.name).or_default().push((name.name, entity));
                    (0..self.contexts.len() as u32).for_each(|id| self.replace_in_module(ContextId(id)));
                }
                Err(by) => self.unknown_named(by, "definition"),
            }
            return None;
        }
        let target = self.lookup_path(name.name);
        if target.is_none() {
            self.unknown_constant(name.name, name.span);
        }
        target
    }

    fn unknown_constant(&mut self, name: Symbol, span: crate::source::Span) {
        let constants: Vec<_> = self.constants.iter().map(|constant| constant.name.as_str()).collect();
        let mut warning = Diagnostic::warning(format!("the specification has no constant or definition `{name}`"))
            .at(span)
            .label("this assignment has no effect");
        warning.hint = did_you_mean(name.as_str(), constants);
        self.report(warning);
    }

    fn replace(&mut self, name: &Named, target: Entity, by: Entity) {
        let (takes, given) = (self.arity(target), self.arity(by));
        if takes != given {
            let (takes, given) = (count(takes, "argument"), count(given, "argument"));
            let message = format!("`{}` takes {takes}, but what is given for it takes {given}", name.name);
            return self.report(Diagnostic::error(message).at(name.span));
        }
        if let Entity::Constant(constant) = target {
            self.constants[constant as usize].given = Some(by);
        }
        if let Some(key) = target.replaceable() {
            self.replacements.insert(key, by);
        }
    }

    fn arity(&self, entity: Entity) -> usize {
        match entity {
            Entity::Constant(constant) => self.constants[constant as usize].arity,
            Entity::Definition(draft) => self.drafts[draft.0 as usize].params.len(),
            Entity::Native(native) => native.params.len(),
            Entity::Announced { arity } => arity,
            Entity::Variable(_) | Entity::Value(_) | Entity::Instance(_) | Entity::Substituted(_) => 0,
        }
    }

    /// Applies replacements that are meant for one module to a context of it.
    pub(super) fn replace_in_module(&mut self, context: ContextId) {
        let here = &self.contexts[context.0 as usize];
        let module = self.modules.module(here.module).syntax.name.name;
        let Some(replacements) = self.module_replacements.get(&module) else { return };
        let found =
            replacements.iter().filter_map(|(name, by)| Some((here.names.get(name)?.entity.replaceable()?, *by)));
        self.replacements.extend(found);
    }

    /// What is meant after replacements.
    pub(super) fn replaced(&self, entity: Entity) -> Entity {
        entity.replaceable().and_then(|key| self.replacements.get(&key)).copied().unwrap_or(entity)
    }

    /// What `Op` or `Inst!Op` means in the root module.
    pub(super) fn lookup_path(&mut self, name: Symbol) -> Option<Entity> {
        let mut steps = name.as_str().split('!');
        let mut entity = self.lookup(self.root, END, Symbol::new(steps.next()?))?;
        for step in steps {
            let Entity::Instance(id) = entity else { return None };
            let context = self.instance_context(id);
            let entry = self.contexts[context.0 as usize].names.get(&Symbol::new(step))?;
            entity = (!entry.local).then_some(entry.entity)?;
        }
        Some(entity)
    }

    /// Reports that the configuration names something that is not there.
    pub(super) fn unknown_named(&mut self, name: Named, what: &str) {
        // What is built in is seldom meant: `Nat` is as much like `Nxt` as `Next` is.
        let names = &self.contexts[self.root.0 as usize].names;
        let [written, all] = [true, false].map(|only_written| {
            let is_meant = |entry: &Entry| !only_written || matches!(entry.origin, Origin::Written(_));
            names.iter().filter(|(_, entry)| is_meant(entry)).map(|(name, _)| name.as_str()).collect::<Vec<_>>()
        });
        let mut diagnostic =
            Diagnostic::error(format!("the specification has no {what} `{}`", name.name)).at(name.span);
        let name = name.name.as_str();
        diagnostic.hint = did_you_mean(name, written).or_else(|| did_you_mean(name, all));
        self.report(diagnostic);
    }

    /// The constants as users see them.
    pub(super) fn finished_constants(&mut self) -> Vec<Constant> {
        let drafts: Vec<_> =
            self.constants.iter().map(|draft| (draft.name, draft.span, draft.arity, draft.given)).collect();
        let finished = drafts.into_iter().map(|(name, span, arity, given)| {
            let given = match given {
                Some(Entity::Value(value)) => ConstantValue::Value(self.values[value as usize].clone()),
                Some(Entity::Definition(draft)) => ConstantValue::Definition(self.reach(draft).0),
                Some(Entity::Native(native)) => ConstantValue::Native(native),
                _ => ConstantValue::Unassigned,
            };
            Constant { name, span, arity, given }
        });
        finished.collect()
    }
}
