//! The disjuncts of a next-state relation that call one action, written as formulas that a recorded event has to satisfy.
//!
//! `Next` is a tree whose leaves are calls of actions. The disjunct of one leaf is that tree with all other branches cut
//! off:
//!
//! ```text
//!  Next == \E key \in Keys : Get(key) \/ (~sealed /\ Put(key))
//!
//!  Put:    \E key \in OmniLinkOf(it, "key", Keys) :
//!              /\ ~sealed
//!              /\ OmniLinkIs(it, "key", key)
//!              /\ Put(key)
//! ```
//!
//! Where a quantified name is passed to the action, only what was recorded for that parameter is tried, so that bounds
//! like `Nat` need no enumerating. A definition that it leads through becomes one of its own, with the event as a further
//! parameter, in the module that it belongs to: see `scopes`.

use std::collections::HashSet;
use std::fmt::Write as _;

use omnilink_tla::Spec;
use omnilink_tla::internal::ir::ActionKind;
use omnilink_tla::internal::syntax::ast::{Bound, Definition, Expr, ExprKind, Ident, Pattern, Selector};
use omnilink_tla::spec::SpecAction;
use omnilink_tla::symbol::Symbol;

use super::build::{
    apply, apply_in, conjunction, falsehood, name, named, parens, record, selectors, text, without_parens,
};
use super::definitions::{Definitions, expression};
use super::scopes::{ScopeId, Scopes, instance_name};
use crate::error::CheckError;

/// The parameter that stands for the choice of an event in definitions.
pub(super) const IT: &str = "omnilink_it";

/// Writes operators that say what an event of an action is.
pub(super) struct Disjuncts<'a> {
    spec: &'a Spec,
    definitions: &'a Definitions,
    /// The definitions written so far.
    scopes: Scopes,
    /// The one whose names are read.
    at: ScopeId,
    count: usize,
    /// Definitions, by their full names, that were looked into and do not lead to the action.
    barren: HashSet<Symbol>,
    /// Whether the formulas also assign the arguments that the action is passed.
    tells: bool,
}

/// A disjunct, or the rest of one.
struct Disjunct {
    formula: Expr,
    /// Names that are passed to the action, and for which parameter.
    feeds: Vec<(Symbol, Symbol)>,
}

impl Disjunct {
    /// The same with a formula around its own.
    fn with(self, make: impl FnOnce(Expr) -> ExprKind) -> Self {
        let span = self.formula.span;
        Self { formula: Expr { kind: Box::new(make(self.formula)), span }, ..self }
    }
}

impl<'a> Disjuncts<'a> {
    /// None yet.
    pub fn new(spec: &'a Spec, definitions: &'a Definitions) -> Self {
        let scopes = Scopes::new(spec.program().module, definitions);
        Self { spec, definitions, scopes, at: Scopes::ROOT, count: 0, barren: HashSet::new(), tells: false }
    }

    /// Writes an operator of this name, of the choice, that is true of the steps that an event of an action can be.
    ///
    /// # Errors
    /// If a disjunct that calls the action cannot be written as such a formula.
    pub fn write(&mut self, operator: &str, action: &SpecAction) -> Result<(), CheckError> {
        self.write_disjuncts(operator, action, false)
    }

    /// The same of inner steps, with the arguments of the step (`OmniLinkPassed`).
    ///
    /// # Errors
    /// If a disjunct that calls the action cannot be written as such a formula.
    pub fn write_telling(&mut self, operator: &str, action: &SpecAction) -> Result<(), CheckError> {
        self.write_disjuncts(operator, action, true)
    }

    fn write_disjuncts(&mut self, operator: &str, action: &SpecAction, tells: bool) -> Result<(), CheckError> {
        self.tells = tells;
        let next = self.next()?;
        self.barren.clear();
        let disjuncts = self.of(&next, action, &mut Vec::new());
        if disjuncts.len() != action.disjuncts.len() {
            return Err(self.inexpressible(action, disjuncts.len()));
        }
        let items: Vec<_> = disjuncts.into_iter().map(|disjunct| disjunct.formula).collect();
        let formula = match <[Expr; 1]>::try_from(items) {
            Ok([one]) => one,
            Err(items) => {
                let span = items.first().map_or(next.span, |item| item.span);
                Expr { kind: Box::new(ExprKind::Junction { conjunction: false, items }), span }
            }
        };
        self.define(operator, &[], &formula);
        Ok(())
    }

