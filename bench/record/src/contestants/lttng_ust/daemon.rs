//! A session daemon for this benchmark alone.
//!
//! The library looks for its daemon before `main` begins, by environment variables. So the process that the user has
//! started only makes a home for a daemon, starts it, and runs the benchmark as a second process with these variables.
//! The daemon ends when that process has ended, however it has.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

use super::control;

/// Where daemon, `lttng` and library look for each other. (Those of root use the system's place instead, so that root
/// records with the daemon of the system if there is one.)
const HOME: &str = "LTTNG_HOME";
/// Says that the process is the second one.
const UNDER_DAEMON: &str = "BENCH_RECORD_UNDER_DAEMON";

/// The daemon's home, in the process that has a daemon.
pub fn home() -> Option<PathBuf> {
    env::var_os(UNDER_DAEMON).and_then(|_| env::var_os(HOME)).map(PathBuf::from)
}

/// Runs the benchmark in a second process, with a daemon, and returns its exit code; nothing if this is the second
/// process, or if there is no daemon to be had.
pub fn run_again_under_daemon() -> Option<ExitCode> {
    if home().is_some() {
        return None;
    }
    let home = tempfile::tempdir().expect("a temporary directory");
    let _daemon = Daemon::start(home.path())?;
    let benchmark = Command::new(env::current_exe().expect("the path of this program"))
        .args(env::args_os().skip(1))
        .env(HOME, home.path())
        .env(UNDER_DAEMON, "1")
        .env("LTTNG_UST_ALLOW_BLOCKING", "1")
        .status()
        .expect("this program, which runs, can run once more");
    Some(if benchmark.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

struct Daemon(Child);

impl Daemon {
    /// A daemon that takes commands; nothing if it is not installed.
    fn start(home: &Path) -> Option<Self> {
        let mut daemon = Command::new("lttng-sessiond");
        daemon.arg("--no-kernel").env(HOME, home).stdout(Stdio::null()).stderr(Stdio::null());
        let daemon = Self(daemon.spawn().ok()?);
        control::wait_until("the session daemon takes commands", || control::lttng(home, &["list"]).is_some());
        Some(daemon)
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        if let Ok(None) = self.0.try_wait() {
            // SAFETY: signals a process that has not been waited for, so its number is still its own.
            unsafe { libc::kill(self.0.id() as libc::pid_t, libc::SIGTERM) };
        }
        // It has been told, and there is nothing to do about a daemon that does not listen.
        let _ = self.0.wait();
    }
}
