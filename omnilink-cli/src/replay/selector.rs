//! Event selectors: the moment of a run that `--until 2:17` selects.

use std::str::FromStr;

use omnilink_check::report::event_name::EventName;
use omnilink_record::debugger::When;
use omnilink_record::directory::Record as Recorded;
use omnilink_record::{Ending, Stopped};
use omnilink_trace::{Call, Event, Record, Trace};

use omnilink_record::directory::RunDirectory;

use crate::failure::Failure;

/// A moment of a run, as the user writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventSelector {
    /// `crash`: before the signal is received that ended the program.
    Crash,
    /// `deadlock`: when no thread can run.
    Deadlock,
    /// `end`: before the program ends.
    End,
    /// `start`: where the user's part of the program begins.
    Start,
    /// `2:17`: an event, as `show` and `check` print it.
    Named(EventName),
    /// `Dequeue#3`: the third of this action, in the order of their starts; `Dequeue` is the first.
    Nth {
        /// The action.
        action: String,
        /// From 1.
        number: u64,
    },
}

impl FromStr for EventSelector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(name) = text.parse() {
            return Ok(Self::Named(name));
        }
        match text {
            "crash" => return Ok(Self::Crash),
            "deadlock" => return Ok(Self::Deadlock),
            "end" => return Ok(Self::End),
            "start" => return Ok(Self::Start),
            _ => {}
        }
        let (action, number) = match text.split_once('#') {
            None => (text, Some(1)),
            Some((action, number)) => (action, number.parse().ok().filter(|&number| number > 0)),
        };
        match number {
            Some(number) if !action.is_empty() && !action.contains(':') => {
                Ok(Self::Nth { action: action.to_owned(), number })
            }
            _ => {
                Err("write LANE:INDEX as `omnilink show` does, ACTION, ACTION#N, crash, deadlock, end or start"
                    .to_owned())
            }
        }
    }
}

/// A moment of a run.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// The moment.
    pub when: When,
    /// A description: `event 1:5, Add(1), begins`.
    pub what: String,
    /// The message if the replay does not reach it.
    pub missing: String,
}

impl Found {
    /// Finds the selected moment in a run.
    pub fn of(run: &RunDirectory, record: &Recorded, selector: &EventSelector) -> Result<Self, Failure> {
        let (when, what) = match selector {
            EventSelector::Named(_) | EventSelector::Nth { .. } if !run.trace().exists() => {
                let text = format!("{}: the program recorded no events", run.path().display());
                return Err(Failure::with_hint(text, MOMENTS));
            }
            EventSelector::Named(_) | EventSelector::Nth { .. } => {
                return Self::event(&Trace::open(run.trace())?, selector);
            }
            EventSelector::Crash => (When::Crash, "the program crashes"),
            EventSelector::Deadlock => (When::Deadlock, "no thread can run"),
            EventSelector::End => match record.observed.ending {
                Ending::Stopped(_) => (When::End, "the program is about to be stopped at its limit of work"),
                _ => (When::End, "the program is about to end"),
            },
            EventSelector::Start => (When::Start, "the program begins"),
        };
        if let Some((wrong, advice)) = not_reached(when, &record.observed.ending) {
            return Err(Failure::with_hint(format!("{}: {wrong}", run.path().display()), advice));
        }
        let missing =
            format!("the recorded run reached the point where {what}, the replay did not: it is a different run");
        Ok(Self { when, what: what.to_owned(), missing })
    }

    /// Finds the selected event in a trace.
    fn event(trace: &Trace, selector: &EventSelector) -> Result<Self, Failure> {
        let mut passed = 0;
        for record in trace.records_as_recorded() {
            let Record::Event(event) = record? else { continue };
            let name = EventName { lane: event.lane, index: event.index };
            let is_it = match selector {
                EventSelector::Named(asked) => name == *asked,
                EventSelector::Nth { action, number } => {
                    passed += u64::from(may_be(trace, &event, action));
                    passed == *number
                }
                EventSelector::Crash | EventSelector::Deadlock | EventSelector::End | EventSelector::Start => false,
            };
            if is_it {
                let call = Call::new(trace.vocabulary(), &event);
                return Ok(Self {
                    when: When::Event { start: event.timebox.start },
                    what: format!("event {name}, {call}, begins"),
                    missing: format!("event {name}, {call}, did not begin: the replay is a different run"),
                });
            }
        }
        let text = match selector {
            EventSelector::Named(name) => format!("{}: has no event {name}", trace.path().display()),
            EventSelector::Nth { action, number: 1 } => format!("{}: has no event of {action}", trace.path().display()),
            EventSelector::Nth { action, .. } => format!("{}: has {passed} events of {action}", trace.path().display()),
            EventSelector::Crash | EventSelector::Deadlock | EventSelector::End | EventSelector::Start => {
                trace.path().display().to_string()
            }
        };
        let show = format!("`omnilink show {}` lists its events", trace.path().display());
        // A name of an existing action does not need the hint.
        let hint = if passed > 0 { show } else { format!("{show}; {MOMENTS}") };
        Err(Failure::with_hint(text, hint))
    }
}

const MOMENTS: &str = "the moments besides events are crash, deadlock, end and start";

/// Why a run with this ending does not reach such a moment, and what to select instead; `None` if it reaches it.
fn not_reached(when: When, ending: &Ending) -> Option<(String, &'static str)> {
    let advice = match ending {
        Ending::Killed(libc::SIGKILL) => "SIGKILL cannot be intercepted: use --until start",
        Ending::Killed(_) => "use --until crash",
        Ending::Deadlocked(_) => "use --until deadlock",
        Ending::Exited(_) | Ending::Stopped(Stopped::DecisionLimit) => "use --until end",
        Ending::Stopped(_) => {
            "a time limit or Ctrl-C stopped it, which a replay does not repeat: use --until start, and Ctrl-C in gdb"
        }
    };
    let comes = match when {
        When::Event { .. } | When::Start => true,
        When::Crash => matches!(ending, Ending::Killed(signal) if *signal != libc::SIGKILL),
        When::Deadlock => matches!(ending, Ending::Deadlocked(_)),
        When::End => matches!(ending, Ending::Exited(_) | Ending::Stopped(Stopped::DecisionLimit)),
    };
    let wrong = match when {
        When::Crash => "did not crash",
        When::Deadlock => "did not deadlock",
        _ => "did not exit",
    };
    (!comes).then(|| (format!("{wrong}: {ending}"), advice))
}

fn may_be(trace: &Trace, event: &Event, action: &str) -> bool {
    event.candidates.as_slice().iter().any(|&id| &*trace.vocabulary().action(id).name == action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_to_ask_for_an_event() {
        let nth = |action: &str, number| Ok(EventSelector::Nth { action: action.to_owned(), number });
        let cases = [
            ("2:17", Ok(EventSelector::Named(EventName { lane: 2, index: 17 }))),
            ("Dequeue", nth("Dequeue", 1)),
            ("Dequeue#3", nth("Dequeue", 3)),
            ("crash", Ok(EventSelector::Crash)),
            ("end", Ok(EventSelector::End)),
            // An action of that name.
            ("end#1", nth("end", 1)),
            ("Dequeue#0", Err(())),
            ("Dequeue#x", Err(())),
            ("#1", Err(())),
            ("2:", Err(())),
            ("", Err(())),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse::<EventSelector>().map_err(drop), expected, "{text}");
        }
    }
}
