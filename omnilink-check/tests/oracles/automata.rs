//! The checker on random specifications and histories, against brute force over the automaton's table. Brute force visits every
//! configuration, knows nothing of read-only events, and never asks the evaluator. Verdicts, orders, the configurations that got
//! furthest and what a smaller reason says are checked.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use omnilink_check::check::{self, Order, Verdict, check};
use omnilink_check::prepare::{Prepared, prepare};
use omnilink_check::rules::Rules;
use omnilink_check::search::{Became, Control, Deepest, Limits};
use omnilink_check::shrink::{Core, shrink};
use omnilink_tla::{Options, Spec, State, with_stack};
use omnilink_trace::{
    Argument, Candidates, Event, Outcome, Record, Run, StopReason, Timebox, Trace, TraceBuilder, Value,
};

use crate::automaton::{Automaton, VALUES};
use crate::random::Random;

/// Histories by default; `OMNILINK_HISTORIES` asks for another number.
const CASES: u64 = 2000;
/// Histories of each specification.
const EACH: u64 = 10;

/// A call.
#[derive(Debug, Clone)]
struct Call {
    candidates: Vec<usize>,
    args: [Option<usize>; 2],
    start: u64,
    end: Option<u64>,
    outcome: Outcome,
}

/// A history.
#[derive(Debug, Clone)]
struct Plan {
    lanes: Vec<Vec<Call>>,
    stop: Option<(usize, u64)>,
}

/// An event as brute force sees it.
#[derive(Debug, Clone)]
struct Seen {
    call: Call,
    end: u64,
    optional: bool,
    reads: bool,
}

/// A configuration: positions, as what each lane's next event has begun, the state.
type Configuration = (Vec<usize>, Vec<Option<(usize, [usize; 2])>>, usize);

/// One thing that happens to a lane's next event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Happen,
    Inner,
    Skip,
}

struct Brute<'a> {
    automaton: &'a Automaton,
    lanes: Vec<Vec<Seen>>,
}

impl Brute<'_> {
    fn is_viable(&self, at: &[usize], lane: usize) -> bool {
        let start = self.lanes[lane][at[lane]].call.start;
        let next = self.lanes.iter().zip(at).filter_map(|(events, &at)| events.get(at));
        next.into_iter().all(|other| other.end >= start)
    }

    /// All that can be done in a configuration: the lane, what becomes of its event, and where that leads.
    fn moves(&self, (at, begun, state): &Configuration) -> Vec<(usize, Kind, Configuration)> {
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
            for (nth, &action) in event.call.candidates.iter().enumerate() {
                let action = &self.automaton.actions[action];
                for code in 0..VALUES * VALUES {
                    let args = [code / VALUES, code % VALUES];
                    let fits = |place: usize| match (place < action.arity, event.call.args[place]) {
                        (true, Some(recorded)) => recorded == args[place],
                        (true, None) => true,
                        (false, _) => args[place] == 0,
                    };
                    if !fits(0) || !fits(1) || begun[lane].is_some_and(|bound| bound != (nth, args)) {
                        continue;
                    }
                    let states = |mask: u32| (0..32usize).filter(move |next| mask >> next & 1 == 1);
                    for next in states(action.done.next(*state, args, action.arity)) {
                        go(Kind::Happen, None, next);
                    }
                    let steps = action.step.as_ref().map_or(0, |step| step.next(*state, args, action.arity));
                    for next in states(steps) {
                        go(Kind::Inner, Some((nth, args)), next);
                    }
                }
            }
        }
        moves
    }

    fn starts(&self) -> Vec<Configuration> {
        let (at, begun) = (vec![0; self.lanes.len()], vec![None; self.lanes.len()]);
        self.automaton.inits.iter().map(|&init| (at.clone(), begun.clone(), init)).collect()
    }

    /// All that can be reached.
    fn reach(&self, starts: Vec<Configuration>) -> HashSet<Configuration> {
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

    fn is_complete(&self, at: &[usize]) -> bool {
        self.lanes.iter().zip(at).all(|(events, &at)| events[at..].iter().all(|event| event.optional))
    }

    fn changing(&self, at: &[usize]) -> u64 {
        let placed = self.lanes.iter().zip(at).flat_map(|(events, &at)| &events[..at]);
        placed.filter(|event| !event.reads).count() as u64
    }

    /// The configurations right after so many changing events.
    fn level(&self, seen: &HashSet<Configuration>, changing: u64) -> HashSet<Configuration> {
        if changing == 0 {
            return self.starts().into_iter().collect();
        }
        let before = seen.iter().filter(|(at, ..)| self.changing(at) + 1 == changing);
        let moves = before.flat_map(|configuration| self.moves(configuration));
        moves.map(|(.., next)| next).filter(|(at, ..)| self.changing(at) == changing).collect()
    }
}

