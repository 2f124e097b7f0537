//! Verdicts on specifications that read what is outside of their files: they are used again only while that is the same.

mod support;

use std::fs;

use support::bench::Bench;
use support::{omnilink, queue_demo, stdout_of};

/// A counter that may count to a limit from outside.
fn counter(limit: &str) -> String {
    format!(
        "---- MODULE Counter ----\nEXTENDS Naturals, TLC, Json, IOUtils\nCONSTANT Given\nVARIABLE count\n\
         Limit == {limit}\nInit == count = 0\nAdd == count < Limit /\\ count' = count + 1\nNext == Add\n\
         Small == count < Limit\n====\n"
    )
}

const ADDED: &str =
    "{\"thread\":0,\"start\":1,\"end\":2,\"op\":\"Add\"}\n{\"thread\":0,\"start\":3,\"end\":4,\"op\":\"Add\"}\n";

struct Reader {
    bench: Bench,
    spec: String,
    trace: String,
}

impl Reader {
    fn new(limit: impl Fn(&str) -> String) -> Self {
        let bench = Bench::new();
        let data = bench.path("limit.json").display().to_string();
        let spec = bench.file("Counter.tla", &counter(&limit(&data)));
        let trace = bench.file("added.jsonl", ADDED);
        Self { bench, spec, trace }
    }

    /// The exit code, and whether the verdict came from the cache.
    fn check(&self, limit: &str, args: &[&str]) -> (i32, bool) {
        let output = omnilink([&["check", &self.spec, &self.trace], args].concat())
            .env("XDG_CACHE_HOME", self.bench.path("cache"))
            .env("COUNTER_LIMIT", limit)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.code().unwrap(), text.contains("cached"))
    }
}

/// The verdict is asked for twice each time, and what is read changes in between.
fn follows_what_is_read(reader: &Reader, args: &[&str], content: impl Fn(u32) -> String) {
    for (limit, code) in [(2, 0), (1, 1), (3, 0)] {
        reader.bench.file("limit.json", &content(limit));
        let limit = limit.to_string();
        assert_eq!(reader.check(&limit, args), (code, false), "the limit has become {limit}");
        assert_eq!(reader.check(&limit, args), (code, true), "the limit is {limit} still");
    }
}

#[test]
fn a_file_that_changes_is_read_again() {
    let whole = Reader::new(|data| format!("JsonDeserialize(\"{data}\").limit"));
    follows_what_is_read(&whole, &["--const", "Given = 0"], |limit| format!("{{\"limit\": {limit}}}"));
    let lines = Reader::new(|data| format!("ndJsonDeserialize(\"{data}\")[2]"));
    follows_what_is_read(&lines, &["--const", "Given = 0"], |limit| format!("0\n{limit}\n"));
}

#[test]
fn the_environment_counts() {
    let reader = Reader::new(|_| "atoi(IOEnv.COUNTER_LIMIT)".to_owned());
    follows_what_is_read(&reader, &["--const", "Given = 0"], |_| String::new());
}

#[test]
fn what_constants_read_counts() {
    let reader = Reader::new(|_| "Given".to_owned());
    let given = format!("Given = JsonDeserialize(\"{}\")", reader.bench.path("limit.json").display());
    follows_what_is_read(&reader, &["--const", &given], |limit| limit.to_string());
    // Through a configuration.
    let reader = Reader::new(|data| format!("JsonDeserialize(\"{data}\")"));
    reader.bench.file("Counter.cfg", "INIT Init\nNEXT Next\nCONSTANT Given <- Limit\n");
    follows_what_is_read(&reader, &[], |limit| limit.to_string());
}

#[test]
fn what_invariants_read_counts() {
    let reader = Reader::new(|data| format!("IF count > 9 THEN 0 ELSE JsonDeserialize(\"{data}\")"));
    reader.bench.file("Counter.cfg", "INIT Init\nNEXT Next\nCONSTANT Given = 0\nINVARIANT Small\n");
    for (limit, code) in [(3, 0), (2, 1)] {
        reader.bench.file("limit.json", &limit.to_string());
        assert_eq!(reader.check("", &["--invariants"]), (code, false));
        assert_eq!(reader.check("", &["--invariants"]), (code, true));
    }
}

