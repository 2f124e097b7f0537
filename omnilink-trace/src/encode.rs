//! Writing values and records: the core that the runtime links into the program under test.
//!
//! Nothing here allocates. Bytes go into a slice of fixed size; what does not fit is still counted, so
//! that the caller learns how much room a second attempt needs ([`EncodeError::Overflow`]). Errors are
//! sticky: code that encodes a value just writes on, and the end tells whether it worked.

use std::fmt;
use std::io;

use rmp::Marker;
use rmp::encode as mp;

use crate::layout;

/// Bytes of fixed capacity that remember how many they would have needed.
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

/// Never fails, so that results of `rmp` need no handling: a lack of room shows in [`Buffer::fits`].
impl io::Write for Buffer<'_> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.push(bytes);
        Ok(bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.push(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
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
        let _ = mp::write_bool(&mut self.buffer, value);
        self.written += 1;
    }

    /// An integer.
    #[inline]
    pub fn int(&mut self, value: i64) {
        let int = EncodedInt::new(value);
        self.buffer.push(&int.head[..int.len.min(8)]);
        if int.len > 8 {
            self.buffer.push(&[int.tail]);
        }
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
                let _ = mp::write_str_len(&mut self.buffer, len);
                self.buffer.push(value.as_bytes());
            }
            Err(_) => self.fail(EncodeError::TooLong),
        }
        self.written += 1;
    }

    /// A tuple or sequence of `len` values, which `elements` writes.
    pub fn tuple(&mut self, len: usize, elements: impl FnOnce(&mut Self)) {
        match u32::try_from(len) {
            Ok(count) => {
                let _ = mp::write_array_len(&mut self.buffer, count);
            }
            Err(_) => self.fail(EncodeError::TooLong),
        }
        self.nested(Some(len), elements);
    }

    /// A function or record of `len` pairs; `pairs` writes key, value, key, value, ….
    pub fn function(&mut self, len: usize, pairs: impl FnOnce(&mut Self)) {
        match u32::try_from(len) {
            Ok(count) => {
                let _ = mp::write_map_len(&mut self.buffer, count);
            }
            Err(_) => self.fail(EncodeError::TooLong),
        }
        self.nested(len.checked_mul(2), pairs);
    }

    /// A set; `elements` writes as many values as it likes, in any order.
    pub fn set(&mut self, elements: impl FnOnce(&mut Self)) {
        // The payload's length is not known yet: the widest form leaves room to fill it in.
        let _ = mp::write_ext_meta(&mut self.buffer, u32::MAX, layout::EXT_SET);
        let payload = self.buffer.len();
        self.nested(None, elements);
        match u32::try_from(self.buffer.len() - payload) {
            Ok(len) => self.buffer.patch(payload - 5, &len.to_be_bytes()),
            Err(_) => self.fail(EncodeError::TooLong),
        }
    }

    /// Runs `elements` one level deeper and holds it to the announced number of values, if any.
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

/// An encoded integer, in registers: as `rmp` would write it, but small enough to be inlined where actions are recorded, whose
/// arguments are integers more often than not. The fence at the end of a call waits for every store before it, so
/// a short integer is one store.
#[derive(Debug, Clone, Copy)]
pub struct EncodedInt {
    /// The first eight bytes.
    pub head: [u8; 8],
    /// The ninth.
    pub tail: u8,
    /// How many of them count.
    pub len: usize,
}

