//! A specification that was loaded: its actions, its states and steps, and explanations.
//!
//! ```text
//!  Spec::load ─► actions()                     what Next consists of: actions, and the disjuncts that call them
//!             ─► init_states(), successors()   all that can happen
//!             ─► step()                        one action with recorded arguments
//!             ─► explain()                     why it could not happen
//!             ─► branches()                    its disjuncts and the like, and which of them a step takes
//! ```

mod absent;
mod actions;
mod branches;
mod compiled;
mod explain;
mod extension;
mod options;
mod session;
mod state;
mod step;
mod uses;
mod visit;

use std::path::Path as FilePath;
use std::sync::{Arc, OnceLock};

pub use actions::{Actions, Disjunct, Guard, Nameless, Passed, Quantifier, SpecAction};
pub use branches::{Branch, BranchKind};
pub use explain::{Explanation, Outcome, Part, Role, Valued};
pub use options::Options;
pub use session::Session;
pub use state::{State, StateText};
pub use step::{ActionId, Candidate, Step};

use crate::diagnostic::{Diagnostic, TlaError};
pub use crate::eval::Argument;
use crate::eval::{Context, Evaluator, Failure, Host, Moment};
use crate::ir::{Expr, NamedFormula, Program};
use crate::source::Sources;
use crate::symbol::Symbol;
use crate::value::{Value, ValueError};

/// What the checker asks about actions and constants, for `crate::internal`.
pub(crate) mod analysis {
    pub use super::compiled::{ArgumentSets, CompiledAction};
    pub use super::extension::{ConstantExtension, ExtensionEffects};
    pub use super::uses::Beginning;
    pub use crate::eval::{Entry, Footprint, Refusal, Touch};
    pub use crate::ir::VariableId;
}

/// A specification that was loaded.
#[derive(Clone)]
pub struct Spec {
    program: Arc<Program>,
    host: Arc<dyn Host>,
    actions: Arc<Actions>,
    /// Of each action, the sets that its arguments are taken from, once that was needed.
    argument_sets: Arc<[OnceLock<Option<compiled::ArgumentSets>>]>,
}

impl Spec {
    /// Reads a specification with all modules it needs, checks it and compiles it.
    ///
    /// # Errors
    /// All that is wrong with the files, with their places.
    pub fn load(path: impl AsRef<FilePath>, options: &Options) -> Result<Self, Box<TlaError>> {
        Self::load_with(path, options, Arc::new(Session::default()))
    }

