//! Text of a specification inside C++: comments and string literals that it cannot end.

use crate::text::visible;

/// Lines of a comment, each beginning with `start`: `//` or `///` after some spaces.
///
/// A backslash at a line's end, which TLA+ has wherever a conjunction goes on, would make the next line part of the
/// comment. It is followed by the TLA+ for an empty comment.
pub fn comment(start: &str, text: &str) -> String {
    let mut comment = String::new();
    for line in text.lines() {
        let line = visible(line);
        let line = line.trim_end();
        let guard = if line.ends_with('\\') || line.ends_with("??/") { r" \*" } else { "" };
        let space = if line.is_empty() { "" } else { " " };
        comment.push_str(&format!("{start}{space}{line}{guard}\n"));
    }
    comment
}

/// A string literal.
pub fn literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            // Question marks in a row may be a trigraph.
            '"' | '\\' | '?' => literal.extend(['\\', c]),
            '\n' => literal.push_str("\\n"),
            ' '..='~' => literal.push(c),
            _ if c.is_alphanumeric() => literal.push(c),
            _ => {
                // Octal, since a hexadecimal escape goes on for as long as there are digits.
                let mut bytes = [0; 4];
                c.encode_utf8(&mut bytes).bytes().for_each(|byte| literal.push_str(&format!("\\{byte:03o}")));
            }
        }
    }
    literal.push('"');
    literal
}

/// A string literal as what a `std::string_view` is initialised from.
pub fn view(text: &str) -> String {
    if text.contains('\0') { format!("{{{}, {}}}", literal(text), text.len()) } else { literal(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_end_where_their_lines_end() {
        let cases = [
            ("x' = x + 1", "// x' = x + 1\n"),
            ("A /\\\nB", "// A /\\ \\*\n// B\n"),
            ("A /\\  \t", "// A /\\ \\*\n"),
            ("what??/", "// what??/ \\*\n"),
            ("*/ int x; /*", "// */ int x; /*\n"),
            ("a\u{202e}b\u{2028}c\u{0}", "// a<U+202E>b<U+2028>c<U+0000>\n"),
            ("a\rb\x0cc\x0b", "// a<U+000D>b<U+000C>c<U+000B>\n"),
            ("a\n\nb", "// a\n//\n// b\n"),
            ("∧ λ", "// ∧ λ\n"),
        ];
        for (text, expected) in cases {
            assert_eq!(comment("//", text), expected, "{text:?}");
        }
    }

    #[test]
    fn literals_hold_any_text() {
        let cases = [
            ("plain", r#""plain""#),
            ("a\"b\\c", r#""a\"b\\c""#),
            ("a\nb\tc", r#""a\nb\011c""#),
            ("??/", r#""\?\?/""#),
            ("größe", r#""größe""#),
            ("\u{202e}1", r#""\342\200\2561""#),
            ("∧", r#""\342\210\247""#),
        ];
        for (text, expected) in cases {
            assert_eq!(literal(text), expected, "{text:?}");
        }
        assert_eq!(view("a\0b"), r#"{"a\000b", 3}"#);
    }
}
