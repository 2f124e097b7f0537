//! Compiled subjects, and runs of them.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use omnilink_record::Observed;
use omnilink_record::chaos::strategy::StrategyKind;
use omnilink_record::chaos::{self, CodeCache, Libraries, Setting};
use omnilink_record::directory::Streams;
use omnilink_record::environment::Environment;
use omnilink_record::rr::Rr;
use omnilink_record::{Limits, Mode, Plan, RecordError};

/// Every subject's code is looked at once per test process.
pub fn cache() -> &'static CodeCache {
    static CACHE: OnceLock<CodeCache> = OnceLock::new();
    CACHE.get_or_init(CodeCache::default)
}

/// The program of a subject, compiled if need be.
pub fn subject(name: &str) -> PathBuf {
    static COMPILED: Mutex<Option<HashMap<String, PathBuf>>> = Mutex::new(None);
    let mut compiled = COMPILED.lock().unwrap();
    compiled.get_or_insert_with(HashMap::new).entry(name.to_owned()).or_insert_with(|| compile(name, &[])).clone()
}

/// A file of the subjects' sources.
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/subjects").join(name)
}

/// Compiles a subject in a special way, to a program of another name.
pub fn compile(name: &str, flags: &[&str]) -> PathBuf {
    let special: String = flags.iter().filter(|flag| flag.starts_with('-')).copied().collect();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}{special}"));
    let mut compiler = if source(&format!("{name}.rs")).exists() {
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition", "2024", "-O"]).arg(source(&format!("{name}.rs")));
        rustc
    } else {
        let mut compiler = Command::new("g++");
        compiler.args(["-O2", "-std=c++17", "-pthread"]).arg(source(&format!("{name}.cpp")));
        compiler
    };
    // Another test process may be executing an older one.
    let unfinished = program.with_extension(std::process::id().to_string());
    let status = compiler.args(flags).arg("-o").arg(&unfinished).status().expect("a compiler");
    assert!(status.success(), "{name} does not compile");
    fs::rename(&unfinished, &program).unwrap();
    program
}

/// A fuzzer that this crate has as an example. It is built here, because cargo builds examples only with all tests.
pub fn fuzzer(name: &str) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let examples = BUILT.get_or_init(|| {
        // …/target/debug/deps/chaos-0123456789abcdef
        let tests = std::env::current_exe().unwrap();
        let profile = tests.ancestors().nth(2).unwrap();
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--package", env!("CARGO_PKG_NAME"), "--examples"]);
        cargo.arg("--target-dir").arg(profile.parent().unwrap());
        if !cfg!(debug_assertions) {
            cargo.arg("--release");
        }
        assert!(cargo.status().unwrap().success(), "the examples do not build");
        profile.join("examples")
    });
    examples.join(name)
}

/// The plan of a run.
pub fn plan(program: &Path, strategy: StrategyKind, seed: u64) -> Plan {
    Plan {
        program: program.to_owned(),
        arguments: Vec::new(),
        environment: Environment::inherited(),
        working_directory: PathBuf::from("/"),
        seed,
        mode: Mode::Chaos(strategy),
        libraries: Vec::new(),
        libraries_left_out: Vec::new(),
        rr: Rr::default(),
        processors: 2,
        limits: Limits { decisions: 1_000_000, wall_clock: Duration::from_secs(60) },
    }
}

/// Runs a plan, without keeping what the program says.
pub fn run(plan: &Plan) -> Result<Observed, RecordError> {
    let null = || OpenOptions::new().read(true).write(true).open("/dev/null").unwrap();
    let streams = Streams { stdin: null(), stdout: null(), stderr: null(), trace: File::open("/").unwrap() };
    run_with(plan, &streams)
}

/// Runs a plan with these files to read from and to write to.
pub fn run_with(plan: &Plan, streams: &Streams) -> Result<Observed, RecordError> {
    let Mode::Chaos(strategy) = plan.mode else { panic!("{:?}", plan.mode) };
    let libraries = Libraries::of(plan);
    let interrupt = AtomicBool::new(false);
    let setting = Setting { streams, cache: cache(), libraries: &libraries, interrupt: &interrupt };
    chaos::run(plan, &setting, &mut *strategy.seeded(plan.seed))
}

/// Runs a subject with the default strategy.
pub fn run_subject(name: &str, seed: u64) -> Observed {
    run(&plan(&subject(name), StrategyKind::RandomWalk, seed)).unwrap()
}

/// Waits until something is so.
pub fn wait_until<T>(what: &str, mut condition: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(value) = condition() {
            return value;
        }
        assert!(Instant::now() < deadline, "{what}: not within a minute");
        thread::sleep(Duration::from_millis(5));
    }
}
