//! `src/actions.rs`: the generator's part of a project.

use std::fmt::{self, Write};

use crate::model::Model;
use crate::project::Output;
use crate::text::{list, visible};

use super::literal::string;
use super::plan::{Plan, PlannedAction, PlannedEnum, PlannedRecord};

/// The whole file.
pub(super) fn text(model: &Model, output: &Output, plan: &Plan<'_>) -> String {
    let mut text = output.header(model);
    write(model, plan, &mut text).expect("writing to a string does not fail");
    text
}

fn write(model: &Model, plan: &Plan<'_>, out: &mut String) -> fmt::Result {
    let Model { spec, hash, next, .. } = model;
    writeln!(
        out,
        "\n//! The actions of `{}`, and what a fuzzer has to say about each: the trait [`Fuzzer`].",
        visible(spec)
    )?;
    out.push_str(include_str!("templates/prologue.rs.txt"));
    writeln!(out, "\n/// The specification.")?;
    writeln!(out, "pub const SPEC: &str = {};", string(spec))?;
    writeln!(out, "/// Its next-state relation.")?;
    writeln!(out, "pub const NEXT: &str = {};", string(next))?;
    writeln!(out, "/// Changes with the specification's text.")?;
    writeln!(out, "pub const SPEC_HASH: &str = {};", string(hash))?;
    plan.enums.iter().try_for_each(|known| write_enum(known, out))?;
    plan.records.iter().try_for_each(|record| write_record(record, out))?;
    plan.actions.iter().try_for_each(|action| write_struct(action, out))?;
    write_action(plan, out)?;
    write_name(plan, out)?;
    write_trait(plan, out)?;
    write_fuzzer(plan, out)?;
    out.push_str(include_str!("templates/epilogue.rs.txt"));
    Ok(())
}

const DERIVED: &str = "#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]";

fn write_enum(known: &PlannedEnum<'_>, out: &mut String) -> fmt::Result {
    let PlannedEnum { name, variants } = known;
    writeln!(out, "\n/// A string of the specification.")?;
    writeln!(out, "#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub enum {name} {{")?;
    for (variant, text) in variants {
        writeln!(out, "    /// {}\n    {variant},", visible(&string(text)))?;
    }
    let all: Vec<_> = variants.iter().map(|(variant, _)| format!("Self::{variant}")).collect();
    writeln!(out, "}}\n\nimpl {name} {{\n    /// All of them, to pick one.")?;
    writeln!(out, "    pub const ALL: [Self; {}] = [{}];", all.len(), list("        ", &all))?;
    writeln!(out, "\n    /// As traces have it.\n    pub fn text(self) -> &'static str {{\n        match self {{")?;
    for (variant, text) in variants {
        writeln!(out, "            Self::{variant} => {},", string(text))?;
    }
    writeln!(out, "        }}\n    }}\n}}")?;
    writeln!(out, "\nimpl ToTla for {name} {{\n    fn encode(&self, out: &mut Encoder<'_>) {{")?;
    writeln!(out, "        out.str(self.text());\n    }}\n}}")
}

fn write_record(record: &PlannedRecord, out: &mut String) -> fmt::Result {
    let PlannedRecord { name, members, .. } = record;
    writeln!(out, "\n/// A record of the specification.\n{DERIVED}\npub struct {name} {{")?;
    for (member, field, ty) in members {
        writeln!(out, "    /// `{}`\n    pub {member}: {ty},", visible(field))?;
    }
    writeln!(out, "}}\n\nimpl ToTla for {name} {{\n    fn encode(&self, out: &mut Encoder<'_>) {{")?;
    writeln!(out, "        out.function({}, |out| {{", members.len())?;
    for (member, field, _) in members {
        writeln!(out, "            out.str({});\n            self.{member}.encode(out);", string(field))?;
    }
    writeln!(out, "        }});\n    }}\n}}")
}

