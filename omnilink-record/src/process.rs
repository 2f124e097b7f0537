//! A process that the kernel schedules, from start to end.

use std::ffi::OsStr;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use libc::pid_t;
use nix::sys::signal::{self, Signal};
use nix::unistd::Pid;

use crate::backstop::Backstop;
use crate::directory::{Streams, TRACE_DESCRIPTOR};
use crate::ending::{Ending, Stopped};
use crate::error::RecordError;
use crate::plan::Plan;

/// How often is looked whether it has ended.
pub const INTERVAL: Duration = Duration::from_micros(500);
/// After how many looks limits are checked.
const LOOKS: u64 = 100;

/// The command that runs a plan's program by itself.
pub fn command(plan: &Plan) -> Command {
    let mut command = Command::new(&plan.program);
    command.args(&plan.arguments);
    command
}

/// Watches a process.
pub trait Watcher {
    /// It is about to begin with this command.
    fn prepare(&mut self, _command: &mut Command) {}

    /// It has begun.
    fn begin(&mut self, _pid: pid_t) {}

    /// Called now and then.
    fn look(&mut self, _pid: pid_t) {}

    /// How it has ended; none if it has not, after a moment.
    fn wait(&mut self, child: &mut Child) -> io::Result<Option<Ending>> {
        let status = child.try_wait()?;
        if status.is_none() {
            thread::sleep(INTERVAL);
        }
        Ok(status.map(ending))
    }

    /// It is about to be killed.
    fn stopping(&mut self) {}
}

/// Watches nothing.
#[derive(Debug)]
pub struct Nobody;

impl Watcher for Nobody {}

/// Runs a command in the surroundings of a plan.
pub fn run(
    mut command: Command,
    plan: &Plan,
    streams: &Streams,
    interrupt: &AtomicBool,
    watcher: &mut impl Watcher,
) -> Result<Ending, RecordError> {
    let program = command.get_program().to_owned();
    watcher.prepare(&mut command);
    let mut child = spawn(&mut command, plan, streams).map_err(RecordError::file(&program))?;
    let group = child.id() as pid_t;
    let mut backstop = Backstop::new(plan.limits.wall_clock, false);
    let mut looks = 0_u64;
    watcher.begin(group);
    let ending = loop {
        looks += 1;
        if let Some(ending) = watcher.wait(&mut child).map_err(RecordError::system("waitpid"))? {
            break ending;
        }
        let stop = if interrupt.load(Ordering::Relaxed) {
            Some(Stopped::Interrupted)
        } else {
            (looks.is_multiple_of(LOOKS) && backstop.is_reached(&[group])).then_some(Stopped::WallClock)
        };
        if let Some(why) = stop {
            if why == Stopped::WallClock {
                watcher.stopping();
            }
            // Fails only if it has ended in this moment.
            let _ = child.kill();
            while watcher.wait(&mut child).map_err(RecordError::system("waitpid"))?.is_none() {}
            break Ending::Stopped(why);
        }
        watcher.look(group);
    };
    // Processes that the program has started and left behind, if there are any.
    let _ = signal::killpg(Pid::from_raw(group), Signal::SIGKILL);
    Ok(ending)
}

fn spawn(command: &mut Command, plan: &Plan, streams: &Streams) -> io::Result<Child> {
    let trace = streams.trace.as_raw_fd();
    // What the command brings along, over a clean environment.
    let own: Vec<_> = command.get_envs().map(|(name, value)| (name.to_owned(), value.map(OsStr::to_owned))).collect();
    command
        .env_clear()
        .envs(plan.environment.iter())
        .envs(own.into_iter().filter_map(|(name, value)| Some((name, value?))))
        .current_dir(&plan.working_directory)
        .stdin(streams.stdin.try_clone()?)
        .stdout(streams.stdout.try_clone()?)
        .stderr(streams.stderr.try_clone()?)
        // Ctrl-C is for us.
        .process_group(0);
    let prepare = move || {
        // SAFETY: system calls on plain numbers and on a struct that outlives them, all allowed after fork. The program
        // dies with the thread that starts it, and leaves no core files.
        unsafe {
            let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            libc::setrlimit(libc::RLIMIT_CORE, &none);
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            match libc::dup2(trace, TRACE_DESCRIPTOR) {
                -1 => Err(io::Error::last_os_error()),
                _ => Ok(()),
            }
        }
    };
    // SAFETY: the closure makes system calls only.
    unsafe { command.pre_exec(prepare) };
    command.spawn()
}

fn ending(status: ExitStatus) -> Ending {
    match status.code() {
        Some(code) => Ending::Exited(code),
        None => Ending::Killed(status.signal().unwrap_or(libc::SIGKILL)),
    }
}
