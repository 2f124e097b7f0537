//! Parts of a next-state relation that are not calls of definitions: events of a trace could not name them.

use omnilink_tla::Spec;
use omnilink_tla::diagnostic::Diagnostic;
use omnilink_tla::internal::ir::{Action, ActionKind};
use omnilink_tla::source::Span;
use omnilink_tla::symbol::Symbol;

/// The maximum length of a printed formula.
const SHOWN: usize = 60;

/// An error for each part that may change a variable.
pub(super) fn parts(spec: &Spec, next: Symbol) -> Vec<Diagnostic> {
    let parts = spec.actions().nameless.iter().filter(|part| !part.stutters && !part.never).map(|part| part.span);
    let parts = parts.chain(parts_of_the_whole(spec, next));
    parts.map(|part| has_no_name(spec, part, next)).collect()
}

/// A note for each part that is FALSE: no event can be one of it, so it needs no name.
pub(super) fn impossible(spec: &Spec, next: Symbol) -> Vec<String> {
    let parts = spec.actions().nameless.iter().filter(|part| part.never);
    let note = |span: Span| {
        let (path, place) = spec.sources().place(span);
        let (formula, line) = (spec.sources().one_line(span), place.line);
        format!("{formula} in {next} ({}:{line}) is FALSE, so it is never possible: it is left out", path.display())
    };
    parts.map(|part| note(part.span)).collect()
}

/// A relation that calls no definition is one action with its own name; if it branches, it is several actions without names.
fn parts_of_the_whole(spec: &Spec, next: Symbol) -> Vec<Span> {
    let [action] = &spec.actions().actions[..] else { return Vec::new() };
    match &spec.program().definition(action.definition).action {
        Some(body) if action.name == next && matches!(body.kind, ActionKind::Or(_) | ActionKind::Exists(..)) => {
            leaves(body)
        }
        _ => Vec::new(),
    }
}

fn leaves(action: &Action) -> Vec<Span> {
    match &action.kind {
        ActionKind::Or(parts) => parts.iter().flat_map(leaves).collect(),
        ActionKind::Exists(_, body) => leaves(body),
        ActionKind::Unchanged(_) => Vec::new(),
        _ => vec![action.span],
    }
}

fn has_no_name(spec: &Spec, part: Span, next: Symbol) -> Diagnostic {
    let formula = spec.sources().one_line(part);
    let is_long = formula.chars().count() > SHOWN;
    let shown = if is_long { formula.chars().take(SHOWN).collect::<String>() + "..." } else { formula };
    Diagnostic::error(format!("a part of `{next}` has no name that an event of a trace could have: {shown}"))
        .at(part)
        .label("no call of a definition")
        .hint(format!(
            "name it: define `MyAction == {shown}` before `{next}` and write `MyAction` here; names that quantifiers \
             around it bind become parameters, as in `\\E x \\in S : MyAction(x)`"
        ))
}
