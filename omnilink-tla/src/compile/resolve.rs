//! From a name to what it means at a place.

use std::rc::Rc;

use super::context::{ContextId, Entity, Order, SubstituteWith};
use super::lower::Lowerer;
use super::scope::{LocalKind, LocalName, View};
use super::{Compiler, builtin_operator::BuiltinOperator};
use crate::builtin;
use crate::diagnostic::Diagnostic;
use crate::suggest::{count, did_you_mean};
use crate::symbol::Symbol;
use crate::syntax::ast::{Expr, ExprKind, Ident, Selector};

/// What a name means.
#[derive(Clone, Debug)]
pub(super) enum Meaning<'a> {
    /// A bound name.
    Local(LocalName<'a>),
    /// Something of the module level, with what it takes before the arguments that are written.
    Entity(Entity, Vec<Prefix<'a>>),
    /// An operator that is part of the language.
    Builtin(BuiltinOperator),
    /// What was substituted for it in this instance, if that is not a name: an expression or a `LAMBDA`.
    Substituted(&'a Expr, Rc<View<'a>>),
}

/// What a definition of an instance is given for one parameter of the instance.
#[derive(Clone, Debug)]
pub(super) enum Prefix<'a> {
    /// What the definition at hand was given for it.
    Outer { index: usize, arity: usize },
    /// A bound name around the `LET` that the instance stands in.
    Captured(LocalName<'a>),
    /// `I(expr)!Op`, seen from where that is written.
    Given { expr: &'a Expr, arity: usize, view: Rc<View<'a>> },
}

impl Compiler<'_> {
    /// What a name means at a place of a context, as it is written there. Constants and variables are known everywhere.
    pub(super) fn lookup(&self, context: ContextId, order: Order, name: Symbol) -> Option<Entity> {
        let context = &self.contexts[context.0 as usize];
        let entry = context.names.get(&name).filter(|entry| {
            let declared = matches!(entry.entity, Entity::Constant(_) | Entity::Variable(_) | Entity::Substituted(_));
            declared || entry.order < order
        });
        match (entry, context.enclosing) {
            (Some(entry), _) => Some(entry.entity),
            (None, Some((outer, order))) => self.lookup(outer, order, name),
            (None, None) => None,
        }
    }

    /// All names that are known at a place of a context.
    fn known_names(&self, context: ContextId, order: Order) -> Vec<&'static str> {
        let here = &self.contexts[context.0 as usize];
        let known = here.names.iter().filter(|(_, entry)| entry.order < order).map(|(name, _)| name.as_str());
        let outer = here.enclosing.map(|(outer, order)| self.known_names(outer, order)).unwrap_or_default();
        known.chain(outer).collect()
    }
}

