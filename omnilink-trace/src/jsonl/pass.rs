//! One pass over the lines of a file, which makes events of them.

use std::borrow::Cow;

use foldhash::{HashMap, HashMapExt as _, HashSet, HashSetExt as _};

use crate::builder::TraceBuilder;
use crate::error::TraceError;
use crate::event::{ActionId, Argument, Candidates, Effect, Event, NameId, Outcome, Record, Termination, Timebox};
use crate::lane::StopReason;
use crate::signature::Declaration;
use crate::table;

use super::cursor::Wrong;
use super::line::{ArgLine, DeclaredLine, EventLine, Extras, Line, Operation, Operations, Thread};
use super::lines::FileHeader;
use super::survey::{Change, Survey, check_params};

/// Most forms of lines that are remembered.
const MAX_FORMS: usize = 64;

pub(super) struct Pass<'a> {
    pub trace: TraceBuilder,
    /// Places of the lanes in `trace`.
    numbered: HashMap<u32, usize>,
    named: HashMap<Cow<'a, str>, usize>,
    /// Numbers of the named lanes, and the highest of them.
    given: HashSet<u32>,
    last_given: Option<u32>,
    forms: Vec<(Shape<'a>, Form)>,
    /// The event that is made now; all lines use its memory.
    event: Event,
}

/// How most lines are alike: the action's name, and the names of the arguments.
struct Shape<'a> {
    action: Cow<'a, str>,
    args: Box<[Cow<'a, str>]>,
}

/// What a line's actions and arguments stand for.
#[derive(Clone)]
struct Form {
    candidates: Candidates,
    params: Box<[NameId]>,
    /// For each argument of the line, which parameter it is for.
    places: Box<[usize]>,
}

/// Why a line did not become an event.
pub(super) enum Refusal {
    /// It is no line of a trace.
    Unreadable(Box<Wrong>),
    /// It breaks a rule, by what is known so far.
    Wrong(Box<Wrong>),
    /// It changes what earlier events relied on.
    Changed,
}

impl From<Box<Wrong>> for Refusal {
    fn from(wrong: Box<Wrong>) -> Self {
        Self::Wrong(wrong)
    }
}

impl<'a> Pass<'a> {
    pub fn new(header: &FileHeader) -> Result<Self, Box<Wrong>> {
        let at_header = |problem: String| Wrong::new(0, problem);
        let (spec, next, lanes, declared_of_run) = match header {
            FileHeader::Ours(header) => {
                (&*header.spec, &*header.next, header.lanes.as_slice(), header.run.actions.as_slice())
            }
            _ => ("", "", &[][..], &[][..]),
        };
        let mut trace = TraceBuilder::new(spec, next, header.run());
        for action in header.actions() {
            table::check_params(&action.name, &action.params).map_err(|problem| at_header(problem.to_string()))?;
            trace.vocabulary().intern_action(&action.name, &action.params);
        }
        for declaration in declared_of_run.iter().chain(header.actions()) {
            if declaration.says_something() {
                declare(&mut trace, declaration.clone()).map_err(at_header)?;
            }
        }
        for lane in lanes {
            trace.lane(lane.thread, &lane.name);
            if let Some(stop) = &lane.stopped {
                let unknown = || at_header(format!("unknown reason to stop `{}`", stop.reason));
                trace.stop(lane.thread, stop.at, StopReason::from_word(&stop.reason).ok_or_else(unknown)?);
            }
        }
        Ok(Self {
            trace,
            numbered: HashMap::new(),
            named: HashMap::new(),
            given: HashSet::new(),
            last_given: None,
            forms: Vec::new(),
            event: empty_event(),
        })
    }

