//! Whose code a function is, by its name, its source file and the file that it was loaded from.
//!
//! What is not known to be OmniLink's or a library's is the user's.

use std::path::Path;

use crate::stacks::Whose;

/// Where the libraries of the system are.
const SYSTEM_LIBRARIES: [&str; 5] = ["/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/nix/store/"];

/// Names that begin so are the languages' libraries: Rust's crates, C++'s namespaces.
pub const LANGUAGES: [&str; 8] =
    ["core::", "std::", "alloc::", "__rustc::", "__gnu_cxx::", "__cxxabiv1::", "test::", "__rust_"];

/// Names that begin so are OmniLink's: Rust's crates, C++'s namespace, C's functions.
pub const OMNILINK: [&str; 3] = ["omnilink::", "omnilink_runtime::", "omnilink_trace::"];

/// Sources in such places are the languages' libraries.
pub const LANGUAGE_SOURCES: [&str; 5] =
    ["/rustc/", "/usr/include/", "/lib/rustlib/src/", "/build/glibc", "/libstdc++-v3/"];

/// Functions of the C library that stand in programs that are linked statically.
const C_LIBRARY: [&str; 12] = [
    "_start",
    "__libc_",
    "__GI_",
    "__pthread_",
    "pthread_",
    "raise",
    "gsignal",
    "abort",
    "__assert_fail",
    "__clone",
    "clone3",
    "start_thread",
];

/// Whose the function of this name is.
pub fn of(function: &str, source: Option<&str>, module: &Path) -> Whose {
    if SYSTEM_LIBRARIES.iter().any(|place| module.starts_with(place)) {
        return Whose::System;
    }
    let path = source.unwrap_or_default();
    let name = subject(function);
    if OMNILINK.iter().any(|prefix| name.starts_with(prefix))
        || name.starts_with("omnilink_") && !name.contains("::")
        || path.ends_with("/omnilink.hpp")
        || is_of_runtime(path)
    {
        return Whose::Omnilink;
    }
    let in_c_library = source.is_none() && C_LIBRARY.iter().any(|prefix| name.starts_with(prefix));
    if LANGUAGES.iter().any(|prefix| name.starts_with(prefix))
        || LANGUAGE_SOURCES.iter().any(|place| path.contains(place))
        || in_c_library
    {
        return Whose::System;
    }
    Whose::Own
}

/// Directories with such names have the sources of the runtime: in its repository, or among a package manager's sources,
/// which have one of these versions in their names.
pub const RUNTIME_SOURCES: [&str; 2] = ["omnilink-runtime", "omnilink-trace"];
pub const RUNTIME_VERSIONS: [&str; 2] = ["-0.", "-1."];

/// Whether a source file is one of the runtime's.
fn is_of_runtime(source: &str) -> bool {
    source.split('/').any(|part| {
        let rest = RUNTIME_SOURCES.iter().find_map(|name| part.strip_prefix(name));
        rest.is_some_and(|rest| rest.is_empty() || RUNTIME_VERSIONS.iter().any(|version| rest.starts_with(version)))
    })
}

/// What a name is about: `<alloc::vec::Vec<T> as Trait>::f` is a function of `alloc`'s, whatever the trait.
fn subject(function: &str) -> &str {
    let mut name = function;
    loop {
        let rest = name.trim_start_matches(['<', '&', '[', '(', '*']);
        let rest = ["mut ", "dyn ", "const "].iter().fold(rest, |rest, word| rest.strip_prefix(word).unwrap_or(rest));
        if rest.len() == name.len() {
            return name;
        }
        name = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sources_and_files_tell() {
        use Whose::{Omnilink, Own, System};
        let program = "/home/me/target/debug/fuzzer";
        let cases: [(&str, Option<&str>, &str, Whose); 20] = [
            ("refine_start", Some("omnilink-runtime/src/lane.rs"), program, Omnilink),
            (
                "refine_start",
                Some("/home/me/.cargo/registry/src/x/omnilink-runtime-0.2.1/src/lane.rs"),
                program,
                Omnilink,
            ),
            ("push", Some("/home/me/omnilink-runtime-fork/src/lane.rs"), program, Own),
            ("fuzzer::Queue::push", Some("src/main.rs"), program, Own),
            ("push(Queue&, int)", None, program, Own),
            ("/home/me/libqueue.so+0x1234", None, "/home/me/libqueue.so", Own),
            ("pthread_kill", None, "/usr/lib/x86_64-linux-gnu/libc.so.6", System),
            ("abort", None, program, System),
            ("aborted_transactions", Some("tx.c"), program, Own),
            ("omnilink_action_begins", Some("/src/omnilink-runtime/src/lane.rs"), program, Omnilink),
            ("omnilink_runtime::fuzz::worker", None, program, Omnilink),
            ("<omnilink_runtime::op::Op as core::ops::drop::Drop>::drop", None, program, Omnilink),
            ("omnilink::Call::Call(char const*)", Some("/usr/local/include/omnilink.hpp"), program, Omnilink),
            ("operator()", Some("/usr/local/include/omnilink.hpp"), program, Omnilink),
            ("omnilink_of_mine::push", Some("src/main.rs"), program, Own),
            ("core::ops::function::FnOnce::call_once{{vtable.shim}}", None, program, System),
            ("<alloc::vec::Vec<T> as core::ops::index::Index<I>>::index", None, program, System),
            ("<&mut fuzzer::Queue as core::fmt::Debug>::fmt", None, program, Own),
            ("void std::__invoke_impl<void, worker>()", Some("/usr/include/c++/12/bits/invoke.h"), program, System),
            ("call_once<F>", Some("/rustc/59807616/library/core/src/ops/function.rs"), program, System),
        ];
        for (function, source, module, expected) in cases {
            assert_eq!(of(function, source, Path::new(module)), expected, "{function}");
        }
    }
}
