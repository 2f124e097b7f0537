//! `run.json`: what differs between two identical runs, and how the run came about.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use omnilink_trace::layout::RUN_FILE;

use crate::clock::{self, ClockReport, Fences};
use crate::declared::Declarations;
use crate::mapping::file_size_limit;

/// Variables of the environment that are written down. Never all of them: environments hold secrets.
const ENVIRONMENT: [&str; 6] = ["RUST_BACKTRACE", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "LD_PRELOAD"];
/// And those that begin so.
const ENVIRONMENT_PREFIX: &str = "OMNILINK_";

/// The calendar time and the clock of the trace at one moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    unix_ns: u64,
    pub ticks: u64,
}

impl Moment {
    pub fn at(ticks: u64) -> Self {
        Self { unix_ns: clock::unix_time(), ticks }
    }
}

/// How the run ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct End {
    pub moment: Moment,
    pub exit_code: Option<i32>,
    pub lanes: u32,
}

/// How large a run of the fuzz loop is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fuzzed {
    pub threads: usize,
    /// How many operations no thread performs more than.
    pub operations: Option<u64>,
    /// Whoever makes many runs has chosen one of these, or both.
    pub varied: bool,
}

impl Fuzzed {
    fn to_json(self) -> String {
        let Self { threads, operations, varied } = self;
        format!(r#"{{"threads": {threads}, "operations": {}, "varied": {varied}}}"#, or_null(operations))
    }
}

/// Program, arguments and environment as they are when recording starts: the program may change them.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    /// The value of `command`.
    command: String,
    /// The value of `environment`.
    environment: String,
}

impl Origin {
    pub fn of_process() -> Self {
        let command = std::env::args_os().map(|arg| quoted(&arg.to_string_lossy())).collect::<Vec<_>>().join(", ");
        let environment = std::env::vars_os()
            .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
            .filter(|(name, _)| name.starts_with(ENVIRONMENT_PREFIX) || ENVIRONMENT.contains(&name.as_str()))
            .map(|(name, value)| format!("{}: {}", quoted(&name), quoted(&value)))
            .collect::<Vec<_>>()
            .join(", ");
        Self { command: format!("[{command}]"), environment: format!("{{{environment}}}") }
    }
}

/// The contents of `run.json`.
#[derive(Debug, Clone)]
pub(crate) struct RunFile {
    pub origin: Origin,
    pub seed: Option<u64>,
    pub clock: ClockReport,
    pub fences: Fences,
    /// What relaxed fences leave open, in ticks.
    pub slack: u64,
    pub start: Moment,
    pub end: Option<End>,
    pub unrecorded_forks: u32,
    pub fuzzed: Option<Fuzzed>,
    pub declarations: Declarations,
}

impl RunFile {
    /// Writes the file into a run directory, whole or not at all.
    pub fn write(&self, directory: &Path) -> io::Result<()> {
        let json = self.to_json();
        if json.len() as u64 > file_size_limit() {
            return Err(io::Error::from_raw_os_error(libc::EFBIG));
        }
        let unfinished = directory.join("run.json.new");
        fs::write(&unfinished, json)?;
        fs::rename(&unfinished, directory.join(RUN_FILE))
    }

    fn to_json(&self) -> String {
        let Self { origin, seed, clock, fences, slack, start, end, unrecorded_forks, fuzzed, declarations } = self;
        let clock = format!(
            r#"{{"kind": "{}", "fences": "{}", "ticks_per_second": {}, "uncertainty": {}, "slack": {slack}}}"#,
            clock.kind.name(),
            fences.name(),
            or_null(clock.ticks_per_second),
            clock.uncertainty,
        );
        let moment = |moment: &Moment| format!(r#"{{"unix_ns": {}, "ticks": {}}}"#, moment.unix_ns, moment.ticks);
        let exit = end.and_then(|end| end.exit_code).map(|code| format!(r#"{{"code": {code}}}"#));
        let mut fields = vec![
            ("format", r#""omnilink-run""#.to_owned()),
            ("version", "1".to_owned()),
            ("command", origin.command.clone()),
            ("environment", origin.environment.clone()),
            ("seed", or_null(*seed)),
            ("pid", std::process::id().to_string()),
            ("clock", clock),
            ("start", moment(start)),
            ("end", or_null(end.map(|end| moment(&end.moment)))),
            ("exit", or_null(exit)),
            ("lanes", or_null(end.map(|end| end.lanes))),
            ("unrecorded_forks", unrecorded_forks.to_string()),
        ];
        fields.extend(fuzzed.map(|fuzzed| ("fuzz", fuzzed.to_json())));
        fields.extend(declarations.to_json().map(|actions| ("actions", actions)));
        let lines: Vec<_> = fields.iter().map(|(key, value)| format!("  \"{key}\": {value}")).collect();
        format!("{{\n{}\n}}\n", lines.join(",\n"))
    }
}

fn or_null(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| value.to_string())
}

/// A JSON string.
pub(crate) fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            c if c < ' ' => write!(json, "\\u{:04x}", u32::from(c)).expect("writing to a string"),
            c => json.push(c),
        }
    }
    json.push('"');
    json
}
