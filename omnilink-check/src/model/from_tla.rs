//! Rust values from TLA+ values, and inputs and outputs of calls from recorded events.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::rc::Rc;
use std::sync::Arc;

use omnilink_trace::Value;

/// A value that a trace has, as a Rust value: the way back of `ToTla`, with the same forms.
///
/// `#[derive(FromTla)]` makes it for types of your own. What derives it can also be the `Input` or the `Output` of a
/// [`Model`](super::Model) whose calls come from a trace ([`Calls::from_trace`](super::Calls::from_trace)):
///
/// | type | read from a call |
/// | --- | --- |
/// | enum | the variant with the name of the action (`#[tla(rename = "…")]`, further names with `#[tla(alias = "…")]`, all others with `#[tla(other)]`) |
/// | fields of a variant or struct with names | the arguments of these names |
/// | fields without names | the first arguments that are not taken yet, in the order of the action's parameters |
/// | `Option` | `None` if no argument is left, else what it holds |
/// | `()` | nothing |
/// | other types | the only argument that is left |
///
/// First the input takes its arguments, then the output takes the others.
pub trait FromTla: Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// If it is not one of this type.
    fn from_tla(value: &Value) -> Result<Self, Mismatch>;

    /// Reads the input or the output of a call.
    ///
    /// # Errors
    /// If the call is none of this type, or if an argument was not recorded.
    fn from_call(call: &mut NamedCall<'_>) -> Result<Self, Mismatch> {
        call.take_only()
    }
}

/// Why a value or a call is not of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    text: String,
    /// Nothing is wrong, but a value was not recorded.
    is_unknown: bool,
}

impl Mismatch {
    /// What is wrong.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_unknown: false }
    }

    /// `found` is not what was expected.
    pub fn expected(what: &str, found: &Value) -> Self {
        Self::new(format!("expected {what}, found {}", shortened(found)))
    }

    /// There is no variant of this name.
    pub fn no_variant(name: &str, known: &[&str]) -> Self {
        let known: Vec<_> = known.iter().map(|name| format!("`{name}`")).collect();
        Self::new(format!("expected {}, found `{name}`", known.join(" or ")))
    }

    /// Whether a value was not recorded, and nothing else is wrong.
    pub fn is_unknown(&self) -> bool {
        self.is_unknown
    }

    fn within(self, place: impl fmt::Display) -> Self {
        Self { text: format!("{place}: {}", self.text), ..self }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Mismatch {}

/// Long values are cut in messages.
fn shortened(value: &Value) -> String {
    const LENGTH: usize = 100;
    let text = value.to_string();
    match text.char_indices().nth(LENGTH) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}

/// A call as a trace has it: an action and its arguments, of which some may have been taken.
#[derive(Debug, Clone)]
pub struct NamedCall<'a> {
    action: &'a str,
    /// The operation that the action is an outcome of, if the trace says so.
    operation: Option<&'a str>,
    args: Vec<(&'a str, Option<&'a Value>)>,
    /// By argument.
    taken: Vec<bool>,
}

impl<'a> NamedCall<'a> {
    /// The call of an action; an argument that was not recorded has no value.
    pub fn new(action: &'a str, args: impl IntoIterator<Item = (&'a str, Option<&'a Value>)>) -> Self {
        let args: Vec<_> = args.into_iter().collect();
        Self { action, operation: None, taken: vec![false; args.len()], args }
    }

    /// The same, as an outcome of an operation.
    pub fn of_operation(self, operation: Option<&'a str>) -> Self {
        Self { operation, ..self }
    }

    /// The place in a list of names of the action's name or, if that is not there, of the operation's.
    ///
    /// # Errors
    /// If both are not there.
    pub fn choose(&self, names: &[&str]) -> Result<usize, Mismatch> {
        let place = |name: &str| names.iter().position(|other| *other == name);
        let found = place(self.action).or_else(|| self.operation.and_then(place));
        found.ok_or_else(|| Mismatch::no_variant(self.action, names))
    }

