//! Contexts: what names mean in one module, in one instance of it.
//!
//! The root module, what it extends, and every `INSTANCE` give each a [`Context`] of their own: a table from names to
//! [`Entity`]s. A definition of an instance is thereby a definition of its own, in which the module's constants and
//! variables are [`Substitution`]s.
//!
//! An instance may have parameters: those written (`I(x) == INSTANCE …`), those of the instances around it, and, for
//! one inside of a `LET`, the bound names around that. Each of its definitions takes them all, before its own
//! parameters, so that they are always the first names of the outermost frame.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::builtin::Native;
use crate::ir::{DefinitionId, VariableId};
use crate::modules::ModuleId;
use crate::source::Span;
use crate::symbol::Symbol;
use crate::syntax::ast;
use crate::value::Value;

/// Where in a module something stands: names are known to what comes after them.
pub(super) type Order = u32;

/// After everything.
pub(super) const END: Order = Order::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ContextId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct DraftId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct InstanceId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct SubstitutionId(pub u32);

/// What names mean in one module, in one instance of it.
#[derive(Debug)]
pub(super) struct Context {
    pub module: ModuleId,
    /// Whether it is that of the root or of what that extends, rather than of an instance.
    pub is_root: bool,
    pub names: BTreeMap<Symbol, Entry>,
    /// The contexts of the modules that this one extends.
    pub extended: Vec<ContextId>,
    /// For a nested module, the context around it and where in it the module stands.
    pub enclosing: Option<(ContextId, Order)>,
    /// Where modules stand that are nested in this one.
    pub nested: BTreeMap<Symbol, Order>,
    /// What every definition of this context takes before its own parameters.
    pub params: Rc<[Param]>,
    /// `I!J!`
    pub prefix: Rc<str>,
}

/// A parameter: its name, and how many arguments it takes itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Param {
    pub name: Symbol,
    pub arity: usize,
}

impl From<&ast::OpDecl> for Param {
    fn from(declared: &ast::OpDecl) -> Self {
        Self { name: declared.name.name, arity: declared.arity }
    }
}

/// A name's row in a context.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub entity: Entity,
    /// From where on it is known.
    pub order: Order,
    /// Whether it stays in its module.
    pub local: bool,
    pub origin: Origin,
}

/// Where a name comes from, to say so when another one of the same name comes along.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    Written(Span),
    Builtin(&'static str),
}

/// What a name means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entity {
    Variable(VariableId),
    /// Which of the compiler's constants.
    Constant(u32),
    Definition(DraftId),
    Native(&'static Native),
    /// Which of the values that the configuration gives.
    Value(u32),
    Instance(InstanceId),
    Substituted(SubstitutionId),
    /// Declared `RECURSIVE`, to be defined later.
    Announced {
        arity: usize,
    },
}

/// What may be replaced by a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Replaceable {
    Constant(u32),
    Definition(DraftId),
    Native(*const Native),
    Substituted(SubstitutionId),
}

impl Entity {
    pub fn replaceable(self) -> Option<Replaceable> {
        match self {
            Self::Constant(constant) => Some(Replaceable::Constant(constant)),
            Self::Definition(draft) => Some(Replaceable::Definition(draft)),
            Self::Native(native) => Some(Replaceable::Native(native)),
            Self::Substituted(substitution) => Some(Replaceable::Substituted(substitution)),
            Self::Variable(_) | Self::Value(_) | Self::Instance(_) | Self::Announced { .. } => None,
        }
    }

    /// Whether two names mean the same thing, so that knowing it twice is no conflict.
    pub fn is(self, other: Self) -> bool {
        match (self, other) {
            (Self::Variable(left), Self::Variable(right)) => left == right,
            (Self::Instance(left), Self::Instance(right)) => left == right,
            _ => self.replaceable().is_some_and(|key| other.replaceable() == Some(key)),
        }
    }

    /// For messages: what it is.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Variable(_) => "a variable",
            Self::Constant(_) => "a constant",
            Self::Definition(_) => "a definition",
            Self::Native(_) => "a built-in operator",
            Self::Value(_) => "a value",
            Self::Instance(_) => "an instance",
            Self::Substituted(_) => "a parameter of the module",
            Self::Announced { .. } => "declared RECURSIVE",
        }
    }
}

/// A definition that may be compiled: what it is made from, and where names in it are looked up.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    /// As users see it: `I!Op`.
    pub name: Symbol,
    pub span: Span,
    pub context: ContextId,
    pub order: Order,
    /// Its own parameters.
    pub params: Vec<Param>,
    pub body: DraftBody<'a>,
    /// Once it was reached.
    pub id: Option<DefinitionId>,
}

/// What a definition is made from.
#[derive(Clone, Debug)]
pub(super) enum DraftBody<'a> {
    Operator(&'a ast::Definition, &'a ast::Expr),
    Function {
        name: ast::Ident,
        bounds: &'a [ast::Bound],
        value: &'a ast::Expr,
    },
    Assumption(&'a ast::Expr),
    /// What a theorem says; nothing if that is `ASSUME … PROVE …`, which has no value. It may mention what only provers
    /// understand, so it is compiled only if it is used.
    Theorem(Option<&'a ast::Expr>),
    /// A part of another definition, inside of these definitions of `LET`s.
    Part {
        lets: Rc<[&'a [ast::Unit]]>,
        expr: &'a ast::Expr,
    },
    /// What the command line gives for a constant: unknown names in it are model values, as in a configuration.
    Given(&'a ast::Expr),
    /// What a configuration gives for an operator constant: results by arguments.
    Table(Rc<[(Vec<Value>, Value)]>),
}

/// A named `INSTANCE`.
#[derive(Debug)]
pub(super) struct InstanceDraft<'a> {
    pub name: Symbol,
    pub syntax: &'a ast::Instance,
    /// Where it is written: names of its substitutions are looked up there.
    pub context: ContextId,
    pub order: Order,
    /// Bound names around it, then its own parameters.
    pub captured: Vec<Param>,
    pub params: Vec<Param>,
    /// Its context, once it was needed.
    pub made: Option<ContextId>,
}

/// What takes the place of a constant or variable in an instance.
#[derive(Debug)]
pub(super) struct Substitution<'a> {
    pub with: SubstituteWith<'a>,
    pub site: Rc<Site>,
}

/// What it is replaced by.
#[derive(Clone, Copy, Debug)]
pub(super) enum SubstituteWith<'a> {
    /// `WITH x <- e`
    Expr(&'a ast::Expr),
    /// The same name, where the instance stands.
    SameName(ast::Ident),
}

/// Where an instance stands: its substitutions' names mean what they mean there.
#[derive(Debug)]
pub(super) struct Site {
    pub context: ContextId,
    pub order: Order,
    /// Captured names and parameters of the instance, which its substitutions may use.
    pub params: Vec<Param>,
    /// The place of the first of them in the outermost frame.
    pub first: usize,
}
