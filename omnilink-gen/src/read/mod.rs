//! From a specification to a [`Model`].
//!
//! ```text
//!  Spec ── actions() ──► chosen ──► operations ─────┐
//!    │                  --only …    X_Step, X_Done  ├──► Model
//!    └─── walk ──► guesses about what is passed ────┘
//! ```

mod chosen;
mod enums;
mod expressions;
mod guess;
mod nameless;
mod natives;
mod operations;
mod text;
mod values;
mod walk;

use std::collections::HashSet;
use std::ffi::OsStr;

use omnilink_tla::diagnostic::Diagnostic;
use omnilink_tla::internal::ir::Definition;
use omnilink_tla::source::{SourceFile, Sources};
use omnilink_tla::spec::SpecAction;
use omnilink_tla::symbol::Symbol;
use omnilink_tla::{Spec, TlaError};

use crate::error::Error;
use crate::model::{Action, Model, Param, Source};

pub use chosen::Choice;
use enums::Enums;
use operations::Operation;
use walk::{Calls, Given};

/// The maximum number of parameters of an action in a trace.
const MAX_PARAMS: usize = 64;

/// The result of reading a specification.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The model.
    pub model: Model,
    /// Actions that were left out, and why.
    pub notes: Vec<String>,
}

/// Reads the actions of a specification's next-state relation.
///
/// # Errors
/// If there is no such relation, if a part of it has no name, if `X_Step` and `X_Done` have different parameters, or if a
/// selected action does not exist.
pub fn read(spec: &Spec, choice: &Choice) -> Result<Reading, Error> {
    let program = spec.program();
    let sources = spec.sources();
    let Some((next, _)) = &program.next else {
        let nothing = Diagnostic::error(format!("`{}` has no next-state relation", program.module));
        return Err(TlaError::new(nothing.hint("define `Next`, or name another operator with --next"), sources).into());
    };
    fail_if_any(nameless::parts(spec, *next), sources)?;
    let (actions, mut notes) = chosen::choose(spec, choice)?;
    notes.extend(nameless::impossible(spec, *next));
    let operations = operations::operations(spec, actions).map_err(|wrong| error(wrong, sources))?;
    let operations = chosen::narrow(spec, operations, choice)?;
    fail_if_any(operations.iter().filter_map(|operation| unrecordable(spec, operation)).collect(), sources)?;
    let mut enums = Enums::default();
    let calls = walk::calls(spec);
    let actions = operations.iter().map(|operation| action(spec, operation, &calls, &mut enums)).collect();
    let root = root(sources, program.module);
    let model = Model {
        spec: program.module.to_string(),
        file: root.map_or_else(|| format!("{}.tla", program.module), file_name),
        sources: copied(sources),
        hash: hash(sources),
        next: next.to_string(),
        actions,
        enums: enums.found,
    };
    Ok(Reading { model, notes })
}

fn action(spec: &Spec, operation: &Operation<'_>, calls: &Calls, enums: &mut Enums) -> Action {
    let sources = spec.sources();
    let params = &operation.actions[0].params;
    let mut given = vec![Given::NONE; params.len()];
    let mut calls_of = HashSet::new();
    let mut disjuncts = Vec::new();
    let mut known = HashSet::new();
    for action in &operation.actions {
        for disjunct in &action.disjuncts {
            let call = (action.definition, disjunct.span);
            if calls_of.insert(call) {
                let args = calls.get(&call).into_iter().flatten();
                given.iter_mut().zip(args).for_each(|(given, arg)| given.add(arg.guess.clone(), arg.from.clone()));
            }
            let text = text::disjunct(sources, disjunct);
            if known.insert(text.clone()) {
                disjuncts.push(text);
            }
        }
    }
    let param = |(name, given): (&Symbol, Given)| Param {
        name: name.to_string(),
        ty: given.guess.into_type(name.as_str(), enums),
        bounds: given.from,
    };
    let definition = |action: &&SpecAction| spec.program().definition(action.definition);
    Action {
        name: operation.name.clone(),
        params: params.iter().zip(given).map(param).collect(),
        definitions: operation.actions.iter().map(|action| text::definition(sources, definition(action))).collect(),
        disjuncts,
    }
}

fn unrecordable(spec: &Spec, operation: &Operation<'_>) -> Option<Diagnostic> {
    let definition: &Definition = spec.program().definition(operation.actions[0].definition);
    let name = &operation.name;
    if let Some((param, _)) = definition.params.iter().find(|(_, arity)| *arity > 0) {
        let diagnostic = Diagnostic::error(format!("the parameter `{param}` of `{name}` is an operator, not a value"));
        return Some(
            diagnostic.at(definition.span).label("no trace can carry it").hint("define an action for each operator"),
        );
    }
    if definition.params.len() > MAX_PARAMS {
        let number = definition.params.len();
        let diagnostic =
            Diagnostic::error(format!("`{name}` has {number} parameters, but traces carry at most {MAX_PARAMS}"));
        return Some(diagnostic.at(definition.span).hint("put some of them into a record"));
    }
    None
}

/// The file of the specification itself: it has the name of the module, and so may its configuration.
fn root(sources: &Sources, module: Symbol) -> Option<&SourceFile> {
    let is_root = |file: &&SourceFile| {
        let has = |part: Option<&OsStr>, text: &str| part.is_some_and(|part| part == text);
        has(file.path.file_stem(), module.as_str()) && !has(file.path.extension(), "cfg")
    };
    sources.files().find(is_root)
}

fn file_name(file: &SourceFile) -> String {
    file.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The files by their names; of equal names, which can only come from different directories, the first. What the command
/// line gives and what is built in are no files.
fn copied(sources: &Sources) -> Vec<Source> {
    let mut known = HashSet::new();
    let files = sources.files().filter(|file| file.is_file());
    let files = files.map(|file| Source { file: file_name(file), text: file.text.clone() });
    files.filter(|source| known.insert(source.file.clone())).collect()
}

/// FNV-1a of all files, to detect an edit of the specification; it is not a secure hash.
fn hash(sources: &Sources) -> String {
    let texts = sources.files().flat_map(|file| file.text.bytes().chain([0xff]));
    let hash =
        texts.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

fn fail_if_any(wrong: Vec<Diagnostic>, sources: &Sources) -> Result<(), Error> {
    if wrong.is_empty() { Ok(()) } else { Err(error(wrong, sources)) }
}

fn error(diagnostics: Vec<Diagnostic>, sources: &Sources) -> Error {
    Box::new(TlaError { diagnostics, sources: sources.clone() }).into()
}
