//! Reading MessagePack from bytes in memory: items, and TLA+ values.
//!
//! Two ways to run out: [`Fault::Short`] says that the bytes end inside an item, so that whoever holds only a window
//! of a file can read more and try again; [`Fault::Bad`] says that no further bytes can make this right.
//!
//! Lengths in the bytes are claims. An array that claims 2³² elements makes us look for them, never reserve room for
//! them; nesting is limited by [`layout::MAX_DEPTH`], so recursion is too.

use rmp::Marker;

use crate::error::Problem;
use crate::layout;
use crate::value::Value;

/// Why an item could not be read.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The bytes end inside the item.
    Short,
    /// The item is wrong.
    Bad(Box<Bad>),
}

/// What is wrong, and where in the bytes.
#[derive(Debug)]
pub(crate) struct Bad {
    pub at: usize,
    pub problem: Problem,
}

impl Fault {
    #[cold]
    pub fn bad(at: usize, problem: impl Into<Problem>) -> Self {
        Self::Bad(Box::new(Bad { at, problem: problem.into() }))
    }
}

/// Most elements that room is reserved for before they are seen.
const RESERVE: usize = 32;

/// A place in bytes that hold MessagePack.
#[derive(Debug)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// What the next item is, for messages.
fn describe(marker: Marker) -> &'static str {
    match marker {
        Marker::FixPos(_) | Marker::U8 | Marker::U16 | Marker::U32 | Marker::U64 => "an unsigned integer",
        Marker::FixNeg(_) | Marker::I8 | Marker::I16 | Marker::I32 | Marker::I64 => "a signed integer",
        Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => "a map",
        Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => "an array",
        Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => "a string",
        Marker::Null => "nil",
        Marker::Reserved => "the reserved byte 0xc1",
        Marker::True | Marker::False => "a boolean",
        Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => "a byte string",
        Marker::F32 | Marker::F64 => "a float",
        _ => "an extension",
    }
}

fn is_integer(marker: Marker) -> bool {
    use Marker::{FixNeg, FixPos, I8, I16, I32, I64, U8, U16, U32, U64};
    matches!(marker, FixPos(_) | FixNeg(_) | U8 | U16 | U32 | U64 | I8 | I16 | I32 | I64)
}

impl<'a> Cursor<'a> {
    /// A cursor that begins at `at`.
    pub fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// Where the next item begins.
    #[inline]
    pub fn at(&self) -> usize {
        self.at
    }