/// Random calls; half of the time those that the automaton makes.
fn history(automaton: &Automaton, random: &mut Random) -> Plan {
    let lanes = 2 + random.below(2);
    let mut plan = Plan { lanes: vec![Vec::new(); lanes], stop: None };
    let (spread, mut time, mut state) = (1 + random.below(8), 10u64, *random.pick(&automaton.inits));
    let honest = random.chance(20);
    for _ in 0..2 + random.below(5) {
        time += random.below(4) as u64;
        let lane = random.below(lanes);
        let mut chosen = None;
        for _ in 0..12 {
            let (at, args) = (random.below(automaton.actions.len()), [random.below(VALUES), random.below(VALUES)]);
            let action = &automaton.actions[at];
            let args = [if action.arity > 0 { args[0] } else { 0 }, if action.arity > 1 { args[1] } else { 0 }];
            let mut to = state;
            if let Some(step) = &action.step {
                for _ in 0..random.below(3) {
                    let mask = step.next(to, args, action.arity);
                    to = (0..automaton.states).find(|next| mask >> next & 1 == 1).unwrap_or(to);
                }
            }
            let mask = action.done.next(to, args, action.arity);
            let next = (0..automaton.states).find(|next| mask >> next & 1 == 1);
            if next.is_some() || !honest {
                chosen = Some((at, args));
                state = next.unwrap_or(state);
                break;
            }
        }
        let Some((action, args)) = chosen else { continue };
        if plan.lanes[lane].last().is_some_and(|before| before.end.is_none()) {
            continue;
        }
        let earliest = plan.lanes[lane].last_mut().map_or(0, |before| {
            before.end = before.end.map(|end| end.min(time).max(before.start));
            before.end.expect("it has ended")
        });
        let start = earliest.max(time.saturating_sub(random.below(spread) as u64));
        let mut candidates = vec![action];
        if random.chance(15) {
            let other = random.below(automaton.actions.len());
            if other != action {
                candidates.insert(random.below(2), other);
            }
        }
        let mut known = |value| (!random.chance(35)).then_some(value);
        let args = [known(args[0]), known(args[1])];
        let (mut end, mut outcome) = (Some(start.max(time) + random.below(spread) as u64), Outcome::Done);
        match random.below(20) {
            0 | 1 => (end, outcome) = (None, Outcome::Pending),
            2 | 3 => outcome = Outcome::Indeterminate,
            4 => outcome = Outcome::Aborted,
            _ => {}
        }
        plan.lanes[lane].push(Call { candidates, args, start, end, outcome });
    }
    if random.chance(8) {
        let (lane, at) = (random.below(lanes), 8 + random.below(16) as u64);
        plan.lanes[lane].retain(|call| call.start < at);
        plan.stop = Some((lane, at));
    }
    plan
}

