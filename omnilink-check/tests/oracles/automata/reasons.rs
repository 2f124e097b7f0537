//! What an explanation says about the calls that could come next, compared with the table: who has to wait, whose formulas are
//! named, and what is said to be false.

use omnilink_check::report::model::{self, Next, Obstacle, Reason, Values};
use omnilink_check::search::{DeadEnd, Deepest};

use super::brute::{Configuration, Reading, Seen};
use super::claims::Subject;

/// The definitions of a module, by line.
pub struct Lines<'a>(pub &'a str);

impl Lines<'_> {
    /// Whose formula stands in a line, from 1: `A1` for `A1_Step`; of the next-state relation, who is called there.
    fn owner(&self, line: u32) -> Option<&str> {
        let above = self.0.lines().take(line as usize);
        let (_, header) = above
            .clone()
            .enumerate()
            .filter(|(_, text)| !text.starts_with(' ') && text.contains(" == ") || text.ends_with(" =="))
            .last()?;
        let name = |text: &str| text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
        let called = match header.strip_prefix("Next") {
            None => header,
            Some(_) => {
                let text = above.last()?;
                &text[text.rfind(" A").map(|at| at + 1).or(text.find('A'))?..]
            }
        };
        Some(&called[..name(called)])
    }
}

impl Subject<'_> {
    /// Whether what is said of each kind of dead end is so of one of those that were found.
    pub fn check_explanation(&self, stuck: &model::Stuck, deepest: &Deepest, lines: &Lines) -> Result<(), String> {
        if stuck.placed != deepest.placed || stuck.groups.is_empty() {
            return Err(format!("{} events are placed in {} groups", stuck.placed, stuck.groups.len()));
        }
        for group in &stuck.groups {
            let example = &group.example;
            let mut why = format!("there is no such dead end: {example:?}");
            let is_so = deepest.kept.iter().any(|dead_end| {
                let positions = dead_end.positions.iter().map(|at| u64::from(*at));
                let lanes = example.lanes.iter().filter(|lane| lane.events > 0);
                let is_it = lanes.map(|lane| lane.placed).eq(positions)
                    && self.number(&example.state) == self.of_dead_end(dead_end).first().map(|found| found.2);
                is_it && self.check_dead_end(example, dead_end, lines).map_err(|error| why = error).is_ok()
            });
            if !is_so {
                return Err(why);
            }
        }
        Ok(())
    }

    fn number(&self, values: &Values) -> Option<usize> {
        let texts: Option<Vec<String>> = values.values().map(|value| Some(value.as_str()?.to_owned())).collect();
        Some(self.brute.automaton.state(&texts?))
    }

    fn check_dead_end(&self, said: &model::DeadEnd, dead_end: &DeadEnd, lines: &Lines) -> Result<(), String> {
        let found = self.of_dead_end(dead_end);
        let Some((at, _, state)) = found.first() else { return Err("nothing leads there".to_owned()) };
        let unplaced = || (0..at.len()).filter_map(|lane| self.brute.lanes[lane].get(at[lane]));
        // Lanes that only have events of which nobody can see whether they happened come last.
        for (lane, told) in said.lanes.iter().take(at.len()).enumerate() {
            let event = self.brute.lanes[lane].get(at[lane]);
            let (event, next) = match (event, &told.next) {
                (None, None) => continue,
                (Some(event), Some(next)) => (event, next),
                _ => return Err(format!("lane {lane} is told to go on with {:?}", told.next)),
            };
            let is_right = match &next.obstacle {
                Obstacle::Untried {} => false,
                Obstacle::WaitsFor(call) => {
                    let mut waits_for = unplaced().filter(|other| other.index as u64 == call.index);
                    !self.brute.is_viable(at, lane) && waits_for.any(|other| other.end < event.start)
                }
                Obstacle::Blocked(reasons) => {
                    let can_move = |configuration: &&&Configuration| {
                        self.brute.moves(configuration).iter().any(|(moved, _, to)| *moved == lane && to.0 != *at)
                    };
                    if let Some(configuration) = found.iter().find(can_move) {
                        return Err(format!("{configuration:?} can go on with lane {lane}: {next:?}"));
                    }
                    let begun = dead_end.begun[lane].as_ref();
                    let is_left = |nth: &usize| begun.is_none_or(|begun| usize::from(begun.choice) == *nth);
                    let left: Vec<&Reading> =
                        (0..event.readings.len()).filter(is_left).map(|nth| &event.readings[nth]).collect();
                    for reason in reasons {
                        check_reason(reason, *state, &left, lines)
                            .map_err(|error| format!("{error}: {reason:?} of {left:?} in {state}"))?;
                    }
                    self.brute.is_viable(at, lane) && !reasons.is_empty()
                }
            };
            if !is_right {
                return Err(describe(event, next, *state));
            }
        }
        Ok(())
    }
}

fn describe(event: &Seen, next: &Next, state: usize) -> String {
    format!("{next:?}\nis said of {event:?} in {state}")
}

/// Whether a formula is one of these, and as false as it is said to be.
fn check_reason(reason: &Reason, state: usize, left: &[&Reading], lines: &Lines) -> Result<(), String> {
    let place = reason.place.as_ref().filter(|place| place.file.ends_with("Automaton.tla"));
    let owner = place.and_then(|place| lines.owner(place.line));
    let is_his = |reading: &&&Reading, owner: &str| {
        let number = owner.strip_prefix("Also").map(|number| format!("A{number}"));
        owner == reading.name
            || owner.strip_prefix("On") == Some(&reading.name)
            || reading.also.is_some() && number.as_ref() == Some(&reading.name)
    };
    let reading = match owner {
        Some(owner) => *left.iter().find(|it| is_his(it, owner)).ok_or(format!("it is a formula of {owner}"))?,
        None if place.is_some() => return Err("it is nobody's formula".to_owned()),
        None => return Ok(()),
    };
    let known = |name: &str| match name {
        "S" => Some(state),
        "x" if reading.arity > 0 || reading.law.is_some() => reading.known[0],
        "y" if reading.arity > 1 => reading.known[1],
        _ => None,
    };
    for valued in reason.values.iter().chain(&reason.given) {
        if let Some(value) = known(&valued.expression)
            && valued.value != value.to_string()
        {
            return Err(format!("{} is {value}", valued.expression));
        }
    }
    if let Some((formula, " is FALSE")) = reason.says.strip_prefix('`').and_then(|says| says.split_once('`'))
        && let Some((name, value)) = formula.split_once(" = ")
        && let (Some(is), Ok(value)) = (known(name), value.parse::<usize>())
        && is == value
    {
        return Err("it is true".to_owned());
    }
    if let Some((named, _)) = reason.says.split_once(" is not in `")
        && let Some(("x", value)) = named.split_once(" = ")
        && let Ok(x) = value.parse::<usize>()
        && reading.done.allows(state, x)
        && reading.step.is_none_or(|step| step.allows(state, x))
    {
        return Err("it is in it".to_owned());
    }
    Ok(())
}
