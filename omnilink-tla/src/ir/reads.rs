//! What a formula reads, found without evaluating it.

use std::collections::{BTreeSet, HashSet};

use super::visit::{Part, parts};
use super::{DefinitionId, Expr, ExprKind, Program, VariableId};

/// What a formula reads, definitions that it uses included.
#[derive(Debug, Default)]
pub struct Reads {
    /// The variables.
    pub variables: BTreeSet<VariableId>,
    /// The variables of the next state.
    pub next_variables: BTreeSet<VariableId>,
    /// Whether it depends on the next state, or on whether an action is enabled.
    pub looks_ahead: bool,
    /// Whether it depends on whether an action is enabled.
    pub asks_enabled: bool,
    /// Whether it depends on more than the state: registers, random numbers, the time.
    pub asks_outside: bool,
    /// Whether evaluating it goes through sets.
    pub has_loops: bool,
}

impl Reads {
    /// Finds it.
    pub fn of(expr: &Expr, program: &Program) -> Self {
        let mut finder = Finder { program, reads: Self::default(), seen: HashSet::new(), primed: false };
        finder.look(expr);
        finder.reads
    }
}

/// Whether evaluating an expression certainly comes to read a variable, whatever the names in it stand for. So many
/// definitions deep one looks for that.
pub fn surely_reads(expr: &Expr, program: &Program, depth: u32) -> bool {
    let reads = |expr: &Expr| surely_reads(expr, program, depth);
    match &expr.kind {
        ExprKind::Variable(_) | ExprKind::Primed(_) => true,
        ExprKind::Prime(part)
        | ExprKind::Not(part)
        | ExprKind::Domain(part)
        | ExprKind::Field(part, _)
        | ExprKind::Unchanged(part)
        | ExprKind::Implies(part, _)
        | ExprKind::If(part, ..) => reads(part),
        ExprKind::And(parts) | ExprKind::Or(parts) => parts.first().is_some_and(reads),
        ExprKind::Equal(left, right)
        | ExprKind::NotEqual(left, right)
        | ExprKind::Equivalent(left, right)
        | ExprKind::In(left, right)
        | ExprKind::NotIn(left, right)
        | ExprKind::Apply(left, right) => reads(left) || reads(right),
        ExprKind::Call(id, _) if depth > 0 => surely_reads(&program.definition(*id).body, program, depth - 1),
        _ => false,
    }
}

struct Finder<'p> {
    program: &'p Program,
    reads: Reads,
    /// The definitions that were looked into, and whether inside a prime.
    seen: HashSet<(DefinitionId, bool)>,
    /// Whether we are inside a prime.
    primed: bool,
}

impl Finder<'_> {
    fn look(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Variable(variable) => self.variable(*variable, self.primed),
            ExprKind::Primed(variable) => self.variable(*variable, true),
            ExprKind::Prime(inner) => return self.next(inner),
            ExprKind::Unchanged(inner) => self.next(inner),
            ExprKind::Native(native, _) => {
                self.reads.asks_outside |= native.run.is_hosted();
                self.reads.has_loops |= native.name == "\\subseteq";
            }
            ExprKind::Call(id, _) => self.definition(*id),
            ExprKind::ForAll(..)
            | ExprKind::Exists(..)
            | ExprKind::In(..)
            | ExprKind::Function(_)
            | ExprKind::SetFilter(_)
            | ExprKind::SetMap(..) => self.reads.has_loops = true,
            _ => {}
        }
        parts(expr, &mut |part| match part {
            Part::Here(inner) | Part::Below { expr: inner, .. } => self.look(inner),
            Part::Let { group, body } => {
                group.definitions.iter().for_each(|definition| self.look(&definition.lambda.body));
                self.look(body);
            }
            Part::Definition(id) => self.definition(id),
            Part::Enabled => (self.reads.looks_ahead, self.reads.asks_enabled) = (true, true),
            Part::Local(_) => {}
        });
    }

    /// Looks at what has a prime.
    fn next(&mut self, inner: &Expr) {
        self.reads.looks_ahead = true;
        let outer = std::mem::replace(&mut self.primed, true);
        self.look(inner);
        self.primed = outer;
    }

    fn variable(&mut self, variable: VariableId, primed: bool) {
        if primed {
            self.reads.looks_ahead = true;
            self.reads.next_variables.insert(variable);
        } else {
            self.reads.variables.insert(variable);
        }
    }

    fn definition(&mut self, id: DefinitionId) {
        if self.seen.insert((id, self.primed)) {
            let program = self.program;
            self.look(&program.definition(id).body);
        }
    }
}
