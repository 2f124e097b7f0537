//! Text of a specification as a string of Rust.

/// A string literal of ASCII.
pub(super) fn string(text: &str) -> String {
    format!("\"{}\"", text.escape_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out() {
        assert_eq!(string("a\"b\\c\nd\u{202e}é"), r#""a\"b\\c\nd\u{202e}\u{e9}""#);
    }
}
