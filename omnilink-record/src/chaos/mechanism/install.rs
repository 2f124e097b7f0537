//! The rewritten code of a process.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use libc::pid_t;

use super::code::{self, Depth, Function, Image, Kind, Patch, Place, Trap};
use super::coverage::Coverage;
use super::maps;
use super::memory::Memory;
use super::stack;
use crate::error::RecordError;

const INT3: u8 = 0xcc;

/// Planned changes of programs and libraries, kept from run to run.
#[derive(Debug, Default)]
pub struct CodeCache {
    images: Mutex<HashMap<Version, Arc<Image>>>,
    functions: Mutex<HashMap<Version, Arc<Vec<Function>>>>,
    patches: Mutex<HashMap<(Version, Depth, u64), Arc<Patch>>>,
}

/// A file as it is now. Libraries may be built again while a program is run many times.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::chaos) struct Version {
    path: PathBuf,
    inode: u64,
    len: u64,
    changed: (i64, i64),
}

impl Version {
    fn of(path: &Path) -> Result<Self, RecordError> {
        let file = fs::metadata(path).map_err(RecordError::file(path))?;
        let changed = (file.ctime(), file.ctime_nsec());
        Ok(Self { path: path.to_owned(), inode: file.ino(), len: file.len(), changed })
    }
}

impl CodeCache {
    /// What a file says about its code.
    pub(in crate::chaos) fn image(&self, path: &Path) -> Result<(Version, Arc<Image>), RecordError> {
        let version = Version::of(path)?;
        let mut images = self.images.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(image) = images.get(&version) {
            return Ok((version, Arc::clone(image)));
        }
        let image = Arc::new(Image::read(path)?);
        images.insert(version.clone(), Arc::clone(&image));
        Ok((version, image))
    }

    /// All functions of a file, also those that its unwind table does not describe.
    pub(super) fn functions(&self, file: &Version, image: &Image) -> Arc<Vec<Function>> {
        let mut functions = self.functions.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(functions.entry(file.clone()).or_insert_with(|| Arc::new(code::functions(image))))
    }

    pub(super) fn patch(&self, file: &Version, image: &Image, depth: Depth, region: Range<u64>) -> Arc<Patch> {
        let functions = match depth {
            Depth::Accesses => Some(self.functions(file, image)),
            Depth::Essentials => None,
        };
        let functions = functions.as_ref().map_or(&image.functions, |functions| &**functions);
        let mut patches = self.patches.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (file.clone(), depth, region.start);
        Arc::clone(patches.entry(key).or_insert_with(|| Arc::new(Patch::plan(image, functions, depth, region))))
    }
}

/// A rewritten image in a process.
#[derive(Debug, Clone)]
pub(super) struct Installed {
    pub patch: Arc<Patch>,
    /// What addresses in the process are greater by than those of the patch.
    pub slide: u64,
    /// Its addresses in the process.
    pub span: Range<u64>,
    /// Its file, if the program has opened it while running, and may close it.
    pub opened: Option<PathBuf>,
}

/// A trap that a thread has hit.
#[derive(Debug, Clone, Copy)]
pub struct Hit {
    /// Where it is.
    pub address: u64,
    /// What it is, with addresses of the process.
    pub trap: Trap,
}

/// All rewritten code of a process.
#[derive(Debug, Clone, Default)]
pub struct Code {
    installed: Vec<Installed>,
    /// Traps that are not put back any more.
    dropped: Vec<u64>,
    /// The functions that some of them are in.
    hot: Vec<String>,
    /// What has no points.
    pub(super) coverage: Coverage,
}

/// How many functions are named whose points were left out.
const NAMED: usize = 3;

impl Code {
    /// Where the control page is, if anything has been rewritten.
    pub(super) fn control_page(&self) -> Option<u64> {
        self.installed.first().map(|Installed { patch, slide, .. }| patch.region.start.wrapping_add(*slide))
    }

    /// Writes jumps to the trampolines of an image, which are there already.
    pub(super) fn add(&mut self, memory: &Memory, image: Installed) -> io::Result<()> {
        for text in &image.patch.text {
            memory.write(text.address.wrapping_add(image.slide), &text.bytes)?;
        }
        self.installed.push(image);
        Ok(())
    }

    /// Forgets what was rewritten at an address where something else is loaded now.
    pub(super) fn forget_at(&mut self, address: u64) {
        self.installed.retain(|image| !image.span.contains(&address));
        self.coverage.forget(|span| span.contains(&address));
    }

    /// Forgets libraries that the program has closed: what is there now is not to be written to.
    pub fn forget_closed(&mut self, pid: pid_t) -> io::Result<()> {
        if self.installed.iter().all(|image| image.opened.is_none()) && !self.coverage.may_be_outdated() {
            return Ok(());
        }
        let mappings = maps::mappings(pid)?;
        self.coverage.forget_closed(&mappings);
        let is_there = |image: &Installed, path: &Path| {
            let mut there = mappings.iter().filter(|mapping| image.span.contains(&mapping.range.start));
            there.any(|mapping| mapping.executable && mapping.file.as_deref() == Some(path))
        };
        self.installed.retain(|image| image.opened.as_ref().is_none_or(|path| is_there(image, path)));
        Ok(())
    }

    /// Puts the traps in, or takes them out while only one thread can run. Those at questions to the processor stay.
    pub fn set_traps(&self, memory: &Memory, on: bool) -> io::Result<()> {
        self.write_traps(memory, |trap| on || trap.kind == Kind::Random)
    }

