//! `LET` and `LAMBDA`.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Lowerer, MISTAKE};
use crate::compile::context::{Entity, InstanceId, Param};
use crate::compile::scope::{LocalKind, LocalName};
use crate::diagnostic::Diagnostic;
use crate::ir::{Action, ActionKind, Expr, ExprKind, Lambda, LetDef, LetGroup};
use crate::symbol::Symbol;
use crate::syntax::ast::{self, Body, Definition, Ident, Instance, OpDecl, Unit};

/// A definition of a `LET` that was read, with how many names are known to it.
struct Drafted<'a> {
    definition: &'a Definition,
    visible: usize,
    body: Expr,
}

impl<'a> Lowerer<'_, 'a> {
    /// `LET … IN body` as a value.
    pub(super) fn let_expr(&mut self, units: &'a [Unit], body: &'a ast::Expr) -> ExprKind {
        self.let_with(units, |this| this.expr(body))
    }

    /// An expression inside of several `LET`s.
    pub(in crate::compile) fn within_lets(&mut self, lets: &[&'a [Unit]], body: &'a ast::Expr) -> Expr {
        match lets {
            [] => self.expr(body),
            [units, rest @ ..] => {
                let kind = self.let_with(units, |this| this.within_lets(rest, body));
                Expr { span: body.span, kind }
            }
        }
    }

    fn let_with(&mut self, units: &'a [Unit], body: impl FnOnce(&mut Self) -> Expr) -> ExprKind {
        let before = self.view.locals.len();
        let drafted = self.enter_let(units);
        let body = body(self);
        let kind = match drafted {
            Some(drafted) => {
                self.leave_let();
                let definition = |draft: Drafted<'a>| let_def(draft.definition, draft.body, None, true);
                let definitions = drafted.into_iter().map(definition).collect();
                ExprKind::Let(Arc::new(LetGroup { definitions }), Box::new(body))
            }
            None => body.kind,
        };
        self.view.locals.truncate(before);
        kind
    }

    /// `LET … IN body` as an action. Definitions have an action form if they are met where it is needed.
    pub(in crate::compile) fn let_action(&mut self, units: &'a [Unit], body: &'a ast::Expr) -> ActionKind {
        self.let_action_with(units, |this| this.action(body))
    }

    /// An action inside of several `LET`s.
    pub(in crate::compile) fn action_within_lets(&mut self, lets: &[&'a [Unit]], body: &'a ast::Expr) -> Action {
        match lets {
            [] => self.action(body),
            [units, rest @ ..] => {
                let kind = self.let_action_with(units, |this| this.action_within_lets(rest, body));
                Action { span: body.span, kind }
            }
        }
    }

    fn let_action_with(&mut self, units: &'a [Unit], body: impl FnOnce(&mut Self) -> Action) -> ActionKind {
        let before = self.view.locals.len();
        let Some(drafted) = self.enter_let(units) else {
            let body = body(self);
            self.view.locals.truncate(before);
            return body.kind;
        };
        let body = body(self);
        let frame = self.frames.len() as u32 - 1;
        let mut actions: Vec<Option<Action>> = drafted.iter().map(|_| None).collect();
        let mut done = BTreeSet::new();
        let wanted = |this: &Self, done: &BTreeSet<u32>| {
            let here = this.run_locals.iter().filter(|(at, index)| *at == frame && !done.contains(index));
            here.map(|(_, index)| *index).max()
        };
        while let Some(index) = wanted(self, &done) {
            done.insert(index);
            let Some(draft) = drafted.get(index as usize) else { continue };
            let Body::Operator(formula) = &draft.definition.body else { continue };
            let hidden = self.view.locals.split_off(draft.visible);
            let params = &draft.definition.params;
            let action = if params.is_empty() {
                self.action(formula)
            } else {
                self.below_params(params, |this| this.action(formula))
            };
            self.view.locals.truncate(draft.visible);
            self.view.locals.extend(hidden);
            actions[index as usize] = Some(action);
        }
        self.run_locals.retain(|(at, _)| *at != frame);
        let definitions = drafted.into_iter().zip(actions).map(|(draft, action)| {
            let keep = !self.is_found_later(&draft.body, usize::from(!draft.definition.params.is_empty()));
            let_def(draft.definition, draft.body, action, keep)
        });
        let definitions = definitions.collect();
        self.leave_let();
        self.view.locals.truncate(before);
        ActionKind::Let(Arc::new(LetGroup { definitions }), Box::new(body))
    }

    /// Enters the frame of a `LET` with its definitions; there is no frame if it only has instances.
    fn enter_let(&mut self, units: &'a [Unit]) -> Option<Vec<Drafted<'a>>> {
        let is_framed = |unit: &&'a Unit| match unit {
            Unit::Definition(definition) => !matches!(definition.body, Body::Instance(_)),
            _ => false,
        };
        let framed: Vec<Symbol> = units.iter().filter(is_framed).filter_map(defined_name).collect();
        if !framed.is_empty() {
            self.frames.push_let();
        }
        let mut announced = BTreeSet::new();
        let mut drafted = Vec::new();
        for unit in units {
            match unit {
                Unit::Recursive(declared) => {
                    for OpDecl { name, .. } in declared {
                        announced.insert(name.name);
                        self.announce(*name, &framed, units);
                    }
                }
                Unit::Definition(definition) => match &definition.body {
                    Body::Instance(instance) => self.let_instance(definition, instance),
                    _ => {
                        let draft = self.let_definition(definition);
                        if self.is_found_later(&draft.body, usize::from(!definition.params.is_empty())) {
                            self.later_locals.insert((self.frames.len() as u32 - 1, drafted.len() as u32));
                        }
                        if !announced.contains(&definition.name.name) {
                            self.bind(definition.name, drafted.len() as u32, LocalKind::Let(&definition.params));
                        }
                        drafted.push(draft);
                    }
                },
                Unit::Instance { instance, .. } => self.let_unnamed_instance(instance),
                _ => {
                    let diagnostic = Diagnostic::error("only definitions and instances may stand in a LET");
                    self.compiler.report(diagnostic);
                }
            }
        }
        if !framed.is_empty() {
            self.frames.share_if_recursive();
        }
        (!framed.is_empty()).then_some(drafted)
    }

    fn leave_let(&mut self) {
        self.frames.pop();
        let frames = self.frames.len() as u32;
        self.later_locals.retain(|(frame, _)| *frame < frames);
    }

    /// Makes a definition known before it comes.
    fn announce(&mut self, name: Ident, framed: &[Symbol], units: &'a [Unit]) {
        let definition = units.iter().find_map(|unit| match unit {
            Unit::Definition(definition) if definition.name.name == name.name => Some(definition),
            _ => None,
        });
        let index = framed.iter().position(|framed| *framed == name.name);
        match (definition, index) {
            (Some(definition), Some(index)) => {
                self.bind(name, index as u32, LocalKind::Let(&definition.params));
            }
            _ => {
                let message = format!("`{}` is declared RECURSIVE but not defined", name.name);
                self.compiler.report(Diagnostic::error(message).at(name.span));
            }
        }
    }

    fn let_definition(&mut self, definition: &'a Definition) -> Drafted<'a> {
        let visible = self.view.locals.len();
        let outer = std::mem::replace(&mut self.definition, definition.name.name);
        let body = match &definition.body {
            Body::Operator(body) if definition.params.is_empty() => self.expr(body),
            Body::Operator(body) => self.below_params(&definition.params, |this| this.expr(body)),
            Body::Function { bounds, value } => {
                Expr { span: definition.span, kind: self.function(bounds, value, Some(definition.name)) }
            }
            Body::Instance(_) => Expr { span: definition.span, kind: MISTAKE },
        };
        self.definition = outer;
        let below = usize::from(!definition.params.is_empty());
        let facts = self.facts;
        let fact = self.frames.below(below, |frames| facts.look(&body, frames));
        self.frames.define(fact);
        Drafted { definition, visible, body }
    }

    /// `LET I(x) == INSTANCE M`
    fn let_instance(&mut self, definition: &'a Definition, instance: &'a Instance) {
        let key = (std::ptr::from_ref(instance), self.view.context);
        let entity = match self.compiler.let_instances.get(&key) {
            Some(known) => Entity::Instance(*known),
            None => {
                let params = definition.params.iter().map(Param::from).collect();
                let captured = self.view.captured();
                let (context, order) = (self.view.context, self.view.order);
                let entity = self.compiler.instance(definition.name.name, instance, context, order, captured, params);
                if let Entity::Instance(id) = entity {
                    self.compiler.let_instances.insert(key, id);
                }
                entity
            }
        };
        self.bind_entity(definition.name.name, entity);
    }

    /// `LET INSTANCE M`
    fn let_unnamed_instance(&mut self, instance: &'a Instance) {
        let key = (std::ptr::from_ref(instance), self.view.context);
        let id: InstanceId = match self.compiler.let_instances.get(&key) {
            Some(known) => *known,
            None => {
                let (context, order, captured) = (self.view.context, self.view.order, self.view.captured());
                let module = instance.module.name;
                let made = self.compiler.instance(module, instance, context, order, captured, Vec::new());
                let Entity::Instance(id) = made else { return };
                self.compiler.let_instances.insert(key, id);
                id
            }
        };
        let context = self.compiler.instance_context(id);
        for (name, entry) in self.compiler.offered(context) {
            self.bind_entity(name, entry.entity);
        }
    }

    fn bind_entity(&mut self, name: Symbol, entity: Entity) {
        self.view.locals.push(LocalName { name, frame: 0, index: 0, kind: LocalKind::Entity(entity) });
    }

    /// Does something below a frame of parameters.
    pub(in crate::compile) fn below_params<T>(&mut self, params: &'a [OpDecl], then: impl FnOnce(&mut Self) -> T) -> T {
        self.below_kind(param_names(params), then)
    }

    /// A `LAMBDA` as a value.
    pub(super) fn lambda(&mut self, lambda: &'a ast::Expr) -> Arc<Lambda> {
        let ast::ExprKind::Lambda { params, body } = &*lambda.kind else {
            return Arc::new(Lambda { arity: 0, body: Expr { span: lambda.span, kind: MISTAKE }, action: None });
        };
        let body = self.below_params(params, |this| this.expr(body));
        Arc::new(Lambda { arity: params.len(), body, action: None })
    }
}

/// Parameters as names to bind.
fn param_names<'a>(params: &'a [OpDecl]) -> impl Iterator<Item = (Ident, LocalKind<'a>)> {
    params.iter().map(|OpDecl { name, arity }| (*name, LocalKind::Param { arity: *arity }))
}

fn defined_name(unit: &Unit) -> Option<Symbol> {
    match unit {
        Unit::Definition(definition) => Some(definition.name.name),
        _ => None,
    }
}

fn let_def(definition: &Definition, body: Expr, action: Option<Action>, keep: bool) -> LetDef {
    let lambda = Lambda { arity: definition.params.len(), body, action };
    LetDef { name: definition.name.name, lambda: Arc::new(lambda), keep }
}
