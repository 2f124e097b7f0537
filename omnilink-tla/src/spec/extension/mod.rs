//! Constant extension: whether a behaviour would change if a constant set had more elements.
//!
//! A specification was checked with a set `C` for a constant, and its user may have another one, `D`, with more elements.
//! The arguments of the actions that were run are elements of `C`. `store = [k \in Keys |-> 0]`, `store[key]` and
//! `[store EXCEPT ![key] = e]` then have the same values for both where it matters; `DOMAIN store`, `\A k \in Keys : …` and
//! `Cardinality(Keys)` do not. (A specification that no such extension changes is data independent in `Keys`, in the sense of
//! Wolper, POPL 1986.)
//!
//! Why it is sound: every expression gets a [kind], which says how its value for `C` and its value for `D` are related, if the
//! variables are related as their kinds say. Each rule gives an expression a kind only if the relation follows from those of its
//! parts, or if evaluating it for `C` fails, which is not taken for "cannot happen": a function over `C` has no value outside
//! of it. The kinds of variables are those that the initial predicate and all assignments give them, together. What decides
//! whether there is a step has to be equal for both. So to every initial state for `D` there is a related one for `C`, and to
//! every step for `D` from a state there is a step for `C` from the related one, to a related one: if there is an order of
//! calls for `D`, there is one for `C`, or something on the way cannot be evaluated for `C`.
//! The other way round: to a behaviour for `C` there is one for `D`, if `C` is not empty (a function from `C` to some set can then be
//! continued to `D`) and contained in `D`, or something on the way cannot be evaluated for `D`.
//!
//! Whatever is not in the rules makes a difference.

mod act;
mod env;
mod expr;
mod kind;

use std::collections::{HashMap, HashSet};

use self::env::Env;
use self::kind::Kind;
use super::Spec;
use super::uses::everywhere;
use crate::ir::{DefinitionId, Expr, ExprKind, NamedFormula, Program};
use crate::source::Span;

/// What the extension of a constant may change, each with a place where it does.
#[derive(Debug, Default)]
pub struct ExtensionEffects {
    /// The initial predicate, a disjunct that calls a recorded action, that action, or an operator that a rule adds to it.
    pub behaviour: Option<Span>,
    /// A constraint.
    pub constraints: Option<Span>,
    /// An invariant.
    pub invariants: Option<Span>,
}

/// A constant that may have more elements, and what is run with it.
pub struct ConstantExtension<'a> {
    /// The constant, which has no value.
    pub constant: &'a str,
    /// Where it is written as the set that an argument is taken from. All these arguments are known.
    pub bounds: &'a [Span],
    /// Whether an action of this name was recorded; the others are not run.
    pub is_recorded: &'a dyn Fn(&str) -> bool,
    /// Operators of one parameter that are evaluated with recorded values, too.
    pub operators: &'a [&'a str],
}

/// How many parts of expressions are looked at in all.
const PARTS: u32 = 1 << 17;
/// How deep.
const DEPTH: u32 = 400;
/// How many times the kinds of variables are made more general.
const ROUNDS: usize = 16;

/// A result, unless the extension may change it: then a place where it does.
type Unaffected<T = ()> = Result<T, Span>;

impl Spec {
    /// What the extension of a constant may change.
    #[doc(hidden)]
    pub fn extension_effects(&self, extension: &ConstantExtension<'_>) -> ExtensionEffects {
        let mut finder = Finder {
            program: &self.program,
            constant: extension.constant,
            extension,
            actions: self.actions.actions.iter().map(|action| action.definition).collect(),
            kinds: vec![Kind::Plain; self.program.variables.len()],
            indifferent: HashMap::new(),
            left: PARTS,
            depth: 0,
        };
        if let Err(place) = finder.behaviour() {
            return ExtensionEffects { behaviour: Some(place), ..ExtensionEffects::default() };
        }
        let constraints = self.program.constraints.iter().chain(&self.program.action_constraints);
        ExtensionEffects {
            behaviour: None,
            constraints: finder.formulas(constraints).err(),
            invariants: finder.formulas(self.program.invariants.iter()).err(),
        }
    }
}

struct Finder<'p> {
    program: &'p Program,
    constant: &'p str,
    extension: &'p ConstantExtension<'p>,
    /// The definitions that are actions.
    actions: HashSet<DefinitionId>,
    /// Of the variables, as far as they are known.
    kinds: Vec<Kind>,
    /// Definitions that use neither the constant nor a variable that depends on it, as far as these are known.
    indifferent: HashMap<DefinitionId, bool>,
    left: u32,
    depth: u32,
}

impl<'p> Finder<'p> {
    /// Finds the kinds of the variables. At the end nothing has changed, so all was looked at with the kinds that are found.
    fn behaviour(&mut self) -> Unaffected {
        for _ in 0..ROUNDS {
            let before = self.kinds.clone();
            self.indifferent.clear();
            self.look()?;
            if self.kinds == before {
                return Ok(());
            }
        }
        Err(self.anywhere())
    }

    fn look(&mut self) -> Unaffected {
        let program = self.program;
        if let Some(init) = &program.init {
            self.init(init)?;
        }
        if let Some((_, next)) = &program.next {
            self.next(next)?;
        }
        // States that it gives the same value are taken for the same.
        self.formulas(program.view.iter())?;
        for &operator in self.extension.operators {
            let named = program.definitions.iter().filter(|definition| definition.name.as_str() == operator);
            for definition in named {
                let env = Env::default().enter_kinds(&Kind::Plain, definition.params.len());
                self.plain(&definition.body, &env)?;
            }
        }
        Ok(())
    }

    fn formulas(&mut self, mut formulas: impl Iterator<Item = &'p NamedFormula>) -> Unaffected {
        formulas.try_for_each(|formula| self.plain(&formula.expr, &Env::default()))
    }

    fn anywhere(&self) -> Span {
        let constants = self.program.constants.iter();
        let named = constants.filter(|constant| constant.name.as_str() == self.constant).map(|constant| constant.span);
        named
            .chain(self.program.next.as_ref().map(|(_, next)| next.span))
            .next()
            .expect("somebody asked for a constant")
    }

    /// Looks at a part, if that is not too much.
    fn deeper<T>(&mut self, place: Span, look: impl FnOnce(&mut Self) -> Unaffected<T>) -> Unaffected<T> {
        if self.left == 0 || self.depth == DEPTH {
            return Err(place);
        }
        self.left -= 1;
        self.depth += 1;
        let result = look(self);
        self.depth -= 1;
        result
    }

    /// Whether a definition and all that it calls use neither the constant nor a variable that depends on it.
    fn is_indifferent(&mut self, id: DefinitionId) -> bool {
        if let Some(known) = self.indifferent.get(&id) {
            return *known;
        }
        let (mut open, mut seen, mut found) = (vec![id], HashSet::from([id]), true);
        while let Some(id) = open.pop().filter(|_| found) {
            let mut visit = |expr: &Expr| {
                found &= match &expr.kind {
                    ExprKind::UnassignedConstant(name) => name.as_str() != self.constant,
                    ExprKind::Variable(variable) | ExprKind::Primed(variable) => {
                        self.kinds[variable.0 as usize].is_plain()
                    }
                    ExprKind::Enabled(_) => false,
                    _ => true,
                };
            };
            let mut called = |id| {
                if seen.insert(id) {
                    open.push(id);
                }
            };
            everywhere(&self.program.definition(id).body, &mut visit, &mut called);
        }
        self.indifferent.insert(id, found);
        found
    }
}
