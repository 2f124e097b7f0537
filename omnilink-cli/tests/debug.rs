//! gdb in a replayed run: the real gdb, driven by commands.

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use omnilink_trace::{Record, Trace};
use support::replays::{fuzzer, recorded};
use support::{error_of, omnilink, run};
use tempfile::TempDir;

/// Whether gdb is there; says so if not.
fn has_gdb() -> bool {
    let found = Command::new("gdb").arg("--version").output().is_ok();
    if !found {
        println!("gdb is not installed: not tested");
    }
    found
}

/// A recorded run, kept as long as the directory.
fn recorded_run() -> (TempDir, String) {
    let scratch = tempfile::tempdir().unwrap();
    let run = recorded(scratch.path(), "1", &[]).remove(0).display().to_string();
    (scratch, run)
}

/// Replays until an event, with gdb carrying out these commands: the exit code and what both said.
fn debug(run: &str, event: &str, commands: &[&str]) -> (Option<i32>, String) {
    let mut all = vec!["replay", run, "--until", event, "--gdb", "--", "-nx", "-batch"];
    for command in ["set debuginfod enabled off", "set width 0"].iter().chain(commands) {
        all.extend(["-ex", command]);
    }
    let output = omnilink(all).timeout(std::time::Duration::from_secs(300)).output().unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code(), said)
}

#[test]
fn debugging_leaves_the_run_the_same() {
    if !has_gdb() {
        return;
    }
    let (_scratch, run) = recorded_run();
    let cases: [(&str, &[&str], &[&str]); 5] = [
        (
            "1:5",
            &["bt", "info threads", "continue"],
            &["event 1:5, ", "debugged::main::", "fuzz-0: ", "fuzz-1: runs", "fuzz-2: ", "exited normally"],
        ),
        (
            "Add#3",
            &["break debugged::add", "continue", "info args", "next", "info locals", "delete", "continue"],
            &["hit Breakpoint 1, debugged::add", "amount = ", "before = ", "exited normally"],
        ),
        ("Read", &["stepi 400", "info symbol $pc", "detach"], &[" in section .text", "detached"]),
        ("0:0", &["break debugged::add", "continue", "finish", "next 20", "delete", "continue"], &["Value returned"]),
        ("2:9", &["p/x $rip == &omnilink_action_begins", "disconnect"], &["= 0x1"]),
    ];
    for (event, commands, expected) in cases {
        let (code, said) = debug(&run, event, commands);
        for text in expected {
            assert!(said.contains(text), "{event}, {commands:?}: no {text} in\n{said}");
        }
        assert!(code == Some(0) && said.contains("the same run"), "{event}, {commands:?}: {code:?}\n{said}");
    }
}

/// Offsets in functions and the bytes there, from what gdb disassembles.
fn bytes_of(disassembly: &str) -> Vec<&str> {
    let lines = disassembly.lines().filter(|line| line.contains(">:\t"));
    lines.filter_map(|line| line.split_once('<')?.1.rsplit_once('\t').map(|(bytes, _)| bytes)).collect()
}

#[test]
fn the_code_is_the_programs() {
    if !has_gdb() {
        return;
    }
    let (_scratch, run) = recorded_run();
    let look = ["disassemble /r debugged::main", "disassemble /r debugged::add"];
    let file =
        Command::new("gdb").args(["-nx", "-batch", "-ex", look[0], "-ex", look[1]]).arg(fuzzer()).output().unwrap();
    let (code, said) = debug(&run, "2:9", &[look[0], look[1], "detach"]);
    assert_eq!(code, Some(0), "{said}");
    let file = String::from_utf8_lossy(&file.stdout);
    assert!(bytes_of(&file).len() > 20, "{file}");
    assert_eq!(bytes_of(&said), bytes_of(&file));
}

#[test]
fn steps_are_those_of_the_program() {
    if !has_gdb() {
        return;
    }
    let (_scratch, run) = recorded_run();
    // Every instruction of the function that is stepped through is one that the disassembler shows.
    let mut commands = vec!["break debugged::add", "continue", "delete", "disassemble"];
    commands.extend(["printf \"at %#lx\\n\", $pc", "nexti"].repeat(12));
    commands.push("detach");
    let (code, said) = debug(&run, "Add#2", &commands);
    assert_eq!(code, Some(0), "{said}");
    let stepped: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("at ")).collect();
    assert_eq!(stepped.len(), 12, "{said}");
    for address in stepped {
        let shown = said.lines().any(|line| line.contains(&format!("{:0>16} <", &address[2..])));
        assert!(shown, "{address}: {said}");
    }
}

#[test]
fn what_is_changed_is_noticed() {
    if !has_gdb() {
        return;
    }
    let (_scratch, run) = recorded_run();
    let change = "set var *(unsigned long *) counter = 1000";
    let commands = ["break debugged::add", "continue", "set language c", change, "delete", "continue"];
    let (code, said) = debug(&run, "Add#4", &commands);
    assert!(code == Some(1) && said.contains("not the same run"), "{code:?} {said}");
    let (code, said) = debug(&run, "Add#4", &["kill"]);
    assert!(code == Some(1) && said.contains("interrupted"), "{code:?} {said}");
}

