//! TLC and `explore` side by side.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use omnilink_tla::explore::{self, Options};
use omnilink_tla::{Spec, spec};

use crate::{Outcome, median, process, tlc};

/// How this program tells itself to explore one specification.
pub const CHILD: &str = "explore-one";

/// Specifications, each with a configuration beside this crate's manifest.
const SPECS: [(&str, &str); 4] = [
    ("TwoPhaseCommit.tla", "two-phase.cfg"),
    ("FilterLock.tla", "filter-lock.cfg"),
    ("SnapshotStore.tla", "snapshot-store.cfg"),
    ("BoundedQueue.tla", "bounded-queue.cfg"),
];

/// A specification with one state: what it takes is the start of TLC.
pub const ONE_STATE: &str = "---- MODULE OneState ----\nVARIABLE x\nInit == x = 0\nNext == UNCHANGED x\n====\n";

/// TLC is given so many seconds of CPU time.
const LONGEST: u32 = 600;

/// What one exploration found and took.
pub struct Counted {
    pub generated: u64,
    pub distinct: u64,
    /// How many parts of properties were not checked: liveness.
    pub unchecked: u64,
    pub cpu: Duration,
}

/// Compares them and prints a table.
pub fn compare(rounds: usize) -> Outcome<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let repository = here.join("../..");
    let jar = tlc::jar(&repository)?;
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join("OneState.tla"), ONE_STATE)?;
    std::fs::write(directory.path().join("OneState.cfg"), "INIT Init\nNEXT Next\n")?;
    for (spec, config) in SPECS {
        std::fs::copy(repository.join("omnilink-tla/tests/specs").join(spec), directory.path().join(spec))?;
        std::fs::copy(here.join(config), directory.path().join(config))?;
    }

    let mut start = Vec::new();
    let mut theirs = vec![Vec::new(); SPECS.len()];
    let mut ours = vec![Vec::new(); SPECS.len()];
    let mut distinct = vec![0; SPECS.len()];
    for round in 0..rounds {
        eprint!("\rround {} of {rounds}", round + 1);
        start.push(
            tlc::explore(&jar, directory.path(), "OneState.tla", "OneState.cfg".as_ref(), LONGEST)?.cpu.as_secs_f64(),
        );
        for (at, (spec, config)) in SPECS.into_iter().enumerate() {
            let peer = tlc::explore(&jar, directory.path(), spec, config.as_ref(), LONGEST)?;
            let own = explore_in_child(directory.path(), spec, config.as_ref())?;
            if (peer.generated, peer.distinct) != (own.generated, own.distinct) {
                let (theirs, ours) = ((peer.generated, peer.distinct), (own.generated, own.distinct));
                return Err(format!("{spec}: TLC counts {theirs:?} states, we {ours:?}").into());
            }
            theirs[at].push(peer.cpu.as_secs_f64());
            ours[at].push(own.cpu.as_secs_f64());
            distinct[at] = own.distinct;
        }
    }
    eprintln!();
    let start = median(start);
    println!("distinct states per CPU second (TLC's start of {start:.2} s subtracted)");
    println!("{:20} {:>10} {:>12} {:>12} {:>8}", "", "states", "TLC", "omnilink", "ratio");
    for (at, (spec, _)) in SPECS.into_iter().enumerate() {
        let states = distinct[at] as f64;
        let theirs = states / (median(theirs[at].clone()) - start);
        let ours = states / median(ours[at].clone());
        println!("{spec:20} {states:>10} {theirs:>12.0} {ours:>12.0} {:>7.1}×", ours / theirs);
    }
    Ok(())
}

/// Explores one specification in a process of its own.
pub fn explore_in_child(directory: &Path, spec: &str, config: &Path) -> Outcome<Counted> {
    let mut command = Command::new(std::env::current_exe()?);
    let ended = process::run(command.current_dir(directory).args([CHILD, spec]).arg(config))?;
    let mut numbers = ended.output.split_whitespace().map(str::parse);
    let mut number = || numbers.next().ok_or("no counts")?.map_err(|_| "counts cannot be read");
    Ok(Counted { generated: number()?, distinct: number()?, unchecked: number()?, cpu: ended.cpu })
}

/// Explores one specification in this process and prints what was counted.
pub fn explore_here(spec: &str, config: &str) -> Outcome<()> {
    let options = spec::Options { config: Some(config.into()), ..spec::Options::default() };
    let spec = Spec::load(spec, &options)?;
    let options = Options { check_deadlock: false, max_states: None, workers: 1 };
    let report = explore::explore(&spec, &options, &mut |_| ())?;
    match report.verdict {
        explore::Verdict::Ok => {
            let unchecked: usize = spec.program().properties.iter().map(|property| property.unchecked.len()).sum();
            println!("{} {} {unchecked}", report.counts.generated, report.counts.distinct);
        }
        other => return Err(format!("{other:?}").into()),
    }
    Ok(())
}
