//! What is said of a verdict is so: inferred constants, reasons, steps, witnesses.

mod support;

use std::fs;

use serde_json::Value;
use support::bench::Bench;

const QUEUE: &str = "---- MODULE Elems ----
EXTENDS Naturals, Sequences
CONSTANT Elems
VARIABLE queue
Init == queue = <<>>
Enqueue(e) == queue' = Append(queue, e)
Dequeue(e) == queue # <<>> /\\ e = Head(queue) /\\ queue' = Tail(queue)
Next == (\\E e \\in Elems : Enqueue(e)) \\/ (\\E e \\in Nat : Dequeue(e))
InElems == \\A at \\in DOMAIN queue : queue[at] \\in Elems \\ {1}
Short == Len(queue) < 1
====
";
const PENDING: &str = r#"{"thread":0,"start":0,"end":9,"op":"Enqueue","e":1}
{"thread":1,"start":0,"end":null,"op":"Enqueue","e":null}
{"thread":0,"start":10,"end":19,"op":"Dequeue","e":7}
"#;

#[test]
fn an_inferred_constant_rejects_nothing_that_was_not_recorded() {
    let bench = Bench::new();
    let (spec, trace) = (bench.file("Elems.tla", QUEUE), bench.file("pending.jsonl", PENDING));
    for _ in 0..2 {
        let (code, text) = bench.check(&[&spec, &trace]);
        assert_eq!((code, text.contains("cached")), (3, false), "{text}");
        assert!(text.contains("(Elems = {1}: a call of Enqueue did not record e, which is taken from it)"), "{text}");
        assert!(text.contains("--const 'Elems = {1}' with more elements"), "{text}");
    }
    assert_eq!(bench.code(&[&spec, &trace, "--const", "Elems = {1, 7}"]), 0);
    assert_eq!(bench.code(&[&spec, &trace, "--const", "Elems = {1}"]), 1);
}

#[test]
fn an_invariant_that_uses_an_inferred_constant_is_not_said_to_be_violated() {
    let bench = Bench::new();
    let (spec, trace) = (
        bench.file("Elems.tla", QUEUE),
        bench.file("added.jsonl", "{\"thread\":0,\"start\":0,\"end\":9,\"op\":\"Enqueue\",\"e\":1}\n"),
    );
    for (invariant, options, expected) in [
        ("InElems", &[][..], 3),
        ("InElems", &["--const", "Elems = {1, 2}"], 1),
        // It does not use the constant: the state is reached with larger ones, too.
        ("Short", &[], 1),
    ] {
        bench.file("Elems.cfg", &format!("INIT Init\nNEXT Next\nINVARIANT {invariant}\n"));
        let (code, text) = bench.check(&[&[&*spec, &*trace, "--invariants"], options].concat());
        assert_eq!(code, expected, "{invariant}: {text}");
        assert_eq!(
            code == 3,
            text.contains("the invariant InElems is violated along it with what was inferred"),
            "{text}"
        );
    }
}

/// A map from keys that nobody gives.
const MAP: &str = "---- MODULE Map ----
EXTENDS Naturals, FiniteSets
CONSTANT Keys
VARIABLES store, last
vars == <<store, last>>
Init == store = [k \\in Keys |-> 0] /\\ last = 0
Put(k, v) == store' = [store EXCEPT ![k] = v] /\\ last' = k
Get(k, v) == store[k] = v /\\ UNCHANGED vars
Full == (\\A k \\in Keys : store[k] > 0) /\\ UNCHANGED vars
Next == (\\E k \\in Keys, v \\in Nat : Put(k, v) \\/ Get(k, v)) \\/ Full
Low == last = 0 \\/ store[last] < 5
AllLow == \\A k \\in Keys : store[k] < 5
====
";

