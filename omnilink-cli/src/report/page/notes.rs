//! The notes of the checks.

use super::super::html::{Html, all, classed, text};
use super::super::model::{Campaign, Noted};
use super::{row, section as part, table};

/// All notes, warnings first; empty if there are none.
pub fn section(campaign: &Campaign) -> Html {
    if campaign.notes.is_empty() {
        return Html::default();
    }
    let told = |noted: &Noted| {
        let class = if noted.common.note.weakens { "chip doubtful" } else { "chip" };
        row([classed("span", class, noted.common.note.word()), text(campaign.sentence(noted))])
    };
    part("notes", "Notes", all([table(["", "note"], campaign.notes.iter().map(told))]))
}
