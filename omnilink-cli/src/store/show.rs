//! One run in full.

use std::fs;
use std::io::Write;
use std::path::Path;

use omnilink_check::report::counterexample::Counterexample;
use omnilink_record::store::{Store, Verdict};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::palette::buffered_stdout;

/// Prints a run as a JSON object.
pub fn run(store: &Store, run: &str) -> Result<(), Failure> {
    let entry = store.run(run)?;
    let record = match entry.has_files {
        true => serde_json::from_str::<Value>(&store.show(&entry.name)?)
            .map_err(|error| Failure::new(format!("{}: run {}: {error}", store.path().display(), entry.name)))?,
        false => Value::Null,
    };
    let shown = json!({
        "verdicts": verdicts(store, &entry.name)?,
        "recording": store.recording(&entry.name)?,
        "run": entry,
        "record": record,
    });
    let mut out = buffered_stdout();
    writeln!(out, "{shown:#}")?;
    Ok(out.flush()?)
}

/// All verdicts about a run, each with the name of its specification and its notes.
fn verdicts(store: &Store, run: &str) -> Result<Vec<Value>, Failure> {
    let specs = store.specs()?;
    let named = |verdict: Verdict| {
        let name = specs.iter().find(|spec| spec.hash == verdict.key.spec).map(|spec| spec.name.clone());
        let document: Value =
            serde_json::from_slice(&store.document(run, &verdict.key)?.unwrap_or_default()).unwrap_or_default();
        // A counterexample contains the report.
        let report = document.get("report").unwrap_or(&document);
        let mut value = json!(verdict);
        value["spec_name"] = json!(name);
        value["notes"] = report["notes"].clone();
        value["note_details"] = report["note_details"].clone();
        Ok(value)
    };
    store.verdicts(Some(run))?.into_iter().map(named).collect()
}

/// Writes the latest counterexample of a run.
pub fn write_counterexample(store: &Store, run: &str, file: &Path) -> Result<(), Failure> {
    let name = store.find_run(run)?;
    for verdict in store.verdicts(Some(&name))?.iter().rev() {
        let document = store.document(&name, &verdict.key)?.unwrap_or_default();
        if let Ok(counterexample) = serde_json::from_slice::<Counterexample>(&document) {
            return counterexample.write(file).map_err(|error| Failure::file(file, &error));
        }
    }
    Err(Failure::with_hint(
        format!("{}: there is no counterexample of run {name}", store.path().display()),
        format!("`omnilink check SPEC --store {} {name}` finds one if the run is rejected", store.path().display()),
    ))
}

/// Writes the files of the specification that a run was last checked against.
pub fn write_spec(store: &Store, run: &str, directory: &Path) -> Result<(), Failure> {
    let name = store.find_run(run)?;
    let Some(verdict) = store.verdicts(Some(&name))?.pop() else {
        return Err(Failure::new(format!("{}: run {name} has no verdict", store.path().display())));
    };
    fs::create_dir(directory).map_err(|error| Failure::file(directory, &error))?;
    for (path, text) in store.spec_files(&verdict.key.spec)? {
        // The names have no directories when they are stored; a store from another source may contain others.
        let Some(name) = Path::new(&path).file_name() else { continue };
        let file = directory.join(name);
        fs::write(&file, text).map_err(|error| Failure::file(&file, &error))?;
    }
    Ok(())
}
