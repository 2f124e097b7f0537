//! `omnilink test` and `cargo omnilink`, on a package as users have them, in a directory whose name has a space.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use support::built;

const LIBRARY: &str = r#"
#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
    use std::thread;

    /// Whether an update is lost depends on the schedule: each thread has many chances.
    #[test]
    fn racy_count() {
        let count = AtomicU32::new(0);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| (0..20).for_each(|_| count.store(count.load(SeqCst) + 1, SeqCst)));
            }
        });
        assert_eq!(count.load(SeqCst), 40, "an update was lost");
    }

    #[test]
    fn racy_locks() {
        let (one, two) = (Mutex::new(()), Mutex::new(()));
        thread::scope(|scope| {
            scope.spawn(|| (0..20).for_each(|_| { let _held = (one.lock().unwrap(), two.lock().unwrap()); }));
            scope.spawn(|| (0..20).for_each(|_| { let _held = (two.lock().unwrap(), one.lock().unwrap()); }));
        });
    }

    #[test]
    fn good_count() {
        let count = AtomicU32::new(0);
        thread::scope(|scope| {
            scope.spawn(|| count.fetch_add(1, SeqCst));
            scope.spawn(|| count.fetch_add(1, SeqCst));
        });
        assert_eq!(count.load(SeqCst), 2);
    }

    #[test]
    #[should_panic(expected = "on purpose")]
    fn good_panic() {
        panic!("on purpose");
    }

    #[test]
    fn good_package() {
        assert!(std::process::Command::new("true").status().unwrap().success());
        assert_eq!(std::env::var("CARGO_MANIFEST_DIR").unwrap(), env!("CARGO_MANIFEST_DIR"));
        assert_eq!(std::env::current_dir().unwrap(), std::path::Path::new(env!("CARGO_MANIFEST_DIR")));
        assert_eq!(std::env::var("GIVEN").unwrap(), "by --env");
    }

    #[test]
    fn always_wrong() {
        panic!("wrong under every schedule");
    }

    #[test]
    #[ignore = "as an example"]
    fn ignored_one() {}
}
"#;

const MANIFEST: &str = r#"
[package]
name = "racy"
version = "0.1.0"
edition = "2021"

[[test]]
name = "custom"
harness = false

[workspace]
members = ["other"]
"#;

/// A package with a test that has a harness of its own, and another one with a test of the same name.
fn package() -> &'static Path {
    static PACKAGE: OnceLock<PathBuf> = OnceLock::new();
    PACKAGE.get_or_init(|| {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cargo test");
        let write = |name: &str, text: &str| {
            let file = place.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        write("Cargo.toml", MANIFEST);
        write("src/lib.rs", LIBRARY);
        write("tests/custom.rs", "fn main() { println!(\"my own tests\"); }\n");
        write("other/Cargo.toml", "[package]\nname = \"other\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
        write("other/src/lib.rs", "#[cfg(test)]\nmod tests {\n    #[test]\n    fn good_count() {}\n}\n");
        place
    })
}

/// Runs `cargo omnilink` in the package, with runs in a directory that is returned.
fn cargo_omnilink(arguments: &[&str]) -> (Output, tempfile::TempDir) {
    let scratch = tempfile::tempdir().unwrap();
    let path = std::env::join_paths(
        std::iter::once(built()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    let mut command = Command::new("cargo");
    command.args(["omnilink"]).args(arguments).current_dir(package()).env("PATH", path.unwrap());
    command.env("OMNILINK_PROGRESS", "never").env_remove("CARGO_TARGET_DIR").env("CARGO_NET_OFFLINE", "true");
    if arguments[0] == "test" && !arguments.contains(&"--help") {
        command.arg("-o").arg(scratch.path().join("runs"));
    }
    (command.output().unwrap(), scratch)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The command after `word:` in an output, run by a shell.
fn run_printed(text: &str, word: &str) -> Output {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix(word)).expect(word).trim();
    Command::new("sh").args(["-c", line]).current_dir("/").output().unwrap()
}

#[test]
fn a_lost_update_is_found_and_replayed() {
    let (output, _runs) = cargo_omnilink(&["test", "racy_count", "--lib", "--runs", "500", "--seed", "1"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}\n{}", stderr(&output));
    for part in ["FAILED racy racy tests::racy_count: run ", " (seed ", "an update was lost", "1 test: 0 passed"] {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
    let replayed = run_printed(&text, "replay:");
    assert!(replayed.status.success(), "{}{}", stdout(&replayed), stderr(&replayed));
}

#[test]
fn a_deadlock_is_found_with_the_places_of_its_threads() {
    let (output, _runs) = cargo_omnilink(&["test", "racy_locks", "--lib", "--runs", "500", "--seed", "1"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains(": deadlock\n") && text.contains("racy::tests::racy_locks"), "{text}");
    assert!(text.contains("debug:"), "{text}");
}

#[test]
fn good_tests_pass_and_leave_nothing_behind() {
    let (output, runs) =
        cargo_omnilink(&["test", "good", "--workspace", "--runs", "5", "--env", "GIVEN=by --env", "-j", "2"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}\n{}", stderr(&output));
    assert!(text.starts_with("4 tests: 4 passed (5 runs each); seed "), "{text}");
    assert!(stderr(&output).contains("custom of racy does not list its tests"), "{}", stderr(&output));
    assert!(!runs.path().join("runs").exists());
}

#[test]
fn a_test_that_fails_anyway_is_told_apart() {
    let (output, _runs) = cargo_omnilink(&["test", "--exact", "tests::always_wrong", "--lib", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let test = &document["tests"][0];
    assert_eq!(test["verdict"], "fails_without_chaos");
    assert_eq!(
        (&test["package"], &test["name"], &test["runs"]),
        (&"racy".into(), &"tests::always_wrong".into(), &1.into())
    );
    assert!(test["failing"]["stderr"].to_string().contains("wrong under every schedule"), "{test}");
}

#[test]
fn what_cannot_be_run_is_an_error_that_says_what_to_do() {
    let cases: [(&[&str], &str, &str); 5] = [
        (&["test", "no_such_test", "--lib"], "none of the 7 tests is selected", "cargo test -- --list"),
        (&["test", "ignored_one", "--lib"], "all 1 selected tests have #[ignore]", "--include-ignored"),
        (&["test", "--test", "missing"], "the tests could not be built", "Cargo says above why"),
        (&["test", "-p", "other", "--lib", "--skip", "good"], "none of the 1 tests is selected", "hint:"),
        (&["test", "--test", "custom"], "there are no tests", "doctests are not run"),
    ];
    for (arguments, error, hint) in cases {
        let (output, runs) = cargo_omnilink(arguments);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains(error) && text.contains(hint), "{arguments:?}: {text}");
        assert!(!runs.path().join("runs").exists());
    }
    let (output, _runs) = cargo_omnilink(&["test", "ignored_one", "--lib", "--ignored", "--runs", "2"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn cargo_omnilink_leads_to_the_verbs() {
    let help = |arguments: &[&str]| {
        let (output, _) = cargo_omnilink(arguments);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    assert!(help(&["--help"]).contains("cargo omnilink test"));
    assert!(help(&["help"]).contains("cargo omnilink test"));
    assert!(help(&["test", "--help"]).contains("cargo omnilink test queue --runs 1000"));
    assert!(help(&["fuzz", "--help"]).contains("omnilink run"));
    assert!(help(&["new", "--help"]).contains("omnilink new"));
    assert!(help(&["--version"]).starts_with("omnilink "));
    let (output, _) = cargo_omnilink(&["no-such-verb"]);
    assert_eq!(output.status.code(), Some(2));
}
