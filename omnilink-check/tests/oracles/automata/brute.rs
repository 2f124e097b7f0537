//! Brute force over an automaton's table: every configuration of a history, whatever events only read. It never asks the
//! evaluator.

use std::collections::HashSet;

use omnilink_check::prepare::Prepared;
use omnilink_trace::Outcome;

use super::automaton::{Automaton, Half, VALUES};
use super::laws::{Also, Law};
use super::plan::{Call, Plan};

/// An event as brute force sees it.
#[derive(Debug, Clone)]
pub struct Seen<'a> {
    pub readings: Vec<Reading<'a>>,
    /// Its number in the recorded lane.
    pub index: usize,
    pub start: u64,
    pub end: u64,
    pub optional: bool,
    pub reads: bool,
}

/// One thing that an event may stand for.
#[derive(Debug, Clone)]
pub struct Reading<'a> {
    /// Its definitions in the module, `A1` for a pair of that name.
    pub name: String,
    pub arity: usize,
    /// The arguments that were recorded.
    pub known: [Option<usize>; 2],
    pub step: Option<&'a Half>,
    pub done: &'a Half,
    /// It is what a rule makes of an event with this number.
    pub law: Option<usize>,
    /// What else has to be true of it, with its number.
    pub also: Option<(&'a Also, usize)>,
}

impl Reading<'_> {
    fn of_law<'a>(name: &str, law: &'a Law, key: usize) -> Reading<'a> {
        let (name, known) = (name.to_owned(), [Some(key), Some(0)]);
        Reading { name, arity: 0, known, step: None, done: &law.half, law: Some(key), also: None }
    }

    /// All arguments that it can have, as far as they were recorded.
    pub fn args(&self) -> impl Iterator<Item = [usize; 2]> {
        let fits = |place: usize, value: usize| match (place < self.arity, self.known[place]) {
            (true, Some(recorded)) => recorded == value,
            (true, None) => true,
            (false, _) => value == 0,
        };
        let all = (0..VALUES * VALUES).map(|code| [code / VALUES, code % VALUES]);
        all.filter(move |args| fits(0, args[0]) && fits(1, args[1]))
    }

    /// Where it leads when it happens.
    pub fn happens(&self, state: usize, args: [usize; 2]) -> Vec<usize> {
        let mask = match self.law {
            Some(key) => self.done.unbound(state, [key, 0]),
            None => self.done.next(state, args, self.arity),
        };
        let allows = |next: &usize| self.also.is_none_or(|(also, key)| also.allows(state, *next, key));
        states(mask).filter(allows).collect()
    }

    /// Where an inner step of it leads.
    pub fn steps(&self, state: usize, args: [usize; 2]) -> Vec<usize> {
        states(self.step.map_or(0, |step| step.next(state, args, self.arity))).collect()
    }

    fn changes_nothing(&self) -> bool {
        let place = |at: usize| self.known[at].filter(|_| at < self.arity || self.law.is_some());
        let known = [place(0), place(1)];
        self.done.changes_nothing(known) && self.step.is_none_or(|step| step.changes_nothing(known))
    }
}

fn states(mask: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |next| mask >> next & 1 == 1)
}

/// A configuration: positions, as what each lane's next event has begun, the state.
pub type Configuration = (Vec<usize>, Vec<Option<(usize, [usize; 2])>>, usize);

/// One thing that happens to a lane's next event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Happen,
    Inner,
    Skip,
}

pub struct Brute<'a> {
    pub automaton: &'a Automaton,
    pub lanes: Vec<Vec<Seen<'a>>>,
}

