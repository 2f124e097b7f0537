//! A C program, compiled by the system's compiler against `omnilink.h` and the static library, records what it should.

mod support;

use std::process::Command;

use omnilink_trace::{Record, Trace};

/// Every record of a lane in one line.
fn lines(trace: &Trace, lane: usize) -> Vec<String> {
    let words = trace.vocabulary();
    let describe = |record| match record {
        Record::Event(event) => {
            let names =
                event.candidates.as_slice().iter().map(|&action| &*words.action(action).name).collect::<Vec<_>>();
            let value = |value: &Option<_>| {
                value.as_ref().map_or("?".to_owned(), |value: &omnilink_trace::Value| value.to_string())
            };
            let args = event.args.iter().map(|arg| format!("{} = {}", words.name(arg.param), value(&arg.value)));
            let meta = event.meta.iter().map(|(key, value)| format!(" {key}: {value}")).collect::<String>();
            format!("{}({}) {:?}{meta}", names.join("|"), args.collect::<Vec<_>>().join(", "), event.outcome)
        }
        Record::Terminated(end) => format!(
            "terminated {:?}",
            end.meta.iter().map(|(key, value)| format!("{key}: {value}")).collect::<Vec<_>>()
        ),
    };
    trace.lanes()[lane].records().map(|record| describe(record.unwrap())).collect()
}

#[test]
fn a_c_program_records_through_the_whole_interface() {
    let directory = tempfile::tempdir().unwrap();
    let program = support::compile("stack.c", directory.path());
    let run = directory.path().join("run");
    let output = Command::new(&program).arg(&run).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "6 events, 3 lanes, stopped: 0\n");

    let trace = Trace::open(&run).unwrap();
    assert_eq!((trace.spec(), trace.next()), ("Stack", "Next"));
    assert_eq!(trace.run().seed, Some(7));
    assert_eq!(trace.lanes()[0].name(), "main");
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
    assert!(trace.complete());
}
