//! Lane files: a valid control block, whose slot and stream are the input.
//!
//! The first byte says how long the file is made too short or too long, the second how many bytes go into the slot.
#![no_main]

use std::cell::OnceCell;

use libfuzzer_sys::fuzz_target;
use omnilink_trace::{encode, layout};
use omnilink_trace_fuzz::Place;

thread_local!(static PLACE: OnceCell<Place> = const { OnceCell::new() });

fuzz_target!(|input: &[u8]| {
    let [shift, slot, rest @ ..] = input else { return };
    let (slot, stream) = rest.split_at(rest.len().min(usize::from(*slot)));
    let mut file = vec![0; layout::DATA_OFFSET as usize];
    encode::write_control(&mut file);
    let committed = (stream.len() as u64).saturating_add_signed(i64::from(*shift as i8));
    file[layout::COMMITTED_AT..][..8].copy_from_slice(&committed.to_le_bytes());
    // Sequence, start, entry, count, oversized, a table of four arguments, then the area.
    let (head, area) = slot.split_at(slot.len().min(layout::SLOT_TABLE_AT - layout::SLOT_SEQUENCE_AT + 16));
    file[layout::SLOT_SEQUENCE_AT..][..head.len()].copy_from_slice(head);
    file[layout::SLOT_AREA_AT..][..area.len()].copy_from_slice(area);
    file.extend_from_slice(stream);
    PLACE.with(|place| place.get_or_init(Place::default).check("lane", &file));
});