    #[inline]
    fn take(&mut self, len: usize) -> Result<&'a [u8], Fault> {
        // `at` never exceeds the length, so the subtraction cannot wrap.
        if len > self.bytes.len() - self.at {
            return Err(Fault::Short);
        }
        let taken = &self.bytes[self.at..self.at + len];
        self.at += len;
        Ok(taken)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        match self.bytes[self.at..].first_chunk::<N>() {
            Some(bytes) => {
                self.at += N;
                Ok(*bytes)
            }
            None => Err(Fault::Short),
        }
    }

    /// The marker of the next item, which is not consumed.
    #[inline]
    pub fn peek(&self) -> Result<Marker, Fault> {
        self.bytes.get(self.at).map(|&byte| Marker::from_u8(byte)).ok_or(Fault::Short)
    }

    #[inline]
    fn marker(&mut self) -> Result<Marker, Fault> {
        let marker = self.peek()?;
        self.at += 1;
        Ok(marker)
    }

    #[inline]
    fn byte(&mut self) -> Result<u8, Fault> {
        let byte = *self.bytes.get(self.at).ok_or(Fault::Short)?;
        self.at += 1;
        Ok(byte)
    }

    /// Consumes a nil, if that is next.
    #[inline]
    pub fn take_nil(&mut self) -> bool {
        let nil = self.bytes.get(self.at) == Some(&Marker::Null.to_u8());
        self.at += usize::from(nil);
        nil
    }

    /// The fault that the item at `at` is not an `expected`.
    #[cold]
    fn unexpected(&self, at: usize, expected: &'static str) -> Fault {
        let found = self.bytes.get(at).map_or("nothing", |&byte| describe(Marker::from_u8(byte)));
        Fault::bad(at, Problem::Unexpected { expected, found })
    }

    /// The fault that the next item is not an `expected`.
    #[cold]
    pub fn not_a(&self, expected: &'static str) -> Fault {
        self.unexpected(self.at, expected)
    }

    /// An unsigned integer of any width.
    #[inline]
    pub fn uint(&mut self, expected: &'static str) -> Result<u64, Fault> {
        // What the encoder writes is matched byte by byte here and below: this is where reading spends its time.
        match self.byte()? {
            byte @ 0..=0x7f => Ok(byte.into()),
            0xcc => self.array().map(|bytes| u8::from_be_bytes(bytes).into()),
            0xcd => self.array().map(|bytes| u16::from_be_bytes(bytes).into()),
            0xce => self.array().map(|bytes| u32::from_be_bytes(bytes).into()),
            0xcf => self.array().map(u64::from_be_bytes),
            _ => {
                self.at -= 1;
                let at = self.at;
                self.int(expected)?.try_into().map_err(|_| self.unexpected(at, expected))
            }
        }
    }

    /// A signed integer of any width.
    #[inline]
    pub fn int(&mut self, expected: &'static str) -> Result<i64, Fault> {
        match self.byte()? {
            byte @ 0..=0x7f => Ok(byte.into()),
            0xcd => self.array().map(|bytes| u16::from_be_bytes(bytes).into()),
            _ => {
                self.at -= 1;
                self.wide_int(expected)
            }
        }
    }

    fn wide_int(&mut self, expected: &'static str) -> Result<i64, Fault> {
        let at = self.at;
        Ok(match self.marker()? {
            Marker::FixPos(n) => n.into(),
            Marker::FixNeg(n) => n.into(),
            Marker::U8 => u8::from_be_bytes(self.array()?).into(),
            Marker::U16 => u16::from_be_bytes(self.array()?).into(),
            Marker::U32 => u32::from_be_bytes(self.array()?).into(),
            Marker::I8 => i8::from_be_bytes(self.array()?).into(),
            Marker::I16 => i16::from_be_bytes(self.array()?).into(),
            Marker::I32 => i32::from_be_bytes(self.array()?).into(),
            Marker::I64 => i64::from_be_bytes(self.array()?),
            Marker::U64 => {
                let wide = u64::from_be_bytes(self.array()?);
                wide.try_into().map_err(|_| self.unexpected(at, expected))?
            }
            _ => return Err(self.unexpected(at, expected)),
        })
    }

    /// The header of an array: its length.
    #[inline]
    pub fn array_len(&mut self, expected: &'static str) -> Result<usize, Fault> {
        let at = self.at;
        if let Some(&byte @ 0x90..=0x9f) = self.bytes.get(at) {
            self.at += 1;
            return Ok(usize::from(byte & 0xf));
        }
        Ok(match self.marker()? {
            Marker::FixArray(len) => len.into(),
            Marker::Array16 => u16::from_be_bytes(self.array()?).into(),
            Marker::Array32 => u32::from_be_bytes(self.array()?) as usize,
            _ => return Err(self.unexpected(at, expected)),
        })
    }

    /// The header of a map: its number of pairs.
    #[inline]
    pub fn map_len(&mut self, expected: &'static str) -> Result<usize, Fault> {
        let at = self.at;
        Ok(match self.marker()? {
            Marker::FixMap(len) => len.into(),
            Marker::Map16 => u16::from_be_bytes(self.array()?).into(),
            Marker::Map32 => u32::from_be_bytes(self.array()?) as usize,
            _ => return Err(self.unexpected(at, expected)),
        })
    }

    /// A string.
    #[inline]
    pub fn str(&mut self, expected: &'static str) -> Result<&'a str, Fault> {
        let at = self.at;
        let len = match self.marker()? {
            Marker::FixStr(len) => len.into(),
            Marker::Str8 => u8::from_be_bytes(self.array()?).into(),
            Marker::Str16 => u16::from_be_bytes(self.array()?).into(),
            Marker::Str32 => u32::from_be_bytes(self.array()?) as usize,
            _ => return Err(self.unexpected(at, expected)),
        };
        std::str::from_utf8(self.take(len)?).map_err(|_| Fault::bad(at, Problem::NotUtf8))
    }

    /// The payload of a set.
    fn set_payload(&mut self) -> Result<&'a [u8], Fault> {
        let at = self.at;
        let len = match self.marker()? {
            Marker::FixExt1 => 1,
            Marker::FixExt2 => 2,
            Marker::FixExt4 => 4,
            Marker::FixExt8 => 8,
            Marker::FixExt16 => 16,
            Marker::Ext8 => u8::from_be_bytes(self.array()?).into(),
            Marker::Ext16 => u16::from_be_bytes(self.array()?).into(),
            Marker::Ext32 => u32::from_be_bytes(self.array()?) as usize,
            _ => return Err(self.unexpected(at, "a value")),
        };
        if i8::from_be_bytes(self.array()?) != layout::EXT_SET {
            return Err(self.unexpected(at, "a value"));
        }
        self.take(len)
    }

    /// A cursor over the payload that was taken last.
    fn inside(&self, payload: &[u8]) -> Cursor<'a> {
        Cursor { bytes: &self.bytes[..self.at], at: self.at - payload.len() }
    }

    /// The depth of what a value at `depth` holds.
    fn deeper(&self, depth: usize) -> Result<usize, Fault> {
        if depth + 1 < layout::MAX_DEPTH { Ok(depth + 1) } else { Err(Fault::bad(self.at, Problem::TooDeep)) }
    }

    /// The next value, if it is an integer as most are: not negative, below 2³², and inside the bytes.
    ///
    /// Apart from [`Cursor::value`], as its result fits into registers. Building a whole `Result<Value, Fault>` in memory
    /// and moving it on took longer than everything else that is done for such an argument.
    #[inline]
    pub fn take_small_int(&mut self) -> Option<i64> {
        let rest = &self.bytes[self.at..];
        let (value, len) = match *rest {
            [byte @ 0..=0x7f, ..] => (byte.into(), 1),
            [0xcc, a, ..] => (a.into(), 2),
            [0xcd, a, b, ..] => (u16::from_be_bytes([a, b]).into(), 3),
            [0xce, a, b, c, d, ..] => (u32::from_be_bytes([a, b, c, d]).into(), 5),
            _ => return None,
        };
        self.at += len;
        Some(value)
    }

    /// A value that stands inside `depth` others.
    #[inline]
    pub fn value(&mut self, depth: usize) -> Result<Value, Fault> {
        match self.take_small_int() {
            Some(value) => Ok(Value::Int(value)),
            None => self.long_value(depth),
        }
    }

    fn long_value(&mut self, depth: usize) -> Result<Value, Fault> {
        match self.peek()? {
            Marker::True | Marker::False => self.byte().map(|byte| Value::Bool(byte == Marker::True.to_u8())),
            marker if is_integer(marker) => self.wide_int("an integer below 2^63").map(Value::Int),
            Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => self.str("a string").map(Value::from),
            Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => {
                let depth = self.deeper(depth)?;
                let len = self.array_len("an array")?;
                self.values(len, depth).map(Value::Tuple)
            }
            Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => self.function(depth),
            _ => {
                let depth = self.deeper(depth)?;
                let payload = self.set_payload()?;
                let mut inside = self.inside(payload);
                let mut elements = Vec::new();
                while inside.at < inside.bytes.len() {
                    elements.push(inside.value(depth).map_err(|fault| overrun(fault, inside.at))?);
                }
                Ok(Value::set(elements))
            }
        }
    }

    fn function(&mut self, depth: usize) -> Result<Value, Fault> {
        let at = self.at;
        let depth = self.deeper(depth)?;
        let len = self.map_len("a map")?;
        let mut pairs = Vec::with_capacity(len.min(RESERVE));
        for _ in 0..len {
            pairs.push((self.value(depth)?, self.value(depth)?));
        }
        Value::function(pairs).map_err(|duplicate| Fault::bad(at, duplicate))
    }

    /// `len` values, one after the other, that stand inside `depth` others.
    pub fn values(&mut self, len: usize, depth: usize) -> Result<Vec<Value>, Fault> {
        let mut values = Vec::with_capacity(len.min(RESERVE));
        for _ in 0..len {
            values.push(self.value(depth)?);
        }
        Ok(values)
    }

    /// Steps over a value as [`Cursor::value`] would read it, with the same faults.
    ///
    /// Functions are read nevertheless, as only that shows whether two keys are equal.
    #[inline]
    pub fn skip_value(&mut self, depth: usize) -> Result<(), Fault> {
        match self.take_small_int() {
            Some(_) => Ok(()),
            None => self.skip_long_value(depth),
        }
    }

    fn skip_long_value(&mut self, depth: usize) -> Result<(), Fault> {
        match self.peek()? {
            Marker::True | Marker::False => self.take(1).map(drop),
            marker if is_integer(marker) => self.wide_int("an integer below 2^63").map(drop),
            Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => self.str("a string").map(drop),
            Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => {
                let depth = self.deeper(depth)?;
                for _ in 0..self.array_len("an array")? {
                    self.skip_value(depth)?;
                }
                Ok(())
            }
            Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => self.function(depth).map(drop),
            _ => {
                let depth = self.deeper(depth)?;
                let payload = self.set_payload()?;
                let mut inside = self.inside(payload);
                while inside.at < inside.bytes.len() {
                    inside.skip_value(depth).map_err(|fault| overrun(fault, inside.at))?;
                }
                Ok(())
            }
        }
    }

    /// Steps over any MessagePack item, value or not, such as that of a header key that we do not know.
    pub fn skip_any(&mut self) -> Result<(), Fault> {
        let mut items = 1_u64;
        while items > 0 {
            items -= 1;
            let at = self.at;
            let marker = self.marker()?;
            self.at = at;
            match marker {
                Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => {
                    // Every item takes a byte at least, so this cannot overflow before the bytes end.
                    items = items.saturating_add(self.array_len("an array")? as u64);
                }
                Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => {
                    items = items.saturating_add(2 * self.map_len("a map")? as u64);
                }
                Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => drop(self.str("a string")?),
                marker => self.skip_flat(marker)?,
            }
        }
        Ok(())
    }

    fn skip_flat(&mut self, marker: Marker) -> Result<(), Fault> {
        let at = self.at;
        self.at += 1;
        let len = match marker {
            Marker::U8 | Marker::I8 => 1,
            Marker::U16 | Marker::I16 | Marker::FixExt1 => 2,
            Marker::FixExt2 => 3,
            Marker::U32 | Marker::I32 | Marker::F32 => 4,
            Marker::FixExt4 => 5,
            Marker::U64 | Marker::I64 | Marker::F64 => 8,
            Marker::FixExt8 => 9,
            Marker::FixExt16 => 17,
            Marker::Bin8 => u8::from_be_bytes(self.array()?).into(),
            Marker::Bin16 => u16::from_be_bytes(self.array()?).into(),
            Marker::Bin32 => u32::from_be_bytes(self.array()?) as usize,
            Marker::Ext8 => usize::from(u8::from_be_bytes(self.array()?)) + 1,
            Marker::Ext16 => usize::from(u16::from_be_bytes(self.array()?)) + 1,
            Marker::Ext32 => (u32::from_be_bytes(self.array()?) as usize).saturating_add(1),
            Marker::Reserved => return Err(self.unexpected(at, "a MessagePack item")),
            _ => 0,
        };
        self.take(len).map(drop)
    }
}

