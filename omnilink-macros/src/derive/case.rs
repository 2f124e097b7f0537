//! Ways to spell a name.

use syn::LitStr;

/// What `rename_all` asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Case {
    /// As it is in Rust.
    #[default]
    Rust,
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
}

const CASES: [(&str, Case); 6] = [
    ("lowercase", Case::Lower),
    ("UPPERCASE", Case::Upper),
    ("PascalCase", Case::Pascal),
    ("camelCase", Case::Camel),
    ("snake_case", Case::Snake),
    ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
];

impl Case {
    /// The case called `text`, by an example of itself.
    pub fn parse(text: &LitStr) -> syn::Result<Self> {
        let value = text.value();
        CASES.iter().find(|(name, _)| *name == value).map(|(_, case)| *case).ok_or_else(|| {
            let names: Vec<_> = CASES.iter().map(|(name, _)| format!("\"{name}\"")).collect();
            syn::Error::new(text.span(), format!("`rename_all` can be {}", names.join(", ")))
        })
    }

    /// `name`, a field in `snake_case` or a variant in `PascalCase`, spelt this way.
    pub fn apply(self, name: &str) -> String {
        let words = words(name);
        match self {
            Self::Rust => name.to_owned(),
            Self::Lower => words.concat(),
            Self::Upper => words.concat().to_uppercase(),
            Self::Pascal => words.iter().map(|word| capitalized(word)).collect(),
            Self::Camel => words
                .iter()
                .enumerate()
                .map(|(i, word)| if i == 0 { word.clone() } else { capitalized(word) })
                .collect(),
            Self::Snake => words.join("_"),
            Self::ScreamingSnake => words.join("_").to_uppercase(),
        }
    }
}

/// The words of a name, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut starts_word = true;
    for c in name.chars() {
        if c == '_' {
            starts_word = true;
            continue;
        }
        if starts_word || c.is_uppercase() {
            words.push(String::new());
        }
        starts_word = false;
        words.last_mut().expect("the first letter starts a word").extend(c.to_lowercase());
    }
    words
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_variants_in_every_case() {
        for name in ["last_seen_at", "LastSeenAt"] {
            assert_eq!(Case::Rust.apply(name), name);
            assert_eq!(Case::Lower.apply(name), "lastseenat");
            assert_eq!(Case::Upper.apply(name), "LASTSEENAT");
            assert_eq!(Case::Pascal.apply(name), "LastSeenAt");
            assert_eq!(Case::Camel.apply(name), "lastSeenAt");
            assert_eq!(Case::Snake.apply(name), "last_seen_at");
            assert_eq!(Case::ScreamingSnake.apply(name), "LAST_SEEN_AT");
        }
    }
}
