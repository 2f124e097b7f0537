//! What recorded arguments tell about the quantified names on the way to an action, before that way is gone.

use crate::eval::action::Route;
use crate::eval::route::turn;
use crate::ir::{Action, ActionKind, Arg, ExprKind, Program};
use crate::symbol::Symbol;
use crate::value::Value;

/// The quantified names on a route, outermost first, with the arguments that were recorded for them.
pub(super) struct Quantified {
    pub names: Vec<(Symbol, Option<Value>)>,
}

impl Quantified {
    pub fn on(program: &Program, next: &Action, route: Route<'_>) -> Self {
        let mut this = Self { names: Vec::new() };
        this.follow(program, next, route, Vec::new());
        this
    }

    /// `frames` has for each name in scope which quantified name it is, if it is one; outermost frame first.
    fn follow(&mut self, program: &Program, action: &Action, route: Route<'_>, mut frames: Vec<Vec<Option<usize>>>) {
        match &action.kind {
            ActionKind::Exists(bounds, body) => {
                let first = self.names.len();
                self.names.extend(bounds.symbols.iter().map(|symbol| (*symbol, None)));
                frames.push((first..self.names.len()).map(Some).collect());
                self.follow(program, body, route, frames);
            }
            ActionKind::Let(group, body) => {
                frames.push(vec![None; group.definitions.len()]);
                self.follow(program, body, route, frames);
            }
            ActionKind::Call(id, args) => {
                let named: Vec<_> = args.iter().map(|arg| quantified_name(arg, &frames)).collect();
                if route.turns.is_empty() {
                    for (name, value) in named.into_iter().zip(route.args) {
                        if let Some(name) = name
                            && self.names[name].1.is_none()
                        {
                            self.names[name].1.clone_from(value);
                        }
                    }
                } else if let Some(body) = &program.definition(*id).action {
                    self.follow(program, body, turn(route).1, vec![named]);
                }
            }
            _ => {
                if let Some((onward, route)) = onward(action, route) {
                    self.follow(program, onward, route, frames);
                }
            }
        }
    }
}

/// Which quantified name an argument is.
fn quantified_name(arg: &Arg, frames: &[Vec<Option<usize>>]) -> Option<usize> {
    let (Arg::Eager(expr) | Arg::Lazy { expr, .. }) = arg else { return None };
    let ExprKind::Local(local) = &expr.kind else { return None };
    let frame = frames.len().checked_sub(1 + local.depth as usize)?;
    *frames[frame].get(local.index as usize)?
}

/// The branch that a route takes, where there are several.
pub(super) fn onward<'a>(action: &'a Action, route: Route<'a>) -> Option<(&'a Action, Route<'a>)> {
    match &action.kind {
        ActionKind::And(parts) | ActionKind::Or(parts) => {
            let (turn, route) = turn(route);
            Some((&parts[turn], route))
        }
        ActionKind::If(_, then, otherwise) => {
            let (turn, route) = turn(route);
            Some((if turn == 0 { then } else { otherwise }, route))
        }
        ActionKind::Case { arms, other } => {
            let (turn, route) = turn(route);
            Some((arms.get(turn).map(|arm| &arm.body).or(other.as_deref())?, route))
        }
        ActionKind::Condition { branches, .. } => Some((branches, route)),
        _ => None,
    }
}