    /// All that was written: definitions of the root, and further modules by name, which extend these.
    pub fn finish(self, extended: &str) -> (String, Vec<(String, String)>) {
        self.scopes.finish(extended)
    }

    /// The next-state relation: what its name is defined as, or what a specification has in `[][…]_vars`.
    fn next(&self) -> Result<Expr, CheckError> {
        let Some((_, formula)) = &self.spec.program().next else {
            return Err(CheckError::Tlc("the specification has no next-state relation".to_owned()));
        };
        match &formula.kind {
            ActionKind::Call(id, args) if args.is_empty() => {
                let called = self.spec.program().definition(*id).name;
                let is_action = self.spec.action(called.as_str()).is_some();
                let definition = self.definitions.get(self.spec.program().module, called);
                match definition.filter(|(definition, _)| !is_action && definition.params.is_empty()) {
                    Some((_, body)) => Ok(body.clone()),
                    None => Ok(named(called, formula.span)),
                }
            }
            _ => expression(self.spec.sources(), formula.span),
        }
    }

    fn of(&mut self, expr: &Expr, action: &SpecAction, inside: &mut Vec<Symbol>) -> Vec<Disjunct> {
        let conjuncts = conjuncts(expr);
        if conjuncts.len() > 1 {
            return self.of_conjunction(&conjuncts, action, inside);
        }
        match &*expr.kind {
            ExprKind::Parens(inner) | ExprKind::Label { expr: inner, .. } => self.of(inner, action, inside),
            ExprKind::Junction { items, .. } => items.iter().flat_map(|item| self.of(item, action, inside)).collect(),
            ExprKind::Apply { path, op, args } if path.is_empty() && op.name.as_str() == "\\/" => {
                args.iter().flat_map(|item| self.of(item, action, inside)).collect()
            }
            ExprKind::Quantifier { universal: false, bounds, body } => {
                let disjuncts = self.of(body, action, inside);
                disjuncts.into_iter().map(|disjunct| quantified(bounds, disjunct)).collect()
            }
            ExprKind::If { condition, then, otherwise } => {
                let (condition, span) = (condition.clone(), expr.span);
                let otherwise = self.of(otherwise, action, inside);
                let then = self.of(then, action, inside).into_iter().map(|disjunct| {
                    let (condition, otherwise) = (condition.clone(), falsehood(span));
                    disjunct.with(|body| ExprKind::If { condition, then: parens(body), otherwise })
                });
                let mut disjuncts: Vec<_> = then.collect();
                disjuncts.extend(otherwise.into_iter().map(|disjunct| {
                    let (condition, then) = (condition.clone(), falsehood(span));
                    disjunct.with(|body| ExprKind::If { condition, then, otherwise: parens(body) })
                }));
                disjuncts
            }
            ExprKind::Case { arms, other } => self.of_case(arms, other.as_ref(), action, inside),
            ExprKind::Let { units, body } => {
                let disjuncts = self.of(body, action, inside).into_iter();
                disjuncts
                    .map(|disjunct| disjunct.with(|body| ExprKind::Let { units: units.clone(), body: parens(body) }))
                    .collect()
            }
            ExprKind::Name { path, name } => self.of_call(expr, (path, *name), &[], action, inside),
            ExprKind::Apply { path, op, args } => self.of_call(expr, (path, *op), args, action, inside),
            _ => Vec::new(),
        }
    }

    /// The only conjunct that leads to the action, with the others as conditions.
    fn of_conjunction(&mut self, parts: &[&Expr], action: &SpecAction, inside: &mut Vec<Symbol>) -> Vec<Disjunct> {
        let mut leading = None;
        for (at, part) in parts.iter().enumerate() {
            let disjuncts = self.of(part, action, inside);
            match (disjuncts.is_empty(), &leading) {
                (true, _) => {}
                (false, None) => leading = Some((at, disjuncts)),
                (false, Some(_)) => return Vec::new(),
            }
        }
        let Some((at, disjuncts)) = leading else { return Vec::new() };
        let with_conditions = |disjunct: Disjunct| {
            disjunct.with(|leading| {
                let (before, after) = (&parts[..at], &parts[at + 1..]);
                let all = before.iter().copied().chain(conjuncts(&leading)).chain(after.iter().copied());
                ExprKind::Junction { conjunction: true, items: all.cloned().collect() }
            })
        };
        disjuncts.into_iter().map(with_conditions).collect()
    }

