//! What the parser promises about any text.

use omnilink_tla::internal::syntax::parse_module;
use omnilink_tla::source::{Sources, Span};

/// A tree as text without the places, which are all that two readings of the same thing may differ in.
pub fn without_spans(tree: &impl std::fmt::Debug) -> String {
    let text = format!("{tree:?}");
    let mut parts = text.split("span: Span {");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |kept, part| kept + part.split_once('}').expect("a place is closed").1)
}

/// Reads a text as a module. A tree's places lie in the text, and it is printed as text of the same tree; an error has
/// a place in the text and can be shown.
pub fn check(text: &str) {
    let mut sources = Sources::default();
    let file = sources.add("Test.tla", text);
    let inside = |start: usize, end: usize| assert!(text.get(start..end).is_some(), "{start}..{end} of {}", text.len());
    match parse_module(&sources, file) {
        Ok(tree) => {
            places(&format!("{tree:?}")).into_iter().for_each(|(start, end)| inside(start, end));
            let printed = tree.to_string();
            let file = sources.add("Printed.tla", printed.as_str());
            let again =
                parse_module(&sources, file).unwrap_or_else(|error| panic!("{}\n{printed}", error.render(&sources)));
            assert_eq!(without_spans(&tree), without_spans(&again), "{printed}");
        }
        Err(error) => {
            let Span { start, end, .. } = error.span.expect("the parser's errors have a place");
            inside(start as usize, end as usize);
            assert!(!error.render(&sources).is_empty());
        }
    }
}

/// Every place in the debugging text of a tree.
fn places(tree: &str) -> Vec<(usize, usize)> {
    let number = |place: &str, name: &str| {
        let digits = place.split(name).nth(1).and_then(|rest| rest.split([',', ' ', '}']).next());
        digits.and_then(|digits| digits.parse().ok()).expect("a place has a start and an end")
    };
    let places = tree.split("Span {").skip(1);
    places.map(|place| (number(place, "start: "), number(place, "end: "))).collect()
}
