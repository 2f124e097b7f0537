//! `--timeout` and `--max-memory`, and the messages when they or Ctrl-C end a verb without a verdict.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use omnilink_budget::{Budget, Exhausted};

use crate::amount;
use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;

/// The exit code if a limit was reached.
pub const LIMITED: u8 = 3;

/// Limits of time and memory.
#[derive(Args, Clone, Copy)]
pub struct LimitArgs {
    /// Give up after this time: 90s, 5m, 1.5h
    #[arg(long, value_name = "TIME", value_parser = amount::duration)]
    pub timeout: Option<Duration>,
    /// The name of the option for the time.
    #[arg(skip = "--timeout")]
    pub timeout_option: &'static str,
    /// Give up when memory use exceeds this: 500M, 2G
    #[arg(long, value_name = "SIZE", value_parser = amount::bytes)]
    pub max_memory: Option<usize>,
}

impl LimitArgs {
    /// The budget with these limits, which `interrupt` can end.
    pub fn budget(&self, interrupt: &Arc<AtomicBool>) -> Budget {
        Budget::new(self.timeout, self.max_memory, Arc::clone(interrupt))
    }

    /// The reason for the stop.
    pub fn why(&self, exhausted: Exhausted) -> String {
        match exhausted {
            Exhausted::Interrupted => "it was interrupted".to_owned(),
            Exhausted::Timeout => format!("{} {:?} stopped it", self.timeout_option, self.timeout.unwrap_or_default()),
            Exhausted::Memory => {
                format!("--max-memory {}M stopped it", self.max_memory.unwrap_or_default() / 1_000_000)
            }
        }
    }

    /// The failure to report when `what` could not be finished.
    pub fn stopped(&self, what: &str, exhausted: Exhausted) -> Failure {
        let code = if exhausted == Exhausted::Interrupted { INTERRUPTED } else { LIMITED };
        Failure::Stopped { text: format!("unknown: {} while {what}", self.why(exhausted)), code }
    }
}
