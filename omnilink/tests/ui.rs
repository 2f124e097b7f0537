//! Wrong use gives an error at the right token, with a hint. Where the compiler finds the mistake (`ui/compiler`), its
//! own message points at the user's tokens.
//!
//! `TRYBUILD=overwrite cargo test -p omnilink --test ui` writes the expected messages anew.

use std::process::Command;

/// The compiler's own messages change from release to release; those in `ui/compiler` are this one's.
const COMPILER: &str = "rustc 1.95.";

fn compiler_is(version: &str) -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().expect("a compiler that has just compiled this");
    String::from_utf8_lossy(&output.stdout).starts_with(version)
}

#[test]
fn wrong_use() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    if compiler_is(COMPILER) {
        cases.compile_fail("tests/ui/compiler/*.rs");
    } else {
        println!("tests/ui/compiler is left out: its messages are those of {COMPILER}x");
    }
}
