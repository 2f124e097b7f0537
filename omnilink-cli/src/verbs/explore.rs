//! `omnilink explore`

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use omnilink_budget::Budget;
use omnilink_tla::explore::{self as states, Verdict};
use omnilink_tla::{STACK, Spec, TlaError, with_stack};

use crate::explore::{self, Progress, Report};
use crate::failure::{Failure, complain};
use crate::interrupt::interrupt;
use crate::limits::LimitArgs;
use crate::palette::{self, buffered_stdout};
use crate::specification::{SpecificationArgs, tell_warnings};

const EXAMPLES: &str = "\
Examples:
  omnilink explore Queue.tla                           with Queue.cfg, if it is there
  omnilink explore Queue.tla --cfg small.cfg --const 'Capacity = 3' --no-deadlock
  omnilink explore Store.tla --max-states 1000000 --json

Exits with 0 if nothing wrong was found, with 1 if an invariant or a property is violated, a state
has no successor or an assumption is false, with 2 if something cannot be read or evaluated, with 3
if --max-states, --timeout or --max-memory ended it before all states were visited, with 4 if nothing
wrong was found but a property is not checked because it is liveness (0 with --safety-only), and
with 130 if it was interrupted (Ctrl-C); the results so far are printed first.";

/// Visit all states of a specification, and check its invariants and safety properties
///
/// The search is breadth first, so a counterexample has minimal length. States are counted as TLC counts them. Use it to
/// test a specification before checking programs against it. Of a PROPERTY it checks what concerns states and steps: `[]P`,
/// `[][A]_v`, and the initial predicate and steps of a refinement `I!Spec`. Liveness (`<>`, `~>`, WF, SF) is not checked,
/// and named as such. With SYMMETRY, states that differ by a permutation of model values are visited once.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Explore {
    #[command(flatten)]
    specification: SpecificationArgs,
    /// Stop after this many distinct states; if there are more, the exit code is 3
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,
    #[command(flatten)]
    limits: LimitArgs,
    /// Explore with N threads; what they find is the same for every N
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = jobs)]
    jobs: usize,
    /// Liveness need not be checked: exit with 0 if nothing else is wrong
    #[arg(long)]
    safety_only: bool,
    /// Do not report states without successors
    #[arg(long)]
    no_deadlock: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Explore {
    /// Explores it and prints what was found.
    pub fn run(mut self) -> Result<ExitCode, Failure> {
        self.specification.settle()?;
        let budget = self.limits.budget(&interrupt()?);
        let spec = self.specification.load(&budget, |what, exhausted| self.limits.stopped(what, exhausted))?;
        tell_warnings(&spec);
        let unused = |section: &str| !matches!(section, "PROPERTY" | "SYMMETRY");
        for (section, name) in spec.program().set_aside.iter().filter(|(section, _)| unused(section)) {
            complain(format_args!("note: {section} {name} is not used"));
        }
        let started = Instant::now();
        let explored = self.explore(&spec, &budget)?;
        let error = match &explored.verdict {
            Verdict::Failed { error, .. } => Some(error.clone()),
            _ => None,
        };
        let report = Report::new(&spec, explored, started.elapsed(), &self.limits, self.safety_only);
        match (self.print(&report), error) {
            // Who only wants the exit code need not read.
            (Ok(()) | Err(Failure::ReaderGone), None) => Ok(ExitCode::from(report.exit_code())),
            (Ok(()) | Err(Failure::ReaderGone), Some(error)) => Err(error.into()),
            (Err(failure), _) => Err(failure),
        }
    }

    fn print(&self, report: &Report) -> Result<(), Failure> {
        let mut out = buffered_stdout();
        if self.json {
            writeln!(out, "{}", serde_json::json!(report))?;
        } else {
            explore::write(report, palette::stdout(), &mut out)?;
        }
        Ok(out.flush()?)
    }

    fn explore(&self, spec: &Spec, budget: &Budget) -> Result<states::Report, Failure> {
        let options = states::Options {
            check_deadlock: !self.no_deadlock && spec.program().check_deadlock != Some(false),
            max_states: self.max_states,
            workers: self.jobs,
        };
        let explore = || -> Result<states::Report, Box<TlaError>> {
            let mut progress = Progress::begin();
            let report = states::explore(spec, &options, &mut |counts| progress.show(counts));
            progress.end();
            report
        };
        let explored = budget.spend(|| with_stack(STACK, explore));
        let explored =
            explored.map_err(|exhausted| self.limits.stopped("the exploration was being prepared", exhausted))?;
        Ok(explored.map_err(|error| Failure::new(format!("a thread could not be started: {error}")))??)
    }
}

/// A number of threads.
fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(jobs @ 1..=1024) => Ok(jobs),
        _ => Err("the number of threads is a number from 1 to 1024".to_owned()),
    }
}
