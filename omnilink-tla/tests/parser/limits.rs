//! Whatever is nested however deep gives a tree or an error, in the little stack that a test's thread has, and in time
//! that grows with the text.

use omnilink_tla::internal::syntax::{MAX_DEPTH, parse_expression};
use omnilink_tla::source::Sources;

use crate::corpus::parse;
use crate::promises::without_spans;

fn expression(text: &str) -> Result<String, String> {
    let mut sources = Sources::default();
    let file = sources.add("expression", text);
    parse_expression(&sources, file).map(|expr| expr.to_string()).map_err(|error| error.message)
}

/// What can be nested: the text before, the innermost text, the text after.
const NESTINGS: &[(&str, &str, &str)] = &[
    ("(", "1", ")"),
    ("{", "1", "}"),
    ("<<", "1", ">>"),
    ("F(", "1", ")"),
    ("f[", "1", "]"),
    ("[x \\in ", "S", " |-> 1]"),
    ("[x \\in S |-> ", "1", "]"),
    ("[a |-> ", "1", "]"),
    ("[a : ", "S", "]"),
    ("[S -> ", "T", "]"),
    ("[", "S", " -> T]"),
    ("[", "f", " EXCEPT ![1] = 2]"),
    ("[f EXCEPT ![1] = ", "2", "]"),
    ("[f EXCEPT ![", "1", "] = 2]"),
    ("{x \\in ", "S", " : TRUE}"),
    ("{x \\in S : ", "TRUE", "}"),
    ("{", "x", " : x \\in S}"),
    ("[", "A", "]_v"),
    ("<<", "A", ">>_v"),
    ("[A]_(", "v", ")"),
    ("WF_v(", "A", ")"),
    ("\\A x \\in S : ", "TRUE", ""),
    ("\\E x \\in ", "S", " : TRUE"),
    ("CHOOSE x : ", "TRUE", ""),
    ("IF ", "a", " THEN b ELSE c"),
    ("IF a THEN b ELSE ", "c", ""),
    ("CASE a -> ", "b", ""),
    ("CASE a -> b [] OTHER -> ", "c", ""),
    ("LET x == ", "1", " IN x"),
    ("LET x == 1 IN ", "x", ""),
    ("F(LAMBDA x : ", "x", ")"),
    ("/\\ ", "a", ""),
    ("\\/ /\\ ", "a", ""),
    ("~", "a", ""),
    ("- ", "a", ""),
    ("[]", "a", ""),
    ("UNION ", "a", ""),
    ("", "a", "'"),
    ("", "f", "[1]"),
    ("", "r", ".a"),
    ("", "1", " + 1"),
    ("", "a", " /\\ a"),
    ("a => (", "a", ")"),
    ("I(", "1", ")!x"),
    ("l :: ", "a", ""),
];

fn nest(&(before, inside, after): &(&str, &str, &str), times: usize) -> String {
    [&before.repeat(times), inside, &after.repeat(times)].concat()
}

#[test]
fn deep_nesting_is_an_error() {
    for nesting in NESTINGS {
        let too_deep = format!("this is nested more than {MAX_DEPTH} levels deep");
        for times in [MAX_DEPTH as usize + 1, 10_000] {
            assert_eq!(expression(&nest(nesting, times)), Err(too_deep.clone()), "{nesting:?} {times}");
        }
        let shallow = MAX_DEPTH as usize / 2 - 2;
        expression(&nest(nesting, shallow)).unwrap_or_else(|error| panic!("{nesting:?}: {error}"));
    }
}

#[test]
fn deep_nesting_without_an_end_is_an_error() {
    for (before, ..) in NESTINGS {
        for unfinished in
            [before.repeat(10_000), format!("{} )", before.repeat(10)), format!("{} ==", before.repeat(100))]
        {
            if !before.is_empty() {
                expression(&unfinished).expect_err("it has no end");
            }
        }
    }
}

#[test]
fn heights_of_different_parts_do_not_add_up() {
    let (chain, height) = ("a + ".repeat(MAX_DEPTH as usize / 2), MAX_DEPTH as usize / 2 - 2);
    let wide = format!("<<{}>>", vec![nest(&("(", "1", ")"), height); 1000].join(", "));
    expression(&wide).expect("each part is low enough");
    expression(&format!("{chain}{}", nest(&("(", "1", ")"), height))).expect("low enough");
    expression(&nest(&("(", &format!("{chain}1"), " + 1)"), height)).expect_err("chains in brackets add up");
}

#[test]
fn modules_in_modules_are_limited_too() {
    let nested = |times: usize| "---- MODULE M ----\n".repeat(times) + &"====\n".repeat(times);
    parse(&nested(50)).expect("few enough");
    parse(&nested(10_000)).expect_err("too many");
    parse(&"---- MODULE M ----\n".repeat(10_000)).expect_err("too many");
    let proof = format!("---- MODULE M ----\nTHEOREM {} TRUE\n====", "ASSUME ".repeat(10_000));
    parse(&proof).expect_err("too deep");
}

/// Long texts that are flat. They would take minutes if anything were read twice per level or compared with everything.
#[test]
fn length_is_no_depth() {
    let long = 20_000;
    let cases = [
        format!("<<{}>>", vec!["[x \\in S |-> <<x, {x}>>]"; long].join(", ")),
        "  /\\ \\/ a\n     \\/ b\n".repeat(long),
        format!("F({})", vec!["[f EXCEPT ![1] = @ + 1]"; long].join(", ")),
        format!("CASE {}", vec!["a -> b"; long].join(" [] ")),
        format!("LET {} IN x", "x(y) == y\n".repeat(long)),
        format!("S{}", " \\X S".repeat(100)),
        "(* c *)".repeat(long) + "1",
        "(*".repeat(long) + &"*)".repeat(long) + "1",
        "1 \\* c\n".to_owned() + &"\\* c\n".repeat(long),
    ];
    for text in cases {
        expression(&text).unwrap_or_else(|error| panic!("{}…: {error}", &text[..40]));
    }
    let units = "A(x) == x\nTHEOREM TRUE BY A DEF A\n".repeat(long);
    parse(&format!("---- MODULE M ----\n{units}====")).expect("a long module");
    let unended = "(*".repeat(long);
    expression(&unended).expect_err("never closed");
}

#[test]
fn printing_goes_as_deep_as_reading() {
    // The module and the innermost number are levels too.
    let text = nest(&("(", "1", ")"), MAX_DEPTH as usize - 2);
    let tree = parse(&format!("---- MODULE M ----\nA == {text}\n====")).expect("just low enough");
    assert_eq!(without_spans(&tree), without_spans(&parse(&tree.to_string()).expect("printed")));
}
