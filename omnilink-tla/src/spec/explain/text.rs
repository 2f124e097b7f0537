//! An explanation as indented text: a line per part, with a mark, the source and the values that decide.

use std::fmt::{self, Display, Formatter};

use super::{Explanation, Outcome, Part, Role, Valued};
use crate::source::{Place, Sources, Span};
use crate::symbol::Symbol;
use crate::value::{Short, Value};

/// How many characters of a part's source are shown.
const SOURCE: usize = 72;

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.action)?;
        if !self.args.is_empty() {
            let argument = |(name, value): &(Symbol, Option<Value>)| match value {
                Some(value) => Short(value).to_string(),
                None => format!("?{name}"),
            };
            write!(f, "({})", join(self.args.iter().map(argument)))?;
        }
        match self.outcome() {
            Outcome::True => write!(f, " can happen here")?,
            Outcome::Failed(failure) => write!(f, " cannot be evaluated here: {}", failure.message)?,
            Outcome::False | Outcome::NotReached => write!(f, " cannot happen here")?,
        }
        for disjunct in &self.disjuncts {
            let (file, Place { line, column }) = self.sources.place(disjunct.span);
            write!(f, "\n{}  ({}:{line}:{column})", Line { part: disjunct, sources: &self.sources }, file.display())?;
            write_parts(f, disjunct, 1, &self.sources)?;
        }
        Ok(())
    }
}

fn write_parts(f: &mut Formatter<'_>, of: &Part, depth: usize, sources: &Sources) -> fmt::Result {
    for part in &of.parts {
        write!(f, "\n{:indent$}{}", "", Line { part, sources }, indent = 2 * depth)?;
        write_parts(f, part, depth + 1, sources)?;
    }
    if of.more {
        write!(f, "\n{:indent$}…", "", indent = 2 * depth)?;
    }
    Ok(())
}

/// What is said about one part.
struct Line<'a> {
    part: &'a Part,
    sources: &'a Sources,
}

impl Display for Line<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Part { role, span, outcome, values, .. } = self.part;
        let mark = match outcome {
            Outcome::True => '✓',
            Outcome::False => '✗',
            Outcome::Failed(_) => '!',
            Outcome::NotReached => '·',
        };
        let source = Source { span: *span, sources: self.sources };
        write!(f, "{mark} ")?;
        match role {
            Role::Formula | Role::Operand => write!(f, "{source}")?,
            Role::Conjunct => write!(f, "/\\ {source}")?,
            Role::Disjunct => write!(f, "\\/ {source}")?,
            Role::Condition => write!(f, "condition: {source}")?,
            Role::Branch => write!(f, "branch: {source}")?,
            Role::Choice(names) => write!(f, "{}: {source}", equations(names, ""))?,
            Role::After(variables) if variables.is_empty() => write!(f, "{source}")?,
            Role::After(variables) => write!(f, "after {}: {source}", equations(variables, "'"))?,
            Role::Bound(names) => write_bound(f, names, outcome, &source)?,
            Role::Guard(true) => write!(f, "has to be TRUE: {source}")?,
            Role::Guard(false) => write!(f, "has to be FALSE: {source}")?,
            Role::Passed(parameter, value) => write!(f, "{parameter} = {} has to be {source}", Short(value))?,
        }
        if !values.is_empty() {
            let valued = |valued: &Valued| {
                let prime = if valued.primed { "'" } else { "" };
                format!("{}{prime} = {}", Source { span: valued.span, sources: self.sources }, Short(&valued.value))
            };
            write!(f, "  [{}]", join(values.iter().map(valued)))?;
        }
        match outcome {
            // The part that failed says why.
            Outcome::Failed(diagnostic) if !self.part.parts.iter().any(|part| part.outcome == *outcome) => {
                write!(f, "  error: {}", diagnostic.message)
            }
            _ => Ok(()),
        }
    }
}

fn write_bound(f: &mut Formatter<'_>, names: &[(Symbol, Value)], outcome: &Outcome, set: &Source<'_>) -> fmt::Result {
    let not = if *outcome == Outcome::False { "not " } else { "" };
    match names {
        [] => write!(f, "{set} has {}", if not.is_empty() { "elements" } else { "no elements" }),
        [(name, value)] => write!(f, "{name} = {} is {not}in {set}", Short(value)),
        _ => write!(f, "{} are {not}together in {set}", equations(names, "")),
    }
}

/// The text of a span on one line, cut to a length.
struct Source<'a> {
    span: Span,
    sources: &'a Sources,
}

impl Display for Source<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let line = self.sources.one_line(self.span);
        match line.char_indices().nth(SOURCE) {
            Some((cut, _)) => write!(f, "{}…", &line[..cut]),
            None => f.write_str(&line),
        }
    }
}

fn equations(names: &[(Symbol, Value)], prime: &str) -> String {
    join(names.iter().map(|(name, value)| format!("{name}{prime} = {}", Short(value))))
}

fn join(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}
