//! Environments: what bound names stand for.
//!
//! An environment is a list of frames on the machine's stack, innermost first, and is never changed: entering a scope makes
//! a longer list. So an argument that was not evaluated yet holds its environment by reference, and leaving a
//! scope costs nothing.

use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::sync::Arc;

use smallvec::SmallVec;

use super::Context;
use super::memo::Memo;
use crate::builtin::Native;
use crate::ir::{Action, DefinitionId, Expr, ExprKind, Lambda, LetDef, LetGroup, Local};
use crate::source::Span;
use crate::value::Value;

/// Frames, innermost first.
#[derive(Clone, Copy)]
pub struct Env<'a> {
    pub bindings: &'a [Binding<'a>],
    pub up: Option<&'a Env<'a>>,
}

/// The bindings of one frame while it is being made.
pub type Frame<'a> = SmallVec<[Binding<'a>; 3]>;

/// What one name stands for.
pub enum Binding<'a> {
    /// A value.
    Value(Value),
    /// An expression that is evaluated when first needed, in the environment it was written in.
    Lazy(Lazy<'a>),
    /// An operator.
    Operator(Operator<'a>),
    /// A definition of a `LET`. The frame it stands in is the innermost of its environment.
    Let { group: &'a Arc<LetGroup>, definition: &'a LetDef, memo: Memo<'a> },
    /// A value that is to be found.
    Unknown(&'a Unknown<'a>),
    /// A value that could not be found when its environment was kept for later.
    Failed(&'a super::Failure),
}

/// An argument that was not evaluated yet.
pub struct Lazy<'a> {
    pub expr: &'a Expr,
    /// The argument as an action, if it may be run as one.
    pub action: Option<&'a Action>,
    pub env: &'a Env<'a>,
    pub memo: Memo<'a>,
}

/// What an operator parameter or a `LET` operator stands for.
#[derive(Clone, Copy)]
pub enum Operator<'a> {
    Lambda(&'a Arc<Lambda>, &'a Env<'a>),
    Definition(DefinitionId),
    Native(&'static Native),
}

/// A value that evaluation finds: a quantified name on the way to an action, whose argument may not have been recorded.
pub struct Unknown<'a> {
    /// Tells the unknowns of one run apart.
    pub id: UnknownId,
    /// What it can be.
    pub bound: Held<'a>,
    /// Where its bound is written.
    pub span: Span,
    value: RefCell<Option<Value>>,
}

thread_local! {
    /// How often values of unknowns were read on this thread.
    static READ: Cell<u64> = const { Cell::new(0) };
}

/// Does something and returns whether it read an unknown: then its result must not be kept, because the next value that is
/// tried for the unknown may have another.
pub fn reads_unknown<T>(work: impl FnOnce() -> T) -> (T, bool) {
    let before = READ.get();
    let result = work();
    (result, READ.get() != before)
}

/// Tells the unknowns of one run apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownId(pub usize);

/// The unknowns of a run: those of the latest quantifier, and those before it.
#[derive(Clone, Copy)]
pub struct Unknowns<'a> {
    pub names: &'a [Unknown<'a>],
    pub before: Option<&'a Unknowns<'a>>,
}

impl<'a> Unknown<'a> {
    /// Something that can be any element of a set.
    pub fn new(id: UnknownId, bound: Held<'a>, span: Span) -> Self {
        Self { id, bound, span, value: RefCell::new(None) }
    }

    /// What was found so far.
    pub fn get(&self) -> Option<Value> {
        READ.set(READ.get() + 1);
        self.value.borrow().clone()
    }

    /// Holds a value while something is done.
    pub fn with<T>(&self, value: Value, then: impl FnOnce() -> T) -> T {
        let before = self.value.replace(Some(value));
        let result = then();
        self.value.replace(before);
        result
    }
}

impl<'a> Lazy<'a> {
    /// An argument in the environment of the call.
    pub fn new(expr: &'a Expr, env: &'a Env<'a>, cx: Context<'a>) -> Self {
        Self { expr, action: None, env, memo: Memo::new(cx, true) }
    }

    /// The same argument, passed on to another operator: a chain of arguments that only name one another would be as long as
    /// a recursion is deep. It stays an expression though its value may be known: the other operator may prime it.
    fn pass_on(&self) -> Binding<'a> {
        Binding::Lazy(Self { memo: self.memo.clone(), ..*self })
    }
}

impl<'a> Binding<'a> {
    /// What an argument stands for that is a name itself, if that needs no evaluation.
    pub fn passed_on(expr: &Expr, env: &'a Env<'a>) -> Option<Self> {
        let ExprKind::Local(local) = &expr.kind else { return None };
        match env.find(*local).0 {
            Binding::Value(value) => Some(Binding::Value(value.clone())),
            Binding::Lazy(lazy) => Some(lazy.pass_on()),
            _ => None,
        }
    }
}

impl<'a> Env<'a> {
    /// No names at all.
    pub const EMPTY: Env<'static> = Env { bindings: &[], up: None };

    /// This environment with one more frame.
    pub fn enter(&'a self, bindings: &'a [Binding<'a>]) -> Self {
        Env { bindings, up: Some(self) }
    }

    /// The frame so many up, with all that is outside of it.
    pub fn outer(&'a self, depth: u32) -> &'a Env<'a> {
        let mut env = self;
        for _ in 0..depth {
            env = env.up.expect("the compiler counts frames");
        }
        env
    }

    /// What a name stands for, and the environment that ends with its frame.
    pub fn find(&'a self, local: Local) -> (&'a Binding<'a>, &'a Env<'a>) {
        let env = self.outer(local.depth);
        (&env.bindings[local.index as usize], env)
    }
}

/// A value that is borrowed if it lies somewhere already: in the state, in an environment, inside of another value.
#[derive(Clone)]
pub enum Held<'a> {
    Own(Value),
    Ref(&'a Value),
}

impl Held<'_> {
    /// The value itself.
    pub fn own(self) -> Value {
        match self {
            Self::Own(value) => value,
            Self::Ref(value) => value.clone(),
        }
    }
}

impl Deref for Held<'_> {
    type Target = Value;

    fn deref(&self) -> &Value {
        match self {
            Self::Own(value) => value,
            Self::Ref(value) => value,
        }
    }
}

impl From<Value> for Held<'_> {
    fn from(value: Value) -> Self {
        Self::Own(value)
    }
}

impl From<bool> for Held<'_> {
    fn from(value: bool) -> Self {
        Self::Own(Value::Bool(value))
    }
}
