//! What a check means, sentence by sentence: small traces as JSON lines, and their verdicts, in `tests/semantics`.
//!
//! A case begins with `# ` and what it says, then names the specification with settings, gives the trace and ends in
//! `=> ` and the verdict; an error with words that it has in it, a rejection with its smaller reason if `shrink` is set.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use omnilink_check::check::{self, Verdict, check};
use omnilink_check::error::CheckError;
use omnilink_check::prepare::prepare;
use omnilink_check::rules::Rules;
use omnilink_check::search::{Control, Limits};
use omnilink_check::shrink::{Core, shrink};
use omnilink_check::subject;
use omnilink_check::tlc::{self, Tlc};
use omnilink_tla::{Options, with_stack};
use omnilink_trace::Trace;

/// A case.
#[derive(Default)]
struct Case {
    says: String,
    spec: PathBuf,
    options: Options,
    rules: Rules,
    limits: Limits,
    check: check::Options,
    shrink: bool,
    trace: String,
    verdict: String,
}

#[test]
fn verdicts_are_as_documented() {
    compare(None, |case| case.limits.clone(), &is_as_documented);
}

#[test]
fn verdicts_are_the_same_for_who_looks_ahead() {
    compare(None, |case| Limits { reduce_after: 0, explored_dead_ends: 0, ..case.limits.clone() }, &is_as_documented);
}

fn is_as_documented(case: &Case, verdict: &str) -> bool {
    match case.verdict.strip_prefix("error ") {
        Some(words) => verdict.contains(words),
        None => verdict == case.verdict,
    }
}

/// TLC stops at what it cannot evaluate, whatever other orders there are, and knows no limit but time. Where we give no verdict,
/// it gives the one that we give without limits, or none.
#[test]
#[ignore = "needs Java and takes minutes: scripts/tlc-engine.sh"]
fn tlc_gives_the_same_verdicts() {
    let tlc = Tlc::find(None).unwrap_or_else(|error| panic!("{error}"));
    // What has no verdict even without limits may take TLC forever. The others end, however slow the machine is.
    let in_time = |case: &Case| {
        let seconds = if expected_of_tlc(case) == "unknown" { 20 } else { 3600 };
        Limits { timeout: Some(Duration::from_secs(seconds)), ..case.limits.clone() }
    };
    compare(Some(&tlc), in_time, &|case, verdict| {
        let expected = expected_of_tlc(case);
        match expected.split_once(' ').unwrap_or((&expected, "")) {
            ("error", "failed") => cannot_evaluate(verdict),
            ("error", words) => verdict.contains(words),
            (expected, _) => verdict == expected.trim_end_matches(':') || cannot_evaluate(verdict),
        }
    });
}

/// The verdict of the case; if that is none, the one that we give without its limits.
fn expected_of_tlc(case: &Case) -> String {
    if case.verdict == "unknown" { answer(case, Limits::default(), None) } else { case.verdict.clone() }
}

fn cannot_evaluate(verdict: &str) -> bool {
    ["Attempted to ", "non-enumerable"].iter().any(|words| verdict.starts_with("TLC: ") && verdict.contains(words))
}

/// Compares all cases as an engine answers them, with other limits than theirs.
fn compare(tlc: Option<&Tlc>, limits: fn(&Case) -> Limits, agrees: &dyn Fn(&Case, &str) -> bool) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for file in std::fs::read_dir(tests().join("semantics")).expect("the cases are there") {
        let path = file.expect("a file").path();
        for case in cases(&std::fs::read_to_string(&path).expect("it can be read")) {
            count += 1;
            let verdict = answer(&case, limits(&case), tlc);
            if !agrees(&case, &verdict) {
                wrong.push(format!("{}: {}\n  {verdict}\n  not {}", path.display(), case.says, case.verdict));
            }
        }
    }
    assert!(count > 60, "only {count} cases were found");
    assert!(wrong.is_empty(), "{} of {count} cases are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut case = Case::default();
    for line in text.lines() {
        if let Some(says) = line.strip_prefix("# ") {
            case.says = says.to_owned();
        } else if let Some(verdict) = line.strip_prefix("=> ") {
            case.verdict = verdict.to_owned();
            cases.push(std::mem::take(&mut case));
        } else if line.starts_with('{') {
            case.trace += &format!("{line}\n");
        } else if let Some((spec, settings)) = line.split_once(' ').or((!line.is_empty()).then_some((line, ""))) {
            case.spec = tests().join("specs").join(spec).with_extension("tla");
            case.options.config = Options::config_beside(&case.spec);
            settings.split_whitespace().for_each(|setting| case.set(setting));
        }
    }
    cases
}

