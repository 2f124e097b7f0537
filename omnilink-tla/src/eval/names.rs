//! Names: variables, bound names, and constants that are evaluated once.

use super::env::{Binding, Env, Held};
use super::{Context, Evaluator, Failure};
use crate::ir::{OnceCode, VariableId};
use crate::source::Span;
use crate::value::Value;

impl Evaluator<'_> {
    #[inline]
    pub(super) fn once<'a>(&'a self, once: &'a OnceCode) -> Result<Held<'a>, Failure> {
        if let Some(value) = once.value.get() {
            return Ok(Held::Ref(value));
        }
        let value = self.eval(&once.expr, &Env::EMPTY, Context::CONSTANT)?.own();
        Ok(Held::Ref(once.value.get_or_init(|| value)))
    }

    #[inline]
    pub(super) fn variable<'a>(&self, variable: VariableId, cx: Context<'a>, span: Span) -> Result<&'a Value, Failure> {
        if cx.primed {
            return cx.next(variable).ok_or_else(|| self.not_assigned(variable, cx, span));
        }
        cx.state.get(variable.0 as usize).ok_or_else(|| self.no_state(variable, span))
    }

    #[cold]
    fn no_state(&self, variable: VariableId, span: Span) -> Failure {
        let name = self.program.variables[variable.0 as usize].name;
        Failure::new(format!("the variable {name} has no value here: this must be a constant expression"), span)
    }

    #[cold]
    fn not_assigned(&self, variable: VariableId, cx: Context<'_>, span: Span) -> Failure {
        let name = self.program.variables[variable.0 as usize].name;
        // Init is run as if under a prime, from no state.
        let prime = if cx.state.is_empty() { "" } else { "'" };
        Failure::new(format!("{name}{prime} is used before it is assigned"), span)
            .hint(format!("conjuncts are evaluated from left to right: put `{name}{prime} = …` before this"))
            .too_early()
    }

    /// The value of a name, given what it is bound to and the environment that ends with its frame.
    pub(super) fn bound<'a>(
        &'a self,
        binding: &'a Binding<'a>,
        frame: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<Held<'a>, Failure> {
        match binding {
            Binding::Value(value) => Ok(Held::Ref(value)),
            Binding::Lazy(lazy) => {
                if let Some(value) = lazy.memo.get_in(cx) {
                    return Ok(Held::Ref(value));
                }
                // What a recursion passes on may be as deep as the recursion: `Sum(n - 1, acc + n)`.
                self.deeper(span)?;
                lazy.memo.evaluate(cx, |cx| self.eval(lazy.expr, lazy.env, cx))
            }
            Binding::Let { definition, memo, .. } => {
                if let Some(value) = memo.get_in(cx) {
                    return Ok(Held::Ref(value));
                }
                self.deeper(span)
                    .and_then(|()| memo.evaluate(cx, |cx| self.eval(&definition.lambda.body, frame, cx)))
                    .map_err(|failure| failure.inside(definition.name.as_str(), span))
            }
            Binding::Unknown(unknown) => {
                unknown.get().map(Held::Own).ok_or_else(|| Failure::unknown(unknown).located(span))
            }
            Binding::Failed(failure) => Err((*failure).clone()),
            Binding::Operator(operator) => self.apply_operator(operator, &[], cx, span).map(Held::Own),
        }
    }
}
