//! The project that `omnilink run` is called in: what `omnilink.project` says, as if it had been given.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use omnilink_gen::project_file::{NAME, ProjectFile};

use crate::failure::{Failure, complain};
use crate::palette::{self, Palette};
use crate::shell::line;

/// A project that was found.
pub struct Project {
    /// Its directory, as seen from the working directory.
    pub directory: PathBuf,
    /// What is in its file.
    pub file: ProjectFile,
}

impl Project {
    /// The project of the working directory: in it, or above it.
    pub fn find() -> Result<Option<Self>, Failure> {
        let here = env::current_dir().map_err(|error| Failure::new(format!("the current directory: {error}")))?;
        let Some((directory, file)) = ProjectFile::find(&here)? else { return Ok(None) };
        let below = here.strip_prefix(&directory).map_or(0, |rest| rest.components().count());
        Ok(Some(Self { directory: Path::new("..").iter().cycle().take(below).collect(), file }))
    }

    /// The specification.
    pub fn spec(&self) -> PathBuf {
        self.directory.join(&self.file.spec)
    }

    /// Builds the program, if the file says how.
    pub fn build(&self) -> Result<(), Failure> {
        let Some(build) = &self.file.build else { return Ok(()) };
        let Palette { faint, .. } = palette::stderr();
        let mut command = Command::new("sh");
        match library().filter(|_| build.contains("cmake")) {
            Some(prefix) => {
                let setting = line(&[format!("CMAKE_PREFIX_PATH={}", prefix.display())]);
                complain(format_args!("{faint}{NAME}: {setting} {build}{faint:#}"));
                command.env("CMAKE_PREFIX_PATH", prefix);
            }
            None => complain(format_args!("{faint}{NAME}: {build}{faint:#}")),
        }
        command.arg("-c").arg(build).stdin(Stdio::null()).stdout(std::io::stderr());
        if !self.directory.as_os_str().is_empty() {
            command.current_dir(&self.directory);
        }
        let failed = |what: String| {
            let hint = format!("`build` in {} says how to build it", self.directory.join(NAME).display());
            Failure::with_hint(format!("the program could not be built: {what}: {build}"), hint)
        };
        let status = command.status().map_err(|error| failed(format!("sh: {error}")))?;
        match (status.success(), build.split_whitespace().next()) {
            (true, _) => Ok(()),
            (false, Some(tool)) if status.code() == Some(127) => {
                let hint = match tool {
                    "cargo" => "install Rust: https://rustup.rs",
                    "cmake" => "install CMake and a C++ compiler: apt install cmake g++, or https://cmake.org",
                    _ => "install it, or change `build` in omnilink.project",
                };
                Err(Failure::with_hint(format!("the program could not be built: `{tool}` is not installed"), hint))
            }
            (false, _) => Err(failed(status.to_string())),
        }
    }

    /// Says which program it is. An error if it is not there.
    pub fn tell(&self, command: &[OsString]) -> Result<(), Failure> {
        let Palette { faint, .. } = palette::stderr();
        let words: Vec<String> = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let spec = self.spec();
        complain(format_args!("{faint}{NAME}: omnilink run {} -- {}{faint:#}", spec.display(), line(&words)));
        match words.first() {
            Some(program) if !Path::new(program).exists() => {
                let hint = format!("`program` in {} says where it is", self.directory.join(NAME).display());
                let built = if self.file.build.is_some() { " after the build" } else { "" };
                Err(Failure::with_hint(format!("the program {program} is not there{built}"), hint))
            }
            _ => Ok(()),
        }
    }

    /// The program with its arguments and further ones.
    pub fn command(&self, further: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
        let mut words = self.file.program.split_whitespace();
        let program = self.directory.join(words.next().unwrap_or_default());
        // Without a slash it would be looked for in PATH.
        let is_bare = program.components().count() == 1;
        let program = if is_bare { Path::new(".").join(program) } else { program };
        [program.into_os_string()].into_iter().chain(words.map(OsString::from)).chain(further).collect()
    }
}

/// Where the library for C++ is that was installed together with this program, as releases are; none if somebody says where
/// CMake is to look.
fn library() -> Option<PathBuf> {
    let prefix = env::current_exe().ok()?.parent()?.parent()?.to_owned();
    let is_there = prefix.join("lib/cmake/OmniLink/OmniLinkConfig.cmake").is_file();
    (is_there && env::var_os("CMAKE_PREFIX_PATH").is_none()).then_some(prefix)
}
