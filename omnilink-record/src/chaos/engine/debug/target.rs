//! The program as gdb's protocol asks about it: threads, registers, memory, breakpoints.
//!
//! All of it is about a program that is stopped. What the debugger wants done is noted here and carried out when the
//! program goes on.

use std::fmt;
use std::fs;
use std::io;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use gdbstub::common::{Pid, Signal, Tid};
use gdbstub::target::ext::auxv::{Auxv, AuxvOps};
use gdbstub::target::ext::base::BaseOps;
use gdbstub::target::ext::base::multithread::{
    MultiThreadBase, MultiThreadRangeStepping, MultiThreadRangeSteppingOps, MultiThreadResume, MultiThreadResumeOps,
    MultiThreadSchedulerLocking, MultiThreadSchedulerLockingOps, MultiThreadSingleStep, MultiThreadSingleStepOps,
};
use gdbstub::target::ext::breakpoints::{
    Breakpoints, BreakpointsOps, HwWatchpoint, HwWatchpointOps, SwBreakpoint, SwBreakpointOps, WatchKind,
};
use gdbstub::target::ext::exec_file::{ExecFile, ExecFileOps};
use gdbstub::target::ext::thread_extra_info::{ThreadExtraInfo, ThreadExtraInfoOps};
use gdbstub::target::{self, TargetError, TargetResult};
use gdbstub_arch::x86::X86_64_SSE;
use gdbstub_arch::x86::reg::X86_64CoreRegs;
use libc::pid_t;

use super::registers;
use super::stepping::{Step, shown};
use super::watchpoints::{self, Watched};
use crate::chaos::mechanism::install::Code;
use crate::chaos::mechanism::memory::Memory;
use crate::chaos::state::threads::ThreadIndex;

/// A thread that can be looked at.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Its number.
    pub index: ThreadIndex,
    /// The kernel's name for it.
    pub tid: pid_t,
    /// What it is called and does.
    pub description: String,
}

/// A change of the breakpoints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Stop here.
    Add(u64),
    /// Do not stop here any more.
    Remove(u64),
}

/// A stopped program.
pub struct Program {
    pid: pid_t,
    file: PathBuf,
    memory: Memory,
    /// How its code has been rewritten.
    pub code: Code,
    /// Its threads; the one that stopped comes first.
    pub threads: Vec<Seen>,
    /// What the debugger has done to the breakpoints since it was last asked.
    pub changes: Vec<Change>,
    /// What the debugger wants watched.
    pub watched: Vec<Watched>,
    /// The step that the debugger wants made.
    pub step: Option<Step>,
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("pid", &self.pid).field("threads", &self.threads).finish_non_exhaustive()
    }
}

/// What the debugger calls a thread: numbers from 1, in the order in which the threads began.
pub fn name(index: ThreadIndex) -> Tid {
    Tid::MIN.saturating_add(index)
}

impl Program {
    /// A program of this process.
    pub fn of(pid: pid_t, file: PathBuf) -> io::Result<Self> {
        let memory = Memory::of(pid)?;
        let (code, threads, changes) = (Code::default(), Vec::new(), Vec::new());
        Ok(Self { pid, file, memory, code, threads, changes, watched: Vec::new(), step: None })
    }

    fn thread(&self, tid: Tid) -> TargetResult<&Seen, Self> {
        self.threads.iter().find(|thread| name(thread.index) == tid).ok_or(TargetError::NonFatal)
    }

    /// Memory as it would be without us.
    fn read(&self, address: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.memory.read(address, bytes)?;
        self.code.show_original(address, bytes);
        Ok(())
    }

    fn plan_step(&mut self, tid: Tid, range: Range<u64>) {
        self.step = Some(Step::new(tid.get() - 1, range));
    }
}

impl target::Target for Program {
    type Arch = X86_64_SSE;
    type Error = io::Error;