impl<'a> Brute<'a> {
    /// What is left of a history. What the checker has left out must be what nobody can miss.
    pub fn new(automaton: &'a Automaton, plan: &Plan, prepared: &Prepared) -> Result<Self, String> {
        let (cut, laws) = (plan.stop.map_or(u64::MAX, |(_, at)| at), &automaton.laws);
        let mut lanes: Vec<Vec<Seen>> = Vec::new();
        for (lane, calls) in plan.lanes.iter().enumerate() {
            let kept = prepared.history.timeline.lanes.iter().find(|kept| kept.id as usize == lane);
            let mut events = Vec::new();
            let mut add =
                |index: usize, readings: Option<Vec<Reading<'a>>>, start: u64, end: Option<u64>, may: bool| {
                    let event = kept.and_then(|kept| kept.events.iter().find(|event| event.index as usize == index));
                    let end = end.map(|end| end + plan.widening()).filter(|end| *end < cut);
                    let optional = end.is_none() || may;
                    let readings = readings.filter(|_| start < cut);
                    let changes_nothing =
                        readings.as_ref().is_none_or(|readings| readings.iter().all(Reading::changes_nothing));
                    let must_be = readings.is_some() && !(optional && changes_nothing);
                    // Which events are taken for read-only is the checker's affair, as long as they are.
                    let reads = event.map_or(changes_nothing, |event| event.read_only);
                    let (is_kept, may_be) = (event.is_some(), readings.is_some());
                    if is_kept && !may_be || !is_kept && must_be || reads && !changes_nothing {
                        return Err(format!(
                            "event {index} of lane {lane}: kept {is_kept}, reads {reads}, {readings:?}"
                        ));
                    }
                    if is_kept && let Some(readings) = readings {
                        events.push(Seen { readings, index, start, end: end.unwrap_or(u64::MAX), optional, reads });
                    }
                    Ok(())
                };
            for (at, call) in calls.iter().enumerate() {
                let readings = readings(automaton, lane, call);
                add(at, readings, call.start, call.end, call.outcome == Outcome::Indeterminate)?;
            }
            if let Some(time) = plan.ends[lane] {
                let readings = laws.end.as_ref().map(|law| vec![Reading::of_law("End", law, lane % 2)]);
                // A thread does what it does at its end after its last call.
                let start = calls.last().and_then(|call| call.end).unwrap_or(time);
                add(calls.len(), readings, start, Some(time), false)?;
            }
            if kept.is_some() {
                lanes.push(events);
            }
        }
        Ok(Self { automaton, lanes })
    }

    pub fn is_viable(&self, at: &[usize], lane: usize) -> bool {
        let start = self.lanes[lane][at[lane]].start;
        let next = self.lanes.iter().zip(at).filter_map(|(events, &at)| events.get(at));
        next.into_iter().all(|other| other.end >= start)
    }

    /// All that can be done in a configuration: the lane, what becomes of its event, and where that leads.
    pub fn moves(&self, (at, begun, state): &Configuration) -> Vec<(usize, Kind, Configuration)> {
        let mut moves = Vec::new();
        for lane in 0..self.lanes.len() {
            let Some(event) = self.lanes[lane].get(at[lane]) else { continue };
            if !self.is_viable(at, lane) {
                continue;
            }
            let mut go = |kind, bound, next| {
                let (mut at, mut begun) = (at.clone(), begun.clone());
                at[lane] += usize::from(kind != Kind::Inner);
                begun[lane] = bound;
                moves.push((lane, kind, (at, begun, next)));
            };
            if event.optional {
                go(Kind::Skip, None, *state);
            }
            for (nth, reading) in event.readings.iter().enumerate() {
                for args in reading.args() {
                    if begun[lane].is_some_and(|bound| bound != (nth, args)) {
                        continue;
                    }
                    for next in reading.happens(*state, args) {
                        go(Kind::Happen, None, next);
                    }
                    for next in reading.steps(*state, args) {
                        go(Kind::Inner, Some((nth, args)), next);
                    }
                }
            }
        }
        moves
    }

    pub fn starts(&self) -> Vec<Configuration> {
        let (at, begun) = (vec![0; self.lanes.len()], vec![None; self.lanes.len()]);
        self.automaton.inits.iter().map(|&init| (at.clone(), begun.clone(), init)).collect()
    }

    /// All that can be reached.
    pub fn reach(&self, starts: Vec<Configuration>) -> HashSet<Configuration> {
        let mut seen: HashSet<Configuration> = starts.iter().cloned().collect();
        let mut open = starts;
        while let Some(configuration) = open.pop() {
            for (.., next) in self.moves(&configuration) {
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        seen
    }

    /// Whether all is placed that has to be.
    pub fn is_complete(&self, at: &[usize]) -> bool {
        self.lanes.iter().zip(at).all(|(events, &at)| events[at..].iter().all(|event| event.optional))
    }

    /// Whether it is known of every event what became of it.
    pub fn is_over(&self, at: &[usize]) -> bool {
        self.lanes.iter().zip(at).all(|(events, &at)| events.len() == at)
    }

    fn changing(&self, at: &[usize]) -> u64 {
        let placed = self.lanes.iter().zip(at).flat_map(|(events, &at)| &events[..at]);
        placed.filter(|event| !event.reads).count() as u64
    }

    /// The configurations right after so many changing events.
    pub fn level(&self, seen: &HashSet<Configuration>, changing: u64) -> HashSet<Configuration> {
        if changing == 0 {
            return self.starts().into_iter().collect();
        }
        let before = seen.iter().filter(|(at, ..)| self.changing(at) + 1 == changing);
        let moves = before.flat_map(|configuration| self.moves(configuration));
        moves.map(|(.., next)| next).filter(|(at, ..)| self.changing(at) == changing).collect()
    }
}

/// What a call may stand for; nothing if it was aborted, and nobody says what that is.
fn readings<'a>(automaton: &'a Automaton, lane: usize, call: &Call) -> Option<Vec<Reading<'a>>> {
    let has_x = call.candidates.iter().any(|candidate| automaton.actions[*candidate].arity > 0);
    if call.outcome == Outcome::Aborted {
        let law = automaton.laws.abort.as_ref()?;
        return Some(vec![Reading::of_law("Abort", law, law.key(lane, call, has_x))]);
    }
    let reading = |&candidate: &usize| {
        let action = &automaton.actions[candidate];
        let also = automaton.laws.also[candidate].as_ref();
        Reading {
            name: action.name.clone(),
            arity: action.arity,
            known: call.args,
            step: action.step.as_ref(),
            done: &action.done,
            law: None,
            also: also.map(|also| (also, also.key(lane, call, has_x))),
        }
    };
    Some(call.candidates.iter().map(reading).collect())
}
