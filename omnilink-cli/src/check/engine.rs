//! Who searches for the order.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use omnilink_check::check::{self, Checked, check};
use omnilink_check::error::CheckError;
use omnilink_check::prepare::Prepared;
use omnilink_check::search::Control;
use omnilink_check::tlc::{self, Tlc};
use omnilink_tla::{Options, Spec};

use crate::failure::Failure;

/// Which engine to use.
#[derive(Args)]
pub struct EngineArgs {
    /// Who searches: omnilink itself, or the real TLC on a generated module
    #[arg(long, value_enum, default_value_t = Name::Native)]
    engine: Name,
    /// TLC's jar [default: what OMNILINK_TLC_JAR names, else a program `tlc` in the PATH]
    #[arg(long, value_name = "FILE")]
    tlc_jar: Option<PathBuf>,
    /// Threads of TLC
    #[arg(long, value_name = "N", default_value_t = 1)]
    tlc_workers: u32,
}

/// The engines' names.
#[derive(Clone, Copy, ValueEnum)]
enum Name {
    Native,
    Tlc,
}

/// An engine that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Engine {
    /// Our own.
    Native,
    /// The real TLC.
    Tlc(Tlc),
}

impl EngineArgs {
    /// The engine asked for.
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
    /// Looks for an order.
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

    /// Whether the events placed tell how much is left. TLC places no event before it has looked at all orders of those
    /// before, and there may be more of them every time.
    pub fn is_steady(&self) -> bool {
        *self == Self::Native
    }

    /// What the reader of its verdicts should know.
    pub fn note(&self, verdict: &check::Verdict) -> Option<&'static str> {
        let is_rejected = matches!(verdict, check::Verdict::Rejected(_));
        (*self != Self::Native && is_rejected)
            .then_some("TLC found no order and gives no reasons; without --engine tlc they are told")
    }
}
