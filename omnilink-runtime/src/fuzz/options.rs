//! The fuzzer's command line and environment.
//!
//! Every setting stands once, in [`SETTINGS`]: option, variable, help and parser. Command line, environment and
//! `--help` all read that table.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt::{self, Write as _};

use lexopt::Arg;

use super::settings::{DEFAULT_CONSECUTIVE_FAILURES, DEFAULT_OPERATIONS, DEFAULT_THREADS, Settings};
use super::sizes::{self, Sizes};
use super::values::{at_least_one, duration, limit, number, text, weights};

/// A setting that can be given on the command line and in the environment.
struct Setting {
    option: &'static str,
    variable: &'static str,
    value: &'static str,
    help: fn() -> String,
    set: fn(&mut Settings, &OsStr, &Declared<'_>) -> Result<(), String>,
}

static SETTINGS: [Setting; 8] = [
    Setting {
        option: "threads",
        variable: "OMNILINK_THREADS",
        value: "N",
        help: || format!("threads that call the system [default: {DEFAULT_THREADS}]"),
        set: |settings, value, _| {
            let threads = at_least_one(value)?;
            settings.threads = Some(usize::try_from(threads).map_err(|_| "is too large".to_owned())?);
            Ok(())
        },
    },
    Setting {
        option: "ops",
        variable: "OMNILINK_OPERATIONS",
        value: "N",
        help: || {
            format!("operations per thread, or `unlimited` [default: {DEFAULT_OPERATIONS} if there is no other limit]")
        },
        set: |settings, value, _| {
            settings.operations = Some(limit(value, at_least_one)?);
            Ok(())
        },
    },
    Setting {
        option: "total-ops",
        variable: "OMNILINK_TOTAL_OPERATIONS",
        value: "N",
        help: || "operations of all threads together, divided evenly among them, or `unlimited`".to_owned(),
        set: |settings, value, _| {
            settings.total_operations = Some(limit(value, at_least_one)?);
            Ok(())
        },
    },
    Setting {
        option: "duration",
        variable: "OMNILINK_DURATION",
        value: "TIME",
        help: || "how long to run, such as 10s, 500ms, 5m, 2h, or `unlimited`".to_owned(),
        set: |settings, value, _| {
            settings.duration = Some(limit(value, duration)?);
            Ok(())
        },
    },
    Setting {
        option: "seed",
        variable: "OMNILINK_SEED",
        value: "N",
        help: || "all random choices follow from it [default: drawn, and printed]".to_owned(),
        set: |settings, value, _| {
            settings.seed = Some(number(value)?);
            Ok(())
        },
    },
    Setting {
        option: "weights",
        variable: "OMNILINK_WEIGHTS",
        value: "ACTION=N,…",
        help: || {
            "how often each action is tried compared to the others; 0 switches it off; may be given again".to_owned()
        },
        set: |settings, value, declared| {
            // For a name given twice the first in the list counts: the option given last comes first.
            settings.weights.splice(..0, weights(value, declared.actions)?);
            Ok(())
        },
    },
    Setting {
        option: "trace-dir",
        variable: "OMNILINK_TRACE_DIR",
        value: "DIR",
        help: || {
            "where to record; must not hold another trace [default: a new directory omnilink-trace-<n>]".to_owned()
        },
        set: |settings, value, _| {
            settings.trace_directory = Some(value.into());
            Ok(())
        },
    },
    Setting {
        option: "consecutive-failures",
        variable: "OMNILINK_CONSECUTIVE_FAILURES",
        value: "N",
        help: || format!("unsupported attempts in a row that end a thread [default: {DEFAULT_CONSECUTIVE_FAILURES}]"),
        set: |settings, value, _| {
            settings.consecutive_failures = Some(at_least_one(value)?);
            Ok(())
        },
    },
];

/// An option that a fuzzer adds to ours. It takes no value if `value`, what the help calls it, is empty.
#[derive(Debug, Clone)]
pub(super) struct OwnOption {
    pub name: &'static str,
    pub value: &'static str,
    pub help: &'static str,
}

impl OwnOption {
    /// How it is written.
    fn usage(&self) -> String {
        let Self { name, value, .. } = self;
        if value.is_empty() { format!("--{name}") } else { format!("--{name} {value}") }
    }
}

/// What the fuzzer declares, against which values are checked.
pub(super) struct Declared<'a> {
    pub spec: &'a str,
    pub actions: &'a [&'static str],
    pub options: &'a [OwnOption],
}

