//! rr, as far as it is here: its real failure where it cannot record, its success with a stand-in that only runs the
//! program.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use omnilink_record::campaign::{Modes, Until};
use omnilink_record::environment::Environment;
use omnilink_record::rr::Rr;
use omnilink_record::{Campaign, Ending, Limits, Mode, Plan};

/// Not rr: a script that takes rr's command line, notes it where rr would record, and executes the program.
const STAND_IN: &str = r#"#!/bin/sh
if [ "$1" = --version ]; then echo "stand-in for rr"; exit 0; fi
mkdir -p "$_RR_TRACE_DIR/program-0"
echo "$@" > "$_RR_TRACE_DIR/program-0/command"
while [ "$1" != -- ] && [ "$1" != true ]; do shift; done
[ "$1" = -- ] && shift
exec "$@"
"#;

fn stand_in(directory: &Path) -> Rr {
    let binary = directory.join("rr-stand-in");
    fs::write(&binary, STAND_IN).unwrap();
    fs::set_permissions(&binary, fs::Permissions::from_mode(0o755)).unwrap();
    Rr { binary, arguments: vec!["--num-cores=2".to_owned()] }
}

fn plan(rr: Rr, arguments: &[&str]) -> Plan {
    Plan {
        program: PathBuf::from("/bin/sh"),
        arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
        environment: Environment::inherited(),
        working_directory: PathBuf::from("/"),
        seed: 0,
        mode: Mode::RrChaos,
        libraries: Vec::new(),
        rr,
        processors: 1,
        limits: Limits { decisions: 0, wall_clock: Duration::from_secs(60) },
    }
}

#[test]
fn runs_are_recorded_in_their_directory() {
    let scratch = tempfile::tempdir().unwrap();
    let rr = stand_in(scratch.path());
    assert_eq!(rr.probe(scratch.path()).unwrap(), "stand-in for rr");
    let campaign = Campaign {
        plan: plan(rr, &["-c", "echo said; exit 3"]),
        modes: Modes::Only(Mode::RrChaos),
        seed: 1,
        until: Until { runs: Some(1), ..Until::default() },
        jobs: 1,
        directory: scratch.path().to_owned(),
    };
    let mut endings = Vec::new();
    campaign
        .run(&AtomicBool::new(false), &mut |finished, _| endings.push(finished.record.observed.ending.clone()))
        .unwrap();
    assert_eq!(endings, [Ending::Exited(3)]);
    let run = scratch.path().join("run-000001");
    assert_eq!(fs::read_to_string(run.join("stdout")).unwrap(), "said\n");
    let command = fs::read_to_string(run.join("rr/program-0/command")).unwrap();
    assert_eq!(command, "record --chaos --num-cores=2 -- /bin/sh -c echo said; exit 3\n");
}

#[test]
fn the_real_rr_records_or_says_why_not() {
    let scratch = tempfile::tempdir().unwrap();
    match Rr::default().probe(scratch.path()) {
        Ok(version) => assert!(version.starts_with("rr version"), "{version}"),
        Err(diagnosis) => {
            let known = ["rr needs", "rr may not", "this rr does not know", "No such file", "rr cannot record"];
            assert!(known.iter().any(|text| diagnosis.reason.contains(text)), "{diagnosis}");
            assert!(diagnosis.remedy.contains("--chaos"), "{diagnosis}");
        }
    }
}
