//! Runs that say nothing about the program, because something else was asked for than the user wants.

use omnilink_record::Ending;
use omnilink_record::campaign::Finished;
use omnilink_record::directory::{Record, RunDirectory};

use super::failing::last_lines;
use crate::failure::Failure;
use crate::record::launcher;
use crate::shell::line;

/// Exit codes of programs that were called in a wrong way, and of shells and launchers that found no program.
const WRONG_USE: [i32; 4] = [2, 64, 126, 127];

/// Whether a program that failed was only called in a wrong way: it complained before it recorded anything.
pub fn is_wrong_use(record: &Record) -> bool {
    let has_code = matches!(record.observed.ending, Ending::Exited(code) if WRONG_USE.contains(&code));
    has_code && record.events.unwrap_or(0) == 0
}

/// What is wrong with a run that says nothing about the program.
pub fn explain(finished: &Finished) -> Failure {
    let Record { plan, observed, outsider, .. } = &finished.record;
    let program = plan.program.display();
    if let Some(command) = outsider {
        return Failure::with_hint(
            format!("{program} only started the program that recorded, and that is not scheduled: {}", line(command)),
            match plan.program.file_name().is_some_and(|name| name == "env") {
                true => launcher::advice(plan),
                false => {
                    format!(
                        "write `-- {}`, the program itself; --free runs it as it is, without control",
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
        None => format!("this command is wrong, and no finding: {}", line(&plan.command())),
    };
    Failure::with_hint(format!("{program}: {}, before it recorded anything{said}", observed.ending), hint)
}
