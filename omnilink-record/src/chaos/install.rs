//! Rewriting a program's code once it has been loaded.

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use libc::pid_t;

use super::code::{Depth, Image, Patch, Place, Trap};
use super::control::PAGE;
use super::inject::Injection;
use super::launch::CONTROL_DESCRIPTOR;
use super::maps::{self, Mapping};
use super::memory::Memory;
use crate::error::RecordError;

const INT3: u8 = 0xcc;

/// Planned changes of programs and libraries, kept from run to run.
#[derive(Debug, Default)]
pub struct CodeCache {
    images: Mutex<HashMap<PathBuf, Arc<Image>>>,
    patches: Mutex<HashMap<(PathBuf, Depth, u64), Arc<Patch>>>,
}

impl CodeCache {
    /// What a file says about its code.
    pub fn image(&self, path: &Path) -> Result<Arc<Image>, RecordError> {
        let mut images = self.images.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(image) = images.get(path) {
            return Ok(Arc::clone(image));
        }
        let image = Arc::new(Image::read(path)?);
        images.insert(path.to_owned(), Arc::clone(&image));
        Ok(image)
    }

    fn patch(&self, path: &Path, image: &Image, depth: Depth, region: Range<u64>) -> Arc<Patch> {
        let mut patches = self.patches.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (path.to_owned(), depth, region.start);
        Arc::clone(patches.entry(key).or_insert_with(|| Arc::new(Patch::plan(image, depth, region))))
    }
}

/// Which shared libraries have points: those whose file name matches one of these patterns, in which `*` stands for
/// anything.
#[derive(Debug, Clone, Default)]
pub struct Libraries(pub Vec<String>);

impl Libraries {
    fn include(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.0.iter().any(|pattern| matches(pattern, &name))
    }
}

fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|after| {
            after.char_indices().map(|(at, _)| at).chain([after.len()]).any(|at| matches(rest, &after[at..]))
        }),
    }
}

/// A rewritten image in a process.
#[derive(Debug, Clone)]
struct Installed {
    patch: Arc<Patch>,
    /// What addresses in the process are greater by than those of the patch.
    slide: u64,
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
}

impl Code {
    /// Rewrites what a stopped process has loaded; `entry` is where the program begins.
    pub fn install(
        cache: &CodeCache,
        libraries: &Libraries,
        program: &Path,
        pid: pid_t,
        memory: &Memory,
        entry: u64,
    ) -> Result<Self, RecordError> {
        let failed = RecordError::system("rewriting the program");
        match Self::try_install(cache, libraries, program, pid, memory, entry) {
            Ok(code) => Ok(code),
            Err(Failure::Refused(error)) => Err(error),
            Err(Failure::System(error)) => Err(failed(error)),
        }
    }

    fn try_install(
        cache: &CodeCache,
        libraries: &Libraries,
        program: &Path,
        pid: pid_t,
        memory: &Memory,
        entry: u64,
    ) -> Result<Self, Failure> {
        let mut code = Self::default();
        let injection = Injection::begin(pid, memory)?;
        let mut mappings = maps::mappings(pid)?;
        for (path, start) in loaded_files(&mappings) {
            let is_program = mappings.iter().any(|mapping| {
                mapping.file.as_deref() == Some(&path) && mapping.executable && mapping.range.contains(&entry)
            });
            let depth = if is_program || libraries.include(&path) { Depth::Accesses } else { Depth::Essentials };
            let image = match cache.image(if is_program { program } else { &path }) {
                Ok(image) => image,
                Err(error) if depth == Depth::Accesses => return Err(Failure::Refused(error)),
                Err(_) => continue,
            };
            let slide = if is_program {
                entry.wrapping_sub(image.entry)
            } else {
                start.wrapping_sub(image.span.start & !(PAGE - 1))
            };
            let span = image.span.start.wrapping_add(slide)..image.span.end.wrapping_add(slide);
            let room = Patch::room(&image, depth);
            let Some(place) = maps::find_room(&mappings, &span, room) else {
                return Err(Failure::Refused(RecordError::Unsupported {
                    program: path,
                    reason: "has no room for trampolines near its code".to_owned(),
                    remedy: "use --free".to_owned(),
                }));
            };
            let region = place.wrapping_sub(slide)..place.wrapping_sub(slide) + room;
            let patch = cache.patch(&path, &image, depth, region);
            if patch.trampolines.is_empty() {
                continue;
            }
            map_region(&injection, memory, &patch, place)?;
            mappings.push(Mapping { range: place..place + room, executable: true, offset: 0, file: None });
            mappings.sort_by_key(|mapping| mapping.range.start);
            code.installed.push(Installed { patch, slide });
        }
        injection.call(libc::SYS_close, [CONTROL_DESCRIPTOR as u64, 0, 0, 0, 0, 0])?;
        injection.finish()?;
        // Only now: what is written may include the place of the injected call.
        for Installed { patch, slide } in &code.installed {
            for text in &patch.text {
                memory.write(text.address.wrapping_add(*slide), &text.bytes)?;
            }
        }
        Ok(code)
    }

