//! What constants and definitions are to be, for TLC: its configurations take few kinds of values, modules take all.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use omnilink_tla::config::{Assignment, ConfigFile, Given};
use omnilink_tla::internal::ir::{Constant, ConstantValue};
use omnilink_tla::{Spec, Value};

use super::literal::Literals;
use crate::error::CheckError;

/// Assignments, and definitions that they refer to.
#[derive(Debug, Default)]
pub(super) struct Assignments {
    /// Lines of the section `CONSTANTS`.
    pub lines: Vec<String>,
    /// Definitions.
    pub definitions: String,
}

impl Assignments {
    /// All that a specification was loaded with.
    pub fn of(spec: &Spec, config: &ConfigFile, literals: &mut Literals) -> Result<Self, CheckError> {
        let mut all = Self::default();
        let constants = &spec.program().constants;
        for constant in constants.iter().filter(|constant| constant.arity == 0) {
            all.constant(spec, constant, literals)?;
        }
        let is_done = |assignment: &Assignment| {
            let mut plain = constants.iter().filter(|constant| constant.arity == 0);
            plain.any(|constant| constant.name == assignment.name.name)
        };
        for assignment in config.constants.iter().filter(|assignment| !is_done(assignment)) {
            all.assignment(assignment, literals)?;
        }
        let is_constant = |name: &str| constants.iter().any(|constant| constant.name.as_str() == name);
        for (name, text) in given(spec).into_iter().filter(|(name, _)| !is_constant(name)) {
            all.define(name, text);
        }
        Ok(all)
    }

    fn constant(&mut self, spec: &Spec, constant: &Constant, literals: &mut Literals) -> Result<(), CheckError> {
        let name = constant.name.as_str();
        match &constant.given {
            ConstantValue::Value(value) => self.value(name, value, literals),
            ConstantValue::Native(native) => {
                self.lines.push(format!("{name} <- {}", native.name));
                Ok(())
            }
            ConstantValue::Definition(id) => {
                let definition = spec.program().definition(*id);
                match spec.constant(definition.name.as_str()).ok().and_then(|value| value.normalize().ok()) {
                    Some(value) => self.value(name, &value, literals),
                    None if definition.name == constant.name => {
                        self.define(name, spec.sources().text(definition.body.span));
                        Ok(())
                    }
                    None => {
                        self.lines.push(format!("{name} <- {}", definition.name));
                        Ok(())
                    }
                }
            }
            ConstantValue::Unassigned => Err(CheckError::Tlc(format!(
                "the constant `{name}` has no value, and TLC needs one for every constant; give it by --const or a .cfg"
            ))),
        }
    }

    /// What a configuration says of operators and definitions.
    fn assignment(&mut self, assignment: &Assignment, literals: &mut Literals) -> Result<(), CheckError> {
        let name = assignment.name.name.as_str();
        match &assignment.to {
            Given::Value(value) => return self.value(name, value, literals),
            Given::OfModule { module, value } => self.lines.push(format!("{name} = [{}] {value}", module.name)),
            Given::Model => self.lines.push(format!("{name} = {name}")),
            Given::Replacement { module: Some(module), by } => {
                self.lines.push(format!("{name} <-[{}] {}", module.name, by.name));
            }
            Given::Replacement { module: None, by } => self.lines.push(format!("{name} <- {}", by.name)),
            Given::Entry { arguments, result } => {
                let arguments: Vec<_> = arguments.iter().map(Value::to_string).collect();
                self.lines.push(format!("{name}({}) = {result}", arguments.join(", ")));
            }
        }
        Ok(())
    }

    fn value(&mut self, name: &str, value: &Value, literals: &mut Literals) -> Result<(), CheckError> {
        match value {
            Value::Model(model) => self.lines.push(format!("{name} = {model}")),
            _ => {
                let text = literals.text(value, &|| format!("the constant `{name}`"))?;
                self.define(name, &text);
            }
        }
        Ok(())
    }

    fn define(&mut self, name: &str, text: &str) {
        let _ = writeln!(self.definitions, "\nOmniLinkConstant_{name} == {text}");
        self.lines.push(format!("{name} <- OmniLinkConstant_{name}"));
    }
}

/// What the command line says that constants and definitions are, the last word for each.
fn given(spec: &Spec) -> BTreeMap<&str, &str> {
    let files = spec.sources().files();
    files.filter_map(|file| Some((file.path.to_str()?.strip_prefix("--const ")?, &*file.text))).collect()
}