fn trace(automaton: &Automaton, plan: &Plan) -> Trace {
    let mut builder = TraceBuilder::new("Automaton", "Next", Run::default());
    for (lane, calls) in plan.lanes.iter().enumerate() {
        builder.lane(lane as u32, "");
        for call in calls {
            let mut arity = 0;
            let mut actions = Vec::new();
            for &candidate in &call.candidates {
                let action = &automaton.actions[candidate];
                arity = arity.max(action.arity);
                actions.push(builder.action(&action.name, &["x", "y"][..action.arity]).expect("parameters differ"));
            }
            let candidates = match actions.as_slice() {
                [one] => Candidates::One(*one),
                _ => Candidates::Several(actions.into()),
            };
            let vocabulary = builder.vocabulary();
            let argument = |(name, value): (&&str, &Option<usize>)| Argument {
                param: vocabulary.intern(name),
                value: value.map(|value| Value::Int(value as i64)),
            };
            let args = ["x", "y"][..arity].iter().zip(&call.args).map(argument).collect();
            let (timebox, outcome) = (Timebox { start: call.start, end: call.end }, call.outcome);
            let (effects, meta) = (Vec::new(), Vec::new());
            let event =
                Event { lane: lane as u32, index: 0, candidates, args, timebox, outcome, effects, meta, offset: 0 };
            builder.push(Record::Event(event)).unwrap_or_else(|error| panic!("{error}\n{plan:?}"));
        }
    }
    if let Some((lane, at)) = plan.stop {
        builder.stop(lane as u32, at, StopReason::NoSpace);
    }
    builder.finish("history").unwrap_or_else(|error| panic!("{error}\n{plan:?}"))
}

/// What is left of the history. What the checker has left out must be what nobody can miss.
fn seen<'a>(automaton: &'a Automaton, plan: &Plan, prepared: &Prepared) -> Result<Brute<'a>, String> {
    let cut = plan.stop.map_or(u64::MAX, |(_, at)| at);
    let mut lanes: Vec<Vec<Seen>> = Vec::new();
    for (lane, calls) in plan.lanes.iter().enumerate() {
        let kept = prepared.history.lanes.iter().find(|kept| kept.id as usize == lane);
        let mut events = Vec::new();
        for (at, call) in calls.iter().enumerate() {
            let event = kept.and_then(|kept| kept.events.iter().find(|event| event.index as usize == at));
            let is_kept = event.is_some();
            let end = call.end.filter(|end| *end < cut);
            let optional = end.is_none() || call.outcome == Outcome::Indeterminate;
            let changes_nothing =
                call.candidates.iter().all(|candidate| automaton.actions[*candidate].changes_nothing(call.args));
            // Which events are taken for read-only is the checker's affair, as long as they are.
            let reads = event.map_or(changes_nothing, |event| event.read_only);
            let is_gone = call.start >= cut || call.outcome == Outcome::Aborted;
            if is_kept && is_gone || !(is_kept || is_gone || optional && changes_nothing) || reads && !changes_nothing {
                return Err(format!("{call:?} is kept: {is_kept}"));
            }
            if is_kept {
                events.push(Seen { call: call.clone(), end: end.unwrap_or(u64::MAX), optional, reads });
            }
        }
        if kept.is_some() {
            lanes.push(events);
        }
    }
    Ok(Brute { automaton, lanes })
}

struct Subject<'a> {
    automaton: &'a Automaton,
    spec: &'a Spec,
    prepared: &'a Prepared,
    brute: &'a Brute<'a>,
    seen: &'a HashSet<Configuration>,
}

