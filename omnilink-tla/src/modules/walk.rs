//! The parts of a syntax tree, for passes that look for something everywhere.

use crate::syntax::ast::{Body, Bound, Expr, ExprKind, Ident, Instance, Selector, Step, Unit};

/// A part of an expression or unit.
pub(crate) enum Part<'a> {
    /// An expression.
    Expr(&'a Expr),
    /// A unit of a `LET`, or of a module.
    Unit(&'a Unit),
    /// An instance.
    Instance(&'a Instance),
    /// A name that is used, not bound.
    Name(&'a Ident),
}

/// Calls `visit` for each immediate part of an expression.
pub(crate) fn expr_parts<'a>(expr: &'a Expr, visit: &mut dyn FnMut(Part<'a>)) {
    match &*expr.kind {
        ExprKind::Int(_) | ExprKind::Decimal(_) | ExprKind::Str(_) | ExprKind::At => {}
        ExprKind::Name { path, name } => name_parts(path, name, &[], visit),
        ExprKind::Apply { path, op, args } => name_parts(path, op, args, visit),
        ExprKind::Junction { items, .. } | ExprKind::SetEnum(items) | ExprKind::Tuple(items) => all(items, visit),
        ExprKind::Lambda { body, .. } | ExprKind::UnboundedQuantifier { body, .. } => visit(Part::Expr(body)),
        ExprKind::Quantifier { bounds, body, .. } => bound_parts(bounds, body, visit),
        ExprKind::SetMap { value, bounds } | ExprKind::Function { bounds, value } => bound_parts(bounds, value, visit),
        ExprKind::Choose { set, body, .. } => all(set.iter().chain([body]), visit),
        ExprKind::SetFilter { bound, condition } => all([&bound.set, condition], visit),
        ExprKind::FunctionSet { domain, range } => all([domain, range], visit),
        ExprKind::Record(fields) | ExprKind::RecordSet(fields) => all(fields.iter().map(|(_, value)| value), visit),
        ExprKind::Except { function, updates } => {
            visit(Part::Expr(function));
            for update in updates {
                for step in &update.path {
                    if let Step::Index(args) = step {
                        all(args, visit);
                    }
                }
                visit(Part::Expr(&update.value));
            }
        }
        ExprKind::Index { function, args } => all([function].into_iter().chain(args), visit),
        ExprKind::Field { record, .. } => visit(Part::Expr(record)),
        ExprKind::If { condition, then, otherwise } => all([condition, then, otherwise], visit),
        ExprKind::Case { arms, other } => all(arms.iter().flat_map(|(when, value)| [when, value]).chain(other), visit),
        ExprKind::Let { units, body } => {
            units.iter().for_each(|unit| visit(Part::Unit(unit)));
            visit(Part::Expr(body));
        }
        ExprKind::Stuttering { action, subscript, .. } | ExprKind::Fairness { action, subscript, .. } => {
            all([action, subscript], visit);
        }
        ExprKind::Label { expr, .. } | ExprKind::Parens(expr) => visit(Part::Expr(expr)),
    }
}

/// Calls `visit` for each immediate part of a unit.
pub(crate) fn unit_parts<'a>(unit: &'a Unit, visit: &mut dyn FnMut(Part<'a>)) {
    match unit {
        Unit::Constants(_) | Unit::Variables(_) | Unit::Recursive(_) | Unit::Theorem { .. } => {}
        Unit::Definition(definition) => match &definition.body {
            Body::Operator(expr) => visit(Part::Expr(expr)),
            Body::Function { bounds, value } => bound_parts(bounds, value, visit),
            Body::Instance(instance) => instance_parts(instance, visit),
        },
        Unit::Instance { instance, .. } => instance_parts(instance, visit),
        Unit::Assume { expr, .. } => visit(Part::Expr(expr)),
        Unit::Module(module) => module.units.iter().for_each(|unit| visit(Part::Unit(unit))),
    }
}

fn instance_parts<'a>(instance: &'a Instance, visit: &mut dyn FnMut(Part<'a>)) {
    visit(Part::Instance(instance));
    all(instance.substitutions.iter().map(|(_, value)| value), visit);
}

fn name_parts<'a>(path: &'a [Selector], name: &'a Ident, args: &'a [Expr], visit: &mut dyn FnMut(Part<'a>)) {
    for selector in path {
        visit(Part::Name(&selector.name));
        all(&selector.args, visit);
    }
    if path.is_empty() {
        visit(Part::Name(name));
    }
    all(args, visit);
}

fn bound_parts<'a>(bounds: &'a [Bound], body: &'a Expr, visit: &mut dyn FnMut(Part<'a>)) {
    all(bounds.iter().map(|bound| &bound.set).chain([body]), visit);
}

fn all<'a>(exprs: impl IntoIterator<Item = &'a Expr>, visit: &mut dyn FnMut(Part<'a>)) {
    exprs.into_iter().for_each(|expr| visit(Part::Expr(expr)));
}

/// Whether a name is used anywhere in an expression.
pub(crate) fn mentions(expr: &Expr, name: crate::symbol::Symbol) -> bool {
    let mut found = false;
    let mut pending = vec![Part::Expr(expr)];
    while let Some(part) = pending.pop() {
        match part {
            Part::Expr(expr) => expr_parts(expr, &mut |part| pending.push(part)),
            Part::Unit(unit) => unit_parts(unit, &mut |part| pending.push(part)),
            Part::Name(ident) => found |= ident.name == name,
            Part::Instance(_) => {}
        }
    }
    found
}
