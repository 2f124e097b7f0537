//! `omnilink.project`: what `omnilink run` does in a project when it is given no specification.
//!
//! ```text
//! # Comments begin at the first column.
//! spec: Queue.tla
//! const: Elems = {1, 2,
//!   3}
//! build: cargo build --release --target-dir target
//! program: target/release/queue-fuzzer
//! ```
//!
//! A line is `key: value`; a line that begins with a space goes on with the value above it. Paths are seen from the file's
//! directory. Which specification it is and what it is loaded with is what the generator was given, so those lines are
//! brought up to date when a project is generated again; all others are the user's.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::error::Error;

/// The file's name.
pub const NAME: &str = "omnilink.project";

/// What a project file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectFile {
    /// `spec`: the specification.
    pub spec: String,
    /// `cfg`: its configuration, if it is not beside it under the same name.
    pub cfg: Option<String>,
    /// `const`: values of constants, `NAME = VALUE`; may be repeated.
    pub constants: Vec<String>,
    /// `module-path`: where modules are looked for, too; may be repeated.
    pub module_paths: Vec<String>,
    /// `next`: the next-state relation, if it is not the configuration's.
    pub next: Option<String>,
    /// `build`: the shell command that builds the program, if it has to be built.
    pub build: Option<String>,
    /// `program`: the program to run, and its arguments, separated by spaces.
    pub program: String,
}

const COMMENT: &str = "\
# What `omnilink run` does here: it builds the program, runs it again and again, and checks every run.
# These lines are kept up to date by `omnilink gen-fuzzer`:
";
const YOURS: &str = "# These lines are yours:\n";

/// What a line begins with that goes on with the value above it.
const INDENTATION: &str = "  ";

/// The keys that the generator keeps up to date.
const GENERATED: [&str; 5] = ["spec", "cfg", "const", "module-path", "next"];

impl ProjectFile {
    /// The file in a directory; nothing if there is none.
    ///
    /// # Errors
    /// If it cannot be read, or says something that is not understood.
    pub fn read(directory: &Path) -> Result<Option<Self>, Error> {
        let path = directory.join(NAME);
        match fs::read_to_string(&path) {
            Ok(text) => Self::parse(&text, &path).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(Error::File { path, source }),
        }
    }

    /// The file of a directory or of the nearest one above it, and where that is.
    ///
    /// # Errors
    /// As [`ProjectFile::read`].
    pub fn find(directory: &Path) -> Result<Option<(PathBuf, Self)>, Error> {
        for directory in directory.ancestors() {
            if let Some(file) = Self::read(directory)? {
                return Ok(Some((directory.to_owned(), file)));
            }
        }
        Ok(None)
    }

    fn parse(text: &str, path: &Path) -> Result<Self, Error> {
        let mut file = Self::default();
        for entry in entries(text) {
            let wrong = |problem: String| Error::ProjectFile { path: path.to_owned(), line: entry.line, problem };
            let Some(key) = entry.key else {
                return Err(wrong("is not of the form `key: value`".to_owned()));
            };
            let value = entry.value.trim().to_owned();
            if value.is_empty() {
                return Err(wrong(format!("`{key}` has no value")));
            }
            let single = match key {
                "const" => {
                    file.constants.push(value);
                    continue;
                }
                "module-path" => {
                    file.module_paths.push(value);
                    continue;
                }
                "spec" => &mut file.spec,
                "program" => &mut file.program,
                "cfg" => file.cfg.get_or_insert_default(),
                "next" => file.next.get_or_insert_default(),
                "build" => file.build.get_or_insert_default(),
                _ => {
                    let keys = "spec, cfg, const, module-path, next, build, program";
                    return Err(wrong(format!("`{key}` is no key; there are {keys}")));
                }
            };
            if !single.is_empty() {
                return Err(wrong(format!("`{key}` is there already")));
            }
            *single = value;
        }
        for (key, value) in [("spec", &file.spec), ("program", &file.program)] {
            if value.is_empty() {
                let problem = format!("has no line `{key}: …`");
                return Err(Error::ProjectFile { path: path.to_owned(), line: 0, problem });
            }
        }
        Ok(file)
    }

    /// The text of the file, with those lines of an earlier one that are the user's.
    pub fn text(&self, earlier: Option<&str>) -> String {
        let yours = match earlier {
            None => YOURS.to_owned() + &self.own_lines(),
            Some(text) => users_part(text),
        };
        format!("{COMMENT}{}{yours}", self.generated_lines())
    }

