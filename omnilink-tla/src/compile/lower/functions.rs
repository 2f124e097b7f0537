//! Functions and sets that are given by a rule.

use std::sync::Arc;

use super::Lowerer;
use super::binders::pattern_names;
use crate::compile::facts::{Free, any_free};
use crate::compile::scope::LocalKind;
use crate::ir::{Bounds, Expr, ExprKind, FunctionCode, Level};
use crate::modules::walk::mentions;
use crate::syntax::ast::{self, Bound, Ident};

impl<'a> Lowerer<'_, 'a> {
    /// `[x \in S |-> e]`, or the function definition `f[x \in S] == e`, which may use itself.
    pub(in crate::compile) fn function(
        &mut self,
        bounds: &'a [Bound],
        value: &'a ast::Expr,
        name: Option<Ident>,
    ) -> ExprKind {
        let own_name = name.filter(|name| mentions(value, name.name));
        let update = if own_name.is_none() { self.recognise_comprehension(bounds, value) } else { None };
        if let Some(update) = update {
            return update;
        }
        let lowered = self.bounds(bounds);
        let body = |this: &mut Self| this.below(pattern_names(bounds), |this| this.expr(value));
        let body = match own_name {
            Some(name) => self.below_own_name(name, body),
            None => body(self),
        };
        ExprKind::Function(self.code(lowered, body, own_name))
    }

    /// `{x \in S : p}`
    pub(super) fn set_filter(&mut self, bound: &'a Bound, condition: &'a ast::Expr) -> ExprKind {
        let (bounds, body) = self.bounded(std::slice::from_ref(bound), |this| this.expr(condition));
        ExprKind::SetFilter(self.code(bounds, body, None))
    }

    /// Below the frame that holds a recursive function itself. The name means something here already: this.
    fn below_own_name<T>(&mut self, name: Ident, then: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.view.locals.len();
        self.frames.push();
        let frame = self.frames.len() as u32 - 1;
        let kind = LocalKind::Bound;
        self.view.locals.push(crate::compile::scope::LocalName { name: name.name, frame, index: 0, kind });
        let result = then(self);
        self.frames.pop();
        self.view.locals.truncate(before);
        result
    }

    /// A bound name that is no value yet may turn out to depend on the state.
    fn code(&mut self, bounds: Bounds, body: Expr, recursive: Option<Ident>) -> Arc<FunctionCode> {
        let frames = 1 + usize::from(recursive.is_some());
        let sets = bounds.binders.iter().map(|binder| (&binder.set, 0));
        let facts = self.facts;
        let mut uses_state = false;
        for (expr, below) in sets.chain([(&body, frames)]) {
            uses_state |= self.frames.below(below, |frames| facts.look(expr, frames)).level > Level::Constant;
            uses_state |= any_free(expr, below as u32, &|found| match found {
                Free::Local(local) => !self.is_value(local),
                Free::Action => true,
            });
        }
        Arc::new(FunctionCode { bounds, body, recursive: recursive.map(|name| name.name), uses_state })
    }
}
