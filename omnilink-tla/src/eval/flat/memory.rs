//! Expressions whose values are remembered by what they read.
//!
//! `[snapshot EXCEPT ![t][k] = v]` for given `t`, `k` and `v` reads one variable, and a variable takes far fewer values than
//! there are states. So what was computed is kept and found again by the fingerprints of the variables that it was computed
//! from, which costs a fraction of computing it; and its own fingerprint is then known, too.

use smallvec::SmallVec;

use super::super::{Context, Evaluator, Failure};
use super::scope::Scope;
use super::table::{Known, Room, Table, Worth};
use crate::ir::visit::{Part, parts};
use crate::ir::{Expr, ExprKind, Program, Reads, VariableId};
use crate::value::{Fingerprint, Value};

/// An expression in a scope of constants.
pub(super) struct Remembered<'p> {
    expr: &'p Expr,
    scope: Scope,
    memory: Option<Box<Memory>>,
}

/// What an expression was, by the variables that it reads.
struct Memory {
    variables: Box<[VariableId]>,
    next_variables: Box<[VariableId]>,
    table: Table,
}

/// The fingerprints of a state's values and of the next state's, as far as they are assigned, by variable.
pub(super) struct Fingerprints {
    pub own: SmallVec<[Fingerprint; 8]>,
    pub next: SmallVec<[Fingerprint; 8]>,
}

/// What depends on more variables than this is seldom the same again.
const WIDEST: usize = 4;

/// Making a value costs more than finding it, even if that goes to memory.
const MADE: Worth = Worth { places: 1 << 16, least: 2 };
/// Reading a part of a value costs no more than finding what it was, unless that is at hand.
const READ: Worth = Worth { places: 1 << 8, least: 16 };

impl<'p> Remembered<'p> {
    /// An expression on the way to which these variables are assigned.
    pub fn new(expr: &'p Expr, scope: &Scope, assigned: &[VariableId], program: &Program, room: &Room) -> Self {
        let memory = Memory::of(expr, assigned, program, room).map(Box::new);
        Self { expr, scope: scope.clone(), memory }
    }

    /// The value, as variables hold it.
    #[inline]
    pub fn value<'a>(
        &'a mut self,
        evaluator: &Evaluator<'_>,
        fingerprints: &Fingerprints,
        cx: Context<'_>,
    ) -> Result<Known<'a>, Failure> {
        let Self { expr, scope, memory } = self;
        let evaluate = || scope.with(|env| evaluator.normal(expr, env, cx));
        match memory {
            Some(memory) if memory.table.is_used() => {
                memory.table.find(fingerprints.of(&memory.variables, &memory.next_variables), evaluate)
            }
            _ => evaluate().map(Known::new),
        }
    }

    /// Whether it is true.
    #[inline]
    pub fn holds(
        &mut self,
        evaluator: &Evaluator<'_>,
        fingerprints: &Fingerprints,
        cx: Context<'_>,
    ) -> Result<bool, Failure> {
        let Self { expr, scope, memory } = self;
        let evaluate = || scope.with(|env| evaluator.truth(expr, env, cx));
        match memory {
            Some(memory) if memory.table.is_used() => {
                let key = fingerprints.of(&memory.variables, &memory.next_variables);
                let known = memory.table.find(key, || evaluate().map(Value::Bool))?;
                Ok(matches!(*known.value, Value::Bool(true)))
            }
            _ => evaluate(),
        }
    }
}

impl Fingerprints {
    /// The fingerprint of what some variables are.
    #[inline]
    fn of(&self, variables: &[VariableId], next_variables: &[VariableId]) -> Fingerprint {
        match (variables, next_variables) {
            ([only], []) => self.own[only.0 as usize],
            _ => {
                let own = variables.iter().map(|variable| self.own[variable.0 as usize]);
                let next = next_variables.iter().map(|variable| self.next[variable.0 as usize]);
                Fingerprint::of_sequence(own.chain(next))
            }
        }
    }
}

impl Memory {
    /// If the expression depends on few variables, which are known, and on nothing else.
    fn of(expr: &Expr, assigned: &[VariableId], program: &Program, room: &Room) -> Option<Self> {
        let reads = Reads::of(expr, program);
        let width = reads.variables.len() + reads.next_variables.len();
        let is_known = reads.next_variables.iter().all(|variable| assigned.contains(variable));
        let is_name = matches!(expr.kind, ExprKind::Variable(_) | ExprKind::Primed(_));
        let depends_on_more = reads.asks_outside || reads.asks_enabled;
        let pays = (1..=WIDEST).contains(&width) && is_known && !is_name && !depends_on_more;
        pays.then(|| Self {
            variables: reads.variables.into_iter().collect(),
            next_variables: reads.next_variables.into_iter().collect(),
            table: Table::new(if is_made(expr, program) { MADE } else { READ }, room),
        })
    }
}

/// Whether evaluating an expression makes a value or goes through one.
fn is_made(expr: &Expr, program: &Program) -> bool {
    match &expr.kind {
        ExprKind::ForAll(..)
        | ExprKind::Exists(..)
        | ExprKind::Choose(..)
        | ExprKind::SetEnum(_)
        | ExprKind::SetFilter(_)
        | ExprKind::SetMap(..)
        | ExprKind::Function(_)
        | ExprKind::Record(_)
        | ExprKind::Tuple(_)
        | ExprKind::Except(..)
        | ExprKind::PointUpdate(_)
        | ExprKind::Let(..) => return true,
        ExprKind::Once(_) => return false,
        ExprKind::Call(id, _) if !program.definition(*id).is_constant() => return true,
        _ => {}
    }
    let mut work = false;
    parts(expr, &mut |part| {
        if let Part::Here(inner) | Part::Below { expr: inner, .. } = part {
            work = work || is_made(inner, program);
        }
    });
    work
}
