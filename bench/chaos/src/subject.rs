//! Compiled subjects, and runs of them with what they cost.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use omnilink_record::Observed;
use omnilink_record::chaos::strategy::{Strategy, StrategyKind};
use omnilink_record::chaos::{self, CodeCache, Libraries, Setting};
use omnilink_record::directory::Streams;
use omnilink_record::environment::Environment;
use omnilink_record::rr::Rr;
use omnilink_record::{Ending, Limits, Mode, Plan, free};

/// More than any run takes.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A compiled subject.
pub struct Subject {
    program: PathBuf,
    cache: CodeCache,
}

/// What runs took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Took {
    /// On the wall.
    pub wall: Duration,
    /// On all processors, by the programs and by us.
    pub cpu: Duration,
}

impl std::ops::AddAssign for Took {
    fn add_assign(&mut self, other: Self) {
        self.wall += other.wall;
        self.cpu += other.cpu;
    }
}

impl Subject {
    /// Compiles a subject into a directory.
    pub fn compile(name: &str, directory: &Path) -> Self {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../omnilink-record/tests/subjects");
        let program = directory.join(name);
        let rust = sources.join(name).with_extension("rs");
        let mut compiler = if rust.exists() {
            let mut rustc = Command::new("rustc");
            rustc.args(["--edition", "2024", "-O"]).arg(rust);
            rustc
        } else {
            let mut compiler = Command::new("g++");
            compiler.args(["-O2", "-std=c++17", "-pthread"]).arg(sources.join(name).with_extension("cpp"));
            compiler
        };
        let compiled = compiler.arg("-o").arg(&program).status();
        assert!(compiled.is_ok_and(|status| status.success()), "{name} does not compile");
        Self { program, cache: CodeCache::default() }
    }

    fn plan(&self, arguments: &[&str], mode: Mode, seed: u64, wall_clock: Duration) -> Plan {
        Plan {
            program: self.program.clone(),
            arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
            environment: Environment::inherited(),
            working_directory: PathBuf::from("/"),
            seed,
            mode,
            libraries: Vec::new(),
            libraries_left_out: Vec::new(),
            rr: Rr::default(),
            processors: 2,
            limits: Limits { decisions: u64::MAX, wall_clock },
        }
    }

    /// Runs it under the chaos scheduler.
    pub fn chaos(&self, arguments: &[&str], strategy: &mut dyn Strategy, seed: u64) -> (Observed, Took) {
        let plan = self.plan(arguments, Mode::Chaos(StrategyKind::default()), seed, PATIENCE);
        measure(|| {
            let (streams, libraries, interrupt) = (streams(), Libraries::default(), AtomicBool::new(false));
            let setting =
                Setting { streams: &streams, cache: &self.cache, libraries: &libraries, interrupt: &interrupt };
            chaos::run(&plan, &setting, strategy).expect("the chaos scheduler works here: see `omnilink doctor`")
        })
    }

    /// Runs it freely; what takes longer than `patience` counts as stuck.
    pub fn free(&self, arguments: &[&str], patience: Duration) -> (Ending, Took) {
        let plan = self.plan(arguments, Mode::Free, 0, patience);
        measure(|| free::run(&plan, &streams(), &AtomicBool::new(false)).expect("programs can be started").ending)
    }
}

fn streams() -> Streams {
    let null = || OpenOptions::new().read(true).write(true).open("/dev/null").expect("/dev/null");
    Streams { stdin: null(), stdout: null(), stderr: null(), trace: File::open("/").expect("/") }
}

fn measure<T>(run: impl FnOnce() -> T) -> (T, Took) {
    let (began, before) = (Instant::now(), cpu());
    let result = run();
    (result, Took { wall: began.elapsed(), cpu: cpu().saturating_sub(before) })
}

/// Processor time of this process and of all its children that have ended.
fn cpu() -> Duration {
    let of = |who| {
        // SAFETY: all-zero is a value of this struct, which the call fills.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(who, &mut usage);
            usage
        };
        let time = |value: libc::timeval| Duration::new(value.tv_sec as u64, value.tv_usec as u32 * 1000);
        time(usage.ru_utime) + time(usage.ru_stime)
    };
    of(libc::RUSAGE_SELF) + of(libc::RUSAGE_CHILDREN)
}
