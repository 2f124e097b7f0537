//! Ways to record an action.

mod clock_reads;
#[cfg(lttng)]
pub mod lttng_ust;
mod mutex_vec;
mod omnilink;
mod omnilink_cpp;
mod tracing_crate;

use std::path::Path;

use omnilink_runtime::clock::Fences;

/// A way to record actions.
pub trait Contestant {
    fn name(&self) -> &'static str;

    /// Begins a recording in an empty directory.
    fn start(&self, directory: &Path) -> Box<dyn Recording>;
}

/// A recording under way. Only [`record`](Recording::record) is measured.
pub trait Recording: Sync {
    /// Records this many actions on the calling thread, which has the given number.
    fn record(&self, thread: u64, calls: u64);

    /// Ends the recording and waits until everything is written, so that nothing goes on in the background while others
    /// are measured. Of the `actions` that were recorded, says how many are missing.
    fn finish(self: Box<Self>, actions: u64) -> u64;
}

/// All of them. The first is what the others are measured by, the second is ours.
pub fn all() -> Vec<Box<dyn Contestant>> {
    let mut all: Vec<Box<dyn Contestant>> = vec![
        Box::new(clock_reads::ClockReads(Fences::Full)),
        Box::new(omnilink::Omnilink(Fences::Full)),
        Box::new(omnilink_cpp::OmnilinkCpp),
        Box::new(clock_reads::ClockReads(Fences::Relaxed)),
        Box::new(omnilink::Omnilink(Fences::Relaxed)),
        Box::new(mutex_vec::MutexVec),
        Box::new(tracing_crate::Tracing),
    ];
    match lttng_ust() {
        Some(contestant) => all.push(contestant),
        None => eprintln!(
            "lttng-ust is not installed: apt-get install liblttng-ust-dev lttng-tools; touch bench/record/build.rs"
        ),
    }
    all
}

#[cfg(lttng)]
fn lttng_ust() -> Option<Box<dyn Contestant>> {
    Some(Box::new(lttng_ust::LttngUst::under_daemon()?))
}

#[cfg(not(lttng))]
fn lttng_ust() -> Option<Box<dyn Contestant>> {
    None
}