#[test]
fn what_cannot_be_told_later_is_not_kept() {
    for limit in [
        "RandomElement({2, 3})",
        "IF JavaTime < 0 THEN 0 ELSE 2",
        "IF TLCSet(1, 2) THEN TLCGet(1) ELSE 0",
        "TLCGetOrDefault(1, 2)",
    ] {
        let reader = Reader::new(|_| limit.to_owned());
        let module = fs::read_to_string(&reader.spec).unwrap();
        // In an action it would be refused.
        let module = module.replace("EXTENDS Naturals", "EXTENDS Naturals, TLCExt").replace("count < Limit /\\ ", "");
        fs::write(&reader.spec, module.replace("Init == count = 0", "Init == count = 0 /\\ Limit > 1")).unwrap();
        for _ in 0..2 {
            assert_eq!(reader.check("", &["--const", "Given = 0"]), (0, false), "{limit}");
        }
    }
    let reader = Reader::new(|data| format!("IF JsonSerialize(\"{data}\", <<1>>) THEN 2 ELSE 0"));
    let module = fs::read_to_string(&reader.spec).unwrap().replace("count < Limit /\\ ", "");
    fs::write(&reader.spec, module.replace("Init == count = 0", "Init == count = 0 /\\ Limit > 1")).unwrap();
    for _ in 0..2 {
        assert_eq!(reader.check("", &["--const", "Given = 0"]), (0, false));
        fs::remove_file(reader.bench.path("limit.json")).expect("it was written, each time");
    }
}

#[test]
fn printing_does_not_count() {
    let reader = Reader::new(|_| "IF PrintT(\"limit\") THEN 2 ELSE 0".to_owned());
    assert_eq!(reader.check("", &["--const", "Given = 0"]), (0, false));
    assert_eq!(reader.check("", &["--const", "Given = 0"]), (0, true));
}

#[test]
fn reports_tell_what_was_read() {
    let reader = Reader::new(|data| format!("JsonDeserialize(\"{data}\")"));
    reader.bench.file("limit.json", "2");
    let (_, text) = reader.bench.check(&[&reader.spec, &reader.trace, "--const", "Given = 0", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["reads"][0]["kind"], "file");
    assert!(report["reads"][0]["path"].as_str().unwrap().ends_with("limit.json"), "{text}");
    // SHA-256 of "2".
    let hash = "d4735e3a265e16eee03f59718b9b5d03019c07d8b6c51f90da3a666eec13ab35";
    assert_eq!(report["reads"][0]["hash"], hash, "{text}");
}

#[test]
fn verdicts_of_a_store_follow_what_is_read() {
    let bench = Bench::new();
    let data = bench.file("extra.json", "0");
    let queue = fs::read_to_string("../examples/queue/Queue.tla").unwrap();
    assert!(queue.contains("elem = Head(queue)"));
    let queue = queue.replace("EXTENDS ", "EXTENDS Json, ");
    let queue = queue.replace("elem = Head(queue)", &format!("elem = Head(queue) + JsonDeserialize(\"{data}\")"));
    let spec = bench.file("Queue.tla", &queue);
    let store = bench.path("runs.db").display().to_string();
    let program = [queue_demo(), "--threads", "2", "--ops", "20"];
    stdout_of([&["record", "--chaos", "--runs", "2", "--seed", "1", "--store", &store, "--"], &program[..]].concat());
    let check = || {
        // The store alone knows: what is in the cache is checked above.
        let output = omnilink(["check", &spec, "--verbose", "--store", &store])
            .env_remove("HOME")
            .env("XDG_CACHE_HOME", "")
            .output();
        let output = output.unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), text.matches("cached").count(), text)
    };
    for (extra, expected) in [("0", 0), ("1", 1), ("0", 0)] {
        fs::write(&data, extra).unwrap();
        let (code, known, text) = check();
        assert_eq!((code, known), (Some(expected), 0), "{text}");
        let (code, known, text) = check();
        assert_eq!((code, known), (Some(expected), 2), "{text}");
    }
}
