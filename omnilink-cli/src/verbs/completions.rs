//! `omnilink completions`

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, CommandFactory, ValueEnum};
use clap_complete::Shell;

use crate::CommandLine;
use crate::failure::Failure;
use crate::palette::buffered_stdout;

const EXAMPLES: &str = "\
Examples:
  omnilink completions bash > ~/.local/share/bash-completion/completions/omnilink
  omnilink completions zsh > ~/.zfunc/_omnilink
  omnilink completions fish > ~/.config/fish/completions/omnilink.fish";

/// Print the completion script for a shell
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Completions {
    /// The shell that will load the script
    shell: KnownShell,
}

#[derive(Clone, Copy, ValueEnum)]
enum KnownShell {
    Bash,
    Zsh,
    Fish,
}

impl Completions {
    /// Prints the script.
    pub fn run(self) -> Result<ExitCode, Failure> {
        let shell = match self.shell {
            KnownShell::Bash => Shell::Bash,
            KnownShell::Zsh => Shell::Zsh,
            KnownShell::Fish => Shell::Fish,
        };
        // `generate` panics if it cannot write: give it memory, and write that ourselves.
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut CommandLine::command(), "omnilink", &mut script);
        let mut out = buffered_stdout();
        out.write_all(&script)?;
        out.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}