impl Subject<'_> {
    fn state(&self, state: &State) -> usize {
        let values: Vec<String> =
            state.values().iter().map(|value| value.clone().normalize().expect("finite").to_string()).collect();
        self.automaton.state(&values)
    }

    /// Whether an order is one: all configurations that its steps may have led to are followed side by side.
    fn check_order(&self, order: &Order) -> Result<(), String> {
        let init = self.state(order.init());
        let mut here: Vec<_> = self.brute.starts().into_iter().filter(|start| start.2 == init).collect();
        let walked = order.walk(self.spec, self.prepared, &mut |stride| {
            let kind = match stride.became {
                Became::Happened(_) => Kind::Happen,
                Became::InnerStep(_) => Kind::Inner,
                Became::Nothing => Kind::Skip,
            };
            let (lane, state) = (stride.event.lane as usize, self.state(&stride.state));
            let moves = here.iter().flat_map(|configuration| self.brute.moves(configuration));
            here = moves.filter(|(at, what, to)| (*at, *what, to.2) == (lane, kind, state)).map(|it| it.2).collect();
            ControlFlow::Continue(())
        });
        walked.map_err(|failure| format!("the order cannot be walked: {failure:?}"))?;
        let is_order = here.iter().any(|(at, ..)| self.brute.is_complete(at));
        if is_order { Ok(()) } else { Err("the order is none".to_owned()) }
    }

    /// Whether the configurations that got furthest are.
    fn check_deepest(&self, deepest: &Deepest) -> Result<(), String> {
        let placed = |(at, ..): &Configuration| at.iter().sum::<usize>() as u64;
        let furthest = self.seen.iter().map(placed).max().unwrap_or(0);
        if deepest.placed != furthest {
            return Err(format!("{} events are said to be placed, not {furthest}", deepest.placed));
        }
        for dead_end in &deepest.kept {
            let at: Vec<usize> = dead_end.positions.iter().map(|at| *at as usize).collect();
            let state = self.state(&dead_end.state);
            if !self.seen.iter().any(|other| other.0 == at && other.2 == state) {
                return Err(format!("nothing leads to {at:?} in {state}"));
            }
        }
        Ok(())
    }

    /// Whether what a smaller reason says is so.
    fn check_core(&self, core: &Core) -> Result<(), String> {
        let level = self.brute.level(self.seen, core.changing);
        let expected: HashSet<usize> = level.iter().map(|it| it.2).collect();
        let told: HashSet<usize> = core.states.iter().map(|state| self.state(state)).collect();
        if told != expected {
            return Err(format!("the first {} changing calls lead to {expected:?}, not {told:?}", core.changing));
        }
        // What comes after them: the needed calls, perhaps the others, and nothing else.
        let is_in = |events: &[omnilink_check::history::EventRef], lane: usize, at: usize| {
            events.iter().any(|event| (event.lane as usize, event.at as usize) == (lane, at))
        };
        let has_order = |changed: &dyn Fn(usize, usize) -> Option<bool>| {
            let lanes: Vec<Vec<Seen>> = self
                .brute
                .lanes
                .iter()
                .enumerate()
                .map(|(lane, events)| {
                    let keep =
                        |(at, event): (usize, &Seen)| Some(Seen { optional: changed(lane, at)?, ..event.clone() });
                    events.iter().enumerate().map_while(keep).collect()
                })
                .collect();
            let part = Brute { automaton: self.automaton, lanes };
            part.reach(level.iter().cloned().collect()).iter().any(|(at, ..)| part.is_complete(at))
        };
        let optional = |lane: usize, at: usize, but: Option<usize>| {
            if let Some(nth) =
                core.needed.iter().position(|event| (event.lane as usize, event.at as usize) == (lane, at))
            {
                return Some(but == Some(nth));
            }
            if is_in(&core.others, lane, at) {
                return Some(true);
            }
            // What comes before all of these in their lane comes before the cut.
            let listed = core.needed.iter().chain(&core.others).filter(|event| event.lane as usize == lane);
            let last = listed.map(|event| event.at as usize).max().unwrap_or(0);
            let placed = level.iter().map(|(at, ..)| at[lane]).max().unwrap_or(0);
            (at < last.max(placed)).then_some(self.brute.lanes[lane][at].optional)
        };
        if has_order(&|lane, at| optional(lane, at, None)) {
            return Err(format!("there is an order of {core:?}"));
        }
        for nth in 0..core.needed.len() {
            if core.is_minimal && !has_order(&|lane, at| optional(lane, at, Some(nth))) {
                return Err(format!("{:?} is not needed in {core:?}", core.needed[nth]));
            }
        }
        Ok(())
    }
}

/// Limits of all ways to search.
fn ways() -> [Limits; 4] {
    let usual = Limits::default;
    [
        usual(),
        Limits { patience: 1, ..usual() },
        Limits { carefree: 0, curiosity: 0, ..usual() },
        Limits { threads: 2, alone: 1, patience: 1, carefree: 0, curiosity: 0, ..usual() },
    ]
}

