//! What is told about criteria other than linearizability, as text.

use std::io::{self, Write};

use super::call_table::CallTable;
use super::{Palette, Style, count, write_state};
use crate::report::consistency::{Consistency, Context, Example, Seeing, Strongest, Unexplained};
use crate::report::model::{Call, Report, Verdict};

/// Writes the verdict on a criterion, without the end of the line.
pub(super) fn write_verdict(report: &Report, palette: Palette, out: &mut dyn Write) -> io::Result<()> {
    let Palette { good, bad, .. } = palette;
    let Some(found) = &report.consistency else { return Ok(()) };
    let (events, spec) = (count(report.statistics.events, "event"), &report.spec);
    let criterion = &found.criterion;
    let (satisfy, do_not) =
        if report.statistics.events == 1 { ("satisfies", "does not") } else { ("satisfy", "do not") };
    match (&report.verdict, &found.strongest) {
        (Verdict::Accepted, Some(strongest)) => {
            let names = strongest.general.join(", ");
            write!(
                out,
                "{good}accepted{good:#}: the strongest criteria that its {events} {satisfy} by {spec} are {names}"
            )
        }
        (_, Some(_)) => {
            write!(out, "{bad}rejected{bad:#}: its {events} {satisfy} no criterion by {spec}, not even return-value")
        }
        (Verdict::Accepted, None) => {
            write!(out, "{good}accepted{good:#}: its {events} {satisfy} the criterion `{criterion}` by {spec}")
        }
        _ => write!(out, "{bad}rejected{bad:#}: its {events} {do_not} satisfy the criterion `{criterion}` by {spec}"),
    }
}

/// Writes what was found.
pub(super) fn write(found: &Consistency, style: Style, out: &mut dyn Write) -> io::Result<()> {
    if let Some(strongest) = &found.strongest {
        write_strongest(strongest, out)?;
    }
    write_partial_views(&found.linearization, style, out)?;
    found.unexplained.as_ref().map_or(Ok(()), |unexplained| write_unexplained(unexplained, style, out))
}

fn write_strongest(strongest: &Strongest, out: &mut dyn Write) -> io::Result<()> {
    for it in &strongest.by_operation {
        writeln!(out, "  if all others are linearizable, {} is {}", it.operation, it.criteria.join(", "))?;
    }
    let is_linearizable = strongest.general.iter().any(|name| name == "linearizable");
    if strongest.by_operation.is_empty() && strongest.unknown.is_empty() && !is_linearizable {
        writeln!(out, "  there is no operation without which the others are linearizable")?;
    }
    Ok(())
}

/// So many calls that do not see everything are shown.
const SHOWN: usize = 5;

/// Calls that do not see all calls before them.
fn write_partial_views(linearization: &[Seeing], style: Style, out: &mut dyn Write) -> io::Result<()> {
    let Palette { faint, .. } = style.palette;
    let partial: Vec<_> = linearization
        .iter()
        .filter_map(|seeing| Some((&seeing.call, seeing.misses.as_ref().filter(|misses| !misses.is_empty())?)))
        .collect();
    if partial.is_empty() {
        return Ok(());
    }
    let calls = count(partial.len() as u64, "call");
    writeln!(out, "  {calls} of the linearization found did not see all calls before:")?;
    for (call, misses) in partial.iter().take(SHOWN) {
        let missed: Vec<_> = misses.iter().take(SHOWN).map(|at| linearization[*at].call.call.as_str()).collect();
        let more = if misses.len() > SHOWN { format!(", {} more", misses.len() - SHOWN) } else { String::new() };
        writeln!(out, "    {} {faint}({}){faint:#} did not see {}{more}", call.call, name(call), missed.join(", "))?;
    }
    match partial.len().saturating_sub(SHOWN) {
        0 => Ok(()),
        more => writeln!(out, "    {faint}and {more} more; --witness FILE writes all{faint:#}"),
    }
}

fn name(call: &Call) -> String {
    format!("event {} of {}", call.index, lane(call))
}

fn lane(call: &Call) -> String {
    if call.thread.is_empty() { format!("lane {}", call.lane) } else { call.thread.clone() }
}

fn write_unexplained(unexplained: &Unexplained, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let Unexplained { placed, events, time_unit, examples, hopeless } = unexplained;
    let Palette { heading, bad, .. } = style.palette;
    let Some(example) = examples.first() else { return Ok(()) };
    if *hopeless {
        writeln!(out, "\n  No linearization explains one of the {events} calls, whatever the other calls returned")?;
    } else {
        writeln!(
            out,
            "\n  Linearizations have at most {placed} of the {events} calls. In one of these, the next would be"
        )?;
    }
    let table = CallTable::new(example.before.iter().chain([&example.call]), time_unit, style.palette);
    table.head(out)?;
    table.call(&example.call, out)?;
    writeln!(out, "\n")?;
    write_reason(example, bad, out)?;
    for (nth, context) in example.contexts.iter().enumerate() {
        write_context(example, context, nth, style, out)?;
    }
    writeln!(out, "\n  {heading}the calls before it{heading:#}, in the order of this linearization")?;
    if example.earlier > 0 {
        writeln!(out, "    after {} earlier", count(example.earlier, "call"))?;
    }
    table.head(out)?;
    for call in &example.before {
        table.call(call, out)?;
        writeln!(out)?;
    }
    match examples.len() {
        0 | 1 => Ok(()),
        several => {
            let others: Vec<_> = examples[1..].iter().map(|other| other.call.call.as_str()).collect();
            writeln!(
                out,
                "\n  other linearizations of that length stop at {} ({} in --json)",
                others.join(", "),
                several - 1
            )
        }
    }
}

fn write_reason(example: &Example, bad: anstyle::Style, out: &mut dyn Write) -> io::Result<()> {
    let Example { call, sees_all, impossible, possible, sets, more_sets, .. } = example;
    let call = &call.call;
    if *impossible {
        return writeln!(
            out,
            "  {bad}{call} is not possible there, whatever its result{bad:#}; calls to come that are linearizable or sequential see it and all \
             calls before it"
        );
    }
    if *sees_all {
        writeln!(out, "  {bad}its result does not follow from all calls before it, which it has to see{bad:#}")?;
    } else {
        let sets = if *more_sets { format!("more than {sets} sets") } else { count(*sets, "set") };
        writeln!(
            out,
            "  {bad}no set of calls that it may see explains its result{bad:#} (allowed: {sets} of visible calls)"
        )?;
    }
    match possible.as_slice() {
        [] => writeln!(out, "  whatever its result, it is possible after none of them"),
        some => writeln!(out, "  instead of {call}, they explain {}", some.join(", ")),
    }
}

fn write_context(
    example: &Example,
    context: &Context,
    nth: usize,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Palette { heading, .. } = style.palette;
    let title = match (example.sees_all || example.impossible, nth, context.misses.is_empty()) {
        (true, ..) => "after all calls before it".to_owned(),
        (_, 0, true) => "if it sees all calls before it".to_owned(),
        _ => {
            let missed: Vec<_> = context.misses.iter().take(SHOWN).map(|call| call.call.as_str()).collect();
            let more = context.misses.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("if it sees only what it must, and so not {}{more}", missed.join(", "))
        }
    };
    writeln!(out, "\n  {heading}{title}{heading:#}")?;
    if context.state.is_empty() {
        return writeln!(out, "    these calls are not possible one after the other");
    }
    write_state(&context.state, None, style, out)?;
    match context.possible.as_slice() {
        [] => writeln!(out, "    it is not possible there, whatever its result"),
        some => writeln!(out, "    it could be {}", some.join(", ")),
    }
}