    /// The names of the arguments that are left.
    pub fn left(&self) -> impl Iterator<Item = &'a str> {
        self.args.iter().zip(&self.taken).filter(|(_, taken)| !**taken).map(|((name, _), _)| *name)
    }

    /// Takes the argument of this name. It may have been taken before, by another type.
    ///
    /// # Errors
    /// If there is none, if it was not recorded, or if it is not of this type.
    pub fn take<T: FromTla>(&mut self, name: &str) -> Result<T, Mismatch> {
        match self.args.iter().position(|(other, _)| *other == name) {
            Some(at) => self.take_at(at),
            None => {
                let names: Vec<_> = self.args.iter().map(|(name, _)| format!("`{name}`")).collect();
                let recorded = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                Err(Mismatch::new(format!("there is no parameter `{name}`; recorded are {recorded}")))
            }
        }
    }

    /// Takes the first argument that is left.
    ///
    /// # Errors
    /// If none is left, if it was not recorded, or if it is not of this type.
    pub fn take_next<T: FromTla>(&mut self) -> Result<T, Mismatch> {
        match self.taken.iter().position(|taken| !taken) {
            Some(at) => self.take_at(at),
            None => Err(Mismatch::new("one more argument was expected, and none is left")),
        }
    }

    /// Takes the only argument that is left.
    ///
    /// # Errors
    /// If none or several are left, if it was not recorded, or if it is not of this type.
    pub fn take_only<T: FromTla>(&mut self) -> Result<T, Mismatch> {
        match self.left().count() {
            1 => self.take_next(),
            0 => Err(Mismatch::new("a value was expected, and no argument is left: an `Option` is `None` there")),
            _ => {
                let left: Vec<_> = self.left().map(|name| format!("`{name}`")).collect();
                let left = left.join(", ");
                Err(Mismatch::new(format!(
                    "a single value was expected, and {left} are left: name the fields in a struct or an enum"
                )))
            }
        }
    }

    fn take_at<T: FromTla>(&mut self, at: usize) -> Result<T, Mismatch> {
        self.taken[at] = true;
        let (name, value) = self.args[at];
        let Some(value) = value else {
            return Err(Mismatch { text: format!("`{name}` was not recorded"), is_unknown: true });
        };
        T::from_tla(value).map_err(|problem| problem.within(format_args!("`{name}`")))
    }
}

/// A value with fields, for derived implementations.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    value: &'a Value,
}

impl<'a> Record<'a> {
    /// A record.
    ///
    /// # Errors
    /// If the value is none.
    pub fn new(value: &'a Value) -> Result<Self, Mismatch> {
        match value {
            Value::Function(_) => Ok(Self { value }),
            other => Err(Mismatch::expected("a record", other)),
        }
    }

    /// A field.
    ///
    /// # Errors
    /// If there is none of this name, or if it is not of this type.
    pub fn field<T: FromTla>(self, name: &str) -> Result<T, Mismatch> {
        T::from_tla(self.get(name)?).map_err(|problem| problem.within(format_args!("field `{name}`")))
    }

    /// The field that names the variant.
    ///
    /// # Errors
    /// If there is none, or if it is no string.
    pub fn tag(self, name: &str) -> Result<&'a str, Mismatch> {
        match self.get(name)? {
            Value::Str(tag) => Ok(tag),
            other => Err(Mismatch::expected("a string", other).within(format_args!("field `{name}`"))),
        }
    }

    fn get(self, name: &str) -> Result<&'a Value, Mismatch> {
        let Value::Function(pairs) = self.value else { return Err(Mismatch::expected("a record", self.value)) };
        let field = pairs.iter().find(|(key, _)| matches!(key, Value::Str(key) if **key == *name));
        field.map(|(_, value)| value).ok_or_else(|| Mismatch::expected(&format!("a field `{name}`"), self.value))
    }
}

/// The elements of a tuple of a known length, for derived implementations.
///
/// # Errors
/// If the value is none.
pub fn elements(value: &Value, length: usize) -> Result<&[Value], Mismatch> {
    match value {
        Value::Tuple(elements) if elements.len() == length => Ok(elements),
        other => Err(Mismatch::expected(&format!("a tuple of {length}"), other)),
    }
}

/// A string, for derived implementations.
///
/// # Errors
/// If the value is none.
pub fn string(value: &Value) -> Result<&str, Mismatch> {
    match value {
        Value::Str(text) => Ok(text),
        other => Err(Mismatch::expected("a string", other)),
    }
}

fn sequence(value: &Value) -> Result<&[Value], Mismatch> {
    match value {
        Value::Tuple(elements) => Ok(elements),
        other => Err(Mismatch::expected("a sequence", other)),
    }
}

