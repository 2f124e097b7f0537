//! What of the program's own code has no points.
//!
//! A race in code without points is not found, so a run says what there is of it. Libraries of the system do not count:
//! they are not what is tested.
//!
//! - Of libraries that the user leaves out, how much *ran* is measured: every function of the program's own code begins
//!   with a trap until it is entered for the first time, and counts with its size from then on. That is done only where
//!   something is left out. Such traps do not change the schedule.
//! - Code that belongs to no function that symbols, unwind tables or other code lead to cannot be measured in this way,
//!   because it may be data; nor can files that cannot be read. Whether they ran is not known, and the run says so.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::code::Function;
use super::maps::Mapping;
use super::memory::Memory;
use crate::observed::WITHOUT_POINTS;

const INT3: u8 = 0xcc;

/// Code without points of which nobody knows whether it ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gap {
    /// A library of the program that cannot be rewritten.
    Refused {
        /// Its file.
        file: PathBuf,
        /// Why.
        reason: String,
    },
    /// Code that is in no known function.
    Unknown {
        /// The file that it is in.
        file: PathBuf,
        /// How much of it.
        bytes: u64,
        /// How much code there is in the file.
        of: u64,
    },
    /// Code that the program makes while it runs.
    Made,
}

impl Gap {
    fn sentence(&self) -> String {
        match self {
            Self::Refused { file, reason } => {
                format!("{} has no points: it {reason}; whether its code ran is unknown", name(file))
            }
            Self::Unknown { file, bytes, of } => format!(
                "{} of the code loaded from {} has no points: nothing tells whether these {bytes} bytes are code or data, \
                 nor whether they ran",
                share(*bytes, *of),
                name(file)
            ),
            Self::Made => {
                "memory that the program made executable has no points (code that it made while it ran)".to_owned()
            }
        }
    }
}

/// A function that has not been entered.
#[derive(Debug, Clone)]
struct Awaited {
    /// Its size.
    size: u64,
    /// Which of the images it is in.
    image: usize,
    /// What the trap replaced, if it is there already.
    replaced: Option<u8>,
}

/// An image of which the functions that run are counted.
#[derive(Debug, Clone)]
struct Counted {
    /// Its addresses in the process.
    span: Range<u64>,
    /// Its file, if it is left out.
    left_out: Option<PathBuf>,
    /// The sizes of functions that were entered.
    ran: u64,
}

/// What is known of code without points.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    gaps: Vec<Gap>,
    images: Vec<Counted>,
    awaited: BTreeMap<u64, Awaited>,
    may_close: bool,
}

impl Coverage {
    /// Notes code without points, once.
    pub fn add_gap(&mut self, gap: Gap) {
        if !self.gaps.contains(&gap) {
            self.gaps.push(gap);
        }
    }