    /// Makes an event of a line, or the end of a thread.
    #[inline]
    pub fn push(
        &mut self,
        line: Line<'a>,
        args: &mut Vec<ArgLine<'a>>,
        offset: u64,
        survey: &mut Survey,
    ) -> Result<(), Refusal> {
        match line {
            Line::Event(event) => self.event(event, args, offset, survey),
            Line::Terminated { thread, time, meta } => {
                let lane = self.lane(thread, survey)?;
                let termination = Termination { lane: self.trace.lane_at(lane), time: time.ticks, meta };
                let pushed = self.trace.push(Record::Terminated(termination));
                Ok(pushed.map_err(|error| Wrong::new(time.at, rule(error)))?)
            }
        }
    }

    /// The place of a thread's lane.
    #[inline]
    fn lane(&mut self, thread: Thread<'a>, survey: &mut Survey) -> Result<usize, Refusal> {
        let known = match &thread {
            Thread::Number(number) => self.numbered.get(number),
            Thread::Name(name) => self.named.get(name),
        };
        match known {
            Some(&place) => Ok(place),
            None => self.new_lane(thread, survey),
        }
    }

    fn new_lane(&mut self, thread: Thread<'a>, survey: &mut Survey) -> Result<usize, Refusal> {
        match thread {
            Thread::Number(number) => {
                survey.see_number(number);
                if self.given.contains(&number) {
                    return Err(Refusal::Changed);
                }
                let place = self.trace.place_of(number);
                self.numbered.insert(number, place);
                Ok(place)
            }
            Thread::Name(name) => {
                // The lowest free number: all below the last one that was given are in use.
                let from = self.last_given.map_or(Some(0), |last| last.checked_add(1));
                let number = from.and_then(|from| survey.free_number(from));
                let number = number.ok_or_else(|| Wrong::new(0, "more than 2^32 threads"))?;
                self.last_given = Some(number);
                self.given.insert(number);
                self.trace.lane(number, &name);
                let place = self.trace.place_of(number);
                self.named.insert(name, place);
                Ok(place)
            }
        }
    }

    #[inline]
    fn event(
        &mut self,
        line: EventLine<'a>,
        args: &mut Vec<ArgLine<'a>>,
        offset: u64,
        survey: &mut Survey,
    ) -> Result<(), Refusal> {
        let EventLine { thread, start, end, operations, outcome, extras } = line;
        let Extras { declared, effects, meta } = extras.map(|extras| *extras).unwrap_or_default();
        let lane = self.lane(thread, survey)?;
        let usual = match &operations {
            Operations::One(Operation { name, params: None, .. }) if declared.is_empty() => Some(name),
            _ => None,
        };
        let known = usual.and_then(|name| self.forms.iter().position(|(shape, _)| shape.fits(name, args)));
        let new;
        let form = match known {
            Some(known) => &self.forms[known].1,
            None => {
                new = self.form(&operations, &declared, args, survey)?;
                if let Some(name) = usual
                    && self.forms.len() < MAX_FORMS
                {
                    self.forms.push((Shape::of(name, args), new.clone()));
                }
                &new
            }
        };
        let event = &mut self.event;
        event.lane = self.trace.lane_at(lane);
        event.candidates.clone_from(&form.candidates);
        event.args.clear();
        event.args.extend(form.params.iter().map(|&param| Argument { param, value: None }));
        for (arg, &place) in args.drain(..).zip(&form.places) {
            event.args[place].value = arg.value;
        }
        event.timebox = Timebox { start: start.ticks, end };
        event.outcome = outcome;
        event.effects.clear();
        for effect in effects {
            let variable = self.trace.vocabulary().intern(&effect.variable);
            let operation = effect.operation.into();
            event.effects.push(Effect { variable, path: effect.path, operation, args: effect.args });
        }
        event.meta = meta;
        event.offset = offset;
        Ok(self.trace.push_event(lane, event).map_err(|error| Wrong::new(start.at, rule(error)))?)
    }

