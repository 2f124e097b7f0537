//! Unknown values: found by an equation that determines them, else tried one by one.
//!
//! A conjunct that needs a value which is not known yet is put off, and the conjuncts after it are run first: one of them may
//! be `v = e` or `v \in S`. When nothing else is left, what was put off is run again in its old order. If the value is still
//! not known by then, all that its quantifier allows are tried. While something is put off, a conjunct that fails is put off
//! with it: the condition that guards it may be among those.
//!
//! Only the run of the disjunct does any of this. In one inside of it (`ENABLED A(v)`), a value that is needed is an
//! error, for which the conjunct around it is put off: a value that is found in there would be lost.

use super::Failure;
use super::action::{Progress, Runner, Task, Work};
use super::binders::Flow;
use super::env::{Binding, Env, Unknown, Unknowns};
use super::expr::at;
use crate::ir::{Action, Expr, ExprKind};
use crate::value::Value;

/// Work that was put off; the latest first.
pub(super) struct Deferred<'a> {
    work: Work<'a>,
    env: &'a Env<'a>,
    failure: Failure,
    before: Option<&'a Deferred<'a>>,
}

impl Runner<'_> {
    /// Puts an action off if it failed for want of a value, or if others were put off before it.
    pub(super) fn defer<'a>(
        &mut self,
        action: &'a Action,
        env: &'a Env<'a>,
        failure: Failure,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        self.defer_work(Work::Actions(std::slice::from_ref(action)), env, failure, progress, rest)
    }

    pub(super) fn defer_work<'a>(
        &mut self,
        work: Work<'a>,
        env: &'a Env<'a>,
        failure: Failure,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        if !owns_unknowns(progress) || (failure.needs().is_none() && progress.deferred.is_none()) {
            return Err(failure);
        }
        let deferred = Deferred { work, env, failure, before: progress.deferred };
        self.resume(&Progress { deferred: Some(&deferred), ..*progress }, rest)
    }

    /// Runs again what was put off, now that nothing else is left.
    pub(super) fn retry<'a>(
        &mut self,
        deferred: &'a Deferred<'a>,
        progress: &'a Progress<'a>,
    ) -> Result<Flow, Failure> {
        let all = || std::iter::successors(Some(deferred), |deferred| deferred.before);
        let missing = all().filter_map(|deferred| deferred.failure.needs()).last();
        let unknown = missing.and_then(|id| unknowns(progress.unknowns).find(|unknown| unknown.id == id));
        let progress = &Progress { deferred: None, ..*progress };
        match unknown {
            Some(unknown) if unknown.get().is_none() => {
                self.try_all(unknown, |runner| runner.run_deferred(Some(deferred), progress, None))
            }
            Some(_) => self.run_deferred(Some(deferred), progress, None),
            None => Err(deferred.failure.clone()),
        }
    }

    /// Does something for each value that an unknown can have.
    pub(super) fn try_all(
        &mut self,
        unknown: &Unknown<'_>,
        mut attempt: impl FnMut(&mut Self) -> Result<Flow, Failure>,
    ) -> Result<Flow, Failure> {
        let bound = unknown.bound.iterate("try all values of an argument that was not recorded");
        for value in bound.map_err(|error| at(error, unknown.span))? {
            let value = value.map_err(|error| at(error, unknown.span))?;
            let flow = unknown.with(value, || attempt(self));
            if self.tolerated(flow)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Go)
    }

    /// Turns the list around, so that what was put off first is run first.
    fn run_deferred<'a>(
        &mut self,
        deferred: Option<&'a Deferred<'a>>,
        progress: &'a Progress<'a>,
        then: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let Some(Deferred { work, env, before, .. }) = deferred else { return self.resume(progress, then) };
        let task = Task { work: *work, env, depth: progress.depth, then };
        self.run_deferred(*before, progress, Some(&task))
    }

    /// A condition that could not be evaluated. If all that is wrong is a value that it needs, and it is an equation or a
    /// membership that determines the value, it is solved.
    pub(super) fn solve<'a>(
        &mut self,
        action: &'a Action,
        condition: &'a Expr,
        env: &'a Env<'a>,
        failure: Failure,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        match &condition.kind {
            _ if failure.needs().is_none() => self.defer(action, env, failure, progress, rest),
            ExprKind::Equal(left, right) => self.solve_equation(action, left, right, env, failure, progress, rest),
            ExprKind::In(element, set) => self.solve_membership(action, element, set, env, failure, progress, rest),
            _ => self.defer(action, env, failure, progress, rest),
        }
    }

    /// `left = right`, where one side is an unknown, or a tuple or record of such, and the other can be evaluated.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn solve_equation<'a>(
        &mut self,
        action: &'a Action,
        left: &'a Expr,
        right: &'a Expr,
        env: &'a Env<'a>,
        failure: Failure,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        for (pattern, known) in [(left, right), (right, left)] {
            if !owns_unknowns(progress) || !is_pattern(pattern, env) {
                continue;
            }
            if let Ok(value) = self.evaluator.eval(known, env, progress.cx) {
                let value = value.own().normalize().map_err(|error| at(error, known.span))?;
                let mut solved = Vec::new();
                return match matches(pattern, &value, env, &mut solved) {
                    Some(true) => self.hold(
                        &solved,
                        progress,
                        Some(&Task {
                            // What is left of the equation (parts of the pattern that are no unknowns) is tested as it stands.
                            work: Work::Actions(std::slice::from_ref(action)),
                            env,
                            depth: progress.depth,
                            then: rest,
                        }),
                    ),
                    Some(false) => Ok(Flow::Go),
                    None => self.defer(action, env, failure, progress, rest),
                };
            }
        }
        self.defer(action, env, failure, progress, rest)
    }

    /// `element \in set`, where the element is unknown and the set can be evaluated and enumerated.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn solve_membership<'a>(
        &mut self,
        action: &'a Action,
        element: &'a Expr,
        set: &'a Expr,
        env: &'a Env<'a>,
        failure: Failure,
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let Some(unknown) = as_unknown(element, env).filter(|_| owns_unknowns(progress)) else {
            return self.defer(action, env, failure, progress, rest);
        };
        let Ok(set) = self.evaluator.eval(set, env, progress.cx) else {
            return self.defer(action, env, failure, progress, rest);
        };
        let Ok(elements) = set.iterate("solve") else {
            return self.defer(action, env, failure, progress, rest);
        };
        for value in elements {
            let value = value.map_err(|error| at(error, element.span))?;
            let flow = self.hold(&[(unknown, value)], progress, rest);
            if self.tolerated(flow)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Go)
    }

    /// Goes on with unknowns that are known now, if their quantifiers allow the values.
    pub(super) fn hold<'a>(
        &mut self,
        solved: &[(&'a Unknown<'a>, Value)],
        progress: &'a Progress<'a>,
        rest: Option<&'a Task<'a>>,
    ) -> Result<Flow, Failure> {
        let Some(((unknown, value), others)) = solved.split_first() else { return self.resume(progress, rest) };
        let fits = match unknown.get() {
            Some(known) => known.equals(value),
            None => value.member(&unknown.bound),
        };
        if !fits.map_err(|error| at(error, unknown.span))? {
            return Ok(Flow::Go);
        }
        unknown.with(value.clone(), || self.hold(others, progress, rest))
    }
}

