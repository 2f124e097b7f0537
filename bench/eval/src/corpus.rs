//! TLC and `explore` side by side on the models of a collection of specifications that describes itself by manifests, as the
//! public examples of TLA+ do (`specifications/*/manifest.json`).

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::exploring::{Counted, ONE_STATE, explore_in_child};
use crate::{Outcome, median, tlc};

/// Models that TLC finishes faster measure the start of Java.
const SHORTEST: f64 = 5.0;

/// TLC is given so many seconds of CPU time.
const LONGEST: u32 = 120;

/// A model: a module and a configuration.
struct Model {
    name: String,
    spec: PathBuf,
    config: PathBuf,
}

/// Compares them on all models whose path contains one of some texts, or on all, and prints a table.
pub fn compare(directory: &Path, parts: &[&str]) -> Outcome<()> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let classes = match std::env::var_os("TLC_CLASSPATH") {
        Some(classes) => PathBuf::from(classes),
        None => tlc::jar(&repository)?,
    };
    let start = start(&classes)?;
    println!("CPU seconds (TLC's start of {start:.2} s subtracted); *: TLC checks liveness, too");
    println!("{:50} {:>10} {:>9} {:>9} {:>8}", "", "states", "TLC", "omnilink", "ratio");
    let mut ratios = Vec::new();
    for model in models(&directory.canonicalize()?.join("specifications"))? {
        if !parts.is_empty() && !parts.iter().any(|part| model.name.contains(part)) {
            continue;
        }
        match row(&classes, &model, start) {
            Ok(Some((line, ratio))) => {
                println!("{:50} {line}", model.name);
                ratios.push(ratio);
            }
            Ok(None) => {}
            Err(error) => println!("{:50} {error}", model.name),
        }
    }
    if let Some(least) = ratios.iter().copied().min_by(f64::total_cmp) {
        println!("{} models, median {:.1}×, least {least:.1}×", ratios.len(), median(ratios));
    }
    Ok(())
}

/// What TLC takes for one state.
fn start(classes: &Path) -> Outcome<f64> {
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join("OneState.tla"), ONE_STATE)?;
    let config = directory.path().join("OneState.cfg");
    std::fs::write(&config, "INIT Init\nNEXT Next\n")?;
    let counted = tlc::explore(classes, directory.path(), "OneState.tla", &config, LONGEST)?;
    Ok(counted.cpu.as_secs_f64())
}

/// One row of the table and its ratio; nothing if TLC takes too little time, or too much.
fn row(classes: &Path, model: &Model, start: f64) -> Outcome<Option<(String, f64)>> {
    let directory = model.spec.parent().ok_or("a specification without a directory")?;
    let file = model.spec.file_name().and_then(|name| name.to_str()).ok_or("a file name that is not UTF-8")?;
    let theirs = tlc::explore(classes, directory, file, &model.config, LONGEST)?;
    let peer = theirs.cpu.as_secs_f64() - start;
    if peer < SHORTEST {
        return Ok(None);
    }
    let Counted { distinct, cpu, unchecked, .. } = explore_in_child(directory, file, &model.config)?;
    if distinct != theirs.distinct {
        return Err(format!("TLC counts {} distinct states, we {distinct}", theirs.distinct).into());
    }
    let ratio = peer / cpu.as_secs_f64();
    let mark = if unchecked > 0 { "*" } else { "" };
    let line = format!("{distinct:>10} {peer:>9.1} {:>9.1} {ratio:>7.1}×{mark}", cpu.as_secs_f64());
    Ok(Some((line, ratio)))
}

/// The models that are explored completely and without an error.
fn models(specifications: &Path) -> Outcome<Vec<Model>> {
    let mut models = Vec::new();
    let mut manifests: Vec<PathBuf> = std::fs::read_dir(specifications)?
        .map(|entry| Ok(entry?.path().join("manifest.json")))
        .collect::<Outcome<_>>()?;
    manifests.sort();
    for manifest in manifests.into_iter().filter(|manifest| manifest.is_file()) {
        let read: Value = serde_json::from_slice(&std::fs::read(&manifest)?)?;
        for module in read["modules"].as_array().into_iter().flatten() {
            for model in module["models"].as_array().into_iter().flatten() {
                if model["mode"] != "exhaustive search" || model["result"] != "success" {
                    continue;
                }
                let (Some(spec), Some(config)) = (module["path"].as_str(), model["path"].as_str()) else { continue };
                // Paths begin with the directory of all specifications.
                let place = |path: &str| specifications.parent().unwrap_or(specifications).join(path);
                let name = config.trim_start_matches("specifications/").to_owned();
                models.push(Model { name, spec: place(spec), config: place(config) });
            }
        }
    }
    Ok(models)
}
