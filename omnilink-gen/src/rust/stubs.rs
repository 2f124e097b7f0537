//! `src/main.rs`: the user's part of a project, as it is before they begin.

use std::fmt::{self, Write};

use crate::model::{Model, Type};
use crate::text::{filled, visible};

use super::literal::string;
use super::plan::{Field, Plan, PlannedAction};

/// The whole file.
pub(super) fn text(model: &Model, plan: &Plan<'_>) -> String {
    let mut text = String::new();
    write(model, plan, &mut text).expect("writing to a string does not fail");
    text
}

fn write(model: &Model, plan: &Plan<'_>, out: &mut String) -> fmt::Result {
    let fuzzer = &plan.fuzzer;
    writeln!(
        out,
        "//! A fuzzer for `{}`. This file is yours: `omnilink gen-fuzzer` does not touch it again.",
        visible(&model.spec)
    )?;
    out.push_str(include_str!("templates/main_prologue.rs.txt"));
    writeln!(out, "\nstruct {fuzzer};\n\nimpl Fuzzer for {fuzzer} {{")?;
    out.push_str(include_str!("templates/main_system.rs.txt"));
    plan.actions.iter().try_for_each(|action| write_stub(action, out))?;
    writeln!(out, "}}\n\nfn main() -> ExitCode {{\n    run::<{fuzzer}>()\n}}")
}

fn write_stub(planned: &PlannedAction<'_>, out: &mut String) -> fmt::Result {
    let PlannedAction { action, type_name, method, fields, .. } = planned;
    writeln!(out)?;
    for definition in &action.definitions {
        write_comment(&format!("{}:", definition.place), out)?;
        definition.text.lines().try_for_each(|line| write_comment(&format!("    {line}"), out))?;
    }
    let mut say = |text: &str| filled(COMMENT, text).lines().try_for_each(|line| write_comment(line, out));
    for disjunct in &action.disjuncts {
        say(&format!("Reached by {disjunct}"))?;
    }
    if !fields.is_empty() {
        say("Parameters:")?;
    }
    for Field { param, ty, .. } in fields {
        say(&format!("    {}: {ty}, from {}{}", param.name, param.bounds.join(" or "), limits(&param.ty)))?;
    }
    if fields.is_empty() {
        say("To bind it, call the system and return what happened:")?;
    } else {
        say("To bind it, draw and set the inputs, call the system, and return what happened.")?;
        say(
            "A parameter that is a result of the call is neither drawn nor set: take it from what the call returned, and \
             declare it by `fuzz.results` in `fn configure`.",
        )?;
    }
    for Field { param, name, ty, drawn } in fields {
        say(&format!("    let {name}: {ty} = {drawn};"))?;
        say(&format!("    cx.set({}, &{name});", string(&param.name)))?;
    }
    say("    cx.call(|_system, _state| ());")?;
    let names: Vec<_> = fields.iter().map(|field| field.name.as_str()).collect();
    let happened = if names.is_empty() { String::new() } else { format!(" {{ {} }}", names.join(", ")) };
    say(&format!("    Ok({type_name}{happened}.into())"))?;
    writeln!(out, "    fn {method}(_cx: &mut Context<'_, Self>) -> Attempt {{\n        Err(Unsupported)\n    }}")
}

/// What the lines of a stub's comment begin with.
const COMMENT: &str = "    //";

fn write_comment(line: &str, out: &mut String) -> fmt::Result {
    let line = visible(line);
    writeln!(out, "{}", format!("{COMMENT} {line}").trim_end())
}

/// The limits of integers, in words.
fn limits(ty: &Type) -> String {
    match ty {
        Type::Int { min: Some(min), max: Some(max) } if min == max => format!(": {min}"),
        Type::Int { min: Some(min), max: Some(max) } => format!(": {min} to {max}"),
        Type::Int { min: Some(min), max: None } => format!(": {min} or more"),
        Type::Int { min: None, max: Some(max) } => format!(": {max} or less"),
        _ => String::new(),
    }
}
