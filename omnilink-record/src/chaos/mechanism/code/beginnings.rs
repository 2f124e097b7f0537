//! Where code begins that no unwind table describes: hand-written assembler, code compiled without unwind tables, what
//! the compiler's own start files contain.

use std::collections::BTreeMap;
use std::ops::Range;

use iced_x86::{Decoder, DecoderOptions, Instruction, OpKind, Register};
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};

use super::image::Section;

/// A place where code begins, or may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beginning {
    /// How long the code is, if that is told.
    pub size: Option<u64>,
    /// It is certainly code: a symbol says so, or it is executed when the file is loaded. Otherwise it is a label in a
    /// section with code, and what follows may be data.
    pub is_certain: bool,
}

/// All of a file, by their addresses.
#[derive(Debug, Clone, Default)]
pub struct Beginnings(BTreeMap<u64, Beginning>);

impl Beginnings {
    /// Reads what a file says; `relocations` are the places that the loader fills in, with what it writes there.
    pub fn read(file: &object::File<'_>, bias: u64, code: &[Section], relocations: &BTreeMap<u64, u64>) -> Self {
        let mut beginnings = Self::default();
        for symbol in file.symbols().chain(file.dynamic_symbols()).filter(ObjectSymbol::is_definition) {
            let is_certain = match symbol.kind() {
                SymbolKind::Text => true,
                SymbolKind::Unknown | SymbolKind::Label => false,
                _ => continue,
            };
            let size = Some(symbol.size()).filter(|&size| size > 0);
            beginnings.add(code, symbol.address().wrapping_add(bias), Beginning { size, is_certain });
        }
        let executed = Beginning { size: None, is_certain: true };
        let entry = file.entry().wrapping_add(bias);
        if file.entry() != 0 {
            beginnings.add(code, entry, executed);
            if let Some(main) = main_of(code, entry, relocations) {
                beginnings.add(code, main, executed);
            }
        }
        for name in [".preinit_array", ".init_array", ".fini_array"] {
            let Some(section) = file.section_by_name(name) else { continue };
            let (start, bytes) = (section.address() + bias, section.data().unwrap_or_default());
            let told = bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("a chunk of eight")));
            let filled = relocations.range(start..start + section.size()).map(|(_, &address)| address);
            for address in told.map(|word| word.wrapping_add(bias)).chain(filled) {
                beginnings.add(code, address, executed);
            }
        }
        for name in [".init", ".fini"] {
            if let Some(section) = file.section_by_name(name) {
                beginnings.add(code, section.address() + bias, executed);
            }
        }
        beginnings
    }

    fn add(&mut self, code: &[Section], address: u64, beginning: Beginning) {
        if !code.iter().any(|section| section.range().contains(&address)) {
            return;
        }
        let known = self.0.entry(address).or_insert(beginning);
        known.is_certain |= beginning.is_certain;
        known.size = known.size.max(beginning.size);
    }

    /// Adds a stretch that is executed from its first byte on.
    pub fn add_stretch(&mut self, range: &Range<u64>) {
        let size = Some(range.end - range.start);
        self.0.insert(range.start, Beginning { size, is_certain: true });
    }

    /// True if the file tells of no function by a symbol with a size: a stripped file, as a rule.
    pub fn has_no_functions(&self) -> bool {
        !self.0.values().any(|beginning| beginning.is_certain && beginning.size.is_some())
    }

    /// All, by address.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Beginning)> + '_ {
        self.0.iter().map(|(&address, &beginning)| (address, beginning))
    }

    /// True if there is one.
    pub fn contains(&self, address: u64) -> bool {
        self.0.contains_key(&address)
    }

    /// The first one after an address.
    pub fn next_after(&self, address: u64) -> Option<u64> {
        self.0.range(address + 1..).next().map(|(&next, _)| next)
    }

    /// Where what an address belongs to begins: the last one until there, or its end if that is before.
    pub fn last_until(&self, address: u64) -> Option<u64> {
        let (&start, beginning) = self.0.range(..=address).next_back()?;
        let end = start + beginning.size.unwrap_or_default();
        Some(if end <= address { end } else { start })
    }

    /// The stretch of a beginning that tells its size and that this address is in.
    pub fn sized_around(&self, address: u64) -> Option<Range<u64>> {
        // A function may have labels inside it, each a beginning of its own.
        const LABELS: usize = 64;
        let before = self.0.range(..=address).rev().take(LABELS);
        let mut stretches = before.filter_map(|(&start, beginning)| Some(start..start + beginning.size?));
        stretches.find(|stretch| stretch.contains(&address))
    }
}

/// What the code at the entry hands to the C library as `main`: its first argument.
fn main_of(code: &[Section], entry: u64, relocations: &BTreeMap<u64, u64>) -> Option<u64> {
    const LOOKED_AT: usize = 24;
    let section = code.iter().find(|section| section.range().contains(&entry))?;
    let bytes = &section.bytes[(entry - section.address) as usize..];
    let instructions = Decoder::with_ip(64, bytes, entry, DecoderOptions::NONE).into_iter().take(LOOKED_AT);
    let is_call = |instruction: &Instruction| instruction.is_call_near() || instruction.is_call_near_indirect();
    let mut before_call = instructions.take_while(|instruction| !is_call(instruction));
    before_call.find_map(|instruction| {
        if !matches!(instruction.op0_register(), Register::RDI | Register::EDI) {
            return None;
        }
        match instruction.op1_kind() {
            OpKind::Memory if instruction.is_ip_rel_memory_operand() => {
                let address = instruction.ip_rel_memory_address();
                // Its address, or a word with its address.
                Some(relocations.get(&address).copied().unwrap_or(address))
            }
            OpKind::Immediate32 | OpKind::Immediate64 | OpKind::Immediate32to64 => Some(instruction.immediate(1)),
            _ => None,
        }
    })
}