impl Case {
    fn set(&mut self, setting: &str) {
        let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
        let given = || Some(value.to_owned());
        match name {
            "cfg" => self.options.config = Some(tests().join("specs").join(value)),
            "no-cfg" => self.options.config = None,
            "const" => self.options.constants.push(value.replace(":", "=")),
            "next" => self.options.next = given(),
            "on-abort" => self.rules.on_abort = given(),
            "on-terminate" => self.rules.on_terminate = given(),
            "also" => {
                let (action, operator) = value.split_once(':').expect("an action and an operator");
                self.rules.also.insert(action.to_owned(), operator.to_owned());
            }
            "actions-only" => self.rules.actions_only = true,
            "honour-constraints" => self.check.honour_constraints = true,
            "shrink" => self.shrink = true,
            "inner-steps" => self.limits.inner_steps = value.parse().expect("a number"),
            "configurations" => self.limits.configurations = Some(value.parse().expect("a number")),
            other => panic!("no setting is called {other}"),
        }
    }
}

/// The verdict or the error as text.
fn answer(case: &Case, limits: Limits, tlc: Option<&Tlc>) -> String {
    let verdict = with_stack(1 << 26, || verdict(case, limits, tlc)).expect("a thread");
    verdict.unwrap_or_else(|error| error.to_string())
}

fn verdict(case: &Case, limits: Limits, tlc: Option<&Tlc>) -> Result<String, CheckError> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("trace.jsonl");
    std::fs::write(&path, &case.trace).expect("the trace can be written");
    let trace = Trace::open(&path)?;
    let subject::Subject { spec, inferred } = subject::load(&case.spec, &case.options, &case.rules, &trace)?;
    let prepared = prepare(&spec, &trace, &case.rules)?;
    let interrupt = AtomicBool::new(false);
    let mut control = Control { interrupt: &interrupt, progress: &mut |_| {}, limits, began: Instant::now() };
    let checked = match tlc {
        None => check(&spec, &prepared, &case.check, &mut control)?,
        Some(tlc) => tlc::check(tlc, &spec, case.options.config.as_deref(), &prepared, &case.check, &mut control)?,
    };
    let checked = checked.depending_on(&inferred, &spec, &prepared.history, case.check.honour_constraints);
    Ok(match checked.verdict {
        Verdict::Accepted(_) => "accepted".to_owned(),
        Verdict::Rejected(stuck) if case.shrink && tlc.is_none() => {
            let core = shrink(&spec, &prepared, &case.check, &stuck, &mut control)?;
            format!("rejected: {}", core.map_or(None, |core| core).map_or("no reason".to_owned(), |core| reason(&core)))
        }
        Verdict::Rejected(_) => "rejected".to_owned(),
        Verdict::Failed { error, .. } => format!("failed: {error}"),
        Verdict::Unknown { .. } => "unknown".to_owned(),
    })
}

/// A smaller reason in a line: what cannot all have happened, and where all that comes before it leads to.
fn reason(core: &Core) -> String {
    let needed: Vec<_> = core.needed.iter().map(|event| format!("{}:{}", event.lane, event.at)).collect();
    let mut states: Vec<_> = core.states.iter().map(|state| format!("{state:?}").replace('"', "")).collect();
    states.sort();
    format!("{} after {} changing calls, {}", needed.join(" "), core.changing, states.join(" "))
}