/// What the user asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Request {
    Run(Settings, OwnValues),
    ListActions(Settings),
    Help,
}

/// Values of the fuzzer's own options by name.
pub(super) type OwnValues = BTreeMap<&'static str, String>;

/// Wrong use of the command line or the environment.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct UsageError(String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (--help shows what can be given)", self.0)
    }
}

impl From<lexopt::Error> for UsageError {
    fn from(error: lexopt::Error) -> Self {
        Self(error.to_string())
    }
}

/// Reads command line and environment; the former wins.
pub(super) fn read(
    arguments: impl IntoIterator<Item = OsString>,
    variable: impl Fn(&str) -> Option<OsString>,
    declared: &Declared<'_>,
) -> Result<Request, UsageError> {
    let mut given = Settings::default();
    let mut own_values = OwnValues::new();
    let mut list_actions = false;
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Long("help") | Arg::Short('h') => return Ok(Request::Help),
            Arg::Long("list-actions") => list_actions = true,
            Arg::Long(name) => {
                if let Some(setting) = SETTINGS.iter().find(|setting| setting.option == name) {
                    let value = parser.value()?;
                    set(setting, &mut given, &format!("--{}", setting.option), &value, declared)?;
                } else if let Some(own) = declared.options.iter().find(|own| own.name == name) {
                    if own.value.is_empty() {
                        own_values.insert(own.name, String::new());
                        continue;
                    }
                    let value = parser.value()?;
                    let text = text(&value)
                        .map_err(|problem| UsageError(refusal(&format!("--{}", own.name), &value, &problem)))?;
                    own_values.insert(own.name, text.to_owned());
                } else {
                    return Err(argument.unexpected().into());
                }
            }
            other => return Err(other.unexpected().into()),
        }
    }
    let settings = given.over(from_environment(variable, declared)?);
    Ok(if list_actions { Request::ListActions(settings) } else { Request::Run(settings, own_values) })
}

/// Variables that are set but empty count as not set: that is how shell scripts and CI files leave something out.
fn from_environment(
    variable: impl Fn(&str) -> Option<OsString>,
    declared: &Declared<'_>,
) -> Result<Settings, UsageError> {
    let mut settings = Settings::default();
    for setting in &SETTINGS {
        if let Some(value) = variable(setting.variable).filter(|value| !value.is_empty()) {
            set(setting, &mut settings, setting.variable, &value, declared)?;
        }
    }
    if let Some(value) = variable(sizes::VARIABLE).filter(|value| !value.is_empty()) {
        let refused = |problem: String| UsageError(refusal(sizes::VARIABLE, &value, &problem));
        settings.sizes = Some(Sizes::parse(&value).map_err(refused)?);
    }
    Ok(settings)
}

fn set(
    setting: &Setting,
    settings: &mut Settings,
    source: &str,
    value: &OsStr,
    declared: &Declared<'_>,
) -> Result<(), UsageError> {
    (setting.set)(settings, value, declared).map_err(|problem| UsageError(refusal(source, value, &problem)))
}

fn refusal(source: &str, value: &OsStr, problem: &str) -> String {
    format!("{source}: `{}` {problem}", value.display())
}

