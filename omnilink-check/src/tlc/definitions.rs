//! The definitions of a specification as they are written.

use std::collections::{HashMap, HashSet};

use omnilink_tla::Spec;
use omnilink_tla::config::{ConfigFile, Given};
use omnilink_tla::internal::syntax::ast::{self, Body, Definition, Expr, Instance, Unit};
use omnilink_tla::internal::syntax::{parse_expression, parse_module};
use omnilink_tla::source::{FileId, Sources, Span};
use omnilink_tla::symbol::Symbol;

use crate::error::CheckError;

/// What the modules of a specification define. Standard modules are not among them.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    sources: Sources,
    modules: HashMap<Symbol, ast::Module>,
    /// What the configuration replaces in the root, and by what.
    replaced: HashMap<Symbol, Symbol>,
    /// What it replaces in other modules.
    replaced_elsewhere: HashSet<(Symbol, Symbol)>,
}

impl Definitions {
    /// Reads them from the specification's files.
    pub fn of(spec: &Spec, config: &ConfigFile) -> Result<Self, CheckError> {
        let mut definitions = Self { sources: spec.sources().clone(), ..Self::default() };
        for (at, file) in spec.sources().files().enumerate() {
            if file.path.extension().is_some_and(|extension| extension == "tla") {
                let module = parse_module(spec.sources(), FileId(at as u32)).map_err(|problem| unreadable(&problem))?;
                definitions.modules.insert(module.name.name, module);
            }
        }
        for assignment in &config.constants {
            let name = assignment.name.name;
            match &assignment.to {
                Given::Replacement { module: None, by } => {
                    definitions.replaced.insert(name, by.name);
                }
                Given::Replacement { module: Some(module), .. } | Given::OfModule { module, .. } => {
                    definitions.replaced_elsewhere.insert((module.name, name));
                }
                _ => {}
            }
        }
        Ok(definitions)
    }

    /// What a name of the root means, where the configuration has something else for it.
    pub fn meant(&self, name: Symbol) -> Symbol {
        self.replaced.get(&name).copied().unwrap_or(name)
    }

    /// An operator's parameters and body, as a module has it.
    pub fn get(&self, module: Symbol, name: Symbol) -> Option<(&Definition, &Expr)> {
        let definition = self.find(module, name)?;
        match &definition.body {
            Body::Operator(body) => Some((definition, body)),
            Body::Function { .. } | Body::Instance(_) => None,
        }
    }

    /// An instance without parameters of one of the modules, as a module has it.
    pub fn instance(&self, module: Symbol, name: Symbol) -> Option<&Instance> {
        let definition = self.find(module, name)?;
        match &definition.body {
            Body::Instance(instance) if definition.params.is_empty() => {
                self.modules.contains_key(&instance.module.name).then_some(instance)
            }
            _ => None,
        }
    }

    /// What a module has for itself, `LOCAL`, as it is written there: those who extend it do not have it.
    pub fn locals(&self, module: Symbol) -> String {
        let units = self.modules.get(&module).into_iter().flat_map(|module| &module.units);
        let texts = units.filter_map(|unit| match unit {
            Unit::Definition(definition) if definition.local => Some(self.sources.in_place(definition.span)),
            Unit::Instance { local: true, instance } => Some(format!("LOCAL {}", self.sources.text(instance.span))),
            _ => None,
        });
        texts.map(|text| format!("\n{text}\n")).collect()
    }

    /// What a module or one that it extends defines.
    fn find(&self, module: Symbol, name: Symbol) -> Option<&Definition> {
        let (mut open, mut seen) = (vec![module], HashSet::new());
        while let Some(module) = open.pop() {
            let Some(text) = self.modules.get(&module).filter(|_| seen.insert(module)) else { continue };
            let found = text.units.iter().find_map(|unit| match unit {
                Unit::Definition(definition) if definition.name.name == name => Some(definition),
                _ => None,
            });
            if found.is_some() {
                return found.filter(|_| !self.replaced_elsewhere.contains(&(module, name)));
            }
            open.extend(text.extends.iter().map(|extended| extended.name));
        }
        None
    }
}

/// The expression that a span encloses.
pub(super) fn expression(sources: &Sources, span: Span) -> Result<Expr, CheckError> {
    let mut alone = Sources::default();
    let file = alone.add("", sources.in_place(span));
    parse_expression(&alone, file).map_err(|problem| unreadable(&problem))
}

fn unreadable(problem: &omnilink_tla::diagnostic::Diagnostic) -> CheckError {
    CheckError::Tlc(format!("the specification cannot be read again: {}", problem.message))
}
