//! gdb in a replayed run: the real gdb, driven by commands.

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use support::replays::{fuzzer, recorded};
use support::{error_of, omnilink, omnilink_within, run};
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
    let output = omnilink_within(120, &all).output().unwrap();
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
        ("2:9", &["frame 0", "p/x $rip == &omnilink_action_begins", "disconnect"], &["= 0x1"]),
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
        ("crahs", "crash, deadlock, end and start"),
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

/// A program of several threads that goes wrong as it is told, recorded once.
fn goes_wrong(scratch: &Path, how: &str, optimised: &str) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/goes_wrong.cpp");
    let program = scratch.join(format!("goes-wrong{optimised}"));
    if !program.exists() {
        let compiled = Command::new("g++").args(["-g", optimised, "-pthread", "-o"]).arg(&program).arg(source).status();
        assert!(compiled.unwrap().success());
    }
    let runs = scratch.join(format!("{how}{optimised}")).display().to_string();
    let program = program.display().to_string();
    // What it comes to is the caller's business.
    run(["record", "--chaos", "--runs", "1", "--seed", "3", "-o", &runs, "--", &program, how]);
    format!("{runs}/run-000001")
}

#[test]
fn where_a_program_crashes_is_told() {
    let scratch = tempfile::tempdir().unwrap();
    let cases: [(&str, &[&str]); 8] = [
        ("segv", &["received SIGSEGV for address 0x0\n", "    dereference"]),
        ("abort", &["received SIGABRT, called by give_up", "    fail(char const*)"]),
        ("assert", &["received SIGABRT, called by fail(char const*)"]),
        ("throw", &["received SIGABRT, called by fail(char const*)", "__cxa_throw"]),
        ("overflow", &["received SIGSEGV for address 0x7", "    overflow(int) at ", " times)"]),
        ("null", &["received SIGSEGV for address 0x0, called by fail(char const*)", "0x0, where there is no code"]),
        // The stack goes on below a handler.
        ("handler", &["received SIGABRT, called by handle(int) at ", "    fail(char const*)"]),
        ("library", &["received SIGSEGV for address 0x1, called by fail(char const*)"]),
    ];
    for (optimised, cases) in [("-O0", &cases[..2]), ("-O2", &cases)] {
        for &(how, expected) in cases {
            let run = goes_wrong(scratch.path(), how, optimised);
            let said = support::stdout_of(["replay", &run, "--until", "crash"]);
            assert!(
                said.starts_with("the program crashes\nthread 2 ") && said.contains("the same run"),
                "{how}: {said}"
            );
            for text in expected.iter().chain(&["thread 0 waits at ", ", called by main at "]) {
                assert!(said.contains(text), "{how} {optimised}: no {text} in\n{said}");
            }
            // The lines of a frame are those of the source.
            assert!(said.contains("goes_wrong.cpp:"), "{said}");
            assert_eq!(said.matches("thread 0 waits").count(), 1, "told once: {said}");
        }
    }
}

#[test]
fn gdb_opens_where_the_program_goes_wrong() {
    if !has_gdb() {
        return;
    }
    let scratch = tempfile::tempdir().unwrap();
    let cases: [(&str, &str, &[&str]); 6] = [
        ("abort", "crash", &["received SIGABRT", " in give_up (", "with signal SIGABRT"]),
        ("throw", "crash", &["received SIGABRT", " in fail (", "with signal SIGABRT"]),
        ("deadlock", "deadlock", &["no thread can run", "main ("]),
        ("exit", "end", &["the program is about to end", " in fail (", "exited with code 07"]),
        ("nothing", "end", &["the program is about to end", "exited normally"]),
        ("nothing", "start", &["the program begins", "main (", "exited normally"]),
    ];
    for (how, moment, expected) in cases {
        let run = goes_wrong(scratch.path(), how, "-O0");
        let (code, said) = debug(&run, moment, &["frame", "info threads", "continue"]);
        for text in expected {
            assert!(said.contains(text), "{how} {moment}: no {text} in\n{said}");
        }
        assert!(code == Some(0) && said.contains("the same run"), "{how} {moment}: {code:?}\n{said}");
    }
}

#[test]
fn moments_that_do_not_come_are_errors() {
    let scratch = tempfile::tempdir().unwrap();
    let run = |how: &str| goes_wrong(scratch.path(), how, "-O0");
    let cases = [
        (run("nothing"), "crash", "did not crash: exit code 0", "--until end"),
        (run("nothing"), "deadlock", "did not deadlock: exit code 0", "--until end"),
        (run("abort"), "end", "did not exit: killed by SIGABRT", "--until crash"),
        (run("abort"), "deadlock", "did not deadlock: killed by SIGABRT", "--until crash"),
        (run("deadlock"), "crash", "did not crash: deadlock", "--until deadlock"),
        (run("nothing"), "crahs", "the program recorded no events", "crash, deadlock, end and start"),
    ];
    for (run, moment, expected, advice) in cases {
        let error = error_of(["replay", &run, "--until", moment]);
        assert!(error.contains(expected) && error.contains(advice), "{moment}: {error}");
    }
    let error = error_of(["replay", &run("nothing"), "--rr-bin", "rr"]);
    assert!(error.contains("was not recorded by rr"), "{error}");
}

