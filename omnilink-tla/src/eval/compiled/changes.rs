//! What an assignment makes of a variable, found without evaluating it.
//!
//! That the new value of a cell depends on its old one (`@ + 1`) is no reading: two actions that change one cell depend on each other anyway.

use super::cells::{Cell, Change, Kind};
use super::reader::{Reader, only};
use crate::eval::Context;
use crate::eval::env::{Binding, Env};
use crate::eval::expr::let_frame;
use crate::eval::read_only::variable_of;
use crate::ir::{ExceptClause, Expr, ExprKind, PathStep, PointUpdate, VariableId};
use crate::value::Value;

impl Reader<'_> {
    /// Adds what a variable's becoming the value of an expression changes, and the cells that are read for it.
    pub fn assign(&mut self, variable: VariableId, expr: &Expr, env: &Env<'_>, cells: &mut Vec<Cell>) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        self.evaluator.deeper(expr.span).ok()?;
        let is_it = |expr: &Expr| variable_of(expr, env) == Some(variable);
        match &expr.kind {
            ExprKind::Variable(other) if *other == variable => Some(()),
            ExprKind::Local(local) => match env.find(*local) {
                (Binding::Lazy(lazy), _) if !lazy.memo.is_primed() => self.assign(variable, lazy.expr, lazy.env, cells),
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
                self.read_clause(clause, path, env, cells)?;
                self.change(variable, Kind::At(key))
            }
            None => {
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
        let told = value.map_or(Some(()), |value| self.read(value, env, cells));
        Some(told.and_then(|()| self.change(variable, Kind::At(key))))
    }
}
