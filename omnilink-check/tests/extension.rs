//! Verdicts by constants that were inferred, held against larger constants: random specifications whose functions and
//! conditions use a constant in many ways, and random calls.
//!
//! Whatever is rejected with the inferred value must not be accepted with a larger one, and whatever is accepted without a
//! warning must not be rejected (something may be impossible to evaluate with the larger one). Which uses of a constant leave a verdict as it is follows from an analysis; this test knows nothing of it
//! and asks the checker again.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use omnilink_check::check::{self, Verdict, check};
use omnilink_check::prepare::prepare;
use omnilink_check::rules::Rules;
use omnilink_check::search::{Control, Limits};
use omnilink_check::subject;
use omnilink_tla::{Options, with_stack};
use omnilink_trace::Trace;

#[path = "../../omnilink-tla/tests/support/random.rs"]
mod random;
use random::Random;

const INIT_F: &[&str] = &[
    "f = [k \\in Keys |-> 0]",
    "f = [k \\in Keys |-> k - 1]",
    "f \\in [Keys -> {0, 1}]",
    "(\\E h \\in [Keys -> {1, 2}] : f = h)",
    "f = [k \\in Keys \\cup {2} |-> 1]",
    "f = [k \\in {1, 2, 3} |-> Cardinality(Keys)]",
    "f = [k \\in {j \\in Keys : j < 4} |-> 0]",
    "f = [k \\in 1..4 |-> IF k \\in Keys THEN 1 ELSE 0]",
];
const INIT_G: &[&str] = &[
    "g = f",
    "g = [k \\in 1..4 |-> 0]",
    "g = [k \\in Keys |-> f[k]]",
    "g \\in [Keys -> {1}]",
    "g = [k \\in DOMAIN f |-> 1]",
];
const INIT_P: &[&str] = &["p = 0", "p = 1", "p \\in {0, 3}", "p = Cardinality(Keys)", "p = Cardinality({f})"];
const INIT_R: &[&str] = &[
    "r = [m |-> f, n |-> 0]",
    "r = [m |-> 1, n |-> 0]",
    "r \\in [m : [Keys -> {0, 2}], n : {0}]",
    "r = [t \\in {\"m\", \"n\"} |-> f]",
];
const GUARDS: &[&str] = &[
    "TRUE",
    "TRUE",
    "f[k] = v",
    "f[k] < 2",
    "f[k] # g[k]",
    "At(f, k) >= v",
    "p = v",
    "p \\in {0, k}",
    "k \\in Keys",
    "g[k] = (LET h == f IN h[k])",
    "(IF p = 0 THEN f ELSE g)[k] = v",
    "(\\A j \\in {k} : f[j] = v)",
    "FoldFunction(+, 0, [j \\in {k} |-> f[j]]) = v",
    "(p = 0 \\/ f[p] = v)",
    // Those that may be different.
    "(\\A j \\in Keys : f[j] = 0)",
    "(\\E j \\in Keys : f[j] > 1)",
    "(\\E j \\in Keys : j # k)",
    "Cardinality(Keys) > 2",
    "(DOMAIN f) = {1, 2}",
    "f = g",
    "f # [j \\in Keys |-> 0]",
    "3 \\in Keys",
    "3 \\notin DOMAIN f",
    "Cardinality({j \\in DOMAIN f : f[j] = 0}) > 1",
    "Whole(f) = v",
    "(CHOOSE j \\in Keys : \\A i \\in Keys : i <= j) = k",
    "~\\E j \\in Keys : j > k",
    "{k} = Keys",
    "p \\in Keys",
    "FoldFunction(+, 0, f) > v",
    "{f[j] : j \\in Keys} = {v}",
    "[m |-> f] = [m |-> g]",
    "<<f, p>> = <<g, p>>",
    "ENABLED (\\E j \\in Keys : f[j] = 0 /\\ p' = 1)",
];
const NEXT_F: &[&str] = &[
    "UNCHANGED f",
    "f' = f",
    "f' = [f EXCEPT ![k] = v]",
    "f' = [f EXCEPT ![k] = @ + 1]",
    "f' = (k :> v) @@ f",
    "f' = [j \\in DOMAIN f |-> IF j = k THEN v ELSE f[j]]",
    "f' = [j \\in Keys |-> f[j]]",
    "f' = f @@ (3 :> v)",
    "f' = f @@ g",
    "f' = g @@ f",
    "f' = [j \\in DOMAIN f \\ {k} |-> f[j]]",
    "f' = [j \\in DOMAIN f \\cap DOMAIN g |-> g[j]]",
    "f' = [f EXCEPT ![p] = v]",
    "f' = [f EXCEPT ![3] = v]",
    "(\\E j \\in Keys : f' = [f EXCEPT ![j] = v])",
    "f' \\in [Keys -> {v}]",
    "f' \\in [DOMAIN f -> {v, 1}]",
    "f' \\in {f, g}",
    "f' = (IF p = 0 THEN f ELSE g)",
    "f' = g",
    "(f' = f /\\ f' = [f EXCEPT ![k] = v])",
    "f' = [j \\in Keys |-> Cardinality({i \\in Keys : i < j})]",
];
const NEXT_G: &[&str] =
    &["UNCHANGED g", "UNCHANGED g", "g' = f", "g' = f'", "g' = [g EXCEPT ![k] = 1 - @]", "g' = [j \\in Keys |-> v]"];
