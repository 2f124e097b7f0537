//! Why a search ended without an answer, and what may help.

use omnilink_tla::Spec;

use super::calls::Calls;
use super::notes::count;
use crate::constants::Inferred;
use crate::dependence::{Dependence, NamelessPart};
use crate::history::History;
use crate::search::{Limits, Stopped};
use crate::timeline::{EventRef, NEVER};

/// How many wide boxes are named.
const NAMED: usize = 3;

/// Why it was stopped. `dependences` and the part without a name are those of a rejection.
pub(super) fn why(
    stopped: Stopped,
    limits: &Limits,
    dependences: &[Dependence],
    nameless: Option<&NamelessPart>,
) -> String {
    match stopped {
        Stopped::Interrupted => "it was interrupted".to_owned(),
        Stopped::Timeout => format!("{} {:?} stopped it", limits.timeout_option, limits.timeout.unwrap_or_default()),
        Stopped::Configurations => format!("--max-configs {} stopped it", limits.configurations.unwrap_or_default()),
        Stopped::Memory => format!("--max-memory {}M stopped it", limits.memory.unwrap_or_default() / 1_000_000),
        Stopped::Inferred => Dependence::why(dependences, "no order is allowed"),
        Stopped::Nameless => nameless.map(NamelessPart::why).unwrap_or_default(),
        Stopped::InnerSteps => {
            format!("an action could take more inner steps in a row than --max-steps {} allows", limits.inner_steps)
        }
    }
}

/// What to try.
pub(super) fn advice(
    stopped: Stopped,
    spec: &Spec,
    history: &History,
    calls: &Calls<'_>,
    inferred: &[Inferred],
    dependences: &[Dependence],
    nameless: Option<&NamelessPart>,
) -> Vec<String> {
    if stopped == Stopped::Inferred {
        return dependences.iter().map(Dependence::advice).collect();
    }
    if stopped == Stopped::Nameless {
        return nameless.map(NamelessPart::advice).into_iter().collect();
    }
    let mut advice = Vec::new();
    if stopped == Stopped::InnerSteps {
        advice.push("does every run of `_Step`s end? A guard that bounds them makes the answer definite".to_owned());
    } else {
        advice.push("raise the limit, or record shorter runs".to_owned());
    }
    let wide = widest(history);
    if !wide.is_empty() {
        let name = |&(place, width): &(EventRef, Option<u64>)| {
            let call = calls.call(place);
            let lane = if call.thread.is_empty() { format!("lane {}", call.lane) } else { call.thread };
            let width = width.map_or_else(|| "never ended".to_owned(), |width| calls.span(width));
            format!("{} of {lane} ({width})", call.call)
        };
        let named: Vec<_> = wide.iter().map(name).collect();
        advice.push(format!("wide timeboxes allow many orders; the widest are {}", named.join(", ")));
    }
    let optional = history.timeline.events().filter(|(_, event)| event.optional).count() as u64;
    if optional > 0 {
        advice.push(format!(
            "{} may have taken effect or not, which doubles the orders each time; record their results if you can",
            count(optional, "call")
        ));
    }
    if !inferred.is_empty() {
        let names: Vec<_> = inferred.iter().map(|it| it.name.as_str()).collect();
        advice.push(format!("give the inferred constants ({}) in a .cfg, if smaller sets suffice", names.join(", ")));
    }
    if spec.program().view.is_none() {
        advice.push(
            "if parts of the state cannot matter later, a VIEW in the .cfg that leaves them out makes states equal"
                .to_owned(),
        );
    }
    advice
}

/// The events with the widest boxes, those that never ended first.
fn widest(history: &History) -> Vec<(EventRef, Option<u64>)> {
    let width = |event: &crate::timeline::Event| (event.end != NEVER).then(|| event.end - event.start);
    let mut wide: Vec<(EventRef, Option<u64>)> = Vec::with_capacity(NAMED + 1);
    for (place, event) in history.timeline.events() {
        let key = |width: Option<u64>| width.unwrap_or(NEVER);
        let at = wide.partition_point(|(_, other)| key(*other) >= key(width(event)));
        if at < NAMED {
            wide.insert(at, (place, width(event)));
            wide.truncate(NAMED);
        }
    }
    wide
}
