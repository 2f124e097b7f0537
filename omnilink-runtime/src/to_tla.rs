//! How Rust values become TLA+ values.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::fmt::{self, Write as _};
use std::num::{NonZero, Wrapping};
use std::rc::Rc;
use std::sync::Arc;

use omnilink_trace::Value;
use omnilink_trace::encode::Encoder;

/// A value that a trace can carry.
///
/// | Rust | TLA+ |
/// | --- | --- |
/// | integers, `NonZero`, `Wrapping` | the integer; outside the signed 64-bit range the string of its digits |
/// | `bool` | `TRUE`, `FALSE` |
/// | `char`, `str`, `String`, `Cow<str>` | a string |
/// | slices, arrays, `Vec`, `VecDeque`, `LinkedList` | a sequence `<<a, b>>` |
/// | tuples of up to 12, `()` | a tuple; `<<>>` |
/// | `BTreeSet`, `HashSet` | a set |
/// | `BTreeMap`, `HashMap` | a function |
/// | `Option` | `None` is `<<>>`, `Some(x)` is `<<x>>` |
/// | `Result` | `[tag \|-> "Ok", value \|-> x]`, `[tag \|-> "Err", value \|-> e]` |
/// | references, `Box`, `Rc`, `Arc`, `Cow` | what they point to |
/// | [`Value`] | the value that it is: for what has no type of its own in Rust |
///
/// An `Option` is a sequence of at most one element because TLA+ has no value that is distinct from all others: any
/// string or number chosen for `None` could also be somebody's `Some`. In a specification `Len(x) = 0` asks for `None`
/// and `x[1]` takes the value out. If the specification has a model value such as `"none"` instead, pass that:
/// `op.set("elem", &x.as_deref().unwrap_or("none"))`.
///
/// There is no implementation for floats, which TLA+ does not have, nor for raw pointers, which differ from run to run.
///
/// For types of your own it is usually derived. By hand it is a description of the value's parts, which writes exactly one value:
///
/// ```
/// use omnilink_runtime::{Encoder, ToTla};
///
/// struct Account { owner: String, balance: u32 }
///
/// impl ToTla for Account {
///     fn encode(&self, out: &mut Encoder<'_>) {
///         out.function(2, |out| {
///             out.str("owner");
///             self.owner.encode(out);
///             out.str("balance");
///             self.balance.encode(out);
///         });
///     }
/// }
/// ```
///
/// It is called while a call is being recorded, so it should neither block nor call instrumented functions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be recorded as a TLA+ value",
    note = "derive it with `#[derive(omnilink::ToTla)]`, implement `ToTla` by hand, or record something else in its place"
)]
pub trait ToTla {
    /// Writes `self` as one value.
    fn encode(&self, out: &mut Encoder<'_>);

    /// The value if it is an integer of 64 bits, which then needs no encoder: a shortcut for the most common arguments.
    #[inline]
    fn as_int(&self) -> Option<i64> {
        None
    }
}

/// An integer as the string of its digits, whatever its size.
///
/// For a parameter whose values are partly above the signed 64-bit range: recorded as they are, large ones would be
/// strings and small ones numbers, which a specification cannot compare.
///
/// ```
/// # use omnilink_runtime::Digits;
/// # fn record(op: &mut omnilink_runtime::Op, hash: u64) {
/// op.set("hash", &Digits(hash));
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digits<T>(
    /// The integer.
    pub T,
);

/// Room for the longest 128-bit integer, on the stack: recording does not allocate.
struct DigitText {
    bytes: [u8; 40],
    len: usize,
}

impl fmt::Write for DigitText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

fn encode_digits(value: impl fmt::Display, out: &mut Encoder<'_>) {
    let mut text = DigitText { bytes: [0; 40], len: 0 };
    write!(text, "{value}").expect("40 bytes hold every 128-bit integer");
    out.str(std::str::from_utf8(&text.bytes[..text.len]).expect("digits are ASCII"));
}

macro_rules! integers {
    ($encode:ident as $wide:ty: $($int:ty),*) => {$(
        impl ToTla for $int {
            #[inline]
            fn encode(&self, out: &mut Encoder<'_>) {
                out.$encode(*self as $wide);
            }

            #[inline]
            fn as_int(&self) -> Option<i64> {
                i64::try_from(*self).ok()
            }
        }

        impl ToTla for NonZero<$int> {
            #[inline]
            fn encode(&self, out: &mut Encoder<'_>) {
                self.get().encode(out);
            }
        }

        impl ToTla for Digits<$int> {
            fn encode(&self, out: &mut Encoder<'_>) {
                encode_digits(self.0, out);
            }
        }
    )*};
}

integers!(int as i64: i8, i16, i32, i64, isize, u8, u16, u32);
integers!(big_int as i128: i128);
integers!(big_uint as u128: u64, usize, u128);

impl<T: ToTla> ToTla for Wrapping<T> {
    #[inline]
    fn encode(&self, out: &mut Encoder<'_>) {
        self.0.encode(out);
    }
}

impl ToTla for bool {
    #[inline]
    fn encode(&self, out: &mut Encoder<'_>) {
        out.bool(*self);
    }
}

impl ToTla for char {
    fn encode(&self, out: &mut Encoder<'_>) {
        out.str(self.encode_utf8(&mut [0; 4]));
    }
}

impl ToTla for str {
    #[inline]
    fn encode(&self, out: &mut Encoder<'_>) {
        out.str(self);
    }
}

impl ToTla for String {
    #[inline]
    fn encode(&self, out: &mut Encoder<'_>) {
        out.str(self);
    }
}

macro_rules! pointers {
    ($($pointer:ty),*) => {$(
        impl<T: ToTla + ?Sized> ToTla for $pointer {
            #[inline]
            fn encode(&self, out: &mut Encoder<'_>) {
                (**self).encode(out);
            }
        }
    )*};
}

pointers!(&T, &mut T, Box<T>, Rc<T>, Arc<T>);

impl<T: ToTla + ToOwned + ?Sized> ToTla for Cow<'_, T> {
    #[inline]
    fn encode(&self, out: &mut Encoder<'_>) {
        (**self).encode(out);
    }
}