/// Inside a set, whose bytes are all there, an element that ends early is wrong and not just short.
fn overrun(fault: Fault, at: usize) -> Fault {
    match fault {
        Fault::Short => Fault::bad(at, Problem::SetOverrun),
        bad => bad,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Encoder;

    fn value(bytes: &[u8]) -> Result<Value, Fault> {
        Cursor::new(bytes, 0).value(0)
    }

    fn problem(bytes: &[u8]) -> (usize, String) {
        let read = value(bytes).map(drop);
        let skipped = Cursor::new(bytes, 0).skip_value(0);
        let [read, skipped] = [read, skipped].map(|result| match result {
            Err(Fault::Bad(bad)) => (bad.at, bad.problem.to_string()),
            other => panic!("expected a bad value, got {other:?}"),
        });
        assert_eq!(read, skipped, "reading and skipping find the same");
        read
    }

    #[test]
    fn what_is_no_value_is_named_with_its_place() {
        assert_eq!(problem(&[0xc0]), (0, "found nil where a value belongs".into()));
        assert_eq!(problem(&[0x92, 1, 0xca, 0, 0, 0, 0]), (2, "found a float where a value belongs".into()));
        assert_eq!(problem(&[0x91, 0xc4, 1, 0]), (1, "found a byte string where a value belongs".into()));
        assert_eq!(problem(&[0xd4, 7, 0]), (0, "found an extension where a value belongs".into()));
        assert_eq!(problem(&[0xa1, 0xff]), (0, "a string is not UTF-8".into()));
        assert_eq!(problem(&[0x82, 1, 2, 1, 3]), (0, "a function has two values for 1".into()));
        assert_eq!(problem(&[0xc7, 2, 1, 0x92, 1]), (5, "an element of a set runs past the end of the set".into()));
        let above = [&[0xcf], &(1_u64 << 63).to_be_bytes()[..]].concat();
        assert_eq!(problem(&above), (0, "found an unsigned integer where an integer below 2^63 belongs".into()));
    }

    #[test]
    fn a_claimed_length_reserves_nothing() {
        for header in
            [&[0xdd_u8, 0xff, 0xff, 0xff, 0xff][..], &[0xdf, 0xff, 0xff, 0xff, 0xff], &[0xdb, 0xff, 0xff, 0xff, 0xff]]
        {
            assert!(matches!(value(header), Err(Fault::Short)));
        }
        let nested = [0xdd_u8, 0xff, 0xff, 0xff, 0xff].repeat(1000);
        assert!(matches!(value(&nested), Err(Fault::Short)));
    }

    #[test]
    fn nesting_ends_where_the_encoder_ends_it() {
        let deepest = [vec![0x91; layout::MAX_DEPTH - 1], vec![1]].concat();
        assert!(value(&deepest).is_ok());
        let too_deep = vec![0x91; 1_000_000];
        assert_eq!(problem(&too_deep), (layout::MAX_DEPTH - 1, "a value nests deeper than 1024 levels".into()));

        let mut room = [0; 4096];
        let mut encoder = Encoder::new(&mut room);
        fn nest(encoder: &mut Encoder<'_>, levels: usize) {
            if levels == 0 { encoder.int(1) } else { encoder.tuple(1, |e| nest(e, levels - 1)) }
        }
        nest(&mut encoder, layout::MAX_DEPTH - 1);
        assert_eq!(encoder.finish(), Ok(deepest.len()));
        assert_eq!(room[..deepest.len()], deepest);
    }

    #[test]
    fn any_item_can_be_skipped() {
        for item in [
            &[0xc0_u8][..],
            &[0xc4, 2, 0, 0],
            &[0xca, 0, 0, 0, 0],
            &[0xd8, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            &[0xc7, 1, 5, 0],
            &[0x82, 0xa1, b'k', 0x91, 0xc0, 1, 0xc3],
        ] {
            let mut cursor = Cursor::new(item, 0);
            cursor.skip_any().unwrap();
            assert_eq!(cursor.at(), item.len());
        }
        let mut bomb = vec![0x91; 100_000];
        bomb.push(0xc1);
        assert!(matches!(Cursor::new(&bomb, 0).skip_any(), Err(Fault::Bad(bad)) if bad.at == 100_000));
    }
}
