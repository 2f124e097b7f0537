//! What is known of a definition once all of them have been read, and the levels of expressions.
//!
//! Definitions may refer to each other in any order, so the compiler makes two passes: the first to find
//! mistakes and these facts, the second to write the code that uses them.

use crate::ir::visit::{Part, parts};
use crate::ir::{Definition, DefinitionId, Expr, ExprKind, LetGroup, Level, Local};

/// What is known of one definition, its arguments aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    /// What it depends on.
    pub level: Level,
    /// Whether nothing in it, or in what it uses, looks at another state than the one it is evaluated in: then a
    /// variable given as an argument may be read before the call.
    pub steadfast: bool,
    /// Whether TLC, running it as an action, may find a state more than once.
    pub branches: bool,
}

impl Default for Fact {
    fn default() -> Self {
        Self { level: Level::Constant, steadfast: true, branches: false }
    }
}

/// What is known of all definitions.
#[derive(Debug, Default)]
pub(super) struct Facts {
    facts: Vec<Fact>,
}

impl Facts {
    /// Facts about definitions, found by going over them until nothing new comes up.
    pub fn of(definitions: &[Definition]) -> Self {
        let mut facts = Self { facts: vec![Fact::default(); definitions.len()] };
        loop {
            let mut changed = false;
            for (index, definition) in definitions.iter().enumerate() {
                let fact = facts.look(&definition.body, &mut Frames::below_parameters());
                changed |= facts.facts[index] != fact;
                facts.facts[index] = fact;
            }
            if !changed {
                return facts;
            }
        }
    }

    /// What is known of one of them.
    pub fn get(&self, id: DefinitionId) -> Fact {
        self.facts.get(id.0 as usize).copied().unwrap_or(Fact { steadfast: false, ..Fact::default() })
    }

    /// What can be said of an expression that stands below these frames.
    pub fn look(&self, expr: &Expr, frames: &mut Frames) -> Fact {
        let mut fact = self.node(expr, frames);
        let mut branches = fact.branches;
        parts(expr, &mut |part| {
            let inner = match part {
                Part::Here(inner) => self.look(inner, frames),
                Part::Below { expr: inner, frames: more } => frames.below(more, |frames| self.look(inner, frames)),
                Part::Let { group, body } => {
                    let whole = self.enter_group(group, frames);
                    let inner = self.look(body, frames);
                    frames.pop();
                    Fact { branches: inner.branches, ..inner.and(whole) }
                }
                Part::Enabled => Fact { level: Level::State, steadfast: false, branches: false },
                Part::Local(local) => frames.fact(local),
                Part::Definition(id) => Fact { branches: false, ..self.get(id) },
            };
            branches |= inner.branches && carries_on(&expr.kind);
            fact = fact.and(inner);
        });
        Fact { branches, ..fact }
    }

    /// Enters the frame of a `LET` with what can be said of its definitions, and says what holds of them all. Those
    /// that need each other depend on the same.
    fn enter_group(&self, group: &LetGroup, frames: &mut Frames) -> Fact {
        frames.push_let();
        for definition in &group.definitions {
            let lambda = &definition.lambda;
            let fact = frames.below(usize::from(lambda.arity > 0), |frames| self.look(&lambda.body, frames));
            frames.define(fact);
        }
        frames.share_if_recursive()
    }

    /// What the node says by itself.
    fn node(&self, expr: &Expr, frames: &mut Frames) -> Fact {
        let level = |level| Fact { level, ..Fact::default() };
        match &expr.kind {
            ExprKind::Variable(_) => level(Level::State),
            ExprKind::Primed(_) | ExprKind::Prime(_) | ExprKind::Unchanged(_) => {
                Fact { level: Level::Action, steadfast: false, branches: false }
            }
            ExprKind::Temporal(_) => Fact { level: Level::Temporal, steadfast: false, branches: false },
            // A definition of a random value without parameters has one value for good, as in TLC.
            ExprKind::Native(native, _) if native.run.is_hosted() && !native.draws() => level(Level::State),
            ExprKind::Call(id, _) => self.get(*id),
            ExprKind::Local(local) | ExprKind::CallLocal(local, _) => frames.fact(*local),
            ExprKind::Or(_) | ExprKind::Exists(..) => Fact { branches: true, ..Fact::default() },
            _ => Fact::default(),
        }
    }
}

impl Fact {
    fn and(self, other: Self) -> Self {
        Self {
            level: self.level.max(other.level),
            steadfast: self.steadfast && other.steadfast,
            branches: self.branches || other.branches,
        }
    }
}

