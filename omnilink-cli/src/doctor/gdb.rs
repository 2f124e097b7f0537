//! gdb, for debugging replayed runs.

use std::process::Command;

use super::{Finding, probe};

/// A gdb that starts.
pub fn debugger() -> Finding {
    let check = "gdb";
    let Some(gdb) = probe::find_in_path("gdb") else {
        return Finding::missing(check, "not in PATH", "apt install gdb; only `omnilink replay --gdb` needs it");
    };
    match probe::ask(Command::new(&gdb).args(["--nx", "--version"])) {
        Ok(answer) if answer.status.success() => Finding::ok(check, answer.first_line()),
        Ok(answer) => Finding::limited(
            check,
            format!("{}: {} ({})", gdb.display(), answer.first_line(), answer.ending()),
            "install gdb again: apt install gdb",
        ),
        Err(error) => Finding::limited(check, format!("{}: {error}", gdb.display()), "apt install gdb"),
    }
}
