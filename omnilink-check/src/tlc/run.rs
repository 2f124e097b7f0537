//! Running TLC on a question.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::Duration;

use super::export::{Export, MODULE};
use super::install::Tlc;
use super::progress::Listener;
use crate::error::CheckError;
use crate::search::{Control, Progress, Stopped};

/// How often to look whether TLC has finished.
const PERIOD: Duration = Duration::from_millis(20);

/// Asks TLC; what it says. Meanwhile `progress` is how far it is.
///
/// # Errors
/// If it could not be run.
pub(super) fn ask(
    tlc: &Tlc,
    export: &Export,
    progress: &mut Progress,
    control: &mut Control<'_>,
) -> Result<Result<String, Stopped>, CheckError> {
    let failed = |path: &Path, error| CheckError::File { path: path.to_owned(), error };
    let directory = tempfile::tempdir().map_err(|error| failed(Path::new("a temporary directory"), error))?;
    export.write(directory.path())?;
    // What TLC says may be long: a file takes it while nobody reads.
    let said = directory.path().join("said.txt");
    let out = File::create(&said).map_err(|error| failed(&said, error))?;
    let mut listener = Listener::new(File::open(&said).map_err(|error| failed(&said, error))?);
    let errors = out.try_clone().map_err(|error| failed(&said, error))?;
    let mut command = tlc.command(directory.path(), control.limits.memory);
    command.args(["-tool", "-deadlock", "-workers", &tlc.workers.to_string()]);
    // It is not run there: the files that a specification reads are named from where the user is. It takes the
    // configuration that is beside the module; with a path of its own TLC 2.15 does not find it.
    command.arg("-metadir").arg(directory.path().join("states"));
    command.arg(directory.path().join(format!("{MODULE}.tla")));
    let started = command.stdin(Stdio::null()).stdout(out).stderr(errors).spawn();
    let child = started.map_err(|error| failed(Path::new(command.get_program()), error))?;
    let mut hear = |control: &mut Control<'_>| {
        let is_news = listener.hear(progress).map_err(|error| failed(&said, error))?;
        if is_news {
            (control.progress)(progress);
        }
        Ok(())
    };
    if let Err(stopped) = wait(Running(child), &mut hear, control)? {
        return Ok(Err(stopped));
    }
    let said = fs::read(&said).map_err(|error| failed(&said, error))?;
    Ok(Ok(String::from_utf8_lossy(&said).into_owned()))
}

/// Waits until TLC has finished, or may not go on, and listens to it.
fn wait(
    mut running: Running,
    hear: &mut dyn FnMut(&mut Control<'_>) -> Result<(), CheckError>,
    control: &mut Control<'_>,
) -> Result<Result<(), Stopped>, CheckError> {
    loop {
        let ended = running.0.try_wait();
        let has_ended = ended.map_err(|error| CheckError::Tlc(format!("TLC was lost: {error}")))?.is_some();
        hear(control)?;
        if has_ended {
            return Ok(Ok(()));
        }
        if control.interrupt.load(Relaxed) {
            return Ok(Err(Stopped::Interrupted));
        }
        if control.limits.timeout.is_some_and(|limit| control.began.elapsed() > limit) {
            return Ok(Err(Stopped::Timeout));
        }
        thread::sleep(PERIOD);
    }
}

/// A process that is killed when this value is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // If it has ended already, there is nothing to end.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
