//! Rewriting code when it is loaded: all that is there when the program begins, and libraries that it opens later.

use std::io;
use std::path::{Path, PathBuf};

use libc::pid_t;

use super::code::{Depth, Patch};
use super::control::PAGE;
use super::coverage::Gap;
use super::inject::Injection;
use super::install::{Code, CodeCache, Installed};
use super::launch::CONTROL_DESCRIPTOR;
use super::libraries::{Instrumentation, Libraries};
use super::maps::{self, Mapping};
use super::memory::Memory;
use crate::error::RecordError;

/// What part of a file's code must be unknown before it is spoken of: one in so many bytes. There are some in every C
/// library.
const WORTH_A_NOTE: u64 = 100;

/// What of a process is rewritten.
#[derive(Debug, Clone, Copy)]
pub struct Rewriting<'a> {
    /// Code that has been looked at before.
    pub cache: &'a CodeCache,
    /// Which libraries have points.
    pub libraries: &'a Libraries,
    /// The program's file.
    pub program: &'a Path,
    /// Whether it is found out which functions run: if some of the program's have no points, and no debugger looks at its
    /// code meanwhile.
    pub counts: bool,
}

/// Rewrites code of a process.
#[derive(Debug)]
pub struct Loader<'a> {
    rewriting: Rewriting<'a>,
    pid: pid_t,
    memory: &'a Memory,
}

impl<'a> Loader<'a> {
    /// Of a process with this memory.
    pub fn new(rewriting: Rewriting<'a>, pid: pid_t, memory: &'a Memory) -> Self {
        Self { rewriting, pid, memory }
    }

    /// Rewrites all that a stopped process has loaded; `entry` is where the program begins.
    pub fn begin(&self, entry: u64) -> Result<Code, RecordError> {
        self.begin_at(entry).map_err(Failure::into_error)
    }

    fn begin_at(&self, entry: u64) -> Result<Code, Failure> {
        let injection = Injection::begin(self.pid, self.memory)?;
        let mut mappings = maps::mappings(self.pid)?;
        let mut code = Code::default();
        let mut images = Vec::new();
        for (path, start) in loaded_files(&mappings) {
            let is_program = mappings.iter().any(|mapping| {
                mapping.file.as_deref() == Some(&path) && mapping.executable && mapping.range.contains(&entry)
            });
            let is_program = is_program.then_some(entry);
            let Some(image) = self.plan(&mut code, &mappings, &path, start, is_program)? else { continue };
            let place = image.patch.region.start.wrapping_add(image.slide);
            map_control_page(&injection, place)?;
            map_trampolines(&injection, self.memory, &image.patch, place)?;
            let room = image.patch.region.end - image.patch.region.start;
            mappings.push(Mapping { range: place..place + room, executable: true, offset: 0, file: None });
            mappings.sort_by_key(|mapping| mapping.range.start);
            images.push(image);
        }
        injection.call(libc::SYS_close, [CONTROL_DESCRIPTOR as u64, 0, 0, 0, 0, 0])?;
        injection.finish()?;
        // Only now: what is written may include the place of the injected call.
        for image in images {
            code.add(self.memory, image)?;
        }
        code.coverage.watch(self.memory)?;
        Ok(code)
    }

    /// Rewrites a library whose code a stopped thread has just mapped at this address.
    pub fn opened(&self, code: &mut Code, tid: pid_t, address: u64) -> Result<(), RecordError> {
        self.open_at(code, tid, address).map_err(Failure::into_error)
    }

    fn open_at(&self, code: &mut Code, tid: pid_t, address: u64) -> Result<(), Failure> {
        code.forget_at(address);
        let mappings = maps::mappings(self.pid)?;
        let holds = |mapping: &&Mapping| mapping.executable && mapping.range.contains(&address);
        let Some(mapping) = mappings.iter().find(holds) else { return Ok(()) };
        let Some(path) = mapping.file.clone() else {
            code.coverage.add_gap(Gap::Made);
            return Ok(());
        };
        // Code that is not a library's, or is mapped a second time, is left alone.
        let Some((_, start)) = loaded_files(&mappings).into_iter().find(|(file, _)| *file == path) else {
            return Ok(());
        };
        let Some(control) = code.control_page() else { return Ok(()) };
        code.coverage.libraries_may_close();
        let Some(image) = self.plan(code, &mappings, &path, start, None)? else {
            return Ok(code.coverage.watch(self.memory)?);
        };
        if !image.span.contains(&address) {
            return Ok(());
        }
        let injection = Injection::begin(tid, self.memory)?;
        let place = image.patch.region.start.wrapping_add(image.slide);
        copy_control_page(&injection, control, place)?;
        map_trampolines(&injection, self.memory, &image.patch, place)?;
        injection.finish()?;
        code.add(self.memory, Installed { opened: Some(path), ..image })?;
        Ok(code.coverage.watch(self.memory)?)
    }

