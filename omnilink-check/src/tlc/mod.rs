//! TLC, the reference, as a second engine.
//!
//! ```text
//!  Spec, History ──► export: modules and configuration ──► run: the real TLC ──► answer ──► retrace ──► Verdict
//! ```
//!
//! A module walks through the history as [`crate::search`] does: positions per lane are variables beside the
//! specification's, and a step is an event whose timebox allows it to come next, as a step of the specification's own
//! next-state relation. That all events are placed violates an invariant, and the trace that TLC prints for it is the
//! order.
//!
//! | file | its idea |
//! | --- | --- |
//! | `export`, `root` | the files of a question, and the module that TLC is run on |
//! | `OmniLinkPositions.tla`, `OmniLinkRecorded.tla` | the walk, the same for all histories |
//! | `OmniLinkTold.tla`, `OmniLinkPassed.tla` | arguments that were not recorded and that inner steps determine |
//! | `disjuncts`, `scopes`, `definitions`, `build` | the next-state relation, cut down to one action with recorded arguments |
//! | `events`, `constants`, `literal` | the history and constants as TLA+ |
//! | `install`, `run`, `progress` | finding TLC, running it, reading its progress |
//! | `answer`, `retrace` | its answer, and the order that it found |
//!
//! Works with TLC 2.15 and later: nothing is used that some release does not have.

mod answer;
mod build;
mod constants;
mod definitions;
mod disjuncts;
mod events;
mod export;
mod install;
mod literal;
mod progress;
#[cfg(test)]
mod recorded;
mod retrace;
mod root;
mod run;
mod scopes;

use std::path::Path;

pub use export::{Export, MODULE};
pub use install::{JAR_NAME, JAR_VARIABLE, Tlc, find_jar};
use omnilink_tla::Spec;

use self::answer::{Answer, Finding};
use crate::check::{self, Checked, Verdict, initial_states};
use crate::error::CheckError;
use crate::prepare::Prepared;
use crate::search::{Control, Deepest, Progress, SpecProblem, Stopped};

/// Asks TLC for an order of a history's events that a specification allows. `config` is the file of the configuration
/// that the specification was loaded with.
///
/// TLC does not report how far failed orders got: a rejection comes without reasons.
///
/// # Errors
/// If TLC could not be asked, or could not evaluate something. It stops at the first thing that it cannot evaluate,
/// also where another order might have succeeded.
pub fn check(
    tlc: &Tlc,
    spec: &Spec,
    config: Option<&Path>,
    prepared: &Prepared,
    options: &check::Options,
    control: &mut Control<'_>,
) -> Result<Checked, CheckError> {
    let export = Export::new(spec, config, prepared, options)?;
    let mut progress = Progress { events: prepared.history.timeline.len() as u64, ..Progress::default() };
    let stopped = |stopped| Verdict::Unknown { stopped, stuck: Deepest::default() };
    let verdict = match run::ask(tlc, &export, &mut progress, control)? {
        Err(why) => stopped(why),
        Ok(said) => {
            let Answer { finding, states } = Answer::read(&said)?;
            // If it ran out of memory, it did not count at the end.
            progress.configurations = progress.configurations.max(states);
            match finding {
                Finding::Order(moves) => {
                    let problem = SpecProblem::new(spec, prepared, options.honour_constraints);
                    Verdict::Accepted(retrace::retrace(&problem, initial_states(spec)?, &moves)?)
                }
                Finding::NoOrder => Verdict::Rejected(Deepest::default()),
                Finding::OutOfMemory => stopped(Stopped::Memory),
                Finding::Failed(words) => return Err(CheckError::TlcFailed(words)),
            }
        }
    };
    Ok(Checked { verdict, progress, parts: None })
}