#[test]
fn a_map_over_an_inferred_constant_is_rejected_where_its_keys_were_recorded() {
    let bench = Bench::new();
    let spec = bench.file("Map.tla", MAP);
    let put = "{\"thread\":0,\"start\":0,\"end\":9,\"op\":\"Put\",\"k\":1,\"v\":7}\n";
    let lost = bench
        .file("lost.jsonl", &format!("{put}{{\"thread\":1,\"start\":10,\"end\":19,\"op\":\"Get\",\"k\":1,\"v\":0}}\n"));
    let full = bench.file(
        "full.jsonl",
        &format!(
            "{put}{{\"thread\":1,\"start\":10,\"end\":19,\"op\":\"Get\",\"k\":2,\"v\":0}}\n\
             {{\"thread\":1,\"start\":20,\"end\":29,\"op\":\"Full\"}}\n"
        ),
    );
    for _ in 0..2 {
        let (code, text) = bench.check(&[&spec, &lost]);
        assert_eq!(code, 1, "{text}");
        assert!(text.contains("`store[k] = v` is FALSE"), "{text}");
    }
    let (code, text) = bench.check(&[&spec, &full]);
    assert_eq!(code, 3, "{text}");
    assert!(text.contains("other elements may make a difference at") && text.contains("Map.tla:9"), "{text}");
    let put = bench.file("put.jsonl", put);
    for (invariant, expected) in [("Low", 1), ("AllLow", 3)] {
        bench.file("Map.cfg", &format!("INIT Init\nNEXT Next\nINVARIANT {invariant}\n"));
        let (code, text) = bench.check(&[&spec, &put, "--invariants"]);
        assert_eq!(code, expected, "{invariant}: {text}");
    }
}

/// `Y` can only be begun, and then does not end; `Z` could end.
const PAIRS: &str = "---- MODULE Pairs ----
EXTENDS Naturals
VARIABLE v
Init == v = 0
Y_Step == v = 0 /\\ v' = 1
Y_Done == v = 9 /\\ UNCHANGED v
Z_Step == v = 5 /\\ v' = 6
Z_Done == v = 1 /\\ UNCHANGED v
Read(x) == x = v /\\ UNCHANGED v
Next == Y_Step \\/ Y_Done \\/ Z_Step \\/ Z_Done \\/ (\\E x \\in Nat : Read(x))
====
";

#[test]
fn a_call_that_was_begun_as_one_action_is_not_explained_by_another() {
    let bench = Bench::new();
    let spec = bench.file("Pairs.tla", PAIRS);
    let trace = bench.file(
        "begun.jsonl",
        "{\"thread\":0,\"start\":0,\"end\":50,\"ops\":[\"Y\",\"Z\"]}\n\
         {\"thread\":1,\"start\":10,\"end\":20,\"op\":\"Read\",\"x\":1}\n",
    );
    let (code, text) = bench.check(&[&spec, &trace]);
    assert_eq!(code, 1, "{text}");
    assert!(!text.contains("constraints"), "there are none: {text}");
    assert!(text.contains("`v = 9` is FALSE"), "{text}");
    assert!(!text.contains("Z_Done") && !text.contains("v = 5"), "it was begun as Y: {text}");
    assert!(text.contains("(an inner step)  v = 1"), "the first step's change is told: {text}");
    let (code, json) = bench.check(&[&spec, &trace, "--shrink", "--json"]);
    assert_eq!(code, 1, "{json}");
    let report: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    let blocked = &report["core"]["blocked"];
    let says: Vec<&str> = blocked["reasons"].as_array().unwrap().iter().filter_map(|it| it["says"].as_str()).collect();
    assert!(says.iter().any(|says| says.contains("v = 9")), "{blocked:#}");
    assert!(!says.iter().any(|says| says.contains("v = 5")), "it was begun as Y: {blocked:#}");
}

