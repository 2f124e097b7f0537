//! The report on the files of a generated project, and the next commands.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use omnilink_gen::project::{Fate, File, Owner};
use omnilink_gen::project_file::{NAME, ProjectFile};
use omnilink_gen::recipe::Recipe;
use omnilink_gen::{Dependency, Generated, Language};
use serde::Serialize;

use crate::failure::complain;
use crate::palette::{self, Palette, buffered_stdout};
use crate::shell::{line, own_command_elsewhere};

/// Whether files were written or only compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// New and outdated files were written.
    Written,
    /// Nothing was written.
    Checked,
}

/// The report.
#[derive(Debug, Serialize)]
pub struct Report {
    verdict: Verdict,
    spec: String,
    next: String,
    language: &'static str,
    directory: PathBuf,
    is_new: bool,
    actions: Vec<String>,
    files: Vec<FileRow>,
    /// The stored options of an earlier run.
    remembered: Recipe,
    /// Disjuncts that were left out, and why.
    notes: Vec<String>,
    /// What to type next: once the actions are bound, if the project is new.
    next_commands: Vec<String>,
    #[serde(skip)]
    dependency: Dependency,
    #[serde(skip)]
    to_fill_in: &'static Path,
}

#[derive(Debug, Serialize)]
struct FileRow {
    path: PathBuf,
    state: State,
    #[serde(skip)]
    owner: Owner,
}

impl FileRow {
    /// Whether the file is out of date. A file of the user that does not exist is not counted.
    fn is_stale(&self) -> bool {
        match self.owner {
            Owner::Generator => matches!(self.state, State::New | State::Stale),
            Owner::Shared => self.state == State::Stale,
            Owner::User => false,
        }
    }
}

/// The status of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// The file did not exist.
    New,
    /// The generated file was out of date.
    Stale,
    /// The generated file is up to date.
    Current,
    /// The file belongs to the user.
    Kept,
}

impl From<Fate> for State {
    fn from(fate: Fate) -> Self {
        match fate {
            Fate::New => Self::New,
            Fate::Changed => Self::Stale,
            Fate::Same => Self::Current,
            Fate::Kept => Self::Kept,
        }
    }
}

impl Report {
    /// The report about these files.
    pub fn new(generated: &Generated, language: Language, files: &[(&File, Fate)], verdict: Verdict) -> Self {
        let action = |action: &omnilink_gen::model::Action| {
            let params: Vec<&str> = action.params.iter().map(|param| param.name.as_str()).collect();
            if params.is_empty() { action.name.clone() } else { format!("{}({})", action.name, params.join(", ")) }
        };
        Self {
            verdict,
            spec: generated.model.spec.clone(),
            next: generated.model.next.clone(),
            language: language.name(),
            directory: generated.directory.clone(),
            is_new: generated.is_new,
            actions: generated.model.actions.iter().map(action).collect(),
            files: files
                .iter()
                .map(|(file, fate)| FileRow { path: file.path.clone(), state: (*fate).into(), owner: file.owner })
                .collect(),
            remembered: generated.remembered.clone(),
            notes: generated.notes.clone(),
            next_commands: commands(&generated.directory, &generated.project_file),
            dependency: if language == Language::Rust { generated.dependency.clone() } else { Dependency::Unknown },
            to_fill_in: language.to_fill_in(),
        }
    }

    /// Whether a generated file is out of date.
    pub fn is_stale(&self) -> bool {
        self.files.iter().any(FileRow::is_stale)
    }

    /// Prints the report to standard output, and notes to standard error.
    pub fn print(&self, json: bool) -> io::Result<()> {
        let mut out = buffered_stdout();
        if json {
            writeln!(out, "{}", serde_json::json!(self))?;
        } else {
            self.notes.iter().for_each(|note| complain(format_args!("note: {note}")));
            if let Some(options) = remembered(&self.remembered) {
                complain(format_args!("note: with the options of the earlier run: {options} (--forget drops them)"));
            }
            match self.verdict {
                Verdict::Written => self.tell_written(&mut out)?,
                Verdict::Checked => self.tell_checked(&mut out)?,
            }
        }
        out.flush()
    }

