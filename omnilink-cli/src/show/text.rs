//! A report as text.

use std::io::{self, Write};

use omnilink_trace::TimeUnit;

use super::report::{ActionRow, CallRow, LaneRow, Report};
use super::tally::Outcomes;
use super::time::Span;
use crate::palette::Palette;

/// More lanes than this are counted, not named.
const NAMED_LANES: usize = 8;

/// Writes a report section by section; empty sections are left out.
pub struct ReportText<'a, W> {
    report: &'a Report,
    unit: TimeUnit,
    palette: Palette,
    out: W,
}

impl<'a, W: Write> ReportText<'a, W> {
    /// A writer of `report`, whose times are in `unit`.
    pub fn new(report: &'a Report, unit: TimeUnit, palette: Palette, out: W) -> Self {
        Self { report, unit, palette, out }
    }

    /// Writes the report.
    pub fn write(mut self) -> io::Result<()> {
        self.title()?;
        self.overview()?;
        self.actions()?;
        self.unknown_arguments()?;
        self.calls("widest timeboxes (wide timeboxes slow down checking)", &self.report.widest)?;
        self.calls("calls that never ended", &self.report.never_ended)?;
        let unnamed = self.report.outcomes.pending.saturating_sub(self.report.never_ended.len() as u64);
        if unnamed > 0 {
            writeln!(self.out, "  and {unnamed} more")?;
        }
        self.incomplete_lanes()?;
        self.notices()
    }

    fn title(&mut self) -> io::Result<()> {
        let Palette { heading, .. } = self.palette;
        let Report { trace, spec, next, clock, seed, .. } = self.report;
        write!(self.out, "{heading}{trace}{heading:#}: ")?;
        match (spec.as_str(), next.as_str()) {
            ("", _) => write!(self.out, "no specification named")?,
            (_, "") => write!(self.out, "specification {spec}")?,
            _ => write!(self.out, "specification {spec}, next-state relation {next}")?,
        }
        write!(self.out, ", clock {clock}")?;
        match seed {
            Some(seed) => writeln!(self.out, ", seed {seed}"),
            None => writeln!(self.out),
        }
    }

    fn overview(&mut self) -> io::Result<()> {
        let Palette { faint, warning, .. } = self.palette;
        let Report { lanes, events, duration, outcomes, terminations, overlap, .. } = self.report;
        if self.report.filtered {
            let all: u64 = lanes.iter().map(|lane| lane.events).sum();
            writeln!(self.out, "  {faint}selected {events} of {all} events; the numbers are of these{faint:#}")?;
        }
        writeln!(self.out, "  lanes         {}", name_lanes(lanes))?;
        writeln!(self.out, "  events        {events} in {}", Span(*duration, self.unit))?;
        let Outcomes { done, aborted, indeterminate, pending } = outcomes;
        writeln!(
            self.out,
            "  outcomes      {done} done, {aborted} aborted, {indeterminate} indeterminate, {pending} pending"
        )?;
        writeln!(self.out, "  terminations  {terminations}")?;
        let mean = overlap.mean.map_or("-".to_owned(), |mean| format!("{mean:.2}"));
        writeln!(self.out, "  overlap       mean {mean}, max {} (calls open at once)", overlap.max)?;
        if !self.report.complete {
            writeln!(self.out, "  {warning}incomplete{warning:#}    calls are missing, see below")?;
        }
        Ok(())
    }

    fn actions(&mut self) -> io::Result<()> {
        let rows = &self.report.actions;
        if rows.is_empty() {
            return Ok(());
        }
        let Palette { heading, .. } = self.palette;
        let width = rows.iter().map(|row| row.action.chars().count()).max().unwrap_or(0).max("action".len());
        writeln!(
            self.out,
            "\n  {heading}{:width$}  {:>10}  {:>10}  {:>8}  {:>13}  {:>8}  {:>11}  {:>11}{heading:#}",
            "action", "events", "done", "aborted", "indeterminate", "pending", "mean box", "widest box"
        )?;
        for ActionRow { action, events, outcomes, mean_width, max_width } in rows {
            let Outcomes { done, aborted, indeterminate, pending } = outcomes;
            let (mean, max) = (self.width(*mean_width), self.width(*max_width));
            writeln!(
                self.out,
                "  {action:width$}  {events:10}  {done:10}  {aborted:8}  {indeterminate:13}  {pending:8}  {mean:>11}  {max:>11}"
            )?;
        }
        Ok(())
    }

    fn unknown_arguments(&mut self) -> io::Result<()> {
        let rows = &self.report.unknown_arguments;
        if rows.is_empty() {
            return Ok(());
        }
        self.heading("unknown arguments")?;
        for row in rows {
            let plural = if row.events == 1 { "" } else { "s" };
            writeln!(self.out, "  {}: `{}` in {} event{plural}", row.action, row.parameter, row.events)?;
        }
        Ok(())
    }

    fn calls(&mut self, title: &str, rows: &[CallRow]) -> io::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        self.heading(title)?;
        let Palette { faint, .. } = self.palette;
        for CallRow { call, lane, index, at, width } in rows {
            let lane = self.report.lanes.iter().find(|row| row.lane == *lane).map(name_lane).unwrap_or_default();
            let (width, at) = (self.width(*width), Span(*at, self.unit));
            writeln!(self.out, "  {width:>11}  {call}  {faint}at {at}, {lane}, event {index}{faint:#}")?;
        }
        Ok(())
    }

    fn incomplete_lanes(&mut self) -> io::Result<()> {
        let lanes = &self.report.lanes;
        let mut stopped = lanes.iter().filter_map(|lane| Some((lane, lane.stopped.as_ref()?))).peekable();
        if stopped.peek().is_none() {
            return Ok(());
        }
        self.heading("incomplete lanes (calls that began later are missing)")?;
        for (lane, stop) in stopped {
            let at = Span(stop.at, self.unit);
            writeln!(self.out, "  {} stopped at {at}: {}", name_lane(lane), stop.reason)?;
        }
        Ok(())
    }

    fn notices(&mut self) -> io::Result<()> {
        if self.report.notices.is_empty() {
            return Ok(());
        }
        self.heading("notices")?;
        self.report.notices.iter().try_for_each(|notice| writeln!(self.out, "  {notice}"))
    }

    fn heading(&mut self, title: &str) -> io::Result<()> {
        let Palette { heading, .. } = self.palette;
        writeln!(self.out, "\n  {heading}{title}{heading:#}")
    }

    /// The width of a timebox; a call that never ended has none.
    fn width(&self, width: Option<u64>) -> String {
        width.map_or("-".to_owned(), |width| Span(width, self.unit).to_string())
    }
}

fn name_lane(LaneRow { lane, name, .. }: &LaneRow) -> String {
    if name.is_empty() { format!("lane {lane}") } else { format!("lane {lane} {name}") }
}

fn name_lanes(lanes: &[LaneRow]) -> String {
    let named = lanes.iter().take(NAMED_LANES).map(|lane| lane.name.as_str()).filter(|name| !name.is_empty());
    let names: Vec<_> = named.chain((lanes.len() > NAMED_LANES).then_some("…")).collect();
    if names.iter().all(|name| *name == "…") {
        lanes.len().to_string()
    } else {
        format!("{} ({})", lanes.len(), names.join(", "))
    }
}
