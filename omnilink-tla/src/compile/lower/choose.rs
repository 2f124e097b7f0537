//! `CHOOSE`.

use super::Lowerer;
use crate::compile::builtin_operator::BuiltinOperator;
use crate::compile::facts::any_free;
use crate::compile::resolve::without_parens;
use crate::ir::{Binder, Bounds, ExprKind, Level};
use crate::source::Span;
use crate::symbol::Symbol;
use crate::syntax::ast::{self, Ident, Pattern};
use crate::value::Value;

impl<'a> Lowerer<'_, 'a> {
    pub(super) fn choose(
        &mut self,
        pattern: &'a Pattern,
        set: Option<&'a ast::Expr>,
        body: &'a ast::Expr,
        span: Span,
    ) -> ExprKind {
        let (names, tuple) = match pattern {
            Pattern::Names(names) => (names, false),
            Pattern::Tuple(names) => (names, true),
        };
        let Some(set) = set else { return self.choose_unbounded(names, body, span) };
        let set = self.expr(set);
        let body = self.below(names, |this| this.boxed(body));
        let binder = Binder { set, names: names.len(), tuple };
        let symbols = names.iter().map(|name| name.name).collect();
        ExprKind::Choose(Bounds { binders: [binder].into(), names: names.len(), symbols }, body)
    }

    /// `CHOOSE v : v \notin S` is a value that is like no other, as long as `S` is always the same; nothing else can be
    /// found without a set to look in.
    fn choose_unbounded(&mut self, names: &'a [Ident], body: &'a ast::Expr, span: Span) -> ExprKind {
        let condition = self.below(names, |this| this.expr(body));
        let excluded = match names {
            [name] => excluded_set(name.name, body),
            _ => None,
        };
        let facts = self.facts;
        let level = self.frames.below(1, |frames| facts.look(&condition, frames)).level;
        if excluded.is_some() && level == Level::Constant && !any_free(&condition, 1, &|_| true) {
            return ExprKind::ChooseFresh(Value::Model(self.compiler.fresh_value(self.definition, span)));
        }
        ExprKind::Unevaluable("CHOOSE without a set to choose from")
    }
}

/// The set of `v \notin S` or `~(v \in S)`, if it does not depend on the chosen value.
fn excluded_set(name: Symbol, condition: &ast::Expr) -> Option<&ast::Expr> {
    let (operator, args) = application(condition)?;
    let (element, set) = match (operator, args) {
        (BuiltinOperator::NotIn, [element, set]) => (element, set),
        (BuiltinOperator::Not, [negated]) => match application(negated)? {
            (BuiltinOperator::In, [element, set]) => (element, set),
            _ => return None,
        },
        _ => return None,
    };
    let is_name = matches!(&*without_parens(element).kind,
        ast::ExprKind::Name { path, name: ident } if path.is_empty() && ident.name == name);
    (is_name && !crate::modules::walk::mentions(set, name)).then_some(set)
}

/// An operator of the language with its arguments.
pub(super) fn application(expr: &ast::Expr) -> Option<(BuiltinOperator, &[ast::Expr])> {
    match &*without_parens(expr).kind {
        ast::ExprKind::Apply { path, op, args } if path.is_empty() => {
            Some((BuiltinOperator::named(op.name.as_str())?, args))
        }
        _ => None,
    }
}
