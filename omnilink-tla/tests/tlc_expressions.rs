//! Thousands of constant expressions, evaluated: the same values as TLC's, or both refuse.

mod support;

use std::fs;

use omnilink_tla::{Options, Spec, TlaError, Value};
use support::expressions::table;

/// A specification that defines `V0`, `V1`, … as these expressions.
fn defining<'a>(expressions: impl Iterator<Item = &'a str>) -> Result<Spec, Box<TlaError>> {
    let definitions: String = expressions.enumerate().map(|(at, text)| format!("V{at} == {text}\n")).collect();
    let directory = tempfile::tempdir().expect("there is room for a file");
    let path = directory.path().join("Values.tla");
    let head = "---- MODULE Values ----\nEXTENDS Integers, Sequences, FiniteSets, Bags, TLC\n";
    fs::write(&path, format!("{head}{definitions}====\n")).expect("there is room for a file");
    Spec::load(&path, &Options::default())
}

fn value(spec: &Spec, at: usize) -> Result<Value, Box<TlaError>> {
    spec.constant(&format!("V{at}"))
}

/// What TLC prints for a value is TLA+ for that value, and so is what we print; read back, all are one value with one
/// fingerprint.
#[test]
fn values_agree_with_tlc() {
    let rows = table("values");
    assert!(rows.len() >= 5000, "the table is there");
    let printed = rows.iter().map(|(_, said)| said.as_deref().expect("every expression of this table has a value"));
    let theirs = defining(printed).unwrap_or_else(|error| panic!("{error}"));
    let ours =
        defining(rows.iter().map(|(expression, _)| expression.as_str())).unwrap_or_else(|error| panic!("{error}"));

    let mut differences = Vec::new();
    let mut texts = Vec::new();
    for (at, (expression, said)) in rows.iter().enumerate() {
        let expected = value(&theirs, at).unwrap_or_else(|error| panic!("{error}"));
        match value(&ours, at) {
            Ok(found) => {
                if found != expected || found.fingerprint() != expected.fingerprint() {
                    differences.push(format!("{expression}\nTLC: {said:?}\nours: {found}"));
                }
                texts.push(found.to_string());
            }
            Err(error) => differences.push(format!("{expression}\nTLC: {said:?}\nours: {error}")),
        }
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n\n"));

    let again = defining(texts.iter().map(String::as_str)).unwrap_or_else(|error| panic!("{error}"));
    for (at, text) in texts.iter().enumerate() {
        let expected = value(&ours, at).expect("it was evaluated before");
        let found = value(&again, at).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(found, expected, "{text}");
        assert_eq!(found.to_string(), *text, "a value is printed in one way only");
    }
}

/// An expression that has a mistake where TLC does not look has a value in both.
#[test]
fn mistakes_are_refused_where_tlc_refuses_them() {
    let rows = table("mistakes");
    let refused = rows.iter().filter(|(_, said)| said.is_err()).count();
    assert!(rows.len() >= 100 && refused >= 50 && refused < rows.len(), "{refused} of {} are refused", rows.len());
    let evaluated = |expression: &str| defining([expression].into_iter()).and_then(|spec| value(&spec, 0));
    let mut differences = Vec::new();
    for (expression, said) in &rows {
        let agrees = match (evaluated(expression), said) {
            (Ok(found), Ok(text)) => evaluated(text).is_ok_and(|expected| expected == found),
            (Err(_), Err(_)) => true,
            _ => false,
        };
        if !agrees {
            differences.push(format!("{expression}\nTLC: {said:?}\nours: {:?}", evaluated(expression)));
        }
    }
    assert!(differences.is_empty(), "{} differ:\n{}", differences.len(), differences.join("\n\n"));
}