    fn base_ops(&mut self) -> BaseOps<'_, Self::Arch, Self::Error> {
        BaseOps::MultiThread(self)
    }

    fn support_breakpoints(&mut self) -> Option<BreakpointsOps<'_, Self>> {
        Some(self)
    }

    fn support_auxv(&mut self) -> Option<AuxvOps<'_, Self>> {
        Some(self)
    }

    fn support_exec_file(&mut self) -> Option<ExecFileOps<'_, Self>> {
        Some(self)
    }
}

impl MultiThreadBase for Program {
    fn read_registers(&mut self, registers: &mut X86_64CoreRegs, tid: Tid) -> TargetResult<(), Self> {
        *registers = registers::read(self.thread(tid)?.tid, |address| shown(&self.code, address))?;
        Ok(())
    }

    fn write_registers(&mut self, registers: &X86_64CoreRegs, tid: Tid) -> TargetResult<(), Self> {
        // A thread whose address does not change stays where it is: it may be on the way to a point, which is then counted.
        let place = |there, here| match shown(&self.code, there) == here {
            true => there,
            false => self.code.executed_at(here).unwrap_or(here),
        };
        Ok(registers::write(self.thread(tid)?.tid, registers, place)?)
    }

    fn read_addrs(&mut self, start: u64, bytes: &mut [u8], _: Tid) -> TargetResult<usize, Self> {
        const PAGE: u64 = crate::chaos::mechanism::control::PAGE;
        // What is asked for may go beyond what is there.
        let mut done = 0;
        while done < bytes.len() {
            let address = start.wrapping_add(done as u64);
            let chunk = ((PAGE - address % PAGE) as usize).min(bytes.len() - done);
            if self.read(address, &mut bytes[done..done + chunk]).is_err() {
                break;
            }
            done += chunk;
        }
        if done == 0 && !bytes.is_empty() { Err(TargetError::NonFatal) } else { Ok(done) }
    }

    fn write_addrs(&mut self, start: u64, bytes: &[u8], _: Tid) -> TargetResult<(), Self> {
        let mut present = vec![0; bytes.len()];
        self.memory.read(start, &mut present)?;
        let mut original = present.clone();
        self.code.show_original(start, &mut original);
        // Code that has been rewritten is executed elsewhere.
        if original != present {
            return Err(TargetError::NonFatal);
        }
        Ok(self.memory.write(start, bytes)?)
    }

    fn list_active_threads(&mut self, is_active: &mut dyn FnMut(Tid)) -> Result<(), Self::Error> {
        self.threads.iter().for_each(|thread| is_active(name(thread.index)));
        Ok(())
    }

    fn support_resume(&mut self) -> Option<MultiThreadResumeOps<'_, Self>> {
        Some(self)
    }

    fn support_thread_extra_info(&mut self) -> Option<ThreadExtraInfoOps<'_, Self>> {
        Some(self)
    }
}

/// Whose turn it is the schedule decides, so what the debugger wants of other threads than the one that steps is what
/// happens anyway. Signals are received as they were recorded.
impl MultiThreadResume for Program {
    fn resume(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    fn clear_resume_actions(&mut self) -> Result<(), Self::Error> {
        self.step = None;
        Ok(())
    }

    fn set_resume_action_continue(&mut self, _: Tid, _: Option<Signal>) -> Result<(), Self::Error> {
        Ok(())
    }

    fn support_single_step(&mut self) -> Option<MultiThreadSingleStepOps<'_, Self>> {
        Some(self)
    }

    fn support_scheduler_locking(&mut self) -> Option<MultiThreadSchedulerLockingOps<'_, Self>> {
        Some(self)
    }

    fn support_range_step(&mut self) -> Option<MultiThreadRangeSteppingOps<'_, Self>> {
        Some(self)
    }
}

/// The debugger wants nobody but the thread that steps to go on: it has taken a breakpoint out for that.
impl MultiThreadSchedulerLocking for Program {
    fn set_resume_action_scheduler_lock(&mut self) -> Result<(), Self::Error> {
        self.step.iter_mut().for_each(|step| step.alone = true);
        Ok(())
    }
}

