//! The debug information and the symbols of an ELF file.
//!
//! addr2line has a loader of its own. It is not used because it reads the formats of other systems too, which takes as long to
//! compile as all else that this crate needs of it.
//!
//! Split debug information is read where the file says that it is: in a package beside it (`.dwp`), or in object files
//! (`.dwo`).

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::ops::{Deref, Range};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use addr2line::{Context, LookupContinuation, LookupResult, SplitDwarfLoad};
use gimli::{AbbreviationsCacheStrategy, Dwarf, DwarfPackage, NativeEndian, Reader as _};
use memmap2::Mmap;
use object::read::CompressionFormat;
use object::{Object, ObjectSection};

/// What a file says of its addresses.
pub struct DebugFile {
    /// Sorted by address.
    symbols: Vec<Symbol>,
    /// Nothing if the debug information is damaged.
    context: Option<Context<Reader>>,
    package: Option<DwarfPackage<Reader>>,
}

struct Symbol {
    addresses: Range<u64>,
    name: Box<str>,
}

/// A function at an address, or one that was inlined there, as the debug information has it.
pub struct Place {
    /// Its name, mangled if the compiler mangles names.
    pub name: Option<String>,
    /// The source file.
    pub file: Option<String>,
    /// The line in it; zero if the compiler made the code.
    pub line: Option<u32>,
}

impl DebugFile {
    /// Reads a file. Nothing if it cannot be read or is no ELF file.
    pub fn open(path: &Path) -> Option<Self> {
        let mapped = map(path)?;
        let file = object::File::parse(&**mapped).ok()?;
        let symbols = file.symbol_map();
        let symbols = symbols.symbols().iter().map(|symbol| {
            let end = if symbol.size() == 0 { u64::MAX } else { symbol.address().saturating_add(symbol.size()) };
            Symbol { addresses: symbol.address()..end, name: symbol.name().into() }
        });
        let mut dwarf = whole(&mapped, &file);
        dwarf.populate_abbreviations_cache(AbbreviationsCacheStrategy::Duplicates);
        Some(Self { symbols: symbols.collect(), context: Context::from_dwarf(dwarf).ok(), package: package_of(path) })
    }

    /// The symbol that an address belongs to.
    pub fn symbol_at(&self, address: u64) -> Option<&str> {
        let after = self.symbols.partition_point(|symbol| symbol.addresses.start <= address);
        let symbol = self.symbols[..after].last()?;
        symbol.addresses.contains(&address).then_some(&*symbol.name)
    }

    /// The functions at an address, first those that are inlined there. Nothing if the debug information is damaged.
    pub fn places_at(&self, address: u64) -> Option<Vec<Place>> {
        let mut lookup = self.context.as_ref()?.find_frames(address);
        let mut frames = loop {
            match lookup {
                LookupResult::Output(frames) => break frames.ok()?,
                LookupResult::Load { load, continuation } => lookup = continuation.resume(self.split_unit(&load)),
            }
        };
        let mut places = Vec::new();
        while let Some(frame) = frames.next().ok()? {
            let name = frame.function.and_then(|function| function.raw_name().ok().map(Cow::into_owned));
            let (file, line) = frame.location.map_or((None, None), |at| (at.file.map(str::to_owned), at.line));
            places.push(Place { name, file, line });
        }
        Some(places)
    }

    /// The unit that a skeleton unit of the file stands for.
    fn split_unit(&self, load: &SplitDwarfLoad<Reader>) -> Option<Arc<Dwarf<Reader>>> {
        let packed =
            self.package.as_ref().and_then(|package| package.find_cu(load.dwo_id, &load.parent).ok().flatten());
        packed.or_else(|| unit_of_its_own_file(load)).map(Arc::new)
    }
}

