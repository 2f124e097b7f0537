//! The values of a disjunct's quantified names, as far as recorded arguments determine them.

use crate::eval::action::Disjunct;
use crate::eval::disjunct::child;
use crate::ir::{Action, ActionKind, Arg, ExprKind, Program};
use crate::symbol::Symbol;
use crate::value::Value;

/// The quantified names of a disjunct, outermost first, with the arguments that were recorded for them.
pub(super) struct Quantified {
    pub names: Vec<(Symbol, Option<Value>)>,
}

impl Quantified {
    pub fn on(program: &Program, next: &Action, disjunct: Disjunct<'_>) -> Self {
        let mut this = Self { names: Vec::new() };
        this.follow(program, next, disjunct, Vec::new());
        this
    }

    /// `frames` has for each name in scope which quantified name it is, if it is one; outermost frame first.
    fn follow(
        &mut self,
        program: &Program,
        action: &Action,
        disjunct: Disjunct<'_>,
        mut frames: Vec<Vec<Option<usize>>>,
    ) {
        match &action.kind {
            ActionKind::Exists(bounds, body) => {
                let first = self.names.len();
                self.names.extend(bounds.symbols.iter().map(|symbol| (*symbol, None)));
                frames.push((first..self.names.len()).map(Some).collect());
                self.follow(program, body, disjunct, frames);
            }
            ActionKind::Let(group, body) => {
                frames.push(vec![None; group.definitions.len()]);
                self.follow(program, body, disjunct, frames);
            }
            ActionKind::Call(id, args) => {
                let named: Vec<_> = args.iter().map(|arg| quantified_name(arg, &frames)).collect();
                if disjunct.position.is_empty() {
                    for (name, value) in named.into_iter().zip(disjunct.args) {
                        if let Some(name) = name
                            && self.names[name].1.is_none()
                        {
                            self.names[name].1.clone_from(value);
                        }
                    }
                } else if let Some(body) = &program.definition(*id).action {
                    self.follow(program, body, child(disjunct).1, vec![named]);
                }
            }
            _ => {
                if let Some((onward, disjunct)) = onward(action, disjunct) {
                    self.follow(program, onward, disjunct, frames);
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

/// The branch that a disjunct takes, where there are several.
pub(super) fn onward<'a>(action: &'a Action, disjunct: Disjunct<'a>) -> Option<(&'a Action, Disjunct<'a>)> {
    match &action.kind {
        ActionKind::And(parts) | ActionKind::Or(parts) => {
            let (nth, disjunct) = child(disjunct);
            Some((&parts[nth], disjunct))
        }
        ActionKind::If(_, then, otherwise) => {
            let (nth, disjunct) = child(disjunct);
            Some((if nth == 0 { then } else { otherwise }, disjunct))
        }
        ActionKind::Case { arms, other } => {
            let (nth, disjunct) = child(disjunct);
            Some((arms.get(nth).map(|arm| &arm.body).or(other.as_deref())?, disjunct))
        }
        ActionKind::Condition { branches, .. } => Some((branches, disjunct)),
        _ => None,
    }
}
