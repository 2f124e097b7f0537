//! `omnilink new`

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use omnilink_gen::recipe::Recipe;
use omnilink_gen::template::{self, Template};
use omnilink_gen::{Generated, Language, Request, generate};
use serde_json::json;

use super::gen_fuzzer::Lang;
use crate::failure::{Failure, complain};
use crate::gen_fuzzer::{commands, origin};
use crate::origin::{Origin, OriginArgs};
use crate::palette::{self, Palette, buffered_stdout};
use crate::shell::{line, own_command_elsewhere};
use crate::whole;

const EXAMPLES: &str = "\
Examples:
  omnilink new myqueue                                      a queue in Rust, in ./myqueue
  omnilink new mymap --lang cpp --template map
  omnilink new fuzz --template from ../specs/Store.tla      a fuzzer for your specification, to be filled in
  omnilink new fuzz --template from Store.tla --const 'Keys = {1, 2}'

Templates: queue, map, register, counter, lock; `from SPEC` is what `gen-fuzzer` makes, with the rest
of a project around it.

A project has a specification, a small system that does what it says, a twin of the system with a bug
(--buggy), the fuzzer that calls it, a README and a workflow for GitHub. `omnilink run` works in it at
once: it builds the fuzzer, runs it and checks every run, as omnilink.project says.";

/// Make a project to begin with: a specification, a system, a fuzzer that is bound to it
///
/// `omnilink run` in the new directory then builds it, runs it under ever new schedules and checks every run.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct New {
    /// The project's name, and its directory: a new one. A path leads to it
    name: Option<PathBuf>,
    /// The language of the project
    #[arg(long, value_enum, default_value = "rust")]
    lang: Lang,
    /// What to begin with: queue, map, register, counter, lock, or `from` and a .tla file
    #[arg(long, value_name = "TEMPLATE", num_args = 1..=2, value_names = ["TEMPLATE", "SPEC"], default_value = "queue")]
    template: Vec<String>,
    /// With `from`, give a constant a value, as `Keys = {"a", "b"}`; may be repeated
    #[arg(long = "const", value_name = "NAME = VALUE")]
    constants: Vec<String>,
    /// With `from`, the configuration [default: the .cfg file of the same name beside SPEC, if there is one]
    #[arg(long, value_name = "FILE")]
    cfg: Option<PathBuf>,
    #[command(flatten)]
    origin: OriginArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What to begin with.
