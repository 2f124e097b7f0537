//! The engine: lets the chosen thread go on, waits until it stops, sees why, and has somebody chosen again.
//!
//! The top layer joins the others: it asks the `policy` what to do, does it by the `mechanism`, and keeps the `state` up to
//! date. Each kind of stop has a file here.

mod calls;
mod children;
mod crash;
mod deadlock;
pub mod debug;
mod futex;
mod interruptions;
mod kernel_waits;
mod lives;
mod loading;
mod open_calls;
mod outside;
mod processor_questions;
mod schedule;
mod signal_waits;
mod signals;
mod stuck;
mod thread_stacks;
mod timer_calls;
mod timers;
mod traced_calls;
mod usage;
mod watch;

use std::io;

use libc::pid_t;

use super::Setting;
use super::mechanism::code::Kind;
use super::mechanism::install::Hit;
use super::mechanism::interruptions::Interruptions;
use super::mechanism::passive::Passive;
use super::mechanism::process::{Process, Trapped};
use super::mechanism::sanitizers;
use super::mechanism::ticker::Ticker;
use super::mechanism::tracee::{self, Resume, Stop, Whom};
use super::policy::budget::Budget;
use super::policy::scheduler::Scheduler;
use super::policy::strategy::Strategy;
use super::policy::watchdog::{TICK, Watchdog};
use super::state::file_times::FileTimes;
use super::state::handlers::Handlers;
use super::state::notes::Notes;
use super::state::ports::Ports;
use super::state::threads::{Thread, ThreadIndex, Threads};
use super::state::time;
use super::state::timers::Timers;
use crate::ending::{Ending, Stopped};
use crate::error::RecordError;
use crate::observed::Observed;
use crate::plan::Plan;
use crate::seed::Luck;
use crash::Crash;
use debug::{Debugger, Watchpoints};

/// Why the loop ends.
#[derive(Debug)]
pub enum Halt {
    /// The program ends by itself.
    Leaving,
    /// Nobody can run any more.
    Deadlock,
    /// It is to be stopped.
    Stop(Stopped),
    /// It cannot be run in this way.
    Refused(RecordError),
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Self {
        match error.raw_os_error() {
            // A thread that does not react to us has been killed.
            Some(libc::ESRCH | libc::ECHILD) => Self::Leaving,
            _ => Self::Refused(RecordError::System { what: "controlling the program", source: error }),
        }
    }
}

impl From<Stopped> for Halt {
    fn from(why: Stopped) -> Self {
        Self::Stop(why)
    }
}

/// A program being run.
pub struct Engine<'a> {
    plan: &'a Plan,
    setting: &'a Setting<'a>,
    // Mechanism.
    process: Process,
    passive: Passive,
    interruptions: Interruptions,
    watchpoints: Watchpoints,
    _ticker: Ticker,
    // State.
    threads: Threads,
    timers: Timers,
    handlers: Handlers,
    file_times: FileTimes,
    ports: Ports,
    /// What the program takes for random.
    random: Luck,
    /// What the kernel may do on its own.
    asynchronous: Option<&'static str>,
    /// The signal that is about to end the program, if one is.
    crash: Option<Crash>,
    notes: Notes,
    // Policy.
    scheduler: Scheduler<'a>,
    budget: Budget<'a>,
    watchdog: Watchdog,
    debugger: Option<Debugger<'a>>,
}

impl<'a> Engine<'a> {
    /// Starts a program and stops it before its first instruction.
    pub fn launch(
        plan: &'a Plan,
        setting: &'a Setting<'a>,
        strategy: &'a mut dyn Strategy,
    ) -> Result<Self, RecordError> {
        // What cannot be rewritten is not even started.
        let (_, image) = setting.cache.image(&plan.program)?;
        let without_leaks = sanitizers::without_leaks(&image, &plan.environment);
        let environment = without_leaks.as_ref().unwrap_or(&plan.environment);
        let ticker = Ticker::start(TICK).map_err(RecordError::system("timer_create"))?;
        let (process, fixed_addresses) = Process::launch(plan, environment, setting.streams, &traced_calls::all())?;
        process.control().set_clock(time::START);
        let mut notes = Notes::default();
        if !fixed_addresses {
            notes.add("addresses could not be fixed (personality is forbidden): they differ from run to run");
        }
        notes.extend(without_leaks.map(|_| sanitizers::NOTE.to_owned()));
        Ok(Self {
            plan,
            setting,
            threads: Threads::new(Thread::new(process.id(), 0)),
            scheduler: Scheduler::new(plan.seed, strategy, process.control()),
            process,
            passive: Passive::default(),
            interruptions: Interruptions::default(),
            watchpoints: Watchpoints::default(),
            _ticker: ticker,
            timers: Timers::default(),
            handlers: Handlers::default(),
            file_times: FileTimes::begin(),
            ports: Ports::default(),
            random: Luck::new(plan.seed, "random numbers"),
            asynchronous: None,
            crash: None,
            notes,
            budget: Budget::new(plan.limits, setting.interrupt),
            watchdog: Watchdog::default(),
            debugger: None,
        })
    }

