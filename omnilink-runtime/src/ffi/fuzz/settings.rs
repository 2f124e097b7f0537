//! What a fuzzer written in C can be told before it runs: the builder's methods, one by one.

use std::ffi::c_char;
use std::time::Duration;

use super::{CFuzz, path};
use crate::ffi::{lasting_text, slice_of, text};

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_fuzz_option(
    fuzz: &mut CFuzz,
    name: *const c_char,
    value: *const c_char,
    help: *const c_char,
) {
    // SAFETY: by the contract.
    let (name, value, help) = unsafe { (lasting_text(name), lasting_text(value), lasting_text(help)) };
    fuzz.change(|fuzz| fuzz.option(name, value, help));
}

/// `omnilink_result`.
#[repr(C)]
#[derive(Debug)]
pub struct CResult {
    action: *const c_char,
    param: *const c_char,
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_fuzz_results(fuzz: &mut CFuzz, results: *const CResult, len: usize) {
    // SAFETY: by the contract.
    let results: Vec<_> = unsafe { slice_of(results, len) }
        .iter()
        // SAFETY: by the contract.
        .map(|result| unsafe { (lasting_text(result.action), lasting_text(result.param)) })
        .collect();
    fuzz.change(|fuzz| fuzz.results(&results));
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_fuzz_next_relation(fuzz: &mut CFuzz, next: *const c_char) {
    // SAFETY: by the contract.
    let next = unsafe { text(next) };
    fuzz.change(|fuzz| fuzz.next_relation(next));
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_fuzz_threads(fuzz: &mut CFuzz, threads: usize) {
    fuzz.change(|fuzz| fuzz.threads(threads));
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_fuzz_operations(fuzz: &mut CFuzz, operations: u64) {
    fuzz.change(|fuzz| fuzz.operations(operations));
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_fuzz_total_operations(fuzz: &mut CFuzz, operations: u64) {
    fuzz.change(|fuzz| fuzz.total_operations(operations));
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_fuzz_duration(fuzz: &mut CFuzz, milliseconds: u64) {
    fuzz.change(|fuzz| fuzz.duration(Duration::from_millis(milliseconds)));
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_fuzz_seed(fuzz: &mut CFuzz, seed: u64) {
    fuzz.change(|fuzz| fuzz.seed(seed));
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_fuzz_weight(fuzz: &mut CFuzz, name: *const c_char, weight: u32) {
    // SAFETY: by the contract.
    let name = unsafe { text(name) };
    fuzz.change(|fuzz| fuzz.weight(name, weight));
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_fuzz_trace_directory(fuzz: &mut CFuzz, directory: *const c_char) {
    // SAFETY: by the contract.
    let directory = unsafe { path(directory) };
    fuzz.change(|fuzz| fuzz.trace_directory(directory));
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_fuzz_consecutive_failures(fuzz: &mut CFuzz, failures: u64) {
    fuzz.change(|fuzz| fuzz.consecutive_failures(failures));
}
