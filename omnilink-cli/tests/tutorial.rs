//! The commands of docs/tutorial.md, as its reader types them.

mod support;

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use support::projects::Project;

const PAGE: &str = include_str!("../../docs/tutorial.md");

/// What the commands end with and say. Where the page shows it, it says the same.
const STEPS: [(&str, i32, &str); 9] = [
    ("omnilink new myqueue", 0, "Rust project myqueue"),
    ("cd myqueue", 0, ""),
    ("cat omnilink.project", 0, "program: target/release/myqueue\n"),
    ("omnilink spec Queue.tla", 0, "DequeueEmpty"),
    ("omnilink run --runs 20 -- --ops 40", 0, "events: 20 accepted\n"),
    ("omnilink run --chaos -o bug -- --buggy", 1, ": rejected: no order of its "),
    ("omnilink check Queue.tla bug/run-* --shrink", 1, ""),
    ("omnilink replay bug/run-*", 0, "the same run: schedule "),
    ("omnilink run --runs 50 -- --buggy --ops 40", 0, "events: 50 accepted\n"),
];

/// The blocks of the page in a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let begin = format!("```{language}\n");
    PAGE.split(begin.as_str()).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn its_commands_do_what_it_says() {
    let commands: Vec<_> =
        blocks("console").iter().flat_map(|block| block.lines()).map(|line| line.strip_prefix("$ ").unwrap()).collect();
    assert_eq!(commands, STEPS.map(|(command, _, _)| command), "the page has other commands");
    // Made like every project of the tests, so that it shares their builds; the first command made it.
    let project = Project::new("myqueue", &[]);
    for (command, code, says) in STEPS.iter().skip(2) {
        if command.contains("--runs 50") {
            apply(&project.directory.join("src/queue.rs"));
        }
        // The same runs every time (all are under the scheduler), and enough time to check them on any machine.
        let command = command.replace("--chaos ", "");
        let command = command.replace("omnilink run", "omnilink run --chaos --seed 1 --check-timeout 10m");
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(&project.directory)
            .env("PATH", path())
            .env("NO_COLOR", "1")
            .env("CARGO_NET_OFFLINE", "true")
            .env_remove("CARGO_TARGET_DIR")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(*code), "{command}: {said}{}", String::from_utf8_lossy(&output.stderr));
        assert!(said.contains(says), "{command}: {said}");
    }
    for (_, _, says) in STEPS.iter().filter(|(command, _, _)| command.contains("run")) {
        assert!(PAGE.contains(says), "{says}");
    }
}

/// Makes the change that the page shows.
fn apply(file: &Path) {
    let text = fs::read_to_string(file).unwrap();
    let [change] = blocks("diff")[..] else { panic!("one change") };
    let side = |other: char| {
        let lines = change.lines().filter(|line| !line.starts_with(other));
        lines.map(|line| format!("{}\n", &line[1..])).collect::<String>()
    };
    let (before, after) = (side('+'), side('-'));
    assert!(text.contains(&before), "{text}");
    fs::write(file, text.replace(&before, &after)).unwrap();
}

/// With our program first.
fn path() -> std::ffi::OsString {
    let ours = Path::new(assert_cmd::cargo::cargo_bin!("omnilink")).parent().unwrap().to_owned();
    let others = env::var_os("PATH").unwrap_or_default();
    env::join_paths([ours].into_iter().chain(env::split_paths(&others))).unwrap()
}