fn write_struct(action: &PlannedAction<'_>, out: &mut String) -> fmt::Result {
    let PlannedAction { type_name, fields, .. } = action;
    let params: Vec<_> = fields.iter().map(|field| visible(&field.param.name)).collect();
    let signature = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
    writeln!(out, "\n/// `{}{signature}`\n{DERIVED}", visible(&action.action.name))?;
    if fields.is_empty() {
        writeln!(out, "pub struct {type_name};")?;
    } else {
        writeln!(out, "pub struct {type_name} {{")?;
        for field in fields {
            let bounds: Vec<_> = field.param.bounds.iter().map(|bound| format!("`{}`", visible(bound))).collect();
            writeln!(out, "    /// `{}`, from {}", visible(&field.param.name), bounds.join(" or "))?;
            writeln!(out, "    pub {}: {},", field.name, field.ty)?;
        }
        writeln!(out, "}}")?;
    }
    writeln!(out, "\nimpl From<{type_name}> for Action {{\n    fn from(action: {type_name}) -> Self {{")?;
    writeln!(out, "        Self::{type_name}(action)\n    }}\n}}")
}

fn write_action(plan: &Plan<'_>, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "\n/// What happened: one of the actions, with the values of its parameters.\n{DERIVED}\npub enum Action {{"
    )?;
    for PlannedAction { type_name, .. } in &plan.actions {
        writeln!(out, "    {type_name}({type_name}),")?;
    }
    writeln!(
        out,
        "}}\n\nimpl Action {{\n    /// Which one.\n    pub fn name(&self) -> Name {{\n        match self {{"
    )?;
    for PlannedAction { type_name, .. } in &plan.actions {
        writeln!(out, "            Self::{type_name}(_) => Name::{type_name},")?;
    }
    writeln!(out, "        }}\n    }}\n\n    /// Records the values of its parameters.")?;
    writeln!(out, "    fn record(&self, op: &mut Op) {{\n        match self {{")?;
    for PlannedAction { type_name, fields, .. } in &plan.actions {
        if fields.is_empty() {
            writeln!(out, "            Self::{type_name}(_) => {{}}")?;
            continue;
        }
        writeln!(out, "            Self::{type_name}(action) => {{")?;
        for field in fields {
            writeln!(out, "                op.set({}, &action.{});", string(&field.param.name), field.name)?;
        }
        writeln!(out, "            }}")?;
    }
    writeln!(out, "        }}\n    }}\n}}")
}

fn write_name(plan: &Plan<'_>, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "\n/// Which action.\n#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub enum Name {{"
    )?;
    for PlannedAction { type_name, .. } in &plan.actions {
        writeln!(out, "    {type_name},")?;
    }
    writeln!(out, "}}\n\nimpl Name {{\n    /// Name and parameters, as traces have them.")?;
    writeln!(out, "    pub const fn definition(self) -> ActionDef {{\n        match self {{")?;
    for PlannedAction { type_name, action, .. } in &plan.actions {
        let params: Vec<_> = action.params.iter().map(|param| string(&param.name)).collect();
        let (name, params) = (string(&action.name), list("                ", &params));
        writeln!(out, "            Self::{type_name} => ActionDef {{ name: {name}, params: &[{params}] }},")?;
    }
    writeln!(out, "        }}\n    }}\n}}")
}

fn write_trait(plan: &Plan<'_>, out: &mut String) -> fmt::Result {
    out.push_str(include_str!("templates/trait.rs.txt"));
    for PlannedAction { type_name, method, constant, .. } in &plan.actions {
        writeln!(out, "\n    /// What a call of [`Fuzzer::{method}`] may turn out to be.")?;
        writeln!(out, "    const {constant}: &'static [Name] = &[Name::{type_name}];")?;
        writeln!(out, "    /// Performs [`{type_name}`].")?;
        writeln!(out, "    fn {method}(cx: &mut Context<'_, Self>) -> Attempt;")?;
    }
    writeln!(out, "}}")
}

fn write_fuzzer(plan: &Plan<'_>, out: &mut String) -> fmt::Result {
    writeln!(
        out,
        "\n/// The fuzz loop with all actions.\npub fn fuzzer<F: Fuzzer>() -> Fuzz<'static, F::System, F::State> {{"
    )?;
    writeln!(out, "    let mut fuzz = Fuzz::with_state(SPEC, F::state).next_relation(NEXT);")?;
    for PlannedAction { type_name, method, constant, .. } in &plan.actions {
        writeln!(out, "    fuzz = add::<F>(fuzz, Name::{type_name}, \"{constant}\", F::{constant}, F::{method});")?;
    }
    writeln!(out, "    F::configure(fuzz)\n}}")
}
