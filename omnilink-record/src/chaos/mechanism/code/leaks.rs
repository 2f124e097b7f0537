//! Whether a program looks for leaks when it ends: LeakSanitizer, alone or as a part of AddressSanitizer.

use std::fs;
use std::path::Path;

use object::{Object, ObjectSection, ObjectSymbol};

/// A function of its interface, which is there if it is linked in.
const FUNCTION: &str = "__lsan_do_leak_check";
/// How the names of the libraries begin that it comes in otherwise.
const LIBRARIES: [&str; 5] = ["liblsan.so", "libasan.so", "libhwasan.so", "libclang_rt.asan", "libclang_rt.lsan"];

/// Whether a file does so.
pub fn are_looked_for(file: &object::File<'_>) -> bool {
    let is_it = |name: &str| name == FUNCTION;
    file.symbols().chain(file.dynamic_symbols()).any(|symbol| symbol.name().is_ok_and(is_it)) || needs_library(file)
}

/// Whether the program in a file does so; none if it is no program whose file tells.
pub fn looks_for_leaks(program: &Path) -> Option<bool> {
    let bytes = fs::read(program).ok()?;
    object::File::parse(&*bytes).ok().map(|file| are_looked_for(&file))
}

/// The names of needed libraries are among the strings for the loader.
fn needs_library(file: &object::File<'_>) -> bool {
    let Some(section) = file.section_by_name(".dynstr") else { return false };
    let Ok(strings) = section.data() else { return false };
    strings
        .split(|&byte| byte == 0)
        .any(|string| LIBRARIES.iter().any(|library| string.starts_with(library.as_bytes())))
}
