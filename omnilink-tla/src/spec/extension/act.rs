//! Initial predicates and actions: what they assign, and what decides whether they have a step.

use std::collections::BTreeSet;

use super::env::{Binding, Env};
use super::expr::is_element;
use super::kind::Kind;
use super::{Finder, Unaffected};
use crate::ir::{Action, ActionKind, Arg, Bounds, DefinitionId, Expr, ExprKind, Level, VariableId};
use crate::source::Span;

/// Where a formula stands.
#[derive(Clone)]
struct Place<'p> {
    env: Env<'p>,
    /// Inside of an action that was recorded, or of the initial predicate.
    inside: bool,
    /// In the initial predicate, whose variables are assigned without a prime.
    initial: bool,
}

impl<'p> Place<'p> {
    fn below(&self, env: Env<'p>) -> Self {
        Self { env, ..self.clone() }
    }
}

/// The variables that may have been assigned: another equation is a condition.
type Assigned = BTreeSet<VariableId>;

impl<'p> Finder<'p> {
    pub(super) fn init(&mut self, action: &'p Action) -> Unaffected {
        let place = Place { env: Env::default(), inside: true, initial: true };
        self.act(action, &place, &mut Assigned::new())
    }

    pub(super) fn next(&mut self, action: &'p Action) -> Unaffected {
        let place = Place { env: Env::default(), inside: false, initial: false };
        self.act(action, &place, &mut Assigned::new())
    }

    fn act(&mut self, action: &'p Action, place: &Place<'p>, assigned: &mut Assigned) -> Unaffected {
        self.deeper(action.span, |finder| finder.act_at(action, place, assigned))
    }

    fn act_at(&mut self, action: &'p Action, place: &Place<'p>, assigned: &mut Assigned) -> Unaffected {
        let env = &place.env;
        match &action.kind {
            ActionKind::And(parts) => {
                // What calls no action is a condition on the way to one. If several call actions, each is one on the way to
                // the others.
                let are_joint = parts.iter().filter(|part| self.calls(part)).count() > 1;
                parts.iter().try_for_each(|part| {
                    let inside = place.inside || are_joint || !self.calls(part);
                    self.act(part, &Place { inside, ..place.clone() }, assigned)
                })
            }
            ActionKind::Or(parts) => self.branches(parts.iter(), place, assigned),
            ActionKind::Exists(bounds, body) => {
                let names = self.taken(bounds, place)?;
                self.act(body, &place.below(env.enter(names)), assigned)
            }
            ActionKind::ForAll(bounds, body) => {
                bounds.binders.iter().try_for_each(|binder| self.plain(&binder.set, env))?;
                let below = place.below(env.enter_kinds(&Kind::Plain, bounds.names));
                // What the first of them assigns is a condition for the second.
                self.act(body, &below, assigned)?;
                self.act(body, &below, assigned)
            }
            ActionKind::If(condition, then, otherwise) => {
                self.plain(condition, env)?;
                self.branches([&**then, &**otherwise].into_iter(), place, assigned)
            }
            ActionKind::Case { arms, other } => {
                arms.iter().try_for_each(|arm| self.plain(&arm.condition, env))?;
                self.branches(arms.iter().map(|arm| &arm.body).chain(other.as_deref()), place, assigned)
            }
            ActionKind::Let(group, body) => self.act(body, &place.below(env.enter_let(group)), assigned),
            ActionKind::Call(id, args) => self.call(*id, args, place, assigned, action.span),
            ActionKind::CallLocal(local, args) => match env.find(*local).ok_or(action.span)? {
                Binding::Lambda(lambda, outer) => {
                    let inner = if lambda.arity > 0 { outer.enter(env.bind(args)) } else { outer };
                    self.either(lambda.action.as_ref(), &lambda.body, &place.below(inner), assigned)
                }
                Binding::Expr(expr, form, outer) => self.either(form, expr, &place.below(outer), assigned),
                Binding::Definition(id) => self.call(id, args, place, assigned, action.span),
                Binding::Kind(Kind::Plain) | Binding::Element => Ok(()),
                Binding::Kind(_) | Binding::Native => Err(action.span),
            },
            ActionKind::Equal(target, value) => match self.target(target, place) {
                Some(variable) => {
                    let kind = self.kind(value, env)?;
                    self.assign(variable, &kind, assigned, action.span)
                }
                None => {
                    self.plain(target, env)?;
                    self.plain(value, env)
                }
            },
            ActionKind::Member(element, set) if is_element(element, env) && self.is_constant(set, env) => Ok(()),
            ActionKind::Member(target, set) => match self.target(target, place) {
                Some(variable) => {
                    let kind = self.elements(set, env)?;
                    self.assign(variable, &kind, assigned, action.span)
                }
                None => {
                    self.plain(target, env)?;
                    self.plain(set, env)
                }
            },
            ActionKind::Unchanged(expr) => self.unchanged(expr, env, assigned),
            ActionKind::Guard(condition) => self.plain(condition, env),
            // Who finds states and who tests the condition finds the same states.
            ActionKind::Condition { branches, .. } => self.act(branches, place, assigned),
        }
    }

    /// Formulas of which one is run. Outside of actions, what calls nothing has no name that a trace could have recorded.
    fn branches(
        &mut self,
        branches: impl Iterator<Item = &'p Action>,
        place: &Place<'p>,
        assigned: &mut Assigned,
    ) -> Unaffected {
        let before = assigned.clone();
        for branch in branches {
            if !place.inside && !self.calls(branch) {
                continue;
            }
            let mut here = before.clone();
            self.act(branch, place, &mut here)?;
            assigned.append(&mut here);
        }
        Ok(())
    }

