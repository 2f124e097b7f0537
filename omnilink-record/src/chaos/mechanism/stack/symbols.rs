//! What a file says of its addresses: functions, source files and lines, from debug information or from symbols.

use std::fmt;
use std::path::Path;

use crate::debug_file::DebugFile;
use crate::stacks::{Frame, Whose};
use crate::whose;

/// What a file says of its addresses; nothing if it cannot be read.
pub struct Symbols(Option<DebugFile>);

impl fmt::Debug for Symbols {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Symbols").field(&self.0.is_some()).finish()
    }
}

impl Symbols {
    /// Reads a file, or the debug information that is installed for it: where the file says, or under its identity, as
    /// distributions do.
    pub fn of(file: &Path, build_id: Option<&[u8]>) -> Self {
        let installed = build_id.and_then(|id| id.split_first()).map(|(first, rest)| {
            let rest: String = rest.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("/usr/lib/debug/.build-id/{first:02x}/{rest}.debug")
        });
        let installed = installed.and_then(|path| DebugFile::open(Path::new(&path)));
        Self(installed.or_else(|| DebugFile::open(file)))
    }

    /// The functions at an address of this file: first those that are inlined there.
    pub fn functions_at(&self, file: &Path, address: u64) -> Vec<Frame> {
        let mut frames = self.by_debug_information(file, address).unwrap_or_default();
        if frames.is_empty() {
            let symbol = self.0.as_ref().and_then(|file| file.symbol_at(address));
            let function = symbol.map_or_else(|| format!("{}+{address:#x}", file.display()), demangled);
            frames.push(frame(function, None, None, file));
        }
        let inlined = frames.len() - 1;
        // Debug information may have short names only; a symbol has the whole path.
        let symbol = self.0.as_ref().and_then(|file| file.symbol_at(address));
        if let Some(whole) = symbol.map(|symbol| (symbol, demangled(symbol))).filter(|(symbol, name)| symbol != name)
            && !frames[inlined].function.contains("::")
        {
            let Frame { file: source, line, .. } = frames.remove(inlined);
            frames.push(frame(whole.1, source, line, file));
        }
        frames.iter_mut().take(inlined).for_each(|frame| frame.inlined = true);
        frames
    }

    fn by_debug_information(&self, file: &Path, address: u64) -> Option<Vec<Frame>> {
        let debug_file = self.0.as_ref()?;
        let frames = debug_file.places_at(address)?.into_iter().map(|place| {
            // A place without a function is one of an assembler file: its symbol has the name.
            let name = place.name.as_deref().or_else(|| debug_file.symbol_at(address)).map(demangled);
            let name = name.map(|name| match &place.file {
                Some(source) if is_rust(source) => without_types(&name).to_owned(),
                _ => name,
            });
            let function = name.unwrap_or_else(|| format!("{}+{address:#x}", file.display()));
            frame(function, place.file, place.line.filter(|&line| line > 0), file)
        });
        Some(frames.collect())
    }
}

fn frame(function: String, source: Option<String>, line: Option<u32>, module: &Path) -> Frame {
    let whose = whose::of(&function, source.as_deref(), module);
    Frame { function, file: source, line, whose, inlined: false, stack_address: 0 }
}

/// An address where no file with code is.
pub fn nowhere(address: u64) -> Frame {
    let function = format!("{address:#x}, where there is no code");
    Frame { function, file: None, line: None, whose: Whose::System, inlined: false, stack_address: 0 }
}

/// A name as people write it.
fn demangled(symbol: &str) -> String {
    if let Ok(name) = rustc_demangle::try_demangle(symbol) {
        return format!("{name:#}");
    }
    // What is not mangled may be taken for a type: `w` is one.
    if !symbol.starts_with("_Z") {
        return symbol.to_owned();
    }
    let options = cpp_demangle::DemangleOptions::new().no_return_type();
    let name = cpp_demangle::Symbol::new(symbol).ok().and_then(|name| name.demangle_with_options(&options).ok());
    name.unwrap_or_else(|| symbol.to_owned())
}

fn is_rust(source: &str) -> bool {
    source.ends_with(".rs")
}

/// A name of Rust's debug information without the types that it is instantiated with, which may take pages. (Symbols have
/// none.)
fn without_types(name: &str) -> &str {
    match name.find('<') {
        Some(at) if at > 0 && name[..at].find("::").is_none() => &name[..at],
        _ => name,
    }
}
