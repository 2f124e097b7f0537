//! What the reader of a verdict should know about how it came about.

use omnilink_tla::Spec;
use omnilink_trace::Trace;

use crate::constants::Inferred;
use crate::prepare::Notes;

/// Constants that were inferred, what the configuration says and nobody looked at, and what was done to the trace.
pub(super) fn notes(
    spec: &Spec,
    trace: &Trace,
    inferred: &[Inferred],
    notes: &Notes,
    constrained: bool,
) -> Vec<String> {
    let mut all: Vec<String> = inferred.iter().map(inference).collect();
    all.extend(ignored(spec, constrained));
    let Notes { cut, dropped, open_at_cut, aborted, pending, indeterminate, model_values, .. } = notes;
    if let Some(cut) = cut {
        let (at, unit) = (trace.ns(*cut), trace.time_unit().word());
        all.push(format!(
            "the trace is incomplete and was cut at {at} {unit}, where the first lane stopped: {} \
             dropped that began later, {} taken as pending that were open there",
            count(*dropped, "event"),
            count(*open_at_cut, "event")
        ));
    }
    let mut say = |number: u64, what: &str| {
        if number > 0 {
            all.push(format!("{} {what}", count(number, "event")));
        }
    };
    say(*aborted, "aborted: without effect (--on abort=Op says otherwise)");
    say(*pending, "pending: may have taken effect or not, at any time after the beginning");
    say(*indeterminate, "indeterminate: may have taken effect or not, until the end");
    if !model_values.is_empty() {
        all.push(format!("recorded strings that name model values are taken for those: {}", model_values.join(", ")));
    }
    all.extend(trace.notices().iter().map(ToString::to_string));
    all
}

fn inference(inferred: &Inferred) -> String {
    let mut text = format!("inferred from the trace: {}", inferred.assignment());
    if !inferred.also_used.is_empty() {
        text.push_str(&format!(
            "; it is also used at {}, where other values may mean something else: give it by --const or a .cfg",
            inferred.also_used.join(", ")
        ));
    }
    text
}

/// What a configuration has for model checking.
fn ignored(spec: &Spec, constrained: bool) -> Vec<String> {
    let program = spec.program();
    let constraints = program.constraints.iter().map(|formula| ("CONSTRAINT", formula.name));
    let action_constraints = program.action_constraints.iter().map(|formula| ("ACTION_CONSTRAINT", formula.name));
    let unless_honoured = constraints.chain(action_constraints).filter(|_| !constrained);
    let mut all: Vec<_> = unless_honoured
        .map(|(section, name)| format!("{section} {name} is ignored: it is for model checking (--honour-constraints)"))
        .collect();
    let set_aside = program.set_aside.iter();
    all.extend(set_aside.map(|(section, name)| format!("{section} {name} is ignored: it is for model checking")));
    all
}

/// A number of things, in words.
pub(super) fn count(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}
