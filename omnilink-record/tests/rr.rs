//! rr, as far as it is here: its real failures where it cannot record, its success with a stand-in that only runs the
//! program.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use omnilink_record::campaign::{Modes, Until};
use omnilink_record::directory::RunDirectory;
use omnilink_record::environment::Environment;
use omnilink_record::rr::{Diagnosis, Rr, recording_in};
use omnilink_record::store::Store;
use omnilink_record::{Campaign, Ending, Limits, Mode, Plan, archive};

/// Not rr: a script that takes rr's command lines, notes them where rr would record, and executes the program.
const STAND_IN: &str = r#"#!/bin/sh
case $1 in
--version) echo "stand-in for rr"; exit 0;;
pack) echo complete > "$2/mmap_pack_0"; exit 0;;
esac
mkdir -p "$_RR_TRACE_DIR/program-0"
ln -s program-0 "$_RR_TRACE_DIR/latest-trace"
echo "$@" > "$_RR_TRACE_DIR/program-0/command"
while [ "$1" != -- ] && [ "$1" != true ]; do shift; done
[ "$1" = -- ] && shift
exec "$@"
"#;

fn script(file: &Path, text: &str) -> PathBuf {
    fs::write(file, text).unwrap();
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    file.to_owned()
}

fn stand_in(directory: &Path) -> Rr {
    let binary = script(&directory.join("rr-stand-in"), STAND_IN);
    Rr { binary, arguments: vec!["--num-cores=2".to_owned()], ..Rr::default() }
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
        libraries_left_out: Vec::new(),
        rr,
        processors: 1,
        limits: Limits { decisions: 0, wall_clock: Duration::from_secs(60) },
    }
}

/// Makes a run with the stand-in.
fn record(scratch: &Path) -> RunDirectory {
    let mut rr = stand_in(scratch);
    rr.probe(&scratch.join("probe")).unwrap();
    assert_eq!(rr.version, "stand-in for rr");
    let campaign = Campaign {
        plan: plan(rr, &["-c", "echo said; exit 3"]),
        modes: Modes::Only(Mode::RrChaos),
        seed: 1,
        first: 1,
        vary: false,
        until: Until { runs: Some(1), ..Until::default() },
        jobs: 1,
        directory: scratch.to_owned(),
    };
    let mut endings = Vec::new();
    campaign
        .run(&AtomicBool::new(false), &mut |finished, _| endings.push(finished.record.observed.ending.clone()))
        .unwrap();
    assert_eq!(endings, [Ending::Exited(3)]);
    RunDirectory::open(scratch.join("run-000001"))
}

#[test]
fn runs_are_recorded_in_their_directory() {
    let scratch = tempfile::tempdir().unwrap();
    let run = record(scratch.path());
    assert_eq!(fs::read_to_string(run.stdout()).unwrap(), "said\n");
    let recording = recording_in(&run.recordings()).unwrap();
    assert_eq!(recording, run.recordings().join("program-0"));
    let command = fs::read_to_string(recording.join("command")).unwrap();
    assert_eq!(command, "record --chaos --num-cores=2 -- /bin/sh -c echo said; exit 3\n");
    assert_eq!(run.read().unwrap().plan.rr.version, "stand-in for rr");
}

#[test]
fn a_recording_stays_beside_the_store_until_it_is_packed() {
    let scratch = tempfile::tempdir().unwrap();
    let run = record(scratch.path());
    let mut store = Store::open(&scratch.path().join("runs.db")).unwrap();
    let name = store.add(&run, None).unwrap();
    assert_eq!(store.recording(&name).unwrap().unwrap().path, Some(run.recordings()));
    store.adopt_recording(&name).unwrap();
    let recording = store.recording(&name).unwrap().unwrap();
    assert_eq!(recording.path, Some(store.recordings_directory().join(&name)));
    assert_eq!(recording.rr, "stand-in for rr");
    assert!(!run.recordings().exists());

    // Taken out with its recording, it is the same run, and has all of it wherever it goes.
    let exported = RunDirectory::open(scratch.path().join("exported"));
    store.export(&name, exported.path()).unwrap();
    assert!(!exported.recordings().exists());
    store.export_recording(&name, &exported).unwrap();
    assert!(exported.recording_is_packed());
    let packed = scratch.path().join(format!("packed{}", archive::SUFFIX));
    archive::pack(&exported, &packed).unwrap();
    let unpacked = archive::unpack(&packed, &scratch.path().join("unpacked")).unwrap();
    assert_eq!(unpacked.files().unwrap(), exported.files().unwrap());
    let mut other = Store::open(&scratch.path().join("other.db")).unwrap();
    assert_eq!(other.add(&unpacked, None).unwrap(), name);
    assert_eq!(other.recording(&name).unwrap().unwrap().path, None);
    let again = RunDirectory::open(scratch.path().join("again"));
    other.export(&name, again.path()).unwrap();
    assert_eq!(again.files().unwrap(), exported.files().unwrap());
    assert!(recording_in(&again.recordings()).unwrap().join("mmap_pack_0").exists());
}

