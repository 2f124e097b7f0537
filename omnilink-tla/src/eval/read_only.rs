//! Whether an action can change a variable at all, decided without running it.
//!
//! The answer is conservative: `true` only if every assignment that the action can reach with these arguments is `UNCHANGED`
//! or `x' = x`. Conditions that depend on nothing but the arguments decide which parts it can reach; any other condition may
//! be true or false.

use super::Evaluator;
use super::context::Context;
use super::env::{Binding, Env, Frame, Held, Lazy, Unknown, UnknownId};
use super::expr::let_frame;
use super::memo::Memo;
use crate::ir::{
    Action, ActionKind, Bounds, DefinitionId, Expr, ExprKind, Level, Local, Program, VariableId, surely_reads,
};
use crate::source::{FileId, Span};
use crate::value::Value;

/// How many definitions deep one looks for a variable in a condition.
const DEPTH: u32 = 4;

impl Evaluator<'_> {
    /// Whether a definition, run as an action with these arguments from any state, leaves every variable as it was. An
    /// argument that is not known may be anything. One that is known may be anything inside a prime: it may have been passed as an
    /// expression that has another value in the next state.
    pub fn never_changes(&self, id: DefinitionId, args: &[Option<Value>]) -> bool {
        let open = open_names(args.len());
        let unknown: Frame<'_> = open.iter().map(Binding::Unknown).collect();
        let names: Vec<Expr> = (0..args.len() as u32).map(innermost).collect();
        let anything = Env { bindings: &unknown, up: None };
        let bind = |(arg, (unknown, name)): (&Option<Value>, (_, _))| match arg {
            Some(value) => {
                let memo = Memo::new(Context::CONSTANT, false).known(value.clone());
                Binding::Lazy(Lazy { expr: name, action: None, env: &anything, memo })
            }
            None => Binding::Unknown(unknown),
        };
        let frame: Frame<'_> = args.iter().zip(open.iter().zip(&names)).map(bind).collect();
        let env = Env { bindings: &frame, up: None };
        self.program.definition(id).action.as_ref().is_some_and(|body| self.keeps(body, &env))
    }

    fn keeps(&self, action: &Action, env: &Env<'_>) -> bool {
        match &action.kind {
            ActionKind::And(parts) => {
                parts.iter().any(|part| self.is_never_true(part, env)) || parts.iter().all(|part| self.keeps(part, env))
            }
            ActionKind::Or(parts) => parts.iter().all(|part| self.keeps(part, env)),
            ActionKind::Exists(bounds, body) | ActionKind::ForAll(bounds, body) => {
                self.keeps_for_all(bounds, body, env)
            }
            ActionKind::If(condition, then, otherwise) => match self.decided(condition, env) {
                Some(true) => self.keeps(then, env),
                Some(false) => self.keeps(otherwise, env),
                None => self.keeps(then, env) && self.keeps(otherwise, env),
            },
            ActionKind::Case { arms, other } => {
                let reachable = arms.iter().filter(|arm| self.decided(&arm.condition, env) != Some(false));
                let mut bodies = reachable.map(|arm| &arm.body).chain(other.as_deref());
                bodies.all(|body| self.keeps(body, env))
            }
            ActionKind::Let(group, body) => {
                let frame = let_frame(group, Context::CONSTANT);
                self.keeps(body, &env.enter(&frame))
            }
            ActionKind::Call(id, args) => {
                let definition = self.program.definition(*id);
                let frame = self.bind_open(args, env, Context::CONSTANT);
                // A recursion that does not end is not followed to its end.
                self.deeper(action.span).is_ok()
                    && definition
                        .action
                        .as_ref()
                        .is_some_and(|body| self.keeps(body, &Env { bindings: &frame, up: None }))
            }
            ActionKind::Equal(target, value) => match target_of(target, env, self.program) {
                Target::Variable(variable) => is_variable(value, variable, env),
                Target::None => true,
                Target::Unclear => false,
            },
            ActionKind::Member(target, _) => matches!(target_of(target, env, self.program), Target::None),
            ActionKind::Unchanged(_) | ActionKind::Guard(_) | ActionKind::Condition { .. } => true,
            ActionKind::CallLocal(..) => false,
        }
    }

    fn keeps_for_all(&self, bounds: &Bounds, body: &Action, env: &Env<'_>) -> bool {
        let open = open_names(bounds.names);
        let frame: Frame<'_> = open.iter().map(Binding::Unknown).collect();
        self.keeps(body, &env.enter(&frame))
    }

    /// Whether the arguments alone make a conjunct false.
    fn is_never_true(&self, action: &Action, env: &Env<'_>) -> bool {
        match &action.kind {
            ActionKind::Guard(condition) | ActionKind::Condition { test: condition, .. } => {
                self.decided(condition, env) == Some(false)
            }
            ActionKind::Equal(left, right) if matches!(target_of(left, env, self.program), Target::None) => {
                !surely_reads(left, self.program, DEPTH)
                    && !surely_reads(right, self.program, DEPTH)
                    && matches!(self.equal(left, right, env, Context::CONSTANT, action.span), Ok(false))
            }
            _ => false,
        }
    }

    /// The value of a condition, if the arguments alone determine it. Without a state, whatever depends on one fails to evaluate.
    fn decided(&self, condition: &Expr, env: &Env<'_>) -> Option<bool> {
        // To fail costs more than to see that it will.
        if surely_reads(condition, self.program, DEPTH) {
            return None;
        }
        self.truth(condition, env, Context::CONSTANT).ok()
    }
}

