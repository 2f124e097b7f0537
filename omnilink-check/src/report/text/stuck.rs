//! The furthest configurations of a search and why it got no further, as text.

use std::io::{self, Write};

use super::super::model::{Became, DeadEnd, Group, LaneAt, Next, Obstacle, Step, Stuck, Values};

use super::call_table::{CallTable, lane_label};
use super::{Palette, Style, count, reason, write_state};

/// The maximum number of groups shown.
const GROUPS: usize = 3;
/// The maximum number of last steps of an order.
const STEPS: usize = 6;
/// The maximum number of waiting events.
const WAITING: usize = 6;
/// Values in the line of a step are shortened to this length.
const CHANGE: usize = 60;

/// Writes the furthest configurations.
pub(super) struct StuckText<'a> {
    pub stuck: &'a Stuck,
    pub style: Style,
}

impl StuckText<'_> {
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Stuck { placed, followed_only, events, configurations, examined, groups, more_groups, .. } = self.stuck;
        let ways = groups.len() as u64 + more_groups;
        let orders =
            if *followed_only { "The furthest of the orders that were followed" } else { "The furthest orders" };
        write!(out, "\n  {orders} place {placed} of {events} events. ")?;
        match (configurations, ways) {
            (1, _) => writeln!(out, "One configuration gets there.")?,
            (_, 1) => writeln!(out, "{configurations} distinct configurations get there; they fail alike.")?,
            _ => writeln!(out, "{configurations} distinct configurations get there; they fail in {ways} ways.")?,
        }
        if examined < configurations {
            writeln!(out, "  (The first {examined} of them were looked at.)")?;
        }
        for (at, group) in groups.iter().take(GROUPS).enumerate() {
            if ways > 1 {
                let Palette { heading, .. } = self.style.palette;
                let Group { count, .. } = group;
                let like_this = if *count == 1 {
                    "1 configuration".to_owned()
                } else {
                    format!("{count} configurations, one of them")
                };
                writeln!(out, "\n  {heading}way {}{heading:#} ({like_this})", at + 1)?;
            }
            self.dead_end(&group.example, out)?;
        }
        match ways.saturating_sub(GROUPS as u64) {
            0 => Ok(()),
            left => writeln!(out, "\n  and {left} more ways; --json and --counterexample have them"),
        }
    }

    fn dead_end(&self, dead_end: &DeadEnd, out: &mut dyn Write) -> io::Result<()> {
        let table = table_of(dead_end, &self.stuck.time_unit, self.style.palette);
        let DeadEnd { path, state, changed, .. } = dead_end;
        if !path.is_empty() {
            self.heading(
                &format!("the furthest order, its last {}", count(path.len().min(STEPS) as u64, "step")),
                out,
            )?;
            table.head(out)?;
        }
        for (at, step) in path.iter().enumerate().skip(path.len().saturating_sub(STEPS)) {
            table.call(&step.call, out)?;
            let changes = if at > 0 { step.changes.clone() } else { first_changes(dead_end) };
            self.step(step, &changes, out)?;
        }
        self.heading(if path.is_empty() { "the initial state" } else { "leads to this state" }, out)?;
        write_state(state, Some(changed), self.style, out)?;
        self.blocked(dead_end, &table, out)?;
        self.untried(dead_end, &table, out)?;
        self.waiting(dead_end, &table, out)?;
        self.unseen(dead_end, &table, out)
    }

    /// How the event was placed, and the variables that it changed.
    fn step(&self, step: &Step, changes: &Values, out: &mut dyn Write) -> io::Result<()> {
        let Palette { faint, .. } = self.style.palette;
        match step.became {
            Became::Happened => {}
            Became::InnerStep => write!(out, "  {faint}(an inner step){faint:#}")?,
            Became::Nothing => write!(out, "  {faint}(took no effect){faint:#}")?,
        }
        if !changes.is_empty() {
            let change = |(name, value): (&String, &serde_json::Value)| {
                format!("{name} = {}", cut(value.as_str().unwrap_or_default(), CHANGE))
            };
            let changes: Vec<_> = changes.iter().map(change).collect();
            write!(out, "  {faint}{}{faint:#}", changes.join(", "))?;
        }
        writeln!(out)
    }

    fn blocked(&self, dead_end: &DeadEnd, table: &CallTable<'_>, out: &mut dyn Write) -> io::Result<()> {
        let blocked = dead_end.lanes.iter().filter_map(|lane| match lane.next.as_ref()? {
            Next { call, obstacle: Obstacle::Blocked(reasons) } => Some((lane, call, reasons)),
            _ => None,
        });
        let mut blocked = blocked.peekable();
        if blocked.peek().is_some() {
            let unit = &self.stuck.time_unit;
            let deadline = dead_end.deadline.map_or_else(String::new, |time| format!(", by {time} {unit}"));
            self.heading(&format!("one of these calls has to come next{deadline}, and none can"), out)?;
        }
        for (lane, call, reasons) in blocked {
            table.call(call, out)?;
            self.later(lane, out)?;
            reason::write(reasons, self.style.palette, out)?;
        }
        Ok(())
    }

    fn untried(&self, dead_end: &DeadEnd, table: &CallTable<'_>, out: &mut dyn Write) -> io::Result<()> {
        let is_untried = |lane: &&LaneAt| lane.next.as_ref().is_some_and(|next| next.obstacle == Obstacle::Untried {});
        let mut untried = dead_end.lanes.iter().filter(is_untried).peekable();
        if untried.peek().is_some() {
            self.heading("these can come next; the search ended before they were tried", out)?;
        }
        for lane in untried {
            lane.next.iter().try_for_each(|next| table.call(&next.call, out))?;
            self.later(lane, out)?;
        }
        Ok(())
    }

    fn waiting(&self, dead_end: &DeadEnd, table: &CallTable<'_>, out: &mut dyn Write) -> io::Result<()> {
        let waiting = dead_end.lanes.iter().filter_map(|lane| match lane.next.as_ref()? {
            Next { call, obstacle: Obstacle::WaitsFor(first) } => Some((lane, call, first)),
            _ => None,
        });
        let waiting: Vec<_> = waiting.collect();
        if let Some((_, _, first)) = waiting.first() {
            let lane = lane_label(first);
            self.heading(
                &format!("these have to wait: they began after {} of lane {lane} had ended", first.call),
                out,
            )?;
        }
        for (lane, call, _) in waiting.iter().take(WAITING) {
            table.call(call, out)?;
            self.later(lane, out)?;
        }
        match waiting.len().saturating_sub(WAITING) {
            0 => Ok(()),
            left => writeln!(out, "    and those of {}", count(left as u64, "more lane")),
        }
    }

    fn unseen(&self, dead_end: &DeadEnd, table: &CallTable<'_>, out: &mut dyn Write) -> io::Result<()> {
        let unseen: Vec<_> = dead_end.lanes.iter().flat_map(|lane| &lane.unseen).collect();
        if !unseen.is_empty() {
            self.heading("these can only have read, and need not have happened: they make no difference", out)?;
        }
        for call in unseen.iter().take(WAITING) {
            table.call(call, out)?;
            writeln!(out)?;
        }
        match unseen.len().saturating_sub(WAITING) {
            0 => Ok(()),
            left => writeln!(out, "    and {}", count(left as u64, "more call")),
        }
    }

    /// The number of events of a lane after its next one.
    fn later(&self, lane: &LaneAt, out: &mut dyn Write) -> io::Result<()> {
        let Palette { faint, .. } = self.style.palette;
        match lane.events.saturating_sub(lane.placed + 1) {
            0 => writeln!(out),
            later => writeln!(out, "  {faint}and {later} later{faint:#}"),
        }
    }

    fn heading(&self, title: &str, out: &mut dyn Write) -> io::Result<()> {
        let Palette { heading, .. } = self.style.palette;
        writeln!(out, "\n  {heading}{title}{heading:#}")
    }
}

/// The variables that the first step of a path changed; its list has all variables. Empty if the state before it is unknown.
fn first_changes(DeadEnd { before, path, .. }: &DeadEnd) -> Values {
    let all = path.first().map(|step| &step.changes).into_iter().flatten();
    let changed = all.filter(|(name, value)| before.get(*name).is_some_and(|before| before != *value));
    changed.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// A table for the calls of a dead end.
fn table_of<'a>(dead_end: &DeadEnd, unit: &'a str, palette: Palette) -> CallTable<'a> {
    let next = dead_end.lanes.iter().filter_map(|lane| lane.next.as_ref()).map(|next| &next.call);
    let unseen = dead_end.lanes.iter().flat_map(|lane| &lane.unseen);
    CallTable::new(next.chain(unseen).chain(dead_end.path.iter().map(|step| &step.call)), unit, palette)
}

fn cut(text: &str, room: usize) -> String {
    match text.char_indices().nth(room) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}
