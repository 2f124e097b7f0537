//! The page over all campaigns of a store.

use super::super::files::page_name;
use super::super::html::{Html, all, classed, element, link, plain, text};
use super::super::model::{Campaign, Report};
use super::super::words::{count, milliseconds, moment, number};
use super::{document, number_cell, table};

/// The number of columns of the table.
const COLUMNS: &str = "9";

/// The maximum number of listed failures per campaign.
const NAMED: usize = 3;

/// All campaigns in a table.
pub fn overview(report: &Report) -> String {
    let failing = report.campaigns.iter().filter(|campaign| !campaign.failures.is_empty()).count() as u64;
    let (class, headline) = match failing {
        0 => ("good", format!("No failure in {}.", count(report.campaigns.len() as u64, "campaign"))),
        _ => ("bad", format!("Failures in {failing} of {}.", count(report.campaigns.len() as u64, "campaign"))),
    };
    let rows = report.campaigns.iter().enumerate().map(|(at, campaign)| row(report, at, campaign));
    let heads = [
        "campaign",
        "started",
        "runs#",
        "calls#",
        "accepted#",
        "rejected#",
        "crashed#",
        "deadlocked#",
        "first failure",
    ];
    let body = all([
        plain("header", all([plain("h1", "Campaigns"), classed("p", "facts", plain("code", &report.store))])),
        classed("div", &format!("banner {class}"), plain("strong", headline)),
        table(heads, rows),
    ]);
    document("Campaigns", &body, report)
}

fn row(report: &Report, at: usize, campaign: &Campaign) -> Html {
    let page = format!("{}.html", page_name(report, at));
    let first = campaign.first_failure.as_ref().map_or_else(String::new, |first| {
        let runs = count(first.runs, "run");
        first.after.map_or(runs.clone(), |after| format!("{}, {runs}", milliseconds(after)))
    });
    let named = campaign
        .failures
        .iter()
        .take(NAMED)
        .map(|failure| plain("li", format!("{}× {}", number(failure.count), failure.cause)));
    let more = campaign.failures.len().saturating_sub(NAMED) as u64;
    let more = (more > 0).then(|| plain("li", format!("and {} more", number(more))));
    let named: Html = named.chain(more).collect();
    // Below the numbers, where there is room for formulas.
    let below = if named.is_empty() {
        Html::default()
    } else {
        classed("tr", "below", element("td", &[("colspan", COLUMNS)], plain("ul", named)))
    };
    let specs = classed("div", "place", campaign.specs().join(", "));
    let numbers = plain(
        "tr",
        all([
            classed("td", "title", all([link(&page, text(&campaign.title)), specs])),
            classed("td", "place", campaign.started.map(moment).unwrap_or_default()),
            number_cell(campaign.totals.runs),
            number_cell(campaign.totals.events),
            number_cell(campaign.judged("accepted")),
            number_cell(campaign.judged("rejected") + campaign.judged("violated")),
            number_cell(campaign.ended_as("crashed")),
            number_cell(campaign.ended_as("deadlocked")),
            plain("td", first),
        ]),
    );
    all([numbers, below])
}
