//! The definitions of a specification as they are written.

use std::collections::HashMap;

use omnilink_tla::Spec;
use omnilink_tla::config::{ConfigFile, Given};
use omnilink_tla::source::{FileId, Sources, Span};
use omnilink_tla::symbol::Symbol;
use omnilink_tla::syntax::ast::{self, Body, Definition, Expr, Unit};
use omnilink_tla::syntax::{parse_expression, parse_module};

use crate::error::CheckError;

/// What the root module and those that it extends define as operators.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    by_name: HashMap<Symbol, Definition>,
    /// What the configuration replaces, and by what.
    replaced: HashMap<Symbol, Symbol>,
}

impl Definitions {
    /// Reads them from the specification's files.
    pub fn of(spec: &Spec, config: &ConfigFile) -> Result<Self, CheckError> {
        let mut modules = HashMap::new();
        for (at, file) in spec.sources().files().enumerate() {
            if file.path.extension().is_some_and(|extension| extension == "tla") {
                let module = parse_module(spec.sources(), FileId(at as u32)).map_err(|problem| unreadable(&problem))?;
                modules.insert(module.name.name, module);
            }
        }
        let mut definitions = Self::default();
        let mut open = vec![spec.program().module];
        while let Some(name) = open.pop() {
            // Standard modules have no file.
            let Some(module) = modules.remove(&name) else { continue };
            open.extend(module.extends.iter().map(|extended| extended.name));
            definitions.add(module);
        }
        for assignment in &config.constants {
            if let Given::Replacement { module: None, by } = &assignment.to {
                definitions.replaced.insert(assignment.name.name, by.name);
            }
        }
        Ok(definitions)
    }

    fn add(&mut self, module: ast::Module) {
        for unit in module.units {
            match unit {
                Unit::Definition(definition) if matches!(definition.body, Body::Operator(_)) => {
                    self.by_name.entry(definition.name.name).or_insert(definition);
                }
                _ => {}
            }
        }
    }

    /// What a name means, where the configuration has something else for it.
    pub fn meant(&self, name: Symbol) -> Symbol {
        self.replaced.get(&name).copied().unwrap_or(name)
    }

    /// An operator's parameters and body.
    pub fn get(&self, name: Symbol) -> Option<(&Definition, &Expr)> {
        let definition = self.by_name.get(&name)?;
        match &definition.body {
            Body::Operator(body) => Some((definition, body)),
            Body::Function { .. } | Body::Instance(_) => None,
        }
    }
}

/// The expression that a span encloses.
pub(super) fn expression(sources: &Sources, span: Span) -> Result<Expr, CheckError> {
    // Lists by bullets depend on columns.
    let column = sources.place(span).1.column as usize;
    let mut alone = Sources::default();
    let file = alone.add("", format!("{}{}", " ".repeat(column - 1), sources.text(span)));
    parse_expression(&alone, file).map_err(|problem| unreadable(&problem))
}

fn unreadable(problem: &omnilink_tla::diagnostic::Diagnostic) -> CheckError {
    CheckError::Tlc(format!("the specification cannot be read again: {}", problem.message))
}
