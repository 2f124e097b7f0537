//! Other tests of the process that call instrumented functions while one is recorded.
//!
//! `cargo test` runs tests side by side in one process. A test that calls the same instrumented functions while another
//! one records adds its calls to that recording, and the verdict would be about both. Such calls are recognised by the
//! names of threads, which lanes have: a new thread has the name of the thread that started it until it gets another one,
//! and the harness names the thread of a test after the test. A recording names its own thread differently meanwhile. So a
//! lane with a test's name is not of a thread that the recorded closure started.

use std::borrow::Cow;
use std::ffi::{CStr, CString};
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use omnilink_trace::Trace;

/// Set in the process that is asked for the names of its tests: should its harness run them all the same, they end here.
const LISTING: &str = "OMNILINK_TEST_LISTING";
/// The kernel keeps so many bytes of a thread's name.
const NAME: usize = 15;

/// Names this thread, and those that it starts, differently from all others until it is dropped.
pub(crate) struct Mark {
    former: CString,
}

impl Mark {
    pub fn set() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(1);
        let mut former = [0_u8; NAME + 1];
        // SAFETY: the call writes at most 16 bytes, the last of them 0.
        unsafe { libc::prctl(libc::PR_GET_NAME, former.as_mut_ptr()) };
        let former = CStr::from_bytes_until_nul(&former).map(CStr::to_owned).unwrap_or_default();
        let name = CString::new(format!("recorded-{}", COUNT.fetch_add(1, Relaxed))).unwrap_or_default();
        name_thread(&name);
        Self { former }
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        name_thread(&self.former);
    }
}

fn name_thread(name: &CStr) {
    // SAFETY: the call reads a string that ends with 0.
    unsafe { libc::prctl(libc::PR_SET_NAME, name.as_ptr()) };
}

/// An error in the process that only lists its tests.
pub(crate) fn refuse_listing() -> Result<(), String> {
    match std::env::var_os(LISTING) {
        Some(_) => Err("the tests of this program are being listed, not run".to_owned()),
        None => Ok(()),
    }
}

/// An error if a lane of the trace is of another test.
pub(crate) fn check(trace: &Path) -> Result<(), String> {
    // With one test at a time the harness runs it on the main thread.
    if std::thread::current().name() == Some("main") {
        return Ok(());
    }
    // What is wrong with the trace is for those to say who read all of it.
    let Ok(trace) = Trace::open(trace) else { return Ok(()) };
    let is_ours = |name: &&str| name.is_empty() || *name == "main" || name.starts_with("recorded-");
    let names: Vec<&str> = trace.lanes().iter().map(|lane| lane.name()).filter(|name| !is_ours(name)).collect();
    if names.is_empty() {
        return Ok(());
    }
    let Some(test) = tests().iter().find(|test| names.contains(&&*cut(test))) else { return Ok(()) };
    Err(format!(
        "calls of a thread called `{}` are in the recording, and the closure did not start it: it is the thread of a test, such as `{test}`, or was started by one; \
         a test that calls instrumented functions while another one is recorded begins with `let _alone = omnilink_test::alone();`, \
         or the tests run one by one (`cargo test -- --test-threads=1`, `cargo nextest run`); \
         threads that a test starts before its recording and that work for it get names of their own (`std::thread::Builder::name`)",
        cut(test)
    ))
}

/// The part of a name that the kernel keeps.
fn cut(name: &str) -> Cow<'_, str> {
    String::from_utf8_lossy(&name.as_bytes()[..name.len().min(NAME)])
}

/// The names of the tests of this program, asked of its harness.
fn tests() -> &'static [String] {
    static TESTS: OnceLock<Vec<String>> = OnceLock::new();
    TESTS.get_or_init(|| {
        let program = std::env::current_exe().ok();
        let listed = program.and_then(|program| Command::new(program).arg("--list").env(LISTING, "1").output().ok());
        let text = listed.map(|listed| String::from_utf8_lossy(&listed.stdout).into_owned()).unwrap_or_default();
        text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
    })
}
