//! `actions.hpp`: the specification's names as C++ types.

use crate::model::Model;
use crate::project::Output;
use crate::text::list;

use super::text::{comment, literal, view};
use super::types::{ActionNames, EnumNames, Record, Vocabulary, is_ordered};

/// The text of `actions.hpp`.
pub fn header(model: &Model, vocabulary: &Vocabulary<'_>, output: &Output) -> String {
    let head = comment("//", &format!("\nThe actions of {} as types, and the loop that performs them.", model.spec));
    let enums = vocabulary.enums.iter().map(enumeration);
    let records = vocabulary.records.iter().map(|record| structure(record, vocabulary));
    let actions = vocabulary.actions.iter().map(|action| action_struct(action, vocabulary));
    let types: String = enums.chain(records).chain(actions).collect();
    let enums = vocabulary.enums.iter().map(enum_traits);
    let records = vocabulary.records.iter().map(to_tla);
    let actions = vocabulary.actions.iter().map(action_traits);
    let traits: String = enums.chain(records).chain(actions).collect();
    format!(
        "{}{head}// clang-format off: the file stays as it was generated, so that `gen-fuzzer --check` can compare it.
#ifndef SPEC_ACTIONS_HPP
#define SPEC_ACTIONS_HPP

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <omnilink.hpp>

/// What the specification has names for.
namespace spec {{

{types}}}  // namespace spec

{traits}{}
#endif
",
        output.header(model),
        loop_of(model, vocabulary),
    )
}

/// `enum class`
fn enumeration(names: &EnumNames<'_>) -> String {
    let about = comment("///", &format!("The strings of {}.", names.set.name));
    let enumerators = list("    ", &names.enumerators);
    let (before, after) = if enumerators.starts_with('\n') { ("", "\n") } else { (" ", " ") };
    format!("{about}enum class {} {{{before}{enumerators}{after}}};\n\n", names.identifier)
}

/// A record.
fn structure(record: &Record<'_>, vocabulary: &Vocabulary<'_>) -> String {
    let mut text = comment("///", &format!("A record: what {} is, or consists of.", record.name));
    text.push_str(&format!("struct {} {{\n", record.identifier));
    for ((_, ty), member) in record.fields.iter().zip(&record.members) {
        text.push_str(&format!("    {} {member};\n", vocabulary.of(ty)));
    }
    if record.fields.iter().all(|(_, ty)| is_ordered(ty)) {
        let tie = |of: &str| {
            let members: Vec<_> = record.members.iter().map(|member| format!("{of}.{member}")).collect();
            format!("std::tie({})", list("            ", &members))
        };
        text.push_str(&format!(
            "\n    friend bool operator<(const {name} &a, const {name} &b) {{\n        return {} < {};\n    }}\n",
            tie("a"),
            tie("b"),
            name = record.identifier,
        ));
    }
    text + "};\n\n"
}

/// An action with its parameters.
fn action_struct(names: &ActionNames<'_>, vocabulary: &Vocabulary<'_>) -> String {
    let places: Vec<_> = names.action.definitions.iter().map(|definition| &*definition.place).collect();
    let mut text = comment("///", &format!("{}, {}", names.action.name, places.join(", ")));
    if names.members.is_empty() {
        return text + &format!("struct {} {{}};\n\n", names.identifier);
    }
    text.push_str(&format!("struct {} {{\n", names.identifier));
    for (param, member) in names.action.params.iter().zip(&names.members) {
        text.push_str(&format!("    {} {member};\n", vocabulary.of(&param.ty)));
    }
    text + "};\n\n"
}

/// The strings of an enumeration.
fn enum_traits(names: &EnumNames<'_>) -> String {
    let identifier = &names.identifier;
    let len = names.enumerators.len();
    let values: Vec<_> = names.enumerators.iter().map(|name| format!("spec::{identifier}::{name}")).collect();
    let strings: Vec<_> = names.set.strings.iter().map(|string| view(string)).collect();
    format!(
        "template <>
struct omnilink::EnumTraits<spec::{identifier}> {{
    static constexpr std::array<spec::{identifier}, {len}> values = {{{}}};
    static constexpr std::array<std::string_view, {len}> strings = {{{}}};
}};

",
        list("        ", &values),
        list("        ", &strings),
    )
}

/// How a record is recorded.
fn to_tla(record: &Record<'_>) -> String {
    let fields = record.fields.iter().zip(&record.members).map(|((field, _), member)| {
        format!("            fields.text({});\n            fields.value(value.{member});\n", literal(field))
    });
    format!(
        "template <>
struct omnilink::ToTla<spec::{}> {{
    static void encode(omnilink::Encoder &out, const spec::{} &value) {{
        out.function({}, [&value](omnilink::Encoder &fields) {{
{}        }});
    }}
}};

",
        record.identifier,
        record.identifier,
        record.members.len(),
        fields.collect::<String>(),
    )
}

/// Names and values of an action.
fn action_traits(names: &ActionNames<'_>) -> String {
    let identifier = &names.identifier;
    let params: Vec<_> = names.action.params.iter().map(|param| literal(&param.name)).collect();
    let members: Vec<_> = names.members.iter().map(|member| format!("action.{member}")).collect();
    let (action, values) = if members.is_empty() {
        ("", " return std::tie(); ".to_owned())
    } else {
        ("action", format!("\n        return std::tie({});\n    ", list("            ", &members)))
    };
    format!(
        "template <>
struct omnilink::ActionTraits<spec::{identifier}> {{
    static constexpr std::string_view name = {};
    static constexpr std::array<std::string_view, {}> params = {{{}}};
    static auto values(const spec::{identifier} &{action}) {{{values}}}
}};

",
        literal(&names.action.name),
        params.len(),
        list("        ", &params),
    )
}

/// The function that makes a fuzz loop of the user's fuzzer.
fn loop_of(model: &Model, vocabulary: &Vocabulary<'_>) -> String {
    let missing = vocabulary.actions.iter().map(|names| {
        let identifier = &names.identifier;
        let message = format!("the fuzzer has no function for the action {}; to begin with, add", names.action.name);
        format!(
            "    static_assert(omnilink::performs<Fuzzer, spec::{identifier}>,
                  {}
                  \" `static Unsupported perform(Kind<spec::{identifier}>, Context &) {{ return unsupported; }}`\");\n",
            literal(&message)
        )
    });
    let mut arguments = vec!["Fuzzer".to_owned()];
    arguments.extend(vocabulary.actions.iter().map(|names| format!("spec::{}", names.identifier)));
    let arguments = list("        ", &arguments);
    let end = if arguments.starts_with('\n') { "\n    " } else { "" };
    format!(
        "/// The loop in which `Fuzzer` performs the actions; see omnilink/perform.hpp.
template <class Fuzzer>
auto fuzz_spec() {{
{}    return omnilink::fuzz_actions<{arguments}{end}>({}, {});
}}
",
        missing.collect::<String>(),
        literal(&model.spec),
        literal(&model.next),
    )
}
