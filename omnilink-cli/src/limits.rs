//! `--timeout` and `--max-memory`, and what is said when they or Ctrl-C end something that has no verdict.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use omnilink_budget::{Budget, Exhausted};

use crate::amount;
use crate::failure::Failure;
use crate::interrupt::INTERRUPTED;

/// The exit code of what a limit ended.
pub const LIMITED: u8 = 3;

/// How much something may take.
#[derive(Args, Clone, Copy)]
pub struct LimitArgs {
    /// Give up after this time: 90s, 5m, 1.5h
    #[arg(long, value_name = "TIME", value_parser = amount::duration)]
    pub timeout: Option<Duration>,
    /// What the option for the time is called.
    #[arg(skip = "--timeout")]
    pub timeout_option: &'static str,
    /// Give up when it takes more memory than this: 500M, 2G
    #[arg(long, value_name = "SIZE", value_parser = amount::bytes)]
    pub max_memory: Option<usize>,
}

impl LimitArgs {
    /// What is left when somebody may interrupt it.
    pub fn budget(&self, interrupt: &Arc<AtomicBool>) -> Budget {
        Budget::new(self.timeout, self.max_memory, Arc::clone(interrupt))
    }

    /// Why something was stopped.
    pub fn why(&self, exhausted: Exhausted) -> String {
        match exhausted {
            Exhausted::Interrupted => "it was interrupted".to_owned(),
            Exhausted::Timeout => format!("{} {:?} stopped it", self.timeout_option, self.timeout.unwrap_or_default()),
            Exhausted::Memory => {
                format!("--max-memory {}M stopped it", self.max_memory.unwrap_or_default() / 1_000_000)
            }
        }
    }

    /// What is said and given back when `what` could not be finished.
    pub fn stopped(&self, what: &str, exhausted: Exhausted) -> Failure {
        let code = if exhausted == Exhausted::Interrupted { INTERRUPTED } else { LIMITED };
        Failure::Stopped { text: format!("unknown: {} while {what}", self.why(exhausted)), code }
    }
}