fn unit_of_its_own_file(load: &SplitDwarfLoad<Reader>) -> Option<Dwarf<Reader>> {
    let part = |reader: &Reader| Some(PathBuf::from(OsStr::from_bytes(&reader.to_slice().ok()?)));
    let directory = load.comp_dir.as_ref().and_then(part).unwrap_or_default();
    let mapped = map(&directory.join(part(load.path.as_ref()?)?))?;
    let file = object::File::parse(&**mapped).ok()?;
    let mut dwarf = split(&mapped, &file);
    let first = dwarf.units().next().ok()??;
    if dwarf.unit(first).ok()?.dwo_id != Some(load.dwo_id) {
        return None;
    }
    dwarf.make_dwo(&load.parent);
    Some(dwarf)
}

/// The package of split debug information beside a file: `program.dwp`, `library.so.dwp`.
fn package_of(path: &Path) -> Option<DwarfPackage<Reader>> {
    let mut name = path.file_name()?.to_owned();
    name.push(".dwp");
    let mapped = map(&path.with_file_name(name))?;
    let file = object::File::parse(&**mapped).ok()?;
    let section = |id: gimli::SectionId| Ok::<_, gimli::Error>(section(&mapped, &file, id.dwo_name()));
    DwarfPackage::load(section, Reader::new(Part::default(), NativeEndian)).ok()
}

fn whole(mapped: &Arc<Bytes>, file: &object::File<'_>) -> Dwarf<Reader> {
    let Ok(dwarf) = Dwarf::load(|id| Ok::<_, std::convert::Infallible>(section(mapped, file, Some(id.name()))));
    dwarf
}

fn split(mapped: &Arc<Bytes>, file: &object::File<'_>) -> Dwarf<Reader> {
    let Ok(dwarf) = Dwarf::load(|id| Ok::<_, std::convert::Infallible>(section(mapped, file, id.dwo_name())));
    dwarf
}

/// A section as it is read by gimli; empty if there is none, or if it is damaged.
fn section(mapped: &Arc<Bytes>, file: &object::File<'_>, name: Option<&str>) -> Reader {
    let part = match name.and_then(|name| contents(file, name)) {
        // In the mapping: refers to it.
        Some(Cow::Borrowed(bytes)) if !bytes.is_empty() => {
            let start = bytes.as_ptr().addr() - mapped.as_ptr().addr();
            Part { bytes: Arc::clone(mapped), range: start..start + bytes.len() }
        }
        Some(Cow::Owned(bytes)) => Part { range: 0..bytes.len(), bytes: Arc::new(Bytes::Decompressed(bytes)) },
        _ => Part::default(),
    };
    Reader::new(part, NativeEndian)
}

/// The contents of a section, decompressed.
pub fn contents<'d>(file: &object::File<'d>, name: &str) -> Option<Cow<'d, [u8]>> {
    // Compilers of before 2015 compressed `.debug_info` as `.zdebug_info`.
    let old_name = || name.strip_prefix(".debug_").map(|rest| format!(".zdebug_{rest}"));
    let section = file.section_by_name(name).or_else(|| file.section_by_name(&old_name()?))?;
    let section = section.compressed_data().ok()?;
    let size = usize::try_from(section.uncompressed_size).ok()?;
    let decompressed = match section.format {
        CompressionFormat::None => return Some(Cow::Borrowed(section.data)),
        CompressionFormat::Zlib => miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(section.data, size).ok()?,
        CompressionFormat::Zstandard => {
            let mut bytes = Vec::new();
            zstd::Decoder::new(section.data).ok()?.take(section.uncompressed_size).read_to_end(&mut bytes).ok()?;
            bytes
        }
        _ => return None,
    };
    (decompressed.len() == size).then_some(Cow::Owned(decompressed))
}

fn map(path: &Path) -> Option<Arc<Bytes>> {
    let file = File::open(path).ok()?;
    // SAFETY: the file is a program or a library, which is replaced by renaming or, as the kernel demands of one that runs,
    // not at all. Nothing here depends on its contents for memory safety.
    let mapped = unsafe { Mmap::map(&file) }.ok()?;
    Some(Arc::new(Bytes::Mapped(mapped)))
}