#[test]
fn witnesses_have_the_calls_that_took_no_effect() {
    let bench = Bench::new();
    let (spec, witness) = (bench.file("Elems.tla", QUEUE), bench.path("witness.json"));
    let trace = bench.file(
        "pending.jsonl",
        "{\"thread\":0,\"start\":0,\"end\":9,\"op\":\"Enqueue\",\"e\":1}\n\
         {\"thread\":1,\"start\":5,\"end\":null,\"op\":\"Dequeue\",\"e\":null}\n\
         {\"thread\":2,\"start\":5,\"end\":8,\"op\":\"Enqueue\",\"e\":2,\"outcome\":\"indeterminate\"}\n",
    );
    let args = [&*spec, &*trace, "--const", "Elems = {1, 2}", "--witness", witness.to_str().unwrap()];
    assert_eq!(bench.code(&args), 0);
    let document: Value = serde_json::from_str(&fs::read_to_string(witness).unwrap()).unwrap();
    let mut lanes: Vec<_> = document["steps"].as_array().unwrap().iter().map(|step| step["lane"].as_u64()).collect();
    lanes.sort_unstable();
    assert_eq!(lanes, [Some(0), Some(1), Some(2)], "{document:#}");
    let nothing = document["steps"].as_array().unwrap().iter().filter(|step| step["became"] == "nothing").count();
    assert!(nothing >= 1, "{document:#}");
}

/// Calls that may not have happened and could only have read are in witnesses where they may have been.
#[test]
fn witnesses_have_the_reads_that_nobody_saw() {
    let bench = Bench::new();
    let (spec, witness) = (bench.file("Map.tla", MAP), bench.path("witness.json"));
    let trace = bench.file(
        "reads.jsonl",
        "{\"thread\":0,\"start\":0,\"end\":9,\"op\":\"Put\",\"k\":1,\"v\":1}\n\
         {\"thread\":1,\"start\":5,\"end\":8,\"op\":\"Get\",\"k\":1,\"v\":null,\"outcome\":\"indeterminate\"}\n\
         {\"thread\":1,\"start\":20,\"end\":29,\"op\":\"Put\",\"k\":1,\"v\":2}\n\
         {\"thread\":1,\"start\":30,\"end\":null,\"op\":\"Get\",\"k\":1,\"v\":null}\n",
    );
    assert_eq!(bench.code(&[&*spec, &*trace, "--const", "Keys = {1}", "--witness", witness.to_str().unwrap()]), 0);
    let document: Value = serde_json::from_str(&fs::read_to_string(witness).unwrap()).unwrap();
    let steps = document["steps"].as_array().unwrap().iter();
    let steps: Vec<_> = steps.map(|step| (step["lane"].as_u64(), step["index"].as_u64(), &step["became"])).collect();
    let at = |lane, index| steps.iter().position(|step| (step.0, step.1) == (Some(lane), Some(index))).unwrap();
    assert_eq!(steps.len(), 4, "{document:#}");
    assert!(at(1, 0) < at(1, 1) && at(1, 1) < at(1, 2), "{document:#}");
    assert!([at(1, 0), at(1, 2)].iter().all(|at| steps[*at].2 == "nothing"), "{document:#}");
    let last = document["steps"].as_array().unwrap().last().unwrap();
    assert_eq!(last["state"]["store"], document["steps"][at(1, 1)]["state"]["store"], "{document:#}");
}

