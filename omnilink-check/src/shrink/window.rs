//! The events after the cut, and what of them is needed.

use super::{Blocked, Start, cut};
use crate::history::History;
use crate::search::{Control, Deepest, DepthFirst, Ended, Limits, Placement, SpecProblem, Stopped};
use crate::timeline::EventRef;

/// Configurations that one attempt may take. Events that may not have happened make searches wide; what was not shown then is not
/// claimed.
const ATTEMPT: u64 = 20_000;

/// See the [module](self).
pub(super) struct Window<'h> {
    whole: &'h History,
    starts: Vec<Start>,
    /// Where each lane's part begins.
    base: Vec<u32>,
    /// The part of the history.
    part: History,
    /// Each event that is not optional was shown to be needed.
    pub is_minimal: bool,
}

/// Whether there is an order.
enum Answer {
    Yes,
    /// The furthest configurations are these.
    No(Deepest),
    /// A limit was reached, or something could not be evaluated.
    Unsure,
}

impl<'h> Window<'h> {
    pub fn new(whole: &'h History, starts: Vec<Start>) -> Self {
        let base = cut::common(whole, &starts);
        let part = whole.part(&base, u64::MAX);
        Self { whole, starts, base, part, is_minimal: false }
    }

    /// Drops what is later than needed.
    pub fn cut_after(&mut self, problem: &SpecProblem<'_>, control: &mut Control<'_>) -> Result<(), Stopped> {
        let mut ends: Vec<u64> = self.part.timeline.events().map(|(_, event)| event.end).collect();
        ends.sort_unstable();
        ends.dedup();
        // The earliest of these ends at which there is no order; at the last there is none.
        let (mut low, mut high) = (0, ends.len().saturating_sub(1));
        let mut is_rejected = |at: usize| {
            let part = self.whole.part(&self.base, ends[at]);
            self.attempt(problem, &part, control).map(|answer| matches!(answer, Answer::No(_)))
        };
        // Near the cut most likely: look there first, so that far ends are never searched.
        let mut reach = 16;
        while low + reach < high {
            if is_rejected(low + reach)? {
                high = low + reach;
            } else {
                reach *= 2;
            }
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if is_rejected(middle)? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        self.part = self.whole.part(&self.base, ends.get(low).copied().unwrap_or(u64::MAX));
        Ok(())
    }

    /// Lets calls not have happened as long as there is no order: many at once where that works. Being stopped on the way is
    /// no loss: what is left then is a reason, too.
    pub fn need_less(&mut self, problem: &SpecProblem<'_>, control: &mut Control<'_>) {
        let needed = self.part.timeline.events().filter(|(_, event)| !event.optional).map(|(place, _)| place);
        let mut needed: Vec<EventRef> = needed.collect();
        // What came first is the least likely to be needed: its effects are in the states, or in what came later.
        needed.sort_by_key(|place| (self.part.timeline.event(*place).end, *place));
        self.is_minimal = true;
        let mut open = vec![&needed[..]];
        while let Some(some) = open.pop() {
            some.iter().for_each(|place| self.part.timeline.set_optional(*place, true));
            let answer = self.attempt(problem, &self.part, control);
            if matches!(answer, Ok(Answer::No(_))) {
                continue;
            }
            some.iter().for_each(|place| self.part.timeline.set_optional(*place, false));
            match (answer, some) {
                (Err(_), _) => {
                    self.is_minimal = false;
                    return;
                }
                (Ok(Answer::Yes), [_] | []) => {}
                (Ok(_), [_] | []) => self.is_minimal = false,
                (Ok(_), several) => {
                    let (first, second) = several.split_at(several.len() / 2);
                    open.extend([second, first]);
                }
            }
        }
    }

    /// The needed events that are next and cannot happen, in the furthest configurations, with the states of these.
    pub fn blocked(&self, problem: &SpecProblem<'_>, control: &mut Control<'_>) -> Vec<Blocked> {
        let Ok(Answer::No(deepest)) = self.attempt(problem, &self.part, control) else { return Vec::new() };
        let mut blocked = Vec::new();
        for dead_end in deepest.kept {
            let placement = Placement::resume(&self.part.timeline, &dead_end.positions);
            for lane in placement.viable() {
                let place = EventRef { lane: lane as u32, at: placement.at(lane) };
                if !self.part.timeline.event(place).optional {
                    let (begun, state) = (dead_end.begun[lane].clone(), dead_end.state.clone());
                    blocked.push(Blocked { event: self.in_whole(place), begun, state });
                }
            }
        }
        blocked
    }

    /// Looks for an order of a part.
    fn attempt(&self, problem: &SpecProblem<'_>, part: &History, control: &mut Control<'_>) -> Result<Answer, Stopped> {
        let problem = problem.with_history(part);
        let limits = Limits { configurations: Some(ATTEMPT), ..control.limits.clone() };
        let (interrupt, began) = (control.interrupt, control.began);
        let mut control = Control { interrupt, progress: &mut *control.progress, limits, began };
        let mut search = DepthFirst::new(&problem, &mut control);
        for Start { placement, state, .. } in &self.starts {
            match search.run_from(placement.within(&part.timeline, &self.base), state.clone()) {
                Ended::Found => return Ok(Answer::Yes),
                Ended::Stopped(Stopped::Configurations) => return Ok(Answer::Unsure),
                Ended::Exhausted => {}
                Ended::Stopped(stopped) => return Err(stopped),
                Ended::Paused | Ended::Aside | Ended::Elsewhere => unreachable!("it searches alone"),
            }
        }
        // What could not be evaluated or was not tried may have been an order.
        let is_sure = !search.limited && search.failures.count == 0;
        Ok(if is_sure { Answer::No(std::mem::take(&mut search.deepest)) } else { Answer::Unsure })
    }

    /// The events that are needed and the others, by their places in the whole history.
    pub fn events(&self) -> (Vec<EventRef>, Vec<EventRef>) {
        let (needed, others): (Vec<_>, Vec<_>) = self.part.timeline.events().partition(|(_, event)| !event.optional);
        let in_whole = |events: Vec<(EventRef, _)>| events.iter().map(|(place, _)| self.in_whole(*place)).collect();
        (in_whole(needed), in_whole(others))
    }

    fn in_whole(&self, place: EventRef) -> EventRef {
        EventRef { at: place.at + self.base[place.lane as usize], ..place }
    }
}
