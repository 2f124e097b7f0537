//! Questions for TLC and what the real one answered, in `tests/tlc`: comparing with that needs no Java.
//!
//! A case begins with `# ` and its name, then names the specification, gives the trace and ends in `=> ` and the
//! finding: of an order, the lane of each step and what became of its event. `scripts/tlc-engine.sh --write` asks TLC
//! again.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use omnilink_tla::{Options, Spec};
use omnilink_trace::Trace;

use super::answer::{Answer, Finding};
use super::{Export, MODULE, Tlc, run};
use crate::check;
use crate::prepare::{Prepared, prepare};
use crate::rules::Rules;
use crate::search::{Control, Limits, Progress};
use crate::subject;

struct Case {
    name: String,
    spec: PathBuf,
    trace: String,
    finding: String,
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn cases() -> Vec<Case> {
    let text = fs::read_to_string(tests().join("tlc/cases.txt")).expect("the cases are there");
    let case = |text: &str| {
        let (name, rest) = text.split_once('\n').expect("a name");
        let (spec, rest) = rest.split_once('\n').expect("a specification");
        let (trace, finding) = rest.split_once("=> ").expect("a finding");
        let (name, finding) = (name.to_owned(), finding.trim().to_owned());
        Case { name, spec: tests().join(spec), trace: trace.to_owned(), finding }
    };
    text.split("# ").skip(1).map(case).collect()
}

impl Case {
    /// The specification, its configuration, and the history.
    fn load(&self) -> (Spec, Option<PathBuf>, Prepared) {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("trace.jsonl");
        fs::write(&path, &self.trace).expect("the trace can be written");
        let trace = Trace::open(&path).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let config = Options::config_beside(&self.spec);
        // `Ledger.never.tla` is Ledger with the configuration of that name.
        let name = self.spec.file_name().and_then(|name| name.to_str()).and_then(|name| name.split('.').next());
        let module = self.spec.with_file_name(name.expect("a name")).with_extension("tla");
        let options = Options { config: config.clone(), ..Options::default() };
        let spec = subject::load(&module, &options, &Rules::default(), &trace);
        let spec = spec.unwrap_or_else(|error| panic!("{}: {error}", self.name)).spec;
        let prepared =
            prepare(&spec, &trace, &Rules::default()).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        (spec, config, prepared)
    }

    fn export(&self) -> Export {
        let (spec, config, prepared) = self.load();
        let export = Export::new(&spec, config.as_deref(), &prepared, &check::Options::default());
        export.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    fn recorded(&self) -> PathBuf {
        tests().join("tlc").join(self.name.replace(' ', "-")).with_extension("out")
    }
}

/// A finding in a line.
fn told(answer: &Answer) -> String {
    match &answer.finding {
        Finding::Order(moves) => {
            let mut text = "order".to_owned();
            moves.iter().for_each(|moved| {
                let _ = write!(text, " {}:{:?}", moved.lane, moved.became);
            });
            text
        }
        Finding::NoOrder => format!("no order, {} states", answer.states),
        Finding::OutOfMemory => "out of memory".to_owned(),
        Finding::Failed(words) => format!("failed: {}", words.lines().next().unwrap_or_default()),
    }
}

#[test]
fn answers_are_understood() {
    for case in cases() {
        let said = fs::read_to_string(case.recorded()).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let answer = Answer::read(&said).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        assert_eq!(told(&answer), case.finding, "{}", case.name);
    }
}

#[test]
fn what_is_no_answer_is_an_error() {
    for said in
        ["", "Error: Unable to access jarfile tla2tools.jar\n", "@!@!@STARTMSG 2217:4 @!@!@\n1: <Init>\nx = 1\n"]
    {
        assert!(Answer::read(said).is_err(), "{said}");
    }
}

#[test]
fn modules() {
    for case in cases() {
        let mut text = String::new();
        for (name, content) in case.export().files.iter().filter(|(name, _)| is_generated(name)) {
            let _ = write!(text, "{name}:\n{content}\n");
        }
        insta::assert_snapshot!(case.name.replace(' ', "_"), text);
    }
}

#[test]
fn a_disjunct_that_cannot_be_written_is_named() {
    let spec = tests().join("tlc/Instance.tla");
    let trace = "{\"thread\":0,\"start\":0,\"end\":1,\"op\":\"Say\",\"what\":1,\"size\":1}\n".to_owned();
    let case = Case { name: "an instance".to_owned(), spec, trace, finding: String::new() };
    let (spec, config, prepared) = case.load();
    let error = Export::new(&spec, config.as_deref(), &prepared, &check::Options::default()).unwrap_err().to_string();
    assert!(error.contains("that call `Say`") && error.contains("0 of 1"), "{error}");
}

fn is_generated(name: &str) -> bool {
    [MODULE, "OmniLinkHistory", "OmniLinkIn"].iter().any(|prefix| name.starts_with(prefix))
}

/// Asks the real TLC; with `OMNILINK_WRITE_TABLES` keeps what it said.
#[test]
#[ignore = "needs Java: scripts/tlc-engine.sh"]
fn tlc_answers_as_recorded() {
    let tlc = Tlc::find(None).unwrap_or_else(|error| panic!("{error}"));
    let mut otherwise = Vec::new();
    for case in cases() {
        let interrupt = AtomicBool::new(false);
        let limits = Limits::default();
        let mut control = Control { interrupt: &interrupt, progress: &mut |_| {}, limits, began: Instant::now() };
        let said = run::ask(&tlc, &case.export(), &mut Progress::default(), &mut control)
            .expect("TLC runs")
            .expect("nobody stops it");
        if std::env::var_os("OMNILINK_WRITE_TABLES").is_some() {
            fs::write(case.recorded(), essence(&said)).expect("the answer can be written");
        }
        let answer = Answer::read(&said).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        println!("{}: {}", case.name, told(&answer));
        if told(&answer) != case.finding {
            otherwise.push(case.name);
        }
    }
    assert!(otherwise.is_empty(), "answered otherwise: {}", otherwise.join(", "));
}

/// What TLC said, without what differs from run to run: paths, times, and the probability that it is wrong.
fn essence(said: &str) -> String {
    let mut kept = String::new();
    let mut lines = said.lines();
    while let Some(line) = lines.next() {
        let Some(head) = line.strip_prefix("@!@!@STARTMSG ") else {
            if !line.contains('/') {
                kept += &format!("{line}\n");
            }
            continue;
        };
        let code = head.split(':').next().unwrap_or_default();
        let end = format!("@!@!@ENDMSG {code} @!@!@");
        let body: Vec<_> = lines.by_ref().take_while(|line| *line != end).collect();
        let is_error = head.contains(":1 ");
        if is_error || ["2193", "2199", "2217"].contains(&code) {
            let lasting = if code == "2193" { &body[..1] } else { &body[..] };
            kept += &format!("{line}\n{}\n{end}\n", lasting.join("\n"));
        }
    }
    kept
}
