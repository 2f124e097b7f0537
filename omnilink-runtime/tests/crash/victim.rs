//! The program that dies.

use std::path::{Path, PathBuf};
use std::thread;

use omnilink_runtime::{Session, open_lane};

use crate::death::Death;
use crate::progress::{Page, WORKERS};
use crate::script::Step;

/// The variable that carries the seed of the victim's death.
pub const SEED: &str = "OMNILINK_TEST_SEED";
/// After so many steps a worker's thread ends and another goes on, on a lane of its own.
pub const SHIFT: u64 = 300;
/// A victim that nobody kills stops recording here, before it fills the disk.
const LAST_STEP: u64 = 20_000;

/// Where the victim records.
pub fn run_directory(shared: &Path) -> PathBuf {
    shared.join("run")
}

/// The lane of a worker's shift.
pub fn lane_name(worker: usize, shift: u64) -> String {
    format!("{worker}.{shift}")
}

/// The victim's life. It does not survive it.
pub fn live(shared: &Path, death: Death) -> i32 {
    let without_core_files = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: plain system calls. The alarm kills a victim that does not die as it should.
    unsafe {
        libc::setrlimit(libc::RLIMIT_CORE, &without_core_files);
        libc::alarm(60);
    }
    std::panic::set_hook(Box::new(|_| {}));
    let page = Page::map(shared);
    let _session = Session::builder().directory(run_directory(shared)).spec("Victim", "Next").start().unwrap();
    let workers = (0..WORKERS).map(|worker| {
        let progress = page.worker(worker);
        thread::spawn(move || {
            for shift in 0..LAST_STEP / SHIFT {
                let steps = move || {
                    open_lane(&lane_name(worker, shift));
                    for n in shift * SHIFT..(shift + 1) * SHIFT {
                        Step::of(worker, n).perform(worker, n, progress, &death);
                    }
                };
                thread::spawn(steps).join().unwrap();
            }
        })
    });
    workers.collect::<Vec<_>>().into_iter().for_each(|worker| worker.join().unwrap());
    loop {
        thread::park();
    }
}
