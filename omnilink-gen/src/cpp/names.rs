//! C++ identifiers for names of a specification.
//!
//! A name is unchanged if C++ allows it: both languages use letters, digits and underscores. Other names are replaced by
//! a similar name that is not a keyword, not a macro of the system's headers, not reserved for the compiler, and
//! different from the other names of its scope.

use std::collections::HashSet;

/// The keywords of C++17 and C++20, alternative tokens, and identifiers with a meaning in some places.
const KEYWORDS: &str = "\
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class \
    co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype \
    default delete do double dynamic_cast else enum explicit export extern false final float for friend goto if \
    import inline int long module mutable namespace new noexcept not not_eq nullptr operator or or_eq override \
    private protected public register reinterpret_cast requires return short signed sizeof static static_assert \
    static_cast struct switch template this thread_local throw true try typedef typeid typename typeof union \
    unsigned using virtual void volatile wchar_t while xor xor_eq";

/// Names of macros; the lines that begin with `#` say which.
const MACROS: &str = include_str!("macros.txt");

/// A scope of distinct names.
#[derive(Debug)]
pub struct Scope {
    taken: HashSet<String>,
}

impl Scope {
    /// A scope in which some names are taken.
    pub fn new(taken: &[&str]) -> Self {
        let words = MACROS.lines().filter(|line| !line.starts_with('#')).chain([KEYWORDS]);
        let words = words.flat_map(str::split_whitespace).chain(taken.iter().copied());
        Self { taken: words.map(str::to_owned).collect() }
    }

    /// A unique identifier for `name`; derived from `otherwise` if no character of the name is usable.
    pub fn take(&mut self, name: &str, otherwise: &str) -> String {
        let mut plain = similar(name);
        if plain.is_empty() {
            otherwise.clone_into(&mut plain);
        }
        // Two underscores in a row are reserved for the compiler.
        let stem = plain.trim_end_matches('_');
        let others = std::iter::once(format!("{stem}_")).chain((2_usize..).map(|number| format!("{stem}_{number}")));
        let identifier = std::iter::once(plain.clone()).chain(others).find(|candidate| !self.taken.contains(candidate));
        let identifier = identifier.expect("there are more numbers than names");
        self.taken.insert(identifier.clone());
        identifier
    }
}

/// A name of ASCII letters, digits and single underscores that begins with a letter; empty if there is nothing but
/// underscores in it. What separates words becomes an underscore, and other characters are spelt by their number:
/// numbering the names instead would give them to other strings when the specification changes.
fn similar(name: &str) -> String {
    let mut similar = String::new();
    for c in name.chars() {
        match c {
            'a'..='z' | 'A'..='Z' => similar.push(c),
            '0'..='9' if similar.is_empty() => similar.extend(['n', c]),
            '0'..='9' => similar.push(c),
            // Leading underscores are reserved in some places, and so are two in a row everywhere.
            '_' if similar.is_empty() => {}
            '_' | '!' | ' ' | '-' | '.' | ':' | '/' if !similar.is_empty() => {
                if !similar.ends_with('_') {
                    similar.push('_');
                }
            }
            _ => similar.push_str(&format!("u{:x}", u32::from(c))),
        }
    }
    // Prefixes of system interfaces, which are too many to list.
    if similar.starts_with("SYS_") || similar.starts_with("OMNILINK_") {
        similar.insert_str(0, "n_");
    }
    similar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers() {
        let cases = [
            ("Enqueue", "Enqueue"),
            ("snake_case", "snake_case"),
            ("class", "class_"),
            ("xor", "xor_"),
            ("co_await", "co_await_"),
            ("errno", "errno_"),
            ("EOF", "EOF_"),
            ("NULL", "NULL_"),
            ("major", "major_"),
            ("linux", "linux_"),
            ("std", "std_"),
            ("SYS_read", "n_SYS_read"),
            ("_Private", "Private"),
            ("__x__y__", "x_y_"),
            ("1a", "n1a"),
            ("I!Op", "I_Op"),
            ("I!J!Op", "I_J_Op"),
            ("größe", "gruf6udfe"),
            ("λ", "u3bb"),
            ("a b-c", "a_b_c"),
            ("\u{202e}", "u202e"),
            ("1", "n1"),
            ("-1", "u2d1"),
            ("+", "u2b"),
            ("*/", "u2a_"),
            ("", "value"),
            ("__", "value_"),
        ];
        let mut scope = Scope::new(&["std"]);
        for (name, expected) in cases {
            assert_eq!(scope.take(name, "value"), expected, "{name}");
        }
    }

    #[test]
    fn names_of_a_scope_differ() {
        let mut scope = Scope::new(&[]);
        let taken = ["x", "X", "_x", "__x", "x_2", "x!", "x-", "new", "_new", "new_", "new_2"];
        let taken = taken.map(|name| scope.take(name, "value"));
        assert_eq!(taken, ["x", "X", "x_", "x_2", "x_2_", "x_3", "x_4", "new_", "new_2", "new_3", "new_2_"]);
        assert!(taken.iter().all(|name| !name.contains("__")));
    }
}