    fn generated_lines(&self) -> String {
        let mut text = line("spec", &self.spec);
        self.cfg.iter().for_each(|cfg| text += &line("cfg", cfg));
        self.constants.iter().for_each(|constant| text += &line("const", constant));
        self.module_paths.iter().for_each(|path| text += &line("module-path", path));
        self.next.iter().for_each(|next| text += &line("next", next));
        text
    }

    fn own_lines(&self) -> String {
        let build = self.build.iter().map(|build| line("build", build)).collect::<String>();
        build + &line("program", &self.program)
    }
}

fn line(key: &str, value: &str) -> String {
    format!("{key}: {}\n", value.trim().replace('\n', &format!("\n{INDENTATION}")))
}

/// The lines of an earlier file without those of the generator.
fn users_part(text: &str) -> String {
    let generated = |entry: &Entry<'_>| entry.key.is_some_and(|key| GENERATED.contains(&key));
    let owned: Vec<_> = entries(text).into_iter().filter(generated).collect();
    let is_generated = |number: usize| owned.iter().any(|entry| entry.lines().contains(&number));
    let rest =
        text.lines().enumerate().filter(|(at, line)| !is_generated(at + 1) && !COMMENT.lines().any(|own| own == *line));
    rest.map(|(_, line)| format!("{line}\n")).collect()
}

/// A line with those that go on with it.
struct Entry<'a> {
    line: usize,
    count: usize,
    /// Nothing if the line has no colon.
    key: Option<&'a str>,
    value: String,
}

impl Entry<'_> {
    fn lines(&self) -> std::ops::Range<usize> {
        self.line..self.line + self.count
    }
}

fn entries(text: &str) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let goes_on = line.starts_with([' ', '\t']);
        match entries.last_mut() {
            Some(last) if goes_on && last.lines().end == at + 1 => {
                last.value.push('\n');
                last.value += line.strip_prefix(INDENTATION).unwrap_or(line.trim_start());
                last.count += 1;
            }
            _ if line.trim().is_empty() || line.starts_with('#') => {}
            _ => {
                let (key, value) = line.split_once(':').map_or((None, line), |(key, value)| (Some(key.trim()), value));
                entries.push(Entry { line: at + 1, count: 1, key, value: value.to_owned() });
            }
        }
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> ProjectFile {
        ProjectFile {
            spec: "Queue.tla".into(),
            cfg: Some("Small.cfg".into()),
            constants: vec!["Elems = {1,\n 2} \\cup {\"a: b\"}".into(), "N = 3".into()],
            module_paths: vec!["../modules".into()],
            next: Some("World".into()),
            build: Some("cmake -B build && cmake --build build".into()),
            program: "build/fuzzer --buggy".into(),
        }
    }

    fn parsed(text: &str) -> Result<ProjectFile, String> {
        ProjectFile::parse(text, Path::new(NAME)).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_written_is_read_again() {
        assert_eq!(parsed(&full().text(None)), Ok(full()));
        let least = ProjectFile { spec: "Q.tla".into(), program: "q".into(), ..ProjectFile::default() };
        assert_eq!(parsed(&least.text(None)), Ok(least));
    }

    #[test]
    fn lines_of_the_user_stay() {
        let edited =
            full().text(None).replace("program: build/fuzzer --buggy", "# mine\nprogram: other") + "\n# at the end\n";
        let changed = ProjectFile { constants: vec!["N = 4".into()], cfg: None, ..full() };
        let text = changed.text(Some(&edited));
        let expected = ProjectFile { program: "other".into(), ..changed.clone() };
        assert_eq!(parsed(&text), Ok(expected));
        assert!(text.contains("# mine\nprogram: other\n\n# at the end\n"), "{text}");
        assert_eq!(changed.text(Some(&text)), text, "the second time nothing changes");
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, expected) in [
            ("spec: Q.tla\nprogramm: q\n", "omnilink.project:2: `programm` is no key"),
            ("spec: Q.tla\n\nwhat\n", "omnilink.project:3: is not of the form"),
            ("spec:\n", "omnilink.project:1: `spec` has no value"),
            ("spec: Q.tla\nspec: R.tla\n", "omnilink.project:2: `spec` is there already"),
            ("spec: Q.tla\n", "omnilink.project: has no line `program: …`"),
            ("", "omnilink.project: has no line `spec: …`"),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn the_nearest_file_above_is_found() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir_all(place.path().join("a/b")).unwrap();
        fs::write(place.path().join("a").join(NAME), full().text(None)).unwrap();
        let (found, file) = ProjectFile::find(&place.path().join("a/b")).unwrap().unwrap();
        assert_eq!((found, file.program), (place.path().join("a"), full().program));
    }
}
