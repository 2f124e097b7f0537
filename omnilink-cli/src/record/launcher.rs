//! Programs that only start others, which the chaos scheduler does not control.

use std::path::Path;

use omnilink_record::Plan;

use crate::shell::line;

/// Programs that do nothing but start the one that their arguments name.
const LAUNCHERS: &[&str] = &[
    "bazel", "bazelisk", "buck2", "cargo", "chroot", "chrt", "cmake", "ctest", "docker", "env", "faketime", "gdb",
    "go", "ionice", "just", "ltrace", "make", "meson", "mpirun", "nice", "ninja", "nohup", "npm", "npx", "numactl",
    "perf", "podman", "rr", "script", "setarch", "setsid", "stdbuf", "strace", "sudo", "taskset", "time", "timeout",
    "unshare", "valgrind", "watch", "xargs",
];
/// Interpreters, which run scripts and may start other programs.
const INTERPRETERS: &[&str] = &[
    "bash", "dash", "dotnet", "fish", "java", "ksh", "lua", "node", "perl", "php", "pypy", "python", "ruby", "sh",
    "zsh",
];

/// The warning, before the first run, about a program that is known to start others.
pub fn warning(plan: &Plan) -> Option<String> {
    let name = name(&plan.program);
    if LAUNCHERS.contains(&&*name) {
        return Some(format!("{name} starts another program, which is not scheduled; {}", advice(plan)));
    }
    is_interpreter(&name).then(|| {
        format!(
            "{name} is an interpreter: the scheduler switches its threads in the code of the interpreter, and programs that it starts are not scheduled; {}",
            advice(plan)
        )
    })
}

/// Whether a program is an interpreter, of whatever version.
fn is_interpreter(name: &str) -> bool {
    INTERPRETERS.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

/// The command line to use instead.
pub fn advice(plan: &Plan) -> String {
    let arguments = &plan.arguments;
    match &*name(&plan.program) {
        "cargo" => {
            let built = cargo_target(arguments).unwrap_or_else(|| "target/debug/NAME".to_owned());
            format!("build it, and write `-- {built} …`, the program itself; {FREE}")
        }
        "env" => {
            let is_variable = |word: &&String| word.contains('=') && !word.starts_with('-');
            let variables: Vec<String> = arguments.iter().take_while(is_variable).cloned().collect();
            let program = &arguments[variables.len()..];
            if program.is_empty() || program[0].starts_with('-') {
                return format!("name the program itself, and give its variables as --env NAME=VALUE; {FREE}");
            }
            let given: String =
                variables.iter().map(|it| format!("--env {} ", line(std::slice::from_ref(it)))).collect();
            format!("write `{given}-- {}`, the program itself; {FREE}", line(program))
        }
        _ if is_interpreter(&name(&plan.program)) => {
            format!("if you mean a program that it starts, name that program instead; {FREE}")
        }
        _ => format!("name the program that it starts instead; {FREE}"),
    }
}

const FREE: &str = "--free runs it unchanged, without the chaos scheduler";

/// The path of the program that `cargo run` starts, as far as it follows from the arguments.
fn cargo_target(arguments: &[String]) -> Option<String> {
    let own: Vec<&str> = arguments.iter().map(String::as_str).take_while(|word| *word != "--").collect();
    let value = |option: &str| {
        let joined = own.iter().find_map(|word| word.strip_prefix(option)?.strip_prefix('='));
        joined.or_else(|| own.iter().position(|word| *word == option).and_then(|at| own.get(at + 1).copied()))
    };
    if !own.iter().any(|word| ["run", "r"].contains(word)) {
        return None;
    }
    let is_release = own.iter().any(|word| ["--release", "-r"].contains(word));
    let profile = match value("--profile") {
        Some("dev" | "test") => "debug",
        Some(profile) => profile,
        None if is_release => "release",
        None => "debug",
    };
    let directory = value("--target-dir").unwrap_or("target");
    let triple = value("--target").map(|triple| format!("{triple}/")).unwrap_or_default();
    let program = match (value("--example"), value("--bin")) {
        (Some(example), _) => format!("examples/{example}"),
        (None, Some(name)) => name.to_owned(),
        (None, None) => "NAME".to_owned(),
    };
    Some(format!("{directory}/{triple}{profile}/{program}"))
}

fn name(program: &Path) -> String {
    program.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_puts_programs_where_its_arguments_say() {
        let cases = [
            ("run", Some("target/debug/NAME")),
            ("run --release --bin fuzzer -- --bin other", Some("target/release/fuzzer")),
            ("+nightly r -r --example=demo", Some("target/release/examples/demo")),
            (
                "run --profile bench --target x86_64-unknown-linux-musl",
                Some("target/x86_64-unknown-linux-musl/bench/NAME"),
            ),
            ("run --target-dir=/tmp/t --profile dev", Some("/tmp/t/debug/NAME")),
            ("test -- run", None),
        ];
        for (arguments, expected) in cases {
            let words: Vec<String> = arguments.split(' ').map(str::to_owned).collect();
            assert_eq!(cargo_target(&words).as_deref(), expected, "{arguments}");
        }
    }
}
