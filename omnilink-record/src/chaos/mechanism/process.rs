//! The program's process: its memory, its code, and the page that it shares with the scheduler.

use std::collections::HashMap;
use std::io;

use libc::{c_long, pid_t};

use super::control::ControlPage;
use super::coverage::Gap;
use super::install::{Code, Hit};
use super::launch;
use super::loading::{Loader, Rewriting};
use super::maps;
use super::memory::Memory;
use super::tracee::{self, Whom};
use super::{inject, processor, startup};
use crate::directory::Streams;
use crate::environment::Environment;
use crate::error::RecordError;
use crate::plan::Plan;

/// A trap that is hit more often than this is taken out: it would take longer than all the rest.
const HOT: u32 = 4096;
const INT3: u8 = 0xcc;

/// What a thread that has hit a trap is at.
#[derive(Debug, Clone, Copy)]
pub enum Trapped {
    /// A trampoline, whose countdown is at zero; this is the address of its point in its file.
    Countdown(u64),
    /// The first instruction of the program, which has been put back.
    Entry(u64),
    /// A trap in the program's code.
    Code(Hit),
    /// A trap that is none of ours.
    Other,
}

/// The program's process.
#[derive(Debug)]
pub struct Process {
    pid: pid_t,
    memory: Memory,
    control: ControlPage,
    code: Code,
    /// Where the program begins and what is there, until it has begun.
    entry: Option<(u64, u8)>,
    /// How often traps were hit.
    hits: HashMap<u64, u32>,
}

impl Process {
    /// Starts a program and stops it before its first instruction. Also says whether its addresses are the same in every
    /// run.
    pub fn launch(
        plan: &Plan,
        environment: &Environment,
        streams: &Streams,
        traced: &[c_long],
    ) -> Result<(Self, bool), RecordError> {
        let control = ControlPage::new().map_err(RecordError::system("memfd_create"))?;
        let launched = launch::launch(plan, environment, streams, control.descriptor(), traced)?;
        let pid = launched.pid;
        let (memory, entry) = prepare(pid, plan.seed).map_err(|source| {
            tracee::kill(pid);
            let _ = tracee::wait(Whom::Thread(pid));
            RecordError::System { what: "preparing the program", source }
        })?;
        let entry = Some(entry);
        let process = Self { pid, memory, control, code: Code::default(), entry, hits: HashMap::new() };
        Ok((process, launched.fixed_addresses))
    }

    /// Its id.
    pub fn id(&self) -> pid_t {
        self.pid
    }

    /// Its memory.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The page that it shares with the scheduler.
    pub fn control(&self) -> &ControlPage {
        &self.control
    }

    /// Its rewritten code.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// What a thread that has received `SIGTRAP` is at.
    pub fn trapped(&mut self, tid: pid_t) -> io::Result<Trapped> {
        let address = tracee::instruction_pointer(tid)?;
        if self.code.in_trampolines(address) {
            return Ok(Trapped::Countdown(self.code.place(address).map_or(0, |(_, original)| original)));
        }
        if let Some((entry, original)) = self.entry
            && address == entry + 1
        {
            self.entry = None;
            self.memory.write(entry, &[original])?;
            tracee::set_instruction_pointer(tid, entry)?;
            return Ok(Trapped::Entry(entry));
        }
        Ok(self.code.trap_at(address - 1).map_or(Trapped::Other, Trapped::Code))
    }

    /// Whether a thread that has received `SIGTRAP` only enters a function for the first time, which it then does.
    pub fn entered_function(&mut self, tid: pid_t, traps_are_on: bool) -> io::Result<bool> {
        if !self.code.coverage.is_counting() {
            return Ok(false);
        }
        let address = tracee::instruction_pointer(tid)? - 1;
        let entered = self.code.enter(&self.memory, address, traps_are_on)?;
        if entered {
            tracee::set_instruction_pointer(tid, address)?;
        }
        Ok(entered)
    }

    /// A trap was hit once more. One that is hit too often is taken out; `living` is a thread that has not ended.
    pub fn count_hit(&mut self, living: pid_t, hit: &Hit) -> io::Result<()> {
        let hits = self.hits.entry(hit.address).or_default();
        *hits += 1;
        if *hits == HOT { self.code.drop_trap(living, &self.memory, hit) } else { Ok(()) }
    }

    /// Puts traps in, or takes them out while only one thread can run.
    pub fn set_traps(&self, on: bool) -> io::Result<()> {
        self.code.set_traps(&self.memory, on)
    }

    /// Forgets the code of libraries that the program has closed.
    pub fn forget_closed(&mut self, living: pid_t) -> io::Result<()> {
        self.code.forget_closed(living)
    }

    /// Rewrites all code that is loaded when the program begins at `entry`.
    pub fn rewrite(&mut self, rewriting: Rewriting<'_>, living: pid_t, entry: u64) -> Result<(), RecordError> {
        self.code = Loader::new(rewriting, living, &self.memory).begin(entry)?;
        Ok(())
    }

    /// A thread has mapped code at an address: rewrites it if it is a library.
    pub fn rewrite_mapped(
        &mut self,
        rewriting: Rewriting<'_>,
        living: pid_t,
        tid: pid_t,
        address: u64,
    ) -> Result<(), RecordError> {
        Loader::new(rewriting, living, &self.memory).opened(&mut self.code, tid, address)
    }

    /// A thread is about to make memory executable. If that is no part of a file, it is code that the program has made.
    pub fn code_made(&mut self, living: pid_t, address: u64) -> io::Result<()> {
        let mappings = maps::mappings(living)?;
        if mappings.iter().any(|mapping| mapping.range.contains(&address) && mapping.file.is_none()) {
            self.code.coverage.add_gap(Gap::Made);
        }
        Ok(())
    }

    /// Code that has no points, in sentences.
    pub fn notes(&self) -> Vec<String> {
        self.code.left_out().into_iter().chain(self.code.coverage.notes()).collect()
    }
}

/// Prepares a process that is about to execute its first instruction, and puts a trap at the program's entry point. Gives
/// the address of that, and what the trap replaces.
fn prepare(pid: pid_t, seed: u64) -> io::Result<(Memory, (u64, u8))> {
    let memory = Memory::of(pid)?;
    let entry = startup::prepare(pid, &memory, seed)?;
    if !inject::finish_exec(pid)? {
        return Err(io::Error::from_raw_os_error(libc::ESRCH));
    }
    processor::hide(pid, &memory)?;
    let mut original = [0];
    memory.read(entry, &mut original)?;
    memory.write(entry, &[INT3])?;
    Ok((memory, (entry, original[0])))
}
