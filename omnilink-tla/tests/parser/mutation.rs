//! Damaged modules: whatever is done to a text, the parser keeps its promises.

use std::sync::LazyLock;

use proptest::prelude::*;

use crate::corpus::modules;
use crate::edits::{Edit, PIECES};
use crate::promises::check;

static MODULES: LazyLock<Vec<String>> = LazyLock::new(|| modules().into_iter().map(|(_, text)| text).collect());

fn edit() -> impl Strategy<Value = Edit> {
    let place = any::<u16>().prop_map(usize::from);
    prop_oneof![
        (place.clone(), 1..20_usize).prop_map(|(at, length)| Edit::Remove { at, length }),
        (place.clone(), place.clone()).prop_map(|(at, piece)| Edit::Insert { at, piece }),
        (place.clone(), place.clone()).prop_map(|(one, other)| Edit::SwapLines(one, other)),
        (place.clone(), place.clone(), place.clone(), 1..200_usize).prop_map(|(at, text, from, length)| Edit::Splice {
            at,
            text,
            from,
            length
        }),
        place.prop_map(Edit::Cut),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_modules_are_answered(module in any::<usize>(), edits in prop::collection::vec(edit(), 1..6)) {
        let mut text: Vec<char> = MODULES[module % MODULES.len()].chars().collect();
        edits.iter().for_each(|edit| edit.apply(&mut text, &MODULES));
        check(&text.into_iter().collect::<String>());
    }

    #[test]
    fn pieces_in_any_order_are_answered(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        check(&format!("---- MODULE M ----\nA == {}\n====\n", pieces.concat()));
    }

    #[test]
    fn arbitrary_text_is_answered(text in any::<String>()) {
        check(&text);
        check(&format!("---- MODULE M ----\n{text}"));
    }
}
