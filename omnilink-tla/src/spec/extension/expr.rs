//! The kinds of expressions.

use super::env::{Binding, Env};
use super::kind::{Kind, Step};
use super::{Finder, Unaffected};
use crate::builtin::Native;
use crate::ir::visit::{Part, parts};
use crate::ir::{Arg, Bounds, Expr, ExprKind, FunctionCode, Lambda, PathStep, PointUpdate};
use crate::source::Span;

impl<'p> Finder<'p> {
    /// The kind of an expression.
    pub(super) fn kind(&mut self, expr: &'p Expr, env: &Env<'p>) -> Unaffected<Kind> {
        self.deeper(expr.span, |finder| finder.kind_of(expr, env))
    }

    /// Asks for an expression to have equal values.
    pub(super) fn plain(&mut self, expr: &'p Expr, env: &Env<'p>) -> Unaffected {
        if self.kind(expr, env)?.is_plain() { Ok(()) } else { Err(expr.span) }
    }

    fn kind_of(&mut self, expr: &'p Expr, env: &Env<'p>) -> Unaffected<Kind> {
        let unclear = || expr.span;
        match &expr.kind {
            ExprKind::UnassignedConstant(name) if name.as_str() == self.constant => Ok(Kind::Set),
            ExprKind::Variable(variable) | ExprKind::Primed(variable) => Ok(self.kinds[variable.0 as usize].clone()),
            ExprKind::Prime(inner) => self.kind(inner, env),
            ExprKind::Local(local) => match env.find(*local).ok_or_else(unclear)? {
                Binding::Kind(kind) => Ok(kind),
                Binding::Element => Ok(Kind::Plain),
                Binding::Expr(expr, _, env) => self.kind(expr, &env),
                Binding::Lambda(lambda, env) if lambda.arity == 0 => self.kind(&lambda.body, &env),
                _ => Err(expr.span),
            },
            ExprKind::CallLocal(local, args) => {
                let called = env.find(*local).ok_or_else(unclear)?;
                self.applied(called, env.bind(args), expr.span)
            }
            ExprKind::Call(id, args) => {
                let args = env.bind(args);
                self.applied(Binding::Definition(*id), args, expr.span)
            }
            ExprKind::Native(native, args) => self.native(native, args, env, expr.span),
            ExprKind::Let(group, body) => self.kind(body, &env.enter_let(group)),
            ExprKind::Once(once) => self.kind(&once.expr, &Env::default()),
            ExprKind::If(condition, then, otherwise) => {
                self.plain(condition, env)?;
                let (then, otherwise) = (self.kind(then, env)?, self.kind(otherwise, env)?);
                then.join(&otherwise).ok_or_else(unclear)
            }
            ExprKind::Case { arms, other } => {
                let mut kind = Kind::Plain;
                for arm in arms {
                    self.plain(&arm.condition, env)?;
                    kind = kind.join(&self.kind(&arm.body, env)?).ok_or_else(unclear)?;
                }
                match other {
                    Some(other) => kind.join(&self.kind(other, env)?).ok_or_else(unclear),
                    None => Ok(kind),
                }
            }
            ExprKind::ForAll(bounds, body) | ExprKind::Exists(bounds, body) | ExprKind::Choose(bounds, body) => {
                bounds.binders.iter().try_for_each(|binder| self.plain(&binder.set, env))?;
                self.plain(body, &env.enter_kinds(&Kind::Plain, bounds.names))?;
                Ok(Kind::Plain)
            }
            ExprKind::SetMap(bounds, body) => {
                let set = self.domain(bounds, env)?;
                self.plain(body, &env.enter_kinds(&Kind::Plain, bounds.names))?;
                Ok(set)
            }
            ExprKind::SetFilter(code) => {
                let set = self.domain(&code.bounds, env)?;
                self.plain(&code.body, &env.enter_kinds(&Kind::Plain, code.bounds.names))?;
                Ok(set)
            }
            ExprKind::Function(code) => self.function(code, env, expr.span),
            ExprKind::FunctionSet(from, to) => match (self.kind(from, env)?, self.kind(to, env)?) {
                (Kind::Plain, Kind::Plain) => Ok(Kind::Plain),
                (Kind::Plain, Kind::Set) => Ok(Kind::Set),
                (Kind::Plain, Kind::SetOf(values)) => Ok(Kind::set_of(Kind::map(*values))),
                (Kind::Set, Kind::Plain) => Ok(Kind::set_of(Kind::over(Kind::Plain))),
                (Kind::Set, Kind::SetOf(values)) => Ok(Kind::set_of(Kind::over(*values))),
                _ => Err(expr.span),
            },
            ExprKind::Record(record) => {
                let field = |(name, value): &'p (_, Expr)| Ok((*name, self.kind(value, env)?));
                Ok(Kind::record(record.fields.iter().map(field).collect::<Unaffected<_>>()?))
            }
            ExprKind::RecordSet(fields) => {
                let field = |(name, values): &'p (_, Expr)| match self.kind(values, env)? {
                    Kind::Plain => Ok((*name, Kind::Plain)),
                    Kind::SetOf(values) => Ok((*name, *values)),
                    _ => Err(values.span),
                };
                Ok(Kind::set_of(Kind::record(fields.iter().map(field).collect::<Unaffected<_>>()?)))
            }
            ExprKind::Tuple(elements) => {
                Ok(Kind::tuple(elements.iter().map(|element| self.kind(element, env)).collect::<Unaffected<_>>()?))
            }
            ExprKind::Product(sets) => self.sets(sets.iter().map(|set| (set, env.clone()))),
            ExprKind::Apply(function, key) => {
                self.plain(key, env)?;
                self.kind(function, env)?.at(&Step::of(key)).ok_or_else(unclear)
            }
            ExprKind::Field(record, name) => self.kind(record, env)?.at(&Step::Name(*name)).ok_or_else(unclear),
            ExprKind::Domain(function) => match self.kind(function, env)? {
                Kind::Over(_) => Ok(Kind::Set),
                Kind::Plain | Kind::Map(_) | Kind::Record(_) | Kind::Tuple(_) => Ok(Kind::Plain),
                Kind::Set | Kind::SetOf(_) => Err(expr.span),
            },
            ExprKind::Except(function, clauses) => {
                let mut kind = self.kind(function, env)?;
                for clause in clauses {
                    for step in &clause.path {
                        if let PathStep::Index(key) = step {
                            self.plain(key, env)?;
                        }
                    }
                    let path = Step::of_path(&clause.path);
                    let old = path.iter().try_fold(kind.clone(), |kind, step| kind.at(step)).ok_or_else(unclear)?;
                    let value = self.kind(&clause.value, &env.enter_kinds(&old, 1))?;
                    kind = kind.with(&path, &value).ok_or_else(unclear)?;
                }
                Ok(kind)
            }
            ExprKind::PointUpdate(update) => self.update(update, env, expr.span),
            // It is one for both.
            ExprKind::In(element, set) if is_element(element, env) && self.is_constant(set, env) => Ok(Kind::Plain),
            // Whether there is a step depends on all that it may take.
            ExprKind::Enabled(_) => Err(expr.span),
            _ => self.all_plain(expr, env),
        }
    }

    /// Whether an expression is the constant.
    pub(super) fn is_constant(&self, expr: &Expr, env: &Env<'p>) -> bool {
        match &expr.kind {
            ExprKind::UnassignedConstant(name) => name.as_str() == self.constant,
            ExprKind::Once(once) => self.is_constant(&once.expr, &Env::default()),
            ExprKind::Local(local) => match env.find(*local) {
                Some(Binding::Expr(expr, _, env)) => self.is_constant(expr, &env),
                _ => false,
            },
            _ => false,
        }
    }

    /// All parts of an expression that has no names of its own.
    fn all_plain(&mut self, expr: &'p Expr, env: &Env<'p>) -> Unaffected<Kind> {
        let mut kind = Ok(Kind::Plain);
        parts(expr, &mut |part| {
            if kind.is_ok() {
                let checked = match part {
                    Part::Here(inner) => self.plain(inner, env),
                    _ => Err(expr.span),
                };
                if let Err(place) = checked {
                    kind = Err(place);
                }
            }
        });
        kind
    }

    /// What an operator is of arguments.
    fn applied(&mut self, operator: Binding<'p>, args: Vec<Binding<'p>>, place: Span) -> Unaffected<Kind> {
        match operator {
            Binding::Definition(id) => {
                if self.is_indifferent(id) && self.are_plain(&args, place) {
                    return Ok(Kind::Plain);
                }
                self.kind(&self.program.definition(id).body, &Env::default().enter(args))
            }
            Binding::Lambda(lambda, env) if lambda.arity > 0 => self.kind(&lambda.body, &env.enter(args)),
            Binding::Native if self.are_plain(&args, place) => Ok(Kind::Plain),
            _ => Err(place),
        }
    }

    /// Whether all arguments have equal values, and equal values for equal arguments.
    fn are_plain(&mut self, args: &[Binding<'p>], place: Span) -> bool {
        args.iter().all(|arg| match arg {
            Binding::Kind(kind) => kind.is_plain(),
            Binding::Expr(expr, _, env) => self.plain(expr, env).is_ok(),
            Binding::Lambda(lambda, env) => self.is_plain_operator(lambda, env),
            Binding::Definition(id) => {
                let params = vec![Binding::Kind(Kind::Plain); self.program.definition(*id).params.len()];
                self.applied(Binding::Definition(*id), params, place).is_ok_and(|kind| kind.is_plain())
            }
            Binding::Native | Binding::Element => true,
        })
    }

    fn is_plain_operator(&mut self, lambda: &'p Lambda, env: &Env<'p>) -> bool {
        let env = if lambda.arity > 0 { env.enter_kinds(&Kind::Plain, lambda.arity) } else { env.clone() };
        self.plain(&lambda.body, &env).is_ok()
    }

    fn native(&mut self, native: &Native, args: &'p [Arg], env: &Env<'p>, place: Span) -> Unaffected<Kind> {
        let args = env.bind(args);
        if let [Binding::Expr(left, ..), Binding::Expr(right, ..)] = &args[..] {
            match native.name {
                "\\cup" | "\\cap" | "\\" => {
                    return self.sets([*left, *right].into_iter().map(|set| (set, env.clone())));
                }
                // Where the left one is defined, it decides, and both are defined there or neither is.
                "@@" => {
                    let (left, right) = (self.kind(left, env)?, self.kind(right, env)?);
                    return match (&left, &right) {
                        (Kind::Plain | Kind::Map(_), Kind::Plain | Kind::Map(_) | Kind::Over(_)) => {
                            left.join(&right).ok_or(place)
                        }
                        _ => Err(place),
                    };
                }
                _ => {}
            }
        }
        match &args[..] {
            [Binding::Expr(set, ..)] if native.name == "SUBSET" => self.sets([(*set, env.clone())]),
            // One argument and its value.
            [Binding::Expr(key, ..), Binding::Expr(value, ..)] if native.name == ":>" => {
                self.plain(key, env)?;
                Ok(Kind::map(self.kind(value, env)?))
            }
            _ if self.are_plain(&args, place) => Ok(Kind::Plain),
            _ => Err(place),
        }
    }

    /// A set that is made of sets, element by element.
    fn sets(&mut self, sets: impl IntoIterator<Item = (&'p Expr, Env<'p>)>) -> Unaffected<Kind> {
        let mut made = Kind::Plain;
        for (set, env) in sets {
            match self.kind(set, &env)? {
                Kind::Plain => {}
                Kind::Set => made = Kind::Set,
                _ => return Err(set.span),
            }
        }
        Ok(made)
    }

    /// What names are taken from.
    fn domain(&mut self, bounds: &'p Bounds, env: &Env<'p>) -> Unaffected<Kind> {
        self.sets(bounds.binders.iter().map(|binder| (&binder.set, env.clone())))
    }

    fn function(&mut self, code: &'p FunctionCode, env: &Env<'p>, place: Span) -> Unaffected<Kind> {
        let domain = self.domain(&code.bounds, env)?;
        let is_recursive = code.recursive.is_some();
        let env = if is_recursive { env.enter_kinds(&Kind::Plain, 1) } else { env.clone() };
        let value = self.kind(&code.body, &env.enter_kinds(&Kind::Plain, code.bounds.names))?;
        match domain {
            Kind::Plain if !is_recursive || value.is_plain() => Ok(Kind::map(value)),
            Kind::Set if !is_recursive => Ok(Kind::over(value)),
            _ => Err(place),
        }
    }

    fn update(&mut self, update: &'p PointUpdate, env: &Env<'p>, place: Span) -> Unaffected<Kind> {
        match update {
            PointUpdate::Insert { function, key, value } => {
                self.plain(key, env)?;
                let value = self.kind(value, env)?;
                match self.kind(function, env)? {
                    kind @ (Kind::Plain | Kind::Map(_) | Kind::Over(_)) => {
                        kind.with(&[Step::of(key)], &value).ok_or(place)
                    }
                    _ => Err(place),
                }
            }
            // Which of the two has something there already may differ, where the domains do.
            PointUpdate::InsertIfAbsent { function, key, value } => {
                self.plain(key, env)?;
                let value = self.kind(value, env)?;
                match self.kind(function, env)? {
                    kind @ (Kind::Plain | Kind::Map(_)) => kind.with(&[Step::of(key)], &value).ok_or(place),
                    _ => Err(place),
                }
            }
            PointUpdate::Remove { function, key } => {
                self.plain(key, env)?;
                match self.kind(function, env)? {
                    kind @ (Kind::Plain | Kind::Map(_) | Kind::Over(_)) => Ok(kind),
                    _ => Err(place),
                }
            }
            PointUpdate::Include { set, element } | PointUpdate::Exclude { set, element } => {
                self.plain(element, env)?;
                self.sets([(set, env.clone())])
            }
        }
    }
}

/// Whether an expression is a name that was taken from the constant, and recorded.
pub(super) fn is_element(expr: &Expr, env: &Env<'_>) -> bool {
    match &expr.kind {
        ExprKind::Local(local) => match env.find(*local) {
            Some(Binding::Element) => true,
            Some(Binding::Expr(expr, _, env)) => is_element(expr, &env),
            _ => false,
        },
        _ => false,
    }
}
