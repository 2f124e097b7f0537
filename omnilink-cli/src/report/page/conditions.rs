//! The conditions of a campaign: schedules, timeboxes, machine and command.

use omnilink_check::boxes::Histogram;

use super::super::html::{Html, all, classed, plain, text};
use super::super::model::{Campaign, MeasuredBoxes, Report, Spread};
use super::super::svg::{self, Bar};
use super::super::words::{count, least_of, milliseconds, number, seconds, spread, width};
use super::section;

fn list(facts: impl IntoIterator<Item = (&'static str, Html)>) -> Html {
    let facts = facts.into_iter().filter(|(_, fact)| !fact.is_empty());
    classed("dl", "facts", facts.flat_map(|(name, fact)| [plain("dt", name), plain("dd", fact)]).collect::<Html>())
}

/// How the runs were scheduled.
pub fn schedules(campaign: &Campaign) -> Html {
    let schedules = &campaign.schedules;
    let modes = schedules.modes.iter().map(|(mode, runs)| format!("{} {mode}", number(*runs)));
    let modes = modes.collect::<Vec<_>>().join(" · ");
    let of = |numbers: &Option<Spread>| numbers.as_ref().map(|it| spread(it, number)).map(text).unwrap_or_default();
    let distinct = (schedules.scheduled > 0)
        .then(|| text(format!("{} in {}", number(schedules.distinct), count(schedules.scheduled, "scheduled run"))));
    let notes = schedules.notes.iter().map(|(note, runs)| plain("li", format!("{}: {note}", count(*runs, "run"))));
    let notes: Html = notes.collect();
    let notes = if notes.is_empty() { notes } else { all([plain("p", "Notes of the scheduler"), plain("ul", notes)]) };
    let time = schedules.milliseconds.as_ref().map(|it| text(spread(it, milliseconds))).unwrap_or_default();
    let facts = list([
        ("runs", text(modes)),
        ("seeds", text(number(schedules.seeds))),
        ("distinct schedules", distinct.unwrap_or_default()),
        ("time of a run", time),
        ("calls in a run", of(&schedules.events)),
        ("threads", of(&schedules.threads)),
        ("points passed", of(&schedules.points)),
        ("decisions", of(&schedules.decisions)),
        ("switches", of(&schedules.switches)),
    ]);
    section("schedules", "Schedules", all([facts, notes]))
}

/// Histograms of the timeboxes.
pub fn boxes(campaign: &Campaign) -> Html {
    let mut told = "The bar with the median is filled; point at a bar to see what it counts.".to_owned();
    if campaign.boxes.is_empty() {
        told = "No trace was measured.".to_owned();
    }
    if campaign.unreadable > 0 {
        told += &format!(" The traces of {} cannot be read.", count(campaign.unreadable, "run"));
    }
    let measured: Html = campaign.boxes.iter().map(figures).collect();
    section("boxes", "Timeboxes", all([classed("p", "faint", told), measured]))
}

fn figures(measured: &MeasuredBoxes) -> Html {
    let boxes = &measured.boxes;
    let widths = bars(&boxes.widths, |least| width(least, &boxes.unit));
    let overlaps = bars(&boxes.overlaps, number);
    let axis = "width of the timebox; every bar is twice as wide as the one before";
    let drawn = [
        figure("Widths of timeboxes", svg::histogram(&widths, axis)),
        figure("Overlaps of timeboxes", svg::histogram(&overlaps, "other calls that were open meanwhile")),
    ];
    let clock = if boxes.unit == "ns" { "" } else { ", by the clock of the chaos scheduler or another without a rate" };
    let mut told = format!("{} of {}{clock}", count(boxes.overlaps.total(), "call"), count(measured.runs, "run"));
    if boxes.open > 0 {
        told += &format!("; {} never ended, and have no width", number(boxes.open));
    }
    all([plain("p", told), classed("div", "figures", all(drawn))])
}

fn figure(caption: &str, drawing: Html) -> Html {
    plain("figure", all([plain("figcaption", caption), drawing]))
}

/// The bars from the first that counts something to the last.
fn bars(histogram: &Histogram, show: impl Fn(u64) -> String) -> Vec<Bar> {
    let median = histogram.median();
    let first = histogram.0.iter().position(|count| *count > 0).unwrap_or(0);
    let last = histogram.0.iter().rposition(|count| *count > 0).unwrap_or(0);
    let bar = |(place, count): (usize, &u64)| {
        let least = least_of(place);
        let range = match place {
            0 | 1 => show(least),
            _ => format!("{} – {}", show(least), show(least_of(place + 1))),
        };
        Bar { label: show(least), range, count: *count, has_median: median == Some(place) }
    };
    histogram.0.iter().enumerate().take(last + 1).skip(first).map(bar).collect()
}

/// The options of the campaign, the machine, and the cost of checking.
pub fn about(report: &Report, campaign: &Campaign) -> Html {
    let checking = &campaign.checking;
    let checked = (checking.verdicts > 0).then(|| {
        text(format!(
            "{}, {}, {} in all, {} at most",
            count(checking.verdicts, "verdict"),
            count(checking.configurations, "configuration"),
            seconds(checking.seconds),
            seconds(checking.slowest)
        ))
    });
    let mut facts = vec![
        ("checking took", checked.unwrap_or_default()),
        ("runs took", text(milliseconds(campaign.totals.milliseconds))),
        ("files", text(format!("{} in the store with all their files", count(campaign.with_files, "run")))),
        ("store", plain("code", &report.store)),
    ];
    if let Some(description) = &campaign.description {
        let host = &description.host;
        let machine = [host.processor.clone(), count(host.processors as u64, "processor"), host.kernel.clone()];
        let machine: Vec<_> = machine.into_iter().filter(|part| !part.is_empty()).collect();
        facts.extend([
            ("command", plain("code", description.command.join(" "))),
            ("in", plain("code", description.working_directory.display().to_string())),
            ("jobs", text(description.jobs)),
            ("machine", text(machine.join(", "))),
            ("recorded by", text(format!("OmniLink {}", description.omnilink))),
        ]);
    }
    section("about", "About this campaign", list(facts))
}
