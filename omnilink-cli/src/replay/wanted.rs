//! The event that a user wants to stop at.

use std::str::FromStr;

use omnilink_trace::{Call, Event, Record, Trace};

use crate::event_name::EventName;
use crate::failure::Failure;

/// How an event is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// `2:17`, as `show` and `check` print it.
    Named(EventName),
    /// `Dequeue#3`: the third of this action, in the order of their starts; `Dequeue` is the first.
    Nth {
        /// The action.
        action: String,
        /// From 1.
        number: u64,
    },
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(name) = text.parse() {
            return Ok(Self::Named(name));
        }
        let (action, number) = match text.split_once('#') {
            None => (text, Some(1)),
            Some((action, number)) => (action, number.parse().ok().filter(|&number| number > 0)),
        };
        match number {
            Some(number) if !action.is_empty() && !action.contains(':') => {
                Ok(Self::Nth { action: action.to_owned(), number })
            }
            _ => Err("write LANE:INDEX as `omnilink show` does, ACTION or ACTION#N".to_owned()),
        }
    }
}

/// An event of a trace.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// The clock reading that its record starts with.
    pub start: u64,
    /// What it is called.
    pub name: EventName,
    /// The call as the specification writes it.
    pub call: String,
}

impl Found {
    /// Looks for an event.
    pub fn of(trace: &Trace, wanted: &Wanted) -> Result<Self, Failure> {
        let mut passed = 0;
        for record in trace.records_as_recorded() {
            let Record::Event(event) = record? else { continue };
            let name = EventName { lane: event.lane, index: event.index };
            let is_it = match wanted {
                Wanted::Named(wanted) => name == *wanted,
                Wanted::Nth { action, number } => {
                    passed += u64::from(may_be(trace, &event, action));
                    passed == *number
                }
            };
            if is_it {
                let call = Call::new(trace.vocabulary(), &event).to_string();
                return Ok(Self { start: event.timebox.start, name, call });
            }
        }
        let text = match wanted {
            Wanted::Named(name) => format!("{}: has no event {name}", trace.path().display()),
            Wanted::Nth { action, number: 1 } => format!("{}: has no event of {action}", trace.path().display()),
            Wanted::Nth { action, .. } => format!("{}: has {passed} events of {action}", trace.path().display()),
        };
        Err(Failure::with_hint(text, format!("`omnilink show {}` lists its events", trace.path().display())))
    }
}

fn may_be(trace: &Trace, event: &Event, action: &str) -> bool {
    event.candidates.as_slice().iter().any(|&id| &*trace.vocabulary().action(id).name == action)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_to_ask_for_an_event() {
        let nth = |action: &str, number| Ok(Wanted::Nth { action: action.to_owned(), number });
        let cases = [
            ("2:17", Ok(Wanted::Named(EventName { lane: 2, index: 17 }))),
            ("Dequeue", nth("Dequeue", 1)),
            ("Dequeue#3", nth("Dequeue", 3)),
            ("Dequeue#0", Err(())),
            ("Dequeue#x", Err(())),
            ("#1", Err(())),
            ("2:", Err(())),
            ("", Err(())),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse::<Wanted>().map_err(drop), expected, "{text}");
        }
    }
}
