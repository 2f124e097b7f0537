//! The result in one line, and the most important numbers.

use super::super::html::{Html, all, classed, link, plain, text};
use super::super::model::Campaign;
use super::super::words::{count, milliseconds, number};

/// The line with the result.
pub fn banner(campaign: &Campaign) -> Html {
    let runs = count(campaign.totals.runs, "run");
    let (class, headline) = match campaign.failures.len() as u64 {
        _ if campaign.totals.runs == 0 => ("faint", "There are no runs.".to_owned()),
        0 if campaign.judged("accepted") == 0 && campaign.unchecked < campaign.totals.runs => {
            ("doubtful", format!("Nothing was decided in {runs}."))
        }
        0 if campaign.unchecked == campaign.totals.runs => {
            ("doubtful", format!("No program failed in {runs}; none was checked against a specification."))
        }
        0 if campaign.nothing_checked => {
            ("doubtful", format!("Nothing was checked in {runs}: no call is certain to have happened."))
        }
        0 => ("good", format!("No failure in {runs}.")),
        failures => ("bad", format!("{} in {runs}.", count(failures, "distinct failure"))),
    };
    let mut details = Vec::new();
    if let Some(first) = &campaign.first_failure {
        let after = first.after.map(|after| format!(", {} after the start", milliseconds(after)));
        let at = if first.runs == 1 { "the first run".to_owned() } else { format!("the {} run", ordinal(first.runs)) };
        details.push(format!("The first came with {at}{}.", after.unwrap_or_default()));
    }
    let undecided = campaign.judged("unknown") + campaign.judged("error");
    if undecided > 0 {
        details.push(format!("{} not decided.", count(undecided, "run")));
    }
    if campaign.is_weakened() {
        details.push("Warnings below say what that does not show.".to_owned());
    }
    if campaign.unchecked > 0 && campaign.unchecked < campaign.totals.runs {
        details.push(format!("{} not checked against a specification.", count(campaign.unchecked, "run")));
    }
    classed(
        "div",
        &format!("banner {class}"),
        all([plain("strong", headline), text(format!(" {}", details.join(" ")))]),
    )
}

/// `1st`, `22nd`, `113th`.
fn ordinal(at: u64) -> String {
    let ending = match (at % 10, at % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{}{ending}", number(at))
}

/// The most important numbers.
pub fn cards(campaign: &Campaign) -> Html {
    let rejected = campaign.judged("rejected") + campaign.judged("violated");
    let others = campaign.ended_as("failed") + campaign.ended_as("stopped");
    let undecided = campaign.judged("unknown") + campaign.judged("error");
    let bad = |amount: u64| if amount > 0 { "bad" } else { "" };
    let time = campaign.first_failure.as_ref().and_then(|first| first.after);
    let cards = [
        card("", &number(campaign.totals.runs), "runs"),
        card("", &number(campaign.totals.events), "calls"),
        card(
            if campaign.judged("accepted") > 0 { "good" } else { "" },
            &number(campaign.judged("accepted")),
            "accepted",
        ),
        card(bad(rejected), &number(rejected), "rejected"),
        card(bad(campaign.ended_as("crashed")), &number(campaign.ended_as("crashed")), "crashed"),
        card(bad(campaign.ended_as("deadlocked")), &number(campaign.ended_as("deadlocked")), "deadlocked"),
        card(bad(others), &number(others), "other failures"),
        card(if undecided > 0 { "doubtful" } else { "" }, &number(undecided), "not decided"),
        card(
            bad(campaign.failures.len() as u64),
            &campaign
                .first_failure
                .as_ref()
                .map_or("–".to_owned(), |first| time.map_or_else(|| count(first.runs, "run"), milliseconds)),
            "to first failure",
        ),
    ];
    let links =
        [("#failures", "failures"), ("#coverage", "coverage"), ("#schedules", "schedules"), ("#boxes", "timeboxes")];
    let contents = links.map(|(to, name)| link(to, name)).into_iter().collect::<Html>();
    all([classed("div", "cards", cards.into_iter().collect::<Html>()), classed("nav", "contents", contents)])
}

fn card(class: &str, value: &str, what: &str) -> Html {
    classed("div", &format!("card {class}"), all([classed("b", "value", value), plain("span", what)]))
}

#[cfg(test)]
mod tests {
    use super::ordinal;

    #[test]
    fn ordinals_end_as_they_do() {
        let shown = [1, 2, 3, 4, 11, 12, 13, 21, 113, 1002].map(ordinal);
        assert_eq!(shown, ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "113th", "1,002nd"]);
    }
}
