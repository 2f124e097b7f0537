//! Text of a specification inside C++: comments and string literals that nothing can break out of.

/// How wide lines should be at most.
const WIDTH: usize = 120;

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

/// Words in lines that fit behind `start` in a comment; all lines but the first are indented.
pub fn filled(start: &str, text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let len = lines.last().map_or(0, |line| line.chars().count());
        if len > 2 && start.len() + 1 + len + 1 + word.chars().count() > WIDTH {
            lines.push(format!("  {word}"));
        } else if let Some(line) = lines.last_mut() {
            line.push_str(if len > 0 { " " } else { "" });
            line.push_str(word);
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The text with everything replaced that does not show, or changes how its surroundings are shown.
fn visible(text: &str) -> String {
    text.chars().fold(String::new(), |mut visible, c| {
        match c {
            '\t' => visible.push_str("    "),
            _ if is_invisible(c) => visible.push_str(&format!("<U+{:04X}>", u32::from(c))),
            _ => visible.push(c),
        }
        visible
    })
}

/// Control characters, separators of lines, marks of direction.
fn is_invisible(c: char) -> bool {
    let is_mark = matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    c.is_control() || is_mark || matches!(c, '\u{2028}'..='\u{202e}')
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

/// A comma-separated list to stand between brackets: in the line where they are if it is short, else in lines of its
/// own after `indent`.
pub fn list(indent: &str, items: &[String]) -> String {
    let len: usize = items.iter().map(|item| item.chars().count() + 2).sum();
    if len <= WIDTH / 2 {
        return items.join(", ");
    }
    let mut lines = String::new();
    let mut column = WIDTH;
    for (index, item) in items.iter().enumerate() {
        let item = format!("{item}{}", if index + 1 < items.len() { "," } else { "" });
        let len = item.chars().count() + 1;
        if column + len > WIDTH {
            lines.push_str(&format!("\n{indent}{item}"));
            column = indent.len() + len;
        } else {
            lines.push_str(&format!(" {item}"));
            column += len;
        }
    }
    lines
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

    #[test]
    fn long_lists_have_lines_of_their_own() {
        let items = |number| (0..number).map(|item| format!("item{item}")).collect::<Vec<_>>();
        assert_eq!(list("    ", &items(3)), "item0, item1, item2");
        assert_eq!(list("    ", &[]), "");
        let long = list("    ", &items(40));
        let lines: Vec<_> = long.strip_prefix('\n').unwrap().lines().collect();
        assert!(lines.len() > 1 && lines.iter().all(|line| line.len() <= 120 && line.starts_with("    item")));
        assert_eq!(
            long.split([',', '\n']).map(str::trim).filter(|item| !item.is_empty()).collect::<Vec<_>>(),
            items(40)
        );
    }

    #[test]
    fn words_fill_lines() {
        let text = "word ".repeat(50);
        let lines = filled("    //", &text);
        assert!(lines.lines().count() == 3 && lines.lines().all(|line| line.len() + 7 <= 120), "{lines}");
        assert_eq!(lines.split_whitespace().count(), 50);
        assert!(lines.lines().skip(1).all(|line| line.starts_with("  word")));
        assert_eq!(filled("//", &"x".repeat(200)), "x".repeat(200) + "\n");
    }
}
