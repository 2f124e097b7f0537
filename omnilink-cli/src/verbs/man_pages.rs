//! `omnilink man-pages`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::CommandLine;
use crate::failure::Failure;

/// Write a manual page for every command, for packages
#[derive(Args)]
pub struct ManPages {
    /// The directory to write them to
    directory: PathBuf,
}

impl ManPages {
    /// Writes the pages.
    pub fn run(self) -> Result<ExitCode, Failure> {
        // Every page says how to get help: a page for `help` itself, and for every command below it, adds nothing.
        let mut command = CommandLine::command().disable_help_subcommand(true);
        command.build();
        let write = || fs::create_dir_all(&self.directory).and_then(|()| write(&command, &self.directory));
        write().map_err(|error| Failure::file(&self.directory, &error))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes the pages of a command and of the commands below it.
fn write(command: &Command, directory: &Path) -> io::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write(below, directory)?;
    }
    // The pages have no date, so that packages can be reproduced. An empty one would not be an argument.
    let man =
        Man::new(command.clone()).date(" ").source(concat!("omnilink ", env!("CARGO_PKG_VERSION"))).manual("OmniLink");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(text) = command.get_after_help() {
        page.extend_from_slice(notes(&text.to_string()).as_bytes());
    }
    fs::write(directory.join(man.get_filename()), page)
}

/// The text after the options. Its indented lines are examples and tables, which are not to be filled.
fn notes(text: &str) -> String {
    let mut page = Roff::new();
    page.control("SH", ["NOTES"]);
    let mut is_filled = true;
    for line in text.lines() {
        if line.is_empty() {
            page.control(if is_filled { "PP" } else { "sp" }, []);
            continue;
        }
        if is_filled == line.starts_with(' ') {
            page.control(if is_filled { "nf" } else { "fi" }, []);
            is_filled = !is_filled;
        }
        page.text([roman(line)]);
    }
    if !is_filled {
        page.control("fi", []);
    }
    page.to_roff()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indented_lines_are_not_filled() {
        let text = "Examples:\n  omnilink run\n  .hidden\n\nA run fails\nif it is rejected.";
        let expected =
            ".SH NOTES\nExamples:\n.nf\n  omnilink run\n  .hidden\n.sp\n.fi\nA run fails\nif it is rejected.\n";
        assert_eq!(notes(text), expected);
    }
}
