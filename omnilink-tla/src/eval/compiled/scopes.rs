//! The scopes that a walk through a compiled action has entered.

use std::cell::OnceCell;

use crate::eval::env::{Binding, Env, Frame};
use crate::value::Value;

/// Scopes, innermost first. Other than frames of an environment these need not see each other.
pub(super) struct Scopes<'a> {
    scope: Scope<'a>,
    before: Option<&'a Scopes<'a>>,
}

pub(super) enum Scope<'a> {
    /// That of the action's arguments, which is the outermost. Its frame is made when first needed.
    Arguments(&'a [Option<Value>], OnceCell<Frame<'static>>),
    /// One that was entered on the way.
    Entered(Env<'a>),
}

/// How many scopes outside of the innermost.
#[derive(Clone, Copy)]
pub(super) struct Outer(pub u32);

impl<'a> Scopes<'a> {
    /// That of arguments which are all known.
    pub fn of(args: &'a [Option<Value>]) -> Self {
        Self { scope: Scope::Arguments(args, OnceCell::new()), before: None }
    }

    /// One more.
    pub fn enter(&'a self, env: Env<'a>) -> Self {
        Self { scope: Scope::Entered(env), before: Some(self) }
    }

    #[inline]
    pub fn find(&self, outer: Outer) -> &Scope<'a> {
        let mut scopes = self;
        for _ in 0..outer.0 {
            scopes = scopes.before.expect("scopes are counted");
        }
        &scopes.scope
    }

    /// The environment of one of them.
    #[inline]
    pub fn env(&self, outer: Outer) -> Env<'_> {
        match self.find(outer) {
            Scope::Arguments(args, frame) => Env { bindings: frame.get_or_init(|| bound(args)), up: None },
            Scope::Entered(env) => *env,
        }
    }
}

/// The frame of known arguments.
pub(super) fn bound(args: &[Option<Value>]) -> Frame<'static> {
    args.iter().flatten().cloned().map(Binding::Value).collect()
}
