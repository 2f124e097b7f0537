//! The report as Markdown, for pull requests, issues and terminals.

use std::fmt::Write;

use omnilink_check::boxes::Histogram;

use super::coverage_status::{CoverageStatus, MEANING, tally};
use super::files::page_name;
use super::model::{Campaign, Failure, Report, SpecCoverage};
use super::words::{count, least_of, milliseconds, moment, number, spread, width};

/// All campaigns in a table.
pub fn overview(report: &Report) -> String {
    let mut out = format!("# Campaigns\n\n{} — OmniLink {}\n\n", code(&report.store), report.omnilink);
    out += "| campaign | specification | started | runs | calls | accepted | rejected | crashed | deadlocked | failures |\n";
    out += "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
    for (at, campaign) in report.campaigns.iter().enumerate() {
        let _ = writeln!(
            out,
            "| [{}]({}.md) | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            text(&campaign.title),
            page_name(report, at),
            text(&campaign.specs().join(", ")),
            campaign.started.map(moment).unwrap_or_default(),
            number(campaign.totals.runs),
            number(campaign.totals.events),
            number(campaign.judged("accepted")),
            number(campaign.judged("rejected") + campaign.judged("violated")),
            number(campaign.ended_as("crashed")),
            number(campaign.ended_as("deadlocked")),
            number(campaign.failures.len() as u64),
        );
    }
    out
}

/// A campaign.
pub fn campaign(report: &Report, campaign: &Campaign) -> String {
    let mut out = format!("# {}\n\n", text(&campaign.title));
    let endings = campaign.totals.endings.iter().map(|(kind, runs)| format!("{} {kind}", number(*runs)));
    let verdicts = campaign.totals.verdicts.iter().map(|(verdict, runs)| format!("{} {verdict}", number(*runs)));
    let mut fact = |name: &str, fact: String| {
        if !fact.is_empty() {
            let _ = writeln!(out, "- {name}: {fact}");
        }
    };
    fact("campaign", campaign.name.as_deref().map(code).unwrap_or_default());
    fact("specification", text(&campaign.specs().join(", ")));
    fact("started", campaign.started.map(moment).unwrap_or_default());
    fact("runs", number(campaign.totals.runs));
    fact("calls recorded", number(campaign.totals.events));
    fact("endings", text(&endings.collect::<Vec<_>>().join(", ")));
    fact("verdicts", text(&verdicts.collect::<Vec<_>>().join(", ")));
    fact("not checked", if campaign.unchecked > 0 { number(campaign.unchecked) } else { String::new() });
    let first = campaign.first_failure.as_ref().map(|first| {
        let after = first.after.map(|after| format!("{}, ", milliseconds(after))).unwrap_or_default();
        format!("{after}{}", count(first.runs, "run"))
    });
    fact("to the first failure", first.unwrap_or_default());
    fact("store", code(&report.store));
    if !campaign.notes.is_empty() {
        out += "\n## Notes\n\n";
        for noted in &campaign.notes {
            let _ = writeln!(out, "- **{}**: {}", noted.common.note.word(), text(&campaign.sentence(noted)));
        }
    }
    out += "\n## Failures\n\n";
    if campaign.failures.is_empty() {
        out += "None.\n";
    }
    campaign.failures.iter().for_each(|failure| write_failure(failure, &mut out));
    if !campaign.undecided.is_empty() {
        out += "\n## Not decided\n\n";
        for reason in &campaign.undecided {
            let _ = writeln!(out, "- {}× {}: {}", number(reason.count), reason.answer, text(&reason.why));
        }
    }
    out += "\n## Coverage\n\n";
    campaign.coverage.iter().for_each(|spec| write_coverage(spec, campaign, &mut out));
    let _ = writeln!(out, "{}", text(MEANING));
    write_schedules(campaign, &mut out);
    write_boxes(campaign, &mut out);
    out
}

fn write_failure(failure: &Failure, out: &mut String) {
    let _ = writeln!(out, "### {}× {}\n", number(failure.count), text(&failure.cause.to_string()));
    let _ = writeln!(out, "{}\n", text(&failure.rate.to_string()));
    for also in &failure.also {
        let _ = writeln!(out, "- also, {}×: {}", number(also.count), text(&also.cause.to_string()));
    }
    if !failure.also.is_empty() {
        let _ = writeln!(out);
    }
    for run in &failure.runs {
        let name = run.number.map_or_else(|| code(&run.run), |number| format!("{number} ({})", code(&run.run)));
        let seed = format!("{}, seed {}", text(&run.mode), run.seed);
        let document =
            run.counterexample.as_ref().map(|path| format!(", [counterexample]({path})")).unwrap_or_default();
        let _ = writeln!(out, "- run {name}, {seed}: {}{document}", text(&run.ending));
    }
    let more = failure.count - failure.runs.len() as u64;
    if more > 0 {
        let _ = writeln!(out, "- and {} with the same cause", count(more, "other run"));
    }
    let first = failure.runs.first();
    let commands: Vec<_> =
        first.iter().flat_map(|run| run.replay.iter().chain(&run.debug).chain(&run.export)).cloned().collect();
    if !commands.is_empty() {
        let _ = write!(out, "\n{}", block(&commands.join("\n")));
    }
    for told in failure.explanation.iter().chain(&Some(failure.stderr.join("\n")).filter(|lines| !lines.is_empty())) {
        let _ = write!(out, "\n{}", block(told.trim_end()));
    }
    out.push('\n');
}

