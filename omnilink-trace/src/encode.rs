//! Writing values and records: the core that the runtime links into the program under test.
//!
//! Nothing here allocates. Bytes are written to a slice of fixed size; bytes that do not fit are counted, so
//! that the caller learns the size that a second attempt needs ([`EncodeError::Overflow`]). Errors are
//! sticky: code that encodes a value continues after an error, and `finish` returns it.

use std::fmt;
use std::num::NonZeroU64;

use crate::layout;
use crate::msgpack::{self as mp, FIX_ARRAY, I16, I64, U16, U32, U64};

/// A buffer of fixed capacity that counts the bytes that it would need.
#[derive(Debug)]
pub struct Buffer<'a> {
    bytes: &'a mut [u8],
    len: usize,
}

impl<'a> Buffer<'a> {
    /// An empty buffer over `bytes`.
    #[inline]
    pub fn new(bytes: &'a mut [u8]) -> Self {
        Self { bytes, len: 0 }
    }

    /// Bytes written, or needed: more than the capacity if something did not fit.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if nothing was written.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// True if everything written fits.
    #[inline]
    pub fn fits(&self) -> bool {
        self.len <= self.bytes.len()
    }

    /// Appends `bytes` as they are.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        let end = self.len + bytes.len();
        if let Some(room) = self.bytes.get_mut(self.len..end) {
            room.copy_from_slice(bytes);
        }
        self.len = end;
    }

    /// Overwrites what was written at `at`, if that was inside the capacity.
    fn patch(&mut self, at: usize, bytes: &[u8]) {
        if let Some(place) = self.bytes.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }
}

/// Why a value could not be encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodeError {
    /// The buffer is too small; this many bytes are needed.
    Overflow {
        /// Bytes that the whole value takes.
        needed: usize,
    },
    /// The value nests deeper than [`layout::MAX_DEPTH`].
    TooDeep,
    /// A tuple, set, function or string has more than 2³²-1 elements or bytes.
    TooLong,
    /// An implementation of `ToTla` wrote another number of values than it announced.
    Count {
        /// Values announced.
        announced: usize,
        /// Values written.
        written: usize,
    },
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overflow { needed } => write!(f, "the value takes {needed} bytes, more than there is room for"),
            Self::TooDeep => write!(f, "the value nests deeper than {} levels", layout::MAX_DEPTH),
            Self::TooLong => f.write_str("the value has more than 2^32-1 elements or bytes"),
            Self::Count { announced, written } => {
                write!(f, "an implementation of ToTla announced {announced} values and wrote {written}")
            }
        }
    }
}

impl std::error::Error for EncodeError {}

/// Encodes one value, from its parts.
///
/// ```
/// use omnilink_trace::encode::Encoder;
/// let mut room = [0; 64];
/// let mut encoder = Encoder::new(&mut room);
/// encoder.function(2, |e| {
///     e.str("key");
///     e.int(3);
///     e.str("tags");
///     e.set(|e| e.str("new"));
/// });
/// assert_eq!(encoder.finish(), Ok(21));
/// ```
#[derive(Debug)]
pub struct Encoder<'a> {
    buffer: Buffer<'a>,
    /// Values written at the present level of nesting.
    written: usize,
    depth: usize,
    error: Option<EncodeError>,
}

impl<'a> Encoder<'a> {
    /// An encoder that writes to the beginning of `bytes`.
    #[inline]
    pub fn new(bytes: &'a mut [u8]) -> Self {
        Self { buffer: Buffer::new(bytes), written: 0, depth: 0, error: None }
    }

