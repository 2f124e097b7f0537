//! Reading the tokens of a JSON text, with their positions.
//!
//! A string or key is a part of the text unless it has escapes, so that a usual line is read without allocating.

use std::borrow::Cow;

use super::json::Kind;

/// What is wrong, and where. Boxed, because results without a fault are moved often.
#[derive(Debug)]
pub(super) struct Wrong {
    pub at: usize,
    pub problem: String,
    /// True if the text ends too early, and may have been cut off.
    pub cut_off: bool,
}

impl Wrong {
    #[cold]
    pub fn new(at: usize, problem: impl Into<String>) -> Box<Self> {
        Box::new(Self { at, problem: problem.into(), cut_off: false })
    }
}

/// A place in a JSON text.
pub(super) struct Cursor<'a> {
    text: &'a str,
    /// The next byte.
    pub at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    #[inline]
    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline(always)]
    pub fn space(&mut self) {
        while let Some(byte) = self.peek()
            && byte <= b' '
            && matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
        {
            self.at += 1;
        }
    }

    /// The next eight bytes, the first one lowest.
    #[inline(always)]
    fn eight(&self) -> Option<u64> {
        let bytes = self.text.as_bytes().get(self.at..)?.first_chunk()?;
        Some(u64::from_le_bytes(*bytes))
    }

    /// Consumes `byte`, if it is next.
    #[inline]
    pub fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    #[cold]
    pub fn expected(&self, what: &str) -> Box<Wrong> {
        match self.text[self.at..].chars().next() {
            Some(found) => Wrong::new(self.at, format!("expected {what}, found {found:?}")),
            None => {
                let problem = format!("the line ends where {what} should follow");
                Box::new(Wrong { at: self.at, problem, cut_off: true })
            }
        }
    }

    /// The first key of an object whose `{` was read, or none if the object is empty.
    #[inline]
    pub fn first_key(&mut self) -> Result<Option<(usize, Cow<'a, str>)>, Box<Wrong>> {
        self.space();
        if self.take(b'}') { Ok(None) } else { self.key().map(Some) }
    }

    /// The key after a value of an object, or none at the object's end.
    #[inline(always)]
    pub fn next_key(&mut self) -> Result<Option<(usize, Cow<'a, str>)>, Box<Wrong>> {
        self.space();
        if self.take(b',') {
            return self.key().map(Some);
        }
        if self.take(b'}') { Ok(None) } else { Err(self.expected("`,` or `}`")) }
    }

    /// A key and the colon after it.
    #[inline(always)]
    fn key(&mut self) -> Result<(usize, Cow<'a, str>), Box<Wrong>> {
        self.space();
        if self.peek() != Some(b'"') {
            return Err(self.expected("a key in quotes"));
        }
        let at = self.at;
        let key = self.string()?;
        self.space();
        if !self.take(b':') {
            return Err(self.expected("`:`"));
        }
        Ok((at, key))
    }

    /// Anything but a list or an object.
    #[inline(always)]
    pub fn scalar(&mut self) -> Result<Kind<'a>, Box<Wrong>> {
        match self.peek() {
            Some(b'"') => self.string().map(Kind::Str),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Kind::Bool(true)),
            Some(b'f') => self.word("false", Kind::Bool(false)),
            Some(b'n') => self.word("null", Kind::Null),
            _ => Err(self.expected("a value")),
        }
    }

    fn word(&mut self, word: &str, kind: Kind<'a>) -> Result<Kind<'a>, Box<Wrong>> {
        let rest = &self.text[self.at..];
        if rest.starts_with(word) {
            self.at += word.len();
            Ok(kind)
        } else {
            let cut_off = word.starts_with(rest);
            Err(Box::new(Wrong { at: self.at, problem: format!("expected {word}"), cut_off }))
        }
    }

    #[inline(always)]
    fn number(&mut self) -> Result<Kind<'a>, Box<Wrong>> {
        let begin = self.at;
        let negative = self.take(b'-');
        let digits = self.at;
        // Exact for up to 18 digits; longer numbers are parsed below.
        let mut magnitude = 0_i64;
        while let Some(value) = self.eight().and_then(eight_digits) {
            magnitude = magnitude.wrapping_mul(100_000_000).wrapping_add(value);
            self.at += 8;
        }
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            magnitude = magnitude.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
            self.at += 1;
        }
        let len = self.at - digits;
        if len == 0 {
            return Err(self.expected("a digit"));
        }
        if matches!(self.peek(), Some(b'.' | b'e' | b'E')) {
            return Err(Wrong::new(begin, "TLA+ has no floating-point numbers; write an integer or a string"));
        }
        if len > 1 && self.text.as_bytes()[digits] == b'0' {
            return Err(Wrong::new(begin, "a number begins with 0"));
        }
        if len <= 18 {
            return Ok(Kind::Int(if negative { -magnitude } else { magnitude }));
        }
        let text = &self.text[begin..self.at];
        Ok(text.parse().map_or(Kind::BigInt(text), Kind::Int))
    }

    #[inline(always)]
    fn string(&mut self) -> Result<Cow<'a, str>, Box<Wrong>> {
        self.at += 1;
        let plain = self.plain();
        if self.take(b'"') { Ok(Cow::Borrowed(plain)) } else { self.escaped(plain.to_owned()).map(Cow::Owned) }
    }

    /// The characters up to the next one that is special in strings.
    #[inline(always)]
    fn plain(&mut self) -> &'a str {
        let begin = self.at;
        while let Some(bytes) = self.eight() {
            let special = special_in_strings(bytes);
            // All eight, if none is special.
            self.at += special.trailing_zeros() as usize / 8;
            if special != 0 {
                return &self.text[begin..self.at];
            }
        }
        while let Some(byte) = self.peek()
            && !matches!(byte, b'"' | b'\\' | 0..=0x1f)
        {
            self.at += 1;
        }
        &self.text[begin..self.at]
    }

    /// A string whose beginning was read, up to something special.
    #[cold]
    fn escaped(&mut self, mut string: String) -> Result<String, Box<Wrong>> {
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => string.push(self.escape()?),
                Some(_) => return Err(Wrong::new(self.at, "a control character in a string; escape it")),
                None => return Err(self.expected("the end of a string")),
            }
            string.push_str(self.plain());
        }
    }

    fn escape(&mut self) -> Result<char, Box<Wrong>> {
        let at = self.at;
        self.at += 1;
        let escaped = self.peek().ok_or_else(|| self.expected("the rest of an escape"))?;
        self.at += 1;
        Ok(match escaped {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(at),
            _ => return Err(Wrong::new(at, "unknown escape")),
        })
    }

    fn unicode(&mut self, at: usize) -> Result<char, Box<Wrong>> {
        let lone = || Wrong::new(at, "half of a surrogate pair");
        let first = self.hex()?;
        let code = match first {
            0xd800..=0xdbff => {
                if !(self.take(b'\\') && self.take(b'u')) {
                    return Err(lone());
                }
                let second = self.hex()?;
                if !(0xdc00..=0xdfff).contains(&second) {
                    return Err(lone());
                }
                0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
            }
            code => code,
        };
        char::from_u32(code).ok_or_else(lone)
    }

    fn hex(&mut self) -> Result<u32, Box<Wrong>> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            code = code * 16 + digit.ok_or_else(|| self.expected("a hexadecimal digit"))?;
            self.at += 1;
        }
        Ok(code)
    }
}