    /// What the actions and arguments of a line stand for.
    fn form(
        &mut self,
        operations: &Operations<'a>,
        declared: &DeclaredLine,
        args: &[ArgLine<'a>],
        survey: &mut Survey,
    ) -> Result<Form, Refusal> {
        if survey.see(operations, args)? == Change::Relied {
            return Err(Refusal::Changed);
        }
        let (mut actions, mut known) = (Vec::new(), HashSet::new());
        for operation in operations.as_slice() {
            let params = survey.params(operation)?;
            check_params(operation, params)?;
            let action = self.trace.vocabulary().intern_action(&operation.name, params);
            if known.insert(action) {
                actions.push(action);
            }
        }
        self.declare(declared, &actions)?;
        let params = self.trace.vocabulary().union_of_params(&actions);
        let by_param: HashMap<_, _> = params.iter().enumerate().map(|(place, &param)| (param, place)).collect();
        let mut places = Vec::with_capacity(args.len());
        for arg in args {
            let param = self.trace.vocabulary().find(&arg.param);
            let place = param.and_then(|param| by_param.get(&param)).ok_or_else(|| {
                let names: Vec<_> = operations.as_slice().iter().map(|operation| &*operation.name).collect();
                let problem = match names.as_slice() {
                    [] => format!("argument `{}` without `op`", arg.param),
                    names => format!("`{}` is not a parameter of {}", arg.param, names.join(", ")),
                };
                Wrong::new(arg.at, problem)
            })?;
            places.push(*place);
        }
        let candidates = match (operations, actions.as_slice()) {
            (Operations::One(_), [action]) => Candidates::One(*action),
            _ => Candidates::Several(actions.into()),
        };
        Ok(Form { candidates, params: params.into(), places: places.into() })
    }

    /// Takes over what a line declares of its actions.
    fn declare(&mut self, line: &DeclaredLine, actions: &[ActionId]) -> Result<(), Box<Wrong>> {
        let DeclaredLine { at, results, operation } = line;
        if line.is_empty() {
            return Ok(());
        }
        let wrong = |problem: String| Wrong::new(*at, problem);
        if actions.is_empty() {
            return Err(wrong("`results` and `operation` are those of an action: `op` is missing".into()));
        }
        let union = self.trace.vocabulary().union_of_params(actions);
        for result in results.iter().flatten() {
            let param = self.trace.vocabulary().find(result);
            if !param.is_some_and(|param| union.contains(&param)) {
                return Err(wrong(format!(
                    "`{result}` is declared to be a result, but it is no parameter of the action"
                )));
            }
        }
        for &action in actions {
            let vocabulary = self.trace.vocabulary();
            let action = vocabulary.action(action);
            let params: Vec<_> = action.params.iter().map(|&param| vocabulary.name(param).to_owned()).collect();
            let own =
                |results: &Vec<String>| results.iter().filter(|result| params.contains(result)).cloned().collect();
            let declaration = Declaration {
                name: action.name.to_string(),
                results: results.as_ref().map(own),
                params,
                operation: operation.clone(),
                ..Declaration::default()
            };
            declare(&mut self.trace, declaration).map_err(wrong)?;
        }
        Ok(())
    }
}

impl<'a> Shape<'a> {
    fn of(action: &Cow<'a, str>, args: &[ArgLine<'a>]) -> Self {
        Self { action: action.clone(), args: args.iter().map(|arg| arg.param.clone()).collect() }
    }

    #[inline]
    fn fits(&self, action: &str, args: &[ArgLine<'a>]) -> bool {
        *self.action == *action
            && self.args.len() == args.len()
            && self.args.iter().zip(args).all(|(name, arg)| *name == arg.param)
    }
}

fn empty_event() -> Event {
    Event {
        lane: 0,
        index: 0,
        candidates: Candidates::Several(Box::default()),
        args: Vec::new(),
        timebox: Timebox { start: 0, end: None },
        outcome: Outcome::Done,
        effects: Vec::new(),
        meta: Vec::new(),
        offset: 0,
    }
}

fn declare(trace: &mut TraceBuilder, declaration: Declaration) -> Result<(), String> {
    trace.declare(declaration).map_err(rule)
}

/// Which rule is broken; where is known better here.
fn rule(error: TraceError) -> String {
    match error {
        TraceError::Build { problem, .. } => problem.to_string(),
        other => other.to_string(),
    }
}
