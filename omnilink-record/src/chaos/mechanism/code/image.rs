//! What an ELF file says about its code.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use gimli::{BaseAddresses, CieOrFde, EhFrame, LittleEndian, Pointer, UnwindSection};
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic};
use object::{
    Architecture, Object, ObjectKind, ObjectSection, ObjectSegment, RelocationFlags, SectionFlags, SectionKind, elf,
};

use super::beginnings::Beginnings;
use super::targets::gaps;
use super::{landing_pads, leaks, runtime_code};
use crate::error::RecordError;

/// Added to the addresses of files that can be loaded anywhere, whose own begin at zero: so that what lies before them
/// has an address, too.
const BIAS: u64 = 1 << 36;

/// Where an ELF file says how wide its addresses are.
const CLASS_AT: usize = 4;

/// A piece of a file with the address that it is loaded to.
#[derive(Debug)]
pub struct Section {
    /// Where it begins.
    pub address: u64,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl Section {
    /// The addresses that it takes.
    pub fn range(&self) -> Range<u64> {
        self.address..self.address + self.bytes.len() as u64
    }
}

/// A stretch of bytes that are certainly code: a function, as the unwinder knows it, or what is found without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its addresses.
    pub range: Range<u64>,
    /// It belongs to OmniLink's runtime, which is not to be interrupted between reading the clock and the call.
    pub is_runtime: bool,
    /// The unwind table describes it. What it does not describe may be written by hand: callers may look at the flags
    /// that it returns with.
    pub is_described: bool,
}

/// A program or library.
#[derive(Debug)]
pub struct Image {
    /// What addresses here are greater by than those in the file.
    pub bias: u64,
    /// Where the program begins.
    pub entry: u64,
    /// All addresses that it takes.
    pub span: Range<u64>,
    /// Sections with code.
    pub code: Vec<Section>,
    /// Code that leads to other libraries.
    pub linkage: Vec<Range<u64>>,
    /// Functions that the unwind table describes, by address, none overlapping; see [`super::reached`] for others.
    pub functions: Vec<Function>,
    /// Where other code begins.
    pub beginnings: Beginnings,
    /// Code of OmniLink's runtime.
    pub runtime: Vec<Range<u64>>,
    /// Where the loader stores addresses within the image, and which.
    pub relocations: BTreeMap<u64, u64>,
    /// Sections with data, constants first of all: jump tables and addresses of functions are among them.
    pub data: Vec<Section>,
    /// Where data may change.
    pub writable: Vec<Range<u64>>,
    /// Where jumps may land that no instruction tells: function pointers, landing pads, symbols.
    pub entries: Vec<u64>,
    /// Whether a sanitizer in it looks for leaks when the program ends.
    pub looks_for_leaks: bool,
}

