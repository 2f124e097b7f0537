//! A debugger can wait for one particular action: every begin passes through `omnilink_action_begins`, with the clock reading that the
//! record of the call starts with.
#![cfg(target_arch = "x86_64")]

mod support;

use std::collections::BTreeSet;
use std::process::Command;

use omnilink_trace::{Record, Trace};

#[test]
fn every_begin_stops_at_the_breakpoint_with_its_start() {
    if Command::new("gdb").arg("--version").output().is_err() {
        println!("gdb is not installed: not tested");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let program = support::compile("stack.c", directory.path());
    let run = directory.path().join("run");
    let breakpoint = r#"dprintf omnilink_action_begins,"begins %lu\n",$rsi"#;
    let output = Command::new("gdb")
        .args(["-nx", "-batch", "-ex", "set debuginfod enabled off", "-ex", breakpoint, "-ex", "run", "--args"])
        .args([&program, &run])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let stops: BTreeSet<u64> = text.lines().filter_map(|line| line.strip_prefix("begins ")?.parse().ok()).collect();

    let trace = Trace::open(&run).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for record in trace.records() {
        if let Record::Event(event) = record.unwrap() {
            assert!(stops.contains(&event.timebox.start), "{event:?}: {text}");
        }
    }
    // Six calls were recorded and one discarded; one of the six narrowed its box twice after it had begun.
    assert_eq!(stops.len(), 9, "{text}");
}
