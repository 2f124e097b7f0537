//! `CMakeLists.txt` and `README.md`: how the project is built.

use std::path::Path;

use crate::model::Model;
use crate::project::Output;

/// The version of OmniLink that the project needs, as CMake compares it.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));

/// The text of `CMakeLists.txt`.
pub fn cmake(output: &Output) -> String {
    format!(
        "# How the fuzzer is built. This file is yours: the generator does not touch it again.
cmake_minimum_required(VERSION 3.16)
project({} LANGUAGES CXX)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

find_package(OmniLink {VERSION} CONFIG QUIET PATHS \"$ENV{{HOME}}/omnilink\")
if(NOT OmniLink_FOUND)
  message(FATAL_ERROR {})
endif()

# Add the sources of the system under test here.
add_executable(fuzzer fuzzer.cpp)
target_compile_features(fuzzer PRIVATE cxx_std_17)
target_link_libraries(fuzzer PRIVATE OmniLink::omnilink)
",
        output.name,
        bracketed(&how_to_get(output.checkout.as_deref())),
    )
}

/// What to do if OmniLink is not found.
fn how_to_get(checkout: Option<&Path>) -> String {
    let place = |inside: &str| match checkout {
        Some(checkout) => shell_word(&checkout.join(inside).to_string_lossy()),
        None => inside.to_owned(),
    };
    let from = if checkout.is_some() { "" } else { " in a checkout of OmniLink" };
    format!(
        "OmniLink {VERSION} for C++ is not installed where CMake looks. To install it, run{from}
  cmake -S {shim} -B {build}
  cmake --build {build}
  cmake --install {build} --prefix \"$HOME/omnilink\"
and then cmake here again. If you install it elsewhere, or unpack a release of OmniLink (which needs no Rust), say where:
  cmake -B build -DCMAKE_PREFIX_PATH=\"$HOME/elsewhere\"",
        shim = place("cpp-shim"),
        build = place("target/cpp-shim"),
    )
}

/// Text that CMake takes as it is.
fn bracketed(text: &str) -> String {
    let equals = (1..).map(|len| "=".repeat(len)).find(|equals| !text.contains(&format!("]{equals}]")));
    let equals = equals.expect("a text has an end");
    format!("[{equals}[{text}]{equals}]")
}

/// A word for the shell.
fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// The text of `README.md`.
pub fn readme(model: &Model, output: &Output) -> String {
    format!(
        "# {name}

A fuzzer for the TLA+ specification `{file}`: threads call a system at random, and record which actions they performed.

1. Bind actions to the system in `fuzzer.cpp`. Until one is bound, the fuzzer only says what is missing.
2. `cmake -B build && cmake --build build`
3. `build/fuzzer --threads 4 --ops 1000 --trace-dir t` records a run, `omnilink show t` shows it.

When the specification changes, `omnilink gen-fuzzer PATH/{file} --lang cpp -o .` writes `actions.hpp` and the copy of the
specification again. All other files are yours and stay; actions that came or went are then errors of the compiler.
",
        name = output.name,
        file = model.file,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_quoted() {
        assert_eq!(shell_word("/a/b-c_1.2"), "/a/b-c_1.2");
        assert_eq!(shell_word("/it's $HOME"), r"'/it'\''s $HOME'");
        assert_eq!(bracketed("a ]=] b"), "[==[a ]=] b]==]");
    }
}
