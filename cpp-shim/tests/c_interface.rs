//! A C program, compiled by the system's compiler against `omnilink.h` and the static library, records what it should.

mod support;

use std::process::Command;

use support::recorded::{lines, open, signatures};

#[test]
fn a_c_program_records_through_the_whole_interface() {
    let directory = tempfile::tempdir().unwrap();
    let program = support::compile("stack.c", directory.path());
    let run = directory.path().join("run");
    let output = Command::new(&program).arg(&run).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "6 events, 3 lanes, stopped: 0\n");

    let trace = open(&run);
    assert_eq!((trace.spec(), trace.next()), ("Stack", "Next"));
    assert_eq!(trace.run().seed, Some(7));
    assert_eq!(trace.lanes()[0].name(), "main");
    assert_eq!(
        signatures(&trace),
        [
            "Pop(elem) results elem operation Pop",
            "PopEmpty() results  operation Pop",
            "Push(elem, tags) results unknown operation unknown",
        ]
    );
    let tags = r#"<<TRUE, "18446744073709551615", {"new"}>>"#;
    assert_eq!(
        lines(&trace, 0),
        [
            format!("Push(elem = 3, tags = {tags}) Done state: [depth |-> 1] again: [depth |-> 1]"),
            r#"Push(elem = "text", tags = FALSE) Aborted omnilink.abort: "full""#.to_owned(),
        ]
    );
    assert_eq!(lines(&trace, 1), ["Push(elem = 9, tags = ?) Done"]);
    assert_eq!(trace.lanes()[2].name(), "popper");
    assert_eq!(
        lines(&trace, 2),
        [
            "Pop(elem = -7) Done",
            r#"PopEmpty() Aborted omnilink.abort: "contended""#,
            r#"Pop|PopEmpty(elem = ?) Indeterminate omnilink.indeterminate: "lost""#,
            r#"terminated ["state: [depth |-> 2]"]"#,
        ]
    );
}
