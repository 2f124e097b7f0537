//! The input is a file. What is no UTF-8 in it is replaced, as it is when files are read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use omnilink_tla_fuzz::promises::check;

fuzz_target!(|input: &[u8]| check(&String::from_utf8_lossy(input)));