    /// The same, where what the specification prints, sets and asks for goes to a host of one's own.
    ///
    /// # Errors
    /// All that is wrong with the files, with their places.
    pub fn load_with(
        path: impl AsRef<FilePath>,
        options: &Options,
        host: Arc<dyn Host>,
    ) -> Result<Self, Box<TlaError>> {
        let program = Arc::new(options.compile(path.as_ref())?);
        let actions = program.next.as_ref().map(|(_, next)| Actions::of(&program, next)).unwrap_or_default();
        let argument_sets = actions.actions.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { program, host, actions: Arc::new(actions), argument_sets })
    }

    /// What was compiled: variables, constants, definitions, warnings. Its types are internal.
    #[doc(hidden)]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The files it was read from.
    pub fn sources(&self) -> &Sources {
        &self.program.sources
    }

    /// Where what it prints, sets and asks for goes.
    pub fn host(&self) -> &Arc<dyn Host> {
        &self.host
    }

    /// The actions of the next-state relation.
    pub fn actions(&self) -> &Actions {
        &self.actions
    }

    /// The action of a name.
    pub fn action(&self, name: &str) -> Option<ActionId> {
        self.actions.actions.iter().position(|action| action.name.as_str() == name).map(ActionId)
    }

    /// A state as TLA+.
    pub fn show<'a>(&'a self, state: &'a State) -> StateText<'a> {
        StateText { variables: &self.program.variables, state }
    }

    /// The value of a definition that has no parameters and depends on no variable.
    ///
    /// # Errors
    /// If there is none of this name, or if it cannot be evaluated.
    pub fn constant(&self, name: &str) -> Result<Value, Box<TlaError>> {
        let mut definitions = self.program.definitions.iter();
        match definitions.find(|definition| definition.name.as_str() == name && definition.params.is_empty()) {
            Some(found) => {
                self.evaluator().value(&found.body, Context::CONSTANT).map_err(|failure| self.error(failure))
            }
            None => Err(self.report(Diagnostic::error(format!("no definition without parameters is named `{name}`")))),
        }
    }

    /// The first `ASSUME` that is false.
    ///
    /// # Errors
    /// If one cannot be evaluated.
    #[doc(hidden)]
    pub fn false_assumption(&self) -> Result<Option<&NamedFormula>, Box<TlaError>> {
        for assumption in &self.program.assumptions {
            if !self.holds(assumption, Context::CONSTANT)? {
                return Ok(Some(assumption));
            }
        }
        Ok(None)
    }

    /// The first invariant that a state violates.
    ///
    /// # Errors
    /// If one cannot be evaluated.
    pub fn violated_invariant(&self, state: &State) -> Result<Option<Symbol>, Box<TlaError>> {
        let moment = Moment::state(state.values());
        let cx = Context::of(&moment);
        for invariant in &self.program.invariants {
            if !self.holds(invariant, cx)? {
                return Ok(Some(invariant.name));
            }
        }
        Ok(None)
    }

    /// Whether a state is inside of all `CONSTRAINT`s.
    ///
    /// # Errors
    /// If one cannot be evaluated.
    pub fn satisfies_constraints(&self, state: &State) -> Result<bool, Box<TlaError>> {
        self.all_hold(&self.program.constraints, &Moment::state(state.values()))
    }

    /// Whether a step is inside of all `ACTION_CONSTRAINT`s.
    ///
    /// # Errors
    /// If one cannot be evaluated.
    pub fn satisfies_action_constraints(&self, from: &State, to: &State) -> Result<bool, Box<TlaError>> {
        self.all_hold(&self.program.action_constraints, &Moment::step(from.values(), to.values()))
    }

    /// The `VIEW` of a state, if the configuration has one.
    ///
    /// # Errors
    /// If it cannot be evaluated.
    pub fn view(&self, state: &State) -> Result<Option<Value>, Box<TlaError>> {
        let moment = Moment::state(state.values());
        let view = |view: &NamedFormula| self.evaluator().value(&view.expr, Context::of(&moment));
        self.program.view.as_ref().map(view).transpose().map_err(|failure| self.error(failure))
    }

    /// The value of an expression that depends on no state.
    pub(crate) fn constant_value(&self, expr: &Expr) -> Result<Value, Box<TlaError>> {
        self.evaluator().value(expr, Context::CONSTANT).map_err(|failure| self.error(failure))
    }

    /// An error of a value operation that stands nowhere in the specification.
    pub(crate) fn value_error(&self, error: ValueError) -> Box<TlaError> {
        self.error(Failure::from(error))
    }

    /// Tells the host how many states the way to the current one has.
    pub(crate) fn enter_level(&self, level: u64) {
        self.host.enter_level(level);
    }

    fn all_hold(&self, formulas: &[NamedFormula], moment: &Moment<'_>) -> Result<bool, Box<TlaError>> {
        for formula in formulas {
            if !self.holds(formula, Context::of(moment))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a formula is true in a state or for a step.
    pub(crate) fn holds_at(&self, expr: &Expr, moment: &Moment<'_>) -> Result<bool, Box<TlaError>> {
        self.evaluator().holds(expr, Context::of(moment)).map_err(|failure| self.error(failure))
    }

    fn holds(&self, formula: &NamedFormula, cx: Context<'_>) -> Result<bool, Box<TlaError>> {
        self.evaluator().holds(&formula.expr, cx).map_err(|failure| self.error(failure))
    }

    #[inline]
    fn evaluator(&self) -> Evaluator<'_> {
        Evaluator::new(&self.program, &self.host)
    }

    fn error(&self, failure: Failure) -> Box<TlaError> {
        self.report(failure.into_diagnostic())
    }

    pub(crate) fn report(&self, diagnostic: Diagnostic) -> Box<TlaError> {
        TlaError::new(diagnostic, self.sources())
    }
}
