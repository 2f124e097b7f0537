//! The moment of a run that failed at which a debugger is of most use.

use omnilink_check::report::Report;
use omnilink_check::report::model::{Call, Obstacle};
use omnilink_record::{Ending, Mode, Stopped};

use crate::event_name::EventName;

/// What to give to `replay --until` for a run that ended so, and whose trace was found to be so; nothing if the run cannot be
/// repeated.
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

/// The event of a trace that says most about why it is rejected.
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
