//! HTML without injection: literals of this program are used unchanged, all other text is escaped.

use std::fmt::{Display, Write};

/// A piece of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Html(String);

/// Attributes: names are literals of this program, values are escaped text.
pub type Attribute<'a> = (&'static str, &'a str);

/// An element with content.
pub fn element(name: &'static str, attributes: &[Attribute<'_>], inside: impl Into<Html>) -> Html {
    let mut html = Html::default();
    html.open(name, attributes);
    html.0.push_str(&inside.into().0);
    let _ = write!(html.0, "</{name}>");
    html
}

/// An element of a class.
pub fn classed(name: &'static str, class: &str, inside: impl Into<Html>) -> Html {
    element(name, &[("class", class)], inside)
}

/// An element without attributes.
pub fn plain(name: &'static str, inside: impl Into<Html>) -> Html {
    element(name, &[], inside)
}

/// A link to a file beside the page.
pub fn link(to: &str, inside: impl Into<Html>) -> Html {
    element("a", &[("href", to)], inside)
}

/// Text.
pub fn text(text: impl Display) -> Html {
    Html::from(text.to_string())
}

/// The concatenation of pieces.
pub fn all<const N: usize>(pieces: [Html; N]) -> Html {
    pieces.into_iter().collect()
}

impl Html {
    /// Markup that is written in this program.
    pub fn literal(markup: &'static str) -> Self {
        Self(markup.to_owned())
    }

    /// A whole document.
    pub fn document(head: &Self, body: &Self) -> String {
        let (head, body) = (&head.0, &body.0);
        format!("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n{head}</head>\n<body>\n{body}</body>\n</html>\n")
    }

    /// Nothing.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn open(&mut self, name: &'static str, attributes: &[Attribute<'_>]) {
        let _ = write!(self.0, "<{name}");
        for (attribute, value) in attributes {
            let _ = write!(self.0, " {attribute}=\"");
            self.escape(value);
            self.0.push('"');
        }
        self.0.push('>');
    }

    fn escape(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(c),
                c if c.is_control() => self.0.push('\u{fffd}'),
                c => self.0.push(c),
            }
        }
    }
}

impl From<&str> for Html {
    fn from(text: &str) -> Self {
        let mut html = Self::default();
        html.escape(text);
        html
    }
}

impl From<String> for Html {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<&String> for Html {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

impl FromIterator<Html> for Html {
    fn from_iter<I: IntoIterator<Item = Html>>(pieces: I) -> Self {
        Self(pieces.into_iter().map(|piece| piece.0).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        let cases = [
            ("a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"),
            ("<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"),
            ("\" onload=\"", "&quot; onload=&quot;"),
            ("\x1b[31m\0", "\u{fffd}[31m\u{fffd}"),
            ("two\nlines", "two\nlines"),
        ];
        for (given, expected) in cases {
            assert_eq!(text(given).0, expected);
            assert_eq!(element("a", &[("href", given)], "").0, format!("<a href=\"{expected}\"></a>"));
        }
    }

    #[test]
    fn elements_nest() {
        let html = plain("p", all([text("a "), classed("b", "c d", "e & f"), Html::literal("<br>")]));
        assert_eq!(html.0, "<p>a <b class=\"c d\">e &amp; f</b><br></p>");
    }
}
