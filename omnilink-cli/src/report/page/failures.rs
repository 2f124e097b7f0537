//! The failures, each with its explanation and commands.

use super::super::html::{Html, all, classed, element, link, plain, text};
use super::super::model::{Campaign, FailingRun, Failure};
use super::super::words::{count, number};
use super::{row, section as part, table};
use crate::alike::cause::Cause;

/// The maximum number of listed reasons for undecided runs.
const REASONS: usize = 20;

/// All failures; nothing if there are none.
pub fn section(campaign: &Campaign) -> Html {
    if campaign.failures.is_empty() {
        return part("failures", "Failures", classed("p", "faint", "None."));
    }
    let all_of_them = campaign.failures.iter().enumerate().map(|(at, failure)| article(failure, at == 0));
    part("failures", "Failures", all_of_them.collect())
}

fn article(failure: &Failure, is_open: bool) -> Html {
    let head = all([classed("span", "chip bad", format!("{}×", number(failure.count))), heading(&failure.cause)]);
    let rows = failure.runs.iter().map(run);
    let more = failure.count - failure.runs.len() as u64;
    let more =
        (more > 0).then(|| classed("p", "faint", format!("and {} with the same cause", count(more, "other run"))));
    classed(
        "article",
        "failure",
        all([
            plain("h3", head),
            classed("p", "faint", failure.rate.to_string()),
            also(failure),
            explanation(failure, is_open),
            table(["run", "mode", "seed", "ended", "go on"], rows),
            more.unwrap_or_default(),
            failure.runs.first().map(commands).unwrap_or_default(),
        ]),
    )
}

/// The other ways in which some of the runs failed.
fn also(failure: &Failure) -> Html {
    let ways = failure.also.iter().map(|also| plain("li", format!("{}× {}", number(also.count), also.cause)));
    if failure.also.is_empty() { Html::default() } else { plain("ul", ways.collect::<Html>()) }
}

fn heading(cause: &Cause) -> Html {
    match cause {
        Cause::Ending { kind, text: words } => all([plain("b", kind), text(format!(": {words}"))]),
        Cause::Rejected { spec, failing: None } => {
            all([plain("b", "rejected"), text(format!(" by {spec}; the engine gives no reason"))])
        }
        Cause::Rejected { spec, failing: Some(failing) } => {
            let place = failing.place.as_ref();
            let place = place.map_or_else(|| spec.clone(), |(file, line, _)| format!("{file}:{line}"));
            let formula = match failing.conjunct.as_str() {
                "" => text(" is not possible"),
                conjunct => all([text(": "), plain("code", conjunct), text(" is FALSE")]),
            };
            all([plain("b", &failing.action), formula, classed("span", "place", place)])
        }
        Cause::Violated { spec, invariant } => {
            all([text("invariant "), plain("b", invariant), text(" violated"), classed("span", "place", spec)])
        }
    }
}

fn explanation(failure: &Failure, is_open: bool) -> Html {
    let mut inside = failure.explanation.iter().map(|told| plain("pre", told.trim_end())).collect::<Html>();
    if !failure.stderr.is_empty() {
        let lines = plain("pre", failure.stderr.join("\n"));
        inside = all([inside, classed("p", "faint", "the end of its standard error"), lines]);
    }
    if inside.is_empty() {
        return inside;
    }
    let open: &[(&'static str, &str)] = if is_open { &[("open", "")] } else { &[] };
    element("details", open, all([plain("summary", "the first of them, explained"), inside]))
}

fn run(run: &FailingRun) -> Html {
    let name = match run.number {
        Some(number) => all([text(format!("{number} ")), classed("code", "faint", &run.run)]),
        None => plain("code", &run.run),
    };
    let onward = match &run.counterexample {
        Some(path) => link(path, "counterexample"),
        None => classed("span", "faint", "–"),
    };
    let (seed, mode, ending) = (run.seed.to_string(), run.mode.as_str(), run.ending.as_str());
    row([name, text(mode), plain("code", seed), text(ending), onward])
}

fn commands(run: &FailingRun) -> Html {
    let replay = match (&run.replay, &run.export) {
        (Some(replay), _) => all([plain("dt", "replay"), plain("dd", plain("code", replay))]),
        (None, Some(_)) => {
            let why = "not possible: nothing controlled its schedule (--chaos does)";
            all([plain("dt", "replay"), classed("dd", "faint", why)])
        }
        (None, None) => {
            let why = "its files are not in the store; a run of the chaos scheduler can be repeated from its seed";
            all([plain("dt", "replay"), classed("dd", "faint", why)])
        }
    };
    let debug = run.debug.as_ref().map(|debug| all([plain("dt", "debug"), plain("dd", plain("code", debug))]));
    let export = run.export.as_ref().map(|export| all([plain("dt", "take out"), plain("dd", plain("code", export))]));
    classed("dl", "commands", all([replay, debug.unwrap_or_default(), export.unwrap_or_default()]))
}

/// Runs that were not decided; nothing if there are none.
pub fn undecided(campaign: &Campaign) -> Html {
    if campaign.undecided.is_empty() {
        return Html::default();
    }
    let rows = campaign.undecided.iter().take(REASONS).map(|reason| {
        let (why, count) = (text(&reason.why), text(number(reason.count)));
        row([count, classed("span", "chip doubtful", reason.answer), why, plain("code", &reason.run)])
    });
    let more = campaign.undecided.len().saturating_sub(REASONS) as u64;
    let more = (more > 0).then(|| classed("p", "faint", format!("and {}", count(more, "other reason"))));
    let inside = all([table(["runs", "", "why", "the first of them"], rows), more.unwrap_or_default()]);
    part("undecided", "Not decided", inside)
}