impl Image {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let bytes = std::fs::read(path).map_err(RecordError::file(path))?;
        Self::parse(&bytes).map_err(|reason| RecordError::Unsupported {
            program: path.to_owned(),
            reason,
            remedy: "use --free, or --rr-chaos where rr works (see `omnilink doctor`)".to_owned(),
        })
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
        if bytes.starts_with(b"#!") {
            return Err("is a script; name the program that it would run, which may be its interpreter".to_owned());
        }
        let is_elf = bytes.starts_with(&elf::ELFMAG);
        if is_elf && bytes.get(CLASS_AT) == Some(&elf::ELFCLASS32.0) {
            return Err("is 32-bit code, the chaos scheduler knows x86-64 only".to_owned());
        }
        let file = object::File::parse(bytes).map_err(|error| match is_elf {
            true => format!("is a damaged ELF file: {error}"),
            false => format!("is not an ELF file: {error}"),
        })?;
        if file.architecture() != Architecture::X86_64 || !file.is_64() {
            return Err(format!("is code for {:?}, the chaos scheduler knows x86-64 only", file.architecture()));
        }
        let bias = match file.kind() {
            ObjectKind::Executable => 0,
            ObjectKind::Dynamic => BIAS,
            kind => return Err(format!("is not a program but {kind:?}")),
        };
        if file.sections().next().is_none() {
            return Err("has no section headers, which tell code from data".to_owned());
        }
        if is_go(&file) {
            return Err("is a Go program, whose runtime does not work with rewritten code".to_owned());
        }
        let loaded = |section: &object::Section<'_, '_>| match section.flags() {
            SectionFlags::Elf { sh_flags, .. } => sh_flags.contains(elf::SHF_ALLOC),
            _ => false,
        };
        let mut image = Self {
            bias,
            entry: file.entry().wrapping_add(bias),
            span: span(&file, bias),
            code: Vec::new(),
            linkage: Vec::new(),
            functions: Vec::new(),
            beginnings: Beginnings::default(),
            runtime: runtime_code::ranges(&file, bias),
            relocations: relocations(&file, bias),
            data: Vec::new(),
            writable: Vec::new(),
            entries: Vec::new(),
            looks_for_leaks: leaks::are_looked_for(&file),
        };
        for section in file.sections().filter(loaded) {
            let address = section.address() + bias;
            let read = || section.data().map(<[u8]>::to_vec).map_err(|error| format!("is damaged: {error}"));
            if is_writable(&section) {
                image.writable.push(address..address + section.size());
            }
            if section.name().is_ok_and(|name| name.starts_with(".plt") || name.starts_with(".iplt")) {
                image.linkage.push(address..address + section.size());
            }
            match section.kind() {
                SectionKind::Text => image.code.push(Section { address, bytes: read()? }),
                SectionKind::UninitializedData | SectionKind::UninitializedTls => {}
                _ => image.data.push(Section { address, bytes: read()? }),
            }
        }
        image.read_functions(&file)?;
        image.entries.extend(relocated(&file, bias));
        image.beginnings = Beginnings::read(&file, bias, &image.code, &image.relocations);
        image.entries.extend(image.beginnings.iter().map(|(address, _)| address));
        if image.functions.is_empty() && image.beginnings.has_no_functions() {
            return Err("has neither an unwind table (.eh_frame) nor symbols, which tell code from data".to_owned());
        }
        Ok(image)
    }

    fn read_functions(&mut self, file: &object::File<'_>) -> Result<(), String> {
        let Some(section) = file.section_by_name(".eh_frame") else { return Ok(()) };
        let bytes = section.data().map_err(|error| format!("is damaged: {error}"))?;
        let address = |name| file.section_by_name(name).map_or(0, |section| section.address() + self.bias);
        let bases = BaseAddresses::default()
            .set_eh_frame(section.address() + self.bias)
            .set_text(address(".text"))
            .set_got(address(".got"));
        let frames = EhFrame::new(bytes, LittleEndian);
        let mut entries = frames.entries(&bases);
        // A table that cannot be read to its end still describes the functions before.
        while let Ok(Some(entry)) = entries.next() {
            let CieOrFde::Fde(partial) = entry else { continue };
            let Ok(fde) = partial.parse(EhFrame::cie_from_offset) else { continue };
            // In a program that may not be moved addresses are absolute, and need no base.
            let start = if fde.initial_address() < self.bias { continue } else { fde.initial_address() };
            let range = start..start + fde.len();
            if let Some(Pointer::Direct(table)) = fde.lsda() {
                let table = self
                    .data
                    .iter()
                    .find(|section| section.range().contains(&table))
                    .map(|section| &section.bytes[(table - section.address) as usize..]);
                self.entries.extend(table.into_iter().flat_map(|table| landing_pads::addresses(table, start)));
            }
            self.entries.push(start);
            if self.code.iter().any(|section| section.address <= start && range.end <= section.range().end) {
                let is_runtime = self.runtime.iter().any(|runtime| runtime.contains(&start));
                self.functions.push(Function { range, is_runtime, is_described: true });
            }
        }
        self.functions.sort_by_key(|function| function.range.start);
        self.functions.dedup_by(|later, earlier| later.range.start < earlier.range.end);
        Ok(())
    }

    /// The bytes at these addresses, if they are all code.
    pub fn code_at(&self, range: &Range<u64>) -> Option<&[u8]> {
        let section = self.code.iter().find(|section| section.range().contains(&range.start))?;
        section.bytes.get((range.start - section.address) as usize..(range.end - section.address) as usize)
    }

    /// The data from an address on.
    pub fn data_at(&self, address: u64) -> Option<&[u8]> {
        let section = self.data.iter().find(|section| section.range().contains(&address))?;
        Some(&section.bytes[(address - section.address) as usize..])
    }

    /// True if there is nothing but what fills the space between functions.
    pub fn is_padding(&self, range: &Range<u64>) -> bool {
        let Some(bytes) = self.code_at(range) else { return range.is_empty() };
        let instructions = Decoder::with_ip(64, bytes, range.start, DecoderOptions::NONE).into_iter();
        let fills = |instruction: &Instruction| matches!(instruction.mnemonic(), Mnemonic::Nop | Mnemonic::Int3);
        let filled: usize = instructions.take_while(fills).map(|instruction| instruction.len()).sum();
        bytes[filled..].iter().all(|&byte| byte == 0)
    }

    /// True if what is stored there may change.
    pub fn is_writable(&self, address: u64) -> bool {
        self.writable.iter().any(|range| range.contains(&address))
    }

    /// How much code is in none of these functions, except what fills space and what leads to other libraries.
    pub fn unknown_len(&self, functions: &[Function]) -> u64 {
        let is_linkage = |gap: &Range<u64>| self.linkage.iter().any(|linkage| linkage.contains(&gap.start));
        let unknown = gaps(self, functions).into_iter().filter(|gap| !self.is_padding(gap) && !is_linkage(gap));
        unknown.map(|gap| gap.end - gap.start).sum()
    }

    /// Everything in the data that may be an address.
    pub fn pointers(&self) -> impl Iterator<Item = u64> + '_ {
        let words = self.data.iter().flat_map(|section| section.bytes.chunks_exact(8));
        let words = words.map(|word| u64::from_le_bytes(word.try_into().expect("a chunk of eight")));
        words.map(|word| word.wrapping_add(self.bias)).chain(self.relocations.values().copied())
    }

    /// How much code there is.
    pub fn code_len(&self) -> u64 {
        self.code.iter().map(|section| section.bytes.len() as u64).sum()
    }

    /// True if there is code.
    pub fn is_code(&self, address: u64) -> bool {
        self.code.iter().any(|section| section.range().contains(&address))
    }
}