#[test]
fn watchpoints_leave_the_run_the_same() {
    if !has_gdb() {
        return;
    }
    let scratch = tempfile::tempdir().unwrap();
    let run = goes_wrong(scratch.path(), "nothing", "-O0");
    let commands = [
        "watch shared if shared == 150",
        "continue",
        "delete",
        "rwatch shared",
        "continue",
        "delete",
        "awatch shared",
        "continue",
        "delete",
        "continue",
    ];
    let (code, said) = debug(&run, "start", &commands);
    let expected = [
        "hit Hardware watchpoint 1: shared",
        "Old value = 149",
        "New value = 150",
        "hit Hardware read watchpoint 2: shared",
        "hit Hardware access (read/write) watchpoint 3: shared",
        "exited normally",
    ];
    for text in expected {
        assert!(said.contains(text), "no {text} in\n{said}");
    }
    assert!(code == Some(0) && said.contains("the same run"), "{code:?}\n{said}");
    // Who leaves while something is watched leaves nothing behind.
    let (code, said) = debug(&run, "start", &["watch shared", "continue", "detach"]);
    assert!(code == Some(0) && said.contains("the same run"), "{code:?}\n{said}");
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

#[test]
fn a_run_that_was_stopped_is_shown_before_that() {
    let scratch = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../omnilink-record/tests/subjects/livelocks.cpp");
    let [program, runs] = ["livelocks", "runs"].map(|name| scratch.path().join(name).display().to_string());
    let compiled = Command::new("g++").args(["-pthread", "-o", &program]).arg(source).status();
    assert!(compiled.unwrap().success());
    let limit = ["--max-decisions", "2000"];
    run([&["record", "--chaos", "--runs", "1", "-o", &runs][..], &limit, &["--", &program, "load"]].concat());
    let said = support::stdout_of(["replay", &format!("{runs}/run-000001"), "--until", "end"]);
    assert!(said.starts_with("the program is about to be stopped at its limit of work\n"), "{said}");
    assert!(said.contains("stopped: it did all the work that --max-decisions allows after "), "{said}");
}

/// Not rr: records by executing the program. Replaying, it keeps the command line, and starts gdb with exactly the arguments
/// that rr gives it (`launch_debugger.cc`): our commands come before the connection. What gdb connects to is not a
/// recording of rr's but another replay, which the test starts.
const STAND_IN: &str = r#"#!/bin/bash
here=$(dirname "$0")
if [ "$1" = replay ]; then
  echo "$@" > "$here/replayed"
  [ -f "$here/remote" ] || exit 0
  shift
  options=()
  while [ "$1" = -x ]; do options+=("$1" "$2"); shift 2; done
  echo 'set prompt (rr) ' > "$here/macros"
  exec gdb -nx -batch -iex 'set debuginfod enabled off' -l 10000 -ex 'set sysroot /' -x "$here/macros" "${options[@]}" \
    -ex "target extended-remote $(cat "$here/remote")" -ex 'info symbol $pc' -ex 'frame 0' -ex detach "$(cat "$here/program")"
fi
mkdir -p "$_RR_TRACE_DIR/program-0"
while [ $# -gt 0 ] && [ "$1" != -- ] && [ "$1" != true ]; do shift; done
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
    let runs = scratch.path().join("rr-runs").display().to_string();
    // It is found again from everywhere.
    let recorded_there =
        omnilink(["record", "--rr", "--rr-bin", "./rr-stand-in", "--runs", "1", "-o", &runs, "--", &fuzzer()])
            .current_dir(scratch.path())
            .output()
            .unwrap();
    assert!(recorded_there.status.success(), "{recorded_there:?}");
    let of_rr = format!("{runs}/run-000001");
    let replayed = || fs::read_to_string(scratch.path().join("replayed")).unwrap();

    assert!(run(["replay", &of_rr]).status.success());
    assert_eq!(replayed(), format!("replay --autopilot {of_rr}/rr/program-0\n"));
    assert!(error_of(["replay", &of_rr, "--trace"]).contains("do not work with a run recorded by rr"));
    assert!(error_of(["replay", &of_rr, "--until", "crash"]).contains("did not crash: exit code 0"));
    assert!(error_of(["replay", &of_rr, "--rr-bin", "surely-no-rr"]).contains("surely-no-rr"));
    // Whichever rr is named replays it.
    let other = scratch.path().join("other-rr");
    fs::rename(&rr, &other).unwrap();
    assert!(error_of(["replay", &of_rr]).contains("--rr-bin"));
    let other = other.display().to_string();
    assert!(run(["replay", &of_rr, "--rr-bin", &other, "--until", "1:4"]).status.success());
    assert!(replayed().starts_with("replay -x ") && replayed().ends_with("/rr/program-0\n"), "{}", replayed());
    if !has_gdb() {
        return;
    }
    // Readings of the clock come again in a replay of ours: gdb stops there for the events of that run.
    let again = recorded(scratch.path(), "1", &[]).remove(0);
    fs::remove_dir_all(format!("{of_rr}/trace")).unwrap();
    fs::rename(again.join("trace"), format!("{of_rr}/trace")).unwrap();
    let mut remote = Command::new(assert_cmd::cargo::cargo_bin!("omnilink"))
        .args(["replay", "--until", "start", "--gdb-port", "0"])
        .arg(&again)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(remote.stderr.take().unwrap()).lines().map(Result::unwrap);
    let advice = said.find(|line| line.contains("target remote ")).unwrap();
    let address = advice.split_once("target remote ").unwrap().1.trim_end_matches('\'');
    fs::write(scratch.path().join("remote"), address).unwrap();
    fs::write(scratch.path().join("program"), fuzzer()).unwrap();
    let output = run(["replay", &of_rr, "--rr-bin", &other, "--until", "1:4", "--gdb"]);
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    remote.wait().unwrap();
    // It is where actions begin, seen from the function of the user's that begins one.
    for text in ["event 1:4, ", "omnilink_action_begins", "debugged::main::{"] {
        assert!(said.contains(text), "no {text} in {said}");
    }
    assert!(!said.contains("is not being run"), "{said}");
}