fn encode_sequence<T: ToTla>(elements: impl ExactSizeIterator<Item = T>, out: &mut Encoder<'_>) {
    out.tuple(elements.len(), |out| elements.for_each(|element| element.encode(out)));
}

impl<T: ToTla> ToTla for [T] {
    fn encode(&self, out: &mut Encoder<'_>) {
        encode_sequence(self.iter(), out);
    }
}

impl<T: ToTla, const N: usize> ToTla for [T; N] {
    fn encode(&self, out: &mut Encoder<'_>) {
        encode_sequence(self.iter(), out);
    }
}

impl<T: ToTla> ToTla for Vec<T> {
    fn encode(&self, out: &mut Encoder<'_>) {
        encode_sequence(self.iter(), out);
    }
}

impl<T: ToTla> ToTla for VecDeque<T> {
    fn encode(&self, out: &mut Encoder<'_>) {
        encode_sequence(self.iter(), out);
    }
}

impl<T: ToTla> ToTla for LinkedList<T> {
    fn encode(&self, out: &mut Encoder<'_>) {
        encode_sequence(self.iter(), out);
    }
}

impl<T: ToTla> ToTla for Option<T> {
    fn encode(&self, out: &mut Encoder<'_>) {
        encode_sequence(self.iter(), out);
    }
}

fn encode_set<T: ToTla>(elements: impl Iterator<Item = T>, out: &mut Encoder<'_>) {
    out.set(|out| elements.for_each(|element| element.encode(out)));
}

impl<T: ToTla> ToTla for BTreeSet<T> {
    fn encode(&self, out: &mut Encoder<'_>) {
        encode_set(self.iter(), out);
    }
}

impl<T: ToTla, S> ToTla for HashSet<T, S> {
    fn encode(&self, out: &mut Encoder<'_>) {
        encode_set(self.iter(), out);
    }
}

fn encode_function<K: ToTla, V: ToTla>(pairs: impl ExactSizeIterator<Item = (K, V)>, out: &mut Encoder<'_>) {
    out.function(pairs.len(), |out| {
        for (key, value) in pairs {
            key.encode(out);
            value.encode(out);
        }
    });
}

