//! The moment of a failed run that is most useful for debugging.

use omnilink_check::report::Report;
use omnilink_check::report::event_name::EventName;
use omnilink_check::report::model::{Call, Obstacle};
use omnilink_record::{Ending, Mode, Stopped};

/// The argument of `replay --until` for a run with this ending and this report; `None` if the run is not
/// repeatable.
pub fn moment(mode: Mode, ending: &Ending, report: Option<&Report>) -> Option<String> {
    if mode == Mode::Free {
        return None;
    }
    Some(match ending {
        Ending::Killed(libc::SIGKILL) => "start".to_owned(),
        Ending::Killed(_) => "crash".to_owned(),
        Ending::Deadlocked(_) => "deadlock".to_owned(),
        Ending::Stopped(Stopped::DecisionLimit) => "end".to_owned(),
        Ending::Stopped(_) => "start".to_owned(),
        Ending::Exited(_) => report.and_then(event).map_or_else(|| "end".to_owned(), |event| event.to_string()),
    })
}

/// The event at which a trace is rejected.
pub fn event(report: &Report) -> Option<EventName> {
    let name = |call: &Call| EventName { lane: call.lane, index: call.index };
    let core = report.core.as_ref().and_then(|core| core.needed.iter().max_by_key(|call| call.start));
    let stuck = || {
        let lanes = &report.stuck.as_ref()?.groups.first()?.example.lanes;
        let blocked = lanes.iter().filter_map(|lane| lane.next.as_ref());
        let blocked = blocked.filter(|next| matches!(next.obstacle, Obstacle::Blocked(_)));
        blocked.map(|next| &next.call).min_by_key(|call| call.start)
    };
    let violated = || report.violation.as_ref()?.after.as_ref();
    core.or_else(stuck).or_else(violated).map(name)
}
