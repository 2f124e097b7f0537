//! The engine that searches for an order.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use omnilink_check::check::{self, Checked, check};
use omnilink_check::error::CheckError;
use omnilink_check::prepare::Prepared;
use omnilink_check::search::Control;
use omnilink_check::tlc::{self, Tlc};
use omnilink_tla::{Options, Spec};

use crate::failure::Failure;

/// The options that select an engine.
#[derive(Args)]
pub struct EngineArgs {
    /// The engine: omnilink's own search, or the real TLC on a generated module
    #[arg(long, value_enum, default_value_t = Name::Native)]
    engine: Name,
    /// TLC's jar [default: OMNILINK_TLC_JAR, else tla2tools.jar here or on the class path, else `tlc` in the PATH]
    #[arg(long, value_name = "FILE")]
    tlc_jar: Option<PathBuf>,
    /// The number of TLC's worker threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    tlc_workers: u32,
}

/// The names of the engines.
#[derive(Clone, Copy, ValueEnum)]
enum Name {
    Native,
    Tlc,
}

/// An engine that is ready to use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Engine {
    /// omnilink's own search.
    Native,
    /// The real TLC.
    Tlc(Tlc),
}

impl EngineArgs {
    /// Whether TLC is selected.
    pub fn is_tlc(&self) -> bool {
        matches!(self.engine, Name::Tlc)
    }

    /// The selected engine.
    pub fn find(&self) -> Result<Engine, Failure> {
        Ok(match self.engine {
            Name::Native => Engine::Native,
            Name::Tlc => {
                let mut tlc = Tlc::find(self.tlc_jar.as_deref())?;
                tlc.workers = self.tlc_workers.max(1);
                Engine::Tlc(tlc)
            }
        })
    }
}

impl Engine {
    /// Searches for an order.
    pub fn check(
        &self,
        spec: &Spec,
        loading: &Options,
        prepared: &Prepared,
        options: &check::Options,
        control: &mut Control<'_>,
    ) -> Result<Checked, CheckError> {
        match self {
            Self::Native => check(spec, prepared, options, control),
            Self::Tlc(tlc) => tlc::check(tlc, spec, loading.config.as_deref(), prepared, options, control),
        }
    }

    /// Whether the number of placed events estimates the remaining time. TLC places no event before it has visited all orders
    /// of the events before it, and their number may grow with every event.
    pub fn is_steady(&self) -> bool {
        *self == Self::Native
    }

    /// The note on verdicts of this engine, if any.
    pub fn note(&self, verdict: &check::Verdict) -> Option<&'static str> {
        let is_rejected = matches!(verdict, check::Verdict::Rejected(_));
        (*self != Self::Native && is_rejected)
            .then_some("TLC found no order and gives no reasons; check without --engine tlc to get them")
    }
}