const NEXT_P: &[&str] = &[
    "UNCHANGED p",
    "UNCHANGED p",
    "p' = v",
    "p' = f[k]",
    "p' = f'[k]",
    "p' = k",
    "p' = Cardinality(Keys)",
    "p' = Cardinality(DOMAIN f)",
    "p' = Cardinality({f, g})",
    "p' \\in Keys",
];
const NEXT_R: &[&str] = &[
    "UNCHANGED r",
    "UNCHANGED r",
    "r' = [r EXCEPT !.m = f]",
    "r' = [r EXCEPT !.n = v]",
    "(r.m[k] = v /\\ UNCHANGED r)",
    "r' = [r EXCEPT !.m[k] = v]",
    "(r.n = v /\\ UNCHANGED r)",
    "(r.m = f /\\ UNCHANGED r)",
];

fn spec(random: &mut Random) -> String {
    let mut text =
        "---- MODULE Larger ----\nEXTENDS Naturals, FiniteSets, Functions, TLC\nCONSTANT Keys\nVARIABLES f, g, p, r\n"
            .to_owned();
    text += "At(h, k) == h[k]\nWhole(h) == Cardinality(DOMAIN h)\n";
    let mut pick = |items: &[&str], harmless: usize| {
        // Mostly of the first ones, which may make no difference: one use that makes one is enough.
        let count = if random.chance(80) { harmless.min(items.len()) } else { items.len() };
        format!("({})", random.pick(&items[..count]))
    };
    let init = [pick(INIT_F, 4), pick(INIT_G, 3), pick(INIT_P, 3), pick(INIT_R, 2)];
    let _ = writeln!(text, "Init == {}", init.join(" /\\ "));
    for name in ["A", "B", "C"] {
        let parts =
            [pick(GUARDS, 14), pick(GUARDS, 14), pick(NEXT_F, 7), pick(NEXT_G, 5), pick(NEXT_P, 6), pick(NEXT_R, 6)];
        let _ = writeln!(text, "{name}(k, v) == {}", parts.join(" /\\ "));
    }
    let way = pick(&["TRUE", "TRUE", "f[k] < 2", "(\\A j \\in Keys : f[j] < 2)", "Cardinality(Keys) < 3"], 3);
    let _ = writeln!(text, "Next == \\E k \\in Keys, v \\in 0..2 : {way} /\\ (A(k, v) \\/ B(k, v) \\/ C(k, v))\n====");
    text
}

