//! Functions and sets described by an expression.
//!
//! They are written out at once where that is possible. Where it is not — the domain is infinite or a filtered set large, the function is defined by
//! itself, or the expression fails for some argument that is perhaps never used — a value is made that keeps the expression
//! with its environment and evaluates it for the arguments that are asked for.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use smallvec::SmallVec;

use super::binders::take_apart;
use super::capture::Captured;
use super::env::{Binding, Env, Frame, Held};
use super::expr::at;
use super::{Context, Evaluator, Failure};
use crate::ir::{ExceptClause, Expr, FunctionCode, PathStep};
use crate::source::Span;
use crate::value::{Lambda, MAX_LENGTH, Predicate, Rule, Set, Value, ValueError};

/// For how many elements of a filtered set room is made at once.
const FEW: usize = 16;

/// Of more elements than that, a filtered set is not written out before somebody needs all of them: most are only asked
/// whether they have an element, or for the first one.
const MANY: u128 = 1 << 12;

impl Evaluator<'_> {
    /// `[x \in S |-> e]`
    pub(super) fn function<'a>(
        &'a self,
        code: &'a Arc<FunctionCode>,
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<Value, Failure> {
        let sets = self.sets(&code.bounds, env, cx)?;
        let domain = if let ([set], 1) = (&*sets, code.bounds.names) {
            (**set).clone()
        } else {
            domain_of(code, sets.iter().map(|set| (**set).clone())).map_err(|error| at(error, span))?
        };
        if code.recursive.is_none()
            && let Ok(true) = domain.is_finite()
            && let Ok(set) = domain.to_set("take as the domain of a function")
            && set.len() <= MAX_LENGTH
        {
            match self.written_out(code, &set, env, cx, span) {
                Err(failure) if !failure.is_too_deep() => {}
                written_out => return written_out,
            }
        }
        let captured = Captured::new(self, env, cx, code.uses_state);
        let (code, this, known) = (Arc::clone(code), OnceLock::new(), Mutex::default());
        let rule = Arc::new(Described { code, captured, this, known });
        let function = Value::lambda(domain, Arc::clone(&rule) as Arc<dyn Rule>).map_err(|error| at(error, span))?;
        if let Value::Lambda(lambda) = &function {
            rule.this.get_or_init(|| Arc::downgrade(lambda));
        }
        Ok(function)
    }

    fn written_out<'a>(
        &'a self,
        code: &'a FunctionCode,
        domain: &Set,
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<Value, Failure> {
        let mut values = Vec::with_capacity(domain.len());
        for argument in domain.iter() {
            let value =
                with_arguments(code, argument, |frame| self.eval(&code.body, &env.enter(frame), cx).map(Held::own));
            values.push(value?.0);
        }
        Value::function_over(domain, values).map_err(|error| at(error, span))
    }

    /// `{x \in S : p}`
    pub(super) fn filter<'a>(
        &'a self,
        code: &'a Arc<FunctionCode>,
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<Value, Failure> {
        let sets = self.sets(&code.bounds, env, cx)?;
        let base = &*sets[0];
        let is_finite = base.is_finite().map_err(|error| at(error, span))?;
        if !is_finite || base.certainly_has_more_than(MANY) {
            let captured = Captured::new(self, env, cx, code.uses_state);
            let condition = Condition { code: Arc::clone(code), captured };
            return Value::filter(base.clone(), Arc::new(condition)).map_err(|error| at(error, span));
        }
        let mut kept = Vec::with_capacity(FEW);
        self.filtered(code, base, env, cx, span, |element| kept.push(element))?;
        Ok(Value::Set(Set::from_sorted(kept)))
    }

    /// How many elements `{x \in S : p}` has; `None` if `S` is infinite.
    pub(super) fn count<'a>(
        &'a self,
        code: &'a FunctionCode,
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<Option<i64>, Failure> {
        let sets = self.sets(&code.bounds, env, cx)?;
        if !sets[0].is_finite().map_err(|error| at(error, span))? {
            return Ok(None);
        }
        let mut count = 0;
        self.filtered(code, &sets[0], env, cx, span, |_| count += 1)?;
        Ok(Some(count))
    }

    /// The elements of a finite set that a condition is true of, in order.
    fn filtered<'a>(
        &'a self,
        code: &'a FunctionCode,
        base: &Value,
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
        mut keep: impl FnMut(Value),
    ) -> Result<(), Failure> {
        for element in base.iterate("filter").map_err(|error| at(error, span))? {
            let element = element.map_err(|error| at(error, span))?;
            let holds = with_arguments(code, element, |frame| self.truth(&code.body, &env.enter(frame), cx));
            if let (true, element) = holds? {
                keep(element);
            }
        }
        Ok(())
    }

    /// `[f EXCEPT !.a[i] = e]`
    pub(super) fn except<'a>(
        &'a self,
        function: &'a Expr,
        clauses: &'a [ExceptClause],
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<Value, Failure> {
        let mut changed = self.eval(function, env, cx)?;
        for clause in clauses {
            let mut path: SmallVec<[Value; 2]> = SmallVec::new();
            for step in &clause.path {
                path.push(match step {
                    PathStep::Field(field) => Value::Str(*field),
                    PathStep::Index(index) => self.eval(index, env, cx)?.own(),
                });
            }
            let value = changed.except_at(&path, |old| {
                let old =
                    if clause.uses_old { [Binding::Value(old.clone())] } else { [Binding::Value(Value::Bool(false))] };
                self.eval(&clause.value, &env.enter(&old), cx).map(Held::own)
            });
            changed = value.map_err(|failure: Failure| failure.located(span))?.into();
        }
        Ok(changed.own())
    }
}

