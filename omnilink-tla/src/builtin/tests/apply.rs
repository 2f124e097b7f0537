//! Just enough evaluation to write natives' arguments as TLA+: literals, constructors, `LAMBDA`, calls of natives.

use crate::builtin::{LAZY, Native, NativeArg, Run, core, modules, refusal, two_integers};
use crate::eval::{Failure, Host};
use crate::source::Sources;
use crate::symbol::Symbol;
use crate::syntax::ast::{Expr, ExprKind, Pattern};
use crate::syntax::parse_expression;
use crate::value::Value;

type Names = [(Symbol, Value)];

pub(super) fn evaluate(text: &str, host: &dyn Host) -> Result<Value, Failure> {
    let mut sources = Sources::default();
    let file = sources.add("table", text);
    let expr = parse_expression(&sources, file).unwrap_or_else(|error| panic!("{}", error.render(&sources)));
    value(&expr, &[], host)
}

fn native(name: Symbol) -> &'static Native {
    let all = modules().flat_map(|module| module.operators);
    core(name.as_str())
        .or_else(|| all.into_iter().find(|native| native.name == name.as_str()))
        .unwrap_or_else(|| panic!("no native {name}"))
}

fn values<'a>(
    exprs: impl IntoIterator<Item = &'a Expr>,
    names: &Names,
    host: &dyn Host,
) -> Result<Vec<Value>, Failure> {
    exprs.into_iter().map(|expr| value(expr, names, host)).collect()
}

fn value(expr: &Expr, names: &Names, host: &dyn Host) -> Result<Value, Failure> {
    Ok(match &*expr.kind {
        ExprKind::Int(value) => Value::Int(*value),
        ExprKind::Str(text) => Value::Str(*text),
        ExprKind::Parens(inner) => value(inner, names, host)?,
        ExprKind::Tuple(elements) => Value::tuple(values(elements, names, host)?)?,
        ExprKind::SetEnum(elements) => Value::set(values(elements, names, host)?)?,
        ExprKind::Record(fields) => {
            let entries = values(fields.iter().map(|(_, value)| value), names, host)?;
            Value::record(fields.iter().map(|(name, _)| name.name).zip(entries))?
        }
        ExprKind::FunctionSet { domain, range } => {
            Value::function_set(value(domain, names, host)?, value(range, names, host)?)?
        }
        ExprKind::Function { bounds, value: body } => function(&bounds[0].pattern, &bounds[0].set, body, names, host)?,
        ExprKind::Index { function, args } => match values(args, names, host)?.as_slice() {
            [argument] => value(function, names, host)?.apply(argument)?,
            arguments => value(function, names, host)?.apply(&Value::tuple(arguments.to_vec())?)?,
        },
        ExprKind::Name { name, .. } => match names.iter().rev().find(|(known, _)| *known == name.name) {
            Some((_, value)) => value.clone(),
            None if name.name.as_str().starts_with("model_") => Value::Model(name.name),
            None => run(native(name.name), &[], names, host)?,
        },
        ExprKind::Apply { op, args, .. } => match (op.name.as_str(), args.as_slice()) {
            ("=", [a, b]) => Value::Bool(value(a, names, host)?.equals(&value(b, names, host)?)?),
            ("#", [a, b]) => Value::Bool(!value(a, names, host)?.equals(&value(b, names, host)?)?),
            ("\\in", [a, b]) => Value::Bool(value(a, names, host)?.member(&value(b, names, host)?)?),
            (_, args) => run(native(op.name), args, names, host)?,
        },
        other => panic!("the tables have no use for {other:?}"),
    })
}

/// `[x \in S |-> body]`, `[<<x, y>> \in S |-> body]`
fn function(pattern: &Pattern, set: &Expr, body: &Expr, names: &Names, host: &dyn Host) -> Result<Value, Failure> {
    let mut entries = Vec::new();
    for key in value(set, names, host)?.iterate("make a function")? {
        let key = key?;
        let mut inner = names.to_vec();
        match pattern {
            Pattern::Names(bound) => inner.extend(bound.iter().map(|name| (name.name, key.clone()))),
            Pattern::Tuple(bound) => {
                let parts = key.to_tuple("take a pair apart")?;
                inner.extend(bound.iter().map(|name| name.name).zip(parts.iter().cloned()));
            }
        }
        entries.push((key, value(body, &inner, host)?));
    }
    Ok(Value::function(entries)?)
}

fn run(native: &'static Native, args: &[Expr], names: &Names, host: &dyn Host) -> Result<Value, Failure> {
    assert_eq!(native.params.len(), args.len(), "{}", native.name);
    if let Run::Higher(run) = native.run {
        let operators: Vec<_> =
            args.iter().map(|arg| move |given: &[Value]| operator(arg, given, names, host)).collect();
        let delayed: Vec<_> = args.iter().map(|arg| move |_: &[Value]| value(arg, names, host)).collect();
        let argument = |(index, arity): (usize, &usize)| match arity {
            0 => Ok(NativeArg::Value(value(&args[index], names, host)?)),
            &LAZY => Ok(NativeArg::Operator(&delayed[index])),
            _ => Ok(NativeArg::Operator(&operators[index])),
        };
        return run(&native.params.iter().enumerate().map(argument).collect::<Result<Vec<_>, Failure>>()?);
    }
    // A refused native may have parameters that are operators; it looks at none of its arguments.
    let given = native.params.iter().zip(args).filter(|(arity, _)| **arity == 0).map(|(_, arg)| arg);
    call(native, &values(given, names, host)?, host)
}

fn call(native: &'static Native, given: &[Value], host: &dyn Host) -> Result<Value, Failure> {
    Ok(match native.run {
        Run::Constant(run) => run(),
        Run::One(run) | Run::Part(_, run) => run(&given[0])?,
        Run::Two(run) => run(&given[0], &given[1])?,
        Run::Compare(test, doing) => {
            let (left, right) = two_integers(&given[0], &given[1], doing)?;
            Value::Bool(test(left, right))
        }
        Run::Many(run) => run(given)?,
        Run::Reads(run) => run(host.world(), given)?,
        Run::Shows(run) | Run::Hosted(run) => run(host, given)?,
        Run::Refused(why) => return Err(refusal(native, why).into()),
        Run::Higher(_) => panic!("{} is not passed as an operator in any table", native.name),
    })
}

/// An operator that is passed: a `LAMBDA` or a native.
fn operator(arg: &Expr, given: &[Value], names: &Names, host: &dyn Host) -> Result<Value, Failure> {
    match &*arg.kind {
        ExprKind::Lambda { params, body } => {
            let bound = params.iter().map(|param| param.name.name).zip(given.iter().cloned());
            value(body, &names.iter().cloned().chain(bound).collect::<Vec<_>>(), host)
        }
        ExprKind::Name { name, .. } if name.name.as_str() == "=" => Ok(Value::Bool(given[0].equals(&given[1])?)),
        ExprKind::Name { name, .. } => call(native(name.name), given, host),
        other => panic!("{other:?} is no operator"),
    }
}
