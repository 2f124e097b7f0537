//! Parts of definitions by their names: `Op(a)!2!(x)!label`.
//!
//! A part becomes a definition of its own. Its parameters are those of the definition that it is part of and, after them, the
//! bound names on the way to it, which `!(x)` and `!label(x)` give values.

use super::context::{ContextId, DraftBody, DraftId, Entity, Param};
use super::lower::Lowerer;
use super::resolve::{Meaning, Prefix, without_parens};
use crate::diagnostic::Diagnostic;
use crate::modules::walk::{Part as SyntaxPart, expr_parts};
use crate::symbol::Symbol;
use crate::syntax::ast::{Bound, Expr, ExprKind, Ident, Pattern, Selector, Unit};

/// A part that was found, with all arguments on the way to it.
pub(super) struct PartCall<'a> {
    pub draft: DraftId,
    pub prefix: Vec<Prefix<'a>>,
    pub args: Vec<&'a Expr>,
}

/// One `!…` behind a definition.
#[derive(Clone, Copy)]
struct Step<'a> {
    name: Ident,
    args: &'a [Expr],
}

/// How far the way to a part has led.
struct Way<'a> {
    expr: &'a Expr,
    params: Vec<Param>,
    /// Definitions of `LET`s around the part.
    lets: Vec<&'a [Unit]>,
}

impl<'a> Lowerer<'_, 'a> {
    /// The part of a definition that a name with a path means: nothing if the path only leads through instances.
    pub(super) fn part(
        &mut self,
        path: &'a [Selector],
        name: Ident,
        args: &'a [Expr],
    ) -> Option<Result<PartCall<'a>, ()>> {
        let (draft, prefix, at) = self.definition_on(path)?;
        let steps = path[at + 1..].iter().map(|selector| Step { name: selector.name, args: &selector.args });
        let steps: Vec<_> = steps.chain([Step { name, args }]).collect();
        Some(self.part_of(draft, prefix, &path[at], &steps))
    }

    /// Whether a path leads through a definition.
    pub(super) fn leads_to_part(&mut self, path: &'a [Selector]) -> bool {
        self.definition_on(path).is_some()
    }

    /// The first name of a path that is a definition, and what that takes for the parameters of its instance.
    fn definition_on(&mut self, path: &'a [Selector]) -> Option<(DraftId, Vec<Prefix<'a>>, usize)> {
        let first = path.first()?;
        if self.view.local(first.name.name).is_some() {
            return None;
        }
        let mut entity = self.compiler.lookup(self.view.context, self.view.order, first.name.name)?;
        for (at, selector) in path.iter().enumerate() {
            match self.compiler.replaced(entity) {
                Entity::Definition(_) if at == 0 => match self.meaning(&[], selector.name)? {
                    Meaning::Entity(Entity::Definition(draft), prefix) => return Some((draft, prefix, at)),
                    _ => return None,
                },
                Entity::Definition(_) => match self.meaning(&path[..at], selector.name)? {
                    Meaning::Entity(Entity::Definition(draft), prefix) => return Some((draft, prefix, at)),
                    _ => return None,
                },
                Entity::Instance(id) => {
                    let context: ContextId = self.compiler.instance_context(id);
                    let next = path.get(at + 1)?.name.name;
                    entity = self.compiler.contexts[context.0 as usize].names.get(&next)?.entity;
                }
                _ => return None,
            }
        }
        None
    }

    fn part_of(
        &mut self,
        draft: DraftId,
        prefix: Vec<Prefix<'a>>,
        whole: &'a Selector,
        steps: &[Step<'a>],
    ) -> Result<PartCall<'a>, ()> {
        let found = &self.compiler.drafts[draft.0 as usize];
        let (params, shown) = (found.params.clone(), found.name);
        let body = match &found.body {
            DraftBody::Operator(_, body) | DraftBody::Assumption(body) | DraftBody::Theorem(Some(body)) => *body,
            _ => {
                let message = format!("the parts of `{shown}` have no names");
                self.compiler.report(Diagnostic::error(message).at(whole.name.span));
                return Err(());
            }
        };
        let mut args: Vec<&'a Expr> = whole.args.iter().collect();
        if args.len() != params.len() {
            self.wrong_arity(whole.name, params.len(), args.len());
            return Err(());
        }
        let mut way = Way { expr: body, params, lets: Vec::new() };
        let mut name = shown.as_str().to_owned();
        for step in steps {
            args.extend(step.args);
            name.push_str(&format!("!{}", step.name.name));
            if let Err(why) = way.go(*step) {
                let message = format!("`{shown}` has no part `!{}` there", step.name.name);
                self.compiler.report(Diagnostic::error(message).at(step.name.span).label(why));
                return Err(());
            }
        }
        let draft = self.compiler.part_draft(draft, Symbol::new(&name), way);
        Ok(PartCall { draft, prefix, args })
    }
}

impl<'a> super::Compiler<'a> {
    fn part_draft(&mut self, of: DraftId, name: Symbol, way: Way<'a>) -> DraftId {
        if let Some(known) = self.parts.get(&(of, name)) {
            return *known;
        }
        let (context, order) = (self.drafts[of.0 as usize].context, self.drafts[of.0 as usize].order);
        let ident = Ident { name, span: way.expr.span };
        let body = DraftBody::Part { lets: way.lets.into(), expr: way.expr };
        let draft = self.draft(context, ident, order, way.params, body);
        // The definition's name already says which instance it is of.
        self.drafts[draft.0 as usize].name = name;
        self.parts.insert((of, name), draft);
        draft
    }
}

