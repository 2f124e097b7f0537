//! Running programs under hostile schedules, reproducibly.
//!
//! A concurrent program that is simply started runs the same few interleavings again and again. This crate runs it many
//! times under schedules that look for trouble, keeps what each run did, and can run any of them again exactly.
//!
//! ```text
//!  Campaign ── seed n ──► Plan ──► chaos::run │ free::run │ rr::run ──► Ending ──► run directory
//!  (how many, how long,   (one run: command,     (one process, start        record.json, schedule,
//!   which modes)           environment, seed,     to end)                   stdout, stderr, trace/
//!                          mode, limits)                                          │
//!                                                    replay ◄─────────────────────┘
//! ```
//!
//! - [`campaign`]: many runs, several at a time, until a number, a time or a failure is reached.
//! - [`plan`]: what one run needs to know, and [`ending`]: how it ended. Both are plain data that a run directory
//!   keeps.
//! - [`program`]: which program a run was made with. [`directory`]: a run directory, written and read. [`environment`]: the variables that a program sees.
//! - [`outsider`]: whether what recorded is what was scheduled.
//! - [`chaos`]: our scheduler. It runs an unmodified program one thread at a time and decides, from the seed alone,
//!   at which memory access which thread is interrupted.
//! - [`free`]: no control: the kernel schedules, on all cores. The only mode that shows what store buffers do.
//! - [`rr`]: the debugger rr, as a subprocess.
//! - [`replay`]: a run of a directory once more, and whether it was the same.
//! - [`cause`]: what runs that went wrong alike have in common.
//! - [`debugger`]: how a debugger gets into such a replay.
//! - [`archive`]: a run directory as one file.
//! - [`store`]: campaigns, their runs and what was found in them, in one SQLite file; [`host`]: the machine they ran on.
//! - [`seed`]: random numbers that are the same in every version; [`sizes`]: how large runs of fuzz loops are.
//!
//! Invariants:
//! - The same plan gives the same run, as far as the program depends on nothing but what is in the plan. Whether it did
//!   is never assumed: every decision goes into a hash, which a replay compares.
//! - A program never outlives the run: it dies with the thread that traces it, even if that is killed.
//! - Nothing is written outside the run's directory.
//! - What the program does and says is data: no output, exit code or crash of it is an error of this crate. Errors are
//!   what kept the program from being run, each with what to do about it.
//! - This crate knows nothing of specifications.

pub mod archive;
mod backstop;
pub mod campaign;
pub mod cause;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub mod chaos;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
#[path = "chaos_elsewhere.rs"]
pub mod chaos;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod debug_file;
pub mod debugger;
pub mod directory;
pub mod ending;
pub mod environment;
pub mod error;
pub mod free;
mod hash;
pub mod host;
pub mod observed;
pub mod outsider;
pub mod plan;
mod process;
pub mod program;
pub mod replay;
pub mod rr;
pub mod run;
pub mod seed;
pub mod sizes;
pub mod stacks;
pub mod store;
mod whose;

pub use campaign::Campaign;
pub use ending::{Ending, Stopped};
pub use error::RecordError;
pub use observed::Observed;
pub use plan::{Limits, Mode, Plan};
