//! A smaller reason for a rejection: a few events that cannot be ordered, from whatever state could come before them.
//!
//! Three steps, each of which only takes demands away, so that what is left is rejected for reasons of its own:
//!
//! 1. *Cut before.* Events are placed breadth first up to shortly before the furthest point. That gives all configurations that
//!    an order can pass through there; what came before them is told by their states.
//! 2. *Cut after.* Events that began after a time `t` are dropped, and those still open then need not have happened: `t` is
//!    the earliest for which there is still no order.
//! 3. *Need less.* One event after the other is allowed not to have happened, if there is still no order then.

use std::collections::HashSet;

use omnilink_tla::{Spec, State};

use crate::check::{Options, initial_states};
use crate::error::CheckError;
use crate::history::{EventRef, History};
use crate::prepare::Prepared;
use crate::search::{Control, Deepest, DepthFirst, Ended, Frontier, Limits, Placement, Problem, Stopped};

/// Events that cannot be ordered.
#[derive(Debug, Clone)]
pub struct Core {
    /// How many events are placed before them.
    pub placed: u64,
    /// The states that these can lead to.
    pub states: Vec<State>,
    /// The events that cannot all have happened.
    pub needed: Vec<EventRef>,
    /// Further events at that time, which may have happened or not.
    pub others: Vec<EventRef>,
}

/// How far before the furthest point to cut, at most.
const LOOK_BACK: u64 = 64;
/// Of more events than this not each is tried.
const MANY: usize = 256;
/// Configurations that one attempt may take. Events that may not have happened make searches wide; what was not shown then is not
/// claimed.
const ATTEMPT: u64 = 20_000;

/// Finds a smaller reason for a rejection.
///
/// # Errors
/// Why the search was stopped, or what is wrong with the specification. `None` if something could not be evaluated on the way, so
/// that nothing is known for sure.
pub fn shrink(
    spec: &Spec,
    prepared: &Prepared,
    options: &Options,
    stuck: &Deepest,
    control: &mut Control<'_>,
) -> Result<Result<Option<Core>, Stopped>, CheckError> {
    let inits = initial_states(spec)?;
    let problem = Problem::new(spec, prepared, options);
    Ok(smaller(&problem, &inits, stuck, control))
}

fn smaller(
    problem: &Problem<'_>,
    inits: &[State],
    stuck: &Deepest,
    control: &mut Control<'_>,
) -> Result<Option<Core>, Stopped> {
    let Some(before) = cut_before(problem, inits, stuck, control)? else { return Ok(None) };
    let mut window = Window::new(problem.history, &before);
    window.cut_after(problem, control)?;
    window.need_less(problem, control)?;
    let states: HashSet<State> = before.iter().map(|(_, state)| state.clone()).collect();
    let mut states: Vec<State> = states.into_iter().collect();
    states.sort_by_key(State::fingerprint);
    let (needed, others) = window.events();
    let placed = before.iter().map(|(at, _)| at.iter().map(|at| u64::from(*at)).sum()).min().unwrap_or(0);
    Ok(Some(Core { placed, states, needed, others }))
}

/// Positions and state.
type Start = (Vec<u32>, State);

/// The configurations at the cut: of several cuts, those with the fewest states, and of these the latest.
fn cut_before(
    problem: &Problem<'_>,
    inits: &[State],
    stuck: &Deepest,
    control: &mut Control<'_>,
) -> Result<Option<Vec<Start>>, Stopped> {
    let mut frontier = Frontier::new(problem, inits);
    let mut best: Option<(usize, Vec<Start>)> = None;
    let mut back = LOOK_BACK;
    while back > 0 {
        let found = frontier.advance_to(stuck.placed.saturating_sub(back), control)?;
        let states: HashSet<&State> = found.iter().map(|configuration| &configuration.state).collect();
        if !found.is_empty() && best.as_ref().is_none_or(|(fewest, _)| states.len() <= *fewest) {
            let starts = found.iter().map(|it| (it.placement.positions().to_vec(), it.state.clone()));
            best = Some((states.len(), starts.collect()));
        }
        back /= 2;
    }
    Ok(best.filter(|_| !frontier.is_partial).map(|(_, starts)| starts))
}

