//! Runs other programs with a time limit.

use std::env;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than a Java virtual machine takes to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// How a program ended, and its output.
pub struct Answer {
    /// How it ended.
    pub status: ExitStatus,
    /// Its standard output, then its standard error.
    pub output: String,
}

impl Answer {
    /// The first line that is not empty.
    pub fn first_line(&self) -> &str {
        self.output.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("(no output)")
    }

    /// How it ended, in words.
    pub fn ending(&self) -> String {
        match (self.status.code(), self.status.signal()) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => format!("killed by signal {signal}"),
            (None, None) => "it did not end".to_owned(),
        }
    }
}

/// Runs `command` to its end, or kills it when it takes too long.
///
/// Output goes to files: a pipe that is not read could block the program forever.
pub fn ask(command: &mut Command) -> io::Result<Answer> {
    let scratch = tempfile::tempdir()?;
    let (out, err) = (scratch.path().join("out"), scratch.path().join("err"));
    let mut child = command.stdin(Stdio::null()).stdout(File::create(&out)?).stderr(File::create(&err)?).spawn()?;
    let deadline = Instant::now() + PATIENCE;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            let message = format!("it did not end within {} seconds", PATIENCE.as_secs());
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
        }
        thread::sleep(Duration::from_millis(5));
    };
    let mut output = String::from_utf8_lossy(&fs::read(&out)?).into_owned();
    output.push_str(&String::from_utf8_lossy(&fs::read(&err)?));
    Ok(Answer { status, output })
}

/// The first executable file called `name` in `PATH`.
pub fn find_in_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|dir| dir.join(name)).find(|file| is_executable(file))
}

fn is_executable(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// A setting under `/proc` or `/sys`, trimmed.
pub fn setting(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}
