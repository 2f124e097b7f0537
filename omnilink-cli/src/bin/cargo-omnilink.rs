//! The binary `cargo-omnilink`, which Cargo runs for `cargo omnilink …`. It starts `omnilink`, which is installed beside it, so that only one
//! of the two programs is large.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

const HELP: &str = "\
Checks whether concurrent programs conform to their TLA+ specification, from the directory of a Cargo package

Usage: cargo omnilink <COMMAND> [OPTIONS]

Commands:
  test [FILTER]      run the package's tests, unmodified, under schedules that provoke races (omnilink test)
  fuzz               build and run the package's fuzzer, and check every run (omnilink run)
  new DIR            make a project: a specification, a system and its fuzzer (omnilink new)

Every other command of `omnilink` can be given, too: `omnilink --help` lists them.
`cargo omnilink <COMMAND> --help` describes a command.

Examples:
  cargo omnilink test
  cargo omnilink test queue --runs 1000 --release
  cargo omnilink test -p my-crate --test stress
  cargo omnilink new ../myqueue && cd ../myqueue && cargo omnilink fuzz";

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = env::args_os().skip(1).collect();
    // Cargo passes on the name of its command.
    if arguments.first().is_some_and(|first| first == "omnilink") {
        arguments.remove(0);
    }
    match arguments.first().and_then(|first| first.to_str()) {
        None | Some("-h" | "--help" | "help") if arguments.len() < 2 => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Some("fuzz") => arguments[0] = "run".into(),
        _ => {}
    }
    let program = beside().unwrap_or_else(|| PathBuf::from("omnilink"));
    let error = Command::new(&program).args(&arguments).exec();
    eprintln!("error: {}: {error}", program.display());
    eprintln!("hint: `cargo install omnilink-cli --locked` installs it");
    ExitCode::from(2)
}

/// The program `omnilink` in the directory of this one.
fn beside() -> Option<PathBuf> {
    let own = env::current_exe().ok()?;
    let program = own.with_file_name("omnilink");
    (program.is_file() && own.file_name() != Some(OsStr::new("omnilink"))).then_some(program)
}
