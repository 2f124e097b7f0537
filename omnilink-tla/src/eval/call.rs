//! Operators and their arguments.

use std::cell::OnceCell;

use super::env::{Binding, Env, Frame, Held, Lazy, Operator};
use super::expr::at;
use super::memo::Memo;
use super::{Context, Evaluator, Failure};
use crate::builtin::{Native, NativeArg, Run, refusal, two_integers};
use crate::ir::{Arg, DefinitionId, ExprKind, Lambda, Local, OperatorArg};
use crate::source::Span;
use crate::value::Value;

impl Evaluator<'_> {
    /// A definition with arguments.
    pub(super) fn call<'a>(
        &'a self,
        id: DefinitionId,
        args: &'a [Arg],
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<Held<'a>, Failure> {
        let definition = self.program.definition(id);
        if args.is_empty() {
            if let Some(value) = definition.constant.get() {
                return Ok(Held::Ref(value));
            }
            let kept = self.kept.and_then(|kept| kept.place(id, cx));
            if let Some(value) = kept.and_then(OnceCell::get) {
                return Ok(Held::Ref(value));
            }
            let value = self
                .deeper(span)
                .and_then(|()| self.eval(&definition.body, &Env::EMPTY, cx))
                .map_err(|failure| failure.inside(definition.name.as_str(), span))?;
            if let Some(kept) = kept {
                let value = value.own();
                return Ok(Held::Ref(kept.get_or_init(|| value)));
            }
            if !definition.is_constant() {
                return Ok(value);
            }
            let value = value.own();
            return Ok(Held::Ref(definition.constant.get_or_init(|| value)));
        }
        self.deeper(span)
            .and_then(|()| {
                self.with_frame(args, env, cx, |bindings| {
                    self.eval(&definition.body, &Env { bindings, up: None }, cx).map(Held::own)
                })
            })
            .map(Held::Own)
            .map_err(|failure| failure.inside(definition.name.as_str(), span))
    }

    /// An operator parameter or a `LET` operator with arguments.
    pub(super) fn call_local<'a>(
        &'a self,
        local: Local,
        args: &'a [Arg],
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<Value, Failure> {
        let (binding, frame) = env.find(local);
        match binding {
            Binding::Let { definition, .. } => self
                .call_lambda(&definition.lambda, frame, args, env, cx, span)
                .map_err(|failure| failure.inside(definition.name.as_str(), span)),
            Binding::Operator(Operator::Lambda(lambda, closure)) => {
                self.call_lambda(lambda, closure, args, env, cx, span)
            }
            Binding::Operator(Operator::Definition(id)) => self.call(*id, args, env, cx, span).map(Held::own),
            Binding::Operator(Operator::Native(native)) => self.native(native, args, env, cx, span),
            Binding::Failed(failure) => Err((*failure).clone()),
            Binding::Value(_) | Binding::Lazy(_) | Binding::Unknown(_) => {
                unreachable!("the compiler tells operators from values")
            }
        }
    }

    fn call_lambda<'a>(
        &'a self,
        lambda: &'a Lambda,
        closure: &'a Env<'a>,
        args: &'a [Arg],
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<Value, Failure> {
        self.deeper(span)?;
        if args.is_empty() {
            return self.eval(&lambda.body, closure, cx).map(Held::own);
        }
        self.with_frame(args, env, cx, |frame| self.eval(&lambda.body, &closure.enter(frame), cx).map(Held::own))
    }

    /// The frame of an operator's parameters.
    pub(super) fn bind<'a>(&'a self, args: &'a [Arg], env: &'a Env<'a>, cx: Context<'a>) -> Result<Frame<'a>, Failure> {
        args.iter().map(|arg| self.binding(arg, env, cx)).collect()
    }

    /// Does something with the frame of an operator's parameters. Most have few, and then the frame is made where it stays.
    #[inline]
    pub(super) fn with_frame<'a, T>(
        &'a self,
        args: &'a [Arg],
        env: &'a Env<'a>,
        cx: Context<'a>,
        then: impl FnOnce(&[Binding<'_>]) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        match args {
            [] => then(&[]),
            [only] => then(&[self.binding(only, env, cx)?]),
            [first, second] => then(&[self.binding(first, env, cx)?, self.binding(second, env, cx)?]),
            [first, second, third] => {
                let (first, second) = (self.binding(first, env, cx)?, self.binding(second, env, cx)?);
                then(&[first, second, self.binding(third, env, cx)?])
            }
            _ => then(&self.bind(args, env, cx)?),
        }
    }

    #[inline]
    fn binding<'a>(&'a self, arg: &'a Arg, env: &'a Env<'a>, cx: Context<'a>) -> Result<Binding<'a>, Failure> {
        Ok(match arg {
            Arg::Eager(expr) => Binding::Value(self.eval(expr, env, cx)?.own()),
            Arg::Lazy { expr, keep, action } => match Binding::passed_on(expr, env) {
                Some(binding) => binding,
                None => Binding::Lazy(Lazy { expr, action: action.as_deref(), env, memo: Memo::new(cx, !*keep) }),
            },
            Arg::Operator(operator) => self.operator(operator, env),
        })
    }

    pub(super) fn operator<'a>(&'a self, operator: &'a OperatorArg, env: &'a Env<'a>) -> Binding<'a> {
        let operator = match operator {
            OperatorArg::Lambda(lambda) => Operator::Lambda(lambda, env),
            OperatorArg::Definition(id) => Operator::Definition(*id),
            OperatorArg::Native(native) => Operator::Native(native),
            OperatorArg::Local(local) => match env.find(*local) {
                (Binding::Operator(operator), _) => *operator,
                (Binding::Let { definition, .. }, frame) => Operator::Lambda(&definition.lambda, frame),
                (Binding::Failed(failure), _) => return Binding::Failed(failure),
                _ => unreachable!("the compiler tells operators from values"),
            },
        };
        Binding::Operator(operator)
    }

    /// An operator applied to values.
    pub(super) fn apply_operator(
        &self,
        operator: &Operator<'_>,
        args: &[Value],
        cx: Context<'_>,
        span: Span,
    ) -> Result<Value, Failure> {
        self.deeper(span)?;
        let frame: Frame<'_> = args.iter().cloned().map(Binding::Value).collect();
        match operator {
            Operator::Lambda(lambda, closure) => self.eval(&lambda.body, &closure.enter(&frame), cx).map(Held::own),
            Operator::Definition(id) => {
                let definition = self.program.definition(*id);
                self.eval(&definition.body, &Env { bindings: &frame, up: None }, cx)
                    .map(Held::own)
                    .map_err(|failure| failure.inside(definition.name.as_str(), span))
            }
            Operator::Native(native) => self.native_on(native, args, span),
        }
    }

    /// An operator of a built-in module with arguments.
    pub(super) fn native<'a>(
        &'a self,
        native: &'static Native,
        args: &'a [Arg],
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<Value, Failure> {
        match (native.run, args) {
            (Run::One(run), [arg]) => {
                // Of a set that is only counted, the elements need not be kept.
                if let Arg::Eager(expr) | Arg::Lazy { expr, .. } = arg
                    && let ExprKind::SetFilter(code) = &expr.kind
                    && native.name == "Cardinality"
                    && let Some(count) = self.count(code, env, cx, expr.span)?
                {
                    return Ok(Value::Int(count));
                }
                run(&*self.arg(arg, env, cx)?).map_err(|error| at(error, span))
            }
            (Run::Part(_, run), [arg]) => run(&*self.arg(arg, env, cx)?).map_err(|error| at(error, span)),
            (Run::Two(run), [left, right]) => {
                let (left, right) = (self.arg(left, env, cx)?, self.arg(right, env, cx)?);
                run(&left, &right).map_err(|error| at(error, span))
            }
            (Run::Compare(test, doing), [left, right]) => {
                self.compare(test, doing, [left, right], env, cx, span).map(Value::Bool)
            }
            (Run::Refused(why), _) => Err(at(refusal(native, why), span)),
            (Run::Higher(run), _) => {
                let frame: Frame<'_> = args
                    .iter()
                    .map(|arg| match arg {
                        Arg::Operator(operator) => Ok(self.operator(operator, env)),
                        _ => self.arg(arg, env, cx).map(|value| Binding::Value(value.own())),
                    })
                    .collect::<Result<_, Failure>>()?;
                self.higher(run, &frame, cx, span)
            }
            _ => {
                let values: Vec<Value> =
                    args.iter().map(|arg| self.arg(arg, env, cx).map(Held::own)).collect::<Result<_, _>>()?;
                self.native_on(native, &values, span)
            }
        }
    }

    /// Whether two integers compare as a built-in operator says.
    #[inline]
    pub(super) fn compare<'a>(
        &'a self,
        test: fn(i64, i64) -> bool,
        doing: &'static str,
        [left, right]: [&'a Arg; 2],
        env: &'a Env<'a>,
        cx: Context<'a>,
        span: Span,
    ) -> Result<bool, Failure> {
        let (left, right) = (self.arg(left, env, cx)?, self.arg(right, env, cx)?);
        let (left, right) = two_integers(&left, &right, doing).map_err(|error| at(error, span))?;
        Ok(test(left, right))
    }

    /// A built-in operator whose arguments are values.
    fn native_on(&self, native: &'static Native, args: &[Value], span: Span) -> Result<Value, Failure> {
        match (native.run, args) {
            (Run::Constant(value), _) => Ok(value()),
            (Run::One(run) | Run::Part(_, run), [arg]) => run(arg).map_err(|error| at(error, span)),
            (Run::Two(run), [left, right]) => run(left, right).map_err(|error| at(error, span)),
            (Run::Compare(test, doing), [left, right]) => two_integers(left, right, doing)
                .map(|(left, right)| Value::Bool(test(left, right)))
                .map_err(|error| at(error, span)),
            (Run::Many(run), _) => run(args).map_err(|error| at(error, span)),
            (Run::Refused(why), _) => Err(at(refusal(native, why), span)),
            (Run::Reads(run), _) => run(self.host.world(), args).map_err(|error| at(error, span)),
            (Run::Shows(run), _) => run(&**self.host, args).map_err(|failure| failure.located(span)),
            (Run::Hosted(run), _) => {
                self.host.world().note_changing(native.name);
                run(&**self.host, args).map_err(|failure| failure.located(span))
            }
            (Run::One(_) | Run::Part(..) | Run::Two(_) | Run::Compare(..) | Run::Higher(_), _) => {
                unreachable!("the compiler checks arities")
            }
        }
    }

    /// A built-in operator that takes operators.
    fn higher(
        &self,
        run: fn(&[NativeArg<'_>]) -> Result<Value, Failure>,
        frame: &[Binding<'_>],
        cx: Context<'_>,
        span: Span,
    ) -> Result<Value, Failure> {
        let call = |operator: Operator<'_>, args: &[Value]| self.apply_operator(&operator, args, cx, span);
        let closures: Vec<Option<_>> = frame
            .iter()
            .map(|binding| match binding {
                Binding::Operator(operator) => Some(|args: &[Value]| call(*operator, args)),
                _ => None,
            })
            .collect();
        let args: Vec<NativeArg<'_>> = frame
            .iter()
            .zip(&closures)
            .map(|(binding, closure)| match (binding, closure) {
                (Binding::Value(value), _) => Ok(NativeArg::Value(value.clone())),
                (_, Some(closure)) => Ok(NativeArg::Operator(closure)),
                (Binding::Failed(failure), _) => Err((*failure).clone()),
                _ => unreachable!("the compiler tells operators from values"),
            })
            .collect::<Result<_, _>>()?;
        run(&args).map_err(|failure| failure.located(span))
    }

    #[inline(always)]
    fn arg<'a>(&'a self, arg: &'a Arg, env: &'a Env<'a>, cx: Context<'a>) -> Result<Held<'a>, Failure> {
        match arg {
            Arg::Eager(expr) | Arg::Lazy { expr, .. } => self.eval(expr, env, cx),
            Arg::Operator(_) => unreachable!("the compiler tells operators from values"),
        }
    }
}
