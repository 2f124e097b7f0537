//! Programs that only start others, which the chaos scheduler does not control.

use std::fs::File;
use std::io::Read;
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
    // It cannot be run at all, which is told with what to run instead.
    if is_script(&plan.program) {
        return None;
    }
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

/// Whether a file is run by an interpreter that its first line names, as those are that pyenv and rbenv put into `PATH`.
fn is_script(program: &Path) -> bool {
    let mut start = [0; 2];
    File::open(program).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == *b"#!"
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
        "timeout" => match limited(arguments) {
            Some((time, program)) => {
                format!("write `--timeout {time} -- {}`, the program itself; {FREE}", line(program))
            }
            None => format!("write --timeout TIME, and the program that it starts by itself; {FREE}"),
        },
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

/// Exit codes by which `timeout` says that the time is over, or that it failed itself.
const TIMEOUT_CODES: [i32; 2] = [124, 125];

/// Whether an exit code is about the launcher and not about the program that it starts.
pub fn is_own_exit_code(plan: &Plan, code: i32) -> bool {
    name(&plan.program) == "timeout" && TIMEOUT_CODES.contains(&code)
}

/// The time and the command among the arguments of `timeout`, if they are easily told from its options.
fn limited(arguments: &[String]) -> Option<(String, &[String])> {
    let mut at = 0;
    while let Some(option) = arguments.get(at).filter(|word| word.starts_with('-')) {
        let has_value = ["-k", "--kill-after", "-s", "--signal"].contains(&option.as_str());
        at += if has_value { 2 } else { 1 };
    }
    let time = arguments.get(at)?;
    let program = arguments.get(at + 1..).filter(|program| !program.is_empty())?;
    let (number, unit) = time.split_at(time.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(time.len()));
    let number: f64 = number.parse().ok().filter(|number| *number > 0.0)?;
    let time = match unit {
        "" | "s" => format!("{number}s"),
        "m" => format!("{number}m"),
        "h" => format!("{number}h"),
        "d" => format!("{}h", number * 24.0),
        _ => return None,
    };
    Some((time, program))
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
    fn the_time_that_timeout_gives_is_one_for_us() {
        let cases = [
            ("5 ./prog --ops 3", Some("5s ./prog --ops 3")),
            ("-k 1 --signal=INT -v 0.5m ./prog", Some("0.5m ./prog")),
            ("--preserve-status 1d ./prog", Some("24h ./prog")),
            ("0 ./prog", None),
            ("5", None),
            ("five ./prog", None),
        ];
        for (arguments, expected) in cases {
            let words: Vec<String> = arguments.split(' ').map(str::to_owned).collect();
            let found = limited(&words).map(|(time, program)| format!("{time} {}", program.join(" ")));
            assert_eq!(found.as_deref(), expected, "{arguments}");
        }
    }

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
            ("run --target-dir=/elsewhere/t --profile dev", Some("/elsewhere/t/debug/NAME")),
            ("test -- run", None),
        ];
        for (arguments, expected) in cases {
            let words: Vec<String> = arguments.split(' ').map(str::to_owned).collect();
            assert_eq!(cargo_target(&words).as_deref(), expected, "{arguments}");
        }
    }
}
