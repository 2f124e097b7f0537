//! The stack of a stopped thread, with names.
//!
//! The tables that exceptions unwind by (`.eh_frame`) tell, for every address of code, where the caller's registers
//! are.

use std::ops::Range;
use std::path::PathBuf;

use gimli::{
    BaseAddresses, CfaRule, EhFrame, LittleEndian, Register, RegisterRule, UnwindContext, UnwindSection, X86_64,
};
use libc::pid_t;
use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol};

use super::code::Place;
use super::maps;
use super::memory::Memory;
use super::tracee::Registers;

/// Deeper stacks are cut.
const MAX_FRAMES: usize = 64;

/// What is loaded in a process.
#[derive(Debug)]
pub struct Modules(Vec<Module>);

#[derive(Debug)]
struct Module {
    file: PathBuf,
    bytes: Vec<u8>,
    ranges: Vec<Range<u64>>,
    /// What addresses in the process are greater by than those in the file.
    slide: u64,
}

impl Module {
    /// Reads a file of which this is the first range that a process has.
    fn load(file: PathBuf, first: Range<u64>) -> Self {
        let bytes = std::fs::read(&file).unwrap_or_default();
        let parsed = object::File::parse(&*bytes).ok();
        let least = parsed.and_then(|file| file.segments().map(|segment| segment.address()).min());
        let slide = first.start.wrapping_sub(least.unwrap_or_default() & !0xfff);
        Self { file, bytes, ranges: vec![first], slide }
    }

    /// The function at an address of the process; without a name, the place in the file.
    fn function_at(&self, address: u64) -> String {
        let address = address.wrapping_sub(self.slide);
        let named = object::File::parse(&*self.bytes).ok().and_then(|file| name(&file, address));
        named.unwrap_or_else(|| format!("{}+{address:#x}", self.file.display()))
    }
}

/// The function at an address of a process. Reads one file, where [`Modules`] reads all.
pub fn function_at(pid: pid_t, address: u64) -> Option<String> {
    let mappings = maps::mappings(pid).ok()?;
    let file = mappings.iter().find(|mapping| mapping.range.contains(&address))?.file.clone()?;
    let first = mappings.into_iter().find(|mapping| mapping.file.as_ref() == Some(&file))?;
    Some(Module::load(file, first.range).function_at(address))
}

impl Modules {
    /// Reads the files that a process has loaded. What cannot be read has no names.
    pub fn of(pid: pid_t) -> Self {
        let mut modules: Vec<Module> = Vec::new();
        for mapping in maps::mappings(pid).unwrap_or_default() {
            let Some(file) = mapping.file else { continue };
            match modules.iter_mut().find(|module| module.file == file) {
                Some(module) => module.ranges.push(mapping.range),
                None => modules.push(Module::load(file, mapping.range)),
            }
        }
        Self(modules)
    }

    /// Where a function is, by its symbol.
    pub fn find(&self, symbol: &str) -> Option<u64> {
        self.0.iter().find_map(|module| {
            let file = object::File::parse(&*module.bytes).ok()?;
            let mut symbols = file.symbols().chain(file.dynamic_symbols());
            let found = symbols.find(|other| other.is_definition() && other.name() == Ok(symbol))?;
            Some(found.address().wrapping_add(module.slide))
        })
    }

    /// The functions that a thread is in, innermost first; `moved` tells where displaced instructions come from.
    pub fn backtrace(
        &self,
        registers: &Registers,
        memory: &Memory,
        moved: impl Fn(u64) -> Option<Place>,
    ) -> Vec<String> {
        let mut frame = Frame::of(registers);
        if let Some(place) = moved(frame.pc) {
            frame.pc = place.original;
        }
        let mut functions = Vec::new();
        while functions.len() < MAX_FRAMES {
            // A return address may be the first one after a function that does not return.
            let within = if functions.is_empty() { frame.pc } else { frame.pc.wrapping_sub(1) };
            let holds = |module: &&Module| module.ranges.iter().any(|range| range.contains(&within));
            let Some(module) = self.0.iter().find(holds) else { break };
            let Ok(file) = object::File::parse(&*module.bytes) else { break };
            functions.push(module.function_at(within));
            match frame.caller(&file, within.wrapping_sub(module.slide), memory) {
                Some(caller) if caller.pc != 0 => frame = caller,
                _ => break,
            }
        }
        functions
    }
}

/// The registers that callers expect to find again, by their DWARF numbers, and the address of the next instruction.
#[derive(Debug, Clone)]
struct Frame {
    pc: u64,
    registers: [u64; 16],
}

impl Frame {
    fn of(registers: &Registers) -> Self {
        let Registers { rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15, rip, .. } =
            *registers;
        Self { pc: rip, registers: [rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8, r9, r10, r11, r12, r13, r14, r15] }
    }

    fn get(&self, register: Register) -> Option<u64> {
        self.registers.get(usize::from(register.0)).copied()
    }

    fn caller(&self, file: &object::File<'_>, address: u64, memory: &Memory) -> Option<Self> {
        let section = file.section_by_name(".eh_frame")?;
        let frames = EhFrame::new(section.data().ok()?, LittleEndian);
        let text = file.section_by_name(".text").map_or(0, |text| text.address());
        let bases = BaseAddresses::default().set_eh_frame(section.address()).set_text(text);
        let mut context = UnwindContext::new();
        let row = frames.unwind_info_for_address(&bases, &mut context, address, EhFrame::cie_from_offset).ok()?;
        let cfa = match row.cfa() {
            CfaRule::RegisterAndOffset { register, offset } => self.get(*register)?.wrapping_add_signed(*offset),
            CfaRule::Expression(_) => return None,
        };
        let saved = |rule: RegisterRule<usize>| match rule {
            RegisterRule::Offset(offset) => memory.u64(cfa.wrapping_add_signed(offset)).ok(),
            RegisterRule::ValOffset(offset) => Some(cfa.wrapping_add_signed(offset)),
            RegisterRule::Register(other) => self.get(other),
            _ => None,
        };
        let mut caller = self.clone();
        for number in 0..self.registers.len() as u16 {
            if let Some(rule) = row.register(Register(number)).filter(|rule| *rule != RegisterRule::Undefined) {
                caller.registers[usize::from(number)] = saved(rule).unwrap_or(caller.registers[usize::from(number)]);
            }
        }
        caller.registers[usize::from(X86_64::RSP.0)] = cfa;
        caller.pc = row.register(X86_64::RA).and_then(saved)?;
        Some(caller)
    }
}

/// The name of the function at an address of a file.
fn name(file: &object::File<'_>, address: u64) -> Option<String> {
    let symbols = file.symbols().chain(file.dynamic_symbols());
    let function = symbols
        .filter(|symbol| symbol.address() <= address && address < symbol.address() + symbol.size().max(1))
        .max_by_key(ObjectSymbol::address)?;
    Some(demangled(function.name().ok()?))
}

/// A name as people write it.
fn demangled(symbol: &str) -> String {
    if let Ok(name) = rustc_demangle::try_demangle(symbol) {
        return format!("{name:#}");
    }
    let options = cpp_demangle::DemangleOptions::new().no_return_type();
    let name = cpp_demangle::Symbol::new(symbol).ok().and_then(|name| name.demangle_with_options(&options).ok());
    name.unwrap_or_else(|| symbol.to_owned())
}
