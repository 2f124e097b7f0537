//! JSON lines: the input is the file.
#![no_main]

use std::cell::OnceCell;

use libfuzzer_sys::fuzz_target;
use omnilink_trace_fuzz::Place;

thread_local!(static PLACE: OnceCell<Place> = const { OnceCell::new() });

fuzz_target!(|input: &[u8]| {
    PLACE.with(|place| place.get_or_init(Place::default).check("input.jsonl", input));
});
