//! The specification that a trace is checked against: constants inferred, users' rules worked in.
//!
//! Rules become part of the specification: a module that extends the user's and whose next-state relation has their operators
//! as further actions. So the evaluator and TLC both see them as what they are, and their errors have places.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use omnilink_tla::internal::ir::{Action, ActionKind};
use omnilink_tla::source::SourceFile;
use omnilink_tla::spec::{Options, Session, SpecAction};
use omnilink_tla::symbol::Symbol;
use omnilink_tla::{Host, Spec};
use omnilink_trace::Trace;

use crate::constants::{self, Inferred};
use crate::error::CheckError;
use crate::rules::Rules;

/// A specification ready for one trace.
pub struct Subject {
    /// The specification.
    pub spec: Spec,
    /// The constants that were inferred.
    pub inferred: Vec<Inferred>,
}

/// The module that extends the user's.
const MODULE: &str = "OmniLinkChecked";
/// Its next-state relation, and its name for one of the user's that has none.
const NEXT: &str = "OmniLinkNext";
const RELATION: &str = "OmniLinkRelation";
/// Its name for what an aborted event is, and for what the end of a thread is. No event of a trace is these by name.
pub(crate) const ON_ABORT: &str = "OmniLinkOnAbort";
pub(crate) const ON_TERMINATE: &str = "OmniLinkOnTerminate";

/// Loads a specification for a trace.
///
/// # Errors
/// If something is wrong with it, or if the trace cannot be read.
pub fn load(path: &Path, options: &Options, rules: &Rules, trace: &Trace) -> Result<Subject, CheckError> {
    let spec = Spec::load_with(path, options, Arc::new(Session::default()))?;
    specialise(&spec, path, options, rules, trace)
}

/// Makes a specification that was loaded from `path` with `options` ready for a trace. Its files are read again only where
/// the trace or the rules add to what it is loaded with.
///
/// # Errors
/// If something is wrong with it, or if the trace cannot be read.
pub fn specialise(
    given: &Spec,
    path: &Path,
    options: &Options,
    rules: &Rules,
    trace: &Trace,
) -> Result<Subject, CheckError> {
    let (mut spec, mut options) = (given.clone(), options.clone());
    let host = Arc::clone(spec.host());
    // The default is recorded for every fuzzer, and says no more than the configuration.
    if options.next.is_none() && !matches!(trace.next(), "" | "Next") {
        options.next = Some(trace.next().to_owned());
        spec = Spec::load_with(path, &options, Arc::clone(&host))?;
    }
    let inferred = constants::infer(&spec, trace, rules)?;
    options.constants.extend(inferred.iter().map(Inferred::assignment));
    if rules.needs_module() {
        spec = load_ruled(path, &options, rules, &spec, host)?;
    } else if !inferred.is_empty() {
        spec = Spec::load_with(path, &options, host)?;
    }
    if let Some(changed) = changed(given, &spec) {
        return Err(CheckError::Rule(format!("{} has changed since it was loaded; start again", changed.display())));
    }
    if let Some((name, span)) = spec.asked_outside().into_iter().next() {
        let (path, place) = spec.sources().place(span);
        return Err(CheckError::Rule(format!(
            "{}:{}: an action uses {name}, whose value does not follow from the state; a trace can only be checked against actions \
             that mean the same whenever they are tried",
            path.display(),
            place.line
        )));
    }
    for operator in rules.also.values() {
        if !spec.program().definitions.iter().any(|definition| definition.name.as_str() == operator) {
            let text = format!("--also: the specification has no operator `{operator}` with one parameter, the event");
            return Err(CheckError::Rule(text));
        }
    }
    Ok(Subject { spec, inferred })
}

/// A file that said something else when the specification was loaded than when it was read again. A verdict on the new text
/// would be reported, and kept, as one on the old.
fn changed(before: &Spec, after: &Spec) -> Option<PathBuf> {
    let differs = |file: &&SourceFile| {
        let others = after.sources().files().filter(|other| other.path.file_name() == file.path.file_name());
        let others: Vec<_> = others.collect();
        !others.is_empty() && others.iter().all(|other| other.text != file.text)
    };
    before.sources().files().find(differs).map(|file| file.path.clone())
}

fn load_ruled(
    path: &Path,
    options: &Options,
    rules: &Rules,
    spec: &Spec,
    host: Arc<dyn Host>,
) -> Result<Spec, CheckError> {
    let file = |path: &Path, error| CheckError::File { path: path.to_owned(), error };
    let directory = tempfile::tempdir().map_err(|error| file(Path::new("a temporary directory"), error))?;
    let module = directory.path().join(format!("{MODULE}.tla"));
    fs::write(&module, module_text(spec, rules)?).map_err(|error| file(&module, error))?;
    let mut options = options.clone();
    let beside = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    options.module_path.insert(0, beside.to_owned());
    options.next = Some(NEXT.to_owned());
    Ok(Spec::load_with(&module, &options, host)?)
}

/// The text of the module that works rules into a specification.
fn module_text(spec: &Spec, rules: &Rules) -> Result<String, CheckError> {
    let program = spec.program();
    let mut text = format!("---- MODULE {MODULE} ----\nEXTENDS {}\nOmniLinkTLC == INSTANCE TLC\n", program.module);
    let mut disjuncts = String::new();
    match &program.next {
        Some((_, next)) if !rules.actions_only => {
            let _ = writeln!(disjuncts, "    \\/ {}", relation(spec, next, &mut text)?);
        }
        _ => spec.actions().actions.iter().for_each(|action| disjuncts.push_str(&bare_call(action))),
    }
    for (name, operator) in [(ON_ABORT, &rules.on_abort), (ON_TERMINATE, &rules.on_terminate)] {
        let Some(operator) = operator else { continue };
        // A conjunction is an action of its own, even if the operator only chooses among others.
        let _ = writeln!(text, "{name}(omnilink_event) == TRUE /\\ {operator}(omnilink_event)");
        let _ = writeln!(disjuncts, "    \\/ \\E omnilink_event \\in OmniLinkTLC!Any : {name}(omnilink_event)");
    }
    let _ = write!(text, "{NEXT} ==\n{disjuncts}====\n");
    Ok(text)
}

/// The name of the specification's own next-state relation. If it has none, what stands in `[][…]_vars` gets one in
/// `text`.
fn relation(spec: &Spec, next: &Action, text: &mut String) -> Result<Symbol, CheckError> {
    let program = spec.program();
    if let ActionKind::Call(id, args) = &next.kind
        && args.is_empty()
    {
        return Ok(program.definition(*id).name);
    }
    let (path, place) = spec.sources().place(next.span);
    if path.file_stem().is_none_or(|module| module != program.module.as_str()) {
        // Its names may mean something else where the rules are.
        return Err(CheckError::Rule(format!(
            "{}:{}: the next-state relation has no name, and with rules for events it needs one; define it as an \
             operator",
            path.display(),
            place.line
        )));
    }
    let _ = writeln!(text, "{RELATION} ==\n{}", spec.sources().in_place(next.span));
    Ok(Symbol::new(RELATION))
}

/// An action as a disjunct that asks for nothing but its own definition.
fn bare_call(action: &SpecAction) -> String {
    let names: Vec<String> = (1..=action.params.len()).map(|at| format!("omnilink_{at}")).collect();
    if names.is_empty() {
        return format!("    \\/ {}\n", action.name);
    }
    let names = names.join(", ");
    format!("    \\/ \\E {names} \\in OmniLinkTLC!Any : {}({names})\n", action.name)
}
