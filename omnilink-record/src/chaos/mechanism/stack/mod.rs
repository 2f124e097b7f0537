//! The stack of a stopped thread, with names and lines.
//!
//! `unwind` goes from a function to its caller, `symbols` knows what a file says of its addresses, [`crate::whose`]
//! tells the user's code from libraries'.

mod symbols;
mod unwind;

use std::ops::Range;
use std::path::PathBuf;

use libc::pid_t;
use object::{Object, ObjectSegment, ObjectSymbol};

use super::maps;
use super::memory::Memory;
use super::tracee::Registers;
use crate::stacks::Frame;
use symbols::Symbols;
use unwind::Activation;

/// Deeper stacks are cut: that of an endless recursion has tens of thousands.
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
    symbols: Symbols,
}

/// The functions that a thread is in.
#[derive(Debug, Default)]
pub struct Backtrace {
    /// Innermost first.
    pub frames: Vec<Frame>,
    /// Why there are not more of them.
    pub cut: Option<String>,
}

impl Module {
    /// Reads a file of which this is the first range that a process has.
    fn load(file: PathBuf, first: Range<u64>) -> Self {
        let bytes = std::fs::read(&file).unwrap_or_default();
        let parsed = object::File::parse(&*bytes).ok();
        let build_id = parsed.as_ref().and_then(|file| file.build_id().ok().flatten());
        let symbols = Symbols::of(&file, build_id);
        let least = parsed.as_ref().and_then(|file| file.segments().map(|segment| segment.address()).min());
        let slide = first.start.wrapping_sub(least.unwrap_or_default() & !0xfff);
        Self { file, bytes, ranges: vec![first], slide, symbols }
    }

    /// The functions at an address of the process: first those that are inlined there.
    fn functions_at(&self, address: u64) -> Vec<Frame> {
        self.symbols.functions_at(&self.file, address.wrapping_sub(self.slide))
    }

    fn holds(&self, address: u64) -> bool {
        self.ranges.iter().any(|range| range.contains(&address))
    }
}

/// The function at an address of a process. Reads one file, where [`Modules`] reads all.
pub fn function_at(pid: pid_t, address: u64) -> Option<String> {
    let mappings = maps::mappings(pid).ok()?;
    let file = mappings.iter().find(|mapping| mapping.range.contains(&address))?.file.clone()?;
    let first = mappings.into_iter().find(|mapping| mapping.file.as_ref() == Some(&file))?;
    let functions = Module::load(file, first.range).functions_at(address);
    functions.into_iter().next().map(|frame| frame.function)
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
        self.0.iter().find_map(|module| module.find(|name| name == symbol).first().copied())
    }

    /// Where the user's part of a program begins: `main`, or in Rust the function of that name, which `main` calls.
    pub fn find_main(&self, program: u64) -> Option<u64> {
        let module = self.0.iter().find(|module| module.holds(program))?;
        let is_rust_main = |symbol: &str| {
            let name = rustc_demangle::try_demangle(symbol).map(|name| format!("{name:#}")).unwrap_or_default();
            matches!(name.split("::").collect::<Vec<_>>()[..], [crate_name, "main"] if crate_name != "std")
        };
        match module.find(is_rust_main)[..] {
            [main] => Some(main),
            _ => module.find(|name| name == "main").first().copied(),
        }
    }

    /// The functions that a thread is in whose registers are these.
    pub fn backtrace(&self, registers: &Registers, memory: &Memory) -> Backtrace {
        let mut here = Activation::of(registers);
        let mut trace = Backtrace::default();
        while trace.frames.len() < MAX_FRAMES {
            if let Some(caller) = here.interrupted_by_signal(memory) {
                here = caller.activation;
                continue;
            }
            // A return address may be the first one after a function that does not return.
            let within = if here.interrupted { here.pc } else { here.pc.wrapping_sub(1) };
            let Some(module) = self.0.iter().find(|module| module.holds(within)) else {
                let is_first = trace.frames.is_empty();
                trace.frames.push(symbols::nowhere(here.pc));
                match here.called_nothing(memory) {
                    Some(caller) if is_first => here = caller.activation,
                    _ => {
                        trace.cut = Some("no more is known: there is no file with code at that address".to_owned());
                        break;
                    }
                }
                continue;
            };
            let file = object::File::parse(&*module.bytes).ok();
            let caller = file.and_then(|file| here.caller(&file, within.wrapping_sub(module.slide), memory));
            let frame = caller.as_ref().map_or(0, |caller| caller.frame);
            trace.frames.extend(
                module.functions_at(within).into_iter().map(|function| Frame { stack_address: frame, ..function }),
            );
            match caller {
                Some(caller) if caller.activation.pc != 0 => here = caller.activation,
                Some(_) => return trace,
                None => {
                    trace.cut = Some("no more is known: there is no unwind information for that function".to_owned());
                    return trace;
                }
            }
        }
        if trace.cut.is_none() {
            trace.cut = Some("deeper frames are left out".to_owned());
        }
        trace
    }
}

impl Module {
    /// Where functions with such symbols are, each once.
    fn find(&self, is_it: impl Fn(&str) -> bool) -> Vec<u64> {
        let Ok(file) = object::File::parse(&*self.bytes) else { return Vec::new() };
        let symbols = file.symbols().chain(file.dynamic_symbols());
        let found = symbols.filter(|symbol| symbol.is_definition() && symbol.name().is_ok_and(&is_it));
        let mut addresses: Vec<u64> = found.map(|symbol| symbol.address().wrapping_add(self.slide)).collect();
        addresses.sort_unstable();
        addresses.dedup();
        addresses
    }
}
