//! Packed runs: the input is the tar archive, which is compressed here, as no fuzzer finds its way through zstd.
#![no_main]

use std::cell::OnceCell;

use libfuzzer_sys::fuzz_target;
use omnilink_trace_fuzz::Place;

thread_local!(static PLACE: OnceCell<Place> = const { OnceCell::new() });

fuzz_target!(|input: &[u8]| {
    let Ok(packed) = zstd::encode_all(input, 1) else { return };
    PLACE.with(|place| place.get_or_init(Place::default).check("input.tar.zst", &packed));
});