    /// The number of bytes written, if exactly one value was written and fits.
    #[inline]
    pub fn finish(&self) -> Result<usize, EncodeError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        if self.written != 1 {
            return Err(EncodeError::Count { announced: 1, written: self.written });
        }
        if !self.buffer.fits() {
            return Err(EncodeError::Overflow { needed: self.buffer.len() });
        }
        Ok(self.buffer.len())
    }

    /// `TRUE` or `FALSE`.
    #[inline]
    pub fn bool(&mut self, value: bool) {
        mp::bool(&mut self.buffer, value);
        self.written += 1;
    }

    /// An integer.
    #[inline]
    pub fn int(&mut self, value: i64) {
        let mut bytes = [0; MAX_INT_LEN];
        let len = write_int(&mut bytes, value);
        self.buffer.push(&bytes[..len]);
        self.written += 1;
    }

    /// An integer of any size: itself if it fits into 64 bits with sign, else the string of its digits.
    pub fn big_int(&mut self, value: i128) {
        match i64::try_from(value) {
            Ok(small) => self.int(small),
            Err(_) => self.digits(value < 0, value.unsigned_abs()),
        }
    }

    /// As [`Encoder::big_int`], for what exceeds even `i128`.
    pub fn big_uint(&mut self, value: u128) {
        match i64::try_from(value) {
            Ok(small) => self.int(small),
            Err(_) => self.digits(false, value),
        }
    }

    #[cold]
    fn digits(&mut self, negative: bool, mut value: u128) {
        let mut text = [0_u8; 40];
        let mut at = text.len();
        while value > 0 {
            at -= 1;
            text[at] = b'0' + (value % 10) as u8;
            value /= 10;
        }
        if negative {
            at -= 1;
            text[at] = b'-';
        }
        self.str(std::str::from_utf8(&text[at..]).expect("digits are ASCII"));
    }

    /// A string.
    #[inline]
    pub fn str(&mut self, value: &str) {
        match u32::try_from(value.len()) {
            Ok(len) => {
                mp::str_len(&mut self.buffer, len);
                self.buffer.push(value.as_bytes());
            }
            Err(_) => self.fail(EncodeError::TooLong),
        }
        self.written += 1;
    }

    /// A tuple or sequence of `len` values, which `elements` writes.
    pub fn tuple(&mut self, len: usize, elements: impl FnOnce(&mut Self)) {
        match u32::try_from(len) {
            Ok(count) => mp::array_len(&mut self.buffer, count),
            Err(_) => self.fail(EncodeError::TooLong),
        }
        self.nested(Some(len), elements);
    }

    /// A function or record of `len` pairs; `pairs` writes key, value, key, value, ….
    pub fn function(&mut self, len: usize, pairs: impl FnOnce(&mut Self)) {
        match u32::try_from(len) {
            Ok(count) => mp::map_len(&mut self.buffer, count),
            Err(_) => self.fail(EncodeError::TooLong),
        }
        self.nested(len.checked_mul(2), pairs);
    }

    /// A set; `elements` writes as many values as it likes, in any order.
    pub fn set(&mut self, elements: impl FnOnce(&mut Self)) {
        // The payload's length is not known yet: the widest form leaves room to fill it in.
        mp::wide_ext(&mut self.buffer, layout::EXT_SET);
        let payload = self.buffer.len();
        self.nested(None, elements);
        match u32::try_from(self.buffer.len() - payload) {
            Ok(len) => self.buffer.patch(payload - 5, &len.to_be_bytes()),
            Err(_) => self.fail(EncodeError::TooLong),
        }
    }

    /// Runs `elements` one level deeper and checks the announced number of values, if any.
    fn nested(&mut self, announced: Option<usize>, elements: impl FnOnce(&mut Self)) {
        if self.depth + 1 >= layout::MAX_DEPTH {
            self.fail(EncodeError::TooDeep);
        } else {
            let outside = std::mem::replace(&mut self.written, 0);
            self.depth += 1;
            elements(self);
            self.depth -= 1;
            let written = std::mem::replace(&mut self.written, outside);
            if let Some(announced) = announced.filter(|&n| n != written) {
                self.fail(EncodeError::Count { announced, written });
            }
        }
        self.written += 1;
    }

    #[cold]
    fn fail(&mut self, error: EncodeError) {
        self.error.get_or_insert(error);
    }
}

/// Most bytes that an integer takes.
pub const MAX_INT_LEN: usize = 9;

/// Writes an integer to the beginning of `place` and returns its length. Small enough to be
/// inlined where actions are recorded, whose arguments are integers more often than not.
#[inline]
pub fn write_int(place: &mut [u8; MAX_INT_LEN], value: i64) -> usize {
    match value {
        -0x20..=0x7f => {
            place[0] = value as u8;
            1
        }
        0x80..=0xffff => {
            place[0] = U16;
            place[1..3].copy_from_slice(&(value as u16).to_be_bytes());
            3
        }
        0x1_0000..=0xffff_ffff => {
            place[0] = U32;
            place[1..5].copy_from_slice(&(value as u32).to_be_bytes());
            5
        }
        -0x8000..=-0x21 => {
            place[0] = I16;
            place[1..3].copy_from_slice(&(value as i16).to_be_bytes());
            3
        }
        _ => {
            place[0] = I64;
            place[1..].copy_from_slice(&value.to_be_bytes());
            9
        }
    }
}

/// What precedes the arguments of an event record.
#[derive(Debug, Clone, Copy)]
pub struct EventPrefix {
    /// Table entry: an action or a choice.
    pub entry: u16,
    /// Clock reading at the beginning of the call.
    pub start: u64,
    /// `end - start`.
    pub duration: u64,
    /// Outcome and what else the record has, see [`layout`].
    pub flags: u8,
    /// Number of arguments, which the caller writes next.
    pub args: u32,
}