/// The domain of a function of several arguments: tuples of them.
fn domain_of(code: &FunctionCode, sets: impl Iterator<Item = Value>) -> Result<Value, ValueError> {
    let mut factors = Vec::with_capacity(code.bounds.names);
    for (binder, set) in code.bounds.binders.iter().zip(sets) {
        if binder.tuple && code.bounds.binders.len() == 1 {
            return Ok(set);
        }
        let times = if binder.tuple { 1 } else { binder.names };
        factors.extend(std::iter::repeat_n(set, times));
    }
    Value::product(factors)
}

/// Does something with the frame of a function's arguments, from the one value that it is applied to, and gives that back. Most
/// functions have one argument, and then the frame is made where it stays.
#[inline]
pub(super) fn with_arguments<T>(
    code: &FunctionCode,
    argument: Value,
    then: impl FnOnce(&[Binding<'_>]) -> Result<T, Failure>,
) -> Result<(T, Value), Failure> {
    if code.bounds.names > 1 || code.bounds.binders[0].tuple {
        return Ok((then(&arguments(code, &argument)?)?, argument));
    }
    let frame = [Binding::Value(argument)];
    let result = then(&frame)?;
    match frame {
        [Binding::Value(argument)] => Ok((result, argument)),
        _ => unreachable!("binders bind values"),
    }
}

/// The frame of a function's arguments, from the one value that it is applied to.
fn arguments<'a>(code: &FunctionCode, argument: &Value) -> Result<Frame<'a>, Failure> {
    let binders = &code.bounds.binders;
    if let ([binder], 1) = (&**binders, code.bounds.names)
        && !binder.tuple
    {
        return Ok(Frame::from_iter([Binding::Value(argument.clone())]));
    }
    let mut values: SmallVec<[Value; 4]> = SmallVec::new();
    if let [binder] = &**binders {
        take_apart(argument, binder, &mut values)?;
    } else if let Value::Tuple(components) = argument {
        let mut components = components.iter();
        for binder in binders {
            if binder.tuple {
                let Some(component) = components.next() else { break };
                take_apart(component, binder, &mut values)?;
            } else {
                values.extend(components.by_ref().take(binder.names).cloned());
            }
        }
    }
    if values.len() != code.bounds.names {
        let names = code.bounds.names;
        return Err(Failure::unplaced(format!("a function of {names} arguments was applied to {argument}")));
    }
    Ok(values.into_iter().map(Binding::Value).collect())
}

/// A function by the expression that describes it.
struct Described {
    code: Arc<FunctionCode>,
    captured: Captured,
    /// The function itself, for definitions that use it.
    this: OnceLock<Weak<Lambda>>,
    /// Values that were asked for before: a recursive function asks for the same ones again and again.
    known: Mutex<HashMap<Value, Value>>,
}

impl Described {
    fn evaluate(&self, argument: &Value) -> Result<Value, Failure> {
        self.captured.resume(|evaluator, env, cx| {
            evaluator.deeper(self.code.body.span)?;
            let frame = arguments(&self.code, argument)?;
            if self.code.recursive.is_none() {
                return evaluator.eval(&self.code.body, &env.enter(&frame), cx).map(Held::own);
            }
            let function = self.this.get().and_then(Weak::upgrade).expect("whoever applies a function holds it");
            let itself = [Binding::Value(Value::Lambda(function))];
            let env = env.enter(&itself);
            evaluator.eval(&self.code.body, &env.enter(&frame), cx).map(Held::own)
        })
    }
}

impl Rule for Described {
    fn apply(&self, argument: &Value) -> Result<Value, ValueError> {
        if let Some(value) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(argument) {
            return Ok(value.clone());
        }
        let value = self.evaluate(argument).map_err(ValueError::rule)?;
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(argument.clone(), value.clone());
        Ok(value)
    }

    fn held(&self) -> Vec<&Value> {
        self.captured.values()
    }
}

/// A set's condition by the expression that describes it.
struct Condition {
    code: Arc<FunctionCode>,
    captured: Captured,
}

impl Predicate for Condition {
    fn holds(&self, element: &Value) -> Result<bool, ValueError> {
        let holds = self.captured.resume(|evaluator, env, cx| {
            evaluator.deeper(self.code.body.span)?;
            let frame = arguments(&self.code, element)?;
            evaluator.truth(&self.code.body, &env.enter(&frame), cx)
        });
        holds.map_err(ValueError::rule)
    }

    fn held(&self) -> Vec<&Value> {
        self.captured.values()
    }
}