/// Each byte of a word.
const ONES: u64 = u64::MAX / 255;

/// Marks in the highest bit of each byte: of the lowest byte that is a quote, a backslash or a control character, and
/// perhaps of bytes above it.
#[inline(always)]
fn special_in_strings(bytes: u64) -> u64 {
    // Subtracting borrows from bytes above only where a byte is less than what is subtracted: then that one is marked.
    let less = |word: u64, than: u8| word.wrapping_sub(ONES * u64::from(than)) & !word;
    let equal = |byte: u8| less(bytes ^ (ONES * u64::from(byte)), 1);
    (less(bytes, 0x20) | equal(b'"') | equal(b'\\')) & (ONES << 7)
}

/// The number that eight digits stand for, if all are digits.
#[inline(always)]
fn eight_digits(bytes: u64) -> Option<i64> {
    // A digit is 0x30 to 0x39: its high half is 3, also after 6 was added.
    let high = ONES * 0xf0;
    if bytes & high != ONES * 0x30 || bytes.wrapping_add(ONES * 6) & high != ONES * 0x30 {
        return None;
    }
    // Neighbours are joined to numbers of two, then four, then eight digits; the first digit is in the lowest byte.
    let digits = bytes & (ONES * 0x0f);
    let two = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff_00ff;
    let four = (two * 100 + (two >> 16)) & 0x0000_ffff_0000_ffff;
    Some(((four * 10_000 + (four >> 32)) & 0xffff_ffff) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_show_what_their_bytes_are() {
        for byte in 0..=u8::MAX {
            for place in 0..8 {
                let mut bytes = *b"12345678";
                bytes[place] = byte;
                let word = u64::from_le_bytes(bytes);
                let digits = std::str::from_utf8(&bytes).ok().and_then(|text| text.parse::<u32>().ok());
                let expected = digits.filter(|_| byte.is_ascii_digit()).map(i64::from);
                assert_eq!(eight_digits(word), expected, "{bytes:?}");
                let special = matches!(byte, b'"' | b'\\' | 0..=0x1f);
                let first = special_in_strings(word).trailing_zeros() as usize / 8;
                assert_eq!(first, if special { place } else { 8 }, "{bytes:?}");
            }
        }
    }
}
