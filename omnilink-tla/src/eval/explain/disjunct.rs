//! A disjunct of a next-state relation, explained as one conjunction: the bounds of quantifiers, guards, what is passed for the
//! parameters, and the action itself.
//!
//! The evaluator leaves quantified names open until it arrives at the action and takes them from the recorded
//! arguments. Here they are determined beforehand, so that each condition of the disjunct is explained with their values.

use std::cell::Cell;

use super::part::{Outcome, Part, Role};
use super::quantified::{Quantified, onward};
use super::{Choices, Explainer, Goal, GoalKind, MOST_PARTS, Scope, bound_names};
use crate::eval::action::Disjunct;
use crate::eval::binders::Flow;
use crate::eval::disjunct::child;
use crate::eval::env::{Binding, Env, Frame, Held, Unknown, UnknownId, Unknowns};
use crate::eval::expr::{at, let_frame};
use crate::eval::solve::as_unknown;
use crate::eval::{Context, Evaluator, Failure};
use crate::ir::{Action, ActionKind, Arg, Binder, Bounds, DefinitionId, Expr, ExprKind};
use crate::symbol::Symbol;
use crate::value::Value;

impl Evaluator<'_> {
    /// Why a disjunct of a next-state relation can or cannot happen with arguments.
    pub fn explain_disjunct(&self, next: &Action, disjunct: Disjunct<'_>, cx: Context<'_>) -> Part {
        let quantified = Quantified::on(self.program, next, disjunct);
        let names = quantified.names.iter().map(|(name, _)| *name).collect();
        let explainer = Explainer { evaluator: self, names, left: Cell::new(MOST_PARTS) };
        let scope = Scope { env: &Env::EMPTY, cx, unknowns: None, depth: 0 };
        let around = Surroundings { scope, before: None, after: None, quantified: &quantified.names };
        explainer.follow(next, disjunct, around)
    }
}

/// Goals, those of one node of the disjunct after the other's.
#[derive(Clone, Copy)]
struct Goals<'a> {
    goals: &'a [Goal<'a>],
    rest: Option<&'a Goals<'a>>,
}

impl<'a> Goals<'a> {
    fn places(latest: Option<&'a Self>) -> impl Iterator<Item = &'a [Goal<'a>]> {
        std::iter::successors(latest, |goals| goals.rest).map(|goals| goals.goals)
    }
}

/// What stands around a node of the disjunct.
#[derive(Clone, Copy)]
struct Surroundings<'a> {
    scope: Scope<'a>,
    /// What has to hold before the action happens, the latest first.
    before: Option<&'a Goals<'a>>,
    /// What has to hold after it, the first first.
    after: Option<&'a Goals<'a>>,
    /// The quantified names that are still to come, with what was recorded for them.
    quantified: &'a [(Symbol, Option<Value>)],
}

impl<'a> Surroundings<'a> {
    fn within(self, env: &'a Env<'a>) -> Self {
        Self { scope: self.scope.within(env), ..self }
    }
}