impl<K: ToTla, V: ToTla> ToTla for BTreeMap<K, V> {
    fn encode(&self, out: &mut Encoder<'_>) {
        encode_function(self.iter(), out);
    }
}

impl<K: ToTla, V: ToTla, S> ToTla for HashMap<K, V, S> {
    fn encode(&self, out: &mut Encoder<'_>) {
        encode_function(self.iter(), out);
    }
}

impl<T: ToTla, E: ToTla> ToTla for Result<T, E> {
    fn encode(&self, out: &mut Encoder<'_>) {
        out.function(2, |out| {
            out.str("tag");
            out.str(if self.is_ok() { "Ok" } else { "Err" });
            out.str("value");
            match self {
                Ok(value) => value.encode(out),
                Err(error) => error.encode(out),
            }
        });
    }
}

impl ToTla for Value {
    fn encode(&self, out: &mut Encoder<'_>) {
        Self::encode(self, out);
    }
}

impl ToTla for () {
    fn encode(&self, out: &mut Encoder<'_>) {
        out.tuple(0, |_| ());
    }
}

macro_rules! tuples {
    () => {};
    ($first:ident $($rest:ident)*) => {
        impl<$first: ToTla, $($rest: ToTla),*> ToTla for ($first, $($rest,)*) {
            #[allow(non_snake_case)]
            fn encode(&self, out: &mut Encoder<'_>) {
                let ($first, $($rest,)*) = self;
                let len = [stringify!($first), $(stringify!($rest)),*].len();
                out.tuple(len, |out| {
                    $first.encode(out);
                    $($rest.encode(out);)*
                });
            }
        }

        tuples!($($rest)*);
    };
}

