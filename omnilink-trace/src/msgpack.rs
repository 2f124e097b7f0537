//! The few items of MessagePack that traces consist of, each in its shortest form.
//!
//! Written here, because the runtime links it into other people's programs, which then build no further crate for it. The tests
//! compare every item with what `rmp` writes.

use crate::encode::Buffer;

pub(crate) const FIX_ARRAY: u8 = 0x90;
pub(crate) const U16: u8 = 0xcd;
pub(crate) const U32: u8 = 0xce;
pub(crate) const U64: u8 = 0xcf;
pub(crate) const I16: u8 = 0xd1;
pub(crate) const I64: u8 = 0xd3;

const FIX_MAP: u8 = 0x80;
const FIX_STR: u8 = 0xa0;
const NIL: u8 = 0xc0;
const FALSE: u8 = 0xc2;
const TRUE: u8 = 0xc3;
const EXT_32: u8 = 0xc9;
const U8: u8 = 0xcc;
const STR_8: u8 = 0xd9;
const STR_16: u8 = 0xda;
const STR_32: u8 = 0xdb;
const ARRAY_16: u8 = 0xdc;
const ARRAY_32: u8 = 0xdd;
const MAP_16: u8 = 0xde;
const MAP_32: u8 = 0xdf;

/// Nothing.
#[inline]
pub(crate) fn nil(out: &mut Buffer<'_>) {
    out.push(&[NIL]);
}

/// A boolean.
#[inline]
pub(crate) fn bool(out: &mut Buffer<'_>, value: bool) {
    out.push(&[if value { TRUE } else { FALSE }]);
}

/// An unsigned integer.
#[inline]
pub(crate) fn uint(out: &mut Buffer<'_>, value: u64) {
    match value {
        0..=0x7f => out.push(&[value as u8]),
        0x80..=0xff => out.push(&[U8, value as u8]),
        0x100..=0xffff => with_16(out, U16, value as u16),
        0x1_0000..=0xffff_ffff => with_32(out, U32, value as u32),
        _ => {
            let mut bytes = [U64; 9];
            bytes[1..].copy_from_slice(&value.to_be_bytes());
            out.push(&bytes);
        }
    }
}

/// A negative integer from -32 to -1.
#[inline]
pub(crate) fn small_negative(out: &mut Buffer<'_>, value: i64) {
    debug_assert!((-32..0).contains(&value), "{value} takes more than one byte");
    out.push(&[value as u8]);
}

/// The header of a string of so many bytes, which the caller writes.
#[inline]
pub(crate) fn str_len(out: &mut Buffer<'_>, len: u32) {
    match len {
        0..=0x1f => out.push(&[FIX_STR | len as u8]),
        0x20..=0xff => out.push(&[STR_8, len as u8]),
        0x100..=0xffff => with_16(out, STR_16, len as u16),
        _ => with_32(out, STR_32, len),
    }
}

/// A string of less than 2³² bytes.
pub(crate) fn str(out: &mut Buffer<'_>, value: &str) {
    str_len(out, value.len() as u32);
    out.push(value.as_bytes());
}

/// The header of an array of so many items.
#[inline]
pub(crate) fn array_len(out: &mut Buffer<'_>, len: u32) {
    match len {
        0..=0xf => out.push(&[FIX_ARRAY | len as u8]),
        0x10..=0xffff => with_16(out, ARRAY_16, len as u16),
        _ => with_32(out, ARRAY_32, len),
    }
}

/// The header of a map of so many pairs.
#[inline]
pub(crate) fn map_len(out: &mut Buffer<'_>, len: u32) {
    match len {
        0..=0xf => out.push(&[FIX_MAP | len as u8]),
        0x10..=0xffff => with_16(out, MAP_16, len as u16),
        _ => with_32(out, MAP_32, len),
    }
}

/// The header of an extension in its widest form, whatever its length, so that the length can be filled in later: the four
/// bytes before the last one.
#[inline]
pub(crate) fn wide_ext(out: &mut Buffer<'_>, kind: i8) {
    with_32(out, EXT_32, 0);
    out.push(&kind.to_be_bytes());
}

/// A marker and a big-endian number.
#[inline]
fn with_16(out: &mut Buffer<'_>, marker: u8, value: u16) {
    let [high, low] = value.to_be_bytes();
    out.push(&[marker, high, low]);
}

#[inline]
fn with_32(out: &mut Buffer<'_>, marker: u8, value: u32) {
    let [a, b, c, d] = value.to_be_bytes();
    out.push(&[marker, a, b, c, d]);
}

#[cfg(all(test, feature = "read"))]
mod tests {
    use super::*;
    use rmp::encode as rmp;

    #[track_caller]
    fn same(what: &str, ours: impl FnOnce(&mut Buffer<'_>), theirs: impl FnOnce(&mut Vec<u8>)) {
        let mut room = [0; 64];
        let mut out = Buffer::new(&mut room);
        ours(&mut out);
        let len = out.len();
        let mut expected = Vec::new();
        theirs(&mut expected);
        assert_eq!(&room[..len], expected, "{what}");
    }

    /// Every power of two and its neighbours: all boundaries between forms are among them.
    fn numbers() -> impl Iterator<Item = u64> {
        (0..64).map(|bit| 1_u64 << bit).flat_map(|n| [n - 1, n, n + 1]).chain([u64::MAX])
    }

    #[test]
    fn every_item_is_what_rmp_writes() {
        same("nil", nil, |out| rmp::write_nil(out).unwrap());
        for value in [false, true] {
            same("bool", |out| bool(out, value), |out| rmp::write_bool(out, value).unwrap());
        }
        for value in numbers() {
            same(&format!("uint {value}"), |out| uint(out, value), |out| drop(rmp::write_uint(out, value)));
        }
        for value in -32..0 {
            let theirs = |out: &mut Vec<u8>| drop(rmp::write_sint(out, value));
            same(&format!("int {value}"), |out| small_negative(out, value), theirs);
        }
        for len in numbers().filter_map(|len| u32::try_from(len).ok()) {
            same(&format!("str {len}"), |out| str_len(out, len), |out| drop(rmp::write_str_len(out, len)));
            same(&format!("array {len}"), |out| array_len(out, len), |out| drop(rmp::write_array_len(out, len)));
            same(&format!("map {len}"), |out| map_len(out, len), |out| drop(rmp::write_map_len(out, len)));
        }
        same("string", |out| str(out, "häuser"), |out| drop(rmp::write_str(out, "häuser")));
    }

    #[test]
    fn a_wide_extension_leaves_room_for_its_length() {
        let theirs = |out: &mut Vec<u8>| {
            drop(rmp::write_ext_meta(out, u32::MAX, 7));
            out[1..5].fill(0);
        };
        same("extension", |out| wide_ext(out, 7), theirs);
    }
}