    fn of_case(
        &mut self,
        arms: &[(Expr, Expr)],
        other: Option<&Expr>,
        action: &SpecAction,
        inside: &mut Vec<Symbol>,
    ) -> Vec<Disjunct> {
        let mut disjuncts = Vec::new();
        for (taken, body) in arms.iter().map(|(_, body)| body).chain(other).enumerate() {
            let cut = |at: usize, body: &Expr, disjunct: &Expr| {
                if at == taken { parens(disjunct.clone()) } else { falsehood(body.span) }
            };
            disjuncts.extend(self.of(body, action, inside).into_iter().map(|disjunct| {
                disjunct.with(|disjunct| ExprKind::Case {
                    arms: arms
                        .iter()
                        .enumerate()
                        .map(|(at, (when, body))| (when.clone(), cut(at, body, &disjunct)))
                        .collect(),
                    other: other.map(|body| cut(arms.len(), body, &disjunct)),
                })
            }));
        }
        disjuncts
    }

    /// A call: of the action, or of a definition that leads to it.
    fn of_call(
        &mut self,
        call: &Expr,
        (path, op): (&[Selector], Ident),
        args: &[Expr],
        action: &SpecAction,
        inside: &mut Vec<Symbol>,
    ) -> Vec<Disjunct> {
        let definitions = self.definitions;
        let is_replaced = path.is_empty() && self.at == Scopes::ROOT;
        let meant = if is_replaced { definitions.meant(op.name) } else { op.name };
        let full = self.scopes.full_name(self.at, qualified(path, meant));
        if full == action.name {
            let passed: Vec<&Expr> = path.iter().flat_map(|selector| &selector.args).chain(args).collect();
            return vec![leaf(call, &passed, action, self.tells)];
        }
        if self.spec.action(full.as_str()).is_some() || inside.contains(&full) || self.barren.contains(&full) {
            return Vec::new();
        }
        let Some(entered) = self.scopes.enter(self.at, path, definitions) else { return Vec::new() };
        let scope = entered.last().copied().unwrap_or(self.at);
        let found = definitions.get(self.scopes.module(scope), meant);
        let Some((definition, body)) = found.filter(|(definition, _)| definition.params.len() == args.len()) else {
            return Vec::new();
        };
        let outside = std::mem::replace(&mut self.at, scope);
        inside.push(full);
        let disjuncts = self.of(body, action, inside);
        inside.pop();
        if disjuncts.is_empty() {
            self.barren.insert(full);
        }
        let disjuncts =
            disjuncts.into_iter().map(|disjunct| self.through(definition, &entered, args, disjunct, call)).collect();
        self.at = outside;
        disjuncts
    }

    /// A disjunct that leads through a definition, which gets one of its own; it is reached through the scopes that were entered.
    fn through(
        &mut self,
        definition: &Definition,
        entered: &[ScopeId],
        args: &[Expr],
        disjunct: Disjunct,
        call: &Expr,
    ) -> Disjunct {
        self.count += 1;
        let operator = format!("OmniLinkWay{}_{}", self.count, definition.name.name);
        let params: Vec<String> =
            definition.params.iter().map(|param| text_of_param(param.name.name, param.arity)).collect();
        self.define(&operator, &params, &disjunct.formula);
        let passed = args.iter().zip(&definition.params).filter_map(|(arg, param)| match &*without_parens(arg).kind {
            ExprKind::Name { path, name } if path.is_empty() => Some((name.name, param.name.name)),
            _ => None,
        });
        let feeds = passed.flat_map(|(outer, inner)| {
            let of_inner = disjunct.feeds.iter().filter(move |(name, _)| *name == inner);
            of_inner.map(move |(_, param)| (outer, *param))
        });
        let mut all = vec![name(Symbol::new(IT), call.span)];
        all.extend(args.iter().cloned());
        let path = selectors(entered.iter().map(|scope| instance_name(*scope)), call.span);
        Disjunct { feeds: feeds.collect(), formula: apply_in(path, &operator, all, call.span) }
    }

