//! Interned text: strings of the specification, names of model values, identifiers.
//!
//! A [`Symbol`] is one pointer. Equal texts are the same pointer, so equality and hashing never look at the text; order
//! is that of the text and is mostly decided by the first eight bytes, which are stored as one big-endian number. Text
//! is never freed: a process reads few specifications, and the strings that a specification makes are few.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, PoisonError, RwLock};

use crate::value::fingerprint::{Fingerprint, of_text};

/// What all symbols of one text share.
struct Interned {
    text: &'static str,
    /// The first eight bytes, big-endian, padded with zeros: orders most pairs without a look at the text.
    prefix: u64,
    fingerprint: Fingerprint,
}

/// A text that is compared, hashed and copied as one pointer.
#[derive(Clone, Copy)]
pub struct Symbol(&'static Interned);

/// The table's entry: an interned text that is found by its text.
struct ByText(&'static Interned);

impl std::borrow::Borrow<str> for ByText {
    fn borrow(&self) -> &str {
        self.0.text
    }
}

impl PartialEq for ByText {
    fn eq(&self, other: &Self) -> bool {
        self.0.text == other.0.text
    }
}

impl Eq for ByText {}

impl Hash for ByText {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.text.hash(state);
    }
}

static TABLE: LazyLock<RwLock<HashSet<ByText>>> = LazyLock::new(RwLock::default);

impl Symbol {
    /// The symbol of a text. Takes a lock; everything else about symbols does not.
    pub fn new(text: &str) -> Self {
        // A panic while the lock is held cannot leave the table half-changed: it only ever gains one entry.
        if let Some(known) = TABLE.read().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Self(known.0);
        }
        let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = table.get(text) {
            return Self(known.0);
        }
        let text: &'static str = Box::leak(text.into());
        let interned = Box::leak(Box::new(Interned { text, prefix: prefix(text), fingerprint: of_text(text) }));
        table.insert(ByText(interned));
        Self(interned)
    }

    /// The text.
    pub fn as_str(self) -> &'static str {
        self.0.text
    }

    /// A fingerprint of the text, computed when it was interned.
    pub fn fingerprint(self) -> Fingerprint {
        self.0.fingerprint
    }
}

fn prefix(text: &str) -> u64 {
    let mut bytes = [0; 8];
    for (to, from) in bytes.iter_mut().zip(text.bytes()) {
        *to = from;
    }
    u64::from_be_bytes(bytes)
}

impl PartialEq for Symbol {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Symbol {}

impl Hash for Symbol {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}

impl Ord for Symbol {
    fn cmp(&self, other: &Self) -> Ordering {
        if self == other {
            return Ordering::Equal;
        }
        self.0.prefix.cmp(&other.0.prefix).then_with(|| self.0.text.cmp(other.0.text))
    }
}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.text)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0.text, f)
    }
}

impl From<&str> for Symbol {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

const _: () = assert!(size_of::<Symbol>() == 8);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_one_symbol() {
        let built = String::from("que") + "ue";
        assert_eq!(Symbol::new("queue"), Symbol::new(&built));
        assert_ne!(Symbol::new("queue"), Symbol::new("Queue"));
        assert_eq!(Symbol::new("queue").as_str(), "queue");
    }

    #[test]
    fn order_is_that_of_the_text() {
        let texts = ["", "\0", "a", "a\0", "ab", "abcdefgh", "abcdefgh\0", "abcdefghi", "abcdefgj", "b", "é", "z"];
        for left in texts {
            for right in texts {
                assert_eq!(Symbol::new(left).cmp(&Symbol::new(right)), left.cmp(right), "{left:?} {right:?}");
            }
        }
    }

    #[test]
    fn threads_agree() {
        let intern_all = || (0..500).map(|n| Symbol::new(&format!("concurrent {n}"))).collect::<Vec<_>>();
        let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(intern_all)).collect();
        let seen: Vec<_> = threads.into_iter().map(|thread| thread.join().expect("interning does not panic")).collect();
        assert!(seen.windows(2).all(|pair| pair[0] == pair[1]));
    }
}
