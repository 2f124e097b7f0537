//! Which cells an expression reads, found without evaluating it.
//!
//! Names that the action's arguments decide are evaluated, so that `kv[key]` is known to be `kv[3]`.

use super::cells::{Cell, Change, Part};
use crate::builtin::Native;
use crate::eval::env::{Binding, Env, Frame};
use crate::eval::expr::let_frame;
use crate::eval::read_only::{open_names, variable_of};
use crate::eval::{Context, Evaluator};
use crate::ir::visit::{Part as ExprPart, parts};
use crate::ir::{Arg, Bounds, ExceptClause, Expr, ExprKind, FunctionCode, PathStep, VariableId, surely_reads};
use crate::value::Value;

/// How many definitions deep one looks for a variable in a key.
const DEPTH: u32 = 4;
/// How many parts of expressions are looked at for one action.
const PARTS: u32 = 1 << 11;

/// How many elements of a set are distinguished.
const FEW: usize = 32;

/// Collects cells and changes. Every method returns nothing if that is not known.
pub(super) struct Reader<'r> {
    pub(super) evaluator: &'r Evaluator<'r>,
    pub(super) left: u32,
    pub changes: Vec<Change>,
}

impl<'r> Reader<'r> {
    pub fn new(evaluator: &'r Evaluator<'r>) -> Self {
        Self { evaluator, left: PARTS, changes: Vec::new() }
    }

    /// Adds the cells that an expression reads.
    pub fn read(&mut self, expr: &Expr, env: &Env<'_>, cells: &mut Vec<Cell>) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        self.evaluator.deeper(expr.span).ok()?;
        match &expr.kind {
            ExprKind::Value(_) | ExprKind::Once(_) => Some(()),
            ExprKind::Variable(variable) => {
                cells.push(Cell { variable: *variable, part: Part::Whole });
                Some(())
            }
            ExprKind::Local(local) => match env.find(*local) {
                (Binding::Value(_) | Binding::Unknown(_), _) => Some(()),
                (Binding::Lazy(lazy), _) if !lazy.memo.is_primed() => self.read(lazy.expr, lazy.env, cells),
                (Binding::Let { definition, memo, .. }, frame) if definition.lambda.arity == 0 && !memo.is_primed() => {
                    self.read(&definition.lambda.body, frame, cells)
                }
                _ => None,
            },
            ExprKind::Apply(function, key) => self.read_at(function, key, env, cells),
            ExprKind::In(key, set) | ExprKind::NotIn(key, set) => match &set.kind {
                ExprKind::Domain(function) => self.read_at(function, key, env, cells),
                _ => self.read_at(set, key, env, cells),
            },
            ExprKind::Field(record, name) => match variable_of(record, env) {
                Some(variable) => {
                    cells.push(Cell { variable, part: Part::At(Value::Str(*name)) });
                    Some(())
                }
                None => self.read(record, env, cells),
            },
            ExprKind::Equal(left, right) | ExprKind::NotEqual(left, right) => {
                match (variable_of(left, env), variable_of(right, env)) {
                    (Some(variable), _) if is_empty(right) => self.read_front(variable, cells),
                    (_, Some(variable)) if is_empty(left) => self.read_front(variable, cells),
                    _ => {
                        self.read(left, env, cells)?;
                        self.read(right, env, cells)
                    }
                }
            }
            ExprKind::Native(native, args) => match only(args).and_then(|arg| variable_of(arg, env)) {
                Some(variable) if native.name == "Head" => self.read_front(variable, cells),
                _ if native.name == "\\cap" => self.read_common(native, args, env, cells),
                _ => self.read_native(native, args, env, cells),
            },
            ExprKind::Call(id, args) => {
                let frame = self.evaluator.bind_open(args, env, Context::CONSTANT);
                let definition = self.evaluator.program.definition(*id);
                self.read(&definition.body, &Env { bindings: &frame, up: None }, cells)
            }
            ExprKind::CallLocal(local, args) => match env.find(*local) {
                (Binding::Let { definition, memo, .. }, outer) if definition.lambda.arity > 0 && !memo.is_primed() => {
                    let frame = self.evaluator.bind_open(args, env, Context::CONSTANT);
                    self.read(&definition.lambda.body, &outer.enter(&frame), cells)
                }
                _ => None,
            },
            ExprKind::Let(group, body) => {
                let frame = let_frame(group, Context::CONSTANT);
                self.read(body, &env.enter(&frame), cells)
            }
            ExprKind::ForAll(bounds, body)
            | ExprKind::Exists(bounds, body)
            | ExprKind::Choose(bounds, body)
            | ExprKind::SetMap(bounds, body) => self.read_bound(bounds, body, env, cells),
            ExprKind::SetFilter(code) | ExprKind::Function(code) => match &**code {
                FunctionCode { bounds, body, recursive: None, .. } => self.read_bound(bounds, body, env, cells),
                _ => None,
            },
            ExprKind::Except(function, clauses) => {
                self.read(function, env, cells)?;
                clauses.iter().try_for_each(|clause| self.read_clause(clause, &clause.path, env, cells))
            }
            ExprKind::Primed(_)
            | ExprKind::Prime(_)
            | ExprKind::Unchanged(_)
            | ExprKind::Enabled(_)
            | ExprKind::Temporal(_)
            | ExprKind::Unevaluable(_)
            | ExprKind::UnassignedConstant(_) => None,
            _ => self.read_parts(expr, env, cells),
        }
    }