/// Whether this is the run of a disjunct, and not another run inside of it.
pub(super) fn owns_unknowns(progress: &Progress<'_>) -> bool {
    progress.unknowns.is_some()
}

pub(super) fn unknowns<'a>(latest: Option<&'a Unknowns<'a>>) -> impl Iterator<Item = &'a Unknown<'a>> {
    std::iter::successors(latest, |unknowns| unknowns.before).flat_map(|unknowns| unknowns.names)
}

/// The first unknown that no value was found for and that could be tried out.
pub(super) fn unresolved<'a>(latest: Option<&'a Unknowns<'a>>) -> Option<&'a Unknown<'a>> {
    unknowns(latest).find(|unknown| unknown.get().is_none() && unknown.bound.is_finite().is_ok_and(|finite| finite))
}

/// The unknown that an expression is, directly or through parameters, if its value was not found yet.
pub(super) fn as_unknown<'a>(expr: &Expr, env: &'a Env<'a>) -> Option<&'a Unknown<'a>> {
    let ExprKind::Local(local) = &expr.kind else { return None };
    match env.find(*local).0 {
        Binding::Unknown(unknown) => unknown.get().is_none().then_some(unknown),
        Binding::Lazy(lazy) => as_unknown(lazy.expr, lazy.env),
        _ => None,
    }
}

/// Whether an expression is an unknown, or a tuple or record with one in it.
fn is_pattern(expr: &Expr, env: &Env<'_>) -> bool {
    match &expr.kind {
        ExprKind::Tuple(parts) => parts.iter().any(|part| is_pattern(part, env)),
        ExprKind::Record(record) => record.fields.iter().any(|(_, part)| is_pattern(part, env)),
        _ => as_unknown(expr, env).is_some(),
    }
}

/// What the unknowns in a pattern have to be for it to equal a value: `Some(false)` if it cannot, `None` if that cannot be
/// told (two of the unknowns are the same one, say, with values to compare).
fn matches<'a>(
    pattern: &Expr,
    value: &Value,
    env: &'a Env<'a>,
    solved: &mut Vec<(&'a Unknown<'a>, Value)>,
) -> Option<bool> {
    match &pattern.kind {
        ExprKind::Tuple(parts) => {
            let Value::Tuple(tuple) = value else { return None };
            if tuple.len() != parts.len() {
                return Some(false);
            }
            for (part, value) in parts.iter().zip(tuple.iter()) {
                if !matches(part, value, env, solved)? {
                    return Some(false);
                }
            }
            Some(true)
        }
        ExprKind::Record(code) => {
            let Value::Function(record) = value else { return None };
            if record.len() != code.fields.len() {
                return Some(false);
            }
            for (field, part) in &code.fields {
                let Some(value) = record.field(*field) else { return Some(false) };
                if !matches(part, value, env, solved)? {
                    return Some(false);
                }
            }
            Some(true)
        }
        _ => {
            if let Some(unknown) = as_unknown(pattern, env) {
                solved.push((unknown, value.clone()));
            }
            Some(true)
        }
    }
}
