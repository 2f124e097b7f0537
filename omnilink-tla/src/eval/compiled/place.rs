//! Where values lie that need not be evaluated.

use super::scopes::{Outer, Scope, Scopes};
use crate::builtin::Run;
use crate::eval::Context;
use crate::eval::env::Binding;
use crate::ir::{Arg, Expr, ExprKind, VariableId};
use crate::value::Value;

/// Where a value lies.
#[derive(Clone, Copy)]
pub(super) enum Place<'p> {
    Literal(&'p Value),
    Variable(VariableId),
    Part(fn(&Value) -> Option<&Value>, VariableId),
    /// An argument, or a name in the innermost frame of the scope.
    Name(u32),
}

impl<'p> Place<'p> {
    pub fn of(expr: &'p Expr) -> Option<Self> {
        match &expr.kind {
            ExprKind::Value(value) => Some(Self::Literal(value)),
            ExprKind::Variable(variable) => Some(Self::Variable(*variable)),
            ExprKind::Local(local) if local.depth == 0 => Some(Self::Name(local.index)),
            ExprKind::Native(native, args) => match (native.run, &**args) {
                (Run::Part(find, _), [Arg::Eager(whole) | Arg::Lazy { expr: whole, .. }]) => match &whole.kind {
                    ExprKind::Variable(variable) => Some(Self::Part(find, *variable)),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// What lies there, if that is a value.
    #[inline(always)]
    pub fn look<'a>(&self, outer: Outer, scopes: &'a Scopes<'a>, cx: Context<'a>) -> Option<&'a Value>
    where
        'p: 'a,
    {
        match *self {
            Self::Literal(value) => Some(value),
            Self::Variable(variable) => cx.state.get(variable.0 as usize),
            Self::Part(find, variable) => find(cx.state.get(variable.0 as usize)?),
            Self::Name(index) => match scopes.find(outer) {
                Scope::Arguments(args, _) => args.get(index as usize)?.as_ref(),
                Scope::Entered(env) => match env.bindings.get(index as usize)? {
                    Binding::Value(value) => Some(value),
                    _ => None,
                },
            },
        }
    }
}