impl EncodedInt {
    /// Encodes an integer.
    #[inline]
    pub fn new(value: i64) -> Self {
        let (marker, payload, len) = match value {
            0..=0x7f => (Marker::FixPos(value as u8), 0, 1),
            -0x20..=-1 => (Marker::FixNeg(value as i8), 0, 1),
            0x80..=0xffff => (Marker::U16, (value as u64) << 48, 3),
            -0x8000..=-0x21 => (Marker::I16, (value as u64) << 48, 3),
            0x1_0000..=0xffff_ffff => (Marker::U32, (value as u64) << 32, 5),
            _ => (Marker::I64, value as u64, 9),
        };
        let head = u64::from(marker.to_u8()) << 56 | payload >> 8;
        Self { head: head.to_be_bytes(), tail: payload as u8, len }
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
    /// Bytes of a usual prefix.
    pub const USUAL_LEN: usize = 1 + 3 + 9 + 5 + 1;

    /// The prefix with every field at a fixed place, which takes three stores and no branch; `None` if it has too many
    /// arguments or took too long for that. The last byte does not belong to it.
    #[inline]
    pub fn usual(&self) -> Option<[u8; Self::USUAL_LEN + 1]> {
        let duration = u32::try_from(self.duration).ok()?;
        let len = self.items();
        if len > 15 {
            return None;
        }
        // The record, written as one big-endian number: array, entry (u16), start (u64), duration (u32), flags.
        let first = u64::from(Marker::FixArray(len as u8).to_u8()) << 56
            | u64::from(Marker::U16.to_u8()) << 48
            | u64::from(self.entry) << 32
            | u64::from(Marker::U64.to_u8()) << 24
            | self.start >> 40;
        let second = self.start << 24 | u64::from(Marker::U32.to_u8()) << 16 | u64::from(duration >> 16);
        let third = duration << 16 | u32::from(self.flags) << 8;
        let mut bytes = [0; Self::USUAL_LEN + 1];
        bytes[..8].copy_from_slice(&first.to_be_bytes());
        bytes[8..16].copy_from_slice(&second.to_be_bytes());
        bytes[16..].copy_from_slice(&third.to_be_bytes());
        Some(bytes)
    }

    /// Writes everything up to the first argument.
    pub fn write(&self, out: &mut Buffer<'_>) {
        if let Some(bytes) = self.usual() {
            out.push(&bytes[..Self::USUAL_LEN]);
            return;
        }
        let _ = mp::write_array_len(out, self.items());
        let _ = mp::write_uint(out, u64::from(self.entry));
        let _ = mp::write_uint(out, self.start);
        let _ = mp::write_uint(out, self.duration);
        let _ = mp::write_uint(out, u64::from(self.flags));
    }

    /// Elements of the record's array.
    #[inline]
    fn items(&self) -> u32 {
        let effects = u32::from(self.flags & layout::FLAG_EFFECTS != 0);
        let meta = u32::from(self.flags & layout::FLAG_META != 0);
        4 + self.args + effects + meta
    }
}

/// Writes an argument whose value is not known.
#[inline]
pub fn write_unknown(out: &mut Buffer<'_>) {
    let _ = mp::write_nil(out);
}

/// Writes the record that adds an action to the lane's table.
pub fn write_action<S: AsRef<str>>(out: &mut Buffer<'_>, name: &str, params: &[S]) {
    let _ = mp::write_array_len(out, 3);
    let _ = mp::write_sint(out, layout::RECORD_ACTION);
    write_action_body(out, name, params);
}

fn write_action_body<S: AsRef<str>>(out: &mut Buffer<'_>, name: &str, params: &[S]) {
    let _ = mp::write_str(out, name);
    let _ = mp::write_array_len(out, params.len() as u32);
    for param in params {
        let _ = mp::write_str(out, param.as_ref());
    }
}

/// Writes the record that adds a choice between actions to the lane's table.
pub fn write_choice(out: &mut Buffer<'_>, actions: &[u16]) {
    let _ = mp::write_array_len(out, 2);
    let _ = mp::write_sint(out, layout::RECORD_CHOICE);
    let _ = mp::write_array_len(out, actions.len() as u32);
    for &action in actions {
        let _ = mp::write_uint(out, u64::from(action));
    }
}

/// Writes the record of a thread's end up to its meta map, which the caller writes.
pub fn write_terminated(out: &mut Buffer<'_>, time: u64) {
    let _ = mp::write_array_len(out, 3);
    let _ = mp::write_sint(out, layout::RECORD_TERMINATED);
    let _ = mp::write_uint(out, time);
}

/// Writes the header of a meta map: the caller writes `pairs` pairs of string and value.
#[inline]
pub fn write_meta_len(out: &mut Buffer<'_>, pairs: u32) {
    let _ = mp::write_map_len(out, pairs);
}

/// Writes the header of a list, such as that of an event's effects.
pub fn write_list_len(out: &mut Buffer<'_>, len: u32) {
    let _ = mp::write_array_len(out, len);
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
        let _ = mp::write_map_len(out, 7);
        for (key, value) in [("spec", self.spec), ("next", self.next), ("clock", self.clock), ("name", self.name)] {
            let _ = mp::write_str(out, key);
            let _ = mp::write_str(out, value);
        }
        let _ = mp::write_str(out, "lane");
        let _ = mp::write_uint(out, u64::from(self.lane));
        let _ = mp::write_str(out, "seed");
        let _ = match self.seed {
            Some(seed) => mp::write_uint(out, seed).map(drop).map_err(drop),
            None => mp::write_nil(out).map_err(drop),
        };
        let _ = mp::write_str(out, "table");
        let _ = mp::write_array_len(out, table.len() as u32);
        for (name, params) in table {
            let _ = mp::write_array_len(out, 2);
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