    fn write_traps(&self, memory: &Memory, is_in: impl Fn(&Trap) -> bool) -> io::Result<()> {
        for Installed { patch, slide, .. } in &self.installed {
            for (address, trap) in &patch.traps {
                let address = address.wrapping_add(*slide);
                if !self.dropped.contains(&address) && self.coverage.replaced_at(address).is_none() {
                    memory.write(address, &[if is_in(trap) { INT3 } else { trap.original }])?;
                }
            }
        }
        Ok(())
    }

    /// A thread has stopped behind this address: if it is about to enter a function for the first time, the function
    /// counts, and gets back what is to be there while traps are on or not.
    pub fn enter(&mut self, memory: &Memory, address: u64, traps_are_on: bool) -> io::Result<bool> {
        let Some(replaced) = self.coverage.enter(address) else { return Ok(false) };
        let byte = match self.trap_at(address) {
            Some(hit) if hit.trap.kind == Kind::Random || traps_are_on && !self.dropped.contains(&address) => INT3,
            _ => replaced,
        };
        memory.write(address, &[byte]).map(|()| true)
    }

    /// Takes a trap out for good.
    pub fn drop_trap(&mut self, pid: pid_t, memory: &Memory, hit: &Hit) -> io::Result<()> {
        self.dropped.push(hit.address);
        if self.hot.len() < NAMED {
            let function = stack::function_at(pid, hit.address);
            self.hot.extend(function.filter(|function| !self.hot.contains(function)));
        }
        memory.write(hit.address, &[hit.trap.original])
    }

    /// What to say of traps that have been taken out for good.
    pub fn left_out(&self) -> Option<String> {
        let (points, were) = match self.dropped.len() {
            0 => return None,
            1 => ("1 point in a short, hot instruction".to_owned(), "was"),
            points => (format!("{points} points in short, hot instructions"), "were"),
        };
        let named = if self.hot.is_empty() { String::new() } else { format!(", in {}", self.hot.join(", ")) };
        // There may be more functions than are named.
        let others = if self.hot.len() == NAMED && self.dropped.len() > NAMED { " and others" } else { "" };
        Some(format!("{points} {were} left out{named}{others}"))
    }

    /// The trap at this address.
    pub fn trap_at(&self, address: u64) -> Option<Hit> {
        self.installed.iter().find_map(|Installed { patch, slide, .. }| {
            let trap = patch.traps.get(&address.wrapping_sub(*slide))?;
            Some(Hit { address, trap: Trap { copy: trap.copy.wrapping_add(*slide), ..*trap } })
        })
    }

    /// Whether this address is in a trampoline.
    pub fn in_trampolines(&self, address: u64) -> bool {
        self.installed.iter().any(|Installed { patch, slide, .. }| patch.region.contains(&address.wrapping_sub(*slide)))
    }

    /// What a thread in a trampoline is about to do, with addresses of the process, and the address of the instruction
    /// in its file.
    pub fn place(&self, address: u64) -> Option<(Place, u64)> {
        self.installed.iter().find_map(|Installed { patch, slide, .. }| {
            let place = patch.place(address.wrapping_sub(*slide))?;
            let shifted = Place {
                original: place.original.wrapping_add(*slide),
                resume: place.resume.wrapping_add(*slide),
                ..place
            };
            Some((shifted, place.original))
        })
    }

    /// Where to continue instead of an address in the middle of a rewritten stretch.
    pub fn moved_to(&self, address: u64) -> Option<u64> {
        self.installed.iter().find_map(|Installed { patch, slide, .. }| {
            Some(patch.moved_to(address.wrapping_sub(*slide))?.wrapping_add(*slide))
        })
    }

    /// Where the instruction at this address is executed, if it has been displaced.
    pub fn executed_at(&self, address: u64) -> Option<u64> {
        self.installed.iter().find_map(|Installed { patch, slide, .. }| {
            Some(patch.executed_at(address.wrapping_sub(*slide))?.wrapping_add(*slide))
        })
    }

    /// Everywhere that the instruction at this address may be executed: instead of a trap, while traps are out, in its
    /// own place.
    pub fn executed_places(&self, address: u64) -> Vec<u64> {
        match self.executed_at(address) {
            Some(place) => [place].into_iter().chain(self.trap_at(address).map(|_| address)).collect(),
            None => vec![address],
        }
    }

    /// Makes code that was read from the process what it was before it was rewritten.
    pub fn show_original(&self, address: u64, bytes: &mut [u8]) {
        for Installed { patch, slide, .. } in &self.installed {
            patch.show_original(address.wrapping_sub(*slide), bytes);
        }
    }

    /// Writes the original code into a child that has a copy of the memory.
    pub fn restore(&self, memory: &Memory) -> io::Result<()> {
        self.coverage.restore(memory)?;
        for Installed { patch, slide, .. } in &self.installed {
            for text in &patch.text {
                memory.write(text.address.wrapping_add(*slide), &text.original)?;
            }
        }
        self.write_traps(memory, |_| false)
    }
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn what_was_left_out_is_named() {
        let said = |dropped: u64, hot: &[&str]| {
            let hot = hot.iter().map(ToString::to_string).collect();
            Code { dropped: (0..dropped).collect(), hot, ..Code::default() }.left_out()
        };
        assert_eq!(said(0, &[]), None);
        assert_eq!(said(1, &["scan"]).unwrap(), "1 point in a short, hot instruction was left out, in scan");
        assert_eq!(said(2, &[]).unwrap(), "2 points in short, hot instructions were left out");
        assert_eq!(
            said(5, &["a", "b", "c"]).unwrap(),
            "5 points in short, hot instructions were left out, in a, b, c and others"
        );
    }
}
