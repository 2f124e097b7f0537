//! The verbs, one file each: parse, call the library, render.

mod check;
mod completions;
mod doctor;
mod explore;
mod export;
mod export_tlc;
mod gen_fuzzer;
mod import;
mod man_pages;
mod new;
mod pack;
mod record;
mod replay;
mod report;
mod run;
mod show;
mod spec;
mod store;
mod test;
mod unpack;

use std::process::ExitCode;

use clap::Subcommand;

use crate::failure::Failure;

/// The verbs of `omnilink`.
#[derive(Subcommand)]
pub enum Verb {
    New(new::New),
    Spec(spec::Spec),
    Explore(explore::Explore),
    GenFuzzer(gen_fuzzer::GenFuzzer),
    Run(Box<run::Run>),
    Record(record::Record),
    Test(Box<test::Test>),
    Replay(replay::Replay),
    Store(store::Store),
    Report(report::Report),
    Show(show::Show),
    Check(Box<check::Check>),
    Pack(pack::Pack),
    Unpack(unpack::Unpack),
    Import(import::Import),
    Export(export::Export),
    ExportTlc(export_tlc::ExportTlc),
    Doctor(doctor::Doctor),
    Completions(completions::Completions),
    #[command(hide = true)]
    ManPages(man_pages::ManPages),
}

impl Verb {
    /// Executes the verb.
    pub fn run(self) -> Result<ExitCode, Failure> {
        match self {
            Self::New(verb) => verb.run(),
            Self::Spec(verb) => verb.run(),
            Self::Explore(verb) => verb.run(),
            Self::GenFuzzer(verb) => verb.run(),
            Self::Run(verb) => verb.run(),
            Self::Record(verb) => verb.run(),
            Self::Test(verb) => verb.run(),
            Self::Replay(verb) => verb.run(),
            Self::Store(verb) => verb.run(),
            Self::Report(verb) => verb.run(),
            Self::Show(verb) => verb.run(),
            Self::Check(verb) => verb.run(),
            Self::Pack(verb) => verb.run(),
            Self::Unpack(verb) => verb.run(),
            Self::Import(verb) => verb.run(),
            Self::Export(verb) => verb.run(),
            Self::ExportTlc(verb) => verb.run(),
            Self::Doctor(verb) => verb.run(),
            Self::Completions(verb) => verb.run(),
            Self::ManPages(verb) => verb.run(),
        }
    }
}