#[test]
fn a_witness_can_be_read_by_people() {
    let bench = Bench::new();
    let (spec, witness) = (bench.file("Map.tla", MAP), bench.path("order.txt"));
    let trace = bench.file(
        "read.jsonl",
        "{\"thread\":0,\"start\":0,\"end\":9,\"op\":\"Put\",\"k\":1,\"v\":7}\n\
         {\"thread\":0,\"start\":10,\"end\":19,\"op\":\"Get\",\"k\":1,\"v\":7}\n\
         {\"thread\":1,\"start\":12,\"end\":null,\"op\":\"Get\",\"k\":1,\"v\":null}\n",
    );
    assert_eq!(bench.code(&[&*spec, &*trace, "--const", "Keys = {1}", "--witness", witness.to_str().unwrap()]), 0);
    let text = fs::read_to_string(witness).unwrap();
    let step = |call: &str| text.lines().find(|line| line.contains(call)).unwrap_or_else(|| panic!("{text}"));
    assert!(text.starts_with("initial state\n") && text.contains("/\\ last = 0\n"), "{text}");
    assert!(step("Put(1, 7)").contains("last = 1") && step("Put(1, 7)").contains("store = "), "{text}");
    assert!(step("Get(1, 7)").trim_end().ends_with("Get(1, 7)"), "it changes nothing: {text}");
    assert!(step("Get(1, ?v)").ends_with("(took no effect)"), "{text}");
}

/// Calls that never ended and can only have read are shown where a search got stuck, and in the counterexample's lanes.
#[test]
fn a_rejection_shows_the_reads_that_never_ended() {
    let bench = Bench::new();
    let (spec, file) = (bench.file("Map.tla", MAP), bench.path("why.omni"));
    let trace = bench.file(
        "reads.jsonl",
        "{\"thread\":0,\"start\":0,\"end\":9,\"op\":\"Put\",\"k\":1,\"v\":7}\n\
         {\"thread\":0,\"start\":10,\"end\":19,\"op\":\"Get\",\"k\":1,\"v\":8}\n\
         {\"thread\":0,\"start\":20,\"end\":null,\"op\":\"Get\",\"k\":1,\"v\":null}\n\
         {\"thread\":1,\"start\":5,\"end\":null,\"op\":\"Get\",\"k\":1,\"v\":null}\n",
    );
    let args = [&*spec, &*trace, "--const", "Keys = {1}", "--counterexample", file.to_str().unwrap()];
    let (code, text) = bench.check(&args);
    assert_eq!(code, 1, "{text}");
    let (_, shown) = text.split_once("these can only have read, and need not have happened").expect("they are shown");
    assert!(shown.contains("1:0") && !shown.contains("0:2"), "the second comes after what cannot happen: {text}");
    let document: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let lane = |at: usize| document["window"][at]["unseen"].as_array().map_or(0, Vec::len);
    assert_eq!((lane(0), lane(1)), (1, 1), "{document}");
    let lanes = &document["report"]["stuck"]["groups"][0]["example"]["lanes"];
    assert_eq!(lanes[1]["unseen"][0]["call"], "Get(1, ?v)", "{lanes}");
}

/// A constant is noted as far as it matters.
#[test]
fn an_acceptance_lists_only_the_uses_of_an_inferred_constant_that_matter() {
    let bench = Bench::new();
    let spec = bench.file("Map.tla", MAP);
    let put = "{\"thread\":0,\"start\":0,\"end\":9,\"op\":\"Put\",\"k\":1,\"v\":7}\n";
    let full = format!("{put}{{\"thread\":1,\"start\":10,\"end\":19,\"op\":\"Full\"}}\n");
    let (put, full) = (bench.file("put.jsonl", put), bench.file("full.jsonl", &full));
    let (code, text) = bench.check(&[&spec, &put]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("inferred from the trace: Keys = {1}") && !text.contains("a difference"), "{text}");
    let (code, text) = bench.check(&[&spec, &full]);
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("Keys = {1}; other elements may make a difference at") && text.contains("Map.tla:9"),
        "{text}"
    );
    bench.file("Map.cfg", "INIT Init\nNEXT Next\nINVARIANT AllHigh\n");
    let spec =
        bench.file("Map.tla", &MAP.replace("====", "AllHigh == last = 0 \\/ \\A k \\in Keys : store[k] > 5\n===="));
    let (code, text) = bench.check(&[&spec, &put, "--invariants"]);
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("the invariants were evaluated with Keys = {1}; other elements may make a difference at"),
        "{text}"
    );
}
