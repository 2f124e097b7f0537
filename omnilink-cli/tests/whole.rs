//! The first signal ends verbs that have nothing to tell of half-done work, and what they write is there whole or not at all.

mod support;

use std::collections::BTreeMap;
use std::ffi::CString;
use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use support::stdout_of;

const INTERRUPTED: Option<i32> = Some(130);

fn start(args: &[&str]) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin!("omnilink"))
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("omnilink starts")
}

fn signal(child: &Child, signal: libc::c_int) {
    // SAFETY: signals a child that was not waited for, so the number is still its own.
    assert_eq!(unsafe { libc::kill(child.id() as libc::pid_t, signal) }, 0);
}

/// What there is below a directory: the content of files by their names.
fn below(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(below(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

fn lines(count: u32) -> String {
    let line = |at: u32| {
        let (start, end) = (2 * at, 2 * at + 1);
        format!(
            "{{\"thread\":{},\"start\":{start},\"end\":{end},\"op\":\"Enqueue\",\"args\":{{\"elem\":{at}}}}}\n",
            at % 3
        )
    };
    (0..count).map(line).collect()
}

/// A pipe with a name, whose reader waits until somebody writes.
fn pipe(directory: &Path, name: &str) -> PathBuf {
    let path = directory.join(name);
    let name = CString::new(path.to_str().unwrap()).unwrap();
    // SAFETY: the name ends with a zero byte.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    path
}

/// Something that cannot go on: its input is a pipe that nobody closes.
#[test]
fn a_signal_ends_verbs_that_wait_for_their_input() {
    for number in [libc::SIGINT, libc::SIGTERM] {
        for (input, args) in [
            ("Endless.tla", &["gen-fuzzer", "INPUT", "--lang", "rust", "-o", "OUTPUT"][..]),
            ("run.jsonl", &["show", "INPUT"]),
            ("run.jsonl", &["import", "INPUT", "-o", "OUTPUT"]),
            ("run.jsonl", &["export", "INPUT", "-o", "OUTPUT"]),
            ("run.tar.zst", &["unpack", "INPUT", "-o", "OUTPUT"]),
        ] {
            let directory = tempfile::tempdir().unwrap();
            let (input, output) = (pipe(directory.path(), input), directory.path().join("output"));
            let place = |word: &&str| match *word {
                "INPUT" => input.display().to_string(),
                "OUTPUT" => output.display().to_string(),
                word => word.to_owned(),
            };
            let words: Vec<String> = args.iter().map(place).collect();
            let child = start(&words.iter().map(String::as_str).collect::<Vec<_>>());
            // Returns when the pipe is being read.
            let _writer = OpenOptions::new().write(true).open(&input).unwrap();
            signal(&child, number);
            let ended = child.wait_with_output().unwrap();
            assert_eq!(ended.status.code(), INTERRUPTED, "{args:?}: {ended:?}");
            assert_eq!(String::from_utf8_lossy(&ended.stderr), "", "{args:?}");
            assert!(!output.exists(), "{args:?}");
        }
    }
}

/// Nobody reads what it prints, so it waits with a part of it.
#[test]
fn a_signal_ends_verbs_that_wait_for_their_reader() {
    let directory = tempfile::tempdir().unwrap();
    let trace = directory.path().join("run.jsonl");
    fs::write(&trace, lines(5000)).unwrap();
    for verb in ["show", "export"] {
        let mut child = start(&[verb, trace.to_str().unwrap()]);
        let mut out = child.stdout.take().unwrap();
        out.read_exact(&mut [0]).unwrap();
        signal(&child, libc::SIGINT);
        assert_eq!(child.wait().unwrap().code(), INTERRUPTED, "{verb}");
    }
}

/// Interrupted at some moment after it has begun to write, or finished before: nothing new is there, or all of it.
#[test]
fn what_is_written_is_whole_or_not_there() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("run.jsonl"), lines(20_000)).unwrap();
    stdout_of(["import", &at("run.jsonl"), "-o", &at("run")]);
    stdout_of(["pack", &at("run"), "-o", &at("run.tar.zst")]);
    let exported = stdout_of(["export", &at("run")]);
    for (number, args) in [
        (libc::SIGINT, ["import", &at("run.jsonl"), "-o"]),
        (libc::SIGTERM, ["export", &at("run"), "-o"]),
        (libc::SIGINT, ["pack", &at("run"), "-o"]),
        (libc::SIGTERM, ["unpack", &at("run.tar.zst"), "-o"]),
    ] {
        let place = tempfile::tempdir().unwrap();
        let output = place.path().join("output");
        let mut child = start(&[args[0], args[1], args[2], output.to_str().unwrap()]);
        while fs::read_dir(place.path()).unwrap().next().is_none() && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        signal(&child, number);
        let ended = child.wait_with_output().unwrap();
        let left = below(place.path());
        match ended.status.code() {
            INTERRUPTED if left.is_empty() => (),
            // The signal may come when everything is written, just before the program ends.
            INTERRUPTED | Some(0) => assert_eq!(exported, text_of(&output), "{args:?}"),
            _ => panic!("{args:?}: {ended:?}"),
        }
    }
}

/// A trace as JSON lines.
fn text_of(trace: &Path) -> String {
    stdout_of(["export", trace.to_str().unwrap()])
}

/// A file that is there keeps its content until the new one is finished.
#[test]
fn a_failed_export_leaves_the_file_as_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let trace = directory.path().join("run.jsonl");
    fs::write(&trace, lines(10)).unwrap();
    let run = directory.path().join("run");
    let (trace, run, out) = (trace.to_str().unwrap(), run.to_str().unwrap(), directory.path().join("out.jsonl"));
    stdout_of(["import", trace, "-o", run]);
    fs::write(&out, "precious\n").unwrap();
    // A loop of links is a place that cannot be written to.
    let looped = directory.path().join("looped");
    std::os::unix::fs::symlink(&looped, &looped).unwrap();
    support::error_of(["export", run, "-o", looped.to_str().unwrap()]);
    assert_eq!(fs::read_to_string(&out).unwrap(), "precious\n");
    stdout_of(["export", run, "-o", out.to_str().unwrap()]);
    assert_eq!(fs::read_to_string(&out).unwrap(), text_of(Path::new(run)));
    let link = directory.path().join("link");
    std::os::unix::fs::symlink(&out, &link).unwrap();
    fs::File::create(&out).unwrap().write_all(b"precious\n").unwrap();
    stdout_of(["export", run, "-o", link.to_str().unwrap()]);
    assert_eq!(fs::read_to_string(&out).unwrap(), text_of(Path::new(run)), "the link is followed");
    let names = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(names.into_iter().all(|name| !name.starts_with('.')));
}

/// An empty directory is filled; one with content is left alone.
#[test]
fn directories_are_filled_if_they_are_empty() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    fs::write(at("run.jsonl"), lines(10)).unwrap();
    fs::create_dir(at("empty")).unwrap();
    stdout_of(["import", &at("run.jsonl"), "-o", &at("empty")]);
    stdout_of(["import", &at("run.jsonl"), "-o", &at("new/deep/run")]);
    assert_eq!(text_of(Path::new(&at("empty"))), text_of(Path::new(&at("new/deep/run"))));
    let before = below(directory.path());
    support::error_of(["import", &at("run.jsonl"), "-o", &at("empty")]);
    assert_eq!(before, below(directory.path()));
}