/// What the left side of an equation is.
enum Target {
    /// A variable of the next state.
    Variable(VariableId),
    /// Nothing of the next state.
    None,
    /// Perhaps something of the next state.
    Unclear,
}

fn target_of(expr: &Expr, env: &Env<'_>, program: &Program) -> Target {
    match &expr.kind {
        ExprKind::Primed(variable) => Target::Variable(*variable),
        ExprKind::Prime(inner) => match variable_of(inner, env) {
            Some(variable) => Target::Variable(variable),
            None => Target::Unclear,
        },
        ExprKind::Variable(_) | ExprKind::Value(_) => Target::None,
        // Perhaps another name for a variable.
        ExprKind::Call(id, _) if program.definition(*id).level >= Level::Action => Target::Unclear,
        ExprKind::Local(local) => match env.find(*local).0 {
            Binding::Value(_) | Binding::Unknown(_) => Target::None,
            Binding::Lazy(lazy) => target_of(lazy.expr, lazy.env, program),
            Binding::Let { .. } | Binding::Operator(_) | Binding::Failed(_) => Target::Unclear,
        },
        // `f(x') = e` assigns nothing: only a variable can be assigned.
        _ => Target::None,
    }
}

fn is_variable(expr: &Expr, variable: VariableId, env: &Env<'_>) -> bool {
    variable_of(expr, env) == Some(variable)
}

/// The variable that an expression is a name of.
pub(super) fn variable_of(expr: &Expr, env: &Env<'_>) -> Option<VariableId> {
    match &expr.kind {
        ExprKind::Variable(variable) => Some(*variable),
        ExprKind::Local(local) => match env.find(*local).0 {
            Binding::Lazy(lazy) => variable_of(lazy.expr, lazy.env),
            _ => None,
        },
        _ => None,
    }
}

/// Names that may be anything.
pub(super) fn open_names<'a>(count: usize) -> Vec<Unknown<'a>> {
    (0..count).map(|id| Unknown::new(UnknownId(id), Held::Own(Value::any()), ANYWHERE)).collect()
}

/// A name of the innermost frame.
fn innermost(index: u32) -> Expr {
    Expr { span: ANYWHERE, kind: ExprKind::Local(Local { depth: 0, index }) }
}

/// Nobody is told where these stand.
const ANYWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };
