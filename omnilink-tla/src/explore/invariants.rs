//! Invariants, checked once per combination of values that they read.
//!
//! Most conjuncts of an invariant read few of the variables (`rmState \in [RM -> …]` reads one), and these take far fewer
//! values than there are states. A conjunct that was true for the values it reads stays true for them, so it is evaluated
//! again only for new ones.

use std::collections::HashSet;

use crate::diagnostic::TlaError;
use crate::ir::{Expr, ExprKind, Program, Reads, VariableId};
use crate::spec::{Spec, State};
use crate::symbol::Symbol;
use crate::value::{Fingerprint, FingerprintHasher};

/// The invariants of a specification.
pub(super) struct Invariants<'s> {
    spec: &'s Spec,
    conjuncts: Vec<Conjunct<'s>>,
}

struct Conjunct<'s> {
    invariant: Symbol,
    expr: &'s Expr,
    kept: Option<Kept>,
}

/// For which values a conjunct was true.
struct Kept {
    variables: Vec<VariableId>,
    holds: HashSet<Fingerprint, FingerprintHasher>,
}

impl<'s> Invariants<'s> {
    pub fn of(spec: &'s Spec) -> Self {
        let program = spec.program();
        let mut conjuncts = Vec::new();
        for invariant in &program.invariants {
            split(&invariant.expr, program, &mut |expr| {
                conjuncts.push(Conjunct { invariant: invariant.name, expr, kept: Kept::of(expr, program) });
            });
        }
        Self { spec, conjuncts }
    }

    /// The first invariant that a state violates.
    pub fn violated(&mut self, state: &State) -> Result<Option<Symbol>, Box<TlaError>> {
        for Conjunct { invariant, expr, kept } in &mut self.conjuncts {
            let fingerprint = kept.as_ref().map(|kept| kept.fingerprint(state));
            if let (Some(kept), Some(fingerprint)) = (&*kept, fingerprint)
                && kept.holds.contains(&fingerprint)
            {
                continue;
            }
            match self.spec.holds_in(expr, state) {
                Some(true) => {
                    if let (Some(kept), Some(fingerprint)) = (kept, fingerprint) {
                        kept.holds.insert(fingerprint);
                    }
                }
                Some(false) => return Ok(Some(*invariant)),
                // Evaluated as a whole, the error tells the way to it.
                None => return self.spec.violated_invariant(state),
            }
        }
        Ok(None)
    }
}

impl Kept {
    /// If remembering pays: the conjunct reads some of the variables only, and evaluating it is work.
    fn of(expr: &Expr, program: &Program) -> Option<Self> {
        let reads = Reads::of(expr, program);
        let depends_on_more = reads.looks_ahead || reads.asks_outside;
        let pays = reads.has_loops && !depends_on_more && reads.variables.len() < program.variables.len();
        pays.then(|| Self { variables: reads.variables.into_iter().collect(), holds: HashSet::default() })
    }

    fn fingerprint(&self, state: &State) -> Fingerprint {
        let values = state.values();
        Fingerprint::of_sequence(self.variables.iter().map(|variable| values[variable.0 as usize].fingerprint()))
    }
}

/// The conjuncts of a formula, looking into definitions without parameters.
fn split<'s>(expr: &'s Expr, program: &'s Program, visit: &mut dyn FnMut(&'s Expr)) {
    match &expr.kind {
        ExprKind::And(parts) => parts.iter().for_each(|part| split(part, program, visit)),
        ExprKind::Call(id, args) if args.is_empty() => match &program.definition(*id).body {
            body @ Expr { kind: ExprKind::And(_) | ExprKind::Call(..), .. } => split(body, program, visit),
            _ => visit(expr),
        },
        _ => visit(expr),
    }
}