impl<'a> Lowerer<'_, 'a> {
    /// What a name with the instances before it means here; nothing if that is an error, which is reported.
    pub(super) fn meaning(&mut self, path: &'a [Selector], name: Ident) -> Option<Meaning<'a>> {
        if path.is_empty() {
            return self.plain_meaning(name);
        }
        let (context, mut prefix) = self.select(path)?;
        let offered = self.compiler.contexts[context.0 as usize].names.get(&name.name).copied();
        let Some(entry) = offered.filter(|entry| !entry.local && !matches!(entry.entity, Entity::Substituted(_)))
        else {
            let names = self.compiler.offered(context);
            let way = path.iter().map(|selector| format!("{}!", selector.name.name)).collect::<String>();
            let mut diagnostic = Diagnostic::error(format!("`{way}` has no `{}`", name.name))
                .at(name.span)
                .label("the instantiated module has no definition of this name");
            diagnostic.hint = did_you_mean(name.name.as_str(), names.iter().map(|(name, _)| name.as_str()));
            self.compiler.report(diagnostic);
            return None;
        };
        let entity = self.compiler.replaced(entry.entity);
        if !matches!(entity, Entity::Definition(draft) if self.compiler.takes_prefix(draft)) {
            prefix.clear();
        }
        Some(Meaning::Entity(entity, prefix))
    }

    fn plain_meaning(&mut self, name: Ident) -> Option<Meaning<'a>> {
        let symbol = name.name;
        match self.view.local(symbol) {
            Some(LocalName { kind: LocalKind::Entity(entity), .. }) => return self.entity_meaning(entity, name),
            Some(local) => return Some(Meaning::Local(local)),
            None => {}
        }
        if let Some(entity) = self.compiler.lookup(self.view.context, self.view.order, symbol) {
            return self.entity_meaning(entity, name);
        }
        if let Some(operator) = BuiltinOperator::named(symbol.as_str()) {
            return Some(Meaning::Builtin(operator));
        }
        if let Some(native) = builtin::core(symbol.as_str()) {
            return Some(Meaning::Entity(Entity::Native(native), Vec::new()));
        }
        self.unknown(name);
        None
    }

    fn entity_meaning(&mut self, entity: Entity, name: Ident) -> Option<Meaning<'a>> {
        match self.compiler.replaced(entity) {
            Entity::Substituted(id) => {
                let substitution = &self.compiler.substitutions[id.0 as usize];
                let (with, view) = (substitution.with, View::of_site(&substitution.site));
                self.substituted(with, view)
            }
            Entity::Announced { .. } => {
                self.unknown(name);
                None
            }
            entity => {
                let prefix = match entity {
                    Entity::Definition(draft) => self.own_prefix(self.compiler.drafts[draft.0 as usize].context),
                    _ => Vec::new(),
                };
                Some(Meaning::Entity(entity, prefix))
            }
        }
    }

    fn substituted(&mut self, with: SubstituteWith<'a>, view: View<'a>) -> Option<Meaning<'a>> {
        match with {
            SubstituteWith::SameName(name) => self.seen_by(view, |this| this.plain_meaning(name)),
            SubstituteWith::Expr(expr) => match &*without_parens(expr).kind {
                ExprKind::Name { path, name } => self.seen_by(view, |this| this.meaning(path, *name)),
                _ => Some(Meaning::Substituted(expr, Rc::new(view))),
            },
        }
    }

    /// Does something as seen from another place.
    pub(super) fn seen_by<T>(&mut self, view: View<'a>, then: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.view, view);
        let result = then(self);
        self.view = before;
        result
    }

    /// What a definition of a context takes for the context's parameters when it is used here, without a selector.
    fn own_prefix(&self, context: ContextId) -> Vec<Prefix<'a>> {
        let here = self.compiler.contexts[self.view.context.0 as usize].params.len();
        let params = self.compiler.contexts[context.0 as usize].params.iter().enumerate();
        let given = params.map(|(index, param)| match self.view.local(param.name) {
            Some(local) if index >= here => Prefix::Captured(local),
            _ => Prefix::Outer { index, arity: param.arity },
        });
        given.collect()
    }

    /// The context that `I!J(x)!` leads to, and what its definitions take for its parameters.
    fn select(&mut self, path: &'a [Selector]) -> Option<(ContextId, Vec<Prefix<'a>>)> {
        let mut found: Option<(ContextId, Vec<Prefix<'a>>)> = None;
        for selector in path {
            let name = selector.name;
            let entity = match &found {
                None => match self.plain_meaning(name)? {
                    Meaning::Entity(entity, _) => Some(entity),
                    _ => None,
                },
                Some((context, _)) => {
                    let names = &self.compiler.contexts[context.0 as usize].names;
                    names.get(&name.name).filter(|entry| !entry.local).map(|entry| entry.entity)
                }
            };
            let Some(Entity::Instance(id)) = entity else {
                let message = format!("`{}` is not an instance", name.name);
                let label = entity.map_or("this is a bound name", Entity::describe);
                let hint = "only what is defined by INSTANCE has names after a `!`";
                self.compiler.report(Diagnostic::error(message).at(name.span).label(label).hint(hint));
                return None;
            };
            let context = self.compiler.instance_context(id);
            let instance = &self.compiler.instances[id.0 as usize];
            let arities: Vec<usize> = instance.params.iter().map(|param| param.arity).collect();
            let before = self.compiler.contexts[context.0 as usize].params.len() - arities.len();
            let mut prefix = match found {
                Some((_, prefix)) => prefix,
                None => {
                    let mut own = self.own_prefix(context);
                    own.truncate(before);
                    own
                }
            };
            if selector.args.len() != arities.len() {
                self.wrong_arity(name, arities.len(), selector.args.len());
                return None;
            }
            let view = Rc::new(self.view.clone());
            let given = selector.args.iter().zip(arities);
            prefix.extend(given.map(|(expr, arity)| Prefix::Given { expr, arity, view: view.clone() }));
            found = Some((context, prefix));
        }
        found
    }

    fn unknown(&mut self, name: Ident) {
        let later = self.compiler.contexts[self.view.context.0 as usize].names.contains_key(&name.name);
        let is_word = name.name.as_str().starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let what = if is_word { "name" } else { "operator" };
        let mut diagnostic = Diagnostic::error(format!("unknown {what} `{}`", name.name)).at(name.span);
        if later {
            diagnostic = diagnostic
                .label("it is defined only later")
                .hint(format!("define it before it is used, or declare it: RECURSIVE {}", name.name));
        } else {
            let known = self.compiler.known_names(self.view.context, self.view.order);
            let locals = self.view.locals.iter().map(|local| local.name.as_str());
            diagnostic = diagnostic.label("no definition, constant, variable or bound name is called this");
            diagnostic.hint = other_spelling(name.name.as_str())
                .or_else(|| missing_extends(name.name.as_str()))
                .or_else(|| did_you_mean(name.name.as_str(), known.into_iter().chain(locals)));
        }
        self.compiler.report_unknown(name, diagnostic);
    }

    /// Reports that an operator was given too many or too few arguments.
    pub(super) fn wrong_arity(&mut self, name: Ident, takes: usize, given: usize) {
        let given = match given {
            0 => "none is".to_owned(),
            1 => "1 is".to_owned(),
            more => format!("{more} are"),
        };
        let message = format!("`{}` takes {}, but {given} given", name.name, count(takes, "argument"));
        self.compiler.report(Diagnostic::error(message).at(name.span));
    }
}

/// An expression without the parentheses around it.
pub(super) fn without_parens(expr: &Expr) -> &Expr {
    let mut expr = expr;
    while let ExprKind::Parens(inner) | ExprKind::Label { expr: inner, .. } = &*expr.kind {
        expr = inner;
    }
    expr
}

/// What other languages write, in TLA+.
fn other_spelling(name: &str) -> Option<String> {
    let meant = match name {
        "&&" => "/\\",
        "||" => "\\/",
        "!" => "~",
        "true" | "True" => "TRUE",
        "false" | "False" => "FALSE",
        _ => return None,
    };
    Some(format!("in TLA+ it is written `{meant}`"))
}

/// The built-in module that has an operator which is used without being extended.
fn missing_extends(name: &str) -> Option<String> {
    let module = builtin::modules().find(|module| module.operators.iter().any(|native| native.name == name))?;
    Some(format!("`{name}` is of module {0}: EXTENDS {0}", module.name))
}
