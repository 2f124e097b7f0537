//! The input is a list of edits, eight bytes each, to a module that the first byte chooses.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use omnilink_tla_fuzz::edits::Edit;
use omnilink_tla_fuzz::modules;
use omnilink_tla_fuzz::promises::check;

static MODULES: LazyLock<Vec<String>> = LazyLock::new(modules);

fuzz_target!(|input: &[u8]| {
    let Some((module, edits)) = input.split_first() else { return };
    let mut text: Vec<char> = MODULES[usize::from(*module) % MODULES.len()].chars().collect();
    for bytes in edits.chunks_exact(8) {
        let number = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        let edit = match bytes[0] % 16 {
            0..=4 => Edit::Remove { at: number(1), length: usize::from(bytes[3] % 24) },
            5..=10 => Edit::Insert { at: number(1), piece: number(3) },
            11..=12 => Edit::SwapLines(number(1), number(3)),
            13..=14 => Edit::Splice { at: number(1), text: number(3), from: number(5), length: usize::from(bytes[7]) },
            _ => Edit::Cut(number(1)),
        };
        edit.apply(&mut text, &MODULES);
    }
    check(&text.into_iter().collect::<String>());
});
