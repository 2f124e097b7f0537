//! Model configurations: what is read from them, what is said about wrong ones, and that no text is too strange.

mod promises;

use omnilink_tla::config::{Assignment, ConfigFile, Given, Named, read_assignments, read_config};
use omnilink_tla::source::Sources;
use omnilink_tla::value::Value;
use proptest::prelude::*;

fn read(text: &str) -> Result<ConfigFile, String> {
    let mut sources = Sources::default();
    let file = sources.add("Model.cfg", text);
    read_config(&sources, file).map_err(|error| error.render(&sources))
}

/// Everything that a configuration says, one thing per line.
fn summary(config: &ConfigFile) -> Vec<String> {
    let assignments = config.constants.iter().map(assignment);
    let single = [
        ("INIT", &config.init),
        ("NEXT", &config.next),
        ("SPECIFICATION", &config.specification),
        ("VIEW", &config.view),
        ("ALIAS", &config.alias),
        ("POSTCONDITION", &config.postcondition),
        ("SYMMETRY", &config.symmetry),
    ];
    let several = [
        ("INVARIANT", &config.invariants),
        ("CONSTRAINT", &config.constraints),
        ("ACTION_CONSTRAINT", &config.action_constraints),
        ("PROPERTY", &config.properties),
    ];
    let line = |section: &str, named: &Named| format!("{section} {}", named.name);
    let single = single.iter().flat_map(|(section, name)| name.iter().map(|name| line(section, name)));
    let several = several.iter().flat_map(|(section, names)| names.iter().map(|name| line(section, name)));
    let deadlock = config.check_deadlock.iter().map(|check| format!("CHECK_DEADLOCK {check}"));
    assignments.chain(single).chain(several).chain(deadlock).collect()
}

fn assignment(Assignment { name, to }: &Assignment) -> String {
    let name = name.name;
    match to {
        Given::OfModule { module, value } => format!("{name} = [{}] {value}", module.name),
        Given::Value(value) => format!("{name} = {value}"),
        Given::Model => format!("{name} is a model value"),
        Given::Replacement { module: None, by } => format!("{name} <- {}", by.name),
        Given::Replacement { module: Some(module), by } => format!("{name} <-[{}] {}", module.name, by.name),
        Given::Entry { arguments, result } => {
            let arguments: Vec<_> = arguments.iter().map(Value::to_string).collect();
            format!("{name}({}) = {result}", arguments.join(", "))
        }
    }
}