impl EventPrefix {
    /// Most bytes a prefix can take.
    pub const MAX_LEN: usize = 5 + 3 + 9 + 9 + 1;

    /// Writes everything up to the first argument.
    pub fn write(&self, out: &mut Buffer<'_>) {
        if let Some(bytes) = self.usual() {
            out.push(&bytes[..UsualPrefix::LEN]);
            return;
        }
        mp::array_len(out, self.items());
        mp::uint(out, u64::from(self.entry));
        mp::uint(out, self.start);
        mp::uint(out, self.duration);
        mp::uint(out, u64::from(self.flags));
    }

    /// The same as a usual prefix, if it is one.
    fn usual(&self) -> Option<[u8; UsualPrefix::LEN + 1]> {
        let prefix = UsualPrefix::new(self.entry, self.args as usize).filter(|_| self.flags == 0)?;
        prefix.with(self.start, self.start.wrapping_add(self.duration))
    }

    /// Elements of the record's array.
    fn items(&self) -> u32 {
        let effects = u32::from(self.flags & layout::FLAG_EFFECTS != 0);
        let meta = u32::from(self.flags & layout::FLAG_META != 0);
        4 + self.args + effects + meta
    }
}

/// What the prefixes of usual events of a table entry have in common. Such an event is done, has nothing but a few
/// arguments, and did not take too long: every field of its prefix is at a fixed place, so that the rest takes three
/// stores and one branch.
#[derive(Debug, Clone, Copy)]
pub struct UsualPrefix(NonZeroU64);

impl UsualPrefix {
    /// Bytes of a usual prefix: array, entry (u16), start (u64), duration (u32), flags.
    pub const LEN: usize = 1 + 3 + 9 + 5 + 1;

    /// For events of an entry with so many arguments; `None` if that is too many.
    pub fn new(entry: u16, args: usize) -> Option<Self> {
        let items = u8::try_from(4 + args).ok().filter(|&items| items < 16)?;
        let [high, low] = entry.to_be_bytes();
        // The first eight bytes; the last three are the first ones of the start.
        let first = u64::from_be_bytes([FIX_ARRAY | items, U16, high, low, U64, 0, 0, 0]);
        NonZeroU64::new(first).map(Self)
    }

    /// The prefix of an event with this timebox, and a byte that does not belong to it; `None` if it took too long, or
    /// ended before it started.
    #[inline]
    pub fn with(self, start: u64, end: u64) -> Option<[u8; Self::LEN + 1]> {
        let duration = u32::try_from(end.wrapping_sub(start)).ok()?;
        let first = self.0.get() | start >> 40;
        let second = start << 24 | u64::from(U32) << 16 | u64::from(duration >> 16);
        let third = duration << 16;
        let mut bytes = [0; Self::LEN + 1];
        bytes[..8].copy_from_slice(&first.to_be_bytes());
        bytes[8..16].copy_from_slice(&second.to_be_bytes());
        bytes[16..].copy_from_slice(&third.to_be_bytes());
        Some(bytes)
    }
}

/// Writes an argument whose value is not known.
#[inline]
pub fn write_unknown(out: &mut Buffer<'_>) {
    mp::nil(out);
}

/// Writes the record that adds an action to the lane's table.
pub fn write_action<S: AsRef<str>>(out: &mut Buffer<'_>, name: &str, params: &[S]) {
    mp::array_len(out, 3);
    mp::small_negative(out, layout::RECORD_ACTION);
    write_action_body(out, name, params);
}

fn write_action_body<S: AsRef<str>>(out: &mut Buffer<'_>, name: &str, params: &[S]) {
    mp::str(out, name);
    mp::array_len(out, params.len() as u32);
    for param in params {
        mp::str(out, param.as_ref());
    }
}

/// Writes the record that adds a choice between actions to the lane's table.
pub fn write_choice(out: &mut Buffer<'_>, actions: &[u16]) {
    mp::array_len(out, 2);
    mp::small_negative(out, layout::RECORD_CHOICE);
    mp::array_len(out, actions.len() as u32);
    for &action in actions {
        mp::uint(out, u64::from(action));
    }
}

/// Writes the record of a thread's end up to its meta map, which the caller writes.
pub fn write_terminated(out: &mut Buffer<'_>, time: u64) {
    mp::array_len(out, 3);
    mp::small_negative(out, layout::RECORD_TERMINATED);
    mp::uint(out, time);
}