/// Whether the Go compiler made it. Go's runtime looks up functions and frames by program counter in tables of its own, which
/// do not describe rewritten code: such a program crashes although it has no fault.
fn is_go(file: &object::File<'_>) -> bool {
    [".gopclntab", ".note.go.buildid"].iter().any(|name| file.section_by_name(name).is_some())
}

fn is_writable(section: &object::Section<'_, '_>) -> bool {
    // Tables that the loader fills in before the program begins do not change any more.
    let settled = matches!(
        section.name(),
        Ok(".data.rel.ro" | ".got" | ".got.plt" | ".dynamic" | ".init_array" | ".fini_array" | ".tdata" | ".tbss")
    );
    let flag = match section.flags() {
        SectionFlags::Elf { sh_flags, .. } => sh_flags.contains(elf::SHF_WRITE),
        _ => false,
    };
    flag && !settled
}

fn span(file: &object::File<'_>, bias: u64) -> Range<u64> {
    let start = file.segments().map(|segment| segment.address()).min().unwrap_or_default();
    let end = file.segments().map(|segment| segment.address() + segment.size()).max().unwrap_or_default();
    start + bias..end + bias
}

/// Where the loader stores addresses within the image, and which.
fn relocations(file: &object::File<'_>, bias: u64) -> BTreeMap<u64, u64> {
    let relocations = file.dynamic_relocations().into_iter().flatten();
    let relative = relocations.filter(|(_, relocation)| {
        matches!(relocation.flags(), RelocationFlags::Elf { r_type } if r_type == elf::R_X86_64_RELATIVE)
    });
    relative.map(|(at, relocation)| (at + bias, (relocation.addend() as u64).wrapping_add(bias))).collect()
}

/// Addresses that the loader stores somewhere.
fn relocated(file: &object::File<'_>, bias: u64) -> Vec<u64> {
    let relocations = file.dynamic_relocations().into_iter().flatten();
    relocations.map(|(_, relocation)| (relocation.addend() as u64).wrapping_add(bias)).collect()
}