fn trace(random: &mut Random) -> String {
    let mut text = String::new();
    for at in 0..1 + random.below(4) {
        let (start, op) = (10 * at, random.pick(&["A", "A", "B", "C"]));
        let k = if random.chance(5) { "null".to_owned() } else { (1 + random.below(2)).to_string() };
        let v = random.below(3);
        let (thread, end) = if random.chance(15) { (1 + at, "null".to_owned()) } else { (0, (start + 9).to_string()) };
        let _ = writeln!(text, r#"{{"thread":{thread},"start":{start},"end":{end},"op":"{op}","k":{k},"v":{v}}}"#);
    }
    text
}

/// A constant that was inferred.
struct Constant {
    /// With its value.
    value: String,
    /// A larger one may make a difference to what is accepted.
    may_decide: bool,
}

/// The verdict, and the constant if it was inferred. Nothing where it cannot be evaluated.
fn verdict(spec: &Path, trace: &Path, constants: Vec<String>) -> Option<(Verdict, Option<Constant>)> {
    let options = Options { constants, ..Options::default() };
    let trace = Trace::open(trace).expect("a trace");
    let rules = Rules::default();
    let subject::Subject { spec, inferred } =
        subject::load(spec, &options, &rules, &trace).unwrap_or_else(|error| panic!("{error}"));
    let prepared = prepare(&spec, &trace, &rules).unwrap_or_else(|error| panic!("{error}"));
    let interrupt = AtomicBool::new(false);
    let limits = Limits::default();
    let mut control = Control { interrupt: &interrupt, progress: &mut |_| {}, limits, began: Instant::now() };
    let checked = check(&spec, &prepared, &check::Options::default(), &mut control).ok()?;
    let constant = inferred
        .first()
        .map(|it| Constant { value: it.assignment(), may_decide: !it.decides_acceptance(false).is_empty() });
    Some((checked.depending_on(&inferred, &spec, &prepared.history, false).verdict, constant))
}

#[test]
fn a_larger_constant_than_the_one_inferred_leaves_verdicts_as_they_are() {
    with_stack(1 << 26, || compare(1, 100)).expect("a thread");
}

#[test]
#[ignore = "takes minutes: scripts/check-oracles.sh"]
fn it_is_so_for_many() {
    with_stack(1 << 26, || compare(2, 10_000)).expect("a thread");
}

fn compare(seed: u64, specs: usize) {
    let mut random = Random::new(seed);
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (spec_path, trace_path) = (directory.path().join("Larger.tla"), directory.path().join("trace.jsonl"));
    let (mut rejected, mut decided, mut stands, mut accepted) = (0, 0, 0, 0);
    for _ in 0..specs {
        let spec = spec(&mut random);
        fs::write(&spec_path, &spec).expect("it can be written");
        for _ in 0..4 {
            let trace = trace(&mut random);
            fs::write(&trace_path, &trace).expect("it can be written");
            let Some((found, Some(constant))) = verdict(&spec_path, &trace_path, Vec::new()) else { continue };
            let Constant { value, may_decide } = constant;
            let larger = ["3", "3, 4", "0, 3"].map(|more| {
                let separator = if value.ends_with("{}") { "" } else { ", " };
                value.replace('}', &format!("{separator}{more}}}"))
            });
            let with = |constant: &String| Some(verdict(&spec_path, &trace_path, vec![constant.clone()])?.0);
            let is_accepted = |constant: &String| matches!(with(constant), Some(Verdict::Accepted(_)));
            let is_rejected = match found {
                Verdict::Rejected(_) => true,
                Verdict::Unknown { .. } => false,
                Verdict::Accepted(_) if !may_decide => {
                    if let Some(constant) =
                        larger.iter().find(|constant| matches!(with(constant), Some(Verdict::Rejected(_))))
                    {
                        panic!("accepted with {value}, rejected with {constant}:\n{spec}\n{trace}");
                    }
                    accepted += 1;
                    continue;
                }
                Verdict::Accepted(_) | Verdict::Failed { .. } => continue,
            };
            match (is_rejected, larger.into_iter().find(is_accepted)) {
                (true, Some(constant)) => {
                    panic!("rejected with {value}, accepted with {constant}:\n{spec}\n{trace}")
                }
                (true, None) => rejected += 1,
                (false, Some(_)) => decided += 1,
                (false, None) => stands += 1,
            }
        }
    }
    println!(
        "{accepted} accepted, {rejected} rejected; {decided} unknown where a larger constant accepts, {stands} where none of \
         these does"
    );
    assert!(rejected > specs / 4, "{rejected} of {specs} specifications' traces are rejected");
    assert!(accepted > specs / 50, "only {accepted} are accepted without a warning");
    assert!(decided > specs / 50, "only {decided} are accepted with a larger constant");
}
