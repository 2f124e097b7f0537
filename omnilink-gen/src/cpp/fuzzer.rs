//! `fuzzer.cpp`: the program that the user fills in.

use crate::model::{Model, Param};
use crate::text::filled;

use super::text::{comment, literal};
use super::types::{ActionNames, Vocabulary};

/// The text of `fuzzer.cpp`, as it is to begin with.
pub fn program(model: &Model, vocabulary: &Vocabulary<'_>) -> String {
    let head = format!(
        "A fuzzer for {spec}. This file is yours: the generator does not touch it again.

Every action of {spec} has a function here. Bound to the system, it calls it and says what happened:

{}
A parameter that is a result of the call is neither drawn nor set: take it from what the call returned, and declare it
in `main`: `fuzz.results({{{{\"Action\", \"param\"}}}})`.
The type of the function says which actions the call may turn out to be. If a result decides it, name them all, as in
`Performed<spec::A, spec::B>`, and leave what is recorded by the function of another as it is: Unsupported.",
        example(vocabulary),
        spec = model.spec,
    );
    let stubs: Vec<_> = vocabulary.actions.iter().map(|action| stub(model, action, vocabulary)).collect();
    format!(
        "{}#include \"actions.hpp\"

// The system under test, which all threads call.
struct System {{}};

// What each thread keeps to itself.
struct State {{}};

struct Fuzzer : omnilink::Performer<System, State> {{
{}}};

// `--help` lists the options. Before `main` more can be set: own options, weights, results, a clean-up; see omnilink/fuzz.hpp.
// A third argument makes the system: `[](const omnilink::Options &options) {{ return std::make_unique<System>(…); }}`.
int main(int argc, char **argv) {{ return fuzz_spec<Fuzzer>().main(argc, argv); }}
",
        comment("//", &head),
        stubs.join("\n"),
    )
}

/// A bound function: of an action with as few parameters as possible, but one.
fn example(vocabulary: &Vocabulary<'_>) -> String {
    let with_params = vocabulary.actions.iter().filter(|names| !names.members.is_empty());
    let smallest = with_params.min_by_key(|names| names.members.len());
    let Some(names) = smallest.or(vocabulary.actions.first()) else { return String::new() };
    let identifier = &names.identifier;
    let mut text =
        format!("    static Performed<spec::{identifier}> perform(Kind<spec::{identifier}>, Context &cx) {{\n");
    for (param, member) in names.action.params.iter().zip(&names.members) {
        let draw = vocabulary.draw(&param.ty).unwrap_or_else(|| format!("{}(…)", vocabulary.of(&param.ty)));
        text.push_str(&filled("//", &format!("        const auto {member} = {draw};")));
        text.push_str(&format!(
            "        cx.set({}, {member});    // unless it is a result of the call\n",
            literal(&param.name)
        ));
    }
    text.push_str("        cx.call([&] { cx.system.…; });    // the timebox is this call\n");
    text.push_str(&format!("        return spec::{identifier}{{{}}};\n    }}\n", names.members.join(", ")));
    text
}

/// What the lines of a stub's comment begin with.
const START: &str = "    //";

/// The function of an action that is not bound yet.
fn stub(model: &Model, names: &ActionNames<'_>, vocabulary: &Vocabulary<'_>) -> String {
    let (action, identifier) = (names.action, &names.identifier);
    let mut about = String::new();
    for definition in &action.definitions {
        about.push_str(&format!("{}\n\n", definition.place));
        about.extend(definition.text.lines().map(|line| format!("    {line}\n")));
        about.push('\n');
    }
    for disjunct in action.disjuncts.iter().filter(|disjunct| **disjunct != action.name) {
        about.push_str(&filled(START, &format!("In {}: {disjunct}", model.next)));
    }
    for (param, member) in action.params.iter().zip(&names.members) {
        about.push_str(&parameter(param, member, vocabulary));
    }
    about.push_str(&filled(
        START,
        &format!(
            "Bound, it returns Performed<spec::{identifier}>: return spec::{identifier}{{{}}};",
            names.members.join(", ")
        ),
    ));
    format!(
        "{}    static Unsupported perform(Kind<spec::{identifier}>, Context &) {{ return unsupported; }}\n",
        comment(START, &about)
    )
}

/// What is known about a parameter.
fn parameter(param: &Param, member: &str, vocabulary: &Vocabulary<'_>) -> String {
    let mut text = format!("- {member}: {}", vocabulary.of(&param.ty));
    if param.name != member {
        text.push_str(&format!(", {} in traces", param.name));
    }
    if !param.bounds.is_empty() {
        text.push_str(&format!(", from {}", param.bounds.join(" or ")));
    }
    if let Some(draw) = vocabulary.draw(&param.ty) {
        text.push_str(&format!("; such as {draw}"));
    }
    filled(START, &text)
}
