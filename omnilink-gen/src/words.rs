//! Words of names and strings of a specification, put together as identifiers are.
//!
//! What comes out consists of ASCII letters, digits and what joins words, whatever the specification says, and begins
//! with a letter.

/// `UpperCamelCase`
pub(crate) fn camel(name: &str) -> String {
    let capitalised = |word: &String| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    };
    let joined: String = words(name).iter().map(capitalised).collect();
    if joined.starts_with(|c: char| c.is_ascii_digit()) { format!("N{joined}") } else { joined }
}

/// `snake_case`
pub(crate) fn snake(name: &str) -> String {
    let joined = words(name).iter().map(|word| snake_word(word)).collect::<Vec<_>>().join("_");
    if joined.starts_with(|c: char| c.is_ascii_digit()) { format!("n{joined}") } else { joined }
}

/// `kebab-case`
pub(crate) fn kebab(name: &str) -> String {
    snake(name).replace('_', "-")
}

/// `HTTPGet` is `http_get`.
fn snake_word(word: &str) -> String {
    let letters = word.as_bytes();
    let mut snake = String::with_capacity(word.len() + 2);
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| letters[before]);
        let follows_small = before.is_some_and(|before| !before.is_ascii_uppercase());
        let begins_word = before.is_some() && letters.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        if letter.is_ascii_uppercase() && (follows_small || begins_word) {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase().into());
    }
    snake
}

/// The words of a name: never none, never an empty one. Characters that separate nothing are spelt by their number.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in name.chars() {
        match (c, words.last_mut()) {
            ('a'..='z' | 'A'..='Z' | '0'..='9', Some(word)) => word.push(c),
            ('_' | '!' | ' ' | '-' | '.' | ':' | '/', _) => words.push(String::new()),
            _ => words.extend([format!("u{:x}", u32::from(c)), String::new()]),
        }
    }
    words.retain(|word| !word.is_empty());
    if words.is_empty() { vec!["nameless".to_owned()] } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers() {
        for (name, type_name, value_name) in [
            ("Enqueue", "Enqueue", "enqueue"),
            ("DequeueEmpty", "DequeueEmpty", "dequeue_empty"),
            ("I!Enqueue", "IEnqueue", "i_enqueue"),
            ("HTTPGet", "HTTPGet", "http_get"),
            ("try_pop2", "TryPop2", "try_pop2"),
            ("newVal", "NewVal", "new_val"),
            ("_x", "X", "x"),
            ("__", "Nameless", "nameless"),
            ("1st", "N1st", "n1st"),
            ("<=", "U3cU3d", "u3c_u3d"),
            ("größe", "GrUf6UdfE", "gr_uf6_udf_e"),
            ("", "Nameless", "nameless"),
            ("\"); evil(\"", "U22U29U3bEvilU28U22", "u22_u29_u3b_evil_u28_u22"),
        ] {
            assert_eq!((camel(name).as_str(), snake(name).as_str()), (type_name, value_name), "{name}");
        }
    }
}