    /// What is to be done about a file that is loaded from `start` on; nothing if there is nothing to do. What it leaves
    /// without points is told to the coverage of `code`.
    fn plan(
        &self,
        code: &mut Code,
        mappings: &[Mapping],
        path: &Path,
        start: u64,
        entry: Option<u64>,
    ) -> Result<Option<Installed>, Failure> {
        let instrumentation =
            if entry.is_some() { Instrumentation::Named } else { self.rewriting.libraries.instrumentation(path) };
        let depth = match instrumentation {
            Instrumentation::Named | Instrumentation::Own => Depth::Accesses,
            Instrumentation::LeftOut | Instrumentation::System => Depth::Essentials,
        };
        let refused = |code: &mut Code, error: RecordError| match instrumentation {
            Instrumentation::Named => Err(Failure::Refused(error)),
            Instrumentation::Own | Instrumentation::LeftOut => {
                code.coverage.add_gap(Gap::Refused { file: path.to_owned(), reason: reason(error) });
                Ok(None)
            }
            Instrumentation::System => Ok(None),
        };
        let (file, image) =
            match self.rewriting.cache.image(if entry.is_some() { self.rewriting.program } else { path }) {
                Ok(found) => found,
                Err(error) => return refused(code, error),
            };
        let slide = match entry {
            Some(entry) => entry.wrapping_sub(image.entry),
            None => start.wrapping_sub(image.span.start & !(PAGE - 1)),
        };
        let span = image.span.start.wrapping_add(slide)..image.span.end.wrapping_add(slide);
        let room = Patch::room(&image, depth);
        let Some(place) = maps::find_room(mappings, &span, room) else {
            let error = RecordError::Unsupported {
                program: path.to_owned(),
                reason: "has no room for trampolines near its code".to_owned(),
                remedy: "use --free".to_owned(),
            };
            return refused(code, error);
        };
        let region = place.wrapping_sub(slide)..place.wrapping_sub(slide) + room;
        let patch = self.rewriting.cache.patch(&file, &image, depth, region);
        if instrumentation != Instrumentation::System {
            let is_worth_a_note = patch.unknown > 0 && patch.unknown * WORTH_A_NOTE >= image.code_len();
            if depth == Depth::Accesses && is_worth_a_note {
                code.coverage.add_gap(Gap::Unknown {
                    file: path.to_owned(),
                    bytes: patch.unknown,
                    of: image.code_len(),
                });
            }
            if self.rewriting.counts {
                let functions = self.rewriting.cache.functions(&file, &image);
                let left_out = (instrumentation == Instrumentation::LeftOut).then_some(path);
                let counted = functions.iter().filter(|function| !function.is_runtime);
                code.coverage.expect(counted, slide, &span, left_out);
            }
        }
        Ok((!patch.trampolines.is_empty()).then_some(Installed { patch, slide, span, opened: None }))
    }
}

/// What is wrong with a library, after its name.
fn reason(error: RecordError) -> String {
    match error {
        RecordError::Unsupported { reason, .. } => reason,
        RecordError::File { source, .. } => format!("cannot be read ({source})"),
        other => format!("cannot be rewritten ({other})"),
    }
}

/// Why code could not be rewritten.
enum Failure {
    Refused(RecordError),
    System(io::Error),
}

impl Failure {
    fn into_error(self) -> RecordError {
        match self {
            Self::Refused(error) => error,
            Self::System(source) => RecordError::System { what: "rewriting the program", source },
        }
    }
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

/// Maps the control page, which the program has a descriptor of until it begins.
fn map_control_page(injection: &Injection<'_>, place: u64) -> io::Result<()> {
    let read_write = (libc::PROT_READ | libc::PROT_WRITE) as u64;
    let shared = (libc::MAP_SHARED | libc::MAP_FIXED_NOREPLACE) as u64;
    injection.call(libc::SYS_mmap, [place, PAGE, read_write, shared, CONTROL_DESCRIPTOR as u64, 0]).map(drop)
}

/// Maps the control page a further time. (Moving none of a shared mapping's bytes copies the mapping.)
fn copy_control_page(injection: &Injection<'_>, from: u64, place: u64) -> io::Result<()> {
    let fixed = (libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED) as u64;
    injection.call(libc::SYS_mremap, [from, 0, PAGE, fixed, place, 0]).map(drop)
}

fn map_trampolines(injection: &Injection<'_>, memory: &Memory, patch: &Patch, place: u64) -> io::Result<()> {
    let fixed = libc::MAP_FIXED_NOREPLACE as u64;
    let execute = (libc::PROT_READ | libc::PROT_EXEC) as u64;
    let private = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE) as u64 | fixed;
    let length = (patch.trampolines.len() as u64).next_multiple_of(PAGE);
    injection.call(libc::SYS_mmap, [place + PAGE, length, execute, private, u64::MAX, 0])?;
    memory.write(place + PAGE, &patch.trampolines)
}
