//! The coverage of each specification.

use omnilink_check::coverage::{ActionCoverage, BranchCoverage};

use super::super::coverage_status::{CoverageStatus, MEANING, tally};
use super::super::html::{Html, all, classed, element, link, plain, text};
use super::super::model::{Campaign, SpecCoverage};
use super::super::words::{count, number};
use super::{number_cell, section as part, table};

/// All specifications.
pub fn section(campaign: &Campaign) -> Html {
    if campaign.coverage.is_empty() {
        let none = "No run was checked against a specification: omnilink check SPEC --store does.";
        return part("coverage", "Coverage of the specification", classed("p", "faint", none));
    }
    let specs: Html = campaign.coverage.iter().map(|spec| specification(spec, campaign)).collect();
    let meaning = element("details", &[], all([plain("summary", "definitions"), plain("p", MEANING)]));
    part("coverage", "Coverage of the specification", all([specs, meaning]))
}

fn specification(spec: &SpecCoverage, campaign: &Campaign) -> Html {
    let root = spec.files.iter().find(|file| file.ends_with(&format!("/{}.tla", spec.spec)));
    let name = root.map_or_else(|| text(&spec.spec), |file| link(file, text(&spec.spec)));
    let head = plain("h3", all([name, classed("span", "place", spec.hash.chars().take(8).collect::<String>())]));
    let unmeasured = (spec.unmeasured > 0).then(|| {
        let told =
            format!("{} without coverage: made by an older version, or an error.", count(spec.unmeasured, "verdict"));
        classed("p", "faint", told)
    });
    if spec.measured == 0 {
        return all([head, unmeasured.unwrap_or_default()]);
    }
    let [actions, branches] = tally(&spec.coverage);
    let of = |(taken, all): (u64, u64), what| meter(taken, all, what);
    let rows = spec.coverage.actions.iter().flat_map(|action| {
        let status = CoverageStatus::of_action(action, &spec.coverage, campaign);
        let branches = action.branches.iter().map(|branch| branch_row(branch, action));
        std::iter::once(action_row(action, status)).chain(branches).collect::<Vec<_>>()
    });
    all([
        head,
        classed("p", "meters", all([of(actions, "actions taken"), of(branches, "branches taken")])),
        classed("p", "faint", format!("From {} of accepted runs.", count(spec.coverage.orders, "order"))),
        unmeasured.unwrap_or_default(),
        table(["action, branch", "", "recorded#", "enabled#", "taken#", "where"], rows),
    ])
}

fn meter(taken: u64, all_of_them: u64, what: &str) -> Html {
    if all_of_them == 0 {
        return Html::default();
    }
    let width = format!("width:{:.0}%", 100.0 * taken as f64 / all_of_them as f64);
    let bar = classed("span", "meter", element("span", &[("style", &width)], ""));
    classed("span", "metered", all([bar, text(format!("{} of {} {what}", number(taken), number(all_of_them)))]))
}

fn action_row(action: &ActionCoverage, status: CoverageStatus) -> Html {
    let place = format!("{}:{}", action.place.file, action.place.line);
    classed(
        "tr",
        "action",
        all([
            plain("td", plain("b", &action.name)),
            plain("td", chip(status, status.words())),
            number_cell(action.recorded),
            plain("td", ""),
            number_cell(action.taken),
            classed("td", "place", place),
        ]),
    )
}

fn branch_row(branch: &BranchCoverage, action: &ActionCoverage) -> Html {
    let status = CoverageStatus::of_branch(branch, action);
    let formula = all([classed("span", "kind", &branch.kind), plain("code", &branch.formula)]);
    let place = format!("{}:{}", branch.place.file, branch.place.line);
    classed(
        "tr",
        "branch",
        all([
            plain("td", formula),
            plain("td", chip(status, status.words_of_branch())),
            plain("td", ""),
            number_cell(branch.enabled),
            number_cell(branch.taken),
            classed("td", "place", place),
        ]),
    )
}

fn chip(status: CoverageStatus, words: &str) -> Html {
    classed("span", &format!("chip {}", status.class()), words)
}