/// Writes the header of a meta map: the caller writes `pairs` pairs of string and value.
#[inline]
pub fn write_meta_len(out: &mut Buffer<'_>, pairs: u32) {
    mp::map_len(out, pairs);
}

/// Writes the header of a list, such as that of an event's effects.
pub fn write_list_len(out: &mut Buffer<'_>, len: u32) {
    mp::array_len(out, len);
}

/// The first item of a lane's stream.
#[derive(Debug, Clone, Copy)]
pub struct LaneHeader<'a> {
    /// Name of the specification.
    pub spec: &'a str,
    /// The operator used as next-state relation.
    pub next: &'a str,
    /// Which clock the lane's times come from: `tsc`, `cntvct`, `monotonic` or `logical`.
    pub clock: &'a str,
    /// The lane's index.
    pub lane: u32,
    /// The thread's name.
    pub name: &'a str,
    /// The seed of the run, if it has one.
    pub seed: Option<u64>,
}

impl LaneHeader<'_> {
    /// Writes the header with a table of the given actions, each a name with its parameters.
    pub fn write<'t, S: AsRef<str> + 't>(
        &self,
        out: &mut Buffer<'_>,
        table: impl ExactSizeIterator<Item = (&'t str, &'t [S])>,
    ) {
        mp::map_len(out, 7);
        for (key, value) in [("spec", self.spec), ("next", self.next), ("clock", self.clock), ("name", self.name)] {
            mp::str(out, key);
            mp::str(out, value);
        }
        mp::str(out, "lane");
        mp::uint(out, u64::from(self.lane));
        mp::str(out, "seed");
        match self.seed {
            Some(seed) => mp::uint(out, seed),
            None => mp::nil(out),
        }
        mp::str(out, "table");
        mp::array_len(out, table.len() as u32);
        for (name, params) in table {
            mp::array_len(out, 2);
            write_action_body(out, name, params);
        }
    }
}

/// Writes a control block for an empty lane to the beginning of `control`, which must be zero.
///
/// # Panics
/// If `control` is shorter than the fields.
pub fn write_control(control: &mut [u8]) {
    control[..layout::MAGIC.len()].copy_from_slice(&layout::MAGIC);
    control[layout::VERSION_AT..][..4].copy_from_slice(&layout::VERSION.to_le_bytes());
    control[layout::DATA_OFFSET_AT..][..4].copy_from_slice(&(layout::DATA_OFFSET as u32).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_take_the_shortest_of_four_forms() {
        let cases: [(i64, &[u8]); 14] = [
            (0, b"\x00"),
            (0x7f, b"\x7f"),
            (-1, b"\xff"),
            (-0x20, b"\xe0"),
            (0x80, b"\xcd\x00\x80"),
            (0xffff, b"\xcd\xff\xff"),
            (-0x21, b"\xd1\xff\xdf"),
            (-0x8000, b"\xd1\x80\x00"),
            (0x1_0000, b"\xce\x00\x01\x00\x00"),
            (0xffff_ffff, b"\xce\xff\xff\xff\xff"),
            (0x1_0000_0000, b"\xd3\x00\x00\x00\x01\x00\x00\x00\x00"),
            (-0x8001, b"\xd3\xff\xff\xff\xff\xff\xff\x7f\xff"),
            (i64::MAX, b"\xd3\x7f\xff\xff\xff\xff\xff\xff\xff"),
            (i64::MIN, b"\xd3\x80\x00\x00\x00\x00\x00\x00\x00"),
        ];
        for (value, bytes) in cases {
            let mut place = [0; MAX_INT_LEN];
            let len = write_int(&mut place, value);
            assert_eq!(&place[..len], bytes, "{value}");
        }
    }

    #[test]
    fn usual_prefixes_have_their_fields_at_fixed_places() {
        let prefix = UsualPrefix::new(0x1234, 3).unwrap();
        let start = 0x0102_0304_0506_0708;
        let bytes = prefix.with(start, start + 0x1122_3344).unwrap();
        let expected = b"\x97\xcd\x12\x34\xcf\x01\x02\x03\x04\x05\x06\x07\x08\xce\x11\x22\x33\x44\x00";
        assert_eq!(&bytes[..UsualPrefix::LEN], expected);

        assert!(prefix.with(start, start + u64::from(u32::MAX)).is_some());
        assert!(prefix.with(start, start + (1 << 32)).is_none(), "too long");
        assert!(prefix.with(start, start - 1).is_none(), "ended before it started");
        assert!(UsualPrefix::new(0, 11).is_some());
        assert!(UsualPrefix::new(0, 12).is_none(), "too many arguments");
    }
}
