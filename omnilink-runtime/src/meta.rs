//! What the user notes about a call, beyond the arguments of the action.

use omnilink_trace::encode::{Buffer, EncodeError, Encoder, write_meta_len};

use crate::to_tla::ToTla;

/// Values by name, in the order in which they were noted.
#[derive(Debug, Default)]
pub struct Meta {
    /// Keys and values, encoded, one after the other.
    bytes: Vec<u8>,
    /// Where in `bytes` each key begins.
    starts: Vec<usize>,
    /// Room to encode a pair in, kept so that it need not be allocated again.
    scratch: Pair,
}

/// A key and a value, encoded.
#[derive(Debug, Default)]
pub(crate) struct Pair {
    bytes: Vec<u8>,
    key_len: usize,
}

impl Pair {
    /// Encodes a key and a value. A value that cannot be encoded becomes a string that says why.
    pub fn encode<T: ToTla + ?Sized>(&mut self, key: &str, value: &T) {
        self.bytes.clear();
        // A key longer than 4 GiB is the one string that cannot be encoded.
        let _ = append_value(&mut self.bytes, key);
        self.key_len = self.bytes.len();
        if let Err(error) = append_value(&mut self.bytes, value) {
            let _ = append_value(&mut self.bytes, &format!("not recorded: {error}"));
        }
    }
}

impl Meta {
    /// Notes a value. A later value replaces an earlier one of the same name.
    pub fn set<T: ToTla + ?Sized>(&mut self, key: &str, value: &T) {
        let mut pair = self.take_scratch();
        pair.encode(key, value);
        self.insert(pair);
    }

    /// A pair to encode into and to [`insert`](Self::insert): in two steps, for those who cannot keep a reference to this while
    /// the user's code encodes a value.
    pub(crate) fn take_scratch(&mut self) -> Pair {
        std::mem::take(&mut self.scratch)
    }

    pub(crate) fn insert(&mut self, pair: Pair) {
        let key = &pair.bytes[..pair.key_len];
        // An encoded string begins with its length, so no key is the beginning of another.
        if let Some(index) = self.starts.iter().position(|&start| self.bytes[start..].starts_with(key)) {
            self.remove(index);
        }
        self.starts.push(self.bytes.len());
        self.bytes.extend_from_slice(&pair.bytes);
        self.scratch = pair;
    }

    fn remove(&mut self, index: usize) {
        let start = self.starts.remove(index);
        let end = self.starts.get(index).copied().unwrap_or(self.bytes.len());
        self.bytes.drain(start..end);
        for later in &mut self.starts[index..] {
            *later -= end - start;
        }
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.starts.clear();
        self.bytes.clear();
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// At most this many bytes are needed to write them as a map.
    pub(crate) fn max_len(&self) -> usize {
        self.bytes.len() + 5
    }

    /// Writes them as a map.
    pub(crate) fn write(&self, out: &mut Buffer<'_>) {
        write_meta_len(out, self.starts.len() as u32);
        out.push(&self.bytes);
    }
}

/// Room that is tried first; most values are smaller.
const USUAL_LEN: usize = 64;
/// A value may be asked to encode itself again when it turns out larger, but one that grows each time is given up.
const ATTEMPTS: usize = 4;

/// Appends the encoding of a value, however long it is; nothing if it cannot be encoded.
pub(crate) fn append_value<T: ToTla + ?Sized>(bytes: &mut Vec<u8>, value: &T) -> Result<(), EncodeError> {
    let begin = bytes.len();
    let mut room = USUAL_LEN;
    let mut outcome = Ok(());
    for _ in 0..ATTEMPTS {
        bytes.resize(begin + room, 0);
        let mut encoder = Encoder::new(&mut bytes[begin..]);
        value.encode(&mut encoder);
        match encoder.finish() {
            Ok(len) => {
                bytes.truncate(begin + len);
                return Ok(());
            }
            Err(error @ EncodeError::Overflow { needed }) => {
                room = needed;
                outcome = Err(error);
            }
            Err(error) => {
                outcome = Err(error);
                break;
            }
        }
    }
    bytes.truncate(begin);
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(meta: &Meta) -> Vec<u8> {
        let mut bytes = vec![0; meta.max_len()];
        let mut out = Buffer::new(&mut bytes);
        meta.write(&mut out);
        let len = out.len();
        bytes.truncate(len);
        bytes
    }

    #[test]
    fn a_later_value_replaces_an_earlier_one() {
        let mut meta = Meta::default();
        for (key, value) in [("a", 1), ("ab", 2), ("b", 3), ("a", 4), ("b", 5)] {
            meta.set(key, &value);
        }
        assert_eq!(written(&meta), b"\x83\xa2ab\x02\xa1a\x04\xa1b\x05");
    }
}
