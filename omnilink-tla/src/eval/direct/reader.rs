//! Which cells an expression reads, and what it makes of a variable, found without evaluating it.
//!
//! Names that the action's arguments decide are evaluated, so that `kv[key]` is known to be `kv[3]`.

use super::cells::{Cell, Change, Kind, Part};
use crate::builtin::{Native, Run};
use crate::eval::env::{Binding, Env, Frame};
use crate::eval::expr::let_frame;
use crate::eval::read_only::{open_names, variable_of};
use crate::eval::{Context, Evaluator};
use crate::ir::visit::{Part as ExprPart, parts};
use crate::ir::{
    Arg, Bounds, ExceptClause, Expr, ExprKind, FunctionCode, PathStep, PointUpdate, VariableId, surely_reads,
};
use crate::value::Value;

/// How many definitions deep one looks for a variable in a key.
const DEPTH: u32 = 4;
/// How many parts of expressions are looked at for one action.
const PARTS: u32 = 1 << 11;

/// How many elements of a set are told apart.
const FEW: usize = 32;

/// Collects cells and changes. Every method ends with nothing if it cannot tell.
pub(super) struct Reader<'r> {
    evaluator: &'r Evaluator<'r>,
    left: u32,
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
                (Binding::Lazy(lazy), _) if !lazy.primed => self.read(lazy.expr, lazy.env, cells),
                (Binding::Let { definition, primed: false, .. }, frame) if definition.lambda.arity == 0 => {
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
                (Binding::Let { definition, primed: false, .. }, outer) if definition.lambda.arity > 0 => {
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
        let is_hosted = matches!(native.run, Run::Hosted(_));
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
    fn read_clause(
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

    /// Adds what a variable's becoming the value of an expression changes, and the cells that are read for it.
    pub fn assign(&mut self, variable: VariableId, expr: &Expr, env: &Env<'_>, cells: &mut Vec<Cell>) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        self.evaluator.deeper(expr.span).ok()?;
        let is_it = |expr: &Expr| variable_of(expr, env) == Some(variable);
        match &expr.kind {
            ExprKind::Variable(other) if *other == variable => Some(()),
            ExprKind::Local(local) => match env.find(*local) {
                (Binding::Lazy(lazy), _) if !lazy.primed => self.assign(variable, lazy.expr, lazy.env, cells),
                _ => self.replace(variable, expr, env, cells),
            },
            ExprKind::Native(native, args) => match (native.name, &**args) {
                ("Tail", args) if only(args).is_some_and(is_it) => self.change(variable, Kind::Pop),
                ("Append", [sequence, element]) if only(std::slice::from_ref(sequence)).is_some_and(is_it) => {
                    self.read(only(std::slice::from_ref(element))?, env, cells)?;
                    self.change(variable, Kind::Push)
                }
                _ => self.replace(variable, expr, env, cells),
            },
            ExprKind::Except(function, clauses) if is_it(function) => {
                clauses.iter().try_for_each(|clause| self.assign_at(variable, clause, env, cells))
            }
            ExprKind::PointUpdate(update) => self
                .assign_point(variable, update, env, cells)
                .unwrap_or_else(|| self.replace(variable, expr, env, cells)),
            ExprKind::Call(id, args) => {
                let frame = self.evaluator.bind_open(args, env, Context::CONSTANT);
                let definition = self.evaluator.program.definition(*id);
                self.assign(variable, &definition.body, &Env { bindings: &frame, up: None }, cells)
            }
            ExprKind::If(condition, then, otherwise) => {
                self.read(condition, env, cells)?;
                self.assign(variable, then, env, cells)?;
                self.assign(variable, otherwise, env, cells)
            }
            ExprKind::Let(group, body) => {
                let frame = let_frame(group, Context::CONSTANT);
                self.assign(variable, body, &env.enter(&frame), cells)
            }
            _ => self.replace(variable, expr, env, cells),
        }
    }

    /// It may become anything.
    fn replace(&mut self, variable: VariableId, expr: &Expr, env: &Env<'_>, cells: &mut Vec<Cell>) -> Option<()> {
        self.read(expr, env, cells)?;
        self.change(variable, Kind::Any)
    }

    fn change(&mut self, variable: VariableId, kind: Kind) -> Option<()> {
        self.changes.push(Change { variable, kind });
        Some(())
    }

    /// `[variable EXCEPT ![key] = …]`
    fn assign_at(
        &mut self,
        variable: VariableId,
        clause: &ExceptClause,
        env: &Env<'_>,
        cells: &mut Vec<Cell>,
    ) -> Option<()> {
        let (first, path) = clause.path.split_first()?;
        let key = match first {
            PathStep::Field(name) => Some(Value::Str(*name)),
            PathStep::Index(index) => self.decided(index, env),
        };
        match key {
            Some(key) => {
                cells.push(Cell { variable, part: Part::At(key.clone()) });
                self.read_clause(clause, path, env, cells)?;
                self.change(variable, Kind::At(key))
            }
            None => {
                cells.push(Cell { variable, part: Part::Whole });
                self.read_clause(clause, &clause.path, env, cells)?;
                self.change(variable, Kind::Any)
            }
        }
    }

    /// A recognised change at one point; nothing if it is of something else, or at a point that is not known.
    fn assign_point(
        &mut self,
        variable: VariableId,
        update: &PointUpdate,
        env: &Env<'_>,
        cells: &mut Vec<Cell>,
    ) -> Option<Option<()>> {
        let (changed, key, value) = match update {
            PointUpdate::Insert { function, key, value } | PointUpdate::InsertIfAbsent { function, key, value } => {
                (function, key, Some(value))
            }
            PointUpdate::Remove { function: changed, key }
            | PointUpdate::Include { set: changed, element: key }
            | PointUpdate::Exclude { set: changed, element: key } => (changed, key, None),
        };
        if variable_of(changed, env) != Some(variable) {
            return None;
        }
        let key = self.decided(key, env)?;
        cells.push(Cell { variable, part: Part::At(key.clone()) });
        let told = value.map_or(Some(()), |value| self.read(value, env, cells));
        Some(told.and_then(|()| self.change(variable, Kind::At(key))))
    }

    /// The value of an expression that the arguments decide.
    fn decided(&self, expr: &Expr, env: &Env<'_>) -> Option<Value> {
        if surely_reads(expr, self.evaluator.program, DEPTH) {
            return None;
        }
        self.evaluator.eval(expr, env, Context::CONSTANT).ok()?.own().normalize().ok()
    }
}

/// The argument of a call that has one.
fn only(args: &[Arg]) -> Option<&Expr> {
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