tuples!(A B C D E F G H I J K L);

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(write: impl FnOnce(&mut Encoder<'_>)) -> Vec<u8> {
        let mut room = [0; 512];
        let mut encoder = Encoder::new(&mut room);
        write(&mut encoder);
        let len = encoder.finish().expect("one value that fits");
        room[..len].to_vec()
    }

    /// `value` must become what `expected` writes part by part.
    #[track_caller]
    fn check<T: ToTla + ?Sized>(value: &T, expected: impl FnOnce(&mut Encoder<'_>)) {
        assert_eq!(bytes_of(|out| value.encode(out)), bytes_of(expected));
    }

    #[test]
    fn integers_of_every_width() {
        check(&i8::MIN, |e| e.int(-128));
        check(&i16::MIN, |e| e.int(-32_768));
        check(&i32::MIN, |e| e.int(-2_147_483_648));
        check(&i64::MIN, |e| e.int(i64::MIN));
        check(&-5_isize, |e| e.int(-5));
        check(&u8::MAX, |e| e.int(255));
        check(&u16::MAX, |e| e.int(65_535));
        check(&u32::MAX, |e| e.int(4_294_967_295));
        check(&7_u64, |e| e.int(7));
        check(&7_usize, |e| e.int(7));
        check(&-7_i128, |e| e.int(-7));
        check(&7_u128, |e| e.int(7));
        check(&NonZero::new(9_u64), |e| e.tuple(1, |e| e.int(9)));
        check(&Wrapping(-1_i32), |e| e.int(-1));
    }

    #[test]
    fn integers_beyond_64_bits_with_sign_are_digits() {
        check(&(i64::MAX as u64), |e| e.int(i64::MAX));
        check(&(i64::MAX as u64 + 1), |e| e.str("9223372036854775808"));
        check(&u64::MAX, |e| e.str("18446744073709551615"));
        check(&i128::MIN, |e| e.str("-170141183460469231731687303715884105728"));
        check(&u128::MAX, |e| e.str("340282366920938463463374607431768211455"));
    }

    #[test]
    fn digits_are_always_a_string() {
        check(&Digits(0_u64), |e| e.str("0"));
        check(&Digits(u64::MAX), |e| e.str("18446744073709551615"));
        check(&Digits(i128::MIN), |e| e.str("-170141183460469231731687303715884105728"));
    }

    #[test]
    fn text_and_booleans() {
        check(&true, |e| e.bool(true));
        check(&'ß', |e| e.str("ß"));
        check("abc", |e| e.str("abc"));
        check(&String::from("abc"), |e| e.str("abc"));
        check(&Cow::Borrowed("abc"), |e| e.str("abc"));
        check(&Cow::<str>::Owned("abc".into()), |e| e.str("abc"));
    }

    #[test]
    fn sequences() {
        let three = |e: &mut Encoder<'_>| e.tuple(3, |e| (1..=3).for_each(|n| e.int(n)));
        check(&[1_u8, 2, 3], three);
        check([1_u8, 2, 3].as_slice(), three);
        check(&vec![1_u64, 2, 3], three);
        check(&VecDeque::from([1_i64, 2, 3]), three);
        check(&LinkedList::from([1_i32, 2, 3]), three);
        check(&vec![1_u32, 2, 3].into_boxed_slice(), three);
        check::<[u8; 0]>(&[], |e| e.tuple(0, |_| ()));
    }

    #[test]
    fn tuples_of_mixed_types() {
        check(&(), |e| e.tuple(0, |_| ()));
        check(&(7_u8,), |e| e.tuple(1, |e| e.int(7)));
        check(&(7_u8, "x", true), |e| {
            e.tuple(3, |e| {
                e.int(7);
                e.str("x");
                e.bool(true);
            });
        });
        check(&(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), |e| e.tuple(12, |e| (1..=12).for_each(|n| e.int(n))));
    }

    #[test]
    fn sets() {
        let two = |e: &mut Encoder<'_>| {
            e.set(|e| {
                e.str("a");
                e.str("b");
            });
        };
        check(&BTreeSet::from(["b", "a"]), two);
        check(&HashSet::from(["a"]), |e| e.set(|e| e.str("a")));
        check(&HashSet::<u8>::new(), |e| e.set(|_| ()));
    }

    #[test]
    fn functions() {
        check(&BTreeMap::from([(2, "two"), (1, "one")]), |e| {
            e.function(2, |e| {
                e.int(1);
                e.str("one");
                e.int(2);
                e.str("two");
            });
        });
        check(&HashMap::from([("k", vec![0_u8])]), |e| {
            e.function(1, |e| {
                e.str("k");
                e.tuple(1, |e| e.int(0));
            });
        });
    }

    #[test]
    fn option_is_a_sequence_of_at_most_one_element() {
        check(&None::<u8>, |e| e.tuple(0, |_| ()));
        check(&Some(3_u8), |e| e.tuple(1, |e| e.int(3)));
        check(&Some(None::<u8>), |e| e.tuple(1, |e| e.tuple(0, |_| ())));
    }

    #[test]
    fn result_is_a_tagged_record() {
        let tagged = |tag: &'static str, value: i64| {
            move |e: &mut Encoder<'_>| {
                e.function(2, |e| {
                    e.str("tag");
                    e.str(tag);
                    e.str("value");
                    e.int(value);
                });
            }
        };
        check(&Ok::<u8, u16>(3), tagged("Ok", 3));
        check(&Err::<u8, u16>(404), tagged("Err", 404));
    }

    #[test]
    fn values_are_what_they_are() {
        let value = Value::set([Value::from(1), Value::from("x"), Value::Tuple(vec![Value::from(true)])]);
        check(&value, |e| {
            e.set(|e| {
                e.int(1);
                e.str("x");
                e.tuple(1, |e| e.bool(true));
            });
        });
    }

    #[test]
    fn pointers_are_what_they_point_to() {
        check(&&&5, |e| e.int(5));
        check(&&mut 5, |e| e.int(5));
        check(&Box::new(5), |e| e.int(5));
        check(&Rc::new(5), |e| e.int(5));
        check(&Arc::<str>::from("abc"), |e| e.str("abc"));
        check::<dyn ToTla>(&5_u8, |e| e.int(5));
        check(&(Box::new(5_u8) as Box<dyn ToTla>), |e| e.int(5));
    }
}
