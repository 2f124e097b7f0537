//! The loop: let the chosen thread go on, wait until it stops, see why, choose again.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use libc::pid_t;

use super::code::Kind;
use super::control::ControlPage;
use super::crash::Crash;
use super::debug::{Debugger, Watchpoints};
use super::file_times::FileTimes;
use super::install::{Code, Hit};
use super::interruptions::Interruptions;
use super::memory::Memory;
use super::passive::Passive;
use super::ports::Ports;
use super::schedule::ALONE;
use super::signals::Handlers;
use super::strategy::{Strategy, ThreadIndex};
use super::threads::{State, Thread, Threads};
use super::ticker::Ticker;
use super::timers::Timers;
use super::tracee::{self, Resume, Stop, Whom};
use super::turns::Turns;
use super::watch::TICK;
use super::{Setting, deadlock, inject, launch, processor, sanitizers, startup, time};
use crate::backstop::Backstop;
use crate::ending::{Ending, Stopped};
use crate::error::RecordError;
use crate::hash::ScheduleHash;
use crate::observed::Observed;
use crate::plan::{Limits, Plan};
use crate::seed::Luck;

/// A trap that is hit more often than this is taken out: it would take longer than all the rest.
const HOT: u32 = 4096;
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

/// A program being run.
pub struct Engine<'a> {
    pub(super) pid: pid_t,
    pub(super) memory: Memory,
    pub(super) control: ControlPage,
    pub(super) code: Code,
    pub(super) threads: Threads,
    pub(super) current: ThreadIndex,
    pub(super) turns: Turns,
    pub(super) strategy: &'a mut dyn Strategy,
    /// Who is woken, and when.
    pub(super) luck: Luck,
    /// What the program takes for random.
    pub(super) random: Luck,
    pub(super) passive: Passive,
    pub(super) notes: Vec<String>,
    pub(super) handlers: Handlers,
    pub(super) file_times: FileTimes,
    pub(super) ports: Ports,
    pub(super) hash: ScheduleHash,
    /// How many processors the program is told to have.
    pub(super) processors: usize,
    pub(super) plan: &'a Plan,
    pub(super) setting: &'a Setting<'a>,
    pub(super) interrupt: &'a AtomicBool,
    pub(super) limits: Limits,
    pub(super) backstop: Backstop,
    /// What has been done, counted in decisions.
    pub(super) effort: u64,
    pub(super) checks: u64,
    pub(super) timers: Timers,
    /// The thread that a timer is being made for, as the program knows it.
    pub(super) named_thread: Option<pid_t>,
    /// What the kernel may do on its own.
    pub(super) asynchronous: Option<&'static str>,
    /// Where the program begins, until it has begun.
    pub(super) entry: Option<(u64, u8)>,
    /// Whether points are counted: not while nobody else could run.
    pub(super) armed: bool,
    /// What remains of the slice while points are not counted.
    pub(super) remaining: i32,
    /// What the countdown was set to when it was last looked at.
    pub(super) loaded: i32,
    pub(super) hits: HashMap<u64, u32>,
    pub(super) points: u64,
    /// Points that passed while nobody else could run.
    pub(super) points_alone: u64,
    pub(super) decisions: u64,
    pub(super) switches: u64,
    pub(super) idle_ticks: u32,
    /// The current thread is interrupted because it was found waiting in the kernel.
    pub(super) found_waiting: bool,
    /// How long the current thread had been computing when it was first looked at.
    pub(super) computed: Option<Duration>,
    pub(super) debugger: Option<Debugger<'a>>,
    pub(super) interruptions: Interruptions,
    pub(super) watchpoints: Watchpoints,
    /// The signal that is about to end the program, if one is.
    pub(super) crash: Option<Crash>,
    _ticker: Ticker,
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
        let control = ControlPage::new().map_err(RecordError::system("memfd_create"))?;
        control.set_clock(time::START);
        control.set_countdown(ALONE);
        let ticker = Ticker::start(TICK).map_err(RecordError::system("timer_create"))?;
        let launched = launch::launch(plan, environment, setting.streams, control.descriptor())?;
        let pid = launched.pid;
        let prepare = || -> io::Result<_> {
            let memory = Memory::of(pid)?;
            let entry = startup::prepare(pid, &memory, plan.seed)?;
            if !inject::finish_exec(pid)? {
                return Err(io::Error::from_raw_os_error(libc::ESRCH));
            }
            processor::hide(pid, &memory)?;
            let mut original = [0];
            memory.read(entry, &mut original)?;
            memory.write(entry, &[0xcc])?;
            Ok((memory, (entry, original[0])))
        };
        let (memory, entry) = prepare().map_err(|source| {
            tracee::kill(pid);
            let _ = tracee::wait(Whom::Thread(pid));
            RecordError::System { what: "preparing the program", source }
        })?;
        let mut threads = Threads::default();
        threads.add(Thread::new(pid, 0));
        strategy.thread_started(0);
        let mut notes = Vec::new();
        if !launched.fixed_addresses {
            notes.push(
                "addresses could not be fixed (personality is forbidden): they differ from run to run".to_owned(),
            );
        }
        notes.extend(without_leaks.map(|_| sanitizers::NOTE.to_owned()));
        Ok(Self {
            pid,
            memory,
            control,
            code: Code::default(),
            threads,
            current: 0,
            turns: Turns::new(),
            strategy,
            luck: Luck::new(plan.seed, "waking"),
            random: Luck::new(plan.seed, "random numbers"),
            passive: Passive::default(),
            notes,
            handlers: Handlers::default(),
            file_times: FileTimes::begin(),
            ports: Ports::default(),
            hash: ScheduleHash::default(),
            processors: plan.processors,
            plan,
            setting,
            interrupt: setting.interrupt,
            limits: plan.limits,
            backstop: Backstop::new(plan.limits.wall_clock, true),
            effort: 0,
            checks: 0,
            timers: Timers::default(),
            named_thread: None,
            asynchronous: None,
            entry: Some(entry),
            armed: false,
            remaining: 0,
            loaded: ALONE,
            hits: HashMap::new(),
            points: 0,
            points_alone: 0,
            decisions: 0,
            switches: 0,
            idle_ticks: 0,
            found_waiting: false,
            computed: None,
            debugger: None,
            interruptions: Interruptions::default(),
            watchpoints: Watchpoints::default(),
            crash: None,
            _ticker: ticker,
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
            self.hash.add(&[self.points, code as u64]);
        }
        self.notes.extend(self.code.left_out());
        self.notes.extend(self.code.coverage.notes());
        Ok(Observed {
            ending,
            schedule_hash: self.hash.value(),
            points: self.points,
            decisions: self.decisions,
            switches: self.switches,
            threads: self.threads.iter().count(),
            notes: self.notes,
            stacks,
        })
    }

    fn step(&mut self) -> Result<(), Halt> {
        let index = self.current;
        if let State::Waiting(_) = self.threads[index].state {
            return self.look_again();
        }
        let stop = match self.threads[index].pending.take() {
            Some(stop) => stop,
            None => {
                self.arm()?;
                let signal = std::mem::take(&mut self.threads[index].signal);
                self.go_on(signal)?
            }
        };
        if self.entered(stop)? {
            return Ok(());
        }
        self.settle();
        match stop {
            Stop::Exited(_) | Stop::Killed(_) => self.thread_gone(index, stop),
            Stop::SystemCallExit => Ok(()),
            Stop::Signal(libc::SIGTRAP) => self.trapped(),
            Stop::Signal(signal) => self.signalled(signal),
            Stop::Event(libc::PTRACE_EVENT_SECCOMP) => self.system_call(),
            Stop::Event(event) => self.event(event),
        }
    }

    /// Whether the current thread has stopped only because it enters a function for the first time. Nothing else takes
    /// notice of that.
    fn entered(&mut self, stop: Stop) -> Result<bool, Halt> {
        if stop != Stop::Signal(libc::SIGTRAP) || !self.code.coverage.is_counting() {
            return Ok(false);
        }
        let tid = self.threads[self.current].tid;
        let address = tracee::instruction_pointer(tid)? - 1;
        let entered = self.code.enter(&self.memory, address, self.armed)?;
        if entered {
            tracee::set_instruction_pointer(tid, address)?;
        }
        Ok(entered)
    }

    /// Waits until a thread stops, and meanwhile looks after everyone else.
    pub(super) fn wait_for(&mut self, tid: pid_t) -> Result<Stop, Halt> {
        self.idle_ticks = 0;
        self.computed = None;
        loop {
            let alone = self.passive.is_empty() && !self.threads.any(|thread| matches!(thread.state, State::InKernel));
            match tracee::wait(if alone { Whom::Thread(tid) } else { Whom::Anyone }) {
                Ok((who, stop)) if who == tid => return Ok(stop),
                Ok((who, stop)) => self.dispatch(who, stop)?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => self.tick(Some(tid))?,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Looks at a stop of somebody who is not being waited for.
    pub(super) fn dispatch(&mut self, who: pid_t, stop: Stop) -> Result<(), Halt> {
        match self.threads.find(who) {
            Some(index) if matches!(stop, Stop::Exited(_) | Stop::Killed(_)) => self.thread_gone(index, stop),
            Some(index) => {
                self.threads[index].pending = Some(stop);
                self.threads[index].state = State::Runnable;
                self.threads[index].called = false;
                Ok(())
            }
            None => self.child_stopped(who, stop),
        }
    }

    /// Notes something once.
    pub(super) fn note(&mut self, text: &str) {
        if !self.notes.iter().any(|note| note == text) {
            self.notes.push(text.to_owned());
        }
    }

    /// The current thread has hit a trap.
    fn trapped(&mut self) -> Result<(), Halt> {
        let tid = self.threads[self.current].tid;
        let address = tracee::instruction_pointer(tid)?;
        if self.code.in_trampolines(address) {
            let location = self.code.place(address).map_or(0, |(_, original)| original);
            return self.slice_ended(location);
        }
        if let Some((entry, original)) = self.entry
            && address == entry + 1
        {
            self.entry = None;
            self.memory.write(entry, &[original])?;
            tracee::set_instruction_pointer(tid, entry)?;
            return self.install(entry);
        }
        match self.code.trap_at(address - 1) {
            Some(hit) => self.hit(tid, &hit),
            None => self.signalled(libc::SIGTRAP),
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
                let hits = self.hits.entry(hit.address).or_default();
                *hits += 1;
                if *hits == HOT {
                    self.code.drop_trap(self.process(), &self.memory, hit)?;
                }
                self.point(hit.address)
            }
        }
    }

    /// Lets a waiting thread return from its system call.
    pub(super) fn wake(&mut self, index: ThreadIndex, result: i64) -> io::Result<()> {
        self.threads[index].state = State::Runnable;
        self.threads[index].called = false;
        self.return_from_call(index, result)
    }

    /// Makes the system call that a thread is stopped at return this, without being made.
    pub(super) fn return_from_call(&self, index: ThreadIndex, result: i64) -> io::Result<()> {
        let tid = self.threads[index].tid;
        let mut registers = tracee::registers(tid)?;
        registers.orig_rax = u64::MAX;
        registers.rax = result as u64;
        tracee::set_registers(tid, &registers)
    }

    /// Kills the program and waits until it is gone.
    fn kill(&mut self) {
        tracee::kill(self.pid);
        self.drain();
    }

    /// Waits until nobody is left. A process that ends takes its stopped threads with it, so they need not be let go.
    fn drain(&mut self) -> Ending {
        let mut ending = Ending::Killed(libc::SIGKILL);
        loop {
            match tracee::wait(Whom::Anyone) {
                Ok((who, Stop::Exited(code))) if who == self.pid => {
                    ending = Ending::Exited(code);
                    self.passive.kill();
                }
                Ok((who, Stop::Killed(signal))) if who == self.pid => {
                    ending = Ending::Killed(signal);
                    self.passive.kill();
                }
                Ok((_, Stop::Exited(_) | Stop::Killed(_))) => {}
                Ok((who, stop)) => {
                    // Fails only for who is killed in this moment.
                    let _ = self.passive.stopped(who, stop, &self.code, Resume::Run);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                    if self.tick(None).is_err() {
                        tracee::kill(self.pid);
                        self.passive.kill();
                    }
                }
                Err(_) => return ending,
            }
        }
    }
}