    fn either(
        &mut self,
        form: Option<&'p Action>,
        expr: &'p Expr,
        place: &Place<'p>,
        assigned: &mut Assigned,
    ) -> Unaffected {
        match form {
            Some(action) => self.act(action, place, assigned),
            None => self.plain(expr, &place.env),
        }
    }

    fn call(
        &mut self,
        id: DefinitionId,
        args: &'p [Arg],
        place: &Place<'p>,
        assigned: &mut Assigned,
        span: Span,
    ) -> Unaffected {
        let definition = self.program.definition(id);
        let mut bound = place.env.bind(args);
        let mut inside = place.inside;
        if !inside && self.actions.contains(&id) {
            if !(self.extension.is_recorded)(definition.name.as_str()) {
                return Ok(());
            }
            inside = true;
            // What is passed is compared with what was recorded.
            for arg in &mut bound {
                *arg = match arg {
                    Binding::Expr(expr, _, env) if is_element(expr, env) => Binding::Element,
                    Binding::Expr(expr, _, env) => {
                        self.plain(expr, env)?;
                        continue;
                    }
                    _ => return Err(span),
                };
            }
        }
        let inner = Place { env: Env::default().enter(bound), inside, ..place.clone() };
        self.either(definition.action.as_ref(), &definition.body, &inner, assigned)
    }

    /// What the names of a quantifier stand for.
    fn taken(&mut self, bounds: &'p Bounds, place: &Place<'p>) -> Unaffected<Vec<Binding<'p>>> {
        let mut names = Vec::with_capacity(bounds.names);
        for binder in &bounds.binders {
            let is_recorded = !place.inside && self.extension.bounds.contains(&binder.set.span);
            let name = if is_recorded && !binder.tuple && self.is_constant(&binder.set, &place.env) {
                Binding::Element
            } else {
                let kind = self.elements(&binder.set, &place.env)?;
                if binder.tuple && !kind.is_plain() {
                    return Err(binder.set.span);
                }
                Binding::Kind(kind)
            };
            names.extend(std::iter::repeat_n(name, binder.names));
        }
        Ok(names)
    }

    /// The kind of what is taken from a set.
    fn elements(&mut self, set: &'p Expr, env: &Env<'p>) -> Unaffected<Kind> {
        match self.kind(set, env)? {
            Kind::Plain => Ok(Kind::Plain),
            Kind::SetOf(elements) => Ok(*elements),
            _ => Err(set.span),
        }
    }

    fn assign(&mut self, variable: VariableId, kind: &Kind, assigned: &mut Assigned, span: Span) -> Unaffected {
        let known = &mut self.kinds[variable.0 as usize];
        let joined = known.join(kind).ok_or(span)?;
        if !assigned.insert(variable) && !joined.is_plain() {
            return Err(span);
        }
        *known = joined;
        Ok(())
    }

    /// What stays as it is stays related.
    fn unchanged(&mut self, expr: &'p Expr, env: &Env<'p>, assigned: &mut Assigned) -> Unaffected {
        match &expr.kind {
            ExprKind::Variable(variable) => self.assign(*variable, &Kind::Plain, assigned, expr.span),
            ExprKind::Tuple(parts) => parts.iter().try_for_each(|part| self.unchanged(part, env, assigned)),
            ExprKind::Call(id, args) if args.is_empty() => {
                let body = &self.program.definition(*id).body;
                self.deeper(expr.span, |finder| finder.unchanged(body, &Env::default().enter(Vec::new()), assigned))
            }
            ExprKind::Local(local) => match env.find(*local) {
                Some(Binding::Expr(expr, _, env)) => {
                    self.deeper(expr.span, |finder| finder.unchanged(expr, &env, assigned))
                }
                _ => self.plain(expr, env),
            },
            _ => self.plain(expr, env),
        }
    }

    /// The variable that an equation may assign.
    fn target(&self, expr: &Expr, place: &Place<'p>) -> Option<VariableId> {
        let variable = |expr: &Expr, env: &Env<'p>| match &expr.kind {
            ExprKind::Variable(variable) => Some(*variable),
            ExprKind::Local(local) => match env.find(*local)? {
                Binding::Expr(Expr { kind: ExprKind::Variable(variable), .. }, ..) => Some(*variable),
                _ => None,
            },
            _ => None,
        };
        match &expr.kind {
            ExprKind::Primed(variable) => Some(*variable),
            ExprKind::Prime(inner) => variable(inner, &place.env),
            ExprKind::Local(local) => match place.env.find(*local)? {
                Binding::Expr(expr, _, env) => self.target(expr, &place.below(env)),
                _ => None,
            },
            _ if place.initial => variable(expr, &place.env),
            _ => None,
        }
    }

    /// Whether a formula calls an action, or something that may be one.
    fn calls(&self, action: &Action) -> bool {
        match &action.kind {
            ActionKind::And(parts) | ActionKind::Or(parts) => parts.iter().any(|part| self.calls(part)),
            ActionKind::Exists(_, body) | ActionKind::ForAll(_, body) | ActionKind::Let(_, body) => self.calls(body),
            ActionKind::If(_, then, otherwise) => self.calls(then) || self.calls(otherwise),
            ActionKind::Case { arms, other } => {
                arms.iter().any(|arm| self.calls(&arm.body)) || other.as_ref().is_some_and(|body| self.calls(body))
            }
            ActionKind::Condition { branches, .. } => self.calls(branches),
            ActionKind::Call(id, _) => self.program.definition(*id).level == Level::Action,
            ActionKind::CallLocal(..) => true,
            ActionKind::Equal(..) | ActionKind::Member(..) | ActionKind::Unchanged(_) | ActionKind::Guard(_) => false,
        }
    }
}
