//! The real TLC as an oracle: run it on a specification with its configuration, or on a list of constant expressions,
//! and read what it says.
//!
//! TLC runs with one worker, so that every number it reports is the same each time, and in its tool mode, where each
//! message is framed by its code and severity:
//!
//! ```text
//! @!@!@STARTMSG 2110:1 @!@!@
//! Invariant Small is violated.
//! @!@!@ENDMSG 2110 @!@!@
//! ```
//!
//! Lines outside of frames are what the specification printed (and, before the checker starts, the parser's talk).

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The codes of the messages that are read; all others are progress and statistics.
mod code {
    /// SANY is done; from here on, unframed lines are the specification's own.
    pub const PARSED: u32 = 2219;
    pub const SUCCESS: u32 = 2193;
    pub const COUNTS: u32 = 2199;
    pub const DEPTH: u32 = 2194;
    pub const ASSUMPTION_FALSE: u32 = 2104;
    pub const INVARIANT_VIOLATED_INITIALLY: u32 = 2107;
    pub const INVARIANT_VIOLATED: u32 = 2110;
    pub const PROPERTY_VIOLATED_INITIALLY: u32 = 2108;
    pub const ACTION_PROPERTY_VIOLATED: u32 = 2112;
    pub const DEADLOCK: u32 = 2114;
    /// Introduces a trace: class "error", though the error came before.
    pub const TRACE_FOLLOWS: u32 = 2121;
}

/// How TLC's run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything that the configuration asks for holds.
    Ok,
    /// This invariant is violated: an `INVARIANT`, or what a `PROPERTY` says of all states.
    Invariant(String),
    /// What a `PROPERTY` says of initial states is violated.
    InitialProperty,
    /// What a `PROPERTY` says of steps is violated.
    StepProperty,
    /// A state has no successor.
    Deadlock,
    /// An `ASSUME` is false.
    Assumption,
    /// The specification could not be parsed or evaluated; TLC's words.
    Error(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Ok => write!(f, "ok"),
            Verdict::Invariant(name) => write!(f, "invariant {name}"),
            Verdict::InitialProperty => write!(f, "initial property"),
            Verdict::StepProperty => write!(f, "step property"),
            Verdict::Deadlock => write!(f, "deadlock"),
            Verdict::Assumption => write!(f, "assumption"),
            Verdict::Error(words) => write!(f, "error: {words}"),
        }
    }
}

/// What TLC said about one specification. The numbers are absent when TLC stopped before exploring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How many states were generated, counted with multiplicity, initial states included.
    pub generated: Option<u64>,
    /// How many of them differ.
    pub distinct: Option<u64>,
    /// The number of states on the longest of all shortest paths.
    pub depth: Option<u64>,
    /// How the run ended.
    pub verdict: Verdict,
    /// What the specification printed, line by line.
    pub printed: Vec<String>,
}

/// An installed TLC.
pub struct Tlc {
    jar: PathBuf,
}

impl Tlc {
    /// Finds TLC, or fetches it, with `scripts/tlc.sh`.
    pub fn fetch() -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/tlc.sh");
        let output = Command::new("bash").arg(&script).output().expect("bash runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{} failed:\n{errors}", script.display());
        Tlc { jar: PathBuf::from(String::from_utf8(output.stdout).expect("the path is UTF-8").trim_end()) }
    }

    /// Model-checks `spec` with `cfg`, with or without looking for deadlocks.
    pub fn check(&self, spec: &Path, cfg: &Path, deadlock: bool) -> Report {
        let scratch = tempfile::tempdir().expect("a temporary directory");
        // TLC wants the module's name and looks for files in the current directory, so run there.
        let directory = spec.parent().expect("a specification is a file in a directory");
        let mut java = Command::new("java");
        // Several TLC processes write the standard modules to java.io.tmpdir; with one for all they race.
        java.arg(format!("-Djava.io.tmpdir={}", scratch.path().display()));
        java.args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss64m", "-cp"]).arg(&self.jar);
        java.args(["tlc2.TLC", "-tool", "-workers", "1", "-metadir"]).arg(scratch.path());
        if !deadlock {
            java.arg("-deadlock");
        }
        java.arg("-config").arg(cfg).arg(spec.file_name().expect("a specification has a name"));
        let output = java.current_dir(directory).output().expect("java runs");
        read_report(&String::from_utf8_lossy(&output.stdout))
    }

    /// Evaluates constant expressions over the standard modules: for each, the value as TLC prints it or the error.
    ///
    /// TLC stops at the first error, so the rest of a batch starts again behind it: cheap as long as errors are rare.
    pub fn evaluate(&self, expressions: &[String]) -> Vec<Result<String, String>> {
        let mut results = Vec::with_capacity(expressions.len());
        while results.len() < expressions.len() {
            let end = expressions.len().min(results.len() + BATCH);
            results.extend(self.evaluate_up_to_error(&expressions[results.len()..end]));
        }
        results
    }

    /// The values of a non-empty prefix of `expressions`: all of them, or up to and including the first error.
    fn evaluate_up_to_error(&self, expressions: &[String]) -> Vec<Result<String, String>> {
        let scratch = tempfile::tempdir().expect("a temporary directory");
        let module = scratch.path().join("Batch.tla");
        let cfg = scratch.path().join("Batch.cfg");
        std::fs::write(&module, batch_module(expressions)).expect("the module can be written");
        std::fs::write(&cfg, "").expect("the configuration can be written");
        let report = self.check(&module, &cfg, false);

        let mut results: Vec<Result<String, String>> = Vec::new();
        for line in &report.printed {
            if *line == marker(results.len()) {
                results.push(Ok(String::new()));
            } else if let Some(Ok(value)) = results.last_mut() {
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(line.trim());
            }
        }
        match report.verdict {
            Verdict::Ok => {
                assert_eq!(results.len(), expressions.len(), "TLC skipped expressions: {:?}", report.printed)
            }
            verdict => {
                let last = results.last_mut().unwrap_or_else(|| panic!("not a batch of expressions: {verdict}"));
                let words = verdict.to_string();
                // "Evaluating assumption line 3, col 8 to … failed." is about the batch, not about the expression.
                *last = Err(words.split_once(" failed. ").map_or(words.clone(), |(_, error)| error.to_owned()));
            }
        }
        results
    }
}

