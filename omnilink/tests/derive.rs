//! `#[derive(ToTla)]`: which TLA+ value a type becomes.

mod common;

use std::collections::BTreeSet;

use common::record;
use omnilink::ToTla;

/// `value` as the trace has it.
fn tla(value: impl ToTla) -> String {
    #[omnilink::action(Show(value))]
    fn show(value: impl ToTla) {
        drop(value);
    }
    let events = record(|| show(value));
    let shown = events[0].strip_prefix("Show(value = ").and_then(|rest| rest.strip_suffix(')'));
    shown.expect("one value").to_owned()
}

#[test]
fn structs_are_records_tuples_or_what_they_hold() {
    #[derive(ToTla)]
    struct Account<'a> {
        owner: &'a str,
        r#type: u8,
    }
    #[derive(ToTla)]
    struct Pair(u8, bool);
    #[derive(ToTla)]
    struct Key(u64);
    #[derive(ToTla)]
    struct Nested(Key);
    #[derive(ToTla)]
    struct Marker;
    #[derive(ToTla)]
    #[tla(rename = "none")]
    struct Renamed;
    #[derive(ToTla)]
    struct Empty {}
    #[derive(ToTla)]
    struct EmptyTuple();

    assert_eq!(tla(Account { owner: "ann", r#type: 3 }), r#"[owner |-> "ann", type |-> 3]"#);
    assert_eq!(tla(Pair(1, true)), "<<1, TRUE>>");
    assert_eq!(tla(Nested(Key(7))), "7");
    assert_eq!(tla(Marker), r#""Marker""#);
    assert_eq!(tla(Renamed), r#""none""#);
    assert_eq!(tla(Empty {}), "<<>>");
    assert_eq!(tla(EmptyTuple()), "<<>>");
}

#[test]
fn enums_without_data_are_strings() {
    #[derive(ToTla)]
    enum Mode {
        Read,
        #[tla(rename = "w")]
        Write,
        Odd {},
    }
    #[derive(ToTla)]
    #[tla(rename_all = "snake_case")]
    enum Snake {
        ReadOnly,
        #[tla(rename = "WO")]
        WriteOnly,
    }
    assert_eq!(tla([Mode::Read, Mode::Write, Mode::Odd {}]), r#"<<"Read", "w", "Odd">>"#);
    assert_eq!(tla([Snake::ReadOnly, Snake::WriteOnly]), r#"<<"read_only", "WO">>"#);
}

#[test]
fn enums_with_data_are_records_with_a_tag() {
    #[derive(ToTla)]
    enum Shape {
        Nothing,
        Point(u8),
        Segment(u8, u8),
        Circle { center: u8, radius: u8 },
    }
    #[derive(ToTla)]
    #[tla(tag = "type", rename_all = "lowercase")]
    enum Message {
        Get(u8),
        Tagged { tag: u8 },
    }
    assert_eq!(tla(Shape::Nothing), r#"[tag |-> "Nothing"]"#);
    assert_eq!(tla(Shape::Point(1)), r#"[tag |-> "Point", value |-> 1]"#);
    assert_eq!(tla(Shape::Segment(1, 2)), r#"[tag |-> "Segment", value |-> <<1, 2>>]"#);
    assert_eq!(tla(Shape::Circle { center: 1, radius: 2 }), r#"[center |-> 1, radius |-> 2, tag |-> "Circle"]"#);
    assert_eq!(tla(Message::Get(1)), r#"[type |-> "get", value |-> 1]"#);
    assert_eq!(tla(Message::Tagged { tag: 1 }), r#"[tag |-> 1, type |-> "tagged"]"#);
}

#[test]
fn fields_are_renamed_and_skipped() {
    struct Unrecordable;
    #[derive(ToTla)]
    #[tla(rename_all = "camelCase")]
    struct Entry {
        last_seen: u8,
        #[tla(rename = "k")]
        key: u8,
        #[tla(skip)]
        _handle: Unrecordable,
    }
    #[derive(ToTla)]
    struct Tuple(u8, #[tla(skip)] Unrecordable);
    #[derive(ToTla)]
    enum Variants {
        One(#[tla(skip)] Unrecordable),
        Two(u8, #[tla(skip)] Unrecordable),
        Named {
            #[tla(skip)]
            _handle: Unrecordable,
            #[tla(rename = "n")]
            number: u8,
        },
    }
    assert_eq!(tla(Entry { last_seen: 1, key: 2, _handle: Unrecordable }), "[k |-> 2, lastSeen |-> 1]");
    assert_eq!(tla(Tuple(1, Unrecordable)), "<<1>>");
    assert_eq!(tla(Variants::One(Unrecordable)), r#"[tag |-> "One"]"#);
    assert_eq!(tla(Variants::Two(1, Unrecordable)), r#"[tag |-> "Two", value |-> <<1>>]"#);
    assert_eq!(tla(Variants::Named { _handle: Unrecordable, number: 1 }), r#"[n |-> 1, tag |-> "Named"]"#);
}

#[test]
fn generic_and_recursive_types() {
    #[derive(ToTla)]
    struct Grid<'a, T, const N: usize>
    where
        T: Ord,
    {
        cells: [T; N],
        seen: &'a BTreeSet<T>,
    }
    #[derive(ToTla)]
    enum List<T> {
        End,
        Cons(T, Box<List<T>>),
    }
    let seen = BTreeSet::from([2, 1]);
    assert_eq!(tla(Grid { cells: [3, 4], seen: &seen }), "[cells |-> <<3, 4>>, seen |-> {1, 2}]");
    assert_eq!(tla(List::Cons(1, Box::new(List::End))), r#"[tag |-> "Cons", value |-> <<1, [tag |-> "End"]>>]"#);
}

#[test]
fn an_empty_enum_has_no_values_to_record() {
    #[derive(ToTla)]
    enum Never {}
    assert_eq!(tla(None::<Never>), "<<>>");
}
