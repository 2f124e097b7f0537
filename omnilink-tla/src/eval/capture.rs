//! Environments that outlive their stack: kept by functions and sets that are evaluated later.
//!
//! Everything is copied: values as they are, arguments that were not evaluated yet are evaluated now (if that fails, the code that
//! uses them later gets the failure), operators with their own environments.

use std::sync::{Arc, Weak};

use super::context::{Moment, Next};
use super::env::{Binding, Env, Frame, Operator};
use super::expr::let_frame;
use super::{Context, Evaluator, Failure, Host};
use crate::builtin::Native;
use crate::ir::{DefinitionId, Lambda, LetGroup, Program, VariableId};
use crate::value::Value;

/// An environment and the state it was taken in.
pub(super) struct Captured {
    program: Weak<Program>,
    host: Arc<dyn Host>,
    frames: Frames,
    state: Vec<Value>,
    next: Vec<Option<Value>>,
    primed: bool,
}

/// Frames, innermost first.
type Frames = Arc<[KeptFrame]>;

enum KeptFrame {
    Bindings(Vec<KeptBinding>),
    /// A `LET`'s definitions are evaluated again when they are used.
    Let(Arc<LetGroup>),
}

enum KeptBinding {
    Value(Value),
    Failed(Failure),
    Lambda(Arc<Lambda>, Frames),
    Definition(DefinitionId),
    Native(&'static Native),
}

impl Captured {
    /// Keeps an environment.
    pub fn new(evaluator: &Evaluator<'_>, env: &Env<'_>, cx: Context<'_>, uses_state: bool) -> Self {
        let variables = if uses_state { evaluator.program.variables.len() as u32 } else { 0 };
        Self {
            program: Arc::downgrade(evaluator.program),
            host: Arc::clone(evaluator.host),
            frames: keep(evaluator, env, cx),
            state: if uses_state { cx.state.to_vec() } else { Vec::new() },
            next: (0..variables).map(|variable| cx.next(VariableId(variable)).cloned()).collect(),
            primed: cx.primed,
        }
    }

    /// The values in it, apart from the states'.
    pub fn values(&self) -> Vec<&Value> {
        let mut values = Vec::new();
        collect(&self.frames, &mut values);
        values
    }

    /// Evaluates something in it.
    pub fn resume<T>(
        &self,
        evaluate: impl FnOnce(&Evaluator<'_>, &Env<'_>, Context<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let Some(program) = self.program.upgrade() else {
            return Err(Failure::unplaced("a function was applied after its specification was dropped"));
        };
        let evaluator = Evaluator::new(&program, &self.host);
        let moment = Moment { state: &self.state, next: Next::Found(&self.next) };
        let cx = Context { primed: self.primed, ..Context::of(&moment) };
        let mut result = None;
        let mut evaluate = Some(evaluate);
        restore(&self.frames, cx, &mut |env| {
            result = evaluate.take().map(|evaluate| evaluate(&evaluator, env, cx));
        });
        result.expect("an environment is restored once")
    }
}

fn collect<'a>(frames: &'a [KeptFrame], values: &mut Vec<&'a Value>) {
    for frame in frames {
        let KeptFrame::Bindings(bindings) = frame else { continue };
        for binding in bindings {
            match binding {
                KeptBinding::Value(value) => values.push(value),
                KeptBinding::Lambda(_, frames) => collect(frames, values),
                KeptBinding::Failed(_) | KeptBinding::Definition(_) | KeptBinding::Native(_) => {}
            }
        }
    }
}

fn keep(evaluator: &Evaluator<'_>, env: &Env<'_>, cx: Context<'_>) -> Frames {
    std::iter::successors(Some(env), |env| env.up).map(|env| keep_frame(evaluator, env, cx)).collect()
}

fn keep_frame(evaluator: &Evaluator<'_>, env: &Env<'_>, cx: Context<'_>) -> KeptFrame {
    if let Some(Binding::Let { group, .. }) = env.bindings.first() {
        return KeptFrame::Let(Arc::clone(group));
    }
    KeptFrame::Bindings(env.bindings.iter().map(|binding| keep_binding(evaluator, binding, cx)).collect())
}

fn keep_binding(evaluator: &Evaluator<'_>, binding: &Binding<'_>, cx: Context<'_>) -> KeptBinding {
    let kept = match binding {
        Binding::Value(value) => Ok(value.clone()),
        Binding::Lazy(lazy) => match lazy.memo.get_in(cx) {
            Some(value) => Ok(value.clone()),
            None => evaluator.eval(lazy.expr, lazy.env, cx).map(super::env::Held::own),
        },
        Binding::Unknown(unknown) => unknown.get().ok_or_else(|| Failure::unknown(unknown)),
        Binding::Failed(failure) => Err((*failure).clone()),
        Binding::Operator(Operator::Lambda(lambda, env)) => {
            return KeptBinding::Lambda(Arc::clone(lambda), keep(evaluator, env, cx));
        }
        Binding::Operator(Operator::Definition(id)) => return KeptBinding::Definition(*id),
        Binding::Operator(Operator::Native(native)) => return KeptBinding::Native(native),
        Binding::Let { .. } => unreachable!("a LET's frame is kept as a whole"),
    };
    kept.map_or_else(KeptBinding::Failed, KeptBinding::Value)
}

/// Builds the environment on the stack again, outermost frame first, and does something in it.
fn restore(frames: &[KeptFrame], cx: Context<'_>, then: &mut dyn FnMut(&Env<'_>)) {
    let Some((innermost, outer)) = frames.split_first() else {
        return then(&Env::EMPTY);
    };
    restore(outer, cx, &mut |env| match innermost {
        KeptFrame::Let(group) => then(&env.enter(&let_frame(group, cx))),
        KeptFrame::Bindings(bindings) => {
            restore_operators(bindings, None, cx, &mut |closures| then(&env.enter(&restore_frame(bindings, closures))));
        }
    });
}

/// The environments of operators, latest first.
#[derive(Clone, Copy)]
struct Closures<'a> {
    env: &'a Env<'a>,
    before: Option<&'a Closures<'a>>,
}

/// Builds the environments of the operators among bindings.
fn restore_operators(
    bindings: &[KeptBinding],
    closures: Option<&Closures<'_>>,
    cx: Context<'_>,
    then: &mut dyn FnMut(Option<&Closures<'_>>),
) {
    for (at, binding) in bindings.iter().enumerate() {
        if let KeptBinding::Lambda(_, frames) = binding {
            return restore(frames, cx, &mut |env| {
                let closures = Closures { env, before: closures };
                restore_operators(&bindings[at + 1..], Some(&closures), cx, then);
            });
        }
    }
    then(closures);
}

/// A frame, given the environments of its operators.
fn restore_frame<'a>(bindings: &'a [KeptBinding], mut closures: Option<&'a Closures<'a>>) -> Frame<'a> {
    let mut frame: Frame<'a> = Frame::new();
    for binding in bindings.iter().rev() {
        frame.push(match binding {
            KeptBinding::Value(value) => Binding::Value(value.clone()),
            KeptBinding::Failed(failure) => Binding::Failed(failure),
            KeptBinding::Definition(id) => Binding::Operator(Operator::Definition(*id)),
            KeptBinding::Native(native) => Binding::Operator(Operator::Native(native)),
            KeptBinding::Lambda(lambda, _) => {
                let closure = closures.expect("each operator's environment was restored");
                closures = closure.before;
                Binding::Operator(Operator::Lambda(lambda, closure.env))
            }
        });
    }
    frame.reverse();
    frame
}