/// How many expressions one TLC process evaluates.
const BATCH: usize = 500;

/// A module that prints, for each expression, its marker and its value (which may take several lines).
fn batch_module(expressions: &[String]) -> String {
    let mut module = String::from("---- MODULE Batch ----\nEXTENDS Integers, Sequences, FiniteSets, Bags, TLC\n");
    for (index, expression) in expressions.iter().enumerate() {
        module += &format!("ASSUME PrintT({}) /\\ PrintT({expression})\n", marker(index));
    }
    module + "====\n"
}

/// What is printed before the value of an expression; no expression has such a string as its value.
fn marker(index: usize) -> String {
    format!("\"#{index}\"")
}

/// Reads the output of TLC's tool mode.
fn read_report(output: &str) -> Report {
    let mut report = Report { generated: None, distinct: None, depth: None, verdict: Verdict::Ok, printed: Vec::new() };
    let mut verdicts = Vec::new();
    let mut parsed = false;
    let mut parser_talk = Vec::new();
    let mut lines = output.lines();
    while let Some(line) = lines.next() {
        let Some((code, severity)) = message_start(line) else {
            if parsed { &mut report.printed } else { &mut parser_talk }.push(line.to_owned());
            continue;
        };
        let end = format!("@!@!@ENDMSG {code} @!@!@");
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != end).collect();
        let body = body.join("\n");
        match code {
            code::PARSED => parsed = true,
            code::COUNTS => {
                let mut numbers = numbers(&body);
                report.generated = numbers.next();
                report.distinct = numbers.next();
            }
            code::DEPTH => report.depth = numbers(&body).next(),
            code::SUCCESS => verdicts.push(Verdict::Ok),
            code::TRACE_FOLLOWS => {}
            _ if severity == ERROR => verdicts.push(verdict(code, &body)),
            _ => {}
        }
    }
    report.verdict = verdicts.into_iter().next().unwrap_or(Verdict::Error("TLC stopped without a word".to_owned()));
    if let Verdict::Error(words) = &mut report.verdict
        && words.starts_with("Parsing or semantic analysis failed")
    {
        parser_talk.retain(|line| !line.starts_with("Parsing file") && !line.starts_with("Semantic processing"));
        *words = one_line(&parser_talk.join("\n"));
    }
    report
}

/// The severity of errors, of which the first one is the verdict.
const ERROR: u32 = 1;

fn verdict(code: u32, body: &str) -> Verdict {
    match code {
        code::ASSUMPTION_FALSE => Verdict::Assumption,
        code::DEADLOCK => Verdict::Deadlock,
        code::PROPERTY_VIOLATED_INITIALLY => Verdict::InitialProperty,
        code::ACTION_PROPERTY_VIOLATED => Verdict::StepProperty,
        // "Invariant Small is violated."
        code::INVARIANT_VIOLATED | code::INVARIANT_VIOLATED_INITIALLY => {
            Verdict::Invariant(body.split_whitespace().nth(1).unwrap_or_default().to_owned())
        }
        _ => Verdict::Error(one_line(body)),
    }
}

/// What `text` says, as one line, without frames inside of it and without the preface of an unexpected exception.
fn one_line(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("@!@!@").next().unwrap_or_default());
    let line = lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    match line.split_once("The exception was a ").and_then(|(_, exception)| exception.split_once(" : ")) {
        Some((_, message)) => message.to_owned(),
        None => line,
    }
}

/// Code and severity, if `line` is the beginning of a message.
fn message_start(line: &str) -> Option<(u32, u32)> {
    let (code, severity) = line.strip_prefix("@!@!@STARTMSG ")?.strip_suffix(" @!@!@")?.split_once(':')?;
    Some((code.parse().ok()?, severity.parse().ok()?))
}

/// The numbers among the words of `text`.
fn numbers(text: &str) -> impl Iterator<Item = u64> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok())
}
