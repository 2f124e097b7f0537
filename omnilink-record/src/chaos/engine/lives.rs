//! Threads and processes that begin and end.

use std::time::Duration;

use libc::{c_int, pid_t};

use super::{Engine, Halt};
use crate::chaos::mechanism::install::Code;
use crate::chaos::mechanism::proc_files::Stat;
use crate::chaos::mechanism::tracee::{self, Resume, Stop};
use crate::chaos::state::threads::Thread;
use crate::chaos::state::threads::ThreadIndex;
use crate::observed::{BECAME_ANOTHER, STARTS_PROCESSES};

impl Engine<'_> {
    /// One of the events that ptrace reports.
    pub(super) fn event(&mut self, event: c_int) -> Result<(), Halt> {
        let tid = self.threads.current().tid();
        match event {
            libc::PTRACE_EVENT_CLONE => {
                let new = tracee::event_message(tid)? as pid_t;
                self.begun(tid, new)
            }
            libc::PTRACE_EVENT_FORK => {
                let new = tracee::event_message(tid)? as pid_t;
                self.notes.add(STARTS_PROCESSES);
                self.await_birth(new)?;
                self.process.forget_closed(self.living_thread())?;
                self.passive.follow_copy(new, self.process.code())?;
                self.rest()
            }
            libc::PTRACE_EVENT_VFORK => self.run_vfork_child(tid),
            libc::PTRACE_EVENT_EXEC => {
                self.notes.add(BECAME_ANOTHER);
                self.became_another()
            }
            libc::PTRACE_EVENT_EXIT => self.exiting(tid),
            libc::PTRACE_EVENT_STOP if self.interruptions.caused_stop(tid) => Ok(()),
            // Our own interruption of a thread that waited or ran for too long, or job control.
            libc::PTRACE_EVENT_STOP => match self.watchdog.take_found_waiting() {
                true => self.start_over(),
                false => self.yielded(),
            },
            _ => Ok(()),
        }
    }

    /// A thread has begun another.
    fn begun(&mut self, parent: pid_t, new: pid_t) -> Result<(), Halt> {
        let registers = tracee::registers(parent)?;
        let (flags, child_tid) = match registers.orig_rax as libc::c_long {
            libc::SYS_clone3 => {
                (self.process.memory().u64(registers.rdi)?, self.process.memory().u64(registers.rdi + 16)?)
            }
            _ => (registers.rdi, registers.r10),
        };
        self.await_birth(new)?;
        if flags & libc::CLONE_THREAD as u64 == 0 {
            self.notes.add(STARTS_PROCESSES);
            let shares_memory = flags & libc::CLONE_VM as u64 != 0;
            let followed = match shares_memory {
                true => self.passive.follow_sharing(new),
                false => self.passive.follow_copy(new, self.process.code()),
            };
            followed?;
            return self.rest();
        }
        let clears = flags & libc::CLONE_CHILD_CLEARTID as u64 != 0;
        let index = self.threads.add(Thread::new(new, if clears { child_tid } else { 0 }));
        self.scheduler.thread_started(index);
        self.point(0)
    }

    /// Waits until a new thread or process has stopped for the first time.
    fn await_birth(&mut self, new: pid_t) -> Result<(), Halt> {
        self.wait_for(new).map(drop)
    }

    /// A child runs in the program's memory until it executes another program, and its parent waits for it. Nobody else
    /// runs meanwhile, or they would run at once.
    fn run_vfork_child(&mut self, parent: pid_t) -> Result<(), Halt> {
        let child = tracee::event_message(parent)? as pid_t;
        self.notes.add(STARTS_PROCESSES);
        self.await_birth(child)?;
        let suspended = self.scheduler.suspend(self.process.control());
        self.passive.follow_sharing(child)?;
        tracee::resume(parent, Resume::Run, 0)?;
        let stop = self.wait_for(parent)?;
        self.scheduler.resume(self.process.control(), suspended);
        match stop {
            Stop::Event(libc::PTRACE_EVENT_VFORK_DONE) => self.rest(),
            other => {
                self.threads.current_mut().defer(other);
                Ok(())
            }
        }
    }

    /// From here on the process is not ours to schedule.
    fn became_another(&mut self) -> Result<(), Halt> {
        let exec = Stop::Event(libc::PTRACE_EVENT_EXEC);
        self.passive.stopped(self.process.id(), exec, &Code::default(), Resume::Run)?;
        Err(Halt::Leaving)
    }

    /// The current thread is about to end.
    fn exiting(&mut self, tid: pid_t) -> Result<(), Halt> {
        let status = tracee::event_message(tid)? as c_int;
        let whole_process = tracee::registers(tid)?.orig_rax as libc::c_long == libc::SYS_exit_group;
        let others = self.threads.any(|thread| thread.tid() != tid && !thread.has_ended());
        if !whole_process && !libc::WIFSIGNALED(status) && !others {
            self.show_exit()?;
        }
        tracee::resume(tid, Resume::Run, 0)?;
        if whole_process || libc::WIFSIGNALED(status) {
            return Err(Halt::Leaving);
        }
        if tid == self.process.id() {
            // The first thread is not reported before the last has ended.
            while Stat::of_thread(tid, tid).is_some_and(|stat| !stat.has_ended()) {
                std::thread::sleep(Duration::from_micros(50));
            }
            return self.thread_gone(self.threads.current_index(), Stop::Exited(0));
        }
        let stop = self.wait_for(tid)?;
        self.thread_gone(self.threads.current_index(), stop)
    }

    /// A thread has ended: wakes the threads that wait for that.
    pub(super) fn thread_gone(&mut self, index: ThreadIndex, stop: Stop) -> Result<(), Halt> {
        self.threads[index].end();
        self.interruptions.forget(self.threads[index].tid());
        if matches!(stop, Stop::Killed(_)) || !self.threads.any(|thread| !thread.has_ended()) {
            return Err(Halt::Leaving);
        }
        let address = self.threads[index].clear_on_exit();
        if address != 0 {
            self.wake_waiters(address, u32::MAX, u32::MAX)?;
        }
        self.wake_after_owner_died()?;
        self.blocked()
    }
}
