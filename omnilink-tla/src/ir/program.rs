//! Everything that was compiled.

use std::sync::OnceLock;

use super::{Action, Expr, ExprKind};
use crate::builtin::Native;
use crate::diagnostic::Diagnostic;
use crate::source::{Sources, Span};
use crate::symbol::Symbol;
use crate::value::Value;

/// Which variable: its place in every state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// Which definition of [`Program::definitions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DefinitionId(pub u32);

/// What an expression depends on, as in TLA+'s definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// On nothing that changes.
    Constant,
    /// On the state.
    State,
    /// On the state and the next one.
    Action,
    /// On a whole behaviour.
    Temporal,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Symbol,
    /// Where it is declared.
    pub span: Span,
}

/// A declared constant.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: Symbol,
    /// Where it is declared.
    pub span: Span,
    /// How many arguments it takes; 0 for a plain constant.
    pub arity: usize,
    /// What it was given.
    pub given: ConstantValue,
}

/// What a constant was given.
#[derive(Clone, Debug)]
pub enum ConstantValue {
    /// A value.
    Value(Value),
    /// A definition: `N <- Def` in a configuration, or an expression on the command line.
    Definition(DefinitionId),
    /// An operator of a built-in module.
    Native(&'static Native),
    /// Nothing: an error once it is needed.
    Unassigned,
}

/// A definition of the module level, or one of an instance.
#[derive(Debug)]
pub struct Definition {
    /// Its name as users see it: `Op`, or `I!Op` for one of an instance.
    pub name: Symbol,
    /// The names and arities of its parameters. Those of a parameterised instance come first.
    pub params: Vec<(Symbol, usize)>,
    /// Where it is defined.
    pub span: Span,
    /// What it depends on, its arguments aside.
    pub level: Level,
    /// As a value.
    pub body: Expr,
    /// As an action, if `Init`, `Next` or an `ENABLED` reach it.
    pub action: Option<Action>,
    /// For a definition without parameters that is constant: its value, once it was needed.
    pub constant: OnceLock<Value>,
}

impl Definition {
    /// Whether its value is the same everywhere and may be kept.
    pub fn is_constant(&self) -> bool {
        self.params.is_empty() && self.level == Level::Constant
    }
}

/// A formula with the name that a config file or a person knows it by.
#[derive(Debug)]
pub struct NamedFormula {
    /// The name.
    pub name: Symbol,
    /// The formula.
    pub expr: Expr,
}

/// A `PROPERTY`: what it says of single states and steps, and what it says beyond that.
#[derive(Debug)]
pub struct Property {
    /// The name.
    pub name: Symbol,
    /// What must hold in initial states.
    pub initial: Option<Expr>,
    /// What must hold in all states.
    pub states: Option<Expr>,
    /// What must hold for all steps.
    pub steps: Option<Expr>,
    /// What cannot be decided by looking at states and steps.
    pub unchecked: Vec<Unchecked>,
}

impl Property {
    /// A property that says nothing yet.
    pub fn named(name: Symbol) -> Self {
        Self { name, initial: None, states: None, steps: None, unchecked: Vec::new() }
    }
}

/// A part of a property that is not checked.
#[derive(Clone, Copy, Debug)]
pub struct Unchecked {
    /// Where it is written.
    pub span: Span,
    /// What it is: `a formula with ~>`.
    pub what: &'static str,
}

/// A specification, compiled.
#[derive(Debug)]
pub struct Program {
    /// The files it was read from.
    pub sources: Sources,
    /// The root module's name.
    pub module: Symbol,
    /// Its variables, in the order declared: the order of a state's values.
    pub variables: Vec<Variable>,
    /// Its constants, in the order declared.
    pub constants: Vec<Constant>,
    /// All definitions that were compiled.
    pub definitions: Vec<Definition>,
    /// The initial predicate, to be run.
    pub init: Option<Action>,
    /// The next-state relation, to be run, with the name of the operator.
    pub next: Option<(Symbol, Action)>,
    /// `ASSUME`s of the root module and of what it extends.
    pub assumptions: Vec<NamedFormula>,
    /// `INVARIANT`s.
    pub invariants: Vec<NamedFormula>,
    /// `CONSTRAINT`s.
    pub constraints: Vec<NamedFormula>,
    /// `ACTION_CONSTRAINT`s.
    pub action_constraints: Vec<NamedFormula>,
    /// `VIEW`.
    pub view: Option<NamedFormula>,
    /// `SYMMETRY`.
    pub symmetry: Option<NamedFormula>,
    /// `PROPERTIES`.
    pub properties: Vec<Property>,
    /// `CHECK_DEADLOCK`, if the configuration says something about it.
    pub check_deadlock: Option<bool>,
    /// What else the configuration names and nothing here evaluates, each with its section: `PROPERTY`, `SYMMETRY`, ….
    pub set_aside: Vec<(&'static str, Symbol)>,
    /// Names that the configuration replaces, `Name <- Definition`, each with what by.
    pub replaced: Vec<(Symbol, Symbol)>,
    /// What is suspicious but no error.
    pub warnings: Vec<Diagnostic>,
}

impl Program {
    /// A definition.
    pub fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.0 as usize]
    }

    /// The variables of an `UNCHANGED`, if it names nothing else and each once.
    pub(crate) fn unchanged_variables(&self, expr: &Expr) -> Option<Vec<VariableId>> {
        let parts = match &expr.kind {
            ExprKind::Call(id, args) if args.is_empty() => match &self.definition(*id).body.kind {
                ExprKind::Tuple(parts) => parts,
                _ => return None,
            },
            ExprKind::Tuple(parts) => parts,
            _ => std::slice::from_ref(expr),
        };
        let mut variables = Vec::new();
        for part in parts {
            match &part.kind {
                ExprKind::Variable(variable) if !variables.contains(variable) => variables.push(*variable),
                _ => return None,
            }
        }
        Some(variables)
    }
}
