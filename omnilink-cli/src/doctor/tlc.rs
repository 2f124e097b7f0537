//! TLC, the reference model checker, and the Java that runs it.

use std::process::Command;

use omnilink_check::tlc::{JAR_NAME, JAR_VARIABLE, find_jar};

use super::{Finding, probe};

/// A Java virtual machine that starts.
pub fn java() -> Finding {
    let check = "Java";
    let Some(java) = probe::find_in_path("java") else {
        return Finding::missing(check, "not in PATH", "apt install default-jre-headless; only TLC needs it");
    };
    match probe::ask(Command::new(&java).arg("-version")) {
        Ok(answer) if answer.status.success() => Finding::ok(check, answer.first_line()),
        Ok(answer) => Finding::limited(
            check,
            format!("{}: {} ({})", java.display(), answer.first_line(), answer.ending()),
            "install Java again: apt install default-jre-headless",
        ),
        Err(error) => {
            Finding::limited(check, format!("{}: {error}", java.display()), "apt install default-jre-headless")
        }
    }
}

/// TLC's jar, started once.
pub fn jar() -> Finding {
    let check = "TLC";
    let Some(jar) = find_jar() else {
        let remedy = format!(
            "download {JAR_NAME} from https://github.com/tlaplus/tlaplus/releases and set {JAR_VARIABLE} to its path"
        );
        return Finding::missing(check, format!("{JAR_VARIABLE} is not set and there is no {JAR_NAME} here"), remedy);
    };
    if !jar.is_file() {
        let seen = format!("{JAR_VARIABLE} is {}, which is not a file", jar.display());
        return Finding::missing(check, seen, format!("set {JAR_VARIABLE} to the path of {JAR_NAME}"));
    }
    let Some(java) = probe::find_in_path("java") else {
        return Finding::limited(check, format!("found {}, but no Java", jar.display()), "see \"Java\" here");
    };
    match probe::ask(Command::new(java).arg("-cp").arg(&jar).args(["tlc2.TLC", "-h"])) {
        // TLC answers -h with its banner; its exit code differs between versions.
        Ok(answer) => match answer.output.lines().find(|line| line.contains("TLC")) {
            Some(banner) if !banner.contains("Error") => {
                Finding::ok(check, format!("{}: {}", jar.display(), banner.trim()))
            }
            _ => Finding::limited(
                check,
                format!("{} does not run: {}", jar.display(), answer.first_line()),
                format!("download {JAR_NAME} again from https://github.com/tlaplus/tlaplus/releases"),
            ),
        },
        Err(error) => Finding::limited(check, format!("{}: {error}", jar.display()), "see \"Java\" here"),
    }
}