#[test]
fn sections_and_values_are_read() {
    let cases: &[(&str, &[&str])] = &[
        ("", &[]),
        ("CONSTANT N = [Mod] {1, a}", &["N = [Mod] {a, 1}"]),
        ("INIT Init NEXT Next", &["INIT Init", "NEXT Next"]),
        ("SPECIFICATION\n\tSpec\r\n", &["SPECIFICATION Spec"]),
        ("INVARIANTS A B INVARIANT C", &["INVARIANT A", "INVARIANT B", "INVARIANT C"]),
        ("INVARIANT I ! J!Inv", &["INVARIANT I!J!Inv"]),
        ("INVARIANT\nCONSTRAINT C CONSTRAINTS D", &["CONSTRAINT C", "CONSTRAINT D"]),
        ("ACTION_CONSTRAINT A ACTION_CONSTRAINTS B", &["ACTION_CONSTRAINT A", "ACTION_CONSTRAINT B"]),
        ("PROPERTY P PROPERTIES Q R", &["PROPERTY P", "PROPERTY Q", "PROPERTY R"]),
        ("VIEW V SYMMETRY S ALIAS A POSTCONDITION P", &["VIEW V", "ALIAS A", "POSTCONDITION P", "SYMMETRY S"]),
        ("CHECK_DEADLOCK FALSE", &["CHECK_DEADLOCK false"]),
        ("INVARIANT A CHECK_DEADLOCK TRUE", &["INVARIANT A", "CHECK_DEADLOCK true"]),
        ("CONSTANT N = 3", &["N = 3"]),
        ("CONSTANTS N = 3 M = -4 CONSTANT K = 0", &["N = 3", "M = -4", "K = 0"]),
        ("CONSTANTS N=-1 M=2", &["N = -1", "M = 2"]),
        ("CONSTANT S = \"a b\"", &["S = \"a b\""]),
        (r#"CONSTANT S = "a\"\\b""#, &[r#"S = "a\"\\b""#]),
        ("CONSTANT B = TRUE C = FALSE", &["B = TRUE", "C = FALSE"]),
        ("CONSTANT a = a", &["a is a model value"]),
        ("CONSTANT a = b", &["a = b"]),
        ("CONSTANT 2pc = 1x", &["2pc = 1x"]),
        ("CONSTANT S = {}", &["S = {}"]),
        ("CONSTANT S = {m2, m1, 3, m1}", &["S = {m1, m2, 3}"]),
        ("CONSTANT S = {{1, 2}, {}, {{3}}}", &["S = {{}, {{3}}, {1, 2}}"]),
        ("CONSTANT S = {{{\"a\"}}, {}}", &["S = {{}, {{\"a\"}}}"]),
        ("CONSTANT N <- Def", &["N <- Def"]),
        ("CONSTANT N<-Def M <-[Mod] Def", &["N <- Def", "M <-[Mod] Def"]),
        ("CONSTANT N <- [ Mod ] Def", &["N <-[Mod] Def"]),
        ("CONSTANT I!Op <- X", &["I!Op <- X"]),
        ("CONSTANT \\preceq <- Le + <- Plus < <- Lt", &["\\preceq <- Le", "+ <- Plus", "< <- Lt"]),
        ("CONSTANT \\leq <- Le", &["<= <- Le"]),
        ("CONSTANT Op(1, {a}) = 3 Op(2, {}) = b", &["Op(1, {a}) = 3", "Op(2, {}) = b"]),
        ("\\* INIT A\nINIT B \\* C", &["INIT B"]),
        ("(* INIT A (* nested *) *) INIT B", &["INIT B"]),
        ("CONSTANT N = 1 N = 2", &["N = 1", "N = 2"]),
    ];
    for (text, expected) in cases {
        let config = read(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(summary(&config), *expected, "{text}");
    }
}

#[test]
fn what_comments_say_to_omnilink_is_handed_on() {
    let cases: &[(&str, &[&str])] = &[
        ("\\* omnilink: ON abort=Lost", &["ON abort=Lost"]),
        ("INIT A \\*omnilink:B\r\n\t\\* OmniLink :  C  D \nNEXT N", &["B", "C  D"]),
        ("\\* omnilink:", &[""]),
        ("\\* omnilink explore Model.tla\n\\* as omnilink: says\n\\* \\* omnilink: A", &[]),
        ("(* omnilink: A\n\\* omnilink: B\n*)", &[]),
        ("CONSTANT S = \"\\\\* omnilink: A\"", &[]),
    ];
    for (text, expected) in cases {
        let mut sources = Sources::default();
        let file = sources.add("Model.cfg", *text);
        let config = read_config(&sources, file).unwrap_or_else(|error| panic!("{}", error.render(&sources)));
        let remarks: Vec<_> = config.remarks.iter().map(|span| sources.text(*span)).collect();
        assert_eq!(remarks, *expected, "{text}");
    }
}

#[test]
fn assignments_are_read_alone() {
    let read = |text: &str| {
        let mut sources = Sources::default();
        let file = sources.add("--const", text);
        read_assignments(&sources, file).map(|all| all.iter().map(assignment).collect::<Vec<_>>())
    };
    assert_eq!(read("Keys = {1,2,3} N <- M").unwrap(), ["Keys = {1, 2, 3}", "N <- M"]);
    assert_eq!(read("").unwrap(), [""; 0]);
    assert_eq!(read("N = 1 INIT Init").unwrap_err().message, "expected an assignment, found `INIT`");
}

#[test]
fn errors_say_what_was_expected_and_where() {
    let wrong = [
        "CONSTANT N = [Mod 3",
        "CONSTANT Op(1) = [Mod] 3",
        "INTI Init",
        "Init",
        "INIT",
        "INIT NEXT Next",
        "INIT Init INIT Other",
        "CHECK_DEADLOCK maybe",
        "CHECK_DEADLOCK TRUE CHECK_DEADLOCK TRUE",
        "CONSTANT N",
        "CONSTANT N = ",
        "CONSTANT N = INIT Init",
        "CONSTANT N 3",
        "CONSTANT N = 1, M = 2",
        "CONSTANT N = {1, 2",
        "CONSTANT N = {1 2}",
        "CONSTANT N = {1, \"a\"}",
        "CONSTANT N = - x",
        "CONSTANT N = 99999999999999999999",
        "CONSTANT N <- [Mod Def",
        "CONSTANT N <- 3",
        "CONSTANT Op(1 = 3",
        "CONSTANT Op(1) <- X",
        "CONSTANT I! = 3",
        "CONSTANT _1 = 3",
        "CONSTANT S = \"abc",
        "CONSTANT S = \"a\\q\"",
        "INIT Init\n  (* no end\nNEXT Next",
        "INIT Init;",
        "INIT Ini\u{0}t",
        "CONSTANT =< <- Le",
    ];
    let said: Vec<_> = wrong.iter().map(|text| read(text).map(|config| summary(&config)).unwrap_err()).collect();
    insta::assert_snapshot!(said.join("\n\n"));
}

#[test]
fn deep_nesting_is_an_error() {
    let nested = |depth: usize| format!("CONSTANT S = {}{}", "{".repeat(depth), "}".repeat(depth));
    assert!(read(&nested(100)).is_ok());
    assert!(read(&nested(100_000)).unwrap_err().contains("sets nest more than 100 deep"));
    assert!(read(&"(*".repeat(1_000_000)).unwrap_err().contains("does not end"));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        promises::check(&text);
    }

    #[test]
    fn any_words_are_read_or_refused(words in prop::collection::vec(prop::sample::select(vec![
        "CONSTANTS", "CONSTANT", "INIT", "INVARIANT", "CHECK_DEADLOCK", "TRUE", "a", "N", "=", "<-", "[", "]", "(", ")",
        "{", "}", ",", "!", "-", "1", "99999999999999999999", "\"", "\"s\"", "\\", "\\prec",
        "\\*", "(*", "*)", "\n", " ", "é", "∈",
    ]), 0..40)) {
        promises::check(&words.concat());
        promises::check(&words.join(" "));
    }
}
