//! `omnilink pack`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use omnilink_record::archive;
use omnilink_record::directory::RunDirectory;

use crate::failure::{Failure, complain};
use crate::whole;

const EXAMPLES: &str = "\
Examples:
  omnilink pack run                      writes run.tar.zst beside it
  omnilink pack run -o found-it.tar.zst";

/// The end of a packed run's name.
pub const EXTENSION: &str = ".tar.zst";

/// Pack a run directory into one file
///
/// The file is a zstd-compressed tar archive; every verb that reads a trace can read it. The packed file of a run
/// of `omnilink record` is complete: `omnilink replay` can replay it.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Pack {
    /// The run directory
    run: PathBuf,
    /// The file to write [default: the directory's name with .tar.zst]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Pack {
    /// Writes the file.
    pub fn run(self) -> Result<ExitCode, Failure> {
        whole::end_at_signal()?;
        let file = match self.output {
            Some(file) => file,
            None => beside(&self.run)?,
        };
        let run = RunDirectory::open(&self.run);
        whole::new_file(&file, |place| match run.is_finished() {
            true => Ok(archive::pack(&run, place)?),
            false => Ok(omnilink_trace::pack(&self.run, place)?),
        })?;
        complain(format_args!("wrote {}", file.display()));
        Ok(ExitCode::SUCCESS)
    }
}

fn beside(run: &std::path::Path) -> Result<PathBuf, Failure> {
    let Some(name) = run.file_name() else {
        let text = format!("{}: has no name to derive the file's name from", run.display());
        return Err(Failure::with_hint(text, "name the file with -o FILE"));
    };
    let mut name = name.to_owned();
    name.push(EXTENSION);
    Ok(run.with_file_name(name))
}
