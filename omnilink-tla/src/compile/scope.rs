//! What names are bound at one place of a formula.

use super::context::{ContextId, Entity, Order, Param, Site};
use crate::ir::Local;
use crate::symbol::Symbol;
use crate::syntax::ast::OpDecl;

/// From where names are looked up: a place in a context and the names bound around it. What is substituted in an
/// instance is read by the view of where the `INSTANCE` stands.
#[derive(Clone, Debug)]
pub(super) struct View<'a> {
    pub context: ContextId,
    pub order: Order,
    /// Innermost last.
    pub locals: Vec<LocalName<'a>>,
}

/// A bound name and the frame that holds it, counted from the outermost.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalName<'a> {
    pub name: Symbol,
    pub frame: u32,
    pub index: u32,
    pub kind: LocalKind<'a>,
}

/// How a name is bound.
#[derive(Clone, Copy, Debug)]
pub(super) enum LocalKind<'a> {
    /// By a quantifier or the like: it is always a value.
    Bound,
    /// As a parameter.
    Param { arity: usize },
    /// By a `LET`, with these parameters.
    Let(&'a [OpDecl]),
    /// By an `INSTANCE` in a `LET`: it is in no frame.
    Entity(Entity),
}

impl LocalName<'_> {
    /// How many arguments it takes.
    pub fn arity(&self) -> usize {
        match self.kind {
            LocalKind::Bound | LocalKind::Entity(_) => 0,
            LocalKind::Param { arity } => arity,
            LocalKind::Let(params) => params.len(),
        }
    }

    /// What it takes for each parameter: how many arguments that takes itself. An operator parameter only takes values.
    pub fn arities(&self) -> Vec<usize> {
        match self.kind {
            LocalKind::Let(params) => params.iter().map(|param| param.arity).collect(),
            _ => vec![0; self.arity()],
        }
    }

    /// Where it is found from a place that is `frames` deep.
    pub fn seen_from(&self, frames: usize) -> Local {
        Local { depth: frames as u32 - 1 - self.frame, index: self.index }
    }
}

impl<'a> View<'a> {
    /// The place where an instance stands, as its substitutions see it.
    pub fn of_site(site: &Site) -> Self {
        let locals = params(&site.params, site.first).collect();
        Self { context: site.context, order: site.order, locals }
    }

    /// The bound name, if there is one.
    pub fn local(&self, name: Symbol) -> Option<LocalName<'a>> {
        self.locals.iter().rev().find(|local| local.name == name).copied()
    }

    /// All bound names that a `LET`'s instance may use, as parameters of it.
    pub fn captured(&self) -> Vec<Param> {
        let in_frames = self.locals.iter().filter(|local| !matches!(local.kind, LocalKind::Entity(_)));
        in_frames.map(|local| Param { name: local.name, arity: local.arity() }).collect()
    }
}

/// Parameters as names of the outermost frame.
pub(super) fn params<'a>(params: &[Param], first: usize) -> impl Iterator<Item = LocalName<'a>> {
    params.iter().zip(first..).map(|(param, index)| LocalName {
        name: param.name,
        frame: 0,
        index: index as u32,
        kind: LocalKind::Param { arity: param.arity },
    })
}