    fn tell_written(&self, out: &mut impl Write) -> io::Result<()> {
        let Palette { heading, faint, good, .. } = palette::stdout();
        let Self { spec, next, language, directory, .. } = self;
        let directory = directory.display();
        writeln!(out, "{heading}{language} fuzzer for {spec} in {directory}{heading:#}")?;
        writeln!(out, "  actions of {next}: {}", self.actions.join(", "))?;
        for file in &self.files {
            let path = file.path.display();
            match file.state {
                State::New => writeln!(out, "  {good}written{good:#}    {path}")?,
                State::Stale => writeln!(out, "  {good}updated{good:#}    {path}")?,
                State::Current => writeln!(out, "  {faint}up to date {path}{faint:#}")?,
                State::Kept => writeln!(out, "  {faint}kept       {path} (yours){faint:#}")?,
            }
        }
        if self.is_new {
            if let Some(origin) = origin(&self.dependency) {
                writeln!(
                    out,
                    "  {faint}the crate omnilink is taken from {origin} (--omnilink says otherwise){faint:#}"
                )?;
            }
            let file = self.to_fill_in.display();
            writeln!(out, "{heading}Next:{heading:#} say in {file} how each action is performed, then")?;
            self.next_commands.iter().try_for_each(|command| writeln!(out, "  {command}"))?;
            writeln!(out, "{NAME} says the same: in the project `omnilink run` alone builds, runs and checks.")?;
        } else if self.is_stale() {
            writeln!(out, "{heading}Next:{heading:#} build it; the compiler names actions that came or went")?;
        }
        Ok(())
    }

    fn tell_checked(&self, out: &mut impl Write) -> io::Result<()> {
        let Palette { good, bad, .. } = palette::stdout();
        let directory = self.directory.display();
        if !self.is_stale() {
            return writeln!(out, "{good}up to date{good:#}: {directory}");
        }
        for file in self.files.iter().filter(|file| file.is_stale()) {
            let path = self.directory.join(&file.path);
            match file.state {
                State::New => writeln!(out, "{bad}missing{bad:#}: {}", path.display())?,
                State::Stale => writeln!(out, "{bad}stale{bad:#}: {}", path.display())?,
                State::Current | State::Kept => {}
            }
        }
        writeln!(out, "Run the same command without --check to bring it up to date.")
    }
}

/// What to type to build a project, and to run and check it in a loop.
pub fn commands(directory: &Path, file: &ProjectFile) -> Vec<String> {
    let mut words = vec!["run".to_owned(), file.spec.clone()];
    let mut option = |name: &str, value: &String| words.extend([name.to_owned(), value.clone()]);
    file.cfg.iter().for_each(|cfg| option("--cfg", cfg));
    file.constants.iter().for_each(|constant| option("--const", constant));
    file.module_paths.iter().for_each(|path| option("--module-path", path));
    file.next.iter().for_each(|next| option("--next", next));
    words.extend(["--".to_owned(), file.program.clone()]);
    let enter = (directory != Path::new(".")).then(|| line(&["cd".to_owned(), directory.display().to_string()]));
    enter.into_iter().chain(file.build.clone()).chain([own_command_elsewhere(words)]).collect()
}

/// Where the crate `omnilink` comes from; nothing if it is not taken from anywhere.
pub fn origin(dependency: &Dependency) -> Option<String> {
    match dependency {
        Dependency::Path(path) => Some(path.display().to_string()),
        Dependency::Version(version) => Some(format!("the registry, version {version}")),
        Dependency::Git { url, .. } => Some(url.clone()),
        Dependency::Unknown => None,
    }
}

/// Options as words of a command line; `None` if there are none.
fn remembered(options: &Recipe) -> Option<String> {
    let paths = |name: &str, paths: &[PathBuf]| {
        paths.iter().map(|path| format!("--{name} {}", path.display())).collect::<Vec<_>>()
    };
    let mut texts = Vec::new();
    texts.extend(options.next.iter().map(|next| format!("--next {next}")));
    texts.extend((!options.only.is_empty()).then(|| format!("--only {}", options.only.join(","))));
    texts.extend((!options.exclude.is_empty()).then(|| format!("--exclude {}", options.exclude.join(","))));
    texts.extend(paths("cfg", options.cfg.as_slice()));
    texts.extend(options.constants.iter().map(|constant| format!("--const '{constant}'")));
    texts.extend(paths("module-path", &options.module_paths));
    (!texts.is_empty()).then(|| texts.join(" "))
}
