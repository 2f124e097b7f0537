//! Source text of parts of the specification.

use omnilink_tla::internal::ir;
use omnilink_tla::source::{Sources, Span};
use omnilink_tla::spec::{Disjunct, Quantifier};

use crate::model::Definition;

/// A definition from its name to its end.
pub(super) fn definition(sources: &Sources, definition: &ir::Definition) -> Definition {
    let (span, body) = (definition.span, definition.body.span);
    let whole = if span.file == body.file { span.to(body) } else { span };
    let (path, place) = sources.place(whole);
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let before = sources.file(whole.file).line(place.line).chars().take(place.column as usize - 1);
    let indentation = before.take_while(|c| c.is_whitespace()).count();
    Definition { text: without_indentation(sources.text(whole), indentation), place: format!("{file}:{}", place.line) }
}

/// Removes the indentation of the first line from the other lines.
fn without_indentation(text: &str, indentation: usize) -> String {
    let mut lines = text.lines().map(str::trim_end).enumerate().map(|(number, line)| {
        let spaces = line.chars().take_while(|c| c.is_whitespace()).take(indentation).map(char::len_utf8).sum();
        if number == 0 { line } else { &line[spaces..] }
    });
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |text, line| text + "\n" + line)
}

/// A disjunct of `Next`, as text: `\E x \in S : x > 0 /\ A(x)`.
pub(super) fn disjunct(sources: &Sources, disjunct: &Disjunct) -> String {
    let head = |quantifier: &Quantifier| {
        let end = quantifier.bounds.last().map_or(quantifier.span.end, |bound| bound.end);
        sources.one_line(Span { end, ..quantifier.span })
    };
    let quantifiers = disjunct.quantifiers.iter().map(|quantifier| head(quantifier) + " : ");
    let guards = disjunct.guards.iter().map(|guard| {
        let condition = sources.one_line(guard.span);
        if guard.holds { condition + " /\\ " } else { format!("~({condition}) /\\ ") }
    });
    quantifiers.chain(guards).collect::<String>() + &sources.one_line(disjunct.span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indentation_of_the_first_line_is_removed_from_all() {
        for (text, indentation, expected) in [
            ("A ==\n    x", 0, "A ==\n    x"),
            ("A ==\n      x\n    y", 2, "A ==\n    x\n  y"),
            ("A ==\n x\r\n\n  y", 4, "A ==\nx\n\ny"),
        ] {
            assert_eq!(without_indentation(text, indentation), expected);
        }
    }
}
