//! The pages: one per campaign, and one over all of them.
//!
//! Sections in order of importance: the result ([`summary`]), the notes ([`notes`]), the
//! failures ([`failures`]), the
//! coverage ([`coverage`]) and the conditions ([`conditions`]).

mod conditions;
mod coverage;
mod failures;
mod notes;
mod overview;
mod summary;

pub use overview::overview;

use super::html::{Html, all, classed, element, plain, text};
use super::model::{Campaign, Report};
use super::words::{milliseconds, moment};

const STYLE: &str = concat!("<style>\n", include_str!("style.css"), "</style>\n");
/// The content security policy: the page loads no resources.
const HEAD: &str = "<meta charset=\"utf-8\">\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
    <meta name=\"color-scheme\" content=\"light dark\">\n\
    <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n";

/// The page of a campaign.
pub fn campaign(report: &Report, campaign: &Campaign) -> String {
    let more = (report.campaigns.len() > 1)
        .then(|| classed("nav", "back", super::html::link("index.html", "← all campaigns")));
    let body = all([
        more.unwrap_or_default(),
        header(campaign),
        summary::banner(campaign),
        summary::cards(campaign),
        notes::section(campaign),
        failures::section(campaign),
        failures::undecided(campaign),
        coverage::section(campaign),
        conditions::schedules(campaign),
        conditions::boxes(campaign),
        conditions::about(report, campaign),
    ]);
    document(&campaign.title, &body, report)
}

fn document(title: &str, body: &Html, report: &Report) -> String {
    let head = all([Html::literal(HEAD), plain("title", format!("{title} — OmniLink")), Html::literal(STYLE)]);
    let footer = format!("OmniLink {}, {}", report.omnilink, moment(report.made));
    Html::document(&head, &all([plain("main", body.clone()), plain("footer", footer)]))
}

fn header(campaign: &Campaign) -> Html {
    let mut facts = Vec::new();
    if let Some(name) = &campaign.name {
        facts.push(format!("campaign {name}"));
    }
    if let Some(started) = campaign.started {
        facts.push(moment(started));
        facts.push(match campaign.ended {
            Some(ended) => format!("took {}", milliseconds(ended.saturating_sub(started))),
            None => "did not end: it is running, or was killed".to_owned(),
        });
    }
    if let Some(description) = &campaign.description {
        facts.push(format!("seed {}", description.seed));
        facts.push(description.host.name.clone());
    }
    facts.retain(|fact| !fact.is_empty());
    plain("header", all([plain("h1", text(&campaign.title)), classed("p", "facts", facts.join(" · "))]))
}

/// A section of a page, with a title that can be a link target.
fn section(id: &str, title: &str, inside: Html) -> Html {
    element("section", &[("id", id)], all([plain("h2", title), inside]))
}

/// A row of a table.
fn row<const N: usize>(cells: [Html; N]) -> Html {
    plain("tr", cells.into_iter().map(|cell| plain("td", cell)).collect::<Html>())
}

/// A table with heads; those that end with `#` are of numbers.
fn table<const N: usize>(heads: [&str; N], rows: impl Iterator<Item = Html>) -> Html {
    let head = heads.into_iter().map(|head| match head.strip_suffix('#') {
        Some(head) => classed("th", "number", head),
        None => plain("th", head),
    });
    let head = plain("thead", plain("tr", head.collect::<Html>()));
    classed("div", "scroll", plain("table", all([head, plain("tbody", rows.collect::<Html>())])))
}

/// A cell with a number.
fn number_cell(amount: u64) -> Html {
    classed("td", "number", super::words::number(amount))
}
