//! What is known of a file's actions and threads from the lines that were read so far.
//!
//! An action that is given by its name has the parameters of all its lines, and a named thread gets a number that no line
//! uses. Both can change with every line. Events are made from what is known so far; if a line then changes what an
//! earlier event relied on, the file is read again from its beginning, with all that is known by then ([`super::read`]).

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::signature::Declaration;
use crate::table;

use super::ActionLine;
use super::cursor::Wrong;
use super::line::{ArgLine, EventLine, Line, Operation, Operations, Scratch, Thread};
use super::lines::{FileHeader, Lines};

#[derive(Default)]
pub(super) struct Survey {
    actions: HashMap<String, Named>,
    /// The threads that are given by their numbers.
    numbers: BTreeSet<u32>,
    /// True if it includes all lines, up to the first one that cannot be read.
    pub complete: bool,
}

/// The actions with one name; several only if the header or lines declare several.
#[derive(Default)]
struct Named {
    variants: Vec<Surveyed>,
    /// Whether an event of the present pass relies on it.
    used: bool,
}

struct Surveyed {
    params: Vec<String>,
    /// An index of the same; only if `declared` is false.
    known: HashSet<String>,
    /// Whether the header or a line declares the parameters; otherwise they are those of the lines so far.
    declared: bool,
}

/// Whether what earlier events relied on still holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Nothing,
    Relied,
}

impl Survey {
    pub fn new(header: &FileHeader) -> Self {
        let mut survey = Self::default();
        for Declaration { name, params, .. } in header.actions() {
            survey.declare(ActionLine { name: name.clone(), params: params.clone() });
        }
        if let FileHeader::Ours(header) = header {
            survey.numbers.extend(header.lanes.iter().map(|lane| lane.thread));
        }
        survey
    }

    /// Forgets which actions are relied on: a new pass begins.
    pub fn restart(&mut self) {
        self.actions.values_mut().for_each(|named| named.used = false);
    }

    /// Takes in all lines, up to the first one that cannot be read.
    pub fn complete<'a>(&mut self, lines: Lines<'a>) {
        let mut scratch = Scratch::default();
        for text in lines {
            let Ok(line) = text.parse(&mut scratch) else { break };
            let (Line::Event(EventLine { thread, .. }) | Line::Terminated { thread, .. }) = &line;
            if let Thread::Number(number) = thread {
                self.numbers.insert(*number);
            }
            if let Line::Event(event) = &line
                && self.see(&event.operations, &scratch.args).is_err()
            {
                break;
            }
        }
        self.complete = true;
    }

    /// Takes in a thread that is given by its number.
    pub fn see_number(&mut self, number: u32) {
        self.numbers.insert(number);
    }

    /// The first number from `from` on that no thread has.
    pub fn free_number(&self, from: u32) -> Option<u32> {
        (from..=u32::MAX).find(|number| !self.numbers.contains(number))
    }

    /// Takes in the actions of a line.
    pub fn see(&mut self, operations: &Operations<'_>, args: &[ArgLine<'_>]) -> Result<Change, Box<Wrong>> {
        let mut change = Change::Nothing;
        for operation in operations.as_slice() {
            if let Some(action) = operation.declared() {
                check_params(operation, &action.params)?;
                change = change.or(self.declare(action));
            }
        }
        for operation in operations.as_slice().iter().filter(|operation| operation.params.is_none()) {
            if !self.actions.contains_key(&*operation.name) {
                self.actions.insert(operation.name.to_string(), Named::default());
            }
            let Some(Named { variants, used }) = self.actions.get_mut(&*operation.name) else { continue };
            if variants.is_empty() {
                variants.push(Surveyed { params: Vec::new(), known: HashSet::new(), declared: false });
            }
            if let ([Surveyed { params, known, declared: false }], Operations::One(_)) =
                (variants.as_mut_slice(), operations)
            {
                for arg in args {
                    if !known.contains(&*arg.param) {
                        known.insert(arg.param.to_string());
                        params.push(arg.param.to_string());
                        change = change.or(Change::of(*used));
                    }
                }
            }
        }
        Ok(change)
    }

    fn declare(&mut self, ActionLine { name, params }: ActionLine) -> Change {
        let Named { variants, used } = self.actions.entry(name).or_default();
        let before = variants.len();
        variants.retain(|action| action.declared);
        let mut changed = variants.len() < before;
        if variants.iter().all(|action| action.params != params) {
            variants.push(Surveyed { params, known: HashSet::new(), declared: true });
            changed = true;
        }
        Change::of(changed && *used)
    }

    /// The parameters of the action that an operation stands for, which an event now relies on.
    pub fn params<'s>(&'s mut self, operation: &'s Operation<'_>) -> Result<&'s [String], Box<Wrong>> {
        let named = self.actions.get_mut(&*operation.name);
        if let Some(params) = &operation.params {
            return Ok(params);
        }
        match named {
            Some(Named { variants, used }) if variants.len() == 1 => {
                *used = true;
                Ok(&variants[0].params)
            }
            _ => {
                let problem = format!(
                    "several actions are called `{0}`; write {{\"name\":\"{0}\",\"params\":[…]}} to say which",
                    operation.name
                );
                Err(Wrong::new(operation.at, problem))
            }
        }
    }
}

impl Change {
    fn of(relied: bool) -> Self {
        if relied { Self::Relied } else { Self::Nothing }
    }

    fn or(self, other: Self) -> Self {
        Self::of(self == Self::Relied || other == Self::Relied)
    }
}

/// Refuses parameters that an action cannot have.
pub(super) fn check_params(operation: &Operation<'_>, params: &[String]) -> Result<(), Box<Wrong>> {
    table::check_params(&operation.name, params).map_err(|problem| Wrong::new(operation.at, problem.to_string()))
}