impl Explainer<'_> {
    fn follow<'a>(&'a self, action: &'a Action, disjunct: Disjunct<'a>, around: Surroundings<'a>) -> Part {
        let Scope { env, cx, .. } = around.scope;
        match &action.kind {
            ActionKind::And(parts) => {
                let at = child(disjunct).0;
                let goals = |parts: &'a [Action]| parts.iter().map(|part| Goal::run(part, env)).collect::<Vec<_>>();
                let (before, after) = (goals(&parts[..at]), goals(&parts[at + 1..]));
                let before = Goals { goals: &before, rest: around.before };
                let after = Goals { goals: &after, rest: around.after };
                self.go_on(action, disjunct, Surroundings { before: Some(&before), after: Some(&after), ..around })
            }
            ActionKind::If(condition, ..) => {
                self.guarded(&[(condition, child(disjunct).0 == 0)], action, disjunct, around)
            }
            ActionKind::Case { arms, .. } => {
                let taken = child(disjunct).0;
                let conditions = arms.iter().map(|arm| &arm.condition).enumerate().take(taken + 1);
                let guards: Vec<_> = conditions.map(|(at, condition)| (condition, at == taken)).collect();
                self.guarded(&guards, action, disjunct, around)
            }
            ActionKind::Let(group, body) => {
                let frame = let_frame(group, cx);
                self.follow(body, disjunct, around.within(&env.enter(&frame)))
            }
            ActionKind::Exists(bounds, body) => match self.evaluator.sets(bounds, env, cx) {
                Ok(sets) => self.quantifier(bounds, &sets, body, disjunct, around),
                Err(failure) => {
                    let mut part = Part::new(action.span, Outcome::False);
                    self.make_up_for(failure, around.scope, &mut part, || self.follow(action, disjunct, around));
                    part
                }
            },
            ActionKind::Call(id, args) if disjunct.position.is_empty() => {
                self.arrive(action, (*id, args), disjunct.args, around)
            }
            ActionKind::Call(id, args) => {
                let Some(body) = &self.evaluator.program.definition(*id).action else {
                    unreachable!("disjuncts lead through actions")
                };
                let frame = self.evaluator.bind_open(args, env, cx);
                self.follow(body, child(disjunct).1, around.within(&Env { bindings: &frame, up: None }))
            }
            _ => self.go_on(action, disjunct, around),
        }
    }

    fn go_on<'a>(&'a self, action: &'a Action, disjunct: Disjunct<'a>, around: Surroundings<'a>) -> Part {
        let Some((onward, disjunct)) = onward(action, disjunct) else {
            unreachable!("positions lead through branches and calls")
        };
        self.follow(onward, disjunct, around)
    }

    /// Goes on where conditions have to be what they are said to be.
    fn guarded<'a>(
        &'a self,
        guards: &[(&'a Expr, bool)],
        action: &'a Action,
        disjunct: Disjunct<'a>,
        around: Surroundings<'a>,
    ) -> Part {
        let sides = [false, true].map(|holds| (Value::Bool(holds), Role::Guard(holds)));
        let pairs: Vec<_> = guards.iter().map(|(guard, holds)| (*guard, &sides[usize::from(*holds)].0)).collect();
        let goals: Vec<_> = pairs
            .iter()
            .zip(guards)
            .map(|(pair, (_, holds))| Goal {
                env: around.scope.env,
                kind: GoalKind::Equal(pair, &sides[usize::from(*holds)].1),
            })
            .collect();
        self.go_on(
            action,
            disjunct,
            Surroundings { before: Some(&Goals { goals: &goals, rest: around.before }), ..around },
        )
    }

    /// Binds quantified names to the recorded arguments, and leaves the others open.
    fn quantifier<'a>(
        &'a self,
        bounds: &'a Bounds,
        sets: &[Held<'a>],
        body: &'a Action,
        disjunct: Disjunct<'a>,
        around: Surroundings<'a>,
    ) -> Part {
        let (recorded, quantified) = around.quantified.split_at(bounds.names);
        let around = Surroundings { quantified, ..around };
        if bounds.binders.iter().any(|binder| binder.tuple) && recorded.iter().any(|(_, value)| value.is_none()) {
            return self.fitting_choices(bounds, sets, recorded, body, disjunct, around);
        }
        let first = self.names.len() - quantified.len() - bounds.names;
        let sets_of_names = || {
            let sets = bounds.binders.iter().zip(sets);
            sets.flat_map(|(binder, set)| std::iter::repeat_n((binder, set), binder.names))
        };
        let open: Vec<Unknown<'_>> = sets_of_names()
            .enumerate()
            .map(|(at, (binder, set))| Unknown::new(UnknownId(first + at), set.clone(), binder.set.span))
            .collect();
        let frame: Frame<'_> = recorded
            .iter()
            .zip(&open)
            .map(|((_, value), open)| value.clone().map_or(Binding::Unknown(open), Binding::Value))
            .collect();
        let parts = self.bounds(bounds, sets, recorded, around.scope);
        let goal = |part| Goal { env: around.scope.env, kind: GoalKind::Judged(part) };
        let goals: Vec<_> = parts.iter().map(goal).collect();
        let env = around.scope.env.enter(&frame);
        let unknowns = Unknowns { names: &open, before: around.scope.unknowns };
        let scope = Scope { unknowns: Some(&unknowns), ..around.scope };
        let before = Goals { goals: &goals, rest: around.before };
        self.follow(body, disjunct, Surroundings { scope, before: Some(&before), ..around }.within(&env))
    }

    /// Whether recorded arguments are in the sets of their quantifiers.
    fn bounds<'a>(
        &'a self,
        bounds: &'a Bounds,
        sets: &[Held<'a>],
        recorded: &[(Symbol, Option<Value>)],
        scope: Scope<'a>,
    ) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut recorded = recorded.iter();
        for (binder, set) in bounds.binders.iter().zip(sets) {
            let names: Vec<_> = recorded.by_ref().take(binder.names).collect();
            for names in names.chunks(if binder.tuple { binder.names } else { 1 }) {
                let known: Vec<_> = names.iter().filter_map(|(name, value)| Some((*name, value.clone()?))).collect();
                let outcome = match is_inside(&known, set, binder) {
                    // There is something in it, and that is all that has to be known about it.
                    Ok(true) if known.is_empty() => continue,
                    Ok(inside) => Outcome::of(inside),
                    Err(failure) => failure.into(),
                };
                let mut part = Part::new(binder.set.span, outcome).with(Role::Bound(known));
                part.values = self.values_of([&binder.set], scope);
                parts.push(part);
            }
        }
        parts
    }

    /// A quantifier with a tuple pattern of which not all names were recorded: the elements of its set that fit.
    fn fitting_choices<'a>(
        &'a self,
        bounds: &'a Bounds,
        sets: &[Held<'a>],
        recorded: &[(Symbol, Option<Value>)],
        body: &'a Action,
        disjunct: Disjunct<'a>,
        around: Surroundings<'a>,
    ) -> Part {
        let mut part = Part::new(body.span, Outcome::False);
        part.values = self.values_of(bounds.binders.iter().map(|binder| &binder.set), around.scope);
        let mut choices = Choices::default();
        let tried = self.evaluator.each_of(bounds, sets, around.scope.env, &mut |env| {
            let names = bound_names(bounds, env);
            let fits = names
                .iter()
                .zip(recorded)
                .all(|((_, value), (_, known))| known.as_ref().is_none_or(|known| known == value));
            if !fits {
                return Ok(Flow::Go);
            }
            Ok(choices.add(self.follow(body, disjunct, around.within(env)).with(Role::Choice(names))))
        });
        part.outcome = Outcome::of_any(&choices.parts);
        choices.finish(&mut part);
        if let Err(failure) = tried {
            part.outcome = failure.into();
        }
        part
    }

    /// The action itself, with all that has to hold around it.
    fn arrive<'a>(
        &'a self,
        action: &'a Action,
        (id, args): (DefinitionId, &'a [Arg]),
        recorded: &'a [Option<Value>],
        around: Surroundings<'a>,
    ) -> Part {
        let Scope { env, cx, .. } = around.scope;
        let definition = self.evaluator.program.definition(id);
        let mut frame = self.evaluator.bind_open(args, env, cx);
        let mut passed: Vec<((&Expr, &Value), Role)> = Vec::new();
        for (((binding, arg), value), (parameter, _)) in
            frame.iter_mut().zip(args).zip(recorded).zip(&definition.params)
        {
            let (Some(value), Arg::Eager(expr) | Arg::Lazy { expr, .. }) = (value, arg) else { continue };
            match binding {
                // What is passed may be an expression that the action primes, so it is not forgotten.
                Binding::Lazy(lazy) if as_unknown(expr, env).is_none() => lazy.memo = lazy.memo.known(value.clone()),
                _ => *binding = Binding::Value(value.clone()),
            }
            let told = matches!(expr.kind, ExprKind::Local(_))
                && self.evaluator.eval(expr, env, cx).is_ok_and(|passed| *passed == *value);
            if !told {
                passed.push(((expr, value), Role::Passed(*parameter, value.clone())));
            }
        }
        let inner = Env { bindings: &frame, up: None };
        let body: Vec<_> = match &definition.action {
            Some(Action { kind: ActionKind::And(conjuncts), .. }) => {
                conjuncts.iter().map(|conjunct| Goal::run(conjunct, &inner)).collect()
            }
            Some(whole) => vec![Goal { env: &inner, kind: GoalKind::RunWhole(whole) }],
            None => unreachable!("disjuncts call actions"),
        };
        let mut before: Vec<_> = Goals::places(around.before).collect();
        before.reverse();
        let mut goals: Vec<_> = before.concat();
        goals.extend(passed.iter().map(|(pair, role)| Goal { env, kind: GoalKind::Equal(pair, role) }));
        goals.extend(body);
        goals.extend(Goals::places(around.after).flatten());

        let mut part = Part::new(action.span, self.judge(&goals, around.scope));
        if part.outcome != Outcome::True {
            self.conjunction(&goals, around.scope.deeper(), &mut part);
        }
        part
    }
}

/// Whether the values of a binder's names, if they are known, are in its set; else whether anything is.
fn is_inside(known: &[(Symbol, Value)], set: &Value, binder: &Binder) -> Result<bool, Failure> {
    let inside = match known {
        [] => match set.is_finite() {
            Ok(true) => set.iterate("enumerate").map(|mut elements| elements.next().is_some()),
            Ok(false) => Ok(true),
            Err(error) => Err(error),
        },
        [(_, value)] if !binder.tuple => value.member(set),
        _ => Value::tuple(known.iter().map(|(_, value)| value.clone())).and_then(|tuple| tuple.member(set)),
    };
    inside.map_err(|error| at(error, binder.set.span))
}