impl<'a> Way<'a> {
    fn go(&mut self, step: Step<'a>) -> Result<(), String> {
        let name = step.name.name.as_str();
        if name == ":" {
            return no_arguments(step);
        }
        if !(name == "()" || name == "<<" || name == ">>" || name.starts_with(|c: char| c.is_ascii_digit())) {
            return self.go_to_label(step);
        }
        self.expr = without_parens(self.expr);
        if let ExprKind::Let { units, .. } = &*self.expr.kind {
            self.lets.push(units);
        }
        if name == "()" {
            return self.go_inside(step);
        }
        no_arguments(step)?;
        let parts = operands(self.expr);
        let index = match name {
            "<<" => Some(0),
            ">>" => parts.len().checked_sub(1),
            number => number.parse::<usize>().ok().and_then(|number| number.checked_sub(1)),
        };
        let count = parts.len();
        let part = index.and_then(|index| parts.into_iter().nth(index));
        self.expr = part.ok_or_else(|| match count {
            0 => "what is there has no numbered parts".to_owned(),
            1 => "what is there has 1 part".to_owned(),
            count => format!("what is there has {count} parts"),
        })?;
        Ok(())
    }

    /// `!(a, b)`: inside of what binds names, with values for them.
    fn go_inside(&mut self, step: Step<'a>) -> Result<(), String> {
        let (names, body): (Vec<Ident>, &'a Expr) = match &*self.expr.kind {
            ExprKind::Quantifier { bounds, body, .. }
            | ExprKind::SetMap { bounds, value: body }
            | ExprKind::Function { bounds, value: body } => (bound_names(bounds), body),
            ExprKind::SetFilter { bound, condition } => (bound_names(std::slice::from_ref(bound)), condition),
            ExprKind::UnboundedQuantifier { names, body, .. } => (names.clone(), body),
            ExprKind::Choose { pattern: Pattern::Names(names) | Pattern::Tuple(names), body, .. } => {
                (names.clone(), body)
            }
            _ => return Err("what is there binds no names".to_owned()),
        };
        if names.len() != step.args.len() {
            return Err(format!("what is there binds {} names", names.len()));
        }
        self.params.extend(names.into_iter().map(|name| Param { name: name.name, arity: 0 }));
        self.expr = body;
        Ok(())
    }

    /// `!label(a, b)`: what has that label, with values for the names that it is in the scope of.
    fn go_to_label(&mut self, step: Step<'a>) -> Result<(), String> {
        let mut lets = Vec::new();
        let Some((params, expr)) = labelled(self.expr, step.name.name, &mut lets) else {
            return Err("there is no such label".to_owned());
        };
        if params.len() != step.args.len() {
            return Err(format!("the label takes {} names", params.len()));
        }
        self.params.extend(params.iter().map(|name| Param { name: name.name, arity: 0 }));
        self.lets.extend(lets);
        self.expr = expr;
        Ok(())
    }
}

fn no_arguments(step: Step<'_>) -> Result<(), String> {
    if step.args.is_empty() { Ok(()) } else { Err("it takes no arguments".to_owned()) }
}

fn bound_names(bounds: &[Bound]) -> Vec<Ident> {
    let names = bounds.iter().flat_map(|bound| match &bound.pattern {
        Pattern::Names(names) | Pattern::Tuple(names) => names,
    });
    names.copied().collect()
}

/// The numbered parts of an expression.
fn operands(expr: &Expr) -> Vec<&Expr> {
    match &*expr.kind {
        ExprKind::Junction { items, .. } | ExprKind::SetEnum(items) | ExprKind::Tuple(items) => items.iter().collect(),
        ExprKind::Apply { args, .. } => args.iter().collect(),
        ExprKind::If { condition, then, otherwise } => vec![condition, then, otherwise],
        ExprKind::Let { body, .. } => vec![body],
        ExprKind::FunctionSet { domain, range } => vec![domain, range],
        ExprKind::Index { function, args } => std::iter::once(function).chain(args).collect(),
        ExprKind::Record(fields) | ExprKind::RecordSet(fields) => fields.iter().map(|(_, value)| value).collect(),
        ExprKind::Stuttering { action, subscript, .. } => vec![action, subscript],
        ExprKind::Fairness { subscript, action, .. } => vec![subscript, action],
        ExprKind::Quantifier { bounds, .. } | ExprKind::SetMap { bounds, .. } | ExprKind::Function { bounds, .. } => {
            bounds.iter().map(|bound| &bound.set).collect()
        }
        ExprKind::SetFilter { bound, .. } => vec![&bound.set],
        ExprKind::Choose { set: Some(set), .. } => vec![set],
        _ => Vec::new(),
    }
}

/// What has a label, with the label's parameters; the `LET`s on the way are added. Labels inside of other labels belong to
/// those.
fn labelled<'a>(expr: &'a Expr, label: Symbol, lets: &mut Vec<&'a [Unit]>) -> Option<(&'a [Ident], &'a Expr)> {
    match &*expr.kind {
        ExprKind::Label { name, params, expr } => (name.name == label).then_some((params, expr)),
        ExprKind::Let { units, body } => {
            lets.push(units);
            let found = labelled(body, label, lets);
            if found.is_none() {
                lets.pop();
            }
            found
        }
        _ => {
            let mut inner = Vec::new();
            expr_parts(expr, &mut |part| {
                if let SyntaxPart::Expr(expr) = part {
                    inner.push(expr);
                }
            });
            inner.into_iter().find_map(|part| labelled(part, label, lets))
        }
    }
}
