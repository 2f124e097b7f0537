//! Identifiers of Rust from names and strings of a specification, which may be keywords, have characters that Rust does
//! not know, or differ in case alone.
//!
//! An identifier contains only ASCII letters, digits and `_`.

use std::collections::HashSet;

/// Words that cannot be identifiers in some edition.
const KEYWORDS: &[&str] = &[
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super",
    "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Types, traits and variants that generated or users' files use. The latter import all generated names, which then
/// hide the prelude's.
const TYPES: &[&str] = &[
    "Action",
    "AsMut",
    "AsRef",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "Attempt",
    "BTreeMap",
    "BTreeSet",
    "Box",
    "Cleanup",
    "Clone",
    "Context",
    "Copy",
    "Debug",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Encoder",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "ExitCode",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Fuzz",
    "Fuzzer",
    "Hash",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "Name",
    "None",
    "Ok",
    "Op",
    "Option",
    "Options",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "Start",
    "State",
    "String",
    "Sync",
    "System",
    "ToOwned",
    "ToString",
    "ToTla",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Unsupported",
    "Value",
    "Vec",
];

/// Methods of the trait that are no actions.
const METHODS: &[&str] = &["configure", "state", "system"];

/// Names of parameters of stubs, which share their scope with fields.
const LOCALS: &[&str] = &["cx"];

/// A scope of distinct identifiers.
#[derive(Debug)]
pub(super) struct Scope {
    used: HashSet<String>,
}

impl Scope {
    /// The scope of types, with the predefined ones.
    pub fn types() -> Self {
        Self::without(&[KEYWORDS, TYPES])
    }

    /// The scope of methods of the trait, with the predefined ones.
    pub fn methods() -> Self {
        Self::without(&[KEYWORDS, METHODS])
    }

    /// A scope of fields or variants.
    pub fn members() -> Self {
        Self::without(&[KEYWORDS, LOCALS])
    }

    fn without(reserved: &[&[&str]]) -> Self {
        Self { used: reserved.iter().flat_map(|names| names.iter().map(ToString::to_string)).collect() }
    }

    /// The requested identifier; if it is taken, with this suffix, otherwise with a number.
    pub fn take(&mut self, wanted: String, otherwise: &str) -> String {
        let numbered = (2..).map(|number: u64| format!("{wanted}{otherwise}{number}"));
        let mut candidates = [wanted.clone(), format!("{wanted}{otherwise}")].into_iter().chain(numbered);
        let free = candidates.find(|candidate| !self.used.contains(candidate)).unwrap_or(wanted);
        self.used.insert(free.clone());
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::{camel, snake};

    #[test]
    fn what_is_taken_is_not_taken_again() {
        let mut types = Scope::types();
        assert_eq!(types.take(camel("foo"), "Action"), "Foo");
        assert_eq!(types.take(camel("Foo"), "Action"), "FooAction");
        assert_eq!(types.take(camel("_foo"), "Action"), "FooAction2");
        assert_eq!(types.take(camel("vec"), "Action"), "VecAction");
        let mut methods = Scope::methods();
        assert_eq!(methods.take(snake("Type"), "_"), "type_");
        assert_eq!(methods.take(snake("System"), "_"), "system_");
        assert_eq!(Scope::members().take(snake("cx"), "_"), "cx_");
    }
}
