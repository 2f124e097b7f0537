//! A fuzzer as a program.

use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

use super::builder::{Fuzz, Options};
use super::directory;
use super::error::FuzzError;
use super::execute::{self, Plan};
use super::options::{self, Declared, OwnValues, Request};
use super::report::counted;
use super::settings::Settings;
use super::{EXIT_EMPTY, EXIT_OK, EXIT_USAGE};

pub(super) fn main<S: Sync, T>(
    fuzz: &Fuzz<'_, S, T>,
    program: &OsStr,
    arguments: impl IntoIterator<Item = OsString>,
    variable: impl Fn(&str) -> Option<OsString>,
    make_system: impl FnOnce(&Options) -> Result<S, String>,
) -> u8 {
    let names = fuzz.step_names();
    let declared = Declared { spec: &fuzz.spec, actions: &names, options: &fuzz.own_options };
    match options::read(arguments, variable, &declared) {
        Ok(Request::Help) => {
            let program = Path::new(program).file_name().unwrap_or(OsStr::new("fuzzer"));
            print(options::help(&program.to_string_lossy(), &declared));
            EXIT_OK
        }
        Ok(Request::ListActions(settings)) => {
            print(list(fuzz, &settings.over(fuzz.settings.clone())));
            EXIT_OK
        }
        Ok(Request::Run(settings, own)) => run(fuzz, settings.over(fuzz.settings.clone()), own, make_system),
        Err(error) => {
            say(error);
            EXIT_USAGE
        }
    }
}

fn run<S: Sync, T>(
    fuzz: &Fuzz<'_, S, T>,
    mut settings: Settings,
    own: OwnValues,
    make_system: impl FnOnce(&Options) -> Result<S, String>,
) -> u8 {
    let seed = *settings.seed.get_or_insert_with(execute::draw_seed);
    let result = settings.limits().map_err(|error| (error.to_string(), error.exit_code())).and_then(|limits| {
        let options = Options { own, seed, threads: limits.threads };
        let system = make_system(&options).map_err(|problem| (problem, EXIT_USAGE))?;
        record(fuzz, settings, &system).map_err(|error| (error.to_string(), error.exit_code()))
    });
    result.unwrap_or_else(|(problem, code)| {
        say(problem);
        code
    })
}

fn record<S: Sync, T>(fuzz: &Fuzz<'_, S, T>, settings: Settings, system: &S) -> Result<u8, FuzzError> {
    let plan = Plan { is_main: true, ..Plan::new(fuzz, settings)? };
    // Said at once: should the system bring the process down, this is what is needed to repeat it.
    let mut sizes = counted(plan.limits.threads as u64, "thread");
    if let (true, Some(operations)) = (plan.limits.are_varied, plan.limits.operations) {
        sizes = format!("{sizes} with {} each", counted(operations, "operation"));
    }
    say(format_args!("{sizes}, seed {}, recording to {}", plan.seed, plan.directory.display()));
    let report = execute::execute(fuzz, &plan, system)?;
    eprintln!("{report}");
    if report.exit_code() == EXIT_EMPTY && plan.makes_directory && directory::clear(&plan.directory) {
        say(format_args!("removed {}", plan.directory.display()));
    }
    Ok(report.exit_code())
}

/// The actions, one line for each with parameters and weight.
fn list<S, T>(fuzz: &Fuzz<'_, S, T>, settings: &Settings) -> String {
    let lines = fuzz.steps.iter().map(|step| {
        let actions: Vec<_> = step
            .site
            .actions()
            .iter()
            .map(|action| match action.params {
                [] => action.name.to_owned(),
                params => format!("{}({})", action.name, params.join(", ")),
            })
            .collect();
        let choice = if actions.len() > 1 { format!("{}: ", step.name) } else { String::new() };
        format!("{choice}{} weight {}\n", actions.join(" | "), settings.weight(step.name))
    });
    lines.collect()
}

/// Whoever closes the pipe has seen enough.
fn print(text: String) {
    let _ = io::stdout().write_all(text.as_bytes());
}

fn say(text: impl Display) {
    eprintln!("fuzz: {text}");
}