fn write_coverage(spec: &SpecCoverage, campaign: &Campaign, out: &mut String) {
    let [actions, branches] = tally(&spec.coverage);
    let of_branches = match branches {
        (_, 0) => String::new(),
        (taken, all) => format!(" and {taken} of {all} branches"),
    };
    let orders = count(spec.coverage.orders, "order");
    let _ = writeln!(
        out,
        "{}: {} of {} actions{of_branches} taken, from {orders} of accepted runs.\n",
        text(&spec.spec),
        actions.0,
        actions.1,
    );
    *out += "| action, branch | | recorded | enabled | taken | where |\n| --- | --- | ---: | ---: | ---: | --- |\n";
    for action in &spec.coverage.actions {
        let status = CoverageStatus::of_action(action, &spec.coverage, campaign).words();
        let place = format!("{}:{}", text(&action.place.file), action.place.line);
        let (recorded, taken) = (number(action.recorded), number(action.taken));
        let _ = writeln!(out, "| **{}** | {status} | {recorded} | | {taken} | {place} |", text(&action.name));
        for branch in &action.branches {
            let status = CoverageStatus::of_branch(branch, action).words_of_branch();
            let place = format!("{}:{}", text(&branch.place.file), branch.place.line);
            let (enabled, taken) = (number(branch.enabled), number(branch.taken));
            let formula = code(&branch.formula).replace('|', "\\|");
            let _ = writeln!(out, "| {} {formula} | {status} | | {enabled} | {taken} | {place} |", branch.kind);
        }
    }
    out.push('\n');
}

fn write_schedules(campaign: &Campaign, out: &mut String) {
    let schedules = &campaign.schedules;
    *out += "\n## Schedules\n\n";
    for (mode, runs) in &schedules.modes {
        let _ = writeln!(out, "- {} {}", number(*runs), text(mode));
    }
    let (seeds, distinct, scheduled) = (schedules.seeds, schedules.distinct, schedules.scheduled);
    let _ = writeln!(out, "- {}, {distinct} distinct schedules in {scheduled} scheduled runs", count(seeds, "seed"));
    let spreads = [
        ("calls in a run", &schedules.events),
        ("threads", &schedules.threads),
        ("points", &schedules.points),
        ("decisions", &schedules.decisions),
        ("switches", &schedules.switches),
    ];
    for (name, numbers) in spreads {
        if let Some(numbers) = numbers {
            let _ = writeln!(out, "- {name}: {} (of {})", spread(numbers, number), count(numbers.count, "run"));
        }
    }
}

fn write_boxes(campaign: &Campaign, out: &mut String) {
    if !campaign.boxes.is_empty() {
        out.push_str("\n## Timeboxes\n\n");
    }
    for measured in &campaign.boxes {
        let _ = writeln!(out, "Of {}.\n", count(measured.runs, "run"));
        let unit = measured.boxes.unit.as_str();
        write_histogram("width from", &measured.boxes.widths, |amount| width(amount, unit), out);
        write_histogram("overlaps from", &measured.boxes.overlaps, number, out);
    }
}

fn write_histogram(name: &str, histogram: &Histogram, show: impl Fn(u64) -> String, out: &mut String) {
    let _ = writeln!(out, "| {name} | calls |\n| ---: | ---: |");
    for (place, count) in histogram.0.iter().enumerate().filter(|(_, count)| **count > 0) {
        let _ = writeln!(out, "| {} | {} |", show(least_of(place)), number(*count));
    }
    out.push('\n');
}

/// Text, escaped for Markdown.
fn text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '&' | '~' => escaped.extend(['\\', c]),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Inline code: the fence is longer than any run of backquotes inside.
fn code(code: &str) -> String {
    let code: String = code.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let fence = fence(&code, 1);
    if code.contains('`') || code.is_empty() {
        format!("{fence} {code} {fence}")
    } else {
        format!("{fence}{code}{fence}")
    }
}

/// A code block.
fn block(code: &str) -> String {
    let fence = fence(code, 3);
    format!("{fence}text\n{code}\n{fence}\n")
}

fn fence(code: &str, least: usize) -> String {
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(least.max(longest + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(text("<b> a|b `c` [d](e)\n# f"), "\\<b\\> a\\|b \\`c\\` \\[d\\](e) \\# f");
        assert_eq!([code("x"), code("a `b` c"), code("``")], ["`x`", "`` a `b` c ``", "``` `` ```"]);
        assert_eq!(block("a\n````\nb"), "`````text\na\n````\nb\n`````\n");
    }
}
