//! `omnilink gen-fuzzer`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use omnilink_gen::recipe::Recipe;
use omnilink_gen::{Language, Request, generate};

use crate::failure::Failure;
use crate::gen_fuzzer::{Report, Verdict};
use crate::origin::{Origin, OriginArgs};
use crate::whole;

const EXAMPLES: &str = "\
Examples:
  omnilink gen-fuzzer Queue.tla --lang rust            a Cargo project in ./queue-fuzzer
  omnilink gen-fuzzer Queue.tla --lang cpp -o fuzz     a CMake project in ./fuzz
  omnilink gen-fuzzer Store.tla --lang rust --next ClientNext --exclude Crash
  omnilink gen-fuzzer Queue.tla --lang rust --check    in CI: exits with 1 if files are out of date

Files of the project:
  rust   src/actions.rs (generated)  src/main.rs (yours)  Cargo.toml  README.md
  cpp    actions.hpp (generated)     fuzzer.cpp (yours)   CMakeLists.txt  README.md
and, unless the project is in the directory of SPEC, copies of SPEC, its modules and its
configuration.

omnilink.project says what `omnilink run` does in the project; the constants given here are in it.
Your files are written once and never changed. Run the same command after every change of SPEC: the
compiler then names the actions that were added or removed. The options --next, --only, --exclude,
--cfg, --const and --module-path are stored in the generated file and need not be repeated;
--forget drops them.";

/// Generate a fuzzer from a specification's next-state relation
///
/// A fuzzer is a program whose threads perform random actions of the specification on a system, and record the calls.
/// Every operator that the next-state relation leads to becomes an action with typed parameters. You write one function
/// per action that calls the system.
///
/// The operators `X_Step(args)` and `X_Done(args)` are one operation `X`. `Terminating`, the last disjunct of PlusCal
/// translations, is left out unless --only names it. Disjuncts that only leave all variables unchanged are left out.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct GenFuzzer {
    /// The specification: a .tla file
    spec: PathBuf,
    /// The language of the fuzzer
    #[arg(long, value_enum)]
    lang: Lang,
    /// The directory of the project [default: ./<spec>-fuzzer]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// The next-state relation [default: the configuration's, or Next]
    #[arg(long, value_name = "NAME")]
    next: Option<String>,
    /// Only these actions
    #[arg(long, value_name = "ACTIONS", value_delimiter = ',')]
    only: Vec<String>,
    /// All actions but these
    #[arg(long, value_name = "ACTIONS", value_delimiter = ',')]
    exclude: Vec<String>,
    /// Write nothing; list the generated files that are out of date, and exit with 1 if there are any
    #[arg(long)]
    check: bool,
    /// The configuration [default: the .cfg file of the same name beside SPEC, if there is one]
    #[arg(long, value_name = "FILE")]
    cfg: Option<PathBuf>,
    /// Assign a value to a constant, as `Keys = {"a", "b"}`; may be repeated. Sets become enumerations or ranges
    #[arg(long = "const", value_name = "NAME = VALUE")]
    constants: Vec<String>,
    /// Also search for modules in this directory; may be repeated
    #[arg(long, value_name = "DIR")]
    module_path: Vec<PathBuf>,
    /// Drop the stored options of an existing project
    #[arg(long)]
    forget: bool,
    #[command(flatten)]
    origin: OriginArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The language of a project.
#[derive(Clone, Copy, ValueEnum)]
pub enum Lang {
    /// A Cargo project
    Rust,
    /// A CMake project
    Cpp,
}

impl From<Lang> for Language {
    fn from(lang: Lang) -> Self {
        match lang {
            Lang::Rust => Self::Rust,
            Lang::Cpp => Self::Cpp,
        }
    }
}

impl GenFuzzer {
    /// Generates the project, or compares it with the existing files, and prints a report.
    pub fn run(self) -> Result<ExitCode, Failure> {
        whole::end_at_signal()?;
        let language = self.lang.into();
        let Origin { omnilink, checkout } = self.origin.origin()?;
        let generated = generate(&Request {
            spec: self.spec,
            language,
            directory: self.output,
            options: Recipe {
                next: self.next,
                only: self.only,
                exclude: self.exclude,
                cfg: self.cfg,
                constants: self.constants,
                module_paths: self.module_path,
            },
            forget: self.forget,
            name: None,
            omnilink,
            checkout,
        })?;
        let files = if self.check { generated.compare()? } else { whole::uninterrupted(|| generated.write())? };
        let verdict = if self.check { Verdict::Checked } else { Verdict::Written };
        let report = Report::new(&generated, language, &files, verdict);
        report.print(self.json)?;
        Ok(if self.check && report.is_stale() { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }
}