#[test]
fn packing_needs_a_recording_and_rr() {
    let scratch = tempfile::tempdir().unwrap();
    let rr = stand_in(scratch.path());
    assert!(rr.pack(scratch.path()).unwrap_err().to_string().contains("there is no recording of rr"));
    fs::create_dir(scratch.path().join("program-0")).unwrap();
    let missing = Rr { binary: PathBuf::from("surely-no-rr"), ..Rr::default() };
    assert!(missing.pack(scratch.path()).unwrap_err().to_string().contains("apt install rr"));
    let broken = script(&scratch.path().join("broken"), "#!/bin/sh\necho no space left >&2; exit 1\n");
    let error = Rr { binary: broken, ..Rr::default() }.pack(scratch.path()).unwrap_err().to_string();
    assert!(error.contains("no space left"), "{error}");
}

/// What the real rr says of this machine, called in some way; nothing if it records.
fn complaint(binary: &Path, arguments: &[&str]) -> Option<Diagnosis> {
    let scratch = tempfile::tempdir().unwrap();
    let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
    let mut rr = Rr { binary: binary.to_owned(), arguments, ..Rr::default() };
    let probed = rr.probe(scratch.path());
    assert!(probed.is_err() || rr.version.starts_with("rr version"), "{rr:?}");
    probed.err()
}

/// Real failures can be had on every machine without counters: rr is told which processor it runs on, or may not look.
#[test]
fn the_real_rr_records_or_says_why_not() {
    let known = ["rr needs", "rr may not", "this rr does not know", "No such file"];
    let Some(diagnosis) = complaint(Path::new("rr"), &[]) else { return };
    assert!(known.iter().any(|text| diagnosis.reason.contains(text)), "{diagnosis}");
    assert!(diagnosis.remedy.contains("--chaos"), "{diagnosis}");
    if diagnosis.reason.contains("this rr does not know") {
        let skylake = complaint(Path::new("rr"), &["--microarch=Intel Skylake"]).map(|it| it.reason);
        assert!(
            skylake.as_ref().is_none_or(|reason| reason.contains("which this machine does not give")),
            "{skylake:?}"
        );
    }
    let nonsense = complaint(Path::new("rr"), &["--microarch=nonsense"]);
    assert!(
        nonsense.is_some_and(|it| it.reason.contains("No such file") || it.reason.contains("nonsense isn't known"))
    );
}

/// Without privileges rr looks at `perf_event_paranoid` first.
#[test]
fn the_real_rr_without_privileges() {
    let paranoid = fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").ok();
    let is_high = paranoid.and_then(|text| text.trim().parse::<i32>().ok()).is_some_and(|level| level > 1);
    // SAFETY: takes and returns plain numbers.
    let is_root = unsafe { libc::geteuid() } == 0;
    let here = |program: &str| Path::new("/usr/bin").join(program).exists();
    if !(is_high && is_root && here("rr") && here("setpriv")) {
        return;
    }
    let scratch = tempfile::tempdir().unwrap();
    fs::set_permissions(scratch.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let nobody = "#!/bin/sh\nexec setpriv --reuid=65534 --clear-groups rr \"$@\"\n";
    let diagnosis = complaint(&script(&scratch.path().join("rr"), nobody), &[]).unwrap();
    assert!(diagnosis.to_string().contains("sysctl kernel.perf_event_paranoid=1"), "{diagnosis}");
}
