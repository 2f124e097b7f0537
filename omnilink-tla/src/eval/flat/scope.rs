//! Environments of constants, made once and entered again and again.

use std::rc::Rc;

use super::super::env::{Binding, Env};
use crate::value::Value;

/// Frames of values, innermost first.
#[derive(Clone)]
pub(super) struct Scope(Rc<[Rc<[Binding<'static>]>]>);

impl Scope {
    /// No names at all.
    pub fn empty() -> Self {
        Self(Rc::new([]))
    }

    /// The scope of a definition's parameters.
    pub fn of(values: impl IntoIterator<Item = Value>) -> Self {
        Self(Rc::new([frame(values)]))
    }

    /// This scope with one more frame.
    pub fn enter(&self, values: impl IntoIterator<Item = Value>) -> Self {
        Self(std::iter::once(frame(values)).chain(self.0.iter().cloned()).collect())
    }

    /// Does something in it.
    #[inline]
    pub fn with<T>(&self, then: impl FnOnce(&Env<'_>) -> T) -> T {
        match &*self.0 {
            [] => then(&Env::EMPTY),
            [only] => then(&Env { bindings: only, up: None }),
            frames => {
                let (mut then, mut result) = (Some(then), None);
                restore(frames, &mut |env| result = then.take().map(|then| then(env)));
                result.expect("an environment is restored once")
            }
        }
    }
}

fn frame(values: impl IntoIterator<Item = Value>) -> Rc<[Binding<'static>]> {
    values.into_iter().map(Binding::Value).collect()
}

fn restore(frames: &[Rc<[Binding<'static>]>], then: &mut dyn FnMut(&Env<'_>)) {
    match frames.split_first() {
        Some((innermost, outer)) => restore(outer, &mut |env| then(&env.enter(innermost))),
        None => then(&Env::EMPTY),
    }
}
