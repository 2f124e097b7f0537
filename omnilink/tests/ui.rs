//! Wrong use gives an error at the right token, with a hint. Where the compiler finds the mistake (`ui/compiler`), its
//! own message points at the user's tokens.
//!
//! `TRYBUILD=overwrite cargo test -p omnilink --test ui` writes the expected messages anew.

#[test]
fn wrong_use() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    cases.compile_fail("tests/ui/compiler/*.rs");
}
