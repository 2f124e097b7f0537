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
{}endif()

# The system under test: its sources go here, its libraries to the last line, its headers' directories into
# target_include_directories(fuzzer PRIVATE …).
add_executable(fuzzer fuzzer.cpp)
target_compile_features(fuzzer PRIVATE cxx_std_17)
target_link_libraries(fuzzer PRIVATE OmniLink::omnilink)
",
        output.name,
        how_to_get(output.checkout.as_deref()),
    )
}

/// The commands that say what to do if OmniLink is not found.
fn how_to_get(checkout: Option<&Path>) -> String {
    let (from, set, [shim, build]) = match checkout {
        None => (" in a checkout of OmniLink", String::new(), ["cpp-shim", "target/cpp-shim"]),
        Some(checkout) => {
            // A project inside of the checkout moves with it.
            let here = if checkout.is_relative() { "${CMAKE_CURRENT_SOURCE_DIR}/" } else { "" };
            let checkout = quoted(&checkout.to_string_lossy());
            let paths = [r#"\"${checkout}/cpp-shim\""#, r#"\"${checkout}/target/cpp-shim\""#];
            ("", format!("  set(checkout \"{here}{checkout}\")\n"), paths)
        }
    };
    format!(
        r#"{set}  message(FATAL_ERROR "OmniLink {VERSION} for C++ is not installed where CMake looks. To install it, run{from}
  cmake -S {shim} -B {build}
  cmake --build {build}
  cmake --install {build} --prefix \"\$HOME/omnilink\"
and then cmake here again. If you install it elsewhere, or unpack a release of OmniLink (which needs no Rust), say where:
  cmake -B build -DCMAKE_PREFIX_PATH=\"\$HOME/elsewhere\"")
"#
    )
}

/// A part of what is between double quotes for the shell, inside of a quoted argument of CMake.
fn quoted(path: &str) -> String {
    let escaped = |text: &str, special: &[char]| {
        text.chars().fold(String::new(), |mut escaped, c| {
            escaped.extend(special.contains(&c).then_some('\\'));
            escaped.push(c);
            escaped
        })
    };
    escaped(&escaped(path, &['\\', '"', '$', '`']), &['\\', '"', '$'])
}

/// The text of `README.md`.
pub fn readme(model: &Model, output: &Output) -> String {
    format!(
        "# {name}

A fuzzer for the TLA+ specification `{file}`: threads call a system at random, and record which actions they performed.

1. Bind actions to the system in `fuzzer.cpp`. Until one is bound, the fuzzer only says what is missing.
2. `cmake -B build && cmake --build build`
3. `build/fuzzer --threads 4 --ops 1000 --trace-dir t` records a run, `omnilink show t` shows it.
4. `omnilink check {file} t` says whether the specification allows what was recorded.
5. `omnilink run {file} -- build/fuzzer --threads 4 --ops 100` does all this in a loop, each time under another schedule, until a run
   fails.

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
        assert_eq!(quoted("/a/b-c d's"), "/a/b-c d's");
        assert_eq!(quoted("/$HOME`\"\\"), r#"/\\\$HOME\\`\\\"\\\\"#);
    }

    #[test]
    fn a_project_inside_of_the_checkout_names_no_place_on_this_machine() {
        let message = how_to_get(Some(Path::new("../..")));
        assert!(message.starts_with("  set(checkout \"${CMAKE_CURRENT_SOURCE_DIR}/../..\")\n"), "{message}");
    }
}