/// Whether the history is rejected; an error if the checker is wrong.
fn compare(automaton: &Automaton, spec: &Spec, plan: &Plan, case: u64) -> Result<bool, String> {
    let prepared = prepare(spec, &trace(automaton, plan), &Rules::default()).map_err(|error| error.to_string())?;
    let brute = seen(automaton, plan, &prepared)?;
    let seen = brute.reach(brute.starts());
    let is_accepted = seen.iter().any(|(at, ..)| brute.is_complete(at));
    let subject = Subject { automaton, spec, prepared: &prepared, brute: &brute, seen: &seen };
    for (nth, limits) in ways().into_iter().enumerate() {
        // Starting threads takes longer than these searches.
        if limits.threads > 1 && !case.is_multiple_of(16) {
            continue;
        }
        let (looks_ahead, interrupt) = (limits.carefree == 0, AtomicBool::new(false));
        let mut control = Control { interrupt: &interrupt, progress: &mut |_| {}, limits, began: Instant::now() };
        let checked =
            check(spec, &prepared, &check::Options::default(), &mut control).map_err(|error| error.to_string())?;
        let verdict = match (&checked.verdict, is_accepted) {
            (Verdict::Accepted(order), true) => subject.check_order(order),
            (Verdict::Rejected(deepest), false) if looks_ahead => {
                subject.check_deepest(&Deepest { placed: deepest.placed, count: 0, kept: Vec::new() })
            }
            (Verdict::Rejected(deepest), false) => subject.check_deepest(deepest),
            (verdict, _) => Err(format!("{verdict:?}; there is an order: {is_accepted}")),
        };
        verdict.map_err(|error| format!("way {nth}: {error}"))?;
        if let (0, Verdict::Rejected(deepest)) = (nth, &checked.verdict) {
            let core = shrink(spec, &prepared, &check::Options::default(), deepest, &mut control);
            let core = core.map_err(|error| error.to_string())?.map_err(|stopped| format!("{stopped:?}"))?;
            subject.check_core(&core.ok_or("there is no smaller reason")?)?;
        }
    }
    Ok(!is_accepted)
}

#[test]
fn random_specifications_mean_what_their_tables_say() {
    let asked = std::env::var("OMNILINK_HISTORIES").ok().map(|count| count.parse::<u64>().expect("a number"));
    let first = std::env::var("OMNILINK_SEED").ok().map_or(0, |seed| seed.parse::<u64>().expect("a number"));
    let cases = asked.unwrap_or(CASES);
    let (rejected, wrong) = with_stack(1 << 26, || run(first, cases)).expect("a thread");
    println!("{cases} histories of {} specifications, {rejected} rejected", cases.div_ceil(EACH));
    assert!(wrong.is_empty(), "{} disagreements:\n{}", wrong.len(), wrong[..wrong.len().min(4)].concat());
    assert!(rejected * 100 >= cases * 40, "only {rejected} of {cases} histories are rejected");
}

fn run(first: u64, cases: u64) -> (u64, Vec<String>) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("Automaton.tla");
    let (mut rejected, mut wrong) = (0, Vec::new());
    for seed in first..first + cases.div_ceil(EACH) {
        let mut random = Random::new(seed.wrapping_mul(0x2545_F491_4F6C_DD1D));
        let automaton = Automaton::random(&mut random);
        std::fs::write(&path, automaton.text()).expect("it can be written");
        let spec =
            Spec::load(&path, &Options::default()).unwrap_or_else(|error| panic!("{error}\n{}", automaton.text()));
        for nth in 0..EACH {
            let plan = history(&automaton, &mut random);
            match compare(&automaton, &spec, &plan, seed * EACH + nth) {
                Ok(is_rejected) => rejected += u64::from(is_rejected),
                Err(error) => {
                    let mut text = format!("seed {seed}, history {nth}: {error}\n{}", automaton.text());
                    for (lane, calls) in plan.lanes.iter().enumerate() {
                        for call in calls {
                            let _ = writeln!(text, "lane {lane} {call:?}");
                        }
                    }
                    wrong.push(text + &format!("stop {:?}\n", plan.stop));
                }
            }
        }
    }
    (rejected, wrong)
}
