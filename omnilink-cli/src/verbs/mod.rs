//! The verbs, one file each: parse, call the library, render.

mod completions;
mod doctor;
mod explore;
mod export;
mod import;
mod pack;
mod show;
mod spec;
mod unpack;

use std::process::ExitCode;

use clap::Subcommand;

use crate::failure::Failure;

/// What `omnilink` can do.
#[derive(Subcommand)]
pub enum Verb {
    Spec(spec::Spec),
    Explore(explore::Explore),
    Show(show::Show),
    Pack(pack::Pack),
    Unpack(unpack::Unpack),
    Import(import::Import),
    Export(export::Export),
    Doctor(doctor::Doctor),
    Completions(completions::Completions),
}

impl Verb {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Failure> {
        match self {
            Self::Spec(verb) => verb.run(),
            Self::Explore(verb) => verb.run(),
            Self::Show(verb) => verb.run(),
            Self::Pack(verb) => verb.run(),
            Self::Unpack(verb) => verb.run(),
            Self::Import(verb) => verb.run(),
            Self::Export(verb) => verb.run(),
            Self::Doctor(verb) => verb.run(),
            Self::Completions(verb) => verb.run(),
        }
    }
}