enum Begin {
    Template(&'static Template),
    From(PathBuf),
}

impl New {
    /// Makes it, and says what to do next.
    pub fn run(self) -> Result<ExitCode, Failure> {
        whole::end_at_signal()?;
        let (directory, begin) = self.begin()?;
        let name = project_name(&directory)?;
        let language = self.lang.into();
        let Origin { omnilink, checkout } = self.origin.origin()?;
        is_free(&directory)?;
        let generated = whole::directory(&directory, |place| {
            let mut request = Request {
                spec: PathBuf::new(),
                language,
                directory: Some(place.to_owned()),
                options: Recipe { constants: self.constants.clone(), cfg: self.cfg.clone(), ..Recipe::default() },
                forget: false,
                name: Some(name.clone()),
                omnilink,
                checkout,
            };
            let generated = match &begin {
                Begin::Template(template) => {
                    let at_place = |error: std::io::Error| Failure::file(place, &error);
                    fs::create_dir_all(place).map_err(at_place)?;
                    for file in template.specification() {
                        fs::write(place.join(&file.path), &file.text).map_err(at_place)?;
                    }
                    request.spec = place.join(template.spec);
                    let mut generated = generate(&request)?;
                    generated.replace(template.files(language, &name, &generated.dependency));
                    generated
                }
                Begin::From(spec) => {
                    request.spec.clone_from(spec);
                    let mut generated = generate(&request)?;
                    let file = generated.model.file.clone();
                    generated.replace(template::files_from(&file, language, &name, &generated.dependency));
                    generated
                }
            };
            generated.write()?;
            Ok(generated)
        })?;
        self.tell(&directory, &begin, &generated)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Where the project goes, and what it begins with. `--template queue myqueue` gives the option one value too many.
    fn begin(&self) -> Result<(PathBuf, Begin), Failure> {
        let (template, spec, name) = match (self.template.as_slice(), &self.name) {
            ([template], name) => (template, None, name.clone()),
            ([template, spec], name) if template == "from" => (template, Some(spec), name.clone()),
            ([template, name], None) => (template, None, Some(PathBuf::from(name))),
            ([_, more], Some(_)) => {
                let hint = "only `--template from SPEC` names a file; everything else has one name";
                return Err(Failure::with_hint(format!("`{more}` is one argument too many"), hint));
            }
            _ => return Err(Failure::new("--template: one template, or `from` and a .tla file")),
        };
        let name = name.ok_or_else(|| Failure::with_hint("the project has no name", "omnilink new NAME"))?;
        let begin = match (template.as_str(), spec) {
            ("from", Some(spec)) => Begin::From(PathBuf::from(spec)),
            ("from", None) => {
                return Err(Failure::with_hint(
                    "--template from: no specification was given",
                    "--template from Spec.tla",
                ));
            }
            (other, _) => match Template::named(other) {
                Some(template) => Begin::Template(template),
                None => {
                    let names: Vec<_> = template::ALL.iter().map(|template| template.name).collect();
                    let hint =
                        format!("there are {}; `--template from Spec.tla` takes your specification", names.join(", "));
                    return Err(Failure::with_hint(format!("there is no template `{other}`"), hint));
                }
            },
        };
        let is_given = !self.constants.is_empty() || self.cfg.is_some();
        if is_given && matches!(begin, Begin::Template(_)) {
            let hint = "the values of a template's constants are in its .cfg file: change them there";
            return Err(Failure::with_hint("--const and --cfg are for `--template from SPEC`", hint));
        }
        Ok((name, begin))
    }

    fn tell(&self, directory: &Path, begin: &Begin, generated: &Generated) -> Result<(), Failure> {
        let language: Language = self.lang.into();
        let file = &generated.project_file;
        let enter = line(&["cd".to_owned(), directory.display().to_string()]);
        let run = |words: &[&str]| own_command_elsewhere([&["run"], words].concat());
        let next = match begin {
            Begin::Template(_) => vec![
                (enter, ""),
                (run(&["--runs", "100"]), "builds it and makes 100 runs: all are accepted"),
                (run(&["--", "--buggy"]), "the same with a bug, until it shows"),
            ],
            Begin::From(_) => vec![(enter, ""), (run(&["--runs", "100"]), "builds it, makes 100 runs and checks them")],
        };
        let specification = match begin {
            Begin::Template(template) => template.specification().to_vec(),
            Begin::From(_) => Vec::new(),
        };
        let files: Vec<_> = specification.iter().chain(generated.files()).map(|file| &file.path).collect();
        let mut out = buffered_stdout();
        if self.json {
            let next_commands: Vec<_> = next.iter().map(|(command, _)| command).collect();
            let explicit = commands(directory, file);
            writeln!(
                out,
                "{}",
                json!({
                    "directory": directory, "language": language.name(), "spec": file.spec, "files": files,
                    "omnilink": origin(&generated.dependency), "next_commands": next_commands, "explicit_commands": explicit,
                })
            )?;
            return Ok(out.flush()?);
        }
        let Palette { heading, faint, good, .. } = palette::stdout();
        generated.notes.iter().for_each(|note| complain(format_args!("note: {note}")));
        let about = match begin {
            Begin::Template(template) => format!("{}, checked against {}", template.about, file.spec),
            Begin::From(_) => format!("a fuzzer for {}", file.spec),
        };
        writeln!(out, "{heading}{} project {}{heading:#}: {about}", language.name(), directory.display())?;
        for path in files {
            writeln!(out, "  {good}written{good:#}    {}", path.display())?;
        }
        if let (Language::Rust, Some(origin)) = (language, origin(&generated.dependency)) {
            writeln!(out, "  {faint}the crate omnilink is taken from {origin} (--omnilink says otherwise){faint:#}")?;
        }
        match begin {
            Begin::Template(_) => writeln!(out, "{heading}Next:{heading:#}")?,
            Begin::From(_) => {
                let file = language.to_fill_in().display();
                writeln!(out, "{heading}Next:{heading:#} say in {file} how each action is performed, then")?;
            }
        }
        let width = next.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
        for (command, what) in &next {
            writeln!(out, "  {}", format!("{command:width$}   {what}").trim_end())?;
        }
        writeln!(out, "{faint}`omnilink run` alone does what omnilink.project says:{faint:#}")?;
        for command in commands(directory, file).iter().skip(1) {
            writeln!(out, "  {faint}{command}{faint:#}")?;
        }
        out.flush()?;
        self.tell_missing();
        Ok(())
    }

    /// Says what has to be installed before it can be built.
    fn tell_missing(&self) {
        let (tool, advice) = match self.lang.into() {
            Language::Rust => ("cargo", "install Rust: https://rustup.rs"),
            Language::Cpp => ("cmake", "install CMake and a C++ compiler: apt install cmake g++, or https://cmake.org"),
        };
        let quiet = Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if quiet.is_err() {
            let Palette { warning, .. } = palette::stderr();
            complain(format_args!("{warning}warning:{warning:#} `{tool}` is not installed, and builds it; {advice}"));
        }
    }
}

/// The name of the project in a directory: what Cargo takes for the name of a package.
fn project_name(directory: &Path) -> Result<String, Failure> {
    let name = directory.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_wrong = |c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_';
    let problem = if name.is_empty() {
        "is no name"
    } else if !begins {
        "does not begin with a letter"
    } else if name.contains(is_wrong) {
        "has other characters than letters, digits, `-` and `_`"
    } else if RESERVED.contains(&name.as_str()) {
        "is a name that Cargo does not take for this project"
    } else {
        return Ok(name);
    };
    let given = directory.display();
    Err(Failure::with_hint(format!("`{given}` {problem}"), "choose a name such as my-queue; a path may lead to it"))
}

/// Names that Cargo refuses, or that would hide crates which the project needs.
const RESERVED: [&str; 58] = [
    "alloc",
    "as",
    "async",
    "await",
    "abstract",
    "become",
    "box",
    "break",
    "build",
    "const",
    "continue",
    "core",
    "crate",
    "deps",
    "do",
    "dyn",
    "else",
    "enum",
    "examples",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "incremental",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "omnilink",
    "override",
    "priv",
    "proc-macro",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "unsafe",
    "unsized",
    "use",
    "where",
    "while",
];

/// A project is made where nothing is.
fn is_free(directory: &Path) -> Result<(), Failure> {
    if directory.symlink_metadata().is_err() {
        return Ok(());
    }
    let hint = "choose another name, or move what is there away; `gen-fuzzer -o` adds a fuzzer to what is there";
    Err(Failure::with_hint(format!("{} is there already", directory.display()), hint))
}
