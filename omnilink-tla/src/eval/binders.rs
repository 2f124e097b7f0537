//! Binders: going through all values that bound names can have.

use omnilink_budget::poll;
use smallvec::SmallVec;

use super::env::{Binding, Env, Frame, Held};
use super::expr::at;
use super::{Context, Evaluator, Failure};
use crate::ir::{Binder, Bounds};
use crate::value::Value;

/// Whether to go on with the next values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    Go,
    Stop,
}

const DOING: &str = "enumerate";

impl Evaluator<'_> {
    /// Does something for all values of the bound names, in order, until told to stop.
    pub(super) fn each<'a>(
        &'a self,
        bounds: &'a Bounds,
        env: &'a Env<'a>,
        cx: Context<'a>,
        mut visit: impl for<'x> FnMut(&'x Env<'x>) -> Result<Flow, Failure>,
    ) -> Result<Flow, Failure> {
        let sets = self.sets(bounds, env, cx)?;
        self.each_of(bounds, &sets, env, &mut visit)
    }

    /// Whether a condition holds for some values of the bound names.
    pub(super) fn first<'a>(
        &'a self,
        bounds: &'a Bounds,
        env: &'a Env<'a>,
        cx: Context<'a>,
        mut holds: impl for<'x> FnMut(&'x Env<'x>) -> Result<bool, Failure>,
    ) -> Result<bool, Failure> {
        let flow = self.each(bounds, env, cx, |env| Ok(if holds(env)? { Flow::Stop } else { Flow::Go }))?;
        Ok(flow == Flow::Stop)
    }

    /// The sets that names are taken from.
    pub(super) fn sets<'a>(
        &'a self,
        bounds: &'a Bounds,
        env: &'a Env<'a>,
        cx: Context<'a>,
    ) -> Result<SmallVec<[Held<'a>; 2]>, Failure> {
        let mut sets = SmallVec::new();
        for binder in &bounds.binders {
            sets.push(self.eval(&binder.set, env, cx)?);
        }
        Ok(sets)
    }

    /// The frames for all values of the bound names.
    pub(super) fn frames<'a>(
        &'a self,
        bounds: &'a Bounds,
        env: &'a Env<'a>,
        cx: Context<'a>,
    ) -> Result<Vec<Vec<Binding<'a>>>, Failure> {
        let mut frames = Vec::new();
        self.each(bounds, env, cx, |env| {
            let values = env.bindings.iter().map(|binding| match binding {
                Binding::Value(value) => Binding::Value(value.clone()),
                _ => unreachable!("binders bind values"),
            });
            frames.push(values.collect());
            Ok(Flow::Go)
        })?;
        Ok(frames)
    }

    /// [`Evaluator::each`] with the sets at hand.
    pub(super) fn each_of(
        &self,
        bounds: &Bounds,
        sets: &[Held<'_>],
        env: &Env<'_>,
        visit: &mut dyn for<'x> FnMut(&'x Env<'x>) -> Result<Flow, Failure>,
    ) -> Result<Flow, Failure> {
        if let [Binder { set, names: 1, tuple: false }] = &*bounds.binders {
            if let Some(elements) = listed(&sets[0]) {
                for element in elements {
                    poll();
                    let frame = [Binding::Value(element.clone())];
                    if visit(&env.enter(&frame))? == Flow::Stop {
                        return Ok(Flow::Stop);
                    }
                }
                return Ok(Flow::Go);
            }
            for element in sets[0].iterate(DOING).map_err(|error| at(error, set.span))? {
                let frame = [Binding::Value(element.map_err(|error| at(error, set.span))?)];
                if visit(&env.enter(&frame))? == Flow::Stop {
                    return Ok(Flow::Stop);
                }
            }
            return Ok(Flow::Go);
        }
        let ranges: SmallVec<[Range<'_>; 4]> = bounds.binders.iter().zip(sets).flat_map(Range::of).collect();
        if ranges.iter().any(|range| matches!(range.set, Value::Set(set) if set.is_empty())) {
            return Ok(Flow::Go);
        }
        nest(&ranges, &mut Frame::new(), env, visit)
    }
}

/// The elements of a set that lie side by side: most sets that names are taken from.
fn listed(set: &Value) -> Option<&[Value]> {
    match set {
        Value::Set(set) => set.as_array(),
        _ => None,
    }
}

/// One turn of a nested loop: a name, or the names of a tuple pattern, over a set.
struct Range<'a> {
    binder: &'a Binder,
    set: &'a Value,
}

impl<'a> Range<'a> {
    fn of((binder, set): (&'a Binder, &'a Held<'_>)) -> impl Iterator<Item = Self> {
        let turns = if binder.tuple { 1 } else { binder.names };
        (0..turns).map(move |_| Self { binder, set })
    }
}

fn nest(
    ranges: &[Range<'_>],
    frame: &mut Frame<'_>,
    env: &Env<'_>,
    visit: &mut dyn for<'x> FnMut(&'x Env<'x>) -> Result<Flow, Failure>,
) -> Result<Flow, Failure> {
    let Some((Range { binder, set }, inner)) = ranges.split_first() else {
        return visit(&Env { bindings: frame, up: Some(env) });
    };
    let bound = frame.len();
    if let (Some(elements), false) = (listed(set), binder.tuple) {
        for element in elements {
            poll();
            frame.push(Binding::Value(element.clone()));
            if nest(inner, frame, env, visit)? == Flow::Stop {
                return Ok(Flow::Stop);
            }
            frame.truncate(bound);
        }
        return Ok(Flow::Go);
    }
    let span = binder.set.span;
    for element in set.iterate(DOING).map_err(|error| at(error, span))? {
        let element = element.map_err(|error| at(error, span))?;
        if binder.tuple {
            let mut components = SmallVec::new();
            take_apart(&element, binder, &mut components)?;
            frame.extend(components.into_iter().map(Binding::Value));
        } else {
            frame.push(Binding::Value(element));
        }
        if nest(inner, frame, env, visit)? == Flow::Stop {
            return Ok(Flow::Stop);
        }
        frame.truncate(bound);
    }
    Ok(Flow::Go)
}

/// The components of a tuple that a pattern `<<x, y>>` names.
pub(super) fn take_apart(element: &Value, binder: &Binder, values: &mut SmallVec<[Value; 4]>) -> Result<(), Failure> {
    match element {
        Value::Tuple(tuple) if tuple.len() == binder.names => {
            values.extend(tuple.iter().cloned());
            Ok(())
        }
        other => {
            let names = binder.names;
            Err(Failure::new(
                format!("the pattern names {names} components, but an element is {other}"),
                binder.set.span,
            ))
        }
    }
}
