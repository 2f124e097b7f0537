//! Functions and sets written out as a whole to change them at one point.
//!
//! ```text
//! [k \in DOMAIN f \cup {x} |-> IF k = x THEN v ELSE f[k]]            x :> v @@ f         insert
//! [k \in DOMAIN f \cup {x} |-> IF k \in DOMAIN f THEN f[k] ELSE v]   f @@ x :> v         insert if absent
//! [k \in DOMAIN f \ {x} |-> f[k]]                                                        remove
//! S \cup {x}     {x} \cup S                                                              include
//! S \ {x}                                                                                exclude
//! ```
//!
//! Evaluated as written they cost the size of the function; as a change of one point its logarithm. They are
//! recognised by their syntax, in whatever order the parts are written: the same function and the same point must
//! stand in both places, and neither they nor the new value may depend on `k`.

use super::Lowerer;
use super::choose::application;
use crate::builtin::Native;
use crate::compile::builtin_operator::BuiltinOperator;
use crate::compile::context::Entity;
use crate::compile::resolve::{Meaning, without_parens};
use crate::compile::same::same;
use crate::ir::{ExprKind, PointUpdate};
use crate::modules::walk::mentions;
use crate::symbol::Symbol;
use crate::syntax::ast::{self, Bound, Pattern};

/// A domain that is that of a function but for one point.
enum Domain<'a> {
    With { function: &'a ast::Expr, key: &'a ast::Expr },
    Without { function: &'a ast::Expr, key: &'a ast::Expr },
}

/// A change that was found, in syntax.
enum Found<'a> {
    Insert { function: &'a ast::Expr, key: &'a ast::Expr, value: &'a ast::Expr },
    InsertIfAbsent { function: &'a ast::Expr, key: &'a ast::Expr, value: &'a ast::Expr },
    Remove { function: &'a ast::Expr, key: &'a ast::Expr },
    Include { set: &'a ast::Expr, element: &'a ast::Expr },
    Exclude { set: &'a ast::Expr, element: &'a ast::Expr },
}

impl<'a> Lowerer<'_, 'a> {
    /// A function comprehension that changes one point.
    pub(super) fn recognise_comprehension(&mut self, bounds: &'a [Bound], value: &'a ast::Expr) -> Option<ExprKind> {
        let [Bound { pattern: Pattern::Names(names), set }] = bounds else { return None };
        let [name] = &names[..] else { return None };
        let found = comprehension(name.name, set, value)?;
        // Binding the name may be a mistake, and is reported the usual way.
        self.below(names, |_| ());
        Some(self.point_update(found))
    }

    /// An operator of a module whose arguments are of a shape that changes one point.
    pub(super) fn recognise_native(&mut self, native: &'static Native, args: &'a [ast::Expr]) -> Option<ExprKind> {
        let [left, right] = args else { return None };
        let found = match native.name {
            "@@" => match (self.single_point(left), self.single_point(right)) {
                (Some((key, value)), _) => Found::Insert { function: right, key, value },
                (None, Some((key, value))) => Found::InsertIfAbsent { function: left, key, value },
                (None, None) => return None,
            },
            "\\cup" => match (singleton(left), singleton(right)) {
                (_, Some(element)) => Found::Include { set: left, element },
                (Some(element), None) => Found::Include { set: right, element },
                (None, None) => return None,
            },
            "\\" => Found::Exclude { set: left, element: singleton(right)? },
            _ => return None,
        };
        Some(self.point_update(found))
    }

    /// `x :> v`, if that is the operator of module TLC.
    fn single_point(&mut self, expr: &'a ast::Expr) -> Option<(&'a ast::Expr, &'a ast::Expr)> {
        let ast::ExprKind::Apply { path, op, args } = &*without_parens(expr).kind else { return None };
        match (&path[..], &args[..], op.name.as_str()) {
            ([], [key, value], ":>") => {
                let meaning = self.meaning(path, *op)?;
                matches!(meaning, Meaning::Entity(Entity::Native(native), _) if native.name == ":>")
                    .then_some((key, value))
            }
            _ => None,
        }
    }

    fn point_update(&mut self, found: Found<'a>) -> ExprKind {
        let update = match found {
            Found::Insert { function, key, value } => {
                PointUpdate::Insert { function: self.expr(function), key: self.expr(key), value: self.expr(value) }
            }
            Found::InsertIfAbsent { function, key, value } => PointUpdate::InsertIfAbsent {
                function: self.expr(function),
                key: self.expr(key),
                value: self.expr(value),
            },
            Found::Remove { function, key } => {
                PointUpdate::Remove { function: self.expr(function), key: self.expr(key) }
            }
            Found::Include { set, element } => {
                PointUpdate::Include { set: self.expr(set), element: self.expr(element) }
            }
            Found::Exclude { set, element } => {
                PointUpdate::Exclude { set: self.expr(set), element: self.expr(element) }
            }
        };
        ExprKind::PointUpdate(Box::new(update))
    }
}

