//! Templates as Java's `String.format` has them: what of it is about strings.

use crate::value::ValueError;

/// The template with `%s` and `%1$s` replaced by texts, `%n` by a line's end and `%%` by a percent sign.
pub(super) fn filled(template: &str, texts: &[String], doing: &'static str) -> Result<String, ValueError> {
    let wrong = |part: &str| {
        let message = format!("cannot {doing}: `%{part}` in the template {template:?} is none of %s, %1$s, %n and %%");
        ValueError::rule(message)
    };
    let mut filled = String::new();
    let mut next = 0;
    let mut parts = template.split('%');
    filled.push_str(parts.next().unwrap_or_default());
    while let Some(part) = parts.next() {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (place, rest) = match part[digits..].strip_prefix('$') {
            Some(rest) if digits > 0 => (part[..digits].parse::<usize>().ok(), rest),
            _ => (None, part),
        };
        if place.is_none() && part.is_empty() {
            filled.push('%');
            filled.push_str(parts.next().ok_or_else(|| wrong(""))?);
        } else if let Some(rest) = rest.strip_prefix('s') {
            let index = place.unwrap_or(next + 1);
            next += usize::from(place.is_none());
            let text = index.checked_sub(1).and_then(|index| texts.get(index)).ok_or_else(|| {
                let message = format!("cannot {doing}: the template {template:?} asks for a value number {index}");
                ValueError::rule(message)
            })?;
            filled.push_str(text);
            filled.push_str(rest);
        } else if let (None, Some(rest)) = (place, rest.strip_prefix('n')) {
            filled.push('\n');
            filled.push_str(rest);
        } else {
            return Err(wrong(part));
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled_as_java_does() {
        let texts = ["a".to_owned(), "b%s".to_owned()];
        let cases = [
            ("", Some("")),
            ("x", Some("x")),
            ("%s#%s", Some("a#b%s")),
            ("%2$s-%1$s-%2$s", Some("b%s-a-b%s")),
            ("%2$s-%s-%s.", Some("b%s-a-b%s.")),
            ("100%%-%s%n", Some("100%-a\n")),
            ("%%%s", Some("%a")),
            ("%s%%", Some("a%")),
            ("%", None),
            ("%d", None),
            ("%3$s", None),
            ("%0$s", None),
            ("%s%s%s", None),
            ("%1$", None),
            ("%5s", None),
        ];
        for (template, expected) in cases {
            assert_eq!(filled(template, &texts, "test").ok().as_deref(), expected, "{template}");
        }
    }
}
