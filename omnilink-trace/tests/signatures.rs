//! What a trace says of its actions besides their names: which parameters are results, and which operation they are
//! outcomes of.
#![cfg(feature = "pack")]

mod plain;

use std::fs;

use omnilink_trace::{Declaration, Run, Signature, Trace, TraceBuilder, jsonl, pack, write_run};
use plain::{PlainSignature, plain};

const HEADER: &str = r#"{"header":true,"format":"omnilink-jsonl","version":1,"actions":["#;
const EVENT: &str = r#"{"thread":0,"start":1,"end":4,"op":"Dequeue","args":{"elem":3}}"#;

fn read(text: &str) -> Result<Trace, String> {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("t.jsonl");
    fs::write(&path, text).unwrap();
    Trace::open(&path).map_err(|error| error.to_string().replace(&path.display().to_string(), "t.jsonl"))
}

fn signature(name: &str, params: &[&str], results: Option<&[&str]>, operation: Option<&str>) -> PlainSignature {
    let texts = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    (name.into(), texts(params), results.map(texts), operation.map(Into::into))
}

#[test]
fn headers_and_lines_declare_and_every_form_keeps_it() {
    let header = format!(
        r#"{HEADER}{{"name":"Dequeue","params":["elem"],"results":["elem"]}},{{"name":"Reset","params":["to"],"operation":"Set"}}]}}"#
    );
    let lines = r#"{"thread":0,"start":5,"end":6,"op":"DequeueEmpty","args":{},"operation":"Dequeue"}
{"thread":0,"start":7,"end":8,"op":"Cas","args":{"old":1,"new":2,"ok":true},"results":["ok"]}
{"thread":0,"start":9,"end":10,"op":"Plain","results":[1],"operation":"x"}
{"thread":0,"start":11,"end":12,"op":"Cas","args":{"old":1,"new":2,"ok":true}}"#;
    let trace = read(&format!("{header}\n{EVENT}\n{lines}\n")).unwrap();
    let expected = [
        signature("Cas", &["old", "new", "ok"], Some(&["ok"]), None),
        signature("Dequeue", &["elem"], Some(&["elem"]), None),
        signature("DequeueEmpty", &[], Some(&[]), Some("Dequeue")),
        // Without `args`, all other keys are arguments.
        signature("Plain", &["results", "operation"], None, None),
        signature("Reset", &["to"], None, Some("Set")),
    ];
    assert_eq!(plain(&trace).signatures, expected);

    let place = tempfile::tempdir().unwrap();
    let (run, packed, lines) =
        (place.path().join("run"), place.path().join("run.tar.zst"), place.path().join("again.jsonl"));
    write_run(&trace, &run).unwrap();
    pack(&run, &packed).unwrap();
    let trace = Trace::open(&packed).unwrap();
    jsonl::write(&trace, fs::File::create(&lines).unwrap()).unwrap();
    for path in [&run, &run.join("00000.lane"), &packed, &lines] {
        let signatures = plain(&Trace::open(path).unwrap()).signatures;
        // A run directory has the actions of its events.
        let known = expected.iter().filter(|signature| signatures.contains(signature)).count();
        assert!(known == signatures.len() && known >= 4, "{}: {signatures:?}", path.display());
    }
    let text = fs::read_to_string(&lines).unwrap();
    assert!(text.contains(r#"{"name":"Reset","params":["to"],"operation":"Set"}"#), "{text}");
    assert_eq!(text.matches("\"results\":[\"elem\"]").count(), 1, "said once: {text}");
}

#[test]
fn a_parameter_that_no_declaration_mentions_is_unknown() {
    let mut builder = TraceBuilder::new("S", "Next", Run::default());
    let of = |params: &[&str], results: &[&str]| Declaration {
        name: "Put".into(),
        params: params.iter().map(ToString::to_string).collect(),
        results: Some(results.iter().map(ToString::to_string).collect()),
        ..Declaration::default()
    };
    for params in [&["key"][..], &["key", "old"], &["old", "key"], &["key", "old", "version"]] {
        builder.action("Put", params).unwrap();
    }
    builder.declare(of(&["key"], &[])).unwrap();
    builder.declare(of(&["old"], &["old"])).unwrap();
    assert_eq!(
        plain(&builder.finish("t").unwrap()).signatures,
        [
            signature("Put", &["key"], Some(&[]), None),
            signature("Put", &["key", "old"], Some(&["old"]), None),
            signature("Put", &["key", "old", "version"], None, None),
            signature("Put", &["old", "key"], Some(&["old"]), None),
        ]
    );
}

#[test]
fn contradictions_are_told_with_their_place() {
    let lines = [
        (
            r#"{"thread":0,"start":5,"end":6,"op":"Dequeue","args":{},"results":[]}"#,
            "3:66: contradictory declarations of `Dequeue`: one says that its parameter `elem` is a result, another that \
             it is not; correct `results`",
        ),
        (
            r#"{"thread":0,"start":5,"end":6,"op":"Dequeue","args":{},"operation":"Pop"}"#,
            "3:68: contradictory declarations of `Dequeue`: it is an outcome of the operation `Dequeue` by one and of \
             `Pop` by another; correct `operation`",
        ),
        (
            r#"{"thread":0,"start":5,"end":6,"op":"Dequeue","args":{},"results":["elm"]}"#,
            "3:66: `elm` is declared to be a result, but it is no parameter of the action",
        ),
        (
            r#"{"thread":0,"start":5,"end":6,"op":"Dequeue","args":{},"results":"elem"}"#,
            "3:66: `results` is a list of parameters, not a string",
        ),
        (
            r#"{"thread":0,"start":5,"end":6,"op":"Dequeue","args":{},"operation":["Pop"]}"#,
            "3:68: `operation` is the name of an operation, not a list",
        ),
        (
            r#"{"thread":0,"start":5,"end":6,"op":"Other","args":{},"operation":""}"#,
            "3:66: the `operation` of `Other` has no name",
        ),
        (
            r#"{"thread":0,"start":5,"end":6,"args":{},"operation":"Pop"}"#,
            "3:53: `results` and `operation` are those of an action: `op` is missing",
        ),
    ];
    let dequeue = r#"{"name":"Dequeue","params":["elem"],"results":["elem"],"operation":"Dequeue"}"#;
    for (line, text) in lines {
        let error = read(&format!("{HEADER}{dequeue}]}}\n{EVENT}\n{line}\n")).unwrap_err();
        assert_eq!(error, format!("t.jsonl:{text}"), "{line}");
    }
    let headers = [
        (
            r#"{"name":"A","params":["x"],"results":["y"]}"#,
            "`y` is declared to be a result of `A`, which has no such parameter (it has `x`)",
        ),
        (
            r#"{"name":"A","params":[],"results":["y"]}"#,
            "`y` is declared to be a result of `A`, which has no such parameter (it has none)",
        ),
        (
            r#"{"name":"A","params":["x"],"results":["x"]},{"name":"A","params":["x","y"],"results":["y"]}"#,
            "contradictory declarations of `A`: one says that its parameter `x` is a result, another that it is not; \
             correct `results`",
        ),
    ];
    for (actions, text) in headers {
        let error = read(&format!("{HEADER}{actions}]}}\n")).unwrap_err();
        assert_eq!(error, format!("t.jsonl:1:1: {text}"), "{actions}");
    }
    let unreadable = read(&format!("{HEADER}{{\"name\":\"A\",\"params\":[],\"results\":7}}]}}\n")).unwrap_err();
    assert!(unreadable.contains("unreadable header: invalid type: integer `7`, expected a sequence"), "{unreadable}");
}

#[test]
fn contradictions_in_the_description_of_a_run_name_the_file() {
    let place = tempfile::tempdir().unwrap();
    let run = place.path().join("run");
    write_run(&read(EVENT).unwrap(), &run).unwrap();
    let file = run.join("run.json");
    let declared = |results: &str| {
        format!(
            r#"{{"format":"omnilink-run","version":1,"actions":[
                {{"name":"Dequeue","params":["elem"],"results":["elem"],"since":2}},
                {{"name":"Dequeue","params":["elem","n"],"results":{results}}}]}}"#
        )
    };
    fs::write(&file, declared(r#"["n","elem"]"#)).unwrap();
    let trace = Trace::open(&run).unwrap();
    assert_eq!(plain(&trace).signatures, [signature("Dequeue", &["elem"], Some(&["elem"]), None)]);
    assert!(trace.run().to_json().contains("\"since\": 2"), "unknown keys are kept");
    fs::write(&file, declared(r#"["n"]"#)).unwrap();
    let error = Trace::open(&run).unwrap_err().to_string();
    let text = "contradictory declarations of `Dequeue`: one says that its parameter `elem` is a result";
    assert!(error.contains("run.json: unreadable run description: ") && error.contains(text), "{error}");
}

#[test]
fn an_action_that_a_program_declares_differently_is_unknown_in_every_form() {
    let trace = read(&format!(
        "{HEADER}{{\"name\":\"Dequeue\",\"params\":[\"elem\"],\"contradictory\":true}},\
         {{\"name\":\"Empty\",\"params\":[],\"contradictory\":true}}]}}\n{EVENT}\n"
    ))
    .unwrap();
    let place = tempfile::tempdir().unwrap();
    let (run, lines) = (place.path().join("run"), place.path().join("again.jsonl"));
    write_run(&trace, &run).unwrap();
    jsonl::write(&Trace::open(&run).unwrap(), fs::File::create(&lines).unwrap()).unwrap();
    for trace in [trace, Trace::open(&run).unwrap(), Trace::open(&lines).unwrap()] {
        for (action, _) in trace.vocabulary().actions() {
            assert_eq!(*trace.signature(action), Signature { contradictory: true, ..Signature::default() });
        }
    }
}
