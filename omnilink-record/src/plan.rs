//! What one run needs to know.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::chaos::strategy::StrategyKind;
use crate::environment::Environment;
use crate::rr::Rr;

/// One run to be made. The same plan gives the same run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The program's file, as an absolute path: its text is in the program's memory and moves what lies beside it.
    pub program: PathBuf,
    /// Its arguments, without its name.
    pub arguments: Vec<String>,
    /// What it sees of the environment.
    pub environment: Environment,
    /// The directory that it starts in.
    pub working_directory: PathBuf,
    /// What all choices of the run are drawn from.
    pub seed: u64,
    /// How it is run.
    pub mode: Mode,
    /// Shared libraries that have points besides the program's own, by the names of their files, in which `*` stands for
    /// anything.
    pub libraries: Vec<String>,
    /// Shared libraries that have none, though they are the program's own.
    #[serde(default)]
    pub libraries_left_out: Vec<String>,
    /// How rr is called, in its modes.
    pub rr: Rr,
    /// How many processors it is told to have.
    pub processors: usize,
    /// When to stop it.
    pub limits: Limits,
}

impl Plan {
    /// The program and its arguments.
    pub fn command(&self) -> Vec<String> {
        let program = self.program.to_string_lossy().into_owned();
        std::iter::once(program).chain(self.arguments.iter().cloned()).collect()
    }

    /// The program and its arguments, as a JSON array.
    pub(crate) fn command_line(&self) -> String {
        serde_json::json!(self.command()).to_string()
    }
}

/// How a program is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// By our scheduler.
    Chaos(StrategyKind),
    /// By the kernel, without control.
    Free,
    /// By the kernel, recorded by rr.
    Rr,
    /// By rr, in its chaos mode.
    RrChaos,
}

impl Mode {
    /// Its name, as the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chaos(_) => "chaos",
            Self::Free => "free",
            Self::Rr => "rr",
            Self::RrChaos => "rr-chaos",
        }
    }
}

/// When a run is stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// After this many scheduling decisions, or as much work without any: 500 points, or a system call that the scheduler
    /// answers, count as one. The same run reaches this at the same place every time.
    pub decisions: u64,
    /// After so much time on processors, or of waiting while nobody could use one: a backstop, since it is never the same
    /// place twice. The machine's load does not matter.
    pub wall_clock: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { decisions: 4_000_000, wall_clock: Duration::from_secs(60) }
    }
}
