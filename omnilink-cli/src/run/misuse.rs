//! Runs that say nothing about the program: wrong use of the program, and launchers.

use omnilink_record::Ending;
use omnilink_record::campaign::Finished;
use omnilink_record::directory::{Record, RunDirectory};

use super::failing::last_lines;
use crate::failure::Failure;
use crate::record::launcher;
use crate::shell::line;

/// Exit codes for wrong usage, and of shells and launchers that found no program.
const WRONG_USE: [i32; 4] = [2, 64, 126, 127];

/// Whether a program failed because of wrong usage: it exited with such a code before it recorded anything, or the exit code is that of
/// the launcher.
pub fn is_wrong_use(record: &Record) -> bool {
    let has_code = matches!(record.observed.ending, Ending::Exited(code) if WRONG_USE.contains(&code));
    let is_launchers =
        matches!(record.observed.ending, Ending::Exited(code) if launcher::is_own_exit_code(&record.plan, code));
    has_code && record.events.unwrap_or(0) == 0 || is_launchers
}

/// The error for a run that says nothing about the program.
pub fn explain(finished: &Finished) -> Failure {
    let Record { plan, observed, outsider, .. } = &finished.record;
    let program = plan.program.display();
    if let Some(command) = outsider {
        return Failure::with_hint(
            format!("{program} only started the program that recorded, and that is not scheduled: {}", line(command)),
            match plan.program.file_name().is_some_and(|name| name == "env" || name == "timeout") {
                true => launcher::advice(plan),
                false => {
                    format!(
                        "write `-- {}`, the program itself; --free runs it unchanged, without the chaos scheduler",
                        line(command)
                    )
                }
            },
        );
    }
    let said: String =
        last_lines(&RunDirectory::open(&finished.directory)).iter().map(|line| format!("\n  | {line}")).collect();
    let said = if said.is_empty() { "\n  it wrote nothing to standard error".to_owned() } else { said };
    let hint = match launcher::warning(plan) {
        Some(warning) => warning,
        None => format!("the program rejected its arguments; this is not a failed run: {}", line(&plan.command())),
    };
    Failure::with_hint(format!("{program}: {}, before it recorded anything{said}", observed.ending), hint)
}