    fn define(&mut self, operator: &str, params: &[String], formula: &Expr) {
        let params = [IT.to_owned()].iter().chain(params).cloned().collect::<Vec<_>>().join(", ");
        let body = formula.to_string().replace('\n', "\n    ");
        self.scopes.define(self.at, &format!("{operator}({params})"), &body);
    }

    fn inexpressible(&self, action: &SpecAction, found: usize) -> CheckError {
        let sources = self.spec.sources();
        let places = action.disjuncts.iter().map(|disjunct| {
            let (file, place) = sources.place(disjunct.span);
            format!("{}:{}", file.display(), place.line)
        });
        let places: Vec<_> = places.collect();
        CheckError::Tlc(format!(
            "of the disjuncts of the next-state relation that call `{}` ({}), {found} of {} can be written for TLC; \
             they are followed through definitions of the root module, of those that it extends, and of instances that \
             have a name and no parameters; check without --engine tlc, or define a next-state relation in the root module \
             that calls the actions themselves and name it by --next",
            action.name,
            places.join(", "),
            action.disjuncts.len()
        ))
    }
}

/// The call of an action, where it was recorded with what it is passed.
fn leaf(call: &Expr, passed: &[&Expr], action: &SpecAction, tells: bool) -> Disjunct {
    let span = call.span;
    let mut feeds = Vec::new();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for (param, arg) in action.params.iter().zip(passed) {
        if let ExprKind::Name { path, name } = &*without_parens(arg).kind
            && path.is_empty()
        {
            feeds.push((name.name, *param));
        }
        let is = apply("OmniLinkIs", vec![name(Symbol::new(IT), span), text(*param, span), (*arg).clone()], span);
        // What is passed of the next state is known when the action has said what that is.
        if arg.to_string().contains('\'') { &mut after } else { &mut before }.push(is);
    }
    before.push(call.clone());
    before.append(&mut after);
    if tells {
        let args = action.params.iter().copied().zip(passed.iter().map(|arg| (*arg).clone()));
        before.push(apply("OmniLinkPasses", vec![record(args, span)], span));
    }
    Disjunct { formula: conjunction(before, span), feeds }
}

/// A disjunct below a quantifier: names that are passed to the action are what was recorded for its parameters.
fn quantified(bounds: &[Bound], mut disjunct: Disjunct) -> Disjunct {
    let mut restricted = Vec::new();
    for Bound { pattern, set } in bounds {
        let Pattern::Names(names) = pattern else {
            restricted.push(Bound { pattern: pattern.clone(), set: set.clone() });
            continue;
        };
        for one in names {
            let params = disjunct.feeds.iter().filter(|(fed, _)| *fed == one.name);
            let set = params.fold(set.clone(), |set, (_, param)| {
                let span = set.span;
                apply("OmniLinkOf", vec![name(Symbol::new(IT), span), text(*param, span), set], span)
            });
            restricted.push(Bound { pattern: Pattern::Names(vec![*one]), set });
        }
        disjunct.feeds.retain(|(fed, _)| !names.iter().any(|one| one.name == *fed));
    }
    disjunct.with(|body| ExprKind::Quantifier { universal: false, bounds: restricted, body })
}

/// The conjuncts of a formula, written as a list or with signs between them.
fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &*expr.kind {
        ExprKind::Junction { conjunction: true, items } => items.iter().flat_map(conjuncts).collect(),
        ExprKind::Apply { path, op, args } if path.is_empty() && op.name.as_str() == "/\\" => {
            args.iter().flat_map(conjuncts).collect()
        }
        _ => vec![expr],
    }
}

/// `I!Op`, as the specification's actions are named.
fn qualified(path: &[Selector], op: Symbol) -> Symbol {
    let mut full = String::new();
    for selector in path {
        let _ = write!(full, "{}!", selector.name.name);
    }
    Symbol::new(&(full + op.as_str()))
}

fn text_of_param(name: Symbol, arity: usize) -> String {
    if arity == 0 { name.to_string() } else { format!("{name}({})", vec!["_"; arity].join(", ")) }
}
