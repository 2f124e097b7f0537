//! From actions to logged operations: most are one action, and `X_Step(args)` with `X_Done(args)` are one operation
//! `X`: any number of steps, followed by one `X_Done`.

use omnilink_tla::Spec;
use omnilink_tla::diagnostic::Diagnostic;
use omnilink_tla::spec::SpecAction;

const STEP: &str = "_Step";
const DONE: &str = "_Done";

/// A logged operation.
#[derive(Clone, Debug)]
pub(super) struct Operation<'s> {
    pub name: String,
    /// One, or the step and the end.
    pub actions: Vec<&'s SpecAction>,
}

/// The operations of these actions, in their order.
pub(super) fn operations<'s>(
    spec: &Spec,
    actions: impl IntoIterator<Item = &'s SpecAction>,
) -> Result<Vec<Operation<'s>>, Vec<Diagnostic>> {
    let actions: Vec<&SpecAction> = actions.into_iter().collect();
    let named = |name: String| actions.iter().copied().find(|action| action.name.as_str() == name);
    let mut operations: Vec<Operation<'s>> = Vec::new();
    let mut wrong = Vec::new();
    for &action in &actions {
        let name = action.name.as_str();
        let operation = match (name.strip_suffix(STEP), name.strip_suffix(DONE)) {
            (Some(base), _) if !base.is_empty() => match named(format!("{base}{DONE}")) {
                Some(done) => pair(base, action, done),
                None => Err(missing(spec, action, base, DONE)),
            },
            (_, Some(base)) if !base.is_empty() => match named(format!("{base}{STEP}")) {
                Some(step) => pair(base, step, action),
                None => Err(missing(spec, action, base, STEP)),
            },
            _ => Ok(Operation { name: name.to_owned(), actions: vec![action] }),
        };
        match operation {
            Ok(operation) => match operations.iter().find(|known| known.name == operation.name) {
                Some(known) if known.actions[0].definition == operation.actions[0].definition => {}
                Some(_) => wrong.push(twice(operation.actions[0], &operation.name)),
                None => operations.push(operation),
            },
            Err(diagnostic) => wrong.push(diagnostic),
        }
    }
    // Both actions of a pair find the same.
    wrong.dedup();
    if wrong.is_empty() { Ok(operations) } else { Err(wrong) }
}

fn pair<'s>(base: &str, step: &'s SpecAction, done: &'s SpecAction) -> Result<Operation<'s>, Diagnostic> {
    if step.params == done.params {
        return Ok(Operation { name: base.to_owned(), actions: vec![step, done] });
    }
    let signature = |action: &SpecAction| {
        let params: Vec<_> = action.params.iter().map(ToString::to_string).collect();
        format!("{}({})", action.name, params.join(", "))
    };
    let (step_text, done_text) = (signature(step), signature(done));
    Err(Diagnostic::error(format!(
        "`{step_text}` and `{done_text}` are one operation `{base}`, but differ in parameters"
    ))
    .at(done.span)
    .label("this is its end")
    .hint("give both the same parameters in the same order, or rename one of them"))
}

fn missing(spec: &Spec, action: &SpecAction, base: &str, suffix: &str) -> Diagnostic {
    let (name, other) = (action.name, format!("{base}{suffix}"));
    let (label, hint) = if suffix == DONE {
        ("a step of an operation that never ends", format!("define `{other}` with the same parameters"))
    } else {
        ("the end of an operation without steps", format!("define `{other}` with the same parameters"))
    };
    let next = spec.program().next.as_ref().map_or("Next", |(name, _)| name.as_str());
    let is_defined = spec.program().definitions.iter().any(|definition| definition.name.as_str() == other);
    let (what, hint) = if is_defined {
        (format!("`{next}` does not lead to `{other}`"), format!("make `{other}` a disjunct of `{next}`"))
    } else {
        (format!("there is no `{other}`"), hint)
    };
    Diagnostic::error(format!("`{name}` needs `{other}`: {what}"))
        .at(action.span)
        .label(label)
        .hint(format!("{hint}, rename `{name}`, or leave it out with --exclude {name}"))
}

fn twice(action: &SpecAction, name: &str) -> Diagnostic {
    Diagnostic::error(format!("two operations are named `{name}`"))
        .at(action.span)
        .label("the second")
        .hint("an event of a trace could be either: rename one of them, or leave it out with --exclude")
}
