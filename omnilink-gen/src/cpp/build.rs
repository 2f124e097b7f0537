//! `CMakeLists.txt` and `README.md`: how the project is built.

use std::path::Path;

use crate::dependency::VERSION;
use crate::model::Model;
use crate::project::Output;

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

/// What to do if OmniLink is not installed: build it from the checkout, or say how to get it.
fn how_to_get(checkout: Option<&Path>) -> String {
    let message = format!(
        r#"message(FATAL_ERROR "OmniLink {VERSION} for C++ is not installed where CMake looks. To install it, run in a checkout of OmniLink
  cmake -S cpp-shim -B target/cpp-shim
  cmake --build target/cpp-shim
  cmake --install target/cpp-shim --prefix \"\$HOME/omnilink\"
and then cmake here again. If you install it elsewhere, or unpack a release of OmniLink (which needs no Rust), say where:
  cmake -B build -DCMAKE_PREFIX_PATH=\"\$HOME/elsewhere\"")"#
    );
    let Some(checkout) = checkout else { return format!("  {message}\n") };
    // From the project, so that it can be moved together with the checkout.
    let here = if checkout.is_relative() { "${CMAKE_CURRENT_SOURCE_DIR}/" } else { "" };
    let checkout = quoted(&checkout.to_string_lossy());
    format!(
        r#"  set(checkout "{here}{checkout}")
  if(EXISTS "${{checkout}}/cpp-shim/CMakeLists.txt")
    set(OMNILINK_CARGO_TARGET_DIR "${{checkout}}/target" CACHE PATH "Where cargo builds the runtime")
    add_subdirectory("${{checkout}}/cpp-shim" omnilink EXCLUDE_FROM_ALL)
  else()
    {message}
  endif()
"#
    )
}

/// A text inside of a quoted argument of CMake.
fn quoted(text: &str) -> String {
    text.chars().fold(String::new(), |mut quoted, c| {
        quoted.extend(['\\', '"', '$'].contains(&c).then_some('\\'));
        quoted.push(c);
        quoted
    })
}

/// The text of `README.md`.
pub fn readme(model: &Model, output: &Output) -> String {
    format!(
        "# {name}

A fuzzer for the TLA+ specification `{file}`: threads call a system at random, and record which actions they performed.

1. Bind actions to the system in `fuzzer.cpp`. Until one is bound, the fuzzer only says what is missing.
2. `omnilink run` builds it, runs it again and again, each time under another schedule, and checks every run, until one fails.
   `omnilink.project` says what it builds and runs, and with which constants it checks.
3. One run alone: `cmake -B build && cmake --build build`; `build/fuzzer --threads 4 --ops 1000 --trace-dir t` records it, `omnilink
   show t` shows it, `omnilink check {file} t` says whether the specification allows it.

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
        assert_eq!(quoted("/$HOME`\"\\"), r#"/\$HOME`\"\\"#);
    }

    #[test]
    fn a_relative_checkout_is_seen_from_the_project() {
        let message = how_to_get(Some(Path::new("../..")));
        assert!(message.starts_with("  set(checkout \"${CMAKE_CURRENT_SOURCE_DIR}/../..\")\n"), "{message}");
    }
}