impl MultiThreadSingleStep for Program {
    fn set_resume_action_step(&mut self, tid: Tid, _: Option<Signal>) -> Result<(), Self::Error> {
        self.plan_step(tid, 0..0);
        Ok(())
    }
}

impl MultiThreadRangeStepping for Program {
    fn set_resume_action_range_step(&mut self, tid: Tid, start: u64, end: u64) -> Result<(), Self::Error> {
        self.plan_step(tid, start..end);
        Ok(())
    }
}

impl Breakpoints for Program {
    fn support_sw_breakpoint(&mut self) -> Option<SwBreakpointOps<'_, Self>> {
        Some(self)
    }

    fn support_hw_watchpoint(&mut self) -> Option<HwWatchpointOps<'_, Self>> {
        Some(self)
    }
}

impl HwWatchpoint for Program {
    fn add_hw_watchpoint(&mut self, address: u64, length: u64, kind: WatchKind) -> TargetResult<bool, Self> {
        let mut watched = self.watched.clone();
        watched.push(Watched { address, length, kind });
        let Some(thread) = self.threads.first() else { return Ok(false) };
        if !watchpoints::can_be_set(&watched) || !watchpoints::is_possible(thread.tid, &watched) {
            return Ok(false);
        }
        self.watched = watched;
        Ok(true)
    }

    fn remove_hw_watchpoint(&mut self, address: u64, length: u64, kind: WatchKind) -> TargetResult<bool, Self> {
        let watched = Watched { address, length, kind };
        let found = self.watched.iter().position(|other| *other == watched);
        Ok(found.map(|at| self.watched.remove(at)).is_some())
    }
}

impl SwBreakpoint for Program {
    fn add_sw_breakpoint(&mut self, address: u64, _: usize) -> TargetResult<bool, Self> {
        let (mut present, mut original) = ([0], [0]);
        self.memory.read(address, &mut present)?;
        self.read(address, &mut original)?;
        // In the middle of an instruction that has been displaced there is nothing to stop at.
        let exists = present == original || self.code.executed_at(address).is_some();
        self.changes.extend(exists.then_some(Change::Add(address)));
        Ok(exists)
    }

    fn remove_sw_breakpoint(&mut self, address: u64, _: usize) -> TargetResult<bool, Self> {
        self.changes.push(Change::Remove(address));
        Ok(true)
    }
}

impl ThreadExtraInfo for Program {
    fn thread_extra_info(&self, tid: Tid, room: &mut [u8]) -> Result<usize, Self::Error> {
        let thread = self.threads.iter().find(|thread| name(thread.index) == tid);
        Ok(part(thread.map_or(&[], |thread| thread.description.as_bytes()), 0, room))
    }
}

impl Auxv for Program {
    fn get_auxv(&self, offset: u64, length: usize, room: &mut [u8]) -> TargetResult<usize, Self> {
        let auxv = fs::read(format!("/proc/{}/auxv", self.pid))?;
        let length = length.min(room.len());
        Ok(part(&auxv, offset, &mut room[..length]))
    }
}

impl ExecFile for Program {
    fn get_exec_file(&self, _: Option<Pid>, offset: u64, length: usize, room: &mut [u8]) -> TargetResult<usize, Self> {
        let length = length.min(room.len());
        Ok(part(self.file.as_os_str().as_bytes(), offset, &mut room[..length]))
    }
}

/// Copies what is wanted of `whole`, as much as there is room for.
fn part(whole: &[u8], offset: u64, room: &mut [u8]) -> usize {
    let rest = usize::try_from(offset).ok().and_then(|offset| whole.get(offset..)).unwrap_or_default();
    let length = rest.len().min(room.len());
    room[..length].copy_from_slice(&rest[..length]);
    length
}
