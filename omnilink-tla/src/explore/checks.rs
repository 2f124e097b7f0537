//! Invariants and properties, checked once per combination of values that they read.
//!
//! Most conjuncts of an invariant read few of the variables (`rmState \in [RM -> …]` reads one), and these take far fewer
//! values than there are states. A conjunct that was true for the values it reads stays true for them, so it is evaluated
//! again only for new ones. The same goes for steps, which read the variables of two states.

use std::collections::HashSet;

use crate::diagnostic::TlaError;
use crate::eval::Moment;
use crate::ir::{Expr, ExprKind, Program, Reads, VariableId};
use crate::source::Span;
use crate::spec::{Spec, State};
use crate::symbol::Symbol;
use crate::value::{Fingerprint, FingerprintHasher, Value};

/// What does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    Invariant(Symbol),
    Property {
        property: Symbol,
        /// The conjunct of it that does not hold.
        formula: Span,
    },
}

/// All that must hold.
pub(super) struct Checks<'s> {
    states: Vec<Conjunct<'s>>,
    initial: Vec<Conjunct<'s>>,
    steps: Vec<Conjunct<'s>>,
    spec: &'s Spec,
}

struct Conjunct<'s> {
    broken: Broken,
    expr: &'s Expr,
    kept: Option<Kept>,
}

/// For which values a conjunct was true.
struct Kept {
    variables: Vec<VariableId>,
    next_variables: Vec<VariableId>,
    holds: HashSet<Fingerprint, FingerprintHasher>,
}

/// For how many combinations of values a conjunct is remembered: a bound for memory.
const MOST_KEPT: usize = 1 << 21;

impl<'s> Checks<'s> {
    /// Those of a specification: its invariants, and what its properties say of states and steps.
    pub fn of(spec: &'s Spec) -> Self {
        let program = spec.program();
        let mut checks = Self { states: Vec::new(), initial: Vec::new(), steps: Vec::new(), spec };
        for invariant in &program.invariants {
            split(&invariant.expr, program, &mut |expr| {
                checks.states.push(Conjunct::of(Broken::Invariant(invariant.name), expr, program));
            });
        }
        for property in &program.properties {
            let lists = [&mut checks.states, &mut checks.initial, &mut checks.steps];
            for (list, formula) in lists.into_iter().zip([&property.states, &property.initial, &property.steps]) {
                let Some(formula) = formula else { continue };
                split(formula, program, &mut |expr| {
                    let broken = Broken::Property { property: property.name, formula: expr.span };
                    list.push(Conjunct::of(broken, expr, program));
                });
            }
        }
        checks
    }

    /// Whether something must hold for steps.
    pub fn look_at_steps(&self) -> bool {
        !self.steps.is_empty()
    }

    /// The first invariant, or property about all states, that a state violates.
    pub fn broken_in(&mut self, state: &State) -> Result<Option<Broken>, Box<TlaError>> {
        let moment = Moment::state(state.values());
        let broken = first_broken(self.spec, &mut self.states, &moment);
        match broken {
            // Evaluated as a whole, the error tells the way to it.
            Err(error) => self.spec.violated_invariant(state).map_or_else(Err, |_| Err(error)),
            broken => broken,
        }
    }

    /// The first property that an initial state violates.
    pub fn broken_initially(&mut self, state: &State) -> Result<Option<Broken>, Box<TlaError>> {
        first_broken(self.spec, &mut self.initial, &Moment::state(state.values()))
    }

    /// The first property that a step violates.
    pub fn broken_by_step(&mut self, from: &State, to: &State) -> Result<Option<Broken>, Box<TlaError>> {
        first_broken(self.spec, &mut self.steps, &Moment::step(from.values(), to.values()))
    }
}

fn first_broken(
    spec: &Spec,
    conjuncts: &mut [Conjunct<'_>],
    moment: &Moment<'_>,
) -> Result<Option<Broken>, Box<TlaError>> {
    for Conjunct { broken, expr, kept } in conjuncts {
        let fingerprint = kept.as_ref().map(|kept| kept.fingerprint(moment));
        if let (Some(kept), Some(fingerprint)) = (&*kept, fingerprint)
            && kept.holds.contains(&fingerprint)
        {
            continue;
        }
        if !spec.holds_at(expr, moment)? {
            return Ok(Some(*broken));
        }
        if let (Some(kept), Some(fingerprint)) = (kept, fingerprint)
            && kept.holds.len() < MOST_KEPT
        {
            kept.holds.insert(fingerprint);
        }
    }
    Ok(None)
}

impl<'s> Conjunct<'s> {
    fn of(broken: Broken, expr: &'s Expr, program: &Program) -> Self {
        Self { broken, expr, kept: Kept::of(expr, program) }
    }
}

impl Kept {
    /// If remembering pays: the conjunct reads some of the variables only, and evaluating it is work.
    fn of(expr: &Expr, program: &Program) -> Option<Self> {
        let reads = Reads::of(expr, program);
        let depends_on_more = reads.asks_enabled || reads.asks_outside;
        let pays = reads.has_loops && !depends_on_more && reads.variables.len() < program.variables.len();
        let variables = reads.variables.into_iter().collect();
        let next_variables = reads.next_variables.into_iter().collect();
        pays.then(|| Self { variables, next_variables, holds: HashSet::default() })
    }

    fn fingerprint(&self, moment: &Moment<'_>) -> Fingerprint {
        let now = self.variables.iter().map(|variable| moment.state[variable.0 as usize].fingerprint());
        let next = self.next_variables.iter().filter_map(|variable| moment.next(*variable));
        Fingerprint::of_sequence(now.chain(next.map(Value::fingerprint)))
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