#[test]
fn events_that_are_not_there_are_errors() {
    let (scratch, run) = recorded_run();
    let cases = [
        ("7:0", "has no event 7:0"),
        ("Remove", "has no event of Remove"),
        ("Add#1000000", " events of Add"),
        ("1:", "write LANE:INDEX"),
    ];
    for (event, expected) in cases {
        let error = error_of(["replay", &run, "--until", event]);
        assert!(error.contains(expected), "{event}: {error}");
    }
    // A program that was stripped does not tell where actions begin.
    let stripped = scratch.path().join("stripped");
    let status = Command::new("strip").arg("-o").arg(&stripped).arg(fuzzer()).status().unwrap();
    assert!(status.success());
    let runs = scratch.path().join("more").display().to_string();
    support::stdout_of(["record", "--chaos", "--runs", "1", "-o", &runs, "--", stripped.to_str().unwrap()]);
    let error = error_of(["replay", &format!("{runs}/run-000001"), "--until", "0:0"]);
    assert!(error.contains("has no symbol omnilink_action_begins"), "{error}");
}

/// A packet of gdb's protocol.
fn packet(contents: &str) -> String {
    format!("${contents}#{:02x}", contents.bytes().fold(0_u8, u8::wrapping_add))
}

/// The contents of the next packet that is not an answer of no interest.
fn answer(stream: &mut impl Read) -> String {
    let mut text = Vec::new();
    let mut byte = [0];
    while !text.ends_with(b"#") {
        stream.read_exact(&mut byte).unwrap();
        text.push(byte[0]);
    }
    stream.read_exact(&mut [0; 2]).unwrap();
    let text = String::from_utf8(text).unwrap();
    text.trim_start_matches(['+', '$']).trim_end_matches('#').to_owned()
}

#[test]
fn a_running_program_can_be_stopped() {
    let scratch = tempfile::tempdir().unwrap();
    let run = recorded(scratch.path(), "1", &["--ops", "3000"]).remove(0);
    let mut replay = Command::new(assert_cmd::cargo::cargo_bin!("omnilink"))
        .args(["replay", "--until", "0:1", "--gdb-port", "0"])
        .arg(&run)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(replay.stderr.take().unwrap()).lines().map(Result::unwrap);
    let advice = said.find(|line| line.contains("target remote ")).unwrap();
    let address = advice.split_once("target remote ").unwrap().1.trim_end_matches('\'');
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(packet("?").as_bytes()).unwrap();
    assert!(answer(&mut stream).starts_with(['S', 'T']));
    for _ in 0..5 {
        stream.write_all(format!("+{}", packet("vCont;c")).as_bytes()).unwrap();
        // As Ctrl-C in gdb does, at once.
        stream.write_all(&[3]).unwrap();
        let stopped = answer(&mut stream);
        assert!(stopped.starts_with("T02"), "{stopped}");
    }
    // Who just goes away lets the program come to its end.
    drop(stream);
    let output = replay.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && said.contains("the same run"), "{said}");
}

/// Not rr: records by executing the program; replaying, it only keeps the command line and gdb's commands.
const STAND_IN: &str = r#"#!/bin/sh
here=$(dirname "$0")
if [ "$1" = replay ]; then
  echo "$@" > "$here/replayed"
  if [ "$2" = -x ]; then cp "$3" "$here/commands"; fi
  exit 0
fi
mkdir -p "$_RR_TRACE_DIR/program-0"
while [ "$1" != -- ] && [ "$1" != true ]; do shift; done
[ "$1" = -- ] && shift
exec "$@"
"#;

fn stand_in(directory: &Path) -> PathBuf {
    let binary = directory.join("rr-stand-in");
    fs::write(&binary, STAND_IN).unwrap();
    fs::set_permissions(&binary, fs::Permissions::from_mode(0o755)).unwrap();
    binary
}

#[test]
fn rr_replays_what_it_has_recorded_up_to_the_event() {
    let scratch = tempfile::tempdir().unwrap();
    let rr = stand_in(scratch.path()).display().to_string();
    let runs = scratch.path().join("runs").display().to_string();
    support::stdout_of(["record", "--rr", "--rr-bin", &rr, "--runs", "1", "-o", &runs, "--", &fuzzer()]);
    let recorded = format!("{runs}/run-000001");
    let replayed = || fs::read_to_string(scratch.path().join("replayed")).unwrap();

    assert!(run(["replay", &recorded]).status.success());
    assert_eq!(replayed(), format!("replay --autopilot {recorded}/rr/program-0\n"));
    assert!(error_of(["replay", &recorded, "--trace"]).contains("records nothing new"));

    assert!(run(["replay", &recorded, "--until", "1:4"]).status.success());
    assert!(replayed().starts_with("replay -x ") && replayed().ends_with("/rr/program-0\n"), "{}", replayed());
    let commands = fs::read_to_string(scratch.path().join("commands")).unwrap();
    let trace = Trace::open(format!("{recorded}/trace")).unwrap();
    let starts = trace.records_as_recorded().filter_map(|record| match record.unwrap() {
        Record::Event(event) if (event.lane, event.index) == (1, 4) => Some(event.timebox.start),
        _ => None,
    });
    let start = starts.last().unwrap();
    assert!(commands.contains(&format!(" == {start}\n")), "{commands}");
    if !has_gdb() {
        return;
    }
    // Without rr no clock reading comes again, so that any will do here: the rest of the commands is as it is.
    let script = scratch.path().join("script");
    fs::write(&script, format!("starti\n{}bt\nkill\n", commands.replace(&format!("== {start}"), "> 0"))).unwrap();
    let output = Command::new("gdb")
        .args(["-nx", "-batch", "-ex", "set debuginfod enabled off", "-x"])
        .arg(&script)
        .arg(fuzzer())
        .env("OMNILINK_TRACE_DIR", scratch.path().join("trace"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    for text in ["omnilink_action_begins", "omnilink_runtime::fuzz::worker", "event 1:4, "] {
        assert!(said.contains(text), "no {text} in\n{said}\n{}", String::from_utf8_lossy(&output.stderr));
    }
}
