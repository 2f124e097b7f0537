//! Text of a specification inside of Rust: as a string, and as lines of comments.

/// A string literal of ASCII.
pub(super) fn string(text: &str) -> String {
    format!("\"{}\"", text.escape_default())
}

/// One line of a comment. Characters that control, reorder or hide others are spelt by their number: the compiler
/// refuses some of them, and people do not see the rest.
pub(super) fn comment(line: &str) -> String {
    let shown = |c: char| -> String {
        let is_plain = c == ' ' || c.is_alphanumeric() || c.is_ascii_graphic() || is_symbol(c);
        if is_plain {
            c.into()
        } else if c == '\t' {
            "    ".into()
        } else {
            c.escape_unicode().to_string()
        }
    };
    line.chars().map(shown).collect()
}

/// Mathematical symbols, arrows and box drawing, which specifications use.
fn is_symbol(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{22ff}' | '\u{2500}'..='\u{257f}' | '\u{27e8}' | '\u{27e9}' | '\u{2010}'..='\u{2027}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out() {
        assert_eq!(string("a\"b\\c\nd\u{202e}é"), r#""a\"b\\c\nd\u{202e}\u{e9}""#);
        assert_eq!(comment("x\t*/ // é ≤ \u{202e}\r\u{0}"), "x    */ // é ≤ \\u{202e}\\u{d}\\u{0}");
    }
}
