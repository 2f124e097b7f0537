//! The parts of compiled expressions and actions, for passes that look for something everywhere.

use super::{Arg, Bounds, CaseArm, DefinitionId, Expr, ExprKind, FunctionCode, LetGroup, Local, OperatorArg};
use super::{PathStep, PointUpdate};

/// A part of an expression.
pub(crate) enum Part<'e> {
    /// In the same frames.
    Here(&'e Expr),
    /// Below more frames of bound names or parameters.
    Below {
        /// The part.
        expr: &'e Expr,
        /// How many.
        frames: usize,
    },
    /// Definitions, and what is below their frame.
    Let {
        /// The definitions.
        group: &'e LetGroup,
        /// What uses them.
        body: &'e Expr,
    },
    /// The operand of an `ENABLED`: steps that are only thought of.
    Enabled,
    /// A definition that is passed on by its name.
    Definition(DefinitionId),
    /// A bound operator that is passed on.
    Local(Local),
}

/// Calls `visit` for each immediate part of an expression.
pub(crate) fn parts<'e>(expr: &'e Expr, visit: &mut dyn FnMut(Part<'e>)) {
    match &expr.kind {
        ExprKind::Value(_)
        | ExprKind::Variable(_)
        | ExprKind::Primed(_)
        | ExprKind::Local(_)
        | ExprKind::ChooseFresh(_)
        | ExprKind::Temporal(_)
        | ExprKind::Unevaluable(_)
        | ExprKind::UnassignedConstant(_) => {}
        ExprKind::CallLocal(_, args) | ExprKind::Call(_, args) | ExprKind::Native(_, args) => arg_parts(args, visit),
        ExprKind::Let(group, body) => visit(Part::Let { group, body }),
        ExprKind::And(items)
        | ExprKind::Or(items)
        | ExprKind::SetEnum(items)
        | ExprKind::Tuple(items)
        | ExprKind::Product(items) => all(items, visit),
        ExprKind::Prime(inner)
        | ExprKind::Not(inner)
        | ExprKind::Field(inner, _)
        | ExprKind::Domain(inner)
        | ExprKind::Unchanged(inner) => visit(Part::Here(inner)),
        ExprKind::Implies(left, right)
        | ExprKind::Equivalent(left, right)
        | ExprKind::Equal(left, right)
        | ExprKind::NotEqual(left, right)
        | ExprKind::In(left, right)
        | ExprKind::NotIn(left, right)
        | ExprKind::FunctionSet(left, right)
        | ExprKind::Apply(left, right) => all([&**left, right], visit),
        ExprKind::If(condition, then, otherwise) => all([&**condition, then, otherwise], visit),
        ExprKind::Case { arms, other } => {
            all(arms.iter().flat_map(|CaseArm { condition, body }| [condition, body]), visit);
            all(other.as_deref(), visit);
        }
        ExprKind::ForAll(bounds, body)
        | ExprKind::Exists(bounds, body)
        | ExprKind::Choose(bounds, body)
        | ExprKind::SetMap(bounds, body) => bound_parts(bounds, body, 1, visit),
        ExprKind::SetFilter(code) | ExprKind::Function(code) => code_parts(code, visit),
        ExprKind::Record(record) => all(record.fields.iter().map(|(_, value)| value), visit),
        ExprKind::RecordSet(fields) => all(fields.iter().map(|(_, value)| value), visit),
        ExprKind::Except(function, clauses) => {
            visit(Part::Here(function));
            for clause in clauses {
                for step in &clause.path {
                    if let PathStep::Index(index) = step {
                        visit(Part::Here(index));
                    }
                }
                visit(Part::Below { expr: &clause.value, frames: 1 });
            }
        }
        ExprKind::PointUpdate(update) => match &**update {
            PointUpdate::Insert { function, key, value } | PointUpdate::InsertIfAbsent { function, key, value } => {
                all([function, key, value], visit);
            }
            PointUpdate::Remove { function: changed, key: at }
            | PointUpdate::Include { set: changed, element: at }
            | PointUpdate::Exclude { set: changed, element: at } => all([changed, at], visit),
        },
        ExprKind::Once(once) => visit(Part::Here(&once.expr)),
        ExprKind::Enabled(_) => visit(Part::Enabled),
    }
}

fn all<'e>(exprs: impl IntoIterator<Item = &'e Expr>, visit: &mut dyn FnMut(Part<'e>)) {
    exprs.into_iter().for_each(|expr| visit(Part::Here(expr)));
}

/// The sets, which are outside of their frame, and what is below it.
fn bound_parts<'e>(bounds: &'e Bounds, body: &'e Expr, frames: usize, visit: &mut dyn FnMut(Part<'e>)) {
    all(bounds.binders.iter().map(|binder| &binder.set), visit);
    visit(Part::Below { expr: body, frames });
}

fn code_parts<'e>(code: &'e FunctionCode, visit: &mut dyn FnMut(Part<'e>)) {
    bound_parts(&code.bounds, &code.body, 1 + usize::from(code.recursive.is_some()), visit);
}

pub(crate) fn arg_parts<'e>(args: &'e [Arg], visit: &mut dyn FnMut(Part<'e>)) {
    for arg in args {
        match arg {
            Arg::Eager(expr) | Arg::Lazy { expr, .. } => visit(Part::Here(expr)),
            Arg::Operator(OperatorArg::Lambda(lambda)) => {
                visit(Part::Below { expr: &lambda.body, frames: usize::from(lambda.arity > 0) });
            }
            Arg::Operator(OperatorArg::Definition(id)) => visit(Part::Definition(*id)),
            Arg::Operator(OperatorArg::Local(local)) => visit(Part::Local(*local)),
            Arg::Operator(OperatorArg::Native(_)) => {}
        }
    }
}
