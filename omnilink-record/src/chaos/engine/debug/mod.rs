//! A debugger in a program that runs by a recorded schedule.
//!
//! ```text
//!  engine ── go_on ──► running: breakpoints in, the thread goes on, breakpoints out ──► the scheduler's business
//!                        │ an event begins, a breakpoint, a step, Ctrl-C
//!                        ▼
//!                      serving ──► session ◄── gdb's remote protocol ──► gdb
//!                                    │
//!                                  target: registers, memory and threads, as the program would have them without us
//! ```
//!
//! The debugger sees a program whose code has not been rewritten: bytes are the original ones, and a thread that is in a
//! trampoline is where the displaced instruction was. Nothing that it does changes the schedule by itself: what the
//! debugger stops the scheduler does not notice, the clock does not advance, and points are counted as they are
//! passed. Continuing is going on by the schedule, for whoever's turn it is; a step is a step of the thread, whenever its
//! turn is. Only what is written (variables, registers, functions that are called) can make the run another one, which
//! the comparison with the recorded run then tells.
//!
//! Where the debugger is let in: see [`crate::debugger::When`]. How a wanted event is found: every action passes through `omnilink_action_begins` in OmniLink's runtime, with the
//! clock reading that its record starts with. Time is virtual, so the reading is the one in the recorded trace.

mod breakpoints;
mod registers;
mod running;
mod serving;
mod session;
mod stepping;
mod target;
mod watchpoints;

use std::collections::HashMap;

use libc::pid_t;

use crate::chaos::mechanism::install::Code;
use crate::chaos::mechanism::interruptions::Interruptions;
use crate::chaos::mechanism::tracee::Resume;
use crate::chaos::state::threads::ThreadIndex;
use crate::debugger::Invitation;
use breakpoints::Breakpoints;
use session::Session;
use stepping::{Step, visible};
use watchpoints::Watched;
pub use watchpoints::Watchpoints;

/// A debugger: one that has been invited, or one that is there.
#[derive(Debug)]
pub struct Debugger<'a> {
    invitation: Invitation<'a>,
    /// The wanted moment has come.
    arrived: bool,
    /// Where the wanted moment may come, until it has.
    begin: Option<u64>,
    /// What the thread whose turn it is has touched, until the debugger is told.
    touched: Option<Watched>,
    breakpoints: Breakpoints,
    session: Option<Session>,
    /// What the debugger wants a thread to do.
    step: Option<Step>,
    /// The debugger wants everybody to stop.
    interrupted: bool,
    /// The thread that runs may be interrupted by us: nobody waits for its stopping for another reason.
    interruptible: bool,
    statuses: HashMap<ThreadIndex, ThreadStatus>,
}

/// What is known of a thread since it last stopped.
#[derive(Debug, Default)]
struct ThreadStatus {
    /// It is about to make a system call, or to return from one.
    in_call: bool,
    /// The breakpoint that it has met, as long as it has not moved on.
    met: Option<u64>,
}

/// What to do with a thread whose turn it is.
#[derive(Debug, PartialEq, Eq)]
enum Turn {
    /// The debugger wants to stop.
    Interrupted,
    /// It has touched what is watched.
    Touched(Watched),
    /// It is at a breakpoint.
    Breakpoint,
    /// It is not to go on before another thread has stepped, which it would have to: that step ends here, without
    /// having been made. The debugger puts back the breakpoints that it has taken out for it, and goes on.
    Unstepped(ThreadIndex),
    /// It goes on.
    GoOn(Resume),
}

impl<'a> Debugger<'a> {
    /// Nobody is there yet.
    pub fn new(invitation: Invitation<'a>) -> Self {
        Self {
            invitation,
            arrived: false,
            begin: None,
            touched: None,
            breakpoints: Breakpoints::default(),
            session: None,
            step: None,
            interrupted: false,
            interruptible: false,
            statuses: HashMap::new(),
        }
    }

    /// The wanted moment comes when a thread is at this address of the program, perhaps not for the first time.
    fn watch_begins_at(&mut self, address: u64, places: &[u64]) {
        self.begin = Some(address);
        self.breakpoints.add(address, places);
    }

    /// Listens to the debugger while the program runs. A thread that runs is stopped if it may be.
    pub fn listen(&mut self, running: Option<pid_t>, interruptions: &mut Interruptions) {
        if self.interrupted || !self.session.as_mut().is_some_and(Session::interrupts) {
            return;
        }
        self.interrupted = true;
        if let Some(tid) = running.filter(|_| self.interruptible) {
            interruptions.interrupt(tid);
        }
    }

    fn steps(&self, thread: ThreadIndex) -> bool {
        self.step.as_ref().is_some_and(|step| step.thread == thread)
    }

    /// What to do with a thread at this address whose turn it is.
    fn turn(&mut self, thread: ThreadIndex, at: u64, code: &Code) -> Turn {
        let is_visible = visible(code, at).is_some();
        if is_visible && let Some(watched) = self.touched.take() {
            return Turn::Touched(watched);
        }
        if self.interrupted && is_visible {
            return Turn::Interrupted;
        }
        if let Some(step) = self.step.as_ref().filter(|step| step.alone && step.thread != thread) {
            return Turn::Unstepped(step.thread);
        }
        let status = self.statuses.entry(thread).or_default();
        // A thread in a system call is not at the instruction behind it yet.
        let breakpoint = self.breakpoints.at(at).filter(|_| !status.in_call);
        // A thread that was preempted right before a breakpoint has not stopped there yet.
        if breakpoint.is_some() && breakpoint != status.met {
            return Turn::Breakpoint;
        }
        // In the middle of a trampoline is no place to stop, a few instructions later is.
        let hurries = (self.interrupted || self.touched.is_some()) && !is_visible;
        Turn::GoOn(if breakpoint.is_some() || hurries || self.steps(thread) { Resume::Step } else { Resume::Run })
    }
}
