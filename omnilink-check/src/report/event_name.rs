//! The name of an event in output and on the command line: `2:17` is event 17 of lane 2.

use std::fmt;
use std::str::FromStr;

use omnilink_trace::LaneId;

/// A lane and the number of an event in it, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventName {
    /// The lane.
    pub lane: LaneId,
    /// The event in it.
    pub index: u64,
}

impl fmt::Display for EventName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.lane, self.index)
    }
}

/// The text is not the name of an event.
#[derive(Debug, PartialEq, Eq)]
pub struct NotAnEventName;

impl FromStr for EventName {
    type Err = NotAnEventName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (lane, index) = text.split_once(':').ok_or(NotAnEventName)?;
        let (Ok(lane), Ok(index)) = (lane.parse(), index.parse()) else { return Err(NotAnEventName) };
        Ok(Self { lane, index })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let name = EventName { lane: 2, index: 17 };
        assert_eq!(name.to_string().parse(), Ok(name));
        for text in ["", ":", "2", "2:", ":17", "a:1", "1:b", "1:2:3", "-1:2"] {
            assert_eq!(text.parse::<EventName>(), Err(NotAnEventName), "{text}");
        }
    }
}