/// The events after the cut.
struct Window<'h> {
    whole: &'h History,
    starts: Vec<Start>,
    /// Where each lane's part begins.
    base: Vec<u32>,
    /// The part of the history.
    part: History,
}

impl<'h> Window<'h> {
    fn new(whole: &'h History, starts: &[Start]) -> Self {
        let base: Vec<u32> =
            (0..whole.lanes.len()).map(|lane| starts.iter().map(|(at, _)| at[lane]).min().unwrap_or(0)).collect();
        let part = whole.part(&base, u64::MAX);
        Self { whole, starts: starts.to_vec(), base, part }
    }

    /// Drops what is later than needed.
    fn cut_after(&mut self, problem: &Problem<'_>, control: &mut Control<'_>) -> Result<(), Stopped> {
        let mut ends: Vec<u64> = self.part.events().map(|(_, event)| event.end).collect();
        ends.sort_unstable();
        ends.dedup();
        // The earliest of these ends at which there is no order; at the last there is none.
        let (mut low, mut high) = (0, ends.len().saturating_sub(1));
        // Near the cut most likely: look there first, so that far ends are never searched.
        let mut reach = 16;
        while low + reach < high {
            if self.has_order(problem, &self.whole.part(&self.base, ends[low + reach]), control)? {
                reach *= 2;
            } else {
                high = low + reach;
            }
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if self.has_order(problem, &self.whole.part(&self.base, ends[middle]), control)? {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        self.part = self.whole.part(&self.base, ends.get(low).copied().unwrap_or(u64::MAX));
        Ok(())
    }

    /// Lets events not have happened as long as there is no order.
    fn need_less(&mut self, problem: &Problem<'_>, control: &mut Control<'_>) -> Result<(), Stopped> {
        let needed = self.part.events().filter(|(_, event)| !event.optional).map(|(place, _)| place);
        let needed: Vec<EventRef> = needed.collect();
        if needed.len() > MANY {
            return Ok(());
        }
        for place in needed {
            self.part.set_optional(place, true);
            if self.has_order(problem, &self.part, control)? {
                self.part.set_optional(place, false);
            }
        }
        Ok(())
    }

    /// Whether there is an order of a part, or might be one.
    fn has_order(&self, problem: &Problem<'_>, part: &History, control: &mut Control<'_>) -> Result<bool, Stopped> {
        let problem = problem.with_history(part);
        let limits = Limits { configurations: Some(ATTEMPT), ..control.limits.clone() };
        let (interrupt, began) = (control.interrupt, control.began);
        let mut control = Control { interrupt, progress: &mut *control.progress, limits, began };
        let mut search = DepthFirst::new(&problem, &mut control);
        for (at, state) in &self.starts {
            let at: Vec<u32> = at.iter().zip(&self.base).map(|(at, base)| at - base).collect();
            match search.run_from(Placement::resume(part, &at), state.clone()) {
                Ended::Found | Ended::Stopped(Stopped::Configurations) => return Ok(true),
                Ended::Exhausted => {}
                Ended::Stopped(stopped) => return Err(stopped),
                Ended::Paused | Ended::Elsewhere => unreachable!("it searches alone"),
            }
        }
        // What could not be evaluated or was not tried may have been an order.
        Ok(search.limited || search.failures.count > 0)
    }

    /// The events that are needed and the others, by their places in the whole history.
    fn events(&self) -> (Vec<EventRef>, Vec<EventRef>) {
        let whole = |place: EventRef| EventRef { at: place.at + self.base[place.lane as usize], ..place };
        let (needed, others): (Vec<_>, Vec<_>) = self.part.events().partition(|(_, event)| !event.optional);
        (
            needed.iter().map(|(place, _)| whole(*place)).collect(),
            others.iter().map(|(place, _)| whole(*place)).collect(),
        )
    }
}