/// Whether a part that branches makes the whole branch. (Which part it is does not matter: saying that something
/// branches when it does not only costs time.)
fn carries_on(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::And(_)
            | ExprKind::Or(_)
            | ExprKind::If(..)
            | ExprKind::Case { .. }
            | ExprKind::Implies(..)
            | ExprKind::ForAll(..)
            | ExprKind::Exists(..)
            | ExprKind::Let(..)
    )
}

/// The frames around an expression, as far as facts go: only what a `LET` defines has any.
#[derive(Clone, Debug, Default)]
pub(super) struct Frames {
    frames: Vec<Frame>,
}

#[derive(Clone, Debug)]
enum Frame {
    /// Names that stand for values or parameters.
    Names,
    Let {
        /// Of the definitions that have been looked at.
        known: Vec<Fact>,
        /// Whether one of them was used before it was known.
        recursive: bool,
    },
}

impl Frames {
    /// In the body of a definition.
    pub fn below_parameters() -> Self {
        Self { frames: vec![Frame::Names] }
    }

    /// Enters a frame of names that stand for values or parameters.
    pub fn push(&mut self) {
        self.frames.push(Frame::Names);
    }

    /// Enters the frame of a `LET`.
    pub fn push_let(&mut self) {
        self.frames.push(Frame::Let { known: Vec::new(), recursive: false });
    }

    /// Says something of the next definition of the innermost `LET`.
    pub fn define(&mut self, fact: Fact) {
        if let Some(Frame::Let { known, .. }) = self.frames.last_mut() {
            known.push(fact);
        }
    }

    /// Makes definitions of the innermost `LET` that need each other depend on the same, and says what holds of them
    /// all.
    pub fn share_if_recursive(&mut self) -> Fact {
        let Some(Frame::Let { known, recursive }) = self.frames.last_mut() else { return Fact::default() };
        let all = known.iter().copied().fold(Fact::default(), Fact::and);
        if *recursive {
            known.iter_mut().for_each(|fact| *fact = all);
        }
        all
    }

    /// Leaves a frame.
    pub fn pop(&mut self) {
        self.frames.pop();
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Looks at something below more frames of names.
    pub fn below<T>(&mut self, more: usize, look: impl FnOnce(&mut Self) -> T) -> T {
        (0..more).for_each(|_| self.push());
        let result = look(self);
        (0..more).for_each(|_| self.pop());
        result
    }

    fn fact(&mut self, local: Local) -> Fact {
        let at = self.frames.len().checked_sub(1 + local.depth as usize);
        match at.and_then(|at| self.frames.get_mut(at)) {
            Some(Frame::Let { known, recursive }) => known.get(local.index as usize).copied().unwrap_or_else(|| {
                *recursive = true;
                Fact::default()
            }),
            _ => Fact::default(),
        }
    }
}

/// Something in an expression that is bound outside of it.
pub(super) enum Free {
    /// A name, as seen from outside of the expression.
    Local(Local),
    /// The operand of an `ENABLED`, which is not looked into.
    Action,
}

/// Calls `visit` for everything in an expression that is bound outside of it. The expression stands below so many
/// frames that count as its own.
pub(super) fn free(expr: &Expr, below: u32, visit: &mut dyn FnMut(Free)) {
    if let ExprKind::Local(local) | ExprKind::CallLocal(local, _) = &expr.kind {
        free_local(*local, below, visit);
    }
    parts(expr, &mut |part| match part {
        Part::Here(inner) => free(inner, below, visit),
        Part::Below { expr, frames } => free(expr, below + frames as u32, visit),
        Part::Let { group, body } => {
            for definition in &group.definitions {
                let lambda = &definition.lambda;
                free(&lambda.body, below + 1 + u32::from(lambda.arity > 0), visit);
            }
            free(body, below + 1, visit);
        }
        Part::Enabled => visit(Free::Action),
        Part::Local(local) => free_local(local, below, visit),
        Part::Definition(_) => {}
    });
}

fn free_local(local: Local, below: u32, visit: &mut dyn FnMut(Free)) {
    if let Some(depth) = local.depth.checked_sub(below) {
        visit(Free::Local(Local { depth, ..local }));
    }
}

/// Whether a condition says anything of something that is bound outside of it.
pub(super) fn any_free(expr: &Expr, below: u32, matters: &dyn Fn(Free) -> bool) -> bool {
    let mut any = false;
    free(expr, below, &mut |found| any = any || matters(found));
    any
}