    /// All parts of an expression that has no names of its own.
    fn read_parts(&mut self, expr: &Expr, env: &Env<'_>, cells: &mut Vec<Cell>) -> Option<()> {
        let mut told = Some(());
        parts(expr, &mut |part| {
            told = told.and_then(|()| match part {
                ExprPart::Here(inner) => self.read(inner, env, cells),
                _ => None,
            });
        });
        told
    }

    fn read_native(&mut self, native: &Native, args: &[Arg], env: &Env<'_>, cells: &mut Vec<Cell>) -> Option<()> {
        let is_hosted = native.run.is_hosted();
        args.iter().filter(|_| !is_hosted).try_for_each(|arg| match arg {
            Arg::Eager(expr) | Arg::Lazy { expr, .. } => self.read(expr, env, cells),
            Arg::Operator(_) => None,
        })?;
        (!is_hosted).then_some(())
    }

    /// `whole[key]`, or whether there is something at `key`.
    fn read_at(&mut self, whole: &Expr, key: &Expr, env: &Env<'_>, cells: &mut Vec<Cell>) -> Option<()> {
        match (variable_of(whole, env), self.decided(key, env)) {
            (Some(variable), Some(key)) => {
                cells.push(Cell { variable, part: Part::At(key) });
                Some(())
            }
            _ => {
                self.read(whole, env, cells)?;
                self.read(key, env, cells)
            }
        }
    }

    /// `left \cap right`, of which one may be a handful of known elements.
    fn read_common(&mut self, native: &Native, args: &[Arg], env: &Env<'_>, cells: &mut Vec<Cell>) -> Option<()> {
        if let [Arg::Eager(left) | Arg::Lazy { expr: left, .. }, Arg::Eager(right) | Arg::Lazy { expr: right, .. }] =
            args
        {
            for (known, set) in [(left, right), (right, left)] {
                let set = if let ExprKind::Domain(function) = &set.kind { function } else { set };
                if let Some(variable) = variable_of(set, env)
                    && let Some(elements) = self.decided(known, env).and_then(|known| few(&known))
                {
                    cells.extend(elements.into_iter().map(|key| Cell { variable, part: Part::At(key) }));
                    return Some(());
                }
            }
        }
        self.read_native(native, args, env, cells)
    }

    fn read_front(&mut self, variable: VariableId, cells: &mut Vec<Cell>) -> Option<()> {
        cells.push(Cell { variable, part: Part::Front });
        Some(())
    }

    fn read_bound(&mut self, bounds: &Bounds, body: &Expr, env: &Env<'_>, cells: &mut Vec<Cell>) -> Option<()> {
        bounds.binders.iter().try_for_each(|binder| self.read(&binder.set, env, cells))?;
        let open = open_names(bounds.names);
        let frame: Frame<'_> = open.iter().map(Binding::Unknown).collect();
        self.read(body, &env.enter(&frame), cells)
    }

    /// What a clause of an `EXCEPT` reads besides the function: its path, or the rest of it, and its value.
    pub(super) fn read_clause(
        &mut self,
        clause: &ExceptClause,
        path: &[PathStep],
        env: &Env<'_>,
        cells: &mut Vec<Cell>,
    ) -> Option<()> {
        for step in path {
            if let PathStep::Index(index) = step {
                self.read(index, env, cells)?;
            }
        }
        let old = open_names(1);
        let frame: Frame<'_> = old.iter().map(Binding::Unknown).collect();
        self.read(&clause.value, &env.enter(&frame), cells)
    }

    /// The value of an expression that the arguments decide.
    pub(super) fn decided(&self, expr: &Expr, env: &Env<'_>) -> Option<Value> {
        if surely_reads(expr, self.evaluator.program, DEPTH) {
            return None;
        }
        self.evaluator.eval(expr, env, Context::CONSTANT).ok()?.own().normalize().ok()
    }
}

/// The argument of a call that has one.
pub(super) fn only(args: &[Arg]) -> Option<&Expr> {
    match args {
        [Arg::Eager(expr) | Arg::Lazy { expr, .. }] => Some(expr),
        _ => None,
    }
}

/// The elements of a set that has few.
fn few(set: &Value) -> Option<Vec<Value>> {
    let elements = set.is_finite().ok()?.then(|| set.iterate("enumerate").ok())??;
    let elements: Vec<Value> = elements.take(FEW + 1).collect::<Result<_, _>>().ok()?;
    (elements.len() <= FEW).then_some(elements)
}

/// `<<>>`
fn is_empty(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Value(Value::Tuple(tuple)) => tuple.is_empty(),
        ExprKind::Tuple(elements) => elements.is_empty(),
        _ => false,
    }
}
