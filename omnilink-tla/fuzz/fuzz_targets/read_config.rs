//! The input is a configuration. What is no UTF-8 in it is replaced, as it is when files are read.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/config/promises.rs"]
mod promises;

fuzz_target!(|input: &[u8]| promises::check(&String::from_utf8_lossy(input)));