    /// Runs the program to its end.
    pub fn run(mut self) -> Result<Observed, RecordError> {
        let halt = loop {
            if let Err(halt) = self.step() {
                break halt;
            }
        };
        let (ending, stacks) = match halt {
            Halt::Leaving => {
                let ending = self.drain();
                let stacks = Crash::stacks_of(self.crash.take(), &ending);
                (ending, stacks)
            }
            Halt::Deadlock => {
                self.stop_everybody();
                let (report, stacks) = deadlock::describe(&self);
                self.show_deadlock(&stacks);
                self.kill();
                (Ending::Deadlocked(report), stacks)
            }
            Halt::Stop(why) => {
                if why == Stopped::WallClock {
                    self.notes.extend(self.cannot_tell());
                }
                if why != Stopped::Interrupted {
                    self.notes.extend(self.stuck());
                }
                let stacks = self.show_stopping(why);
                self.kill();
                (Ending::Stopped(why), stacks)
            }
            Halt::Refused(error) => {
                self.kill();
                return Err(error);
            }
        };
        self.show_end(&ending);
        if let Ending::Exited(code) | Ending::Killed(code) = ending {
            self.scheduler.end(code);
        }
        self.notes.extend(self.process.notes());
        Ok(Observed {
            ending,
            schedule_hash: self.scheduler.hash(),
            points: self.scheduler.points(),
            decisions: self.scheduler.decisions(),
            switches: self.scheduler.switches(),
            threads: self.threads.iter().count(),
            notes: self.notes.into_vec(),
            stacks,
        })
    }

    fn step(&mut self) -> Result<(), Halt> {
        let index = self.threads.current_index();
        if self.threads[index].wait().is_some() {
            return self.look_again();
        }
        let stop = match self.threads[index].take_deferred() {
            Some(stop) => stop,
            None => {
                self.arm()?;
                let signal = self.threads[index].take_signal();
                self.go_on(signal)?
            }
        };
        // That a function is entered for the first time changes nothing else.
        if stop == Stop::Signal(libc::SIGTRAP)
            && self.process.entered_function(self.threads[index].tid(), self.scheduler.is_counting())?
        {
            return Ok(());
        }
        self.scheduler.settle(self.process.control());
        match stop {
            Stop::Exited(_) | Stop::Killed(_) => self.thread_gone(index, stop),
            Stop::SystemCallExit => Ok(()),
            Stop::Signal(libc::SIGTRAP) => self.trapped(),
            Stop::Signal(signal) => self.signalled(signal),
            Stop::Event(libc::PTRACE_EVENT_SECCOMP) => self.system_call(),
            Stop::Event(event) => self.event(event),
        }
    }

    /// Waits until a thread stops, and meanwhile looks after everyone else.
    fn wait_for(&mut self, tid: pid_t) -> Result<Stop, Halt> {
        self.watchdog.begin();
        loop {
            let alone = self.passive.is_empty() && !self.threads.any(|thread| thread.is_in_kernel());
            match tracee::wait(if alone { Whom::Thread(tid) } else { Whom::Anyone }) {
                Ok((who, stop)) if who == tid => return Ok(stop),
                Ok((who, stop)) => self.dispatch(who, stop)?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => self.tick(Some(tid))?,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Handles a stop of a thread or process other than the one that is being waited for.
    fn dispatch(&mut self, who: pid_t, stop: Stop) -> Result<(), Halt> {
        match self.threads.find(who) {
            Some(index) if matches!(stop, Stop::Exited(_) | Stop::Killed(_)) => self.thread_gone(index, stop),
            Some(index) => {
                self.threads[index].defer(stop);
                self.threads[index].end_wait();
                Ok(())
            }
            None => self.child_stopped(who, stop),
        }
    }

    /// The current thread has hit a trap.
    fn trapped(&mut self) -> Result<(), Halt> {
        let tid = self.threads.current().tid();
        match self.process.trapped(tid)? {
            Trapped::Countdown(location) => self.slice_ended(location),
            Trapped::Entry(entry) => self.install(entry),
            Trapped::Code(hit) => self.hit(tid, &hit),
            Trapped::Other => self.signalled(libc::SIGTRAP),
        }
    }

    fn hit(&mut self, tid: pid_t, hit: &Hit) -> Result<(), Halt> {
        if hit.trap.kind == Kind::Random {
            return Ok(self.answer_random(tid, hit.address)?);
        }
        tracee::set_instruction_pointer(tid, hit.trap.copy)?;
        match hit.trap.kind {
            Kind::Yield => self.yielded(),
            _ => {
                self.process.count_hit(self.living_thread(), hit)?;
                self.point(hit.address)
            }
        }
    }

    /// Lets a waiting thread return from its system call.
    fn wake(&mut self, index: ThreadIndex, result: i64) -> io::Result<()> {
        self.threads[index].end_wait();
        tracee::return_from_call(self.threads[index].tid(), result)
    }

    /// A thread whose files in `/proc` describe the process. Those of the first thread are empty when it has ended.
    fn living_thread(&self) -> pid_t {
        let living = self.threads.iter().find(|(_, thread)| !thread.has_ended());
        living.map_or(self.process.id(), |(_, thread)| thread.tid())
    }

    /// Kills the program and waits until it is gone.
    fn kill(&mut self) {
        tracee::kill(self.process.id());
        self.drain();
    }

    /// Waits until nobody is left. A process that ends takes its stopped threads with it, so they need not be let go.
    fn drain(&mut self) -> Ending {
        let mut ending = Ending::Killed(libc::SIGKILL);
        loop {
            match tracee::wait(Whom::Anyone) {
                Ok((who, Stop::Exited(code))) if who == self.process.id() => {
                    ending = Ending::Exited(code);
                    self.passive.kill();
                }
                Ok((who, Stop::Killed(signal))) if who == self.process.id() => {
                    ending = Ending::Killed(signal);
                    self.passive.kill();
                }
                Ok((_, Stop::Exited(_) | Stop::Killed(_))) => {}
                Ok((who, stop)) => {
                    // Fails only if it is killed in this moment.
                    let _ = self.passive.stopped(who, stop, self.process.code(), Resume::Run);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                    if self.tick(None).is_err() {
                        tracee::kill(self.process.id());
                        self.passive.kill();
                    }
                }
                Err(_) => return ending,
            }
        }
    }
}
