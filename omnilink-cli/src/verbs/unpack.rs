//! `omnilink unpack`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use omnilink_record::archive;

use super::pack::EXTENSION;
use crate::failure::{Failure, complain};
use crate::whole;

const EXAMPLES: &str = "\
Examples:
  omnilink unpack run.tar.zst              creates the directory run beside it
  omnilink unpack run.tar.zst -o somewhere";

/// Unpack a packed run into a run directory
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Unpack {
    /// The packed run
    file: PathBuf,
    /// The directory to create; it must be new or empty [default: the file's name without .tar.zst]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

impl Unpack {
    /// Makes the directory.
    pub fn run(self) -> Result<ExitCode, Failure> {
        whole::end_at_signal()?;
        let dir = match self.output {
            Some(dir) => dir,
            None => beside(&self.file)?,
        };
        let is_run = archive::is_run(&self.file)?;
        whole::directory(&dir, |place| match is_run {
            true => Ok(archive::unpack(&self.file, place).map(drop)?),
            false => Ok(omnilink_trace::unpack(&self.file, place)?),
        })?;
        complain(format_args!("wrote {}", dir.display()));
        Ok(ExitCode::SUCCESS)
    }
}

fn beside(file: &Path) -> Result<PathBuf, Failure> {
    let stem = file.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(EXTENSION));
    match stem {
        Some(stem) if !stem.is_empty() => Ok(file.with_file_name(stem)),
        _ => {
            let text = format!("{}: the name does not end with {EXTENSION}", file.display());
            Err(Failure::with_hint(text, "name the directory with -o DIR"))
        }
    }
}
