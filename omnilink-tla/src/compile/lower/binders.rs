//! Names that range over sets.

use super::Lowerer;
use crate::compile::context::Origin;
use crate::compile::scope::{LocalKind, LocalName};
use crate::diagnostic::Diagnostic;
use crate::ir::{Binder, Bounds, ExprKind};
use crate::modules::STANDARD;
use crate::symbol::Symbol;
use crate::syntax::ast::{self, Bound, Ident, OpDecl, Pattern};

impl<'a> Lowerer<'_, 'a> {
    /// Binders, and what is done below their frame.
    pub(in crate::compile) fn bounded<T>(
        &mut self,
        bounds: &'a [Bound],
        then: impl FnOnce(&mut Self) -> T,
    ) -> (Bounds, T) {
        let lowered = self.bounds(bounds);
        (lowered, self.below(pattern_names(bounds), then))
    }

    /// The sets, which are outside of the names' frame.
    pub(super) fn bounds(&mut self, bounds: &'a [Bound]) -> Bounds {
        let binders: Box<[Binder]> = bounds
            .iter()
            .map(|Bound { pattern, set }| {
                let (names, tuple) = match pattern {
                    Pattern::Names(names) => (names.len(), false),
                    Pattern::Tuple(names) => (names.len(), true),
                };
                Binder { set: self.expr(set), names, tuple }
            })
            .collect();
        let names = binders.iter().map(|binder| binder.names).sum();
        Bounds { binders, names, symbols: pattern_names(bounds).map(|name| name.name).collect() }
    }

    /// Does something below a frame of bound names.
    pub(super) fn below<T>(
        &mut self,
        names: impl IntoIterator<Item = &'a Ident>,
        then: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.below_kind(names.into_iter().map(|name| (*name, LocalKind::Bound)), then)
    }

    /// Does something below a frame of names.
    pub(in crate::compile) fn below_kind<T>(
        &mut self,
        names: impl IntoIterator<Item = (Ident, LocalKind<'a>)>,
        then: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.view.locals.len();
        self.frames.push();
        for ((name, kind), index) in names.into_iter().zip(0..) {
            self.bind(name, index, kind);
        }
        let result = then(self);
        self.frames.pop();
        self.view.locals.truncate(before);
        result
    }

    /// Adds a name to the innermost frame.
    pub(super) fn bind(&mut self, name: Ident, index: u32, kind: LocalKind<'a>) {
        self.check_unbound(name);
        let frame = self.frames.len() as u32 - 1;
        self.view.locals.push(LocalName { name: name.name, frame, index, kind });
    }

    /// Checks the names of a definition's own parameters.
    pub(in crate::compile) fn check_params(&mut self, params: &'a [OpDecl]) {
        let bound = std::mem::take(&mut self.view.locals);
        for (OpDecl { name, .. }, local) in params.iter().zip(bound) {
            self.check_unbound(*name);
            self.view.locals.push(local);
        }
    }

    /// TLA+ lets no name be bound that means something already.
    fn check_unbound(&mut self, name: Ident) {
        let taken = match self.view.local(name.name) {
            Some(_) => Some("a bound name".to_owned()),
            None => {
                let context = &self.compiler.contexts[self.view.context.0 as usize];
                let entry = context.names.get(&name.name).filter(|entry| entry.order < self.view.order);
                entry.and_then(|entry| match entry.origin {
                    // Users cannot be expected to know every name of the CommunityModules.
                    Origin::Builtin(module) if !STANDARD.contains(&module) => None,
                    Origin::Builtin(module) => Some(format!("an operator of module {module}")),
                    Origin::Written(_) if self.compiler.is_theorem(entry.entity) => None,
                    Origin::Written(_) => Some(entry.entity.describe().to_owned()),
                })
            }
        };
        if let Some(taken) = taken {
            let message = format!("`{}` is bound here, but is {taken} already", name.name);
            self.compiler.report(Diagnostic::error(message).at(name.span).hint("give one of them another name"));
        }
    }

    /// `\A x : p` and its like: nothing can be enumerated.
    pub(super) fn unbounded_quantifier(
        &mut self,
        quantifier: Symbol,
        names: &'a [Ident],
        body: &'a ast::Expr,
    ) -> ExprKind {
        self.below(names, |this| this.expr(body));
        match quantifier.as_str() {
            "\\AA" => ExprKind::Temporal("a formula with \\AA"),
            "\\EE" => ExprKind::Temporal("a formula with \\EE"),
            "\\A" => ExprKind::Unevaluable("\\A without a set for its names"),
            _ => ExprKind::Unevaluable("\\E without a set for its names"),
        }
    }
}

/// The names that patterns bind, in order.
pub(super) fn pattern_names(bounds: &[Bound]) -> impl Iterator<Item = &Ident> {
    bounds.iter().flat_map(|bound| match &bound.pattern {
        Pattern::Names(names) | Pattern::Tuple(names) => names,
    })
}