macro_rules! integers {
    ($($int:ident),*) => {$(
        impl FromTla for $int {
            fn from_tla(value: &Value) -> Result<Self, Mismatch> {
                // Integers that do not fit into 64 bits are recorded as the string of their digits.
                let read = match value {
                    Value::Int(int) => Self::try_from(*int).ok(),
                    Value::Str(digits) => digits.parse().ok(),
                    _ => None,
                };
                read.ok_or_else(|| Mismatch::expected(&format!("an integer from {} to {}", Self::MIN, Self::MAX), value))
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);

impl FromTla for bool {
    fn from_tla(value: &Value) -> Result<Self, Mismatch> {
        match value {
            Value::Bool(value) => Ok(*value),
            other => Err(Mismatch::expected("TRUE or FALSE", other)),
        }
    }
}

impl FromTla for char {
    fn from_tla(value: &Value) -> Result<Self, Mismatch> {
        let mut chars = string(value)?.chars();
        match (chars.next(), chars.next()) {
            (Some(char), None) => Ok(char),
            _ => Err(Mismatch::expected("a string of one character", value)),
        }
    }
}

impl FromTla for String {
    fn from_tla(value: &Value) -> Result<Self, Mismatch> {
        string(value).map(str::to_owned)
    }
}

impl FromTla for Value {
    fn from_tla(value: &Value) -> Result<Self, Mismatch> {
        Ok(value.clone())
    }
}

macro_rules! sequences {
    ($($kind:ident),*) => {$(
        impl<T: FromTla> FromTla for $kind<T> {
            fn from_tla(value: &Value) -> Result<Self, Mismatch> {
                sequence(value)?.iter().map(T::from_tla).collect()
            }
        }
    )*};
}

sequences!(Vec, VecDeque);

impl<T: FromTla, const N: usize> FromTla for [T; N] {
    fn from_tla(value: &Value) -> Result<Self, Mismatch> {
        let elements: Vec<T> = elements(value, N)?.iter().map(T::from_tla).collect::<Result<_, _>>()?;
        elements.try_into().map_err(|_| Mismatch::expected(&format!("a tuple of {N}"), value))
    }
}

fn set<T: FromTla, S: FromIterator<T>>(value: &Value) -> Result<S, Mismatch> {
    match value {
        Value::Set(elements) => elements.iter().map(T::from_tla).collect(),
        other => Err(Mismatch::expected("a set", other)),
    }
}

impl<T: FromTla + Ord> FromTla for BTreeSet<T> {
    fn from_tla(value: &Value) -> Result<Self, Mismatch> {
        set(value)
    }
}

impl<T: FromTla + Eq + Hash, S: BuildHasher + Default> FromTla for HashSet<T, S> {
    fn from_tla(value: &Value) -> Result<Self, Mismatch> {
        set(value)
    }
}

/// A sequence is a function, too: over the numbers from 1.
fn function<K: FromTla, V: FromTla, M: FromIterator<(K, V)>>(value: &Value) -> Result<M, Mismatch> {
    let pair = |(key, value): (&Value, &Value)| Ok((K::from_tla(key)?, V::from_tla(value)?));
    match value {
        Value::Function(pairs) => pairs.iter().map(|(key, value)| pair((key, value))).collect(),
        Value::Tuple(elements) => (1..).zip(elements).map(|(at, value)| pair((&Value::Int(at), value))).collect(),
        other => Err(Mismatch::expected("a function", other)),
    }
}

impl<K: FromTla + Ord, V: FromTla> FromTla for BTreeMap<K, V> {
    fn from_tla(value: &Value) -> Result<Self, Mismatch> {
        function(value)
    }
}

impl<K: FromTla + Eq + Hash, V: FromTla, S: BuildHasher + Default> FromTla for HashMap<K, V, S> {
    fn from_tla(value: &Value) -> Result<Self, Mismatch> {
        function(value)
    }
}

impl<T: FromTla> FromTla for Option<T> {
    fn from_tla(value: &Value) -> Result<Self, Mismatch> {
        match value {
            Value::Tuple(elements) if elements.is_empty() => Ok(None),
            Value::Tuple(elements) if elements.len() == 1 => T::from_tla(&elements[0]).map(Some),
            other => Err(Mismatch::expected("<<>> or <<x>>", other)),
        }
    }

    fn from_call(call: &mut NamedCall<'_>) -> Result<Self, Mismatch> {
        match call.left().count() {
            0 => Ok(None),
            _ => T::from_call(call).map(Some),
        }
    }
}

impl<T: FromTla, E: FromTla> FromTla for Result<T, E> {
    fn from_tla(value: &Value) -> Result<Self, Mismatch> {
        let record = Record::new(value)?;
        match record.tag("tag")? {
            "Ok" => record.field("value").map(Ok),
            "Err" => record.field("value").map(Err),
            other => Err(Mismatch::no_variant(other, &["Ok", "Err"])),
        }
    }
}

macro_rules! pointers {
    ($($pointer:ident),*) => {$(
        impl<T: FromTla> FromTla for $pointer<T> {
            fn from_tla(value: &Value) -> Result<Self, Mismatch> {
                T::from_tla(value).map(Self::new)
            }

            fn from_call(call: &mut NamedCall<'_>) -> Result<Self, Mismatch> {
                T::from_call(call).map(Self::new)
            }
        }
    )*};
}

pointers!(Box, Rc, Arc);

impl FromTla for () {
    fn from_tla(value: &Value) -> Result<Self, Mismatch> {
        elements(value, 0).map(drop)
    }

    fn from_call(_: &mut NamedCall<'_>) -> Result<Self, Mismatch> {
        Ok(())
    }
}

macro_rules! tuples {
    ($($($name:ident)+;)*) => {$(
        impl<$($name: FromTla),+> FromTla for ($($name,)+) {
            fn from_tla(value: &Value) -> Result<Self, Mismatch> {
                const LENGTH: usize = [$(stringify!($name)),+].len();
                let mut elements = elements(value, LENGTH)?.iter();
                let mut next = || elements.next().ok_or_else(|| Mismatch::expected("one more element", value));
                Ok(($($name::from_tla(next()?)?,)+))
            }
        }
    )*};
}

tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error<T: FromTla + fmt::Debug>(value: &Value) -> String {
        T::from_tla(value).expect_err("it does not fit").to_string()
    }

    #[test]
    fn values_are_read_by_their_form() {
        let (one, two) = (Value::Int(1), Value::Int(2));
        let pair = Value::Tuple(vec![one.clone(), two.clone()]);
        assert_eq!(u8::from_tla(&two), Ok(2));
        assert_eq!(u64::from_tla(&Value::from("18446744073709551615")), Ok(u64::MAX));
        assert_eq!(Vec::<u8>::from_tla(&pair), Ok(vec![1, 2]));
        assert_eq!(<[i64; 2]>::from_tla(&pair), Ok([1, 2]));
        assert_eq!(<(u8, String)>::from_tla(&Value::Tuple(vec![one.clone(), "a".into()])), Ok((1, "a".to_owned())));
        assert_eq!(BTreeMap::<u8, u8>::from_tla(&pair), Ok([(1, 1), (2, 2)].into()));
        assert_eq!(BTreeMap::<u8, u8>::from_tla(&Value::Tuple(vec![])), Ok(BTreeMap::new()));
        assert_eq!(BTreeSet::<u8>::from_tla(&Value::set([two.clone(), one.clone()])), Ok([1, 2].into()));
        assert_eq!(Option::<u8>::from_tla(&Value::Tuple(vec![])), Ok(None));
        assert_eq!(Option::<u8>::from_tla(&Value::Tuple(vec![one])), Ok(Some(1)));
        let err = Value::record([("tag", "Err".into()), ("value", two)]).unwrap();
        assert_eq!(Result::<String, u8>::from_tla(&err), Ok(Err(2)));
        assert_eq!(<()>::from_tla(&Value::Tuple(vec![])), Ok(()));
        assert_eq!(char::from_tla(&"é".into()), Ok('é'));
    }

    #[test]
    fn what_does_not_fit_is_told_with_its_place() {
        assert_eq!(error::<u8>(&Value::Int(300)), "expected an integer from 0 to 255, found 300");
        assert_eq!(
            error::<i64>(&"x".into()),
            "expected an integer from -9223372036854775808 to 9223372036854775807, found \"x\""
        );
        assert_eq!(error::<bool>(&Value::Int(1)), "expected TRUE or FALSE, found 1");
        assert_eq!(error::<(u8, u8)>(&Value::Tuple(vec![])), "expected a tuple of 2, found <<>>");
        let ok = Value::record([("tag", "Ok".into()), ("value", Value::Bool(true))]).unwrap();
        assert_eq!(error::<Result<u8, u8>>(&ok), "field `value`: expected an integer from 0 to 255, found TRUE");
    }

    #[test]
    fn a_call_is_taken_apart_by_name_or_by_place() {
        let (three, four) = (Value::Int(3), Value::Int(4));
        let call = || NamedCall::new("Swap", [("old", Some(&three)), ("new", Some(&four)), ("was", None)]);
        let mut named = call();
        assert_eq!(named.take::<u8>("new"), Ok(4));
        assert_eq!(named.take_next::<u8>(), Ok(3));
        assert_eq!(named.left().collect::<Vec<_>>(), ["was"]);
        assert!(Option::<u8>::from_call(&mut named).unwrap_err().is_unknown());
        assert_eq!(Option::<u8>::from_call(&mut named), Ok(None));
        let problem = call().take::<u8>("key").unwrap_err().to_string();
        assert_eq!(problem, "there is no parameter `key`; recorded are `old`, `new`, `was`");
        let problem = u8::from_call(&mut call()).unwrap_err().to_string();
        assert!(problem.starts_with("a single value was expected, and `old`, `new`, `was` are left"), "{problem}");
    }
}
