//! Every order of a history, by the definitions: an event precedes another if it is earlier in the same lane, or if it ended before
//! the other began; whatever is not preceded by something that is left may come next.

use std::collections::HashSet;
use std::ops::ControlFlow;

use omnilink_check::history::Act;
use omnilink_check::prepare::Prepared;
use omnilink_check::timeline::{Event, EventRef};
use omnilink_tla::{Spec, State};

pub fn precedes((one, first): (EventRef, &Event), (other, second): (EventRef, &Event)) -> bool {
    one != other && (one.lane == other.lane && one.at < other.at || first.end < second.start)
}

/// Where an event leads, as its nth choice says, or an inner step of it.
pub fn steps(spec: &Spec, prepared: &Prepared, event: &Event, nth: u16, inner: bool, state: &State) -> HashSet<State> {
    let choice = &prepared.history.choices(event)[nth as usize];
    let action = match choice.act {
        Act::Whole(action) | Act::Steps { done: action, .. } if !inner => action,
        Act::Steps { step, .. } => step,
        Act::Whole(_) => return HashSet::new(),
    };
    let mut found = HashSet::new();
    let visited = spec.visit_steps(state, action, prepared.history.args(choice), &mut |candidate| {
        found.insert(candidate.state());
        ControlFlow::Continue(())
    });
    assert!(visited.is_ok(), "all can be evaluated");
    found
}

/// Whether there is an order.
pub fn has_order(spec: &Spec, prepared: &Prepared) -> bool {
    let events: Vec<(EventRef, &Event)> = prepared.history.timeline.events().collect();
    assert!(events.len() < 64);
    let before: Vec<u64> = events
        .iter()
        .map(|event| (0..events.len()).filter(|at| precedes(events[*at], *event)).fold(0, |set, at| set | 1 << at))
        .collect();
    let required = (0..events.len()).filter(|at| !events[*at].1.optional).fold(0, |set, at| set | 1 << at);
    let mut open: Vec<(u64, State)> = Vec::new();
    let _ = spec.init_states(&mut |state| {
        open.push((0, state));
        ControlFlow::Continue(())
    });
    let mut seen: HashSet<(u64, State)> = open.iter().cloned().collect();
    while let Some((placed, state)) = open.pop() {
        if placed & required == required {
            return true;
        }
        let mut found: Vec<(u64, State)> = Vec::new();
        for (at, (_, event)) in events.iter().enumerate() {
            if placed & 1 << at != 0 || before[at] & !placed != 0 {
                continue;
            }
            let after = placed | 1 << at;
            for nth in 0..prepared.history.choices(event).len() as u16 {
                let happens = steps(spec, prepared, event, nth, false, &state);
                found.extend(happens.into_iter().map(|state| (after, state)));
                // What has inner steps has one choice, so what has taken them is not told apart from what has not.
                let goes_on = steps(spec, prepared, event, nth, true, &state);
                found.extend(goes_on.into_iter().map(|state| (placed, state)));
            }
            if event.optional {
                found.push((after, state.clone()));
            }
        }
        open.extend(found.into_iter().filter(|next| seen.insert(next.clone())));
    }
    false
}
