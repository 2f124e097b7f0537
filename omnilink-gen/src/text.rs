//! Text of a specification inside generated code of any language: what of it is shown, and in lines of which width.

/// How wide lines should be at most.
pub(crate) const WIDTH: usize = 120;

/// One line for a comment. Characters that control, reorder or hide others are spelt by their number: compilers refuse
/// some of them, and people do not see the rest.
pub(crate) fn visible(line: &str) -> String {
    line.chars().fold(String::new(), |mut visible, c| {
        match c {
            '\t' => visible.push_str("    "),
            _ if c == ' ' || c.is_alphanumeric() || c.is_ascii_graphic() || is_symbol(c) => visible.push(c),
            _ => visible.push_str(&format!("<U+{:04X}>", u32::from(c))),
        }
        visible
    })
}

/// Punctuation, mathematical symbols, arrows and box drawing, which specifications use.
fn is_symbol(c: char) -> bool {
    let is_latin = matches!(c, '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{bf}' | '×' | '÷');
    let is_mathematical = matches!(c, '\u{2190}'..='\u{22ff}' | '\u{27e8}' | '\u{27e9}' | '\u{2a00}'..='\u{2aff}');
    is_latin || is_mathematical || matches!(c, '\u{2010}'..='\u{2027}' | '\u{2500}'..='\u{257f}')
}

/// Words in lines that fit behind `start` in a comment. They begin where `text` does, all but the first two columns
/// further right.
pub(crate) fn filled(start: &str, text: &str) -> String {
    let indent = " ".repeat(text.chars().take_while(|c| *c == ' ').count());
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a first line");
        if line.is_empty() {
            line.push_str(&format!("{indent}{word}"));
        } else if start.len() + 1 + line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(format!("{indent}  {word}"));
        } else {
            line.push_str(&format!(" {word}"));
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A comma-separated list to stand between brackets: in the line where they are if it is short, else in lines of its
/// own after `indent`.
pub(crate) fn list(indent: &str, items: &[String]) -> String {
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
    fn what_cannot_be_seen_is_spelt() {
        for (line, shown) in [
            ("x\t*/ // é ≤ ¬ ×", "x    */ // é ≤ ¬ ×"),
            ("\u{202e}\r\u{0}\u{2028}\u{ad}", "<U+202E><U+000D><U+0000><U+2028><U+00AD>"),
        ] {
            assert_eq!(visible(line), shown);
        }
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
        assert!(filled("//", &format!("    {text}")).lines().skip(1).all(|line| line.starts_with("      word")));
    }
}
