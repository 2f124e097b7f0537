//! From the recorder to the terminal: a run of this very process.

mod support;

use std::thread;

use omnilink_runtime::{ActionDef, Session, Site, begin, open_lane, terminate};
use serde_json::{Value, json};
use support::stdout_of;

static ENQUEUE: Site = Site::new(&[ActionDef { name: "Enqueue", params: &["elem"] }], &["elem"]);
static TRY_DEQUEUE: Site = Site::new(
    &[ActionDef { name: "Dequeue", params: &["elem"] }, ActionDef { name: "DequeueEmpty", params: &[] }],
    &["elem"],
);

fn produce() {
    open_lane("producer");
    for elem in 0..100_u32 {
        let mut op = begin(&ENQUEUE);
        op.arg(0, &elem);
        op.end();
    }
    terminate(|meta| meta.set("produced", &100));
}

fn consume() {
    open_lane("consumer");
    for elem in 0..10_u32 {
        let mut op = begin(&TRY_DEQUEUE);
        op.choose(u16::from(elem % 2 == 1));
        if elem % 2 == 0 {
            op.arg(0, &elem);
        } else {
            op.meta("tries", &3);
        }
        op.end();
    }
    let mut op = begin(&ENQUEUE);
    op.arg(0, &"too late");
    op.abort("full");
    op.end();
    begin(&ENQUEUE).indeterminate("boom");
}

#[test]
fn what_was_recorded_is_shown() {
    let dir = tempfile::tempdir().unwrap();
    let run = dir.path().join("run");
    let session = Session::builder().directory(&run).spec("Queue", "Next").seed(3).start().unwrap();
    thread::scope(|scope| {
        scope.spawn(produce);
        scope.spawn(consume);
    });
    session.finish();

    let run = run.to_str().unwrap();
    let text = stdout_of(["show", "--events", "--thread", "consumer", run]);
    for call in [
        "Dequeue(8)\n",
        "DequeueEmpty  {tries = 3}\n",
        "Enqueue(\"too late\")  aborted",
        "Enqueue(?elem)  indeterminate",
    ] {
        assert!(text.contains(call), "{call} is not in\n{text}");
    }
    let summary: Value = serde_json::from_str(&stdout_of(["show", "--summary", "--json", run])).unwrap();
    let summary = &summary["summary"];
    assert_eq!(summary["spec"], "Queue");
    assert_eq!(summary["seed"], 3);
    assert_eq!(summary["complete"], true);
    assert_eq!(summary["events"], 112);
    assert_eq!(summary["terminations"], 1);
    assert_eq!(summary["outcomes"], json!({"done": 110, "aborted": 1, "indeterminate": 1, "pending": 0}));
    assert_eq!(summary["unknown_arguments"], json!([{"action": "Enqueue(elem)", "parameter": "elem", "events": 1}]));
}