type Reader = gimli::EndianReader<NativeEndian, Part>;

/// A part of a file's contents.
#[derive(Debug, Clone)]
struct Part {
    bytes: Arc<Bytes>,
    range: Range<usize>,
}

/// The contents of a file or of a section.
#[derive(Debug)]
enum Bytes {
    Mapped(Mmap),
    Decompressed(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(bytes) => bytes,
            Self::Decompressed(bytes) => bytes,
        }
    }
}

impl Deref for Part {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.range.clone()]
    }
}

impl Default for Part {
    fn default() -> Self {
        Self { bytes: Arc::new(Bytes::Decompressed(Vec::new())), range: 0..0 }
    }
}

// SAFETY: the bytes are in a mapping or on the heap, and `Arc` gives no mutable access to them, so they stay at one address
// while a `Part` exists, also if it is moved.
unsafe impl gimli::StableDeref for Part {}

// SAFETY: a clone shares the `Arc`, so it dereferences to the same address.
unsafe impl gimli::CloneStableDeref for Part {}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Compiles a program whose function `answer` begins in line 1; nothing if the tools do not know the options.
    fn program(directory: &Path, options: &[&str]) -> Option<PathBuf> {
        let source = directory.join("answer.c");
        std::fs::write(&source, "int answer(int x) {\n  return x + 42;\n}\nint main(void) { return answer(0); }\n")
            .unwrap();
        let program = directory.join("answer");
        let compiler = Command::new("cc")
            .args(options)
            .args(["-g", "-o"])
            .args([&program, &source])
            .current_dir(directory)
            .output()
            .unwrap();
        compiler.status.success().then_some(program)
    }

    fn knows_the_answer(program: &Path) {
        let file = DebugFile::open(program).expect("an ELF file");
        let symbol = file.symbols.iter().find(|symbol| &*symbol.name == "answer").expect("a symbol");
        let address = symbol.addresses.start;
        assert_eq!(file.symbol_at(address + 1), Some("answer"));
        let places = file.places_at(address).expect("debug information");
        let [Place { name: Some(name), file: Some(source), line: Some(1) }] = &*places else {
            panic!("{} places", places.len())
        };
        assert_eq!(name, "answer");
        assert!(source.ends_with("answer.c"), "{source}");
    }

    #[test]
    fn debug_information_is_found_in_every_form() {
        let required: [&[&str]; 4] = [&[], &["-gz=zlib"], &["-gsplit-dwarf"], &["-gdwarf-4", "-gsplit-dwarf"]];
        for options in required {
            let directory = tempfile::tempdir().unwrap();
            knows_the_answer(&program(directory.path(), options).unwrap_or_else(|| panic!("cc {options:?}")));
        }
        let depends_on_the_tools: [&[&str]; 2] = [&["-gz=zlib-gnu"], &["-gz=zstd"]];
        for options in depends_on_the_tools {
            let directory = tempfile::tempdir().unwrap();
            if let Some(program) = program(directory.path(), options) {
                knows_the_answer(&program);
            }
        }
    }

    #[test]
    fn zstd_is_decompressed() {
        let directory = tempfile::tempdir().unwrap();
        let program = program(directory.path(), &[]).unwrap();
        let compressor = Command::new("objcopy").arg("--compress-debug-sections=zstd").arg(&program).output();
        // Where binutils cannot do that, such programs are not made.
        if compressor.is_ok_and(|compressor| compressor.status.success()) {
            knows_the_answer(&program);
        }
    }

    #[test]
    fn what_is_no_elf_file_says_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let text = directory.path().join("text");
        std::fs::write(&text, "no program").unwrap();
        std::fs::write(directory.path().join("empty"), "").unwrap();
        assert!(DebugFile::open(&text).is_none());
        assert!(DebugFile::open(&directory.path().join("empty")).is_none());
        assert!(DebugFile::open(&directory.path().join("missing")).is_none());
    }
}