fn comprehension<'a>(bound: Symbol, set: &'a ast::Expr, value: &'a ast::Expr) -> Option<Found<'a>> {
    match domain(set)? {
        Domain::Without { function, key } => (is_old_value(value, bound, function) && !mentions(function, bound))
            .then_some(Found::Remove { function, key }),
        Domain::With { function, key } => {
            let ast::ExprKind::If { condition, then, otherwise } = &*without_parens(value).kind else { return None };
            let (operator, args) = application(condition)?;
            let [left, right] = args else { return None };
            let at_key = |operand: &ast::Expr, other: &ast::Expr| is_name(operand, bound) && same(other, key);
            let tests_key = at_key(left, right) || at_key(right, left);
            let tests_domain = is_name(left, bound) && is_domain_of(right, function);
            let (new, old, absent) = match operator {
                BuiltinOperator::Equal if tests_key => (then, otherwise, false),
                BuiltinOperator::NotEqual if tests_key => (otherwise, then, false),
                BuiltinOperator::In if tests_domain => (otherwise, then, true),
                BuiltinOperator::NotIn if tests_domain => (then, otherwise, true),
                _ => return None,
            };
            if !is_old_value(old, bound, function) || mentions(new, bound) || mentions(function, bound) {
                return None;
            }
            Some(match absent {
                true => Found::InsertIfAbsent { function, key, value: new },
                false => Found::Insert { function, key, value: new },
            })
        }
    }
}

/// `DOMAIN f \cup {x}`, `{x} \cup DOMAIN f`, `DOMAIN f \ {x}`, or `{k \in DOMAIN f : k # x}`.
fn domain(set: &ast::Expr) -> Option<Domain<'_>> {
    match &*without_parens(set).kind {
        ast::ExprKind::Apply { path, op, args } if path.is_empty() => {
            let [left, right] = &args[..] else { return None };
            match op.name.as_str() {
                "\\cup" => {
                    let (function, key) = match (domain_of(left), domain_of(right)) {
                        (Some(function), _) => (function, singleton(right)?),
                        (None, Some(function)) => (function, singleton(left)?),
                        (None, None) => return None,
                    };
                    Some(Domain::With { function, key })
                }
                "\\" => Some(Domain::Without { function: domain_of(left)?, key: singleton(right)? }),
                _ => None,
            }
        }
        ast::ExprKind::SetFilter { bound: Bound { pattern: Pattern::Names(names), set }, condition } => {
            let [name] = &names[..] else { return None };
            let (operator, args) = application(condition)?;
            let (BuiltinOperator::NotEqual, [left, right]) = (operator, args) else { return None };
            let key = match (is_name(left, name.name), is_name(right, name.name)) {
                (true, false) => right,
                (false, true) => left,
                _ => return None,
            };
            (!mentions(key, name.name)).then_some(Domain::Without { function: domain_of(set)?, key })
        }
        _ => None,
    }
}

fn domain_of(expr: &ast::Expr) -> Option<&ast::Expr> {
    match application(expr)? {
        (BuiltinOperator::Domain, [function]) => Some(function),
        _ => None,
    }
}

fn is_domain_of(expr: &ast::Expr, function: &ast::Expr) -> bool {
    domain_of(expr).is_some_and(|found| same(found, function))
}

fn singleton(expr: &ast::Expr) -> Option<&ast::Expr> {
    match &*without_parens(expr).kind {
        ast::ExprKind::SetEnum(items) => match &items[..] {
            [only] => Some(only),
            _ => None,
        },
        _ => None,
    }
}

fn is_name(expr: &ast::Expr, name: Symbol) -> bool {
    matches!(&*without_parens(expr).kind,
        ast::ExprKind::Name { path, name: ident } if path.is_empty() && ident.name == name)
}

/// Whether it is `f[k]`.
fn is_old_value(expr: &ast::Expr, bound: Symbol, function: &ast::Expr) -> bool {
    match &*without_parens(expr).kind {
        ast::ExprKind::Index { function: found, args } => {
            matches!(&args[..], [arg] if is_name(arg, bound)) && same(found, function)
        }
        _ => false,
    }
}