    /// Counts functions of an image, whose addresses in the process are greater by `slide`; `left_out` is its file if it
    /// has no points.
    pub fn expect<'a>(
        &mut self,
        functions: impl Iterator<Item = &'a Function>,
        slide: u64,
        span: &Range<u64>,
        left_out: Option<&Path>,
    ) {
        let image = self.images.len();
        self.images.push(Counted { span: span.clone(), left_out: left_out.map(Path::to_owned), ran: 0 });
        for function in functions {
            let size = function.range.end - function.range.start;
            let awaited = Awaited { size, image, replaced: None };
            self.awaited.insert(function.range.start.wrapping_add(slide), awaited);
        }
    }

    /// Puts traps in where there are none yet. To be called when everything else has been written.
    pub fn watch(&mut self, memory: &Memory) -> io::Result<()> {
        for (&address, awaited) in self.awaited.iter_mut().filter(|(_, awaited)| awaited.replaced.is_none()) {
            let mut byte = [0];
            memory.read(address, &mut byte)?;
            memory.write(address, &[INT3])?;
            awaited.replaced = Some(byte[0]);
        }
        Ok(())
    }

    /// Whether a trap of this kind is at an address, and what it replaced.
    pub fn replaced_at(&self, address: u64) -> Option<u8> {
        self.awaited.get(&address).and_then(|awaited| awaited.replaced)
    }

    /// A function has been entered: gives what its trap replaced.
    pub fn enter(&mut self, address: u64) -> Option<u8> {
        let replaced = self.replaced_at(address)?;
        let Awaited { size, image, .. } = self.awaited.remove(&address)?;
        self.images[image].ran += size;
        Some(replaced)
    }

    /// Forgets functions at addresses where something else is loaded now. What ran, ran.
    pub fn forget(&mut self, is_gone: impl Fn(&Range<u64>) -> bool) {
        let images = &self.images;
        self.awaited.retain(|_, awaited| !is_gone(&images[awaited.image].span));
    }

    /// The program has opened a library, and may close it.
    pub fn libraries_may_close(&mut self) {
        self.may_close = true;
    }

    /// Whether functions may be awaited that are gone.
    pub fn may_be_outdated(&self) -> bool {
        self.may_close && self.is_counting()
    }

    /// Forgets functions of libraries that the program has closed.
    pub fn forget_closed(&mut self, mappings: &[Mapping]) {
        let is_code = |address: u64| {
            let mut holding = mappings.iter().filter(|mapping| mapping.range.contains(&address));
            holding.any(|mapping| mapping.executable && mapping.file.is_some())
        };
        self.awaited.retain(|&address, _| is_code(address));
    }

    /// Whether functions are awaited.
    pub fn is_counting(&self) -> bool {
        !self.awaited.is_empty()
    }

    /// Takes all traps out of a copy of the memory.
    pub fn restore(&self, memory: &Memory) -> io::Result<()> {
        for (&address, awaited) in &self.awaited {
            if let Some(byte) = awaited.replaced {
                memory.write(address, &[byte])?;
            }
        }
        Ok(())
    }

    /// What to say about it.
    pub fn notes(&self) -> Vec<String> {
        let ran = |image: &&Counted| image.ran > 0;
        let all: u64 = self.images.iter().map(|image| image.ran).sum();
        let without: Vec<&Counted> = self.images.iter().filter(|image| image.left_out.is_some()).filter(ran).collect();
        let mut names: Vec<String> = without.iter().filter_map(|image| image.left_out.as_deref()).map(name).collect();
        names.dedup();
        let left_out = (!names.is_empty()).then(|| {
            let share = share(without.iter().map(|image| image.ran).sum(), all);
            format!("{share} of the program's own code that ran has no points: {} (--no-chaos-lib)", names.join(", "))
        });
        let notes: Vec<String> = left_out.into_iter().chain(self.gaps.iter().map(Gap::sentence)).collect();
        debug_assert!(notes.iter().all(|note| note.contains(WITHOUT_POINTS)));
        notes
    }
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn share(part: u64, of: u64) -> String {
    match (100 * part + of / 2).checked_div(of) {
        None => "some".to_owned(),
        Some(0) => "less than 1 %".to_owned(),
        Some(percent) => format!("{percent} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(start: u64, size: u64) -> Function {
        Function { range: start..start + size, is_runtime: false, is_described: true }
    }

    #[test]
    fn what_ran_is_counted_once() {
        let code = Box::leak(Box::new([0x90_u8; 64]));
        let start = code.as_ptr() as u64;
        let memory = Memory::of(std::process::id() as libc::pid_t).unwrap();
        let mut coverage = Coverage::default();
        coverage.expect([function(0, 30), function(30, 10)].iter(), start, &(start..start + 40), None);
        let library = Path::new("/home/me/libfoo.so");
        coverage.expect([function(40, 10), function(50, 14)].iter(), start, &(start + 40..start + 64), Some(library));
        coverage.watch(&memory).unwrap();
        assert_eq!(coverage.notes(), Vec::<String>::new(), "nothing has run yet");
        assert_eq!([0, 10, 30, 40, 50].map(|at| coverage.enter(start + at).is_some()), [true, false, true, true, true]);
        assert_eq!(coverage.enter(start), None);
        let note = "38 % of the program's own code that ran has no points: libfoo.so (--no-chaos-lib)";
        assert_eq!(coverage.notes(), [note]);
    }

    #[test]
    fn gaps_are_told_once() {
        let file = PathBuf::from("/home/me/libfoo.so");
        let mut coverage = Coverage::default();
        let reason = "has no section headers".to_owned();
        coverage.add_gap(Gap::Refused { file: file.clone(), reason });
        coverage.add_gap(Gap::Unknown { file: file.clone(), bytes: 40, of: 10_000 });
        coverage.add_gap(Gap::Unknown { file, bytes: 40, of: 10_000 });
        coverage.add_gap(Gap::Made);
        assert_eq!(
            coverage.notes(),
            [
                "libfoo.so has no points: it has no section headers; whether its code ran is unknown",
                "less than 1 % of the code loaded from libfoo.so has no points: nothing tells whether these 40 bytes are \
                 code or data, nor whether they ran",
                "memory that the program made executable has no points (code that it made while it ran)",
            ]
        );
    }
}
