//! Sizes that whoever makes many runs has chosen for this one: `OMNILINK_VARY=3x20`.
//!
//! They are the defaults of a run, so to speak: what the command line, the environment or the builder says is kept.

use std::ffi::OsStr;

use super::values::{at_least_one, text};

/// The variable that has them.
pub(super) const VARIABLE: &str = "OMNILINK_VARY";

/// How large a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sizes {
    /// Threads.
    pub threads: usize,
    /// Operations of each.
    pub operations: u64,
}

impl Sizes {
    /// Reads `3x20`: three threads with twenty operations each. An error completes the sentence "`value` …".
    pub fn parse(value: &OsStr) -> Result<Self, String> {
        let problem = || "is not of the form THREADSxOPERATIONS, such as 3x20".to_owned();
        let (threads, operations) = text(value)?.split_once('x').ok_or_else(problem)?;
        let number = |text: &str| at_least_one(OsStr::new(text)).map_err(|_| problem());
        Ok(Self { threads: usize::try_from(number(threads)?).map_err(|_| problem())?, operations: number(operations)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_numbers_are_needed() {
        let parse = |text: &str| Sizes::parse(OsStr::new(text)).ok();
        assert_eq!(parse("3x20"), Some(Sizes { threads: 3, operations: 20 }));
        for wrong in ["", "3", "x", "3x", "x20", "0x20", "3x0", "3x20x1", "-3x20", "3 x 20"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