    /// Puts the traps in, or takes them out while only one thread can run.
    pub fn set_traps(&self, memory: &Memory, on: bool) -> io::Result<()> {
        for Installed { patch, slide } in &self.installed {
            for (address, trap) in &patch.traps {
                let address = address.wrapping_add(*slide);
                if !self.dropped.contains(&address) {
                    memory.write(address, &[if on { INT3 } else { trap.original }])?;
                }
            }
        }
        Ok(())
    }

    /// Takes a trap out for good.
    pub fn drop_trap(&mut self, memory: &Memory, hit: &Hit) -> io::Result<()> {
        self.dropped.push(hit.address);
        memory.write(hit.address, &[hit.trap.original])
    }

    /// How many traps have been taken out for good.
    pub fn dropped(&self) -> usize {
        self.dropped.len()
    }

    /// The trap at this address.
    pub fn trap_at(&self, address: u64) -> Option<Hit> {
        self.installed.iter().find_map(|Installed { patch, slide }| {
            let trap = patch.traps.get(&address.wrapping_sub(*slide))?;
            Some(Hit { address, trap: Trap { copy: trap.copy.wrapping_add(*slide), ..*trap } })
        })
    }

    /// Whether this address is in a trampoline.
    pub fn in_trampolines(&self, address: u64) -> bool {
        self.installed.iter().any(|Installed { patch, slide }| patch.region.contains(&address.wrapping_sub(*slide)))
    }

    /// What a thread in a trampoline is about to do, with addresses of the process, and the address of the instruction
    /// in its file.
    pub fn place(&self, address: u64) -> Option<(Place, u64)> {
        self.installed.iter().find_map(|Installed { patch, slide }| {
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
        self.installed.iter().find_map(|Installed { patch, slide }| {
            Some(patch.moved_to(address.wrapping_sub(*slide))?.wrapping_add(*slide))
        })
    }

    /// Where the instruction at this address is executed, if it has been displaced.
    pub fn executed_at(&self, address: u64) -> Option<u64> {
        self.installed.iter().find_map(|Installed { patch, slide }| {
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
        for Installed { patch, slide } in &self.installed {
            patch.show_original(address.wrapping_sub(*slide), bytes);
        }
    }

    /// Writes the original code into a child that has a copy of the memory.
    pub fn restore(&self, memory: &Memory) -> io::Result<()> {
        for Installed { patch, slide } in &self.installed {
            for text in &patch.text {
                memory.write(text.address.wrapping_add(*slide), &text.original)?;
            }
        }
        self.set_traps(memory, false)
    }
}

/// Why code could not be rewritten.
enum Failure {
    Refused(RecordError),
    System(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// The files that code was loaded from, with the address of their first byte. The loader itself is left alone.
fn loaded_files(mappings: &[Mapping]) -> Vec<(PathBuf, u64)> {
    let mut files: Vec<(PathBuf, u64)> = Vec::new();
    for mapping in mappings.iter().filter(|mapping| mapping.executable) {
        let Some(file) = &mapping.file else { continue };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("ld-linux") || name.starts_with("ld-musl") || files.iter().any(|(known, _)| known == file) {
            continue;
        }
        let first = mappings.iter().find(|other| other.file.as_ref() == Some(file) && other.offset == 0);
        files.push((file.clone(), first.map_or(mapping.range.start - mapping.offset, |first| first.range.start)));
    }
    files
}

fn map_region(injection: &Injection<'_>, memory: &Memory, patch: &Patch, place: u64) -> io::Result<()> {
    let fixed = libc::MAP_FIXED_NOREPLACE as u64;
    let read_write = (libc::PROT_READ | libc::PROT_WRITE) as u64;
    let shared = libc::MAP_SHARED as u64 | fixed;
    injection.call(libc::SYS_mmap, [place, PAGE, read_write, shared, CONTROL_DESCRIPTOR as u64, 0])?;
    let execute = (libc::PROT_READ | libc::PROT_EXEC) as u64;
    let private = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE) as u64 | fixed;
    let length = (patch.trampolines.len() as u64).next_multiple_of(PAGE);
    injection.call(libc::SYS_mmap, [place + PAGE, length, execute, private, u64::MAX, 0])?;
    memory.write(place + PAGE, &patch.trampolines)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns() {
        let cases = [
            ("libfoo*", "libfoo.so.1", true),
            ("libfoo*", "libbar.so", false),
            ("*foo*1", "libfoo.so.1", true),
            ("libfoo.so", "libfoo.so.1", false),
            ("*", "", true),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