/// What `--help` prints.
pub(super) fn help(program: &str, declared: &Declared<'_>) -> String {
    let mut rows: Vec<(String, String)> =
        declared.options.iter().map(|own| (own.usage(), own.help.to_owned())).collect();
    rows.extend(SETTINGS.iter().map(|setting| {
        (format!("--{} {}", setting.option, setting.value), format!("{} [env: {}]", (setting.help)(), setting.variable))
    }));
    rows.push(("--list-actions".into(), "print the actions with their parameters and weights".into()));
    rows.push(("-h, --help".into(), "print this".into()));

    let mut help = String::new();
    let _ = writeln!(
        help,
        "Calls the system under test at random from several threads and records what it does as actions of {}.\n\n\
         Usage: {program} [OPTIONS]\n\nOptions:",
        declared.spec
    );
    for (option, text) in rows {
        let _ = writeln!(help, "  {option:<25} {text}");
    }
    let _ = write!(
        help,
        "\nThe command line wins over the environment. All limits that are given hold; a thread ends at the first.\n\
         If no threads, or no limits, are given, those of OMNILINK_VARY count, such as 3x20: `omnilink run` sets it.\n\n\
         Exit codes: 0 done; 2 wrong use, or recording cannot start; 3 no action was supported, so the trace is empty;\n\
         4 recording stopped early, so the trace is incomplete; 101 something panicked.\n\n\
         Example: {program} --threads 4 --ops 1000 --seed 7 --trace-dir trace\n"
    );
    help
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::settings::Limit;
    use super::*;

    const DECLARED: Declared<'static> = Declared {
        spec: "Queue",
        actions: &["Enqueue", "Dequeue"],
        options: &[
            OwnOption { name: "queue", value: "NAME", help: "which queue" },
            OwnOption { name: "buggy", value: "", help: "the queue with a bug" },
        ],
    };

    fn read_with(arguments: &[&str], variables: &[(&str, &str)]) -> Result<Request, String> {
        let variable = |name: &str| variables.iter().find(|(n, _)| *n == name).map(|(_, value)| value.into());
        read(arguments.iter().map(OsString::from), variable, &DECLARED).map_err(|error| error.to_string())
    }

    fn settings(arguments: &[&str], variables: &[(&str, &str)]) -> Settings {
        match read_with(arguments, variables) {
            Ok(Request::Run(settings, _)) => settings,
            other => panic!("{other:?}"),
        }
    }

    fn everything() -> Settings {
        Settings {
            threads: Some(3),
            operations: Some(Limit::At(10)),
            total_operations: Some(Limit::Unlimited),
            duration: Some(Limit::At(Duration::from_millis(1500))),
            seed: Some(u64::MAX),
            weights: vec![("Enqueue".into(), 3), ("Dequeue".into(), 0)],
            trace_directory: Some("some/where".into()),
            consecutive_failures: Some(5),
            sizes: None,
        }
    }

    #[test]
    fn everything_on_the_command_line() {
        let arguments = [
            "--threads=3",
            "--ops",
            "10",
            "--total-ops",
            "unlimited",
            "--duration",
            "1500ms",
            "--seed",
            "18446744073709551615",
            "--weights",
            "Enqueue=3,Dequeue=0",
            "--trace-dir",
            "some/where",
            "--consecutive-failures",
            "5",
        ];
        assert_eq!(settings(&arguments, &[]), everything());
    }

    #[test]
    fn everything_in_the_environment() {
        let variables = [
            ("OMNILINK_THREADS", "3"),
            ("OMNILINK_OPERATIONS", "10"),
            ("OMNILINK_TOTAL_OPERATIONS", "unlimited"),
            ("OMNILINK_DURATION", "1500ms"),
            ("OMNILINK_SEED", "18446744073709551615"),
            ("OMNILINK_WEIGHTS", "Enqueue=3,Dequeue=0"),
            ("OMNILINK_TRACE_DIR", "some/where"),
            ("OMNILINK_CONSECUTIVE_FAILURES", "5"),
        ];
        assert_eq!(settings(&[], &variables), everything());
    }

    #[test]
    fn the_command_line_wins_and_empty_variables_count_for_nothing() {
        let variables = [("OMNILINK_THREADS", "8"), ("OMNILINK_SEED", "1"), ("OMNILINK_OPERATIONS", "")];
        let settings = settings(&["--threads", "2"], &variables);
        assert_eq!((settings.threads, settings.seed, settings.operations), (Some(2), Some(1), None));
    }

    #[track_caller]
    fn refused(arguments: &[&str], variables: &[(&str, &str)], expected: &str) {
        let error = read_with(arguments, variables).unwrap_err();
        assert_eq!(error, format!("{expected} (--help shows what can be given)"));
    }

    #[test]
    fn wrong_values_are_named_with_their_option() {
        let number = "is not a whole number from 0 to 18446744073709551615";
        refused(&["--threads", "many"], &[], &format!("--threads: `many` {number}"));
        refused(&["--threads", "0"], &[], "--threads: `0` must be at least 1");
        refused(&[], &[("OMNILINK_OPERATIONS", "-4")], &format!("OMNILINK_OPERATIONS: `-4` {number}"));
        let time = "is not a time above 0 such as 10s, 500ms, 5m or 2h";
        refused(&["--duration", "soon"], &[], &format!("--duration: `soon` {time}"));
        let sizes = "is not of the form THREADSxOPERATIONS, such as 3x20";
        refused(&[], &[("OMNILINK_VARY", "many")], &format!("OMNILINK_VARY: `many` {sizes}"));
    }

    #[test]
    fn weights_given_again_are_added_and_the_last_counts() {
        let settings = settings(
            &["--weights", "Enqueue=3,Dequeue=2", "--weights", "Dequeue=0"],
            &[("OMNILINK_WEIGHTS", "Enqueue=9")],
        );
        assert_eq!((settings.weight("Enqueue"), settings.weight("Dequeue")), (3, 0));
    }

    #[test]
    fn wrong_weights() {
        refused(
            &["--weights", "Push=1"],
            &[],
            "--weights: `Push=1` names the action `Push`, but the actions are Enqueue, Dequeue",
        );
        refused(&["--weights", "Enqueue"], &[], "--weights: `Enqueue` is not of the form ACTION=N,ACTION=N");
        let twice = "Enqueue=1,Enqueue=2";
        refused(&["--weights", twice], &[], &format!("--weights: `{twice}` names the action `Enqueue` twice"));
        refused(
            &[],
            &[("OMNILINK_WEIGHTS", "Enqueue=x")],
            "OMNILINK_WEIGHTS: `Enqueue=x` gives `Enqueue` a weight that is not a whole number from 0 to 4294967295",
        );
    }

    #[test]
    fn wrong_options() {
        refused(&["--sead", "1"], &[], "invalid option '--sead'");
        refused(&["--seed"], &[], "missing argument for option '--seed'");
        refused(&["--list-actions=yes"], &[], "unexpected argument for option '--list-actions': \"yes\"");
        refused(&["seg"], &[], "unexpected argument \"seg\"");
    }

    #[test]
    fn other_requests_and_own_options() {
        assert_eq!(read_with(&["--seed", "1", "-h"], &[]), Ok(Request::Help));
        assert!(matches!(read_with(&["--list-actions"], &[]), Ok(Request::ListActions(_))));
        let Ok(Request::Run(_, own)) = read_with(&["--queue", "seg"], &[]) else { panic!() };
        assert_eq!((own["queue"].as_str(), own.contains_key("buggy")), ("seg", false));
        let Ok(Request::Run(settings, own)) = read_with(&["--buggy", "--threads", "2"], &[]) else { panic!() };
        assert_eq!((settings.threads, own["buggy"].as_str()), (Some(2), ""));
        refused(&["--buggy=yes"], &[], "unexpected argument for option '--buggy': \"yes\"");
    }

    #[test]
    fn help_and_documentation_name_everything() {
        let help = help("demo", &DECLARED);
        let page = include_str!("mod.rs");
        for setting in &SETTINGS {
            for text in [help.as_str(), page] {
                assert!(text.contains(&format!("--{}", setting.option)), "{}", setting.option);
                assert!(text.contains(setting.variable), "{}", setting.variable);
            }
        }
        assert!(help.contains(sizes::VARIABLE) && page.contains(sizes::VARIABLE));
        assert!(help.contains("--queue NAME") && help.contains("  --buggy   "), "{help}");
        assert!(help.contains("demo [OPTIONS]"));
    }
}
